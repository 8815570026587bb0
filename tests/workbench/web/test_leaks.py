"""What an answer gives away is written down, whatever the route.

Every route of the app is asked by somebody who has seen nothing of a suite in which each text is written by one system
of one campaign, with a name, a text and a comment that stand nowhere else. What stands beside a text in the answer (who
wrote it, what others say of it, a suggestion) is compared with what the database then knows that they have seen.
"""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest
from httpx import Client, Response
from sqlalchemy import func, select

from assay.outputs import Collector, System
from assay.suggest import Suggestion
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.suites.native_writer import write
from assay.verdicts import Verdict
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user, get_user, start_session
from assay.workbench.db.schema import judgements
from assay.workbench.files.history_records import Seen
from assay.workbench.files.importer import Import
from assay.workbench.items.rule_edits import RuleEdit
from assay.workbench.people.roles import Role, User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.suggester_pool import Opinion
from assay.workbench.reader import Reader
from assay.workbench.snapshot import SnapshotText
from assay.workbench.state import State
from tests.suggest.scripted import Scripted
from tests.workbench.uploads import RENDERINGS, zipped
from tests.workbench.visits import Visits
from tests.workbench.web.answer_text import Answer, parsed
from tests.workbench.web.clients import ROUTES, Direct
from tests.workbench.web.little_server import serve

NAME = "canaries"
ITEMS = tuple(
    Item(
        f"birds/{number}",
        "Birds" if number < 2 else "Fish",
        "Small" if number < 2 else "Wet",
        f"Satz {number}.",
        (Rule("pass", "contains", "right"), Rule("fail", "contains", "wrong")),
    )
    for number in range(5)
)
"""The last one is decided by its rules, so that something counts in comparisons."""

SUITE = Suite(NAME, "de-en", ITEMS, taxonomy_of(ITEMS))
WORDS = {
    System("Sys-Oak", "WMT21"): "right",
    System("Sys-Elm", "WMT21"): "odd",
    System("Sys-Ash", "WMT21"): "wry",
    System("Sys-Oak", "WMT22"): "right",
    System("Sys-Elm", "WMT22"): "rum",
    System("Sys-Ash", "WMT22"): "wrong",
}
ANIMALS = (
    *("newt", "wren", "lark", "rook", "teal", "knot", "ruff", "coot", "heron", "stork", "crane", "swift", "robin"),
    *("finch", "eagle", "egret", "goose", "raven", "quail", "snipe", "kite", "gull", "tern", "smew", "auk", "dove"),
    *("duck", "loon", "rail", "shag"),
)
"""One for every text."""

ELM, ASH = System("Sys-Elm", "WMT21"), System("Sys-Ash", "WMT21")
PEOPLE: dict[str, Role] = {
    "judge-anna": "annotator",
    "judge-ben": "annotator",
    "judge-ada": "adjudicator",
    "zoe": "admin",
}
"""Zoe may do everything and has seen nothing."""

SKIPPED = {
    ("get", "/login"): "public, and knows of no suite",
    ("post", "/login"): "public, and knows of no suite",
    ("post", "/api/v1/session"): "public, and knows of no suite",
    ("get", "/static/heatmap.js"): "a script",
    ("post", "/logout"): "ends the session and answers nothing",
    ("delete", "/api/v1/session"): "ends the session and answers nothing",
    ("post", "/people/password"): "ends the session and answers nothing",
    ("put", "/api/v1/me/password"): "checks a password and ends the session",
    ("post", "/challenge/scores"): "reads what is sent, and nothing of a suite",
    ("post", "/contrasts/run"): "reads what is sent, and nothing of a suite",
    ("get", "/contrasts/tree"): "has what was sent, and nothing of a suite",
    ("get", "/contrasts/renderings.tsv"): "has what was sent, and nothing of a suite",
}
"""Routes that are not asked, and why."""


def written(system: System, number: int) -> str:
    """What a system wrote for an item."""
    animal = ANIMALS[list(WORDS).index(system) * len(ITEMS) + number]
    word = WORDS[system]
    if number == len(ITEMS) - 1:
        word = "right" if word == "right" else "wrong"
    return f"The {animal} is {word} today."


WRITERS = {written(system, number): system.name for system in WORDS for number in range(len(ITEMS))}


JUDGED = {
    written(ELM, 0): ("judge-anna",),
    written(ELM, 1): ("judge-anna", "judge-ben"),
    written(ELM, 2): ("judge-anna", "judge-ben"),
    written(ELM, 3): ("judge-anna",),
    written(ASH, 2): ("judge-ada",),
}
"""Text -> who said that it is right or wrong, also if they took it back."""


