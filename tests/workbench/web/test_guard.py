"""What the guard does before the application sees a request: who, how much, how many, how long."""

import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import httpx
import pytest
from anyio import to_thread
from httpx import Client, Response

from assay.workbench.admission import guard
from assay.workbench.admission.guard import LARGEST_LOG_IN, Guard
from assay.workbench.admission.security import COOKIE
from assay.workbench.people import credentials
from assay.workbench.state import State
from tests.workbench.web.clients import APPS, PASSWORD, ROUTES, address, browser, log_in, program, token_of
from tests.workbench.web.little_server import QUICK

FILE = {"files": ("suite.yaml", b"x" * 500_000)}
UPLOADS = ("/files/suite", "/files/outputs", "/api/v1/suites", "/api/v1/suites/assay-de-en/outputs")


class Endless:
    """A body that never ends, and counts what was taken of it."""

    def __init__(self) -> None:
        self.taken = 0

    def __iter__(self) -> Iterator[bytes]:
        while True:
            self.taken += 1
            yield b"x" * 65536


@pytest.fixture
def no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails where anything is put into a temporary file."""

    def refuse(*given: object, **more: object) -> None:
        raise AssertionError("something was written to the disk")

    monkeypatch.setattr(tempfile, "_TemporaryFileWrapper", refuse)
    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "__init__", refuse)


# Who


@pytest.mark.parametrize("path", UPLOADS)
@pytest.mark.usefixtures("no_files")
def test_what_strangers_send_is_not_read(anonymous: Client, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr(guard, "DRAIN_BYTES", 0)
    for headers in ({}, {"Cookie": f"{COOKIE}=invented"}, {"Authorization": "Bearer invented"}):
        sent = Endless()
        kind = {"Content-Type": "multipart/form-data; boundary=x"}
        answer = anonymous.post(path, content=sent, headers=headers | kind)
        assert answer.status_code == (401 if path.startswith("/api/") else 303)
        assert answer.headers["connection"] == "close"
        assert sent.taken == 0


@pytest.mark.parametrize("path", UPLOADS)
@pytest.mark.usefixtures("no_files")
def test_an_upload_needs_the_role_before_it_is_read(state: State, path: str) -> None:
    assert program(state, "adjudicator").post(path, files=FILE).status_code == 403


@pytest.mark.parametrize("size", [1000, 500_000])
def test_a_page_without_its_token_sends_nothing(state: State, size: int) -> None:
    answer = log_in(state, "admin").post("/files/suite", files={"files": ("suite.yaml", b"x" * size)})
    assert answer.status_code == 403
    assert "the page is out of date" in answer.text


def test_some_of_a_refused_body_is_taken_so_that_the_answer_is_read(anonymous: Client) -> None:
    sent = Endless()
    answer = anonymous.post("/files/suite", content=sent)
    assert answer.status_code == 303
    assert 0 < sent.taken * 65536 <= guard.DRAIN_BYTES + 65536


def test_nobody_logs_in_with_a_long_body(anonymous: Client) -> None:
    long = {"name": "admin", "password": "x" * LARGEST_LOG_IN}
    assert anonymous.post("/login", data=long).status_code == 413
    assert anonymous.post("/api/v1/session", json=long).status_code == 413


# How many


def test_uploads_beyond_a_few_are_told_to_come_again(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard_of(state).uploads, "at_once", 0)
    client = log_in(state, "admin")
    answer = client.post("/files/suite", files=FILE, headers=token_of(client))
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "5")
    assert "uploads are under way already" in answer.text


def test_one_person_does_not_take_all_threads(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody's ninth request waits; somebody else's first does not."""
    client, other = log_in(state, "viewer"), log_in(state, "annotator")
    monkeypatch.setattr(guard, "is_upload", lambda path: path == "/effort")
    turns = guard_of(state).people
    monkeypatch.setattr(turns, "at_once", 0)
    monkeypatch.setattr(turns, "waiting", 0)
    answer = client.get("/effort")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "5")
    monkeypatch.undo()
    assert other.get("/effort").status_code == 200


def guard_of(state: State) -> Guard:
    """The guard of an application that has answered before."""
    browser(state).get("/login")
    layer: Any = APPS[id(state)].middleware_stack
    while not isinstance(layer, Guard):
        layer = layer.app
    return layer


# Log-ins


