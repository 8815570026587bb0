"""The JSON API as a program uses it."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.routing import BaseRoute

from assay.workbench import api
from assay.workbench.admission.guard import too_large
from assay.workbench.admission.security import second_token
from assay.workbench.app import create_app
from assay.workbench.db.database import Store
from assay.workbench.people import credentials
from assay.workbench.people.credentials import alter_user
from assay.workbench.state import State
from tests.workbench.web.little_server import LOCK, PEOPLE, QUICK, SUITE, Asker, Workbench, at_home, fill, rule, serve

HERE = f"/suites/{SUITE}"
SAFE = ("get", "head")

OPEN = {("post", "/api/v1/session")}
"""What needs nobody logged in."""

FOR_VIEWERS = {
    *OPEN,
    ("delete", "/api/v1/session"),
    ("put", "/api/v1/me/password"),
}
"""What a viewer may send: nothing of a suite is changed by it."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "_hasher", lambda: QUICK)


@pytest.fixture
def workbench(store: Store) -> Workbench:
    """With accounts, on both kinds of databases."""
    return Workbench(store)


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    store = Store.create(str(tmp_path_factory.mktemp("unchanged") / "assay.db"))
    yield Workbench(store)
    store.close()


@pytest.fixture
def refusing(unchanged: Workbench) -> Workbench:
    """For requests that must not change anything."""
    serve(unchanged.state)
    return unchanged


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    app = FastAPI()
    app.include_router(api.router)
    return app.openapi()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, found in document["paths"].items():
        for method, operation in found.items():
            yield method, path, operation


# The document


def route_names(routes: list[BaseRoute]) -> Iterator[str]:
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is None:
            yield route.name.strip("_")  # type: ignore[attr-defined]
        else:
            yield from route_names(inner.routes)


def test_every_route_is_in_the_document(document: dict[str, Any]) -> None:
    names = list(route_names(api.router.routes))
    assert len(names) > 30
    assert sorted(names) == sorted(operation["operationId"] for _, _, operation in operations(document))