def remark(by: str, text: str) -> str:
    """What somebody wrote beside their verdict."""
    return f"remark-of-{by}-on-{text.split()[1]}"


# The database


@dataclass(frozen=True)
class World:
    """A database to copy for each request, and a token of Zoe's."""

    path: Path
    token: str
    texts: dict[str, SnapshotText]
    versions: tuple[int, ...]

    def id(self, system: System, number: int) -> int:
        return self.texts[written(system, number)].id


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    path = tmp_path_factory.mktemp("leaks") / "assay.db"
    store = Store.create(str(path))
    with store.writing() as db:
        users = {name: add_user(db, name, role) for name, role in PEOPLE.items()}
        token = start_session(db, users["zoe"])
    collector = Collector(SUITE)
    for system in WORDS:
        collector.add(
            system, positions=range(len(ITEMS)), texts=[written(system, place) for place in range(len(ITEMS))]
        )
    Import(SUITE, collector.outputs(), "first").run(store, users["zoe"])
    visits = Visits(store)
    judge(visits, users)
    texts = {text.value: text for text in visits.snapshot(NAME).texts.values()}
    versions = tuple(version.id for version in visits.versions(NAME, ITEMS[0].id))
    store.close()
    return World(path, token, texts, versions)


def judge(visits: Visits, users: dict[str, User]) -> None:
    """Somebody judged, two agree, two disagree, one decided; something was skipped and something taken back."""
    anna, ben, ada = (users[name] for name in ("judge-anna", "judge-ben", "judge-ada"))
    ids = {text.value: text.id for text in visits.snapshot(NAME).texts.values()}

    def answer(system: System, number: int, verdict: Any, by: str) -> AnnotatorAnswer:
        text = written(system, number)
        return AnnotatorAnswer(ids[text], verdict, comment=remark(by, text))

    for number, said in enumerate(("pass", "pass", "pass", "fail")):
        visits.judge(anna, NAME, answer(ELM, number, said, "judge-anna"))
    visits.judge(ben, NAME, answer(ELM, 1, "fail", "judge-ben"))
    visits.judge(ben, NAME, answer(ELM, 2, "pass", "judge-ben"))
    visits.adjudicate(ada, NAME, answer(ASH, 2, "fail", "judge-ada"))
    visits.undo(anna, NAME)
    visits.judge(ben, NAME, answer(ASH, 3, None, "judge-ben"))
    edit = Rule("pass", "contains", "nobody wrote this")
    base = visits.versions(NAME, ITEMS[0].id)[0]
    visits.save_rules(anna, NAME, RuleEdit(ITEMS[0].id, (*base.item.rules, edit), base.id))


# Requests


@dataclass(frozen=True)
class Asked:
    """One request; `before` are those that have to come first."""

    path: str
    query: dict[str, Any] = field(default_factory=dict)
    sent: dict[str, Any] = field(default_factory=dict)
    before: "tuple[tuple[str, Asked], ...]" = ()
    part: bool = False


