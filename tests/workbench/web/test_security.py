"""What strangers, other sites and people without the role can do: nothing."""

import re
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest
from httpx import Client, Response

from assay.workbench.admission.security import COOKIE
from assay.workbench.db.database import Store
from assay.workbench.db.people import find_user, get_user
from assay.workbench.people.accounts import add_account
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import User
from assay.workbench.state import State
from tests.starter import SUITE
from tests.workbench.web.clients import NEW, PASSWORD, ROUTES, address, browser, log_in, owner, program, token_of

PUBLIC = {("get", "/login"), ("post", "/login"), ("post", "/api/v1/session"), ("get", "/static/heatmap.js")}
"""What one can ask without being anybody."""

OWN = {
    ("post", "/logout"),
    ("post", "/people/password"),
    ("delete", "/api/v1/session"),
    ("put", "/api/v1/me/password"),
}
"""Changes to what is one's own, which a viewer may make."""

FORMS: dict[str, dict[str, str]] = {
    "/items/preview": {},
    "/items/siblings": {},
    "/items/propose": {},
    "/items/save": {"base": "1"},
    "/items/restore": {"version": "1"},
    "/items/judge": {"text": "1", "verdict": "pass"},
    "/items/withdraw": {"text": "1"},
}
"""Roles are looked at when the form is whole."""


PRIVATE = sorted(set(ROUTES) - PUBLIC)
CHANGES = [(method, path) for method, path in PRIVATE if method != "get" and (method, path) not in OWN]


def test_the_lists_above_name_what_is_there() -> None:
    assert set(ROUTES) >= PUBLIC | OWN
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


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "[::1]"])
def test_without_accounts_whoever_has_the_token_is_answered(local: State, host: str) -> None:
    client = browser(local, base_url=f"http://{host}")
    assert client.get("/people").status_code == 401
    answer = client.get("/people", params={"told": "x", "token": local.local_token})
    assert (answer.status_code, answer.headers["location"]) == (303, "/people?told=x")
    assert client.get("/people").status_code == 200
    cookie = SimpleCookie(answer.headers["set-cookie"])[f"assay_local_{httpx.URL(f'http://{host}').port or 80}"]
    assert cookie["httponly"]
    assert cookie["samesite"].lower() == "lax"


def test_without_the_token_a_page_says_where_it_stands(local: State) -> None:
    client = browser(local, base_url="http://localhost:8000")
    for query in ({}, {"token": ""}, {"token": "invented"}, {"token": "ü"}):
        answer = client.get("/", params=query)
        assert answer.status_code == 401
        assert "Open the address that assay serve printed" in answer.text
        assert "set-cookie" not in answer.headers
    api = client.get("/api/v1/me")
    assert (api.status_code, api.headers["www-authenticate"]) == (401, "Bearer")
    assert "Authorization: Bearer TOKEN" in api.json()["detail"]


def test_a_program_sends_the_token_as_a_header(local: State) -> None:
    client = browser(local, base_url="http://localhost:8000", headers={"Authorization": f"Bearer {local.local_token}"})
    assert client.get("/api/v1/me").json()["role"] == "admin"


def test_the_token_of_an_address_leads_to_no_other_site(local: State) -> None:
    answer = browser(local, base_url="http://localhost").get(
        f"http://localhost//evil.example/?token={local.local_token}"
    )
    assert answer.headers["location"] == "/evil.example/"


def test_servers_at_other_ports_leave_each_others_cookies_alone(local: State) -> None:
    client = owner(local, "http://localhost:8000")
    assert client.get("http://localhost:9000/").status_code == 401
    assert client.get("http://localhost:8000/").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:8000", "192.168.1.5:8000", "0.0.0.0:8000"])
def test_without_accounts_other_names_are_not(local: State, host: str) -> None:
    for headers in ({}, {"Authorization": f"Bearer {local.local_token}"}):
        client = browser(local, base_url=f"http://{host}", headers=headers)
        for path in ("/", "/people", "/api/v1/suites", f"/?token={local.local_token}"):
            assert client.get(path).status_code == 403


@pytest.mark.parametrize("host", ["[", "localhost:port", "", "[::1"])
def test_a_host_that_makes_no_sense_is_refused(local: State, host: str) -> None:
    client = browser(local, base_url="http://localhost:8000", headers={"Host": host})
    assert client.get("/api/v1/me").status_code == 403


def test_without_accounts_other_sites_change_nothing(local: State) -> None:
    client = owner(local)
    first = {"name": "first", "role": "admin", "password": PASSWORD}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.post("/people/add", data=first, headers=headers | token_of(client)).status_code == 403
    own = {"Origin": "http://localhost:8000"}
    assert client.post("/people/add", data=first, headers=own).status_code == 403
    assert client.post("/people/add", data=first, headers=own | token_of(client)).status_code == 200
    page = client.get("/people").text
    assert "until it is started again" in page
    assert "first" in page


# What the pages of other sites have inside of them


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(("mode", "dest"), [("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe"), ("", "")])
def test_the_page_of_another_site_embeds_nothing_of_ours(state: State, site: str, mode: str, dest: str) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
    client = log_in(state, "viewer")
    for path in ("/results/download/verdicts.tsv", "/api/v1/me", "/login"):
        assert client.get(path, headers=headers).status_code == 403


def test_the_page_of_another_site_may_have_a_link(state: State) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert log_in(state, "viewer").get("/effort", headers=headers).status_code == 200
