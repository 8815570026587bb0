"""What programs do with the API: read suites and items, judge, edit rules, get results, send files."""

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import validate

from assay.workbench.db.database import Store
from tests.workbench.web.little_server import (
    HORSES,
    IDIOM,
    LOCK,
    OSTRICH,
    STRAUSS,
    SUITE,
    Asker,
    Workbench,
    judge_some,
    rule,
)

HERE = f"/suites/{SUITE}"


@pytest.fixture
def workbench(store: Store) -> Workbench:
    """With accounts, on both kinds of databases."""
    return Workbench(store)


def texts(asker: Asker) -> dict[str, int]:
    """Every text of the suite -> its id."""
    ids = [item["id"] for item in asker.get(f"{HERE}/items")["items"]]
    found = [text for item in ids for text in asker.get(f"{HERE}/item", id=item)["texts"]]
    return {text["text"]: text["id"] for text in found}


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
    assert foresight["summary"] == "warning → pass 1 output (1 text)"
    assert foresight["moves"] == [{"before": "warning", "after": "pass", "outputs": 1, "texts": 1}]
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


def test_rules_are_proposed_that_tell_texts_apart(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    ids = texts(anna)
    chosen = {"right": [ids["The key is in the lock."]], "wrong": [ids["The key is in the castle."]]}
    # One text on either side tells nothing about others; tests/suggest has what is proposed.
    assert anna.post(f"{HERE}/item/proposals", chosen, id=LOCK) == []
    anna.post(f"{HERE}/item/proposals", {"right": [ids[OSTRICH]]}, 404, id=LOCK)


def test_items_and_guidelines_are_written_and_revisions_reverted(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    item = anna.get(f"{HERE}/item", id=LOCK)
    row = {"category": item["category"], "phenomenon": item["phenomenon"]}
    written = row | {"source": item["source"], "tests": "the lock of a door", "base": item["version"]}
    saved = anna.put(f"{HERE}/item", written, id=LOCK)
    anna.put(f"{HERE}/item", written, 409, id=LOCK)
    anna.put(f"{HERE}/guideline", {"text": "Be kind."}, **row)
    found = anna.get(f"{HERE}/item", id=LOCK)
    assert (found["tests"], found["guideline"]) == ("the lock of a door", "Be kind.")
    assert found["rules"] == item["rules"]
    (version,) = anna.get(f"{HERE}/guideline", **row)["earlier"]
    assert (version["by"], version["text"]) == ("anna", "Be kind.")
    done = anna.post(f"{HERE}/revert", saved)
    assert (done["reverted"], done["items"], done["kept"]) == (saved["revision"], 1, [])
    found = anna.get(f"{HERE}/item", id=LOCK)
    assert (found["tests"], found["guideline"]) == (item["tests"], "Be kind.")


def test_rules_are_widened_where_nothing_is_contradicted(workbench: Workbench) -> None:
    anna = workbench.as_("anna")
    rules = [rule("pass", r"\bLATCH\b", "regex"), rule("fail", "castle")]
    anna.put(f"{HERE}/item/rules", {"rules": rules, "base": anna.get(f"{HERE}/item", id=LOCK)["version"]}, id=LOCK)
    offer = anna.get(f"{HERE}/widening/survey", how="case")
    (effect,) = offer["effects"]
    assert (effect["scope"], effect["rules"], effect["texts"]) == ("suite", 1, 1)
    taken = anna.post(f"{HERE}/widening", {"how": ["case"], "polarity": "pass", "scope": "suite"}, 201)
    assert taken["effect"] == effect
    assert anna.get(f"{HERE}/item", id=LOCK)["rules"][0]["flags"] == "i"
    assert anna.get(f"{HERE}/widening/survey", how="case") is None
    anna.post(f"{HERE}/widening", {"how": ["case"], "polarity": "pass", "scope": "suite"}, 400)
    assert anna.get(f"{HERE}/widening", text_id=texts(anna)["The key is in the latch."]) is None


# Results


def test_results_are_those_of_evaluate(workbench: Workbench) -> None:
    judge_some(workbench.store)
    found = workbench.as_("vera").get(f"{HERE}/results", campaign="WMT22", policy="own", test="mcnemar", draws=100)
    schema = json.loads((files("assay") / "schemas" / "evaluation.json").read_text("utf-8"))
    validate(found, schema)
    snapshot = workbench.state.snapshots.get(SUITE)
    evaluation = snapshot.evaluate(campaigns=["WMT22"], policy="own", test="mcnemar", draws=100)
    assert found == json.loads(json.dumps(evaluation.to_dict()))


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


# Files


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
