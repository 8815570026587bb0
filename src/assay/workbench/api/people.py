"""Accounts and the audit trail: for admins."""

from collections.abc import Sequence
from typing import Annotated, Self

from fastapi import APIRouter, Path, Query
from pydantic import Field, model_validator

from assay.workbench.admission.security import AdminVisit
from assay.workbench.api import shapes
from assay.workbench.api.request import problems
from assay.workbench.db.audit import AuditEntry, AuditKind
from assay.workbench.db.people import Activity
from assay.workbench.people import accounts
from assay.workbench.people.audit import AuditPage, audit_trail
from assay.workbench.people.roles import Role, User

router = APIRouter(prefix="/people", tags=["people"], responses=problems(401, 403))
trail = APIRouter(tags=["people"], responses=problems(401, 403))
shapes.answered(Activity, accounts.Person, AuditEntry, AuditPage)


class NewPerson(shapes.RequestBody):
    name: Annotated[str, Field(min_length=1, max_length=200)]
    role: Role
    password: shapes.Password


class PersonChange(shapes.RequestBody):
    """What is left out or null stays as it is; something has to be named."""

    role: Role | None = None
    password: shapes.Password | None = None
    active: bool | None = None

    @model_validator(mode="after")
    def something(self) -> Self:
        if self.role is None and self.password is None and self.active is None:
            raise ValueError("name role, password or active")
        return self


@router.get("", response_model=list[accounts.Person], summary="Everybody")
def people(visit: AdminVisit) -> Sequence[accounts.Person]:
    """All accounts and everybody who judged, active ones first."""
    with visit.entering() as (db, _):
        return accounts.people(db)


@trail.get("/audit", summary="The audit trail", responses=problems(404))
def audit(
    visit: AdminVisit,
    by: Annotated[str, Query(max_length=200, description="Name of a user")] = "",
    kind: AuditKind | None = None,
    page: Annotated[int, Query(ge=1, le=1_000_000, description="A page has 100 entries")] = 1,
) -> AuditPage:
    """Who logged in or failed to, changed accounts, imported and exported, and from where; the newest first.

    The database keeps the last 10,000 failed log-ins, and the last 100,000 of all else.
    """
    with visit.entering() as (db, _):
        return audit_trail(db, by=by, kind=kind or "", page=page)


@router.post("", status_code=201, summary="Make an account")
def add_person(visit: AdminVisit, given: NewPerson) -> User:
    """The first account has to be an admin's."""
    store, user = visit.state.store, visit.user()
    return accounts.add_account(store, user, name=given.name, role=given.role, password=given.password)


@router.patch("/{name:path}", summary="Change an account", responses=problems(404))
def change_person(
    visit: AdminVisit,
    given: PersonChange,
    name: Annotated[str, Path(min_length=1, max_length=200, description="Name of a user")],
) -> User:
    """Role, password, and whether they may log in. A new password ends their sessions; the last admin stays one."""
    store, user = visit.state.store, visit.user()
    return accounts.change_account(store, user, name, role=given.role, password=given.password, active=given.active)
