"""Logging in and out, and who one is."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from pydantic import Field

from assay.workbench.admission.security import COOKIE, AnyVisit, log_in_at, log_out_at
from assay.workbench.admission.security import bearer as token_of
from assay.workbench.api import shapes
from assay.workbench.api.request import bearer, problems
from assay.workbench.people.accounts import change_own_password
from assay.workbench.people.roles import User

router = APIRouter(tags=["session"])
own = APIRouter(tags=["session"], dependencies=[Depends(bearer)])


class LogIn(shapes.RequestBody):
    name: Annotated[str, Field(min_length=1, max_length=200)]
    password: shapes.Password


class NewPassword(shapes.RequestBody):
    current: shapes.Password
    new: shapes.Password


@router.post("/session", summary="Log in", responses=problems(401, 429))
async def log_in_(request: Request, given: LogIn) -> shapes.Session:
    """A token for the header `Authorization: Bearer TOKEN`. Without accounts the one that `assay serve` prints is used.

    After some failures the answer takes longer, or is 429; its header `Retry-After` says how many seconds to wait.
    """
    found = await log_in_at(request, given.name, given.password)
    if found is None:
        raise HTTPException(401, "name or password is wrong")
    user, token = found
    return shapes.Session(token=token, user=user)


@own.delete("/session", status_code=204, summary="Log out", responses=problems(401, 403))
def log_out(request: Request, visit: AnyVisit) -> None:
    """End the session whose token was sent."""
    log_out_at(visit, token_of(request) or request.cookies.get(COOKIE))


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
