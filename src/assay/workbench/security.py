"""Who is asking, and whether the request is theirs: sessions, roles, protection against forged requests.

A session is a random token in a cookie that scripts cannot read; the database keeps its hash. Requests that change
something must carry the session's second token, which only our own pages know. Programs send the session's token as
`Authorization: Bearer` and need nothing else.

On the local machine without accounts everybody is the local user; requests from other sites' pages are refused.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from hashlib import sha256
from hmac import compare_digest
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from sqlalchemy import Connection
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.errors import NotAllowed
from assay.workbench.client_watch import departure_of
from assay.workbench.db.people import session_user, settings_of
from assay.workbench.people.roles import Role, User
from assay.workbench.state import State
from assay.workbench.visit import Admission, Visit

COOKIE: Final = "assay_session"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})

LARGEST_FORM: Final = 16 * 1024 * 1024
"""What may be sent where no file is: a thousand long rules."""

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class LoginNeeded(Exception):
    """Nobody is logged in."""


class Forged(NotAllowed):
    """A request that our own pages would not send."""


def second_token(session: str) -> str:
    """What a page of this session sends with every change."""
    return sha256(f"changes of {session}".encode()).hexdigest()


def bearer(request: Request) -> str | None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" and token.strip() else None


def admit(request: Request, db: Connection) -> User:
    """The user of a request, checked; every visit begins with it."""
    state: State = request.app.state.assay
    token = bearer(request)
    cookie = None if token else request.cookies.get(COOKIE)
    session = token or cookie
    user = session_user(db, session) if session else None
    if user is None and state.local_user and not token:
        _need_local(request)
        # Who that is was settled when the server started; what they have set may be newer.
        user, cookie = replace(state.local_user, settings=settings_of(db, state.local_user)), None
    if user is None:
        raise LoginNeeded
    if request.method not in SAFE and not token:
        _need_own_page(request, cookie)
    request.state.user = user
    return user


def same_site(request: Request) -> None:
    """Refuse what the page of another site sends."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    # Browsers of today say where a request comes from; older ones send the origin, which a proxy must not hide.
    own = (
        site in ("none", "same-origin")
        if site
        else not origin or urlsplit(origin).netloc == request.headers.get("host")
    )
    if not own:
        raise Forged("this request came from another site; nothing was changed")


def _need_own_page(request: Request, cookie: str | None) -> None:
    """Refuse a change that was not asked for by a page of ours."""
    same_site(request)
    if cookie is None:
        return
    sent = request.headers.get("x-assay-token", "")
    if not compare_digest(sent.encode(), second_token(cookie).encode()):
        raise Forged("the page is out of date; load it again and repeat what you did")


def _need_local(request: Request) -> None:
    """Without accounts only names of this machine are answered: another name could be somebody's trick."""
    if urlsplit(f"//{request.headers.get('host', '')}").hostname not in LOCAL_NAMES:
        raise NotAllowed("without accounts only http://localhost is answered; make accounts with: assay user add")


def visit_of(request: Request, needed: Role | None, suite: Callable[[Connection], str]) -> Visit:
    """The visit of a request, for users who may do what a role may; `suite` finds out what it is about."""

    def admission(db: Connection) -> Admission:
        user = admit(request, db)
        if needed:
            user.need(needed)
        return Admission(user, suite(db))

    request.state.visit = Visit(request.app.state.assay, admission, departure_of(request))
    visit: Visit = request.state.visit
    return visit


def visitor(needed: Role | None = None) -> Callable[[Request], Awaitable[Visit]]:
    """A dependency for users who may do what a role may. Asks the database nothing: the visit itself does."""

    async def visit(request: Request) -> Visit:
        return visit_of(request, needed, lambda db: request.path_params.get("suite", ""))

    return visit


AnyVisit = Annotated[Visit, Depends(visitor())]
AnnotatorVisit = Annotated[Visit, Depends(visitor("annotator"))]
AdjudicatorVisit = Annotated[Visit, Depends(visitor("adjudicator"))]
AdminVisit = Annotated[Visit, Depends(visitor("admin"))]


class Guard:
    """Around the whole application: headers on every answer, a limit to what is sent, no trace to the browser."""

    def __init__(self, app: ASGIApp, max_upload: int, on_bug: Callable[[Request, Exception], Response]) -> None:
        self.app, self.max_upload, self.on_bug = app, max_upload, on_bug

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        fresh = not scope["path"].startswith("/static/")
        limit = self.max_upload if is_upload(scope["path"]) else min(self.max_upload, LARGEST_FORM)
        length = Headers(scope=scope).get("content-length", "0")
        received, started = 0, False

        async def limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise HTTPException(413, too_large(limit))
            return message

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store" if fresh else "public, max-age=86400")
            await send(message)

        if length.isdigit() and int(length) > limit:
            refusal = too_large(limit)
            is_api = scope["path"].startswith("/api/")
            answer = JSONResponse({"detail": refusal}, 413) if is_api else PlainTextResponse(refusal, 413)
            await answer(scope, receive, guarded)
            return
        try:
            await self.app(scope, limited, guarded)
        except Exception as error:
            if started:
                raise
            await self.on_bug(Request(scope), error)(scope, receive, guarded)


def is_upload(path: str) -> bool:
    """Whether files are sent to an address."""
    return path.startswith("/files/") or path == "/api/v1/suites" or path.endswith("/outputs")


def too_large(limit: int) -> str:
    return f"more than {limit / 1024 / 1024:.3g} MB were sent; import large files with: assay import"
