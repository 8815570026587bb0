"""The first page, logging in and out."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from assay.workbench.admission.crowd import Crowded
from assay.workbench.admission.security import COOKIE, AnyVisit, log_in_at, log_out_at, same_site
from assay.workbench.db.hidings import hidden_suites
from assay.workbench.files.bundled_suites import offered
from assay.workbench.pages.render import AnySuiteVisit, render
from assay.workbench.work.overview import overview

router = APIRouter()


@router.get("/")
def front(request: Request, visit: AnySuiteVisit) -> Response:
    """The suites of the database and how far they are; where there are none, those that could be."""
    with visit.entering() as (db, _):
        suites = overview(db, visit.state.snapshots)
        more = [] if suites else offered(db)
        return render(request, "front.html", suites=suites, bundled=more, hidden=hidden_suites(db))


@router.get("/login")
async def login_page(request: Request, next: str = "/") -> Response:
    return render(request, "login.html", next=next, name="", problem="")


@router.post("/login")
async def login(
    request: Request,
    name: Annotated[str, Form(max_length=200)],
    password: Annotated[str, Form(max_length=1000)],
    next: Annotated[str, Form()] = "/",
) -> Response:
    same_site(request)
    try:
        found = await log_in_at(request, name, password)
    except Crowded as error:
        response = render(request, "login.html", 429, next=next, name=name, problem=f"{str(error).capitalize()}.")
        response.headers["Retry-After"] = str(error.seconds)
        return response
    if found is None:
        return render(request, "login.html", 401, next=next, name=name, problem="Name or password is wrong.")
    target = next if next.startswith("/") and not next.startswith(("//", "/\\")) else "/"
    redirection = RedirectResponse(target, 303)
    set_cookie(request, redirection, found[1])
    return redirection


@router.post("/logout")
def logout(request: Request, visit: AnyVisit) -> Response:
    log_out_at(visit, request.cookies.get(COOKIE))
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
