"""What strangers, other sites and people without the role can do: nothing."""

import re
from collections.abc import AsyncIterator, Iterable, Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import anyio
import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncByteStream, BaseTransport, Client, Request, Response

from assay.formats import load_outputs
from assay.model import ROLES, Collector, Item, Rule, Suite, System, User, taxonomy_of
from assay.store import Store
from assay.store.people import find_user, get_user, start_session
from assay.web import api, pages
from assay.web.app import create_app
from assay.web.security import COOKIE
from assay.web.state import State
from assay.workbench.accounts import add_account
from assay.workbench.annotating import Answer
from assay.workbench.importing import Import
from assay.workbench.people import local_user
from tests.starter import OUTPUTS, SUITE

PASSWORD = "correct horse"

PUBLIC = {("get", "/login"), ("post", "/login"), ("post", "/api/v1/session"), ("get", "/static/heatmap.js")}
"""What one can ask without being anybody."""

OWN = {
    ("post", "/logout"),
    ("post", "/people/password"),
    ("delete", "/api/v1/session"),
    ("put", "/api/v1/me/password"),
}
"""Changes to what is one's own, which a viewer may make."""

LOOKS = {
    ("post", "/items/preview"),
    ("post", "/items/siblings"),
    ("post", "/items/propose"),
    ("post", "/api/v1/suites/{suite}/item/preview"),
    ("post", "/api/v1/suites/{suite}/item/proposals"),
}
"""Rules that are sent to see what they would do; nothing changes."""

FORMS: dict[str, dict[str, str]] = {
    "/items/save": {"base": "1"},
    "/items/restore": {"version": "1"},
    "/items/judge": {"text": "1", "verdict": "pass"},
    "/items/withdraw": {"text": "1"},
}
"""Roles are looked at when the form is whole."""


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
PRIVATE = sorted(set(ROUTES) - PUBLIC)
CHANGES = [(method, path) for method, path in PRIVATE if method != "get" and (method, path) not in OWN | LOOKS]


def test_the_lists_above_name_what_is_there() -> None:
    assert set(ROUTES) >= PUBLIC | OWN | LOOKS
    assert {path for _, path in CHANGES} >= FORMS.keys()
    assert {path for _, path in PRIVATE} >= {"/", "/queue", "/disputes", "/people", "/files"}


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


APPS: dict[int, FastAPI] = {}
"""One application per state: making one takes as long as a hundred requests."""


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    """A suite with outputs, and an account of every role, called by it."""
    store = Store.create(str(tmp_path_factory.mktemp("web") / "assay.db"))
    local = local_user(store)
    Import(SUITE, load_outputs(SUITE, [str(path) for path in OUTPUTS], campaign="WMT21"), "test").run(store, local)
    for role in reversed(ROLES):
        add_account(store, local, name=role, role=role, password=PASSWORD)
    yield State(store, max_upload=1024 * 1024)
    store.close()


@pytest.fixture
def anonymous(state: State) -> Client:
    return browser(state)


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


# Strangers


@pytest.mark.parametrize(("method", "path"), PRIVATE)
def test_nobody_gets_in_without_an_account(anonymous: Client, method: str, path: str) -> None:
    answer = anonymous.request(method, address(path))
    if path.startswith("/api/"):
        assert answer.status_code == 401
    else:
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/login")


@pytest.mark.parametrize(("method", "path"), PRIVATE)
def test_an_invented_session_is_none(anonymous: Client, method: str, path: str) -> None:
    for headers in ({"Cookie": f"{COOKIE}=invented"}, {"Authorization": "Bearer invented"}):
        assert anonymous.request(method, address(path), headers=headers).status_code in (303, 401)


@pytest.mark.parametrize(("name", "password"), [("admin", "wrong"), ("nobody", PASSWORD), ("admin", ""), ("", "")])
def test_a_wrong_name_or_password(anonymous: Client, name: str, password: str) -> None:
    answer = anonymous.post("/login", data={"name": name, "password": password})
    assert answer.status_code in (401, 422)
    assert COOKIE not in answer.headers.get("set-cookie", "")


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\n/evil.example",
        " //evil.example",
        "evil.example",
    ],
)
def test_logging_in_does_not_lead_to_other_sites(anonymous: Client, target: str) -> None:
    answer = anonymous.post("/login", data={"name": "admin", "password": PASSWORD, "next": target})
    assert answer.status_code == 303
    location = answer.headers["location"]
    assert location.startswith("/")
    assert not location.startswith(("//", "/\\"))
    assert "\t" not in location
    assert "\n" not in location


