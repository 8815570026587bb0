"""Around the whole application: who may ask, how many at once and for how long, before anything is read or done.

A request whose body is large, or of unknown length, or a file, is read only once it is known who sends it; one without
any session is refused without a look at its body. What is refused here takes no thread of those that serve everybody,
and nothing of it reaches the disk. The body has to come at a certain pace. A request whose client has left is given up:
it does not begin if it still waits; what a thread has begun is finished.

Every answer gets the headers that keep browsers out of trouble, and no trace of a bug.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from hashlib import sha256
from typing import Final
from urllib.parse import quote, urlencode

import anyio
from anyio import CancelScope, CapacityLimiter, to_thread
from fastapi import HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.workbench.admission.crowd import Turns
from assay.workbench.admission.security import (
    LoginNeeded,
    address_token,
    admit,
    credential,
    need_own_resource,
    set_local_cookie,
)
from assay.workbench.db.audit import asking_from
from assay.workbench.people.roles import User
from assay.workbench.state import State

PUBLIC: Final = frozenset({"/login", "/api/v1/session"})
"""What takes a body from people who are not logged in."""

LARGEST_LOG_IN: Final = 64 * 1024
LARGEST_FORM: Final = 16 * 1024 * 1024
"""What may be sent where no file is: a name and a password; a thousand long rules."""

CONTRASTS: Final = "/contrasts/run"
"""Where texts are sent by annotators, who may send forms alone."""

SMALL: Final = 64 * 1024
"""A body of this size is read before it is known whose it is, if there is a session at all."""

PERSON_AT_ONCE: Final = 8
PERSON_WAITING: Final = 64
"""Requests of one session; the threads are enough for five people who take all of theirs."""

UPLOADS_AT_ONCE: Final = 4
LOOKED_UP_AT_ONCE: Final = 2

STRANGER_SECONDS: Final = 10.0
BODY_SECONDS: Final = 30.0
BODY_PACE: Final = 16 * 1024
"""A body has so many seconds, fewer while nobody knows whose it is, and one more for each so many bytes."""

DRAIN_SECONDS: Final = 1.0
DRAIN_BYTES: Final = 1024 * 1024
"""So long the sender of a refused body has to read the answer; so much more of the body is taken, and thrown away."""

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """See the module. `respond` makes an answer of what was refused, or went wrong."""

    def __init__(self, app: ASGIApp, respond: Callable[[Request, Exception], Response]) -> None:
        self.app, self.respond = app, respond
        self.people = Turns(PERSON_AT_ONCE, PERSON_WAITING, "requests of yours")
        self.uploads = Turns(UPLOADS_AT_ONCE, 0, "uploads")
        self.lookups = CapacityLimiter(LOOKED_UP_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # Whatever can be looked at can be asked for its headers alone.
        head = scope["method"] == "HEAD"
        request = Request(dict(scope, method="GET") if head else scope)
        state: State = scope["app"].state.assay
        exchange = Exchange(request, receive, send, _limit(scope["path"], state.max_upload), head=head)
        asking_from.set(request.client.host if request.client else "unknown")
        try:
            need_own_resource(request)
            if address_token(request, state):
                await _without_token(request)(request.scope, exchange.receive, exchange.send)
                return
            await exchange.run(self._serve(request, state, exchange))
        except Exception as error:
            if exchange.started:
                raise
            await self.respond(request, error)(request.scope, exchange.receive, exchange.send)

    async def _serve(self, request: Request, state: State, exchange: "Exchange") -> None:
        async with self._turn(request, state), self._admitted(request, state, exchange):
            await self.app(request.scope, exchange.receive, exchange.send)

    def _turn(self, request: Request, state: State) -> AbstractAsyncContextManager[None]:
        """One of somebody's turns; those who log in have a line of their own."""
        if request.scope["path"] in PUBLIC:
            return nullcontext()
        key = credential(request, state) or asking_from.get()
        return self.people.of(sha256(key.encode()).hexdigest())

    @asynccontextmanager
    async def _admitted(self, request: Request, state: State, exchange: "Exchange") -> AsyncIterator[None]:
        """Whoever sends something is asked who they are before it is read."""
        path = request.scope["path"]
        exchange.check_length()
        if exchange.body_read.is_set() or path in PUBLIC:
            yield
            return
        if credential(request, state) is None:
            raise LoginNeeded
        if not is_upload(path) and exchange.length is not None and exchange.length <= SMALL:
            yield
            return
        user = await to_thread.run_sync(_who, request, state, limiter=self.lookups)
        request.state.admitted, exchange.seconds = True, BODY_SECONDS
        if not is_upload(path):
            yield
            return
        user.need("admin")
        async with self.uploads.of("all"):
            yield


