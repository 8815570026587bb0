"""A little workbench for the tests of the API, and somebody who asks it."""

from collections.abc import Sequence
from typing import Any

import anyio
import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI

from assay.outputs import Collector, System
from assay.suites import Item, Polarity, Rule, Suite
from assay.workbench.app import create_app
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user, get_user, start_session
from assay.workbench.files.importer import Import
from assay.workbench.items.rule_edits import RuleEdit
from assay.workbench.people.roles import Role, User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.state import State
from tests.workbench.visits import Visits

SUITE = "little/de-en"
"""Names may contain slashes."""

LOCK, STRAUSS, IDIOM = "ambiguity/schloss", "ambiguity/strauss", "idiom/pferde-stehlen"
OSTRICH, HORSES = "She got an ostrich.", "One can steal horses with her."
PEOPLE: dict[str, Role] = {
    "vera": "viewer",
    "anna": "annotator",
    "ben": "annotator",
    "ada": "adjudicator",
    "boss": "admin",
}

ITEMS = (
    Item(
        LOCK,
        "Ambiguity",
        "Lexical ambiguity",
        "Der Schlüssel steckt im Schloss.",
        (Rule("pass", "regex", r"\block\b"), Rule("fail", "contains", "castle")),
        tests="Schloss is the lock here",
    ),
    Item(
        STRAUSS,
        "Ambiguity",
        "Lexical ambiguity",
        "Sie bekam einen Strauß.",
        (Rule("pass", "regex", r"\b(bouquet|bunch)\b"), Rule("fail", "contains", "castle")),
    ),
    Item(IDIOM, "Idioms", "Idiom", "Mit ihr kann man Pferde stehlen.", ()),
)

OUTPUTS: dict[System, Sequence[str]] = {
    System("A", "WMT21"): ("The key is in the lock.", "She got a bouquet.", "She is a great sport."),
    System("B", "WMT21"): ("The key is in the castle.", OSTRICH, HORSES),
    System("A", "WMT22"): ("The key is in the lock.", "She got a bunch of flowers.", "She is a great sport."),
    System("B", "WMT22"): ("The key is in the latch.", OSTRICH, "She is <script>fun</script>."),
}


QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Hashes in no time; a real one is slow on purpose."""


def fill(store: Store) -> User:
    """Put the suite and its outputs into a database; returns the admin who did it."""
    with store.writing() as db:
        people = {name: add_user(db, name, role) for name, role in PEOPLE.items()}
    taxonomy = {"Ambiguity": {"Lexical ambiguity": "one word, two meanings"}, "Idioms": {"Idiom": ""}}
    suite = Suite(SUITE, "de-en", ITEMS, taxonomy, version="1", licence="CC0")
    collector = Collector(suite)
    for system, texts in OUTPUTS.items():
        collector.add(system, positions=range(len(texts)), texts=texts)
    Import(suite, collector.outputs(), "first import").run(store, people["boss"])
    return people["boss"]


def judge_some(store: Store) -> None:
    """Anna and Ben agree on one text and disagree on another; something is skipped, taken back, and edited."""
    with store.reading() as db:
        anna, ben, ada = (get_user(db, name) for name in ("anna", "ben", "ada"))
    visits = Visits(store)
    texts = {text.value: text.id for text in visits.snapshot(SUITE).texts.values()}
    ostrich, horses, latch = (texts[value] for value in (OSTRICH, HORSES, "The key is in the latch."))
    said: list[tuple[User, int, Polarity]] = [(anna, ostrich, "fail"), (ben, ostrich, "fail"), (anna, horses, "pass")]
    for user, text_id, verdict in said:
        visits.judge(user, SUITE, AnnotatorAnswer(text_id, verdict, tags=("critical",)))
    visits.judge(ben, SUITE, AnnotatorAnswer(horses, "fail", comment="literal"))
    visits.judge(ben, SUITE, AnnotatorAnswer(latch, "pass"))
    visits.adjudicate(ada, SUITE, AnnotatorAnswer(latch, "fail"))
    visits.judge(anna, SUITE, AnnotatorAnswer(texts["She is a great sport."], None))
    visits.undo(ada)
    base = visits.versions(SUITE, LOCK)[0]
    rules = (*base.item.rules, Rule("pass", "contains", "latch"))
    visits.save_rules(ben, SUITE, RuleEdit(LOCK, rules, base.id))


def rule(polarity: str, value: str, kind: str = "contains") -> dict[str, str]:
    """A rule as it is sent."""
    return {"polarity": polarity, "kind": kind, "value": value}


class Asker:
    """Sends requests to an application as one person; without a token as nobody."""

    def __init__(self, app: FastAPI, token: str | None = None) -> None:
        self.app = app
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method: str, path: str, *, status: int, headers: dict[str, str] | None = None, **sent: Any) -> Any:
        """The JSON of the answer, which has to have this status."""
        found = self.response(method, path, headers=headers, **sent)
        assert found.status_code == status, f"{method} {path}: {found.status_code} {found.text}"
        return found.json() if found.content else None

    def response(self, method: str, path: str, *, headers: dict[str, str] | None = None, **sent: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost/api/v1") as client:
                return await client.request(method, path, headers=self.headers | (headers or {}), **sent)

        return anyio.run(send)

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        return self.ask("GET", path, status=status, params=query)

    def post(self, path: str, body: Any, status: int = 200, **query: Any) -> Any:
        return self.ask("POST", path, status=status, json=body, params=query)

    def put(self, path: str, body: Any, status: int = 200, **query: Any) -> Any:
        return self.ask("PUT", path, status=status, json=body, params=query)


_made: list[FastAPI] = []


def serve(state: State) -> FastAPI:
    """The application with the state of this test; it is made once, since that takes a while."""
    if not _made:
        _made.append(create_app(state))
    _made[0].state.assay = state
    return _made[0]


def at_home(app: FastAPI) -> Asker:
    """Whoever started a server without accounts, and has its token."""
    return Asker(app, app.state.assay.local_token)


class Workbench:
    """The application on a filled database: with accounts, and with everybody logged in."""

    def __init__(self, store: Store) -> None:
        fill(store)
        self.store = store
        self.state = State(store)
        self.app = serve(self.state)
        with store.writing() as db:
            self.tokens = {name: start_session(db, get_user(db, name)) for name in PEOPLE}

    def as_(self, name: str) -> Asker:
        return Asker(self.app, self.tokens[name])

    @property
    def as_nobody(self) -> Asker:
        return Asker(self.app)
