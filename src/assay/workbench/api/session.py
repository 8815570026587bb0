"""Logging in and out, and who one is."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from pydantic import Field

from assay.workbench.api import shapes
from assay.workbench.api.request import bearer, problems
from assay.workbench.db.database import Store
from assay.workbench.db.people import end_session, start_session
from assay.workbench.people.accounts import change_own_password
from assay.workbench.people.credentials import log_in
from assay.workbench.people.roles import User
from assay.workbench.security import COOKIE, AnyVisit
from assay.workbench.security import bearer as token_of

router = APIRouter(tags=["session"])
own = APIRouter(tags=["session"], dependencies=[Depends(bearer)])


class LogIn(shapes.RequestBody):
    name: Annotated[str, Field(min_length=1, max_length=200)]
    password: shapes.Password


class NewPassword(shapes.RequestBody):
    current: shapes.Password
    new: shapes.Password


@router.post("/session", summary="Log in", responses=problems(401))
def log_in_(request: Request, given: LogIn) -> shapes.Session:
    """A token for the header `Authorization: Bearer TOKEN`. Servers without accounts need none."""
    store: Store = request.app.state.assay.store
    user = log_in(store, given.name, given.password)
    if user is None:
        raise HTTPException(401, "name or password is wrong")
    with store.writing() as db:
        token = start_session(db, user)
    return shapes.Session(token=token, user=user)


@own.delete("/session", status_code=204, summary="Log out", responses=problems(401, 403))
def log_out(request: Request, visit: AnyVisit) -> None:
    """End the session whose token was sent."""
    visit.user()
    token = token_of(request) or request.cookies.get(COOKIE)
    if token:
        with visit.state.store.writing() as db:
            end_session(db, token)


@own.get("/me", summary="Who am I", responses=problems(401, 403))
def me(visit: AnyVisit) -> User:
    """The user whose token was sent; without accounts, the local one."""
    return visit.user()


@own.put("/me/password", summary="Change my password", responses=problems(401, 403))
def change_password(visit: AnyVisit, given: NewPassword) -> shapes.Session:
    """All one's sessions end; the answer has the token of a new one."""
    store, user = visit.state.store, visit.user()
    token = change_own_password(store, user, current=given.current, new=given.new, repeated=given.new)
    return shapes.Session(token=token, user=user)
