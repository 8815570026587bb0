"""The application: routes, errors, static files.

app = create_app(Store.open("assay.db"))
"""

import logging
from importlib.resources import as_file, files
from secrets import token_hex
from urllib.parse import urlencode

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

import assay
from assay.errors import AssayError, BadDatabase, NotAllowed, Overtaken, UnknownName
from assay.workbench.admission.crowd import Crowded
from assay.workbench.admission.guard import Guard
from assay.workbench.admission.security import LoginNeeded
from assay.workbench.db.database import DatabaseBusy
from assay.workbench.pages.render import link, render, report_css, wants_part
from assay.workbench.reader import EndsBlindness
from assay.workbench.sandbox import Busy
from assay.workbench.state import State
from assay.workbench.visit import Visit

NO_TOKEN = (
    "This workbench is for whoever started it, and your browser has no token for it. Open the address that assay serve "
    "printed in its terminal, the one that ends in ?token=…"
)
NO_BEARER = "send the token of the address that assay serve printed: Authorization: Bearer TOKEN"

log = logging.getLogger("assay.workbench")

STATUS: dict[type[AssayError], int] = {
    UnknownName: 404,
    NotAllowed: 403,
    Overtaken: 409,
    BadDatabase: 503,
    Busy: 503,
    Crowded: 429,
}


def create_app(state: State) -> FastAPI:
    """The whole workbench on one database."""
    from assay.workbench import api, pages

    app = FastAPI(
        title="Assay", version=assay.__version__, docs_url=None, redoc_url=None, openapi_url="/api/v1/openapi.json"
    )
    app.state.assay = state
    # Pages first: a request is held against one route after the other.
    app.include_router(pages.router, include_in_schema=False)
    app.include_router(api.router)
    style = report_css()

    @app.get("/static/report.css", include_in_schema=False)
    def css() -> Response:
        return PlainTextResponse(style, media_type="text/css")

    with as_file(files("assay.workbench") / "static") as folder:
        app.mount("/static", StaticFiles(directory=folder), name="static")
    app.add_exception_handler(AssayError, _mistake)
    app.add_exception_handler(EndsBlindness, _ask_first)
    app.add_exception_handler(RequestValidationError, _invalid)
    # Those below ask the database nothing, and need no thread.
    for kind in (LoginNeeded, Crowded, HTTPException, 404, 405):
        app.add_exception_handler(kind, _at_once)
    app.add_middleware(Guard, respond=respond)
    return app


def respond(request: Request, error: Exception) -> Response:
    """The answer to what was refused before the application saw it, and to bugs."""
    if isinstance(error, LoginNeeded):
        return _login(request, error)
    if isinstance(error, Crowded):
        return _crowded(request, error)
    if isinstance(error, AssayError):
        return _mistake(request, error)
    return _refused(request, error) if isinstance(error, HTTPException) else _bug(request, error)


async def _at_once(request: Request, error: Exception) -> Response:
    return respond(request, error)


def _is_api(request: Request) -> bool:
    return str(request.scope["path"]).startswith("/api/")


def answer(request: Request, status: int, message: str) -> Response:
    """A message in the form that the asker reads: JSON, a part of a page, or a page."""
    if _is_api(request):
        return JSONResponse({"detail": message}, status)
    return render(request, "part/message.html" if wants_part(request) else "message.html", status, message=message)


def _refusal(request: Request) -> Response | None:
    """The answer to those who may not ask at all, where a request was wrong before that was found out."""
    visit: Visit | None = getattr(request.state, "visit", None)
    if visit is None or visit.tried:
        return None
    try:
        visit.user()
    except LoginNeeded as error:
        return _login(request, error)
    except AssayError as error:
        return _mistake(request, error)
    return None


def _mistake(request: Request, error: Exception) -> Response:
    refusal = _refusal(request)
    if refusal:
        return refusal
    if isinstance(error, BadDatabase) and not isinstance(error, DatabaseBusy):
        # Perhaps the database is damaged, perhaps this is a bug of ours: the log has what a line to a user cannot say.
        log.error("%s at %s %s", error, request.method, request.url.path, exc_info=error.__cause__)
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
    response = answer(request, status, str(error))
    if isinstance(error, Busy | DatabaseBusy):
        response.headers["Retry-After"] = "2"
    return response


def _ask_first(request: Request, error: Exception) -> Response:
    """Whether somebody wants to see what ends their blindness; the same address shows it once they have said so."""
    assert isinstance(error, EndsBlindness)
    if request.method != "GET":
        # Pages that change something were shown by then; this is somebody else's request, and nothing was changed.
        return answer(request, 409, f"{error}; nothing was changed. Send it with shown=true")
    pairs = [pair for pair in request.query_params.multi_items() if pair[0] != "shown"]
    address = f"{request.scope['path']}?{urlencode([*pairs, ('shown', 'true')])}"
    template = "part/blindness.html" if wants_part(request) else "blindness.html"
    return render(request, template, number=error.number, address=address, wants_part=wants_part(request))


def _crowded(request: Request, error: Crowded) -> Response:
    response = answer(request, 429, str(error))
    response.headers["Retry-After"] = str(error.seconds)
    return response


def _login(request: Request, _: Exception) -> Response:
    local = request.app.state.assay.local_user is not None
    if _is_api(request):
        return JSONResponse({"detail": NO_BEARER if local else "log in first"}, 401, {"WWW-Authenticate": "Bearer"})
    if local:
        return answer(request, 401, NO_TOKEN)
    query = request.scope["query_string"].decode("latin-1")
    target = link("/login", next=request.scope["path"] + (f"?{query}" if query else ""))
    if wants_part(request):
        return Response(status_code=401, headers={"HX-Redirect": "/login"})
    return RedirectResponse(target, 303)


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    refusal = _refusal(request)
    if refusal:
        return refusal
    problems = [f"{'.'.join(str(part) for part in found['loc'][1:])}: {found['msg']}" for found in error.errors()]
    return answer(request, 422, "; ".join(problems))


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = {404: "there is no such page", 405: "this address does not take that"}.get(error.status_code, "")
    return answer(request, error.status_code, message or str(error.detail))


def _bug(request: Request, error: Exception) -> Response:
    """A bug: the trace goes to the log, a number to look it up to the browser."""
    number = token_hex(4)
    log.error("error %s at %s %s", number, request.method, request.url.path, exc_info=error)
    return answer(request, 500, f"something went wrong; the server's log has the details under {number}")
