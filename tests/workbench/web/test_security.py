"""What strangers, other sites and people without the role can do: nothing."""

import re
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from httpx import Client, Response

from assay.workbench.db.database import Store
from assay.workbench.db.people import find_user, get_user
from assay.workbench.people.accounts import add_account
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import User
from assay.workbench.security import COOKIE
from assay.workbench.state import State
from tests.starter import SUITE
from tests.workbench.web.clients import NEW, PASSWORD, ROUTES, address, browser, log_in, program, token_of

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


PRIVATE = sorted(set(ROUTES) - PUBLIC)
CHANGES = [(method, path) for method, path in PRIVATE if method != "get" and (method, path) not in OWN | LOOKS]


def test_the_lists_above_name_what_is_there() -> None:
    assert set(ROUTES) >= PUBLIC | OWN | LOOKS
    assert {path for _, path in CHANGES} >= FORMS.keys()
    assert {path for _, path in PRIVATE} >= {"/", "/queue", "/disputes", "/people", "/files"}


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

    from assay.workbench.db.schema import users

    with state.store.writing() as db:
        there = find_user(db, "new") is not None
        db.execute(delete(users).where(users.c.name == "new"))
    assert there == (answer.status_code == 200), answer.text
    return there


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

    from assay.workbench.db.schema import sessions

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