def test_every_operation_says_what_it_takes_and_answers(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        where = f"{method} {path}"
        assert operation["summary"], where
        assert operation["description"], where
        statuses = set(operation["responses"])
        assert statuses & {"200", "201", "204"}, where
        assert {"400", "401", "422"} <= statuses, where
        assert "404" in statuses or "{" not in path, where
        assert bool(operation.get("security")) == ((method, path) not in OPEN), where
        for status, answer in operation["responses"].items():
            if status >= "400":
                schema = answer["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ErrorAnswer"}, f"{where} {status}"


def test_everything_that_is_taken_has_a_limit(document: dict[str, Any]) -> None:
    unlimited = []
    for method, path, operation in operations(document):
        for parameter in operation.get("parameters", ()):
            unlimited += [f"{method} {path} {parameter['name']}" for _ in without_limit(parameter["schema"])]
    given = [name for name, schema in document["components"]["schemas"].items() if is_given(name, document)]
    for name in given:
        unlimited += [f"{name} {place}" for place in without_limit(document["components"]["schemas"][name])]
    assert "NewJudgement" in given
    assert unlimited == []


AT_TIMES = {
    "CellDocument": {"low_here", "high_here"},
    "EvaluationDocument": {"estimate", "labels"},
    "ExcludedItemsDocument": {"labels_only"},
}
"""Fields that are there under policy estimate alone, or where items have labels."""


def test_answers_are_described_with_all_their_fields_and_without_internal_ones(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    answers = {name: schema for name, schema in schemas.items() if is_answered(name, document)}
    assert {"Event", "HistoryPage", "System"} <= answers.keys()
    for name, schema in answers.items():
        assert sorted(schema["required"]) == sorted(schema["properties"].keys() - AT_TIMES.get(name, set())), name
        assert schema["additionalProperties"] is False, name
    assert schemas["System"]["required"] == ["name", "campaign"]
    assert not schemas["User"]["properties"].keys() & {"id", "settings"}


def is_answered(name: str, document: dict[str, Any]) -> bool:
    """Whether no request has this shape, nor a part of one."""
    taken = {other for other in document["components"]["schemas"] if is_given(other, document)}
    parts = json.dumps([document["components"]["schemas"][other] for other in sorted(taken)])
    return name not in taken and f'"#/components/schemas/{name}"' not in parts


def is_given(name: str, document: dict[str, Any]) -> bool:
    """Whether a request, and not an answer, has this shape."""
    bodies = [operation["requestBody"] for _, _, operation in operations(document) if "requestBody" in operation]
    return f'"#/components/schemas/{name}"' in json.dumps(bodies)


def without_limit(schema: dict[str, Any], place: str = "") -> Iterator[str]:
    for name, inner in schema.get("properties", {}).items():
        yield from without_limit(inner, f"{place}.{name}")
    for inner in schema.get("anyOf", ()):
        yield from without_limit(inner, place)
    limits = {"string": "maxLength", "integer": "maximum", "array": "maxItems"}
    kind = schema.get("type")
    known = schema.keys() & {"enum", "const", "pattern", "format", "contentMediaType"}
    if kind in limits and limits[kind] not in schema and not known:
        yield place
    if kind == "array":
        yield from without_limit(schema["items"], f"{place}[]")


# Who may what


def request_for(path: str, operation: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """An address and a query that name something that exists."""
    known = {"suite": SUITE, "name": "anna", "id": LOCK, "text_id": "1", "first": "A", "second": "B", "file": "x"}
    known |= {"base": "1", "category": "Ambiguity", "phenomenon": "Words", "how": "case", "typed": SUITE}
    names = [parameter["name"] for parameter in operation.get("parameters", ()) if parameter["required"]]
    address = path.removeprefix("/api/v1")
    for name in names:
        address = address.replace(f"{{{name}}}", known[name])
    return address, {name: known[name] for name in names if f"{{{name}}}" not in path}


def test_nobody_gets_in_without_logging_in(workbench: Workbench, document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        if (method, path) in OPEN:
            continue
        address, query = request_for(path, operation)
        response = workbench.as_nobody.response(method, address, params=query)
        assert (response.status_code, response.json()) == (401, {"detail": "log in first"}), f"{method} {path}"
        wrong = Asker(workbench.app, "not-a-token").response(method, address, params=query)
        assert wrong.status_code == 401, f"{method} {path}"


def test_a_viewer_changes_nothing(workbench: Workbench, document: dict[str, Any]) -> None:
    tried = 0
    for method, path, operation in operations(document):
        if method in SAFE or (method, path) in FOR_VIEWERS:
            continue
        address, query = request_for(path, operation)
        response = workbench.as_("vera").response(method, address, params=query, json={})
        assert response.status_code == 403, f"{method} {path}: {response.text}"
        tried += 1
    assert tried > 8


def test_accounts_are_for_admins_and_adjudications_for_adjudicators(workbench: Workbench) -> None:
    for name in ("vera", "anna", "ada"):
        workbench.as_(name).get("/people", 403)
    ruling = {"text_id": 1, "verdict": "pass"}
    workbench.as_("anna").post(f"{HERE}/adjudications", ruling, 403)
    workbench.as_("vera").get(f"{HERE}/queue", 403)


def test_logging_in_and_out(workbench: Workbench) -> None:
    alter_user(workbench.store, "anna", by="boss", password="correct horse")
    nobody = workbench.as_nobody
    assert nobody.post("/session", {"name": "anna", "password": "wrong horse"}, 401) == {
        "detail": "name or password is wrong"
    }
    nobody.post("/session", {"name": "nobody", "password": "correct horse"}, 401)
    session = nobody.post("/session", {"name": "anna", "password": "correct horse"})
    anna = Asker(workbench.app, session["token"])
    assert anna.get("/me") == session["user"]
    assert (session["user"]["name"], session["user"]["role"]) == ("anna", "annotator")
    anna.ask("DELETE", "/session", status=204)
    anna.get("/me", 401)


def test_a_new_password_ends_all_sessions(workbench: Workbench) -> None:
    alter_user(workbench.store, "anna", by="boss", password="correct horse")
    old = workbench.as_nobody.post("/session", {"name": "anna", "password": "correct horse"})["token"]
    anna = Asker(workbench.app, old)
    anna.put("/me/password", {"current": "wrong horse", "new": "battery staple"}, 400)
    new = anna.put("/me/password", {"current": "correct horse", "new": "battery staple"})["token"]
    anna.get("/me", 401)
    assert Asker(workbench.app, new).get("/me")["name"] == "anna"


def test_the_page_of_another_site_changes_nothing(store: Store) -> None:
    """A browser sends the cookie of the local user with what any page asks for."""
    app = serve(State(store, local_user=fill(store)))
    token = app.state.assay.local_token
    local = Asker(app)
    local.headers = {"Cookie": f"assay_local_80={token}", "X-Assay-Token": second_token(token)}
    assert local.get("/me")["name"] == "boss"
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        local.ask("POST", "/undo", status=403, headers=headers)
    local.ask("GET", "/me", status=403, headers={"Host": "evil.example"})
    assert local.post("/undo", None)["event"] is None


def test_accounts(workbench: Workbench) -> None:
    boss = workbench.as_("boss")
    new = {"name": "carla", "role": "admin", "password": "battery staple"}
    assert "has to be an admin's" in boss.post("/people", new | {"role": "viewer"}, 400)["detail"]
    assert boss.post("/people", new, 201)["role"] == "admin"
    assert "already" in boss.post("/people", new, 400)["detail"]
    boss.post("/people", new | {"name": "dora", "password": "short"}, 400)
    boss.post("/people", new | {"name": "dora", "role": "owner"}, 422)
    boss.post("/people", new | {"name": "erik/e"}, 201)
    assert {person["user"]["name"] for person in boss.get("/people")} == {*PEOPLE, "carla", "erik/e"}

    def change(status: int, name: str, **values: Any) -> Any:
        return boss.ask("PATCH", f"/people/{name}", status=status, json=values)

    assert change(200, "erik/e", role="viewer", active=False)["active"] is False
    assert change(404, "nobody", role="viewer")
    assert change(422, "anna")["detail"].endswith("name role, password or active")
    assert "has no password" in change(400, "anna", role="adjudicator", active=True)["detail"]
    assert "at least 8" in change(400, "anna", role="adjudicator", password="short")["detail"]
    roles = {person["user"]["name"]: person["user"]["role"] for person in boss.get("/people")}
    assert roles["anna"] == "annotator"
    assert change(200, "anna", password="correct horse", active=True)["has_password"]
    session = workbench.as_nobody.post("/session", {"name": "anna", "password": "correct horse"})
    change(200, "anna", active=False)
    Asker(workbench.app, session["token"]).get("/me", 401)


def test_the_last_admin_stays(workbench: Workbench) -> None:
    boss = workbench.as_("boss")
    refused = boss.ask("PATCH", "/people/boss", status=400, json={"role": "viewer"})
    assert "boss is the last admin" in refused["detail"]
    refused = boss.ask("PATCH", "/people/boss", status=400, json={"password": "correct horse", "active": False})
    assert "boss is the last admin" in refused["detail"]
    assert boss.get("/me")["has_password"] is False
    assert boss.get("/me")["role"] == "admin"


# Bad input

NUL, HALF = "a\0b", "\ud800"


@pytest.mark.parametrize("text", [NUL, HALF], ids=["nul", "half a surrogate pair"])
def test_characters_that_no_database_keeps_are_refused(workbench: Workbench, text: str) -> None:
    boss = workbench.as_("boss")
    version = boss.get(f"{HERE}/item", id=LOCK)["version"]
    bodies: list[tuple[str, str, Any]] = [
        ("POST", "/session", {"name": text, "password": "x"}),
        ("POST", "/people", {"name": text, "role": "viewer", "password": "long enough"}),
        ("POST", f"{HERE}/judgements", {"text_id": 1, "verdict": "pass", "comment": text}),
        ("POST", f"{HERE}/judgements", {"text_id": 1, "verdict": "pass", text: 1}),
        ("PUT", f"{HERE}/questions", {"tags": {text: "x"}}),
        ("PUT", f"{HERE}/item/rules?id={LOCK}", {"base": version, "rules": [rule("pass", text)]}),
        ("PUT", f"{HERE}/item/rules?id={LOCK}", {"base": version, "rules": [], "comment": text}),
    ]
    for method, path, body in bodies:
        headers = {"Content-Type": "application/json"}
        sent = boss.ask(method, path, status=422, content=json.dumps(body), headers=headers)
        assert sent["detail"].startswith("a text has a NUL or half of a surrogate pair in it"), path
    assert len(boss.get(f"{HERE}/item/versions", id=LOCK)) == 1


def test_a_nul_in_an_address_or_a_form_is_refused(workbench: Workbench) -> None:
    boss = workbench.as_("boss")
    for path in (f"{HERE}/items?words=a%00", f"{HERE}/history?by=%00", "/suites/a%00/items", f"{HERE}/item?id=%00"):
        boss.ask("GET", path, status=422)
    boss.ask("PATCH", "/people/a%00", status=422, json={"active": False})
    sent = [("files", ("C.txt", b"x"))]
    boss.ask("POST", f"{HERE}/outputs", status=422, files=sent, data={"campaign": NUL})


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (f"{HERE}/tasks", {"limit": "1001"}),
        (f"{HERE}/tasks", {"offset": "-1"}),
        (f"{HERE}/history", {"page": "99999999999999999999"}),
        (f"{HERE}/items", {"words": "x" * 1001}),
        (f"{HERE}/results", {"alpha": "nan"}),
        (f"{HERE}/results", {"draws": "1000000"}),
        (f"{HERE}/results", {"policy": "unfair"}),
        (f"{HERE}/verdicts", {"verdict": "maybe"}),
        ("/suites/" + "x" * 201, {}),
    ],
)
def test_what_is_out_of_range_is_refused(refusing: Workbench, path: str, query: dict[str, str]) -> None:
    assert refusing.as_("boss").ask("GET", path, status=422, params=query)["detail"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 422),
        ("[" * 100_000, 400),
        ("", 422),
        ("[]", 422),
        ('{"text_id": ' + "9" * 5000 + ', "verdict": "pass"}', 400),
        ('{"text_id": 99999999999, "verdict": "pass"}', 422),
        ('{"text_id": "1", "verdict": "pass"}', 422),
        ('{"text_id": 1, "verdict": "pass", "mood": "good"}', 422),
        ('{"text_id": 1, "verdict": NaN}', 422),
    ],
)
def test_a_body_that_is_not_as_it_should_be(refusing: Workbench, body: str, status: int) -> None:
    headers = {"Content-Type": "application/json"}
    anna = refusing.as_("anna")
    assert anna.ask("POST", f"{HERE}/judgements", status=status, content=body, headers=headers)["detail"]
    assert anna.get(f"{HERE}/history", kind="judgement")["entries"] == []