def test_logging_in_leads_back_to_the_page(anonymous: Client) -> None:
    first = anonymous.get("/effort?suite=x")
    assert first.headers["location"] == "/login?next=%2Feffort%3Fsuite%3Dx"
    answer = anonymous.post("/login", data={"name": "admin", "password": PASSWORD, "next": "/effort?suite=x"})
    assert answer.headers["location"] == "/effort?suite=x"


# Roles


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_a_viewer_changes_nothing(state: State, method: str, path: str) -> None:
    query = {"item": SUITE.items[0].id} if path in FORMS else {}
    answer = program(state, "viewer").request(method, address(path), params=query, data=FORMS.get(path))
    assert answer.status_code == 403, answer.text
    assert "role" in answer.text


@pytest.mark.parametrize(
    ("role", "method", "path"),
    [
        *(("annotator", method, path) for method, path in CHANGES if path.startswith(("/people/", "/files/"))),
        ("annotator", "post", "/disputes"),
        ("annotator", "post", "/disputes/undo"),
        *(("adjudicator", method, path) for method, path in CHANGES if path.startswith(("/people/", "/files/"))),
        *(("adjudicator", method, path) for method, path in CHANGES if path.startswith("/api/v1/people")),
    ],
)
def test_roles_end_where_the_next_begins(state: State, role: str, method: str, path: str) -> None:
    assert program(state, role).request(method, address(path)).status_code == 403


@pytest.mark.parametrize("path", ["/", "/effort", "/agreement", "/disputes", "/history", "/people", "/files"])
def test_a_viewer_looks_at_the_pages(state: State, path: str) -> None:
    page = log_in(state, "viewer").get(path)
    assert page.status_code == 200
    assert re.findall(r'hx-post="([^"]+)"', page.text) in (["/logout"], ["/logout", "/people/password"])


# Requests that our own pages would not send


def changed(state: State, answer: Response) -> bool:
    """Whether the account `new` was made; it is taken away again."""
    from sqlalchemy import delete

    from assay.store.schema import users

    with state.store.writing() as db:
        there = find_user(db, "new") is not None
        db.execute(delete(users).where(users.c.name == "new"))
    assert there == (answer.status_code == 200), answer.text
    return there


NEW = {"name": "new", "role": "viewer", "password": PASSWORD}


