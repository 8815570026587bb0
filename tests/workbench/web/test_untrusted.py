"""Rules and files of strangers at the doors of the server: a clear answer, and the next one is served."""

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import anyio
import httpx
import pytest
from fastapi import FastAPI
from httpx import Client

from assay.workbench.admission.connections import CalmServer, Connections, ServerConfig
from assay.workbench.app import create_app
from assay.workbench.db import database
from assay.workbench.db.database import Store
from assay.workbench.departure import ClientLeft, Departure
from assay.workbench.sandbox import Busy, Sandbox
from assay.workbench.state import State
from tests.workbench import strangers
from tests.workbench.web.clients import log_in, program, token_of
from tests.workbench.web.little_server import LOCK, SUITE, fill, rule

PREVIEW = f"/api/v1/suites/{SUITE}/item/preview"
PROPOSALS = f"/api/v1/suites/{SUITE}/item/proposals"

HUNGRY = [rule("pass", f"(?:ab?c{number}){{9000}}", "regex") for number in range(100)]
"""None of them is too large, and together they take some 500 MB."""


class Refusing(Sandbox):
    """One whose children are all at work."""

    def run(self, *given: Any, **more: Any) -> Any:
        raise Busy("the server is busy with the rules of others; try again in a moment")


class Stuck(Sandbox):
    """One whose child never ends, until it is killed."""

    def __init__(self) -> None:
        super().__init__("", subject="the rules", seconds=10, megabytes=1)
        self.begun, self.killed = Event(), Event()

    def run(self, *given: Any, departure: Departure | None = None, **more: Any) -> Any:
        assert departure
        with departure.ending(self.killed.set):
            self.begun.set()
            assert self.killed.wait(30)
        raise ClientLeft("the client has left")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store.create(str(tmp_path / "assay.db"))
    fill(made)
    yield made
    made.close()


Hurried = Callable[..., Sandbox]


@pytest.fixture
def hurried() -> Iterator[Hurried]:
    """Makes sandboxes for rules with little memory or time."""
    made: list[Sandbox] = []

    def make(**limits: Any) -> Sandbox:
        given: dict[str, Any] = {"subject": "the rules", "seconds": 30, "megabytes": 64} | limits
        made.append(Sandbox("assay.workbench.items.rule_trial", **given))
        return made[-1]

    yield make
    for sandbox in made:
        sandbox.close()


def preview(client: Client, rules: list[dict[str, str]]) -> tuple[int, Any]:
    answer = client.post(PREVIEW, params={"id": LOCK}, json={"rules": rules})
    return answer.status_code, answer.json()


def test_rules_that_take_all_memory(store: Store, hurried: Hurried) -> None:
    anna = program(State(store, rules=hurried()), "anna")
    status, answer = preview(anna, HUNGRY)
    assert (status, answer["stopped"]) == (200, True)
    assert answer["summary"] == "the rules take more than 64 MB of memory; make them simpler"
    status, answer = preview(anna, [rule("pass", "latch")])
    assert (status, answer["summary"]) == (
        200,
        "pass → warning 2 outputs (1 text) · fail → warning 1 output (1 text) · warning → pass 1 output (1 text)",
    )


def test_the_page_says_so_and_lets_nothing_be_saved(store: Store, hurried: Hurried) -> None:
    anna = log_in(State(store, rules=hurried()), "anna")
    typed = {name: [given[name] for given in HUNGRY] for name in ("polarity", "kind", "value")}
    typed |= {"row": [f"r{number}" for number in range(len(HUNGRY))], "flags": [""] * 100, "note": [""] * 100}
    headers = token_of(anna) | {"HX-Request": "true"}
    answer = anna.post("/items/preview", params={"suite": SUITE, "item": LOCK}, data=typed, headers=headers)
    assert answer.status_code == 200
    assert "the rules take more than 64 MB of memory; make them simpler; nothing can be saved" in answer.text
    assert 'data-can-save="no"' in answer.text


def test_what_cannot_be_tried_is_not_saved(store: Store, hurried: Hurried) -> None:
    state = State(store, rules=hurried())
    base = state.snapshots.get(SUITE).version_ids[0]
    answer = program(state, "anna").put(
        f"/api/v1/suites/{SUITE}/item/rules", params={"id": LOCK}, json={"rules": HUNGRY, "base": base}
    )
    assert answer.status_code == 400
    assert answer.json() == {"detail": "the rules take more than 64 MB of memory; make them simpler"}
    assert state.snapshots.get(SUITE).version_ids[0] == base


@pytest.mark.parametrize("path", [PREVIEW, PROPOSALS])
def test_where_others_are_at_it_one_may_come_back(store: Store, path: str) -> None:
    state = State(store, rules=Refusing("", subject="the rules", seconds=1, megabytes=1))
    snapshot = state.snapshots.get(SUITE)
    ids = [text.id for text in snapshot.texts_at(snapshot.place(LOCK))]
    given: dict[str, Any] = {"rules": []} if path == PREVIEW else {"right": ids[:1], "wrong": []}
    answer = program(state, "anna").post(path, params={"id": LOCK}, json=given)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert answer.json() == {"detail": "the server is busy with the rules of others; try again in a moment"}


def test_where_others_write_for_too_long_one_may_come_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    anna = program(State(store), "anna")
    with store.writing():
        answer = anna.post("/api/v1/undo")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert answer.json()["detail"].endswith("nothing was changed; others are writing to it, try again in a moment")
    assert anna.post("/api/v1/undo").status_code == 200


@pytest.mark.parametrize(("path", "query"), [("/items/preview", f"suite={SUITE}&item={LOCK}"), (PREVIEW, f"id={LOCK}")])
def test_a_client_that_leaves_ends_the_child(store: Store, path: str, query: str) -> None:
    stuck = Stuck()
    state = State(store, rules=stuck)
    app = create_app(state)
    token = program(state, "anna").headers["Authorization"]
    body = b'{"rules": []}' if "api" in path else b""
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": query.encode(),
        "headers": [
            (b"authorization", token.encode()),
            (b"content-type", b"application/json" if "api" in path else b"application/x-www-form-urlencoded"),
            (b"content-length", str(len(body)).encode()),
            (b"host", b"testserver"),
        ],
    }
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        # The client leaves as soon as its rules are being tried.
        await anyio.to_thread.run_sync(stuck.begun.wait, 30)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        pass

    async def ask() -> None:
        with anyio.fail_after(60):
            await app(scope, receive, send)

    anyio.run(ask)
    assert stuck.killed.is_set()


def test_a_server_that_ends_ends_its_children_first(tmp_path: Path) -> None:
    """It waits for requests that are under way, and those wait for a child that never ends."""
    os.mkfifo(tmp_path / "fifo")
    sandbox = Sandbox("tests.workbench.strangers", subject="the rules", seconds=60, megabytes=64)
    app = FastAPI()

    @app.get("/")
    def ask() -> str:
        try:
            sandbox.run(strangers.hold, str(tmp_path / "fifo"))
        except Busy as error:
            return str(error)
        raise AssertionError

    async def live() -> Any:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            server = CalmServer(ServerConfig(app, Connections()), sandbox.close)
            address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            async with httpx.AsyncClient(timeout=60) as client:
                asking = asyncio.create_task(client.get(address))
                # Opened by the child as well, when it begins.
                with await anyio.to_thread.run_sync((tmp_path / "fifo").open, "rb"):
                    server.should_exit = True
                    await asyncio.wait_for(serving, 60)
                return (await asking).json()

    assert asyncio.run(live()) == "the server is ending; try again in a moment"
