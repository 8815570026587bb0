"""Who is asking, and whether the request is theirs: sessions, roles, protection against forged requests.

A session is a random token in a cookie that scripts cannot read; the database keeps its hash. Requests that change
something must carry the session's second token, which only our own pages know. Programs send the session's token as
`Authorization: Bearer` and need nothing else.

On the local machine without accounts whoever has the token is the local user: it stands in the address that
`assay serve` prints, and goes from there into a cookie. Other users of the machine don't have it. What the pages of
other sites ask for is refused, but for links to a page.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from hashlib import sha256
from hmac import compare_digest
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response
from sqlalchemy import Connection

from assay.errors import NotAllowed
from assay.workbench.admission.client_watch import departure_of
from assay.workbench.db.audit import asking_from, record
from assay.workbench.db.people import end_session, session_user, settings_of
from assay.workbench.people.credentials import open_session
from assay.workbench.people.roles import Role, User
from assay.workbench.state import State
from assay.workbench.visit import Admission, Visit

COOKIE: Final = "assay_session"
LOCAL_COOKIE: Final = "assay_local"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})


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


def credential(request: Request, state: State) -> str | None:
    """The token that a request comes with, in a header or a cookie; whether it is anybody's is another question."""
    return bearer(request) or _cookie(request, state)


def admit(request: Request, db: Connection) -> User:
    """The user of a request, checked; every visit begins with it."""
    state: State = request.app.state.assay
    token = bearer(request)
    cookie = None if token else _cookie(request, state)
    session = token or cookie
    if state.local_user and session and _same(session, state.local_token):
        _need_local(request)
        # Who that is was settled when the server started; what they have set may be newer.
        user: User | None = replace(state.local_user, settings=settings_of(db, state.local_user))
    else:
        user = session_user(db, session) if session else None
    if user is None:
        if state.local_user:
            _need_local(request)
        raise LoginNeeded
    if request.method not in SAFE and not token:
        _need_own_page(request, cookie)
    request.state.user, request.state.cookie = user, cookie
    return user


def _same(given: str, kept: str) -> bool:
    return compare_digest(given.encode(), kept.encode())


def _cookie(request: Request, state: State) -> str | None:
    local = request.cookies.get(_local_cookie(request)) if state.local_user else None
    return local if local and _same(local, state.local_token) else request.cookies.get(COOKIE)


def _local_cookie(request: Request) -> str:
    """Browsers keep cookies by machine, not by port: two servers would take each other's."""
    return f"{LOCAL_COOKIE}_{_host(request)[1]}"


def address_token(request: Request, state: State) -> bool:
    """Whether the address has the token of a server without accounts; with a wrong one it is refused."""
    if not state.local_user or request.method != "GET" or "token" not in request.query_params:
        return False
    _need_local(request)
    if not _same(request.query_params["token"], state.local_token):
        raise LoginNeeded
    return True


def set_local_cookie(request: Request, response: Response) -> None:
    """Until the browser is closed; the server's next start has another token anyway."""
    state: State = request.app.state.assay
    response.set_cookie(_local_cookie(request), state.local_token, httponly=True, samesite="lax")


def need_own_resource(request: Request) -> None:
    """Refuse what the page of another site has inside of it: pictures, scripts, frames. A link to a page is none."""
    headers = request.headers
    if headers.get("sec-fetch-site") not in ("cross-site", "same-site"):
        return
    if headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest") != "document":
        raise Forged("this was asked for by the page of another site; open it by its address")


async def log_in_at(request: Request, name: str, password: str) -> tuple[User, str] | None:
    """The user with this name and password and the token of a new session, once it is this attempt's turn."""
    state: State = request.app.state.assay
    return await state.log_ins.attempt(name, asking_from.get(), lambda: open_session(state.store, name, password))


def log_out_at(visit: Visit, token: str | None) -> None:
    """End a session."""
    user = visit.user()
    if token:
        with visit.state.store.writing() as db:
            end_session(db, token)
            record(db, user.name, "log-out")


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
    if _host(request)[0] not in LOCAL_NAMES:
        raise NotAllowed("without accounts only http://localhost is answered; make accounts with: assay user add")


def _host(request: Request) -> tuple[str, int]:
    """Name and port that a request was sent to; no name where the header makes no sense."""
    try:
        found = urlsplit(f"//{request.headers.get('host', '')}")
        return found.hostname or "", found.port or 80
    except ValueError:
        return "", 0


def visit_of(request: Request, needed: Role | None, suite: Callable[[Connection], str]) -> Visit:
    """The visit of a request, for users who may do what a role may; `suite` finds out what it is about."""

    def admission(db: Connection) -> Admission:
        user = admit(request, db)
        # The suite first: whoever is refused gets a page that leads on.
        about = suite(db)
        if needed:
            user.need(needed)
        return Admission(user, about)

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