def test_what_is_not_json_is_refused(refusing: Workbench) -> None:
    """A form on another site can send this without asking first, and JSON it cannot."""
    body = '{"text_id": 1, "verdict": "pass"}'
    headers = {"Content-Type": "text/plain"}
    refusing.as_("anna").ask("POST", f"{HERE}/judgements", status=422, content=body, headers=headers)


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        (rule("pass", "(lock", "regex"), 400),
        (rule("pass", "   "), 400),
        (rule("maybe", "lock"), 422),
        (rule("pass", "lock", "glob"), 422),
        (rule("pass", "x" * 10_001), 422),
        ({"polarity": "pass", "kind": "contains", "value": "lock", "flags": "i"}, 400),
    ],
)
def test_a_rule_that_cannot_be_used(refusing: Workbench, wrong: dict[str, str], status: int) -> None:
    anna = refusing.as_("anna")
    edit = {"rules": [wrong], "base": anna.get(f"{HERE}/item", id=LOCK)["version"]}
    assert anna.put(f"{HERE}/item/rules", edit, status, id=LOCK)["detail"]
    assert anna.post(f"{HERE}/item/preview", {"rules": [wrong]}, status, id=LOCK)["detail"]
    assert len(anna.get(f"{HERE}/item/versions", id=LOCK)) == 1


def test_more_than_the_server_takes_is_refused(tmp_path: Path) -> None:
    store = Store.create(str(tmp_path / "assay.db"))
    app = create_app(State(store, local_user=fill(store), max_upload=10_000))

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 1000

    headers = {"Content-Type": "application/json"}
    refused = at_home(app).ask("POST", f"{HERE}/judgements", status=413, content=endless(), headers=headers)
    assert "import large files with: assay import" in refused["detail"]
    store.close()


def test_what_takes_large_files_is_named() -> None:
    assert too_large(2**24, "/contrasts/run").endswith(
        "16 MB were sent; profile large files with: assay contrasts profile"
    )
    assert too_large(2**24, "/files/preview").endswith("16 MB were sent; import large files with: assay import")


@pytest.mark.parametrize("body", [b"{", b"[" * 100_000, b"\xff", b'{"text": "\\u0000"}'])
def test_what_nobody_asked_for_is_not_read(refusing: Workbench, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    refusing.as_("vera").ask("GET", "/me", status=200, content=body, headers=headers)
    refusing.as_("vera").ask("GET", "/me?x=%00", status=422, content=body, headers=headers)