def requests(world: World) -> dict[tuple[str, str], list[Asked]]:
    """How each route is asked, with what the suite has."""
    item, other = ITEMS[0].id, ITEMS[1].id
    waiting, judged, disputed, other_text = world.id(ASH, 0), world.id(ELM, 0), world.id(ELM, 1), world.id(ASH, 1)
    api = f"/api/v1/suites/{NAME}"
    pair = {"first": "Sys-Oak (WMT21)", "second": "Sys-Elm (WMT21)"}
    people = {"first": "judge-anna", "second": "judge-ben"}
    rows = {"row": ["r0"], "polarity": ["fail"], "kind": ["contains"], "value": ["odd"], "flags": [""], "note": [""]}
    rules = {"rules": [{"polarity": "fail", "kind": "contains", "value": "odd"}]}
    tsv = f"item\tsystem\ttext\n{item}\tSys-Fir\tThe emu is odd today.\n".encode()
    said = ("post", Asked("/queue/judge", sent={"data": {"text": waiting, "verdict": "pass"}}, part=True))
    decided = ("post", Asked("/disputes", sent={"data": {"text": disputed, "verdict": "pass"}}, part=True))
    switched = tuple(
        ("post", Asked(f"/queue/show/{what}", sent={"data": {"on": "true"}}, part=True))
        for what in ("systems", "suggestion")
    )

    elm = {"suite": NAME, "what": "system", "campaign": "WMT21", "system": "Sys-Elm"}
    hidden = ("post", Asked("/files/hide", sent={"data": elm}, part=True))
    sent_outputs = ("post", Asked("/files/outputs", sent={"files": {"files": ("f.tsv", tsv)}}, part=True))
    drawn = (("post", Asked("/queue/draw", part=True)),)

    def form(path: str, *choices: dict[str, Any], before: Any = (), **query: Any) -> list[Asked]:
        return [Asked(path, query, {"data": data}, before, part=True) for data in choices or ({},)]

    def body(path: str, json: Any, **query: Any) -> list[Asked]:
        return [Asked(path, query, {"json": json})]

    def get(path: str, *queries: dict[str, Any], before: Any = (), part: bool = False) -> list[Asked]:
        return [Asked(path, query, before=before, part=part) for query in queries or ({},)]

    queue = [{}, {"again": "true"}, {"system": "Sys-Ash"}, {"system": "Sys-Elm", "again": "true"}, {"category": "Fish"}]
    cells = [{"column": "Sys-Elm", "campaign": "WMT21"}, {"column": "Sys-Ash", "campaign": "WMT21", "category": "Fish"}]
    shown = {"shown": "true"}
    kinds = [
        {},
        *({"kind": kind} for kind in ("judgement", "skip", "undo", "adjudication", "edit", "outputs", "hiding")),
    ]
    files = ["verdicts.tsv", "verdicts.jsonl", "judgements.tsv", "report.html", "results.json", "methods.md"]
    texts = [{"text": text, "verdict": verdict} for text in (waiting, judged, disputed) for verdict in ("pass", "skip")]
    fish = {"category": "Fish", "phenomenon": "Wet"}
    written_item = {"item": "birds/9", "row": "Birds\tSmall", "source": "Satz.", "passing": "The emu is right."}
    wider: dict[str, Any] = {"how": "alternative", "polarity": "fail", "scope": "suite"}
    wider |= {"old": ["contains", "wrong", "", ""], "new": ["regex", "wrong|odd|wry", "", ""]}
    widening: dict[str, Any] = {"how": ["alternative"], "polarity": "fail", "scope": "suite"}
    widening |= {
        "old": rules["rules"][0] | {"value": "wrong"},
        "new": rules["rules"][0] | {"kind": "regex", "value": "wrong|wry"},
    }
    return {
        # Pages
        ("get", "/"): get("/"),
        ("get", "/queue"): [
            *get("/queue", *queue),
            *get("/queue", *queue, before=switched),
            *get("/queue", before=(said,)),
            *get("/queue", {"sample": "true"}, {"sample": "true", "campaign": "WMT22"}, before=drawn),
            *get("/queue", {"sample": "true"}),
        ],
        ("get", "/queue/filters"): get("/queue/filters", {}, {"again": "true"}, part=True),
        ("post", "/queue/draw"): form("/queue/draw", sample="true"),
        ("get", "/queue/opinion"): get("/queue/opinion", {"text": waiting}, before=switched, part=True),
        ("post", "/queue/judge"): [
            *form("/queue/judge", *texts),
            *form("/queue/judge", *texts[:1], before=switched),
            *form("/queue/judge", *texts[:1], system="Sys-Ash"),
            *form("/queue/judge", *texts[:2], before=drawn, sample="true"),
        ],
        ("post", "/queue/rows"): form("/queue/rows", {"rows": [str(waiting), str(judged)], "verdict": "fail"}),
        ("post", "/queue/list"): form("/queue/list", {"listed": [waiting], "out": [other_text], "verdict": "fail"}),
        ("post", "/queue/split"): form("/queue/split", {"out": [waiting]}),
        ("post", "/queue/question"): form("/queue/question", {"precedent": judged, "text": waiting}),
        ("post", "/queue/undo"): form("/queue/undo", before=(said,)),
        ("post", "/queue/undo-one"): form("/queue/undo-one", {"one": waiting}, before=(said,)),
        ("post", "/queue/later"): form("/queue/later", {"text": waiting}),
        ("post", "/queue/back"): form("/queue/back", {"text": waiting}),
        ("post", "/queue/show/{what}"): [
            asked for what in ("systems", "suggestion") for asked in form(f"/queue/show/{what}", {"on": "true"})
        ],
        ("post", "/queue/keys"): form("/queue/keys", {"action": ["pass"], "key": ["j"]}),
        ("post", "/queue/keys/reset"): form("/queue/keys/reset"),
        ("get", "/items"): get("/items", {}, {"q": "odd"}, {"q": "wry"}, {"waiting": "true"}),
        ("get", "/item/{item}"): [asked for each in (item, other) for asked in get(f"/item/{each}", {}, shown)],
        ("get", "/items/history"): get(
            "/items/history", *({"item": each.id} | more for each in ITEMS for more in ({}, shown)), part=True
        ),
        ("get", "/items/versions"): get(
            "/items/versions", {"item": item, "old": world.versions[-1], "new": world.versions[0]}, part=True
        ),
        ("post", "/items/preview"): [
            asked for each in ITEMS for asked in form("/items/preview", rows, item=each.id, **shown)
        ],
        ("post", "/items/siblings"): form("/items/siblings", rows, item=item),
        ("post", "/items/propose"): form("/items/propose", {"tick": [f"right:{waiting}"]}, item=item),
        ("post", "/items/save"): form("/items/save", rows | {"base": world.versions[0]}, item=item, **shown),
        ("post", "/items/restore"): form("/items/restore", {"version": world.versions[-1]}, item=item, **shown),
        ("post", "/items/judge"): form("/items/judge", {"text": judged, "verdict": "fail"}, item=item, **shown),
        ("post", "/items/withdraw"): form("/items/withdraw", {"text": waiting}, before=(said,), item=item, **shown),
        ("get", "/items/new"): get("/items/new", {}, {"category": "Birds", "phenomenon": "Small"}),
        ("get", "/items/edit"): get("/items/edit", {"item": item}),
        ("post", "/items/lint"): form("/items/lint", written_item),
        ("post", "/items/write"): form("/items/write", written_item),
        ("post", "/items/remove"): form("/items/remove", {"item": item, "base": world.versions[0]}),
        ("get", "/guideline"): get("/guideline", fish),
        ("get", "/guideline/comments"): get("/guideline/comments", fish, fish | shown, part=True),
        ("post", "/guideline"): form("/guideline", {"text": "Be strict."}, **fish),
        ("get", "/widening"): get("/widening", *({"text": each} for each in (waiting, judged)), part=True),
        ("get", "/widening/survey"): get("/widening/survey", {"how": ["case", "stop"]}, part=True),
        ("post", "/widening/take"): form("/widening/take", wider),
        ("post", "/widening/leave"): form("/widening/leave", wider),
        ("post", "/revisions/revert"): form("/revisions/revert", {"revision": 2}),
        ("get", "/results"): [
            *get("/results", {}, {"campaign": "*"}, {"system": "Sys-Elm"}, {"policy": "estimate"}),
            *get("/results", {"policy": "estimate"}, before=drawn),
        ],
        ("get", "/results/cell"): [
            *get("/results/cell", *cells, *(cell | shown for cell in cells)),
            *get("/results/cell", *(cell | shown for cell in cells), part=True),
        ],
        ("get", "/results/download/{key}"): [
            asked for key in files for asked in get(f"/results/download/{key}", {}, shown)
        ],
        ("get", "/compare"): get("/compare", {}, pair, pair | shown),
        ("get", "/compare/items"): get(
            "/compare/items", *(pair | {"side": side} | more for side in ("lost", "gained") for more in ({}, shown))
        ),
        ("get", "/compare/download/{key}"): [
            asked
            for key in ("comparison.md", "comparison.json")
            for asked in get(f"/compare/download/{key}", pair, pair | shown)
        ],
        ("get", "/years"): get("/years"),
        ("get", "/years/download/{key}"): [
            asked for key in ("md", "json") for asked in get(f"/years/download/years.{key}")
        ],
        ("get", "/effort"): get("/effort"),
        ("get", "/agreement"): get("/agreement", {}, people),
        ("get", "/disputes"): get("/disputes"),
        ("post", "/disputes"): form("/disputes", {"text": disputed, "verdict": "pass"}),
        ("post", "/disputes/undo"): form("/disputes/undo", {"event": last_event}, before=(decided,)),
        ("get", "/history"): get("/history", *kinds, *(kind | shown for kind in kinds)),
        ("get", "/files"): get("/files"),
        ("post", "/files/suite"): [Asked("/files/suite", sent={"files": {"files": ("s.zip", packed())}}, part=True)],
        ("post", "/files/outputs"): [Asked("/files/outputs", sent={"files": {"files": ("f.tsv", tsv)}}, part=True)],
        ("post", "/files/save"): form("/files/save", {"key": pending_key}, before=(sent_outputs,)),
        ("post", "/files/cancel"): form("/files/cancel", before=(sent_outputs,)),
        ("post", "/files/bundled"): form("/files/bundled", {"key": "en-cs"}),
        ("post", "/files/hide"): form("/files/hide", elm, elm | {"what": "campaign"}, elm | {"what": "suite"}),
        ("post", "/files/back"): form("/files/back", elm, before=(hidden,)),
        ("post", "/files/delete"): form("/files/delete", elm | {"typed": "Sys-Elm"}, before=(hidden,)),
        ("get", "/files/export.zip"): get("/files/export.zip", {}, shown, {"pseudonyms": "true"} | shown),
        ("get", "/files/suite.zip"): get("/files/suite.zip"),
        ("get", "/effort/{key}"): [*get("/effort/effort-people.tsv"), *get("/effort/effort-warnings.tsv")],
        ("get", "/agreement/{key}"): get("/agreement/agreement.tsv"),
        ("get", "/history/history.tsv"): get("/history/history.tsv", *kinds),
        ("get", "/challenge"): get("/challenge"),
        ("get", "/challenge/set"): get("/challenge/set", {"campaign": "WMT21"}),
        ("get", "/contrasts"): get("/contrasts"),
        ("post", "/contrasts/profile"): [
            Asked("/contrasts/profile", sent={"files": {"renderings": ("r.tsv", RENDERINGS.encode())}}, part=True)
        ],
        ("get", "/contrasts/run"): get("/contrasts/run", part=True),
        ("post", "/contrasts/stop"): form("/contrasts/stop"),
        ("get", "/collect"): get("/collect"),
        ("post", "/collect/check"): [
            Asked("/collect/check", sent={"files": {"files": ("f.txt", b"One line.\n")}}, part=True)
        ],
        ("get", "/results/others"): get(
            "/results/others", *(each | {"item": item} | more for each in cells for more in ({}, shown)), part=True
        ),
        ("post", "/files/questions"): form("/files/questions", {"acceptability": "5"}),
        ("get", "/people"): get("/people"),
        ("get", "/audit"): get("/audit"),
        ("post", "/people/add"): form("/people/add", {"name": "new", "role": "admin", "password": "correct horse"}),
        ("post", "/people/role"): form("/people/role", {"name": "judge-anna", "role": "viewer"}),
        ("post", "/people/new-password"): form(
            "/people/new-password", {"name": "judge-anna", "password": "long enough"}
        ),
        ("post", "/people/active"): form("/people/active", {"name": "judge-anna", "active": "false"}),
        # The API
        ("get", "/api/v1/me"): get("/api/v1/me"),
        ("get", "/api/v1/people"): get("/api/v1/people"),
        ("get", "/api/v1/audit"): get("/api/v1/audit"),
        ("post", "/api/v1/people"): body(
            "/api/v1/people", {"name": "new", "role": "admin", "password": "correct horse"}
        ),
        ("patch", "/api/v1/people/{name}"): body("/api/v1/people/judge-anna", {"role": "viewer"}),
        ("get", "/api/v1/suites"): get("/api/v1/suites"),
        ("post", "/api/v1/suites"): [Asked("/api/v1/suites", sent={"files": {"files": ("s.zip", packed())}})],
        ("get", "/api/v1/suites/{suite}"): get(api),
        ("put", "/api/v1/suites/{suite}/questions"): body(f"{api}/questions", {"acceptability": 5}),
        ("get", "/api/v1/suites/{suite}/systems"): get(f"{api}/systems"),
        ("post", "/api/v1/suites/{suite}/outputs"): [
            Asked(f"{api}/outputs", sent={"files": {"files": ("f.tsv", tsv)}})
        ],
        ("post", "/api/v1/suites/{suite}/outputs/preview"): [
            Asked(f"{api}/outputs/preview", sent={"files": {"files": ("f.tsv", tsv)}})
        ],
        ("get", "/api/v1/hidden"): get("/api/v1/hidden"),
        ("get", "/api/v1/suites/{suite}/hidden"): get(f"{api}/hidden", before=(hidden,)),
        ("put", "/api/v1/suites/{suite}/hidden"): body(
            f"{api}/hidden", {"hidden": True, "campaign": "WMT21", "system": "Sys-Elm"}
        ),
        ("delete", "/api/v1/suites/{suite}/hidden"): get(
            f"{api}/hidden", {"typed": "Sys-Elm", "campaign": "WMT21", "system": "Sys-Elm"}, before=(hidden,)
        ),
        ("get", "/api/v1/suites/{suite}/export"): get(f"{api}/export"),
        ("get", "/api/v1/suites/{suite}/items"): get(f"{api}/items", {}, {"words": "odd"}),
        ("get", "/api/v1/suites/{suite}/item"): get(f"{api}/item", *({"id": each.id} for each in ITEMS)),
        ("get", "/api/v1/suites/{suite}/item/versions"): get(f"{api}/item/versions", {"id": item}),
        ("post", "/api/v1/suites/{suite}/item/preview"): [
            asked for each in ITEMS for asked in body(f"{api}/item/preview", rules, id=each.id)
        ],
        ("put", "/api/v1/suites/{suite}/item/rules"): body(
            f"{api}/item/rules", rules | {"base": world.versions[0]}, id=item
        ),
        ("post", "/api/v1/suites/{suite}/item/restore"): body(
            f"{api}/item/restore", {"version": world.versions[-1]}, id=item
        ),
        ("post", "/api/v1/suites/{suite}/item/proposals"): body(f"{api}/item/proposals", {"right": [waiting]}, id=item),
        ("put", "/api/v1/suites/{suite}/item"): body(
            f"{api}/item", {"category": "Birds", "phenomenon": "Small", "source": "Satz."}, id="birds/9"
        ),
        ("delete", "/api/v1/suites/{suite}/item"): get(f"{api}/item", {"id": item, "base": world.versions[0]}),
        ("get", "/api/v1/suites/{suite}/guideline"): get(f"{api}/guideline", fish),
        ("put", "/api/v1/suites/{suite}/guideline"): body(f"{api}/guideline", {"text": "Be strict."}, **fish),
        ("get", "/api/v1/suites/{suite}/widening"): get(f"{api}/widening", {"text_id": judged}),
        ("get", "/api/v1/suites/{suite}/widening/survey"): get(f"{api}/widening/survey", {"how": ["case"]}),
        ("post", "/api/v1/suites/{suite}/widening"): body(f"{api}/widening", widening),
        ("post", "/api/v1/suites/{suite}/revert"): body(f"{api}/revert", {"revision": 2}),
        ("get", "/api/v1/suites/{suite}/queue"): get(
            f"{api}/queue", *queue, *(choice | {"show": ["systems", "suggestion"]} for choice in queue)
        ),
        ("get", "/api/v1/suites/{suite}/unit"): get(f"{api}/unit", {}, {"system": "Sys-Ash"}, {"triage": "true"}),
        ("post", "/api/v1/suites/{suite}/decisions"): body(
            f"{api}/decisions", {"rows": [[waiting], [judged]], "verdict": "fail", "out": [other_text]}
        ),
        ("post", "/api/v1/suites/{suite}/text-questions"): body(f"{api}/text-questions", {"text_id": judged}),
        ("get", "/api/v1/suites/{suite}/tasks"): [
            *get(f"{api}/tasks", *queue),
            *get(f"{api}/tasks", {"sample": "true"}, before=drawn),
        ],
        ("get", "/api/v1/suites/{suite}/sample"): [
            *get(f"{api}/sample"),
            *get(f"{api}/sample", before=drawn),
        ],
        ("post", "/api/v1/suites/{suite}/sample"): [Asked(f"{api}/sample")],
        ("post", "/api/v1/suites/{suite}/judgements"): [
            asked
            for text in (waiting, judged, disputed)
            for verdict in ("pass", None)
            for asked in body(f"{api}/judgements", {"text_id": text, "verdict": verdict})
        ],
        ("delete", "/api/v1/suites/{suite}/judgements"): get(f"{api}/judgements", {"text_id": waiting}, before=(said,)),
        ("post", "/api/v1/undo"): [Asked("/api/v1/undo", before=(said,))],
        ("post", "/api/v1/suites/{suite}/adjudications"): body(
            f"{api}/adjudications", {"text_id": disputed, "verdict": "pass"}
        ),
        ("get", "/api/v1/suites/{suite}/disputes"): get(f"{api}/disputes"),
        ("get", "/api/v1/suites/{suite}/agreement"): get(f"{api}/agreement"),
        ("get", "/api/v1/suites/{suite}/differences"): get(f"{api}/differences", people),
        ("get", "/api/v1/suites/{suite}/effort"): get(f"{api}/effort"),
        ("get", "/api/v1/suites/{suite}/history"): get(f"{api}/history", *kinds),
        ("get", "/api/v1/suites/{suite}/results"): get(f"{api}/results"),
        ("get", "/api/v1/suites/{suite}/comparison"): get(f"{api}/comparison", pair),
        ("get", "/api/v1/suites/{suite}/years"): get(f"{api}/years"),
        ("get", "/api/v1/suites/{suite}/tags"): get(f"{api}/tags"),
        ("get", "/api/v1/suites/{suite}/verdicts"): get(f"{api}/verdicts", {}, {"limit": 3, "campaign": "WMT21"}),
        ("get", "/api/v1/suites/{suite}/download"): get(f"{api}/download", *({"file": name} for name in files)),
    }


