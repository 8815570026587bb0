"""Accounts: one's own password, what an admin does for others, and the audit trail."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request, Response

from assay.workbench.admission.security import AdminVisit, AnyVisit
from assay.workbench.db.audit import AUDIT_KINDS
from assay.workbench.pages.front import set_cookie
from assay.workbench.pages.render import AnySuiteVisit, render, suite_visitor
from assay.workbench.people import accounts
from assay.workbench.people.audit import audit_trail
from assay.workbench.visit import Visit

router = APIRouter()

Name = Annotated[str, Form()]
Password = Annotated[str, Form(max_length=1000)]


@router.get("/people")
def people_page(request: Request, visit: AnySuiteVisit, told: str = "") -> Response:
    """Everybody for admins, oneself for others."""
    with visit.entering() as (db, _):
        people = accounts.people(db)
    return render(request, "people.html", people=people, told="", changed=told == "password")


@router.get("/audit")
def audit_page(
    request: Request,
    visit: Annotated[Visit, Depends(suite_visitor("admin", optional=True))],
    by: str = "",
    kind: str = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    with visit.entering() as (db, _):
        found = audit_trail(db, by=by, kind=kind, page=page)
    return render(request, "audit.html", page=found, by=by, kind=kind, kinds=AUDIT_KINDS)


@router.post("/people/password")
def own_password(
    request: Request, visit: AnyVisit, new: Password, repeated: Password, current: Password = ""
) -> Response:
    """One's own new password. All one's sessions end; this browser gets a new one."""
    store, user = visit.state.store, visit.user()
    token = accounts.change_own_password(store, user, current=current, new=new, repeated=repeated)
    response = Response(status_code=204, headers={"HX-Redirect": "/people?told=password"})
    set_cookie(request, response, token)
    return response


@router.post("/people/add")
def add(request: Request, visit: AdminVisit, name: Name, role: Annotated[str, Form()], password: Password) -> Response:
    made = accounts.add_account(visit.state.store, visit.user(), name=name.strip(), role=role, password=password)
    return _list(request, visit, f"{made.name} can log in now, as {made.role}.")


@router.post("/people/role")
def role(request: Request, visit: AdminVisit, name: Name, role: Annotated[str, Form()]) -> Response:
    changed = accounts.change_account(visit.state.store, visit.user(), name, role=role)
    return _list(request, visit, f"{changed.name} is {changed.role} now.")


@router.post("/people/new-password")
def new_password(request: Request, visit: AdminVisit, name: Name, password: Password) -> Response:
    changed = accounts.change_account(visit.state.store, visit.user(), name, password=password)
    return _list(request, visit, f"{changed.name} has a new password; all their sessions have ended.")


@router.post("/people/active")
def active(request: Request, visit: AdminVisit, name: Name, active: Annotated[bool, Form()]) -> Response:
    changed = accounts.change_account(visit.state.store, visit.user(), name, active=active)
    now = "can log in again." if changed.active else "is kept out; what they did stays."
    return _list(request, visit, f"{changed.name} {now}")


def _list(request: Request, visit: Visit, told: str) -> Response:
    with visit.entering() as (db, _):
        people = accounts.people(db)
    return render(request, "part/people_list.html", people=people, told=told)
