"""A little workbench for the tests of the API, and somebody who asks it."""

from collections.abc import Sequence
from typing import Any

import anyio
import httpx
from fastapi import FastAPI

from assay.model import Collector, Item, Role, Rule, Suite, System, User
from assay.store import Store
from assay.store.people import add_user, start_session
from assay.web.app import create_app
from assay.web.state import State
from assay.workbench.importing import Import

SUITE = "little/de-en"
"""Names may contain slashes."""

LOCK, STRAUSS, IDIOM = "ambiguity/schloss", "ambiguity/strauss", "idiom/pferde-stehlen"
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
    System("B", "WMT21"): ("The key is in the castle.", "She got an ostrich.", "One can steal horses with her."),
    System("A", "WMT22"): ("The key is in the lock.", "She got a bunch of flowers.", "She is a great sport."),
    System("B", "WMT22"): ("The key is in the latch.", "She got an ostrich.", "She is <script>fun</script>."),
}


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

    def response(
        self, method: str, path: str, *, headers: dict[str, str] | None = None, **sent: Any
    ) -> httpx.Response:
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


class Workbench:
    """The application on a filled database: with accounts, and with everybody logged in."""

    def __init__(self, store: Store) -> None:
        from assay.store.people import get_user

        fill(store)
        self.store = store
        self.state = State(store)
        self.app = create_app(self.state)
        with store.writing() as db:
            self.tokens = {name: start_session(db, get_user(db, name)) for name in PEOPLE}

    def as_(self, name: str) -> Asker:
        return Asker(self.app, self.tokens[name])

    @property
    def as_nobody(self) -> Asker:
        return Asker(self.app)