@cache
def packed() -> bytes:
    """The suite as somebody sends it."""
    with TemporaryDirectory() as folder:
        write(SUITE, Path(folder) / "suite")
        files = {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
    return zipped("suite.zip", files).stream.read()


def pending_key(state: State) -> str:
    """The key of the upload that waits to be saved."""
    return next(iter(state.pending.keys()))


def last_event(state: State) -> int:
    """What happened last."""
    with state.store.reading() as db:
        return int(db.execute(select(func.max(judgements.c.id))).scalar_one())


# Asking


@dataclass(frozen=True)
class Found:
    """What an answer said beside texts, and what was written down; (text, what) each."""

    response: Response
    told: frozenset[tuple[str, Seen]]
    kept: frozenset[tuple[str, Seen]]


def ask(world: World, folder: Path, method: str, asked: Asked) -> Found:
    """Ask as Zoe, who has not seen anything, on a database of its own."""
    path = folder / "copy.db"
    for old in folder.glob("copy.db*"):
        old.unlink()
    shutil.copy(world.path, path)
    store = Store.open(str(path))
    try:
        state = State(store, opinions=Scripted(OPINION))
        for way, first in asked.before:
            assert send(state, world, way, first).is_success
        response = send(state, world, method, asked)
        assert response.is_success, f"{method} {asked}: {response.status_code} {response.text[:300]}"
        visits = Visits(store)
        with store.reading() as db:
            zoe = get_user(db, "zoe")
        seen = {value: visits.revealed(zoe, text.id) for value, text in world.texts.items()}
    finally:
        store.close()
    kept = frozenset((value, what) for value, found in seen.items() for what in found)
    return Found(response, frozenset(told(world, asked, parsed(response, world.texts))), kept)


OPINION = Opinion("ready", Suggestion(Verdict.FAIL, 0.7, "so the oracle says"))


def send(state: State, world: World, method: str, asked: Asked) -> Response:
    headers = {"Authorization": f"Bearer {world.token}"} | ({"HX-Request": "true"} if asked.part else {})
    query = asked.query | ({} if asked.path.startswith("/api/") else {"suite": NAME})
    sent: dict[str, Any] = {
        kind: {name: value(state) if callable(value) else value for name, value in given.items()}
        if kind == "data"
        else given
        for kind, given in asked.sent.items()
    }
    client = Client(transport=Direct(serve(state)), base_url="http://testserver", headers=headers)
    return client.request(method, asked.path, params=query, **sent)


def told(world: World, asked: Asked, answer: Answer) -> Iterator[tuple[str, Seen]]:
    """What an answer says beside each text that is in it.

    Whoever asks for the texts of a system knows who wrote them; the judged texts near one come from anybody.
    """
    request = " ".join(map(str, asked.query.values()))
    for value, text in world.texts.items():
        if not answer.holds(value):
            continue
        beside = answer.beside(value)
        writer = WRITERS[value]
        if writer in beside or (writer in request and answer.is_subject(value)):
            yield value, "systems"
        if says_judgement(answer, text, beside):
            yield value, "judgements"
        if "nearest judged text" in beside or "so the oracle says" in beside:
            yield value, "suggestion"


def says_judgement(answer: Answer, text: SnapshotText, beside: str) -> bool:
    """Whether an answer says what somebody else thinks of a text: their name, their remark, or just the verdict."""
    if any(remark(name, text.value) in answer.whole for name in PEOPLE) or any(
        name in beside for name in JUDGED.get(text.value, ())
    ):
        return True
    by_judgement = text.decided and text.ruled != text.finding
    return by_judgement and bool(re.search(r"\b(pass|fail)\b", answer.record(text.value)))


# The tests


ASKED = sorted(set(ROUTES) - set(SKIPPED))


def test_every_route_of_the_app_is_asked_or_named_with_a_reason(world: World) -> None:
    assert set(requests(world)) == set(ASKED)
    assert set(SKIPPED) <= set(ROUTES)
    assert all(SKIPPED.values())


def test_the_app_has_no_other_routes() -> None:
    """Beside pages and API there are only styles and scripts, and the description of the API."""
    names = [getattr(route, "path", "") for route in serve(State(cast(Store, None))).routes]
    assert sorted(filter(None, names)) == ["/api/v1/openapi.json", "/static", "/static/report.css"]


@pytest.mark.parametrize(("method", "path"), ASKED)
def test_what_an_answer_gives_away_is_written_down(world: World, tmp_path: Path, method: str, path: str) -> None:
    for asked in requests(world)[method, path]:
        found = ask(world, tmp_path, method, asked)
        assert found.told <= found.kept, asked


GIVING = [
    ("get", "/queue", "systems"),
    ("get", "/queue", "suggestion"),
    ("get", "/queue", "judgements"),
    ("get", "/item/{item}", "systems"),
    ("get", "/item/{item}", "judgements"),
    ("get", "/items/history", "judgements"),
    ("post", "/items/preview", "judgements"),
    ("get", "/results/cell", "systems"),
    ("get", "/results/download/{key}", "judgements"),
    ("get", "/compare", "systems"),
    ("get", "/agreement", "judgements"),
    ("get", "/disputes", "judgements"),
    ("get", "/history", "judgements"),
    ("get", "/api/v1/suites/{suite}/tasks", "systems"),
    ("post", "/api/v1/suites/{suite}/item/preview", "judgements"),
    ("get", "/api/v1/suites/{suite}/queue", "judgements"),
    ("get", "/api/v1/suites/{suite}/queue", "suggestion"),
    ("get", "/api/v1/suites/{suite}/verdicts", "systems"),
    ("get", "/api/v1/suites/{suite}/item", "judgements"),
]


@pytest.mark.parametrize(("method", "path", "what"), GIVING)
def test_the_walk_finds_what_is_not_written_down(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, path: str, what: Seen
) -> None:
    """A reader that forgets what it shows is caught, at the routes of which one knows that they show something."""
    monkeypatch.setattr(Reader, "reveal", lambda reader, text_ids, *what: None)
    lost: set[str] = set()
    for asked in requests(world)[method, path]:
        found = ask(world, tmp_path, method, asked)
        lost |= {kind for _, kind in found.told - found.kept}
    assert what in lost


def test_answers_without_texts_give_nothing_away(world: World, tmp_path: Path) -> None:
    for path in ("/results", "/years", "/effort", "/agreement", "/files", "/queue/filters"):
        found = ask(world, tmp_path, "get", Asked(path))
        assert (found.told, found.kept) == (frozenset(), frozenset()), path


UNASKED = {
    **{
        (method, path): "the card shows how judged texts of its item were decided"
        for method, path in ASKED
        if path.startswith("/queue")
    },
    ("get", "/disputes"): "whoever decides has to see what others said",
    ("post", "/disputes"): "whoever decides has to see what others said",
}
"""Routes of pages that may end blindness without a question, and why."""


PAGES = [route for route in ASKED if not route[1].startswith("/api/")]


@pytest.mark.parametrize(("method", "path"), [route for route in PAGES if route not in UNASKED])
def test_no_page_ends_blindness_unasked(world: World, tmp_path: Path, method: str, path: str) -> None:
    """Who has seen nothing of a text and is asked nothing has still seen nothing afterwards."""
    for asked in requests(world)[method, path]:
        if "shown" in asked.query or asked.before:
            continue
        found = ask(world, tmp_path, method, asked)
        assert {text for text, what in found.told | found.kept if what != "suggestion"} & to_judge(world) == set(), (
            asked
        )


@pytest.mark.parametrize("path", ["/items/save", "/items/restore", "/items/judge", "/items/withdraw"])
def test_what_would_show_the_texts_of_an_item_changes_nothing_unasked(world: World, tmp_path: Path, path: str) -> None:
    """Their answers are the page of the item; somebody who has not opened it is told so."""
    (asked,) = requests(world)["post", path]
    path_of = tmp_path / "copy.db"
    shutil.copy(world.path, path_of)
    store = Store.open(str(path_of))
    try:
        state = State(store)
        before = last_event(state), Visits(store).snapshot(NAME).change
        response = send(state, world, "post", replace(asked, query={"item": asked.query["item"]}, before=()))
        assert (response.status_code, "nothing was changed" in response.text) == (409, True)
        assert (last_event(state), Visits(store).snapshot(NAME).change) == before
    finally:
        store.close()


def to_judge(world: World) -> set[str]:
    """Texts that somebody may still judge, blind or not: those that wait, and those that others judged."""
    return {value for value, text in world.texts.items() if text.waits or (text.settlement and text.settlement.votes)}
