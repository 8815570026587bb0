"""The first page, logging in and out."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from assay.workbench.db.people import end_session, start_session
from assay.workbench.pages.render import render
from assay.workbench.people.credentials import log_in
from assay.workbench.security import COOKIE, AnyVisit, same_site
from assay.workbench.state import State
from assay.workbench.work.overview import overview

router = APIRouter()


@router.get("/")
def front(request: Request, visit: AnyVisit) -> Response:
    """The suites of the database and how far they are."""
    with visit.entering() as (db, _):
        return render(request, "front.html", suites=overview(db, visit.state.snapshots))


@router.get("/login")
def login_page(request: Request, next: str = "/") -> Response:
    return render(request, "login.html", next=next, problem="")


@router.post("/login")
def login(
    request: Request, name: Annotated[str, Form()], password: Annotated[str, Form()], next: Annotated[str, Form()] = "/"
) -> Response:
    same_site(request)
    state: State = request.app.state.assay
    user = log_in(state.store, name, password)
    if user is None:
        return render(request, "login.html", 401, next=next, problem="Name or password is wrong.")
    with state.store.writing() as db:
        token = start_session(db, user)
    target = next if next.startswith("/") and not next.startswith(("//", "/\\")) else "/"
    response = RedirectResponse(target, 303)
    set_cookie(request, response, token)
    return response


@router.post("/logout")
def logout(request: Request, visit: AnyVisit) -> Response:
    visit.user()
    token = request.cookies.get(COOKIE)
    if token:
        with visit.state.store.writing() as db:
            end_session(db, token)
    response = Response(status_code=204, headers={"HX-Redirect": "/login"})
    response.delete_cookie(COOKIE)
    return response


def set_cookie(request: Request, response: Response, token: str) -> None:
    response.set_cookie(
        COOKIE,
        token,
        max_age=30 * 24 * 3600,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