@pytest.fixture
def guessed(state: State, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Somebody who has guessed too often; afterwards all is forgotten."""
    monkeypatch.setattr(credentials, "_hasher", lambda: QUICK)
    before, state.log_ins = state.log_ins, type(state.log_ins)(clock=lambda: 0.0)
    monkeypatch.setattr(state.log_ins, "_sleep", pass_by)
    client = browser(state)
    while client.post("/api/v1/session", json={"name": "nobody", "password": "guess"}).status_code == 401:
        pass
    yield client
    state.log_ins = before


async def pass_by(seconds: float) -> None:
    """As if the time had passed already."""


def test_a_guesser_is_told_how_long_to_wait(guessed: Client) -> None:
    given = {"name": "admin", "password": PASSWORD}
    page = guessed.post("/login", data=given)
    assert page.status_code == 429
    assert int(page.headers["retry-after"]) > 10
    assert "Too many attempts to log in; try again in" in page.text
    assert 'name="password"' in page.text
    api = guessed.post("/api/v1/session", json=given)
    assert api.status_code == 429
    assert api.headers["retry-after"] == page.headers["retry-after"]
    assert "try again in" in api.json()["detail"]


def test_log_ins_take_no_thread_of_others(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """All threads that requests share may be busy: somebody who logs in does not need one."""
    monkeypatch.setattr(credentials, "_hasher", lambda: QUICK)
    transport = httpx.ASGITransport(APPS.get(id(state)) or guard_app(state))

    async def ask() -> Response:
        shared = to_thread.current_default_thread_limiter()
        for number in range(int(shared.total_tokens)):
            shared.acquire_on_behalf_of_nowait(f"somebody {number}")
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            return await client.post("/api/v1/session", json={"name": "admin", "password": "wrong"})

    assert anyio.run(ask).status_code == 401


def guard_app(state: State) -> Any:
    browser(state)
    return APPS[id(state)]


# How long


class Talk:
    """A request to the application itself, piece by piece, as a server would pass it on."""

    def __init__(self, state: State, method: str, path: str, headers: dict[str, str]) -> None:
        self.app = guard_app(state)
        self.sent: list[dict[str, Any]] = []
        encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        self.scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(b"host", b"testserver"), *encoded],
            "scheme": "http",
            "http_version": "1.1",
            "client": ("192.0.2.1", 1),
            "server": ("testserver", 80),
            "state": {},
        }

    async def listen(self, message: Any) -> None:
        self.sent.append(message)

    def status(self) -> int | None:
        return next((message["status"] for message in self.sent if message["type"] == "http.response.start"), None)


def test_a_body_that_does_not_come_is_not_waited_for(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STRANGER_SECONDS", "BODY_SECONDS", "DRAIN_SECONDS"):
        monkeypatch.setattr(guard, name, 0.0)
    session = log_in(state, "admin").cookies[COOKIE]
    for path in ("/login", "/files/suite"):
        kind = {"Content-Type": "multipart/form-data; boundary=x", "Authorization": f"Bearer {session}"}
        talk = Talk(state, "POST", path, kind | {"Content-Length": "1000"})
        anyio.run(talk.app, talk.scope, anyio.sleep_forever, talk.listen)
        assert talk.status() == 408
        assert (b"connection", b"close") in talk.sent[0]["headers"]


def test_a_request_whose_client_has_left_is_given_up(state: State) -> None:
    """It waits for a thread and never gets one; the client leaves, and it is over."""
    talk = Talk(state, "GET", "/effort", {"Cookie": f"{COOKIE}={log_in(state, 'viewer').cookies[COOKIE]}"})
    messages = iter([{"type": "http.request", "body": b"", "more_body": False}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        await anyio.lowlevel.checkpoint()
        return next(messages)

    async def ask() -> None:
        shared = to_thread.current_default_thread_limiter()
        for number in range(int(shared.total_tokens)):
            shared.acquire_on_behalf_of_nowait(f"somebody {number}")
        await talk.app(talk.scope, receive, talk.listen)

    anyio.run(ask)
    assert talk.status() is None


# HEAD, and forms that are wrong


@pytest.mark.parametrize("path", [address(path) for method, path in ROUTES if method == "get"])
def test_what_can_be_looked_at_can_be_asked_for_its_headers(state: State, path: str) -> None:
    client = program(state, "admin")
    whole, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers["content-length"] != "0"


def test_static_files_have_headers_too(anonymous: Client) -> None:
    assert anonymous.head("/static/icon.svg").status_code == 200


@pytest.mark.parametrize("path", ["/files/questions", "/people/add"])
def test_the_errors_of_a_form_are_a_page(state: State, path: str) -> None:
    client = program(state, "admin")
    many: Callable[[int], dict[str, Any]] = lambda number: {f"field {place}": (None, "x") for place in range(number)}  # noqa: E731
    answer = client.post(path, files=many(1001))
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/html")
    assert "Too many fields" in answer.text


def test_the_errors_of_an_upload_to_the_api_are_json(state: State) -> None:
    fields: dict[str, Any] = {f"field {place}": (None, "x") for place in range(1001)}
    answer = program(state, "admin").post("/api/v1/suites", files=fields)
    assert (answer.status_code, list(answer.json())) == (400, ["detail"])