class Exchange:
    """A request and its answer: what is read is counted and timed, and what is sent gets its headers."""

    def __init__(self, request: Request, receive: Receive, send: Send, limit: int, *, head: bool) -> None:
        self.request, self.limit, self.head = request, limit, head
        self._receive, self._send = receive, send
        self.started = self.complete = False
        self.received, self.waited, self.seconds = 0, 0.0, STRANGER_SECONDS
        length = request.headers.get("content-length", "")
        self.length = int(length) if length.isascii() and length.isdecimal() else None
        self.bodiless = not self.length and "transfer-encoding" not in request.headers
        self.body_read, self.gone = anyio.Event(), anyio.Event()
        if self.bodiless:
            self.body_read.set()
        self._told_end = False

    def check_length(self) -> None:
        if self.length is not None and self.length > self.limit:
            raise HTTPException(413, too_large(self.limit, self.request.scope["path"]))

    async def run(self, serving: Awaitable[None]) -> None:
        """Serve the request, unless the client leaves before."""
        failed: Exception | None = None
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch, group.cancel_scope)
            try:
                await serving
            except Exception as error:
                # By itself: the group would wrap it into one of its own.
                failed = error
            group.cancel_scope.cancel()
        if failed:
            raise failed

    async def _watch(self, scope: CancelScope) -> None:
        await self.body_read.wait()
        message: Message = {"type": "http.request"}
        # Where there is no body an empty one comes all the same.
        while message["type"] == "http.request":
            message = await self._receive()
        self.gone.set()
        if not self.complete:
            scope.cancel()

    async def receive(self) -> Message:
        if self.body_read.is_set():
            if self.bodiless and not self._told_end:
                self._told_end = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self.gone.wait()
            return {"type": "http.disconnect"}
        begin = anyio.current_time()
        with anyio.move_on_after(self.seconds + self.received / BODY_PACE - self.waited) as patience:
            message = await self._receive()
        self.waited += anyio.current_time() - begin
        if patience.cancelled_caught:
            raise HTTPException(408, "the rest of the request did not come in time; send it again")
        self.received += len(message.get("body", b""))
        if self.received > self.limit:
            raise HTTPException(413, too_large(self.limit, self.request.scope["path"]))
        if not message.get("more_body", False):
            self.body_read.set()
            if message["type"] == "http.disconnect":
                self.gone.set()
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            fresh = not self.request.scope["path"].startswith("/static/")
            headers.setdefault("Cache-Control", "no-store" if fresh else "public, max-age=86400")
            if not self.body_read.is_set():
                headers["Connection"] = "close"
        elif message["type"] == "http.response.body":
            if self.head:
                message = dict(message, body=b"")
            if not message.get("more_body", False):
                if not self.body_read.is_set():
                    await self._send(dict(message, more_body=True))
                    message = {"type": "http.response.body", "body": b"", "more_body": False}
                    await self._drain()
                self.complete = True
        await self._send(message)

    async def _drain(self) -> None:
        """Take a little of a body that nobody wants: a connection that is closed at once takes the answer with it."""
        if not self.received and "expect" in self.request.headers:
            return
        most = self.received + DRAIN_BYTES
        with anyio.move_on_after(DRAIN_SECONDS):
            while self.received < most:
                message = await self._receive()
                self.received += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
            await anyio.sleep(DRAIN_SECONDS)


def _limit(path: str, max_upload: int) -> int:
    if path in PUBLIC:
        return LARGEST_LOG_IN
    return max_upload if is_upload(path) else min(max_upload, LARGEST_FORM)


def _who(request: Request, state: State) -> User:
    with state.store.reading() as db:
        return admit(request, db)


def _without_token(request: Request) -> Response:
    """From the address that was printed to the same without the token, which the browser then has as a cookie."""
    rest = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != "token"])
    path = "/" + quote(request.scope["path"].lstrip("/\\"))
    response = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
    set_local_cookie(request, response)
    return response


def is_upload(path: str) -> bool:
    """Whether files are sent to an address."""
    return path.startswith("/files/") or path == "/api/v1/suites" or path.endswith("/outputs")


def too_large(limit: int, path: str) -> str:
    """What is told whoever sent too much, with the command that takes it."""
    cure = (
        "profile large files with: assay contrasts profile"
        if path == CONTRASTS
        else "import large files with: assay import"
    )
    return f"more than {limit / 1024 / 1024:.3g} MB were sent; {cure}"