def test_a_change_needs_the_pages_token(state: State) -> None:
    client = log_in(state, "admin")
    assert not changed(state, client.post("/people/add", data=NEW))
    assert not changed(state, client.post("/people/add", data=NEW, headers={"X-Assay-Token": "0" * 64}))
    other = token_of(log_in(state, "admin"))
    assert not changed(state, client.post("/people/add", data=NEW, headers=other))
    assert changed(state, client.post("/people/add", data=NEW, headers=token_of(client)))


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver:8080"},
        {"Origin": "http://testserver.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_change_from_another_site_is_refused_whatever_it_sends(state: State, headers: dict[str, str]) -> None:
    client = log_in(state, "admin")
    assert not changed(state, client.post("/people/add", data=NEW, headers=headers | token_of(client)))
    login = client.post("/login", data={"name": "viewer", "password": PASSWORD}, headers=headers)
    assert login.status_code == 403


def test_a_page_of_ours_sends_its_own_origin(state: State) -> None:
    client = log_in(state, "admin")
    headers = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"} | token_of(client)
    assert changed(state, client.post("/people/add", data=NEW, headers=headers))


def test_a_program_needs_nothing_but_its_token(state: State) -> None:
    assert changed(state, program(state, "admin").post("/people/add", data=NEW))


def test_looking_changes_nothing(state: State) -> None:
    client = log_in(state, "admin")
    for method, path in CHANGES:
        if not path.startswith("/api/") and ("get", path) not in PRIVATE:
            assert client.get(address(path)).status_code in (404, 405), f"{method} {path}"


# Sessions


def test_cookies_are_for_the_server_alone(state: State) -> None:
    for base, secure in (("http://testserver", False), ("https://testserver", True)):
        client = browser(state, base_url=base)
        answer = client.post("/login", data={"name": "viewer", "password": PASSWORD})
        cookie = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
        assert cookie["httponly"]
        assert cookie["samesite"].lower() in ("lax", "strict")
        assert bool(cookie["secure"]) == secure
        assert cookie["path"] == "/"


def test_the_database_does_not_keep_what_the_cookie_holds(state: State) -> None:
    from sqlalchemy import select

    from assay.store.schema import sessions

    token = log_in(state, "viewer").cookies[COOKIE]
    with state.store.reading() as db:
        assert token not in db.execute(select(sessions.c.token)).scalars().all()


def test_logging_out_ends_the_session_itself(state: State) -> None:
    client = log_in(state, "viewer")
    token = client.cookies[COOKIE]
    assert client.post("/logout", headers=token_of(client)).status_code == 204
    stolen = browser(state, cookies={COOKIE: token})
    assert stolen.get("/").status_code == 303


def test_a_new_password_ends_all_other_sessions(state: State) -> None:
    add_account(state.store, user(state, "admin"), name="zoe", role="viewer", password=PASSWORD)
    here, there = log_in(state, "zoe"), log_in(state, "zoe")
    new = {"current": PASSWORD, "new": "battery staple", "repeated": "battery staple"}
    answer = here.post("/people/password", data=new, headers=token_of(here))
    assert (answer.status_code, answer.headers["hx-redirect"]) == (204, "/people?told=password")
    assert here.get("/people").status_code == 200
    assert there.get("/people").status_code == 303
    assert "HttpOnly" in answer.headers["set-cookie"]


def test_who_is_kept_out_is_out_at_once(state: State) -> None:
    add_account(state.store, user(state, "admin"), name="yan", role="viewer", password=PASSWORD)
    client, admin = log_in(state, "yan"), log_in(state, "admin")
    answer = admin.post("/people/active", data={"name": "yan", "active": "false"}, headers=token_of(admin))
    assert answer.status_code == 200
    assert client.get("/").status_code == 303


def user(state: State, name: str) -> User:
    with state.store.reading() as db:
        return get_user(db, name)


# The machine alone


@pytest.fixture
def local(tmp_path: Path) -> Iterator[State]:
    """A server without accounts."""
    store = Store.create(str(tmp_path / "local.db"))
    yield State(store, local_user(store))
    store.close()


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000"),
        "[::1]",
    ],
)
def test_without_accounts_this_machine_is_answered(local: State, host: str) -> None:
    client = browser(local, base_url=f"http://{host}")
    assert client.get("/people").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:8000", "192.168.1.5:8000", "0.0.0.0:8000"])
def test_without_accounts_other_names_are_not(local: State, host: str) -> None:
    client = browser(local, base_url=f"http://{host}")
    for path in ("/", "/people", "/api/v1/suites"):
        assert client.get(path).status_code == 403


def test_without_accounts_other_sites_change_nothing(local: State) -> None:
    client = browser(local, base_url="http://localhost:8000")
    first = {"name": "first", "role": "admin", "password": PASSWORD}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.post("/people/add", data=first, headers=headers).status_code == 403
    assert client.post("/people/add", data=first, headers={"Origin": "http://localhost:8000"}).status_code == 200
    page = client.get("/people").text
    assert "until it is started again" in page
    assert "first" in page


# Answers


def assert_guarded(answer: Response) -> None:
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", sorted({path for method, path in ROUTES if method == "get"}))
def test_every_answer_has_the_headers_and_no_inline_script_or_style(state: State, path: str) -> None:
    answer = log_in(state, "admin").get(address(path))
    assert answer.status_code < 500
    assert_guarded(answer)
    if answer.headers["content-type"].startswith("text/html"):
        assert answer.headers["cache-control"] == "no-store"
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>", answer.text)
        assert not re.search(r"<style|\sstyle=|\son\w+=|\shx-on|javascript:", answer.text)


def test_refusals_have_the_headers_too(state: State, anonymous: Client) -> None:
    large = b"0" * (state.max_upload + 1)
    for answer in (
        anonymous.get("/nothing/here"),
        anonymous.get("/static/nothing"),
        anonymous.get("/"),
        anonymous.post("/files/suite", content=large),
        log_in(state, "viewer").post("/people/add", data=NEW),
    ):
        assert answer.status_code >= 300
        assert_guarded(answer)


