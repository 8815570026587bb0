"""Accounts: one's own password, and what an admin does for others."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from assay.workbench.pages.files import AnySuite
from assay.workbench.pages.front import set_cookie
from assay.workbench.pages.render import render
from assay.workbench.people import accounts
from assay.workbench.people.roles import ROLES, User
from assay.workbench.security import Admin, Me
from assay.workbench.state import State

router = APIRouter()

Name = Annotated[str, Form()]
Password = Annotated[str, Form(max_length=1000)]


@router.get("/people")
def people_page(request: Request, user: Me, suite: AnySuite, told: str = "") -> Response:
    """Everybody for admins, oneself for others."""
    state: State = request.app.state.assay
    people = accounts.people(state.store)
    return render(request, "people.html", people=people, roles=ROLES, told="", changed=told == "password")


@router.post("/people/password")
def own_password(request: Request, user: Me, new: Password, repeated: Password, current: Password = "") -> Response:
    """One's own new password. All one's sessions end; this browser gets a new one."""
    state: State = request.app.state.assay
    token = accounts.change_own_password(state.store, user, current=current, new=new, repeated=repeated)
    response = Response(status_code=204, headers={"HX-Redirect": "/people?told=password"})
    set_cookie(request, response, token)
    return response


@router.post("/people/add")
def add(request: Request, user: Admin, name: Name, role: Annotated[str, Form()], password: Password) -> Response:
    state: State = request.app.state.assay
    made = accounts.add_account(state.store, user, name=name.strip(), role=role, password=password)
    return _list(request, f"{made.name} can log in now, as {made.role}.")


@router.post("/people/role")
def role(request: Request, user: Admin, name: Name, role: Annotated[str, Form()]) -> Response:
    state: State = request.app.state.assay
    changed = accounts.change_role(state.store, user, name, role)
    return _list(request, f"{changed.name} is {changed.role} now.")


@router.post("/people/new-password")
def new_password(request: Request, user: Admin, name: Name, password: Password) -> Response:
    state: State = request.app.state.assay
    changed = accounts.change_password(state.store, user, name, password)
    return _list(request, f"{changed.name} has a new password; all their sessions have ended.")


@router.post("/people/active")
def active(request: Request, user: Admin, name: Name, active: Annotated[bool, Form()]) -> Response:
    state: State = request.app.state.assay
    changed = accounts.change_active(state.store, user, name, active=active)
    return _list(request, _activity(changed))


def _activity(user: User) -> str:
    return f"{user.name} can log in again." if user.active else f"{user.name} is kept out; what they did stays."


def _list(request: Request, told: str) -> Response:
    state: State = request.app.state.assay
    return render(request, "part/people_list.html", people=accounts.people(state.store), roles=ROLES, told=told)
