"""Who asks the workbench in the tests: browsers and programs of every role, without a server that listens."""

import re
from collections.abc import AsyncIterator, Iterable
from typing import Any

import anyio
from fastapi import FastAPI
from httpx import ASGITransport, AsyncByteStream, BaseTransport, Client, Request, Response

from assay.workbench import api, pages
from assay.workbench.admission.security import COOKIE
from assay.workbench.app import create_app
from assay.workbench.db.people import get_user, start_session
from assay.workbench.state import State

PASSWORD = "correct horse"
NEW = {"name": "new", "role": "viewer", "password": PASSWORD}


def routes() -> list[tuple[str, str]]:
    """(method, path) of every page and every operation of the API."""
    everything = FastAPI()
    everything.include_router(api.router)
    everything.include_router(pages.router)
    paths: dict[str, dict[str, Any]] = everything.openapi()["paths"]
    return [(method, path) for path, methods in paths.items() for method in methods]


def address(path: str) -> str:
    """A path with something in the place of its parameters."""
    return re.sub(r"\{[^}]+\}", "1", path)


ROUTES = routes()


class Pieces(AsyncByteStream):
    """What a request sends, piece by piece."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece


class Direct(BaseTransport):
    """Asks the application itself; nothing listens anywhere."""

    def __init__(self, app: FastAPI) -> None:
        self.transport = ASGITransport(app, raise_app_exceptions=False)

    def handle_request(self, request: Request) -> Response:
        if not isinstance(request.stream, AsyncByteStream):
            request.stream = Pieces(request.stream)

        async def ask() -> Response:
            answer = await self.transport.handle_async_request(request)
            return Response(answer.status_code, headers=answer.headers, content=await answer.aread())

        return anyio.run(ask)


def browser(state: State, base_url: str = "http://testserver", **options: Any) -> Client:
    """Somebody who asks; redirects are not followed."""
    if id(state) not in APPS:
        APPS[id(state)] = create_app(state)
    return Client(transport=Direct(APPS[id(state)]), base_url=base_url, **options)


def owner(state: State, base_url: str = "http://localhost:8000") -> Client:
    """A browser that opened the address which a server without accounts prints."""
    client = browser(state, base_url)
    assert client.get("/", params={"token": state.local_token}).status_code == 303
    return client


APPS: dict[int, FastAPI] = {}
"""One application per state: making one takes as long as a hundred requests."""


def log_in(state: State, name: str) -> Client:
    """A browser in which somebody has logged in."""
    return browser(state, cookies={COOKIE: _session(state, name)})


def token_of(client: Client) -> dict[str, str]:
    """The header that the pages of a session send with every change."""
    found = re.search(r"""hx-headers='\{"X-Assay-Token": "(\w+)"\}'""", client.get("/people").text)
    assert found
    return {"X-Assay-Token": found[1]}


def program(state: State, name: str) -> Client:
    """A program that sends somebody's token."""
    return browser(state, headers={"Authorization": f"Bearer {_session(state, name)}"})


def _session(state: State, name: str) -> str:
    """As after logging in, without the time that checking a password takes."""
    with state.store.writing() as db:
        return start_session(db, get_user(db, name))