def test_static_files_are_those_of_the_folder(anonymous: Client) -> None:
    assert_guarded(anonymous.get("/static/workbench.js"))
    for path in (
        "/static/../security.py",
        "/static/..%2fsecurity.py",
        "/static/%2e%2e/security.py",
        "/static//etc/passwd",
    ):
        assert anonymous.get(path).status_code == 404


def test_too_much_is_refused_whether_or_not_its_length_is_told(state: State) -> None:
    client = program(state, "admin")
    large = b"0" * (state.max_upload + 10)
    told = client.post("/files/suite", files={"files": ("a.json", large)})
    assert told.status_code == 413

    def pieces() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.json"\r\n\r\n'
        for start in range(0, len(large), 65536):
            yield large[start : start + 65536]
        yield b"\r\n--x--\r\n"

    untold = client.post("/files/suite", content=pieces(), headers={"Content-Type": "multipart/form-data; boundary=x"})
    assert untold.status_code == 413
    for answer in (told, untold):
        assert "assay import" in answer.text


def test_a_bug_shows_a_number_and_no_trace(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret is 12345")

    monkeypatch.setattr("assay.web.pages.work.effort", broken)
    answer = log_in(state, "viewer").get("/effort")
    assert answer.status_code == 500
    assert "12345" not in answer.text
    assert "Traceback" not in answer.text
    assert "RuntimeError" not in answer.text
    assert re.search(r"details under [0-9a-f]{8}", answer.text)


def test_a_bug_has_the_headers_too(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.web.pages.work.effort", lambda *_: 1 / 0)
    assert_guarded(log_in(state, "viewer").get("/effort"))


HOSTILE = "<script>window.hacked = 1</script><img src=x onerror=alert(1)>\"'"


def hostile_state(path: Path) -> State:
    """A suite, systems, people and comments full of markup, and a disagreement about it."""
    items = tuple(
        Item(f"h/{number}", HOSTILE, HOSTILE, f"{HOSTILE} {number}", (Rule("pass", "contains", HOSTILE),), HOSTILE)
        for number in range(3)
    )
    suite = Suite(f"suite {HOSTILE}", "de-en", items, taxonomy_of(items), description=HOSTILE)
    collector = Collector(suite)
    texts = ["nothing", f"a {HOSTILE}", "else"]
    collector.add(
        System(HOSTILE, HOSTILE, file=HOSTILE), positions=[0, 1, 2], texts=[f"{text}{HOSTILE[:40]}" for text in texts]
    )
    store = Store.create(str(path / "hostile.db"))
    state = State(store, local_user(store))
    assert state.local_user
    Import(suite, collector.outputs(), HOSTILE).run(store, state.local_user)
    people = [
        add_account(store, state.local_user, name=f"{name} {HOSTILE}", role="admin", password=PASSWORD)
        for name in ("a", "b")
    ]
    for text in state.boards.get(suite.name).texts.values():
        for person, verdict in zip(people, ("pass", "fail"), strict=True):
            state.desk.judge(person, suite.name, Answer(text.id, verdict, HOSTILE))  # type: ignore[arg-type]
    return state


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    made = hostile_state(tmp_path_factory.mktemp("hostile"))
    yield made
    made.store.close()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/queue",
        "/queue?again=true",
        "/items",
        "/item/h/1",
        "/results",
        "/effort",
        "/agreement",
        "/disputes",
        "/history",
        "/people",
        "/files",
    ],
)
def test_markup_in_texts_is_shown_and_not_run(hostile: State, path: str) -> None:
    client = browser(hostile, base_url="http://localhost:8000")
    page = client.get(path)
    assert page.status_code == 200
    assert "&lt;script&gt;" in page.text
    assert "<script>window" not in page.text
    assert "<img" not in page.text


def test_markup_in_an_error_is_shown_and_not_run(hostile: State) -> None:
    client = browser(hostile, base_url="http://localhost:8000")
    for path in ("/effort?suite=", "/history?by=", "/history?kind="):
        page = client.get(path + "%3Cscript%3Ewindow.hacked%3C/script%3E")
        assert page.status_code == 404
        assert "<script>window" not in page.text
        assert "&lt;script&gt;" in page.text
