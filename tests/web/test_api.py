"""The JSON API as a program uses it."""

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from fastapi import FastAPI
from jsonschema import validate
from starlette.routing import BaseRoute

from assay.reports.data import as_dict
from assay.store import Store
from assay.web import api
from assay.web.state import State
from assay.workbench import people
from assay.workbench.people import alter_user
from tests.web.little import (
    HORSES,
    IDIOM,
    LOCK,
    OSTRICH,
    PEOPLE,
    QUICK,
    STRAUSS,
    SUITE,
    Asker,
    Workbench,
    fill,
    judge_some,
    serve,
)

HERE = f"/suites/{SUITE}"
SAFE = ("get", "head")

OPEN = {("post", "/api/v1/session")}
"""What needs nobody logged in."""

FOR_VIEWERS = {
    *OPEN,
    ("delete", "/api/v1/session"),
    ("put", "/api/v1/me/password"),
    ("post", "/api/v1/suites/{suite}/item/preview"),
    ("post", "/api/v1/suites/{suite}/item/proposals"),
}
"""What a viewer may send: nothing of a suite is changed by it."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "_hasher", lambda: QUICK)


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


def texts(asker: Asker) -> dict[str, int]:
    """Every text of the suite -> its id."""
    ids = [item["id"] for item in asker.get(f"{HERE}/items")["items"]]
    found = [text for item in ids for text in asker.get(f"{HERE}/item", id=item)["texts"]]
    return {text["text"]: text["id"] for text in found}


def rule(polarity: str, value: str, kind: str = "contains") -> dict[str, str]:
    return {"polarity": polarity, "kind": kind, "value": value}


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
                assert schema == {"$ref": "#/components/schemas/Problem"}, f"{where} {status}"


def test_everything_that_is_taken_has_a_limit(document: dict[str, Any]) -> None:
    unlimited = []
    for method, path, operation in operations(document):
        for parameter in operation.get("parameters", ()):
            unlimited += [f"{method} {path} {parameter['name']}" for _ in without_limit(parameter["schema"])]
    given = [name for name, schema in document["components"]["schemas"].items() if is_given(name, document)]
    for name in given:
        unlimited += [f"{name} {place}" for place in without_limit(document["components"]["schemas"][name])]
    assert "Answer" in given
    assert unlimited == []


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
    alter_user(workbench.store, "anna", password="correct horse")
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
    alter_user(workbench.store, "anna", password="correct horse")
    old = workbench.as_nobody.post("/session", {"name": "anna", "password": "correct horse"})["token"]
    anna = Asker(workbench.app, old)
    anna.put("/me/password", {"current": "wrong horse", "new": "battery staple"}, 400)
    new = anna.put("/me/password", {"current": "correct horse", "new": "battery staple"})["token"]
    anna.get("/me", 401)
    assert Asker(workbench.app, new).get("/me")["name"] == "anna"


def test_the_page_of_another_site_changes_nothing(store: Store) -> None:
    """On a server without accounts everybody at this machine is the local user, and so would be any page they open."""
    local = Asker(serve(State(store, local_user=fill(store))))
    assert local.get("/me")["name"] == "boss"
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        local.ask("POST", "/undo", status=403, headers=headers)
    local.ask("GET", "/me", status=403, headers={"Host": "evil.example"})
    assert local.post("/undo", None)["event"] is None


# Suites and items


def test_the_suites_and_how_far_they_are(workbench: Workbench) -> None:
    vera = workbench.as_("vera")
    (summary,) = vera.get("/suites")
    assert summary == {
        "name": SUITE,
        "langpair": "de-en",
        "revision": 1,
        "items": 3,
        "campaigns": {"WMT21": 2, "WMT22": 2},
        "texts": 9,
        "waiting": 5,
        "judged": 0,
        "disputed": 0,
    }
    suite = vera.get(HERE)
    assert suite["texts"] == {"pass": 3, "fail": 1, "warning": 5}
    assert [category["name"] for category in suite["taxonomy"]] == ["Ambiguity", "Idioms"]
    (lexical,) = suite["taxonomy"][0]["phenomena"]
    assert lexical == {
        "name": "Lexical ambiguity",
        "description": "one word, two meanings",
        "items": 2,
        "texts": {"pass": 3, "fail": 1, "warning": 2},
    }
    assert suite["questions"]["acceptability"] is None
    assert "hallucination" in suite["questions"]["tags"]


def test_systems_of_a_suite(workbench: Workbench) -> None:
    found = workbench.as_("vera").get(f"{HERE}/systems")
    assert [(system["name"], system["campaign"]) for system in found] == [
        ("A", "WMT21"),
        ("B", "WMT21"),
        ("A", "WMT22"),
        ("B", "WMT22"),
    ]
    assert [system["warnings"] for system in found] == [1, 2, 1, 3]


def test_items_are_searched_and_filtered(workbench: Workbench) -> None:
    vera = workbench.as_("vera")

    def ids(**query: Any) -> list[str]:
        return [item["id"] for item in vera.get(f"{HERE}/items", **query)["items"]]

    assert ids() == [LOCK, STRAUSS, IDIOM]
    assert ids(category="Idioms") == [IDIOM]
    assert ids(words="OSTRICH") == [STRAUSS]
    assert vera.get(f"{HERE}/items", 404, category="Idiom")["detail"].startswith("no category 'Idiom'; did you mean")


def test_an_item_has_everything_that_is_known_of_it(workbench: Workbench) -> None:
    item = workbench.as_("vera").get(f"{HERE}/item", id=LOCK)
    assert (item["tests"], item["description"]) == ("Schloss is the lock here", "one word, two meanings")
    assert [(rule["polarity"], rule["value"], rule["author"]) for rule in item["rules"]] == [
        ("pass", r"\block\b", "boss"),
        ("fail", "castle", "boss"),
    ]
    lock = next(text for text in item["texts"] if text["text"] == "The key is in the lock.")
    assert lock["now"]["verdict"] == "pass"
    (evidence,) = lock["now"]["evidence"]
    assert lock["text"][evidence["start"] : evidence["end"]] == "lock"
    assert lock["systems"] == [{"name": "A", "campaign": "WMT21"}, {"name": "A", "campaign": "WMT22"}]
    assert lock["judgements"] == []


def test_names_that_nobody_has(workbench: Workbench) -> None:
    vera = workbench.as_("vera")
    assert vera.get("/suites/big/items", 404) == {"detail": f"no suite 'big'; there are: {SUITE}"}
    assert "did you mean" in vera.get(f"{HERE}/item", 404, id="ambiguity/schlos")["detail"]
    workbench.as_("anna").post(f"{HERE}/judgements", {"text_id": 999, "verdict": "pass"}, 404)
    assert vera.get("/nothing", 404)["detail"]


# Judging


def test_judging_what_waits(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    tasks = anna.get(f"{HERE}/tasks")
    assert tasks["total"] == 5
    offer = anna.get(f"{HERE}/queue")["offer"]
    assert offer["task"] == tasks["tasks"][0]
    assert (offer["systems"], offer["suggestion"], offer["seen"]) == (None, None, [])
    answer = {"text_id": offer["task"]["text_id"], "verdict": "fail", "comment": "no", "known": offer["known"]}
    outcome = anna.post(f"{HERE}/judgements", answer, 201)
    assert outcome["event"]["blind"]
    assert outcome["freed"] == offer["task"]["frees"]
    assert outcome["text"]["now"]["verdict"] == "fail"
    assert anna.get(f"{HERE}/queue")["offer"]["waiting"] == 4
    assert anna.post("/undo", None)["event"] == outcome["event"]
    assert anna.get(f"{HERE}/queue")["offer"]["waiting"] == 5


def test_a_judgement_changes_the_results(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    ids = texts(anna)

    def accuracy(system: str) -> float:
        rows = anna.get(f"{HERE}/results", campaign="WMT21", policy="own")["rows"]
        row = next(row for row in rows if row["category"] == "Ambiguity" and row["level"] == "category")
        return float(next(cell["accuracy"] for cell in row["cells"] if cell["system"] == system))

    assert (accuracy("A"), accuracy("B")) == (1.0, 0.0)
    anna.post(f"{HERE}/judgements", {"text_id": ids[OSTRICH], "verdict": "pass"}, 201)
    assert (accuracy("A"), accuracy("B")) == (1.0, 0.5)


def test_what_was_to_be_seen_is_kept_with_the_judgement(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    offer = anna.get(f"{HERE}/queue", show="systems")["offer"]
    assert offer["systems"]
    outcome = anna.post(f"{HERE}/judgements", {"text_id": offer["task"]["text_id"], "verdict": "pass"}, 201)
    assert (outcome["event"]["blind"], outcome["event"]["seen"]) == (False, ["systems"])


@pytest.mark.parametrize("look", ["item", "verdicts", "download"])
def test_whoever_looked_up_the_systems_does_not_judge_blind(workbench: Workbench, look: str) -> None:
    query = {"item": {"id": STRAUSS}, "verdicts": {"campaign": "WMT21"}, "download": {"file": "verdicts.tsv"}}
    ids = texts(workbench.as_("vera"))
    anna, ben = workbench.as_("anna"), workbench.as_("ben")
    assert anna.response("GET", f"{HERE}/{look}", params=query[look]).status_code == 200
    events = [
        asker.post(f"{HERE}/judgements", {"text_id": ids[OSTRICH], "verdict": "fail"}, 201) for asker in (anna, ben)
    ]
    assert [event["event"]["blind"] for event in events] == [False, True]


def test_a_skipped_text_stays_hidden(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    text_id = anna.get(f"{HERE}/queue")["offer"]["task"]["text_id"]
    outcome = anna.post(f"{HERE}/judgements", {"text_id": text_id, "verdict": None}, 201)
    assert (outcome["event"]["kind"], outcome["text"]) == ("skip", None)
    assert anna.get(f"{HERE}/queue")["offer"]["task"]["text_id"] != text_id
    assert anna.post(f"{HERE}/judgements", {"text_id": text_id, "verdict": "pass"}, 201)["event"]["blind"]


def test_two_annotators_are_told_of_each_other_and_an_adjudicator_decides(workbench: Workbench) -> None:
    anna, ben, ada = (workbench.as_(name) for name in ("anna", "ben", "ada"))
    offer = anna.get(f"{HERE}/queue")["offer"]
    text_id = offer["task"]["text_id"]
    ben.post(f"{HERE}/judgements", {"text_id": text_id, "verdict": "pass"}, 201)
    outcome = anna.post(f"{HERE}/judgements", {"text_id": text_id, "verdict": "fail", "known": offer["known"]}, 201)
    assert [(event["by"], event["verdict"]) for event in outcome["meanwhile"]] == [("ben", "pass")]
    assert outcome["text"]["disputed"]
    (case,) = ada.get(f"{HERE}/disputes")["cases"]
    assert [(vote["by"], vote["verdict"]) for vote in case["votes"]] == [("ben", "pass"), ("anna", "fail")]
    ruling = {"text_id": text_id, "verdict": "pass", "known": case["known"]}
    decided = ada.post(f"{HERE}/adjudications", ruling, 201)
    assert (decided["text"]["now"]["verdict"], decided["text"]["disputed"]) == ("pass", False)
    assert ada.get(f"{HERE}/disputes")["number"] == 0
    kinds = [entry["deed"]["kind"] for entry in ada.get(f"{HERE}/history")["entries"]]
    assert kinds[:3] == ["adjudication", "judgement", "judgement"]


def test_agreement_counts_blind_judgements(workbench: Workbench) -> None:
    judge_some(workbench.store)
    vera = workbench.as_("vera")
    found = vera.get(f"{HERE}/agreement")
    assert (found["people"], found["texts"]) == (["anna", "ben"], 2)
    assert found["rows"][0]["overall"]["raw"] == 0.5  # the ostrich is wrong to both, the horses to one of them
    (difference,) = vera.get(f"{HERE}/differences", first="anna", second="ben")
    assert difference["text"] == HORSES
    work = {person["by"]: person for person in vera.get(f"{HERE}/effort")["people"]}
    assert (work["ben"]["judgements"], work["anna"]["skips"], work["ada"]["undone"]) == (3, 1, 1)


def test_taking_back_the_judgement_of_a_text(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    text_id = texts(anna)[OSTRICH]
    anna.post(f"{HERE}/judgements", {"text_id": text_id, "verdict": "fail"}, 201)
    anna.post(f"{HERE}/judgements", {"text_id": texts(anna)[HORSES], "verdict": "fail"}, 201)
    taken = anna.ask("DELETE", f"{HERE}/judgements", status=200, params={"text_id": text_id})
    assert taken["event"]["text_id"] == text_id
    assert anna.ask("DELETE", f"{HERE}/judgements", status=200, params={"text_id": text_id}) == {"event": None}


def test_questions_beside_the_verdict(workbench: Workbench) -> None:
    anna, boss = workbench.as_("anna"), workbench.as_("boss")
    text_id = texts(anna)[HORSES]
    answer = {"text_id": text_id, "verdict": "fail", "acceptability": 4, "tags": ["register", "untranslated"]}
    assert anna.post(f"{HERE}/judgements", answer, 404)["detail"].startswith("no tag 'register'")
    asked = boss.put(f"{HERE}/questions", {"acceptability": 5, "tags": {"register": "too formal"}})
    assert asked["acceptability"] == 5
    assert {"register", "untranslated"} <= asked["tags"].keys()
    event = anna.post(f"{HERE}/judgements", answer, 201)["event"]
    assert (event["acceptability"], event["tags"]) == (4, ["register", "untranslated"])
    anna.post(f"{HERE}/judgements", answer | {"acceptability": 6}, 400)
    found = anna.get(f"{HERE}/tags", campaign="WMT21")
    assert {(tag["tag"], tag["system"]["name"], tag["outputs"]) for tag in found["tags"]} == {
        ("register", "B", 1),
        ("untranslated", "B", 1),
    }
    assert {rated["system"]["name"]: rated["mean"] for rated in found["acceptability"]} == {"A": None, "B": 4.0}


# Rules


def test_saving_rules_does_what_the_preview_said(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    item = anna.get(f"{HERE}/item", id=LOCK)
    rules = [rule("pass", r"\b(lock|latch)\b", "regex"), rule("fail", "castle")]
    foresight = anna.post(f"{HERE}/item/preview", {"rules": rules}, id=LOCK)
    assert foresight["summary"] == "warning → pass 1"
    assert foresight["moves"] == [{"before": "warning", "after": "pass", "outputs": 1}]
    (change,) = foresight["changed"]
    assert (change["text"], change["before"], change["after"]["verdict"]) == (
        "The key is in the latch.",
        "warning",
        "pass",
    )
    before = {text["id"]: text["now"]["verdict"] for text in item["texts"]}
    edit = {"rules": rules, "base": item["version"], "comment": "a latch locks"}
    versions = anna.put(f"{HERE}/item/rules", edit, id=LOCK)
    assert [(version["by"], version["comment"]) for version in versions] == [
        ("anna", "a latch locks"),
        ("boss", "first import"),
    ]
    after = {text["id"]: text["now"]["verdict"] for text in anna.get(f"{HERE}/item", id=LOCK)["texts"]}
    assert {key for key in after if after[key] != before[key]} == {change["text_id"]}
    assert versions == anna.get(f"{HERE}/item/versions", id=LOCK)


def test_whoever_is_second_to_save_is_told(workbench: Workbench) -> None:
    anna, ben = workbench.as_("anna"), workbench.as_("ben")
    base = anna.get(f"{HERE}/item", id=LOCK)["version"]
    anna.put(f"{HERE}/item/rules", {"rules": [rule("pass", "lock")], "base": base}, id=LOCK)
    refused = ben.put(f"{HERE}/item/rules", {"rules": [rule("pass", "latch")], "base": base}, 409, id=LOCK)
    assert refused["detail"].startswith(f"anna changed {LOCK}")
    assert [found["value"] for found in ben.get(f"{HERE}/item", id=LOCK)["rules"]] == ["lock"]


def test_an_earlier_version_is_restored(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    item = anna.get(f"{HERE}/item", id=LOCK)
    anna.put(f"{HERE}/item/rules", {"rules": [], "base": item["version"]}, id=LOCK)
    versions = anna.post(f"{HERE}/item/restore", {"version": item["version"]}, id=LOCK)
    assert len(versions) == 3
    assert versions[0]["rules"] == item["rules"]
    anna.post(f"{HERE}/item/restore", {"version": 12345}, 404, id=LOCK)


def test_siblings_get_the_same_change(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    item = anna.get(f"{HERE}/item", id=LOCK)
    rules = [rule("pass", r"\block\b", "regex")]
    (sibling,) = anna.post(f"{HERE}/item/preview", {"rules": rules}, id=LOCK)["siblings"]
    assert sibling["id"] == STRAUSS
    edit = {"rules": rules, "base": item["version"], "siblings": [STRAUSS]}
    anna.put(f"{HERE}/item/rules", edit, id=LOCK)
    kept = [found["value"] for found in anna.get(f"{HERE}/item", id=STRAUSS)["rules"]]
    assert kept == [found["value"] for found in sibling["rules"]]
    assert "castle" not in kept


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


# Results


def test_results_are_those_of_evaluate(workbench: Workbench) -> None:
    judge_some(workbench.store)
    found = workbench.as_("vera").get(f"{HERE}/results", campaign="WMT22", policy="own", test="mcnemar", draws=100)
    schema = json.loads((files("assay") / "schemas" / "evaluation.json").read_text("utf-8"))
    validate(found, schema)
    board = workbench.state.boards.get(SUITE)
    evaluation = board.evaluate(campaigns=["WMT22"], policy="own", test="mcnemar", draws=100)
    assert found == json.loads(json.dumps(as_dict(evaluation)))


def test_results_of_all_campaigns_two_systems_and_years(workbench: Workbench) -> None:
    vera = workbench.as_("vera")
    assert vera.get(f"{HERE}/results", campaign="*", policy="own")["columns"] == [
        "A (WMT21)",
        "A (WMT22)",
        "B (WMT21)",
        "B (WMT22)",
    ]
    compared = vera.get(f"{HERE}/comparison", first="A (WMT21)", second="B (WMT21)", policy="own")
    assert [item["item"] for item in compared["lost"]] == [LOCK]
    years = vera.get(f"{HERE}/years", policy="own")
    assert (years["campaigns"], years["returning"]) == (["WMT21", "WMT22"], ["A", "B"])


def test_verdicts_come_in_pages_or_all_at_once(workbench: Workbench) -> None:
    vera = workbench.as_("vera")
    pages = [vera.get(f"{HERE}/verdicts", campaign="*", limit=5, offset=start) for start in (0, 5, 10, 15)]
    assert [len(page["verdicts"]) for page in pages] == [5, 5, 2, 0]
    assert {page["total"] for page in pages} == {12}
    file = vera.response("GET", f"{HERE}/download", params={"campaign": "*", "file": "verdicts.jsonl"})
    assert file.headers["content-type"] == "application/jsonl; charset=utf-8"
    lines = [json.loads(line) for line in file.text.splitlines()]
    assert lines == [line for page in pages for line in page["verdicts"]]
    fails = vera.get(f"{HERE}/verdicts", campaign="*", verdict="fail")
    assert [line["match"] for line in fails["verdicts"]] == ["castle"]


# Files and people


def test_outputs_are_uploaded_whole_or_not_at_all(workbench: Workbench) -> None:
    boss = workbench.as_("boss")
    good = ("C.txt", b"The key is in the lock.\nShe got a bouquet.\nShe is fun.\n")
    short = ("D.txt", b"The key is in the lock.\n")

    def send(status: int, *files: tuple[str, bytes], **form: str) -> Any:
        named = [("files", file) for file in files]
        return boss.ask("POST", f"{HERE}/outputs", status=status, files=named, data=form)

    assert "D.txt" in send(400, good, short)["detail"]
    assert len(boss.get(f"{HERE}/systems")) == 4
    report = send(201, good, campaign="WMT23")
    assert report["imported"]["systems"] == [{"name": "C", "campaign": "WMT23"}]
    assert [(paired["outputs"], paired["warnings"]) for paired in report["paired"]] == [(3, 1)]
    assert send(201, good, campaign="WMT23")["imported"]["unchanged"]
    other = ("C.txt", good[1].replace(b"fun", b"nice"))
    assert "already" in send(400, other, campaign="WMT23")["detail"]
    assert send(201, other, campaign="WMT23", force="true")["imported"]["replaced"]


def test_a_suite_is_uploaded(workbench: Workbench) -> None:
    boss = workbench.as_("boss")
    folder = {
        "suite.yaml": b"name: new\nlangpair: de-en\nversion: '1'\nlicence: CC0\ncategories: {Idioms: {Idiom: x}}\n",
        "idiom.yaml": b"category: Idioms\nphenomenon: Idiom\nitems: [{id: a, source: Hallo., pass: [Hello]}]\n",
    }
    assert boss.ask("POST", "/suites", status=400, files=[("files", ("x.yaml", b"nothing"))])["detail"]
    report = boss.ask("POST", "/suites", status=201, files=[("files", file) for file in folder.items()])
    assert (report["imported"]["suite"], report["imported"]["saved"]["added"]) == ("new", 1)
    assert boss.get("/suites/new")["items"] == 1


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
    assert change(200, "anna", password="correct horse", active=True)["has_password"]
    session = workbench.as_nobody.post("/session", {"name": "anna", "password": "correct horse"})
    change(200, "anna", active=False)
    Asker(workbench.app, session["token"]).get("/me", 401)


def test_the_last_admin_stays(workbench: Workbench) -> None:
    boss = workbench.as_("boss")
    refused = boss.ask("PATCH", "/people/boss", status=400, json={"role": "viewer"})
    assert "boss is the last admin" in refused["detail"]
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
