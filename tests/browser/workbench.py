"""A workbench for browser tests: a small suite with outputs in a database, and a server on it.

Every item has a word of two senses. Its outputs are right by a rule, wrong by a rule, and two that no rule decides:

    The lock is old.    pass    The castle is old.    fail    The latch is old.    The bolt is old.    warnings

There are 12 items in two phenomena of one category and one of another, four systems in WMT21 and two of them again in
WMT22, 24 distinct texts that wait.
"""

import logging
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from fastapi import FastAPI
from playwright.sync_api import Page, expect

from assay.outputs import Collector, Outputs, System
from assay.suites import Examples, Item, Rule, Suite
from assay.workbench.admission import connections
from assay.workbench.app import create_app
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import Role, User
from assay.workbench.serve import open_store
from assay.workbench.snapshot import Snapshot, Snapshots
from assay.workbench.state import State
from tests.workbench.web.little_server import QUICK

NAME = "senses"
PASSWORD = "correct horse"

SENSES = (
    # id, source, right, wrong, and two words that no rule knows
    ("schloss", "Das Schloss ist alt.", "lock", "castle", "latch", "bolt"),
    ("bank", "Die Bank ist alt.", "bench", "bank", "seat", "settle"),
    ("kiefer", "Der Kiefer ist alt.", "jaw", "pine", "chin", "jawbone"),
    ("ball", "Der Ball ist alt.", "dance", "ball", "gala", "prom"),
    ("strauss", "Der Strauß ist alt.", "bouquet", "ostrich", "posy", "nosegay"),
    ("tor", "Das Tor ist alt.", "gate", "goal", "door", "portal"),
    ("birne", "Die Birne ist alt.", "bulb", "pear", "lamp", "light"),
    ("hahn", "Der Hahn ist alt.", "tap", "rooster", "valve", "spigot"),
    ("leiter", "Die Leiter ist alt.", "ladder", "manager", "steps", "stepladder"),
    ("kapelle", "Die Kapelle ist alt.", "band", "chapel", "orchestra", "group"),
    ("blatt", "Das Blatt ist alt.", "sheet", "leaf", "page", "paper"),
    ("schild", "Das Schild ist alt.", "sign", "shield", "plate", "board"),
)
PHENOMENA = (("Ambiguity", "Lexical ambiguity"), ("Ambiguity", "Gender"), ("False friends", "False friends"))
TAXONOMY = {
    "Ambiguity": {
        "Lexical ambiguity": "A word with several senses, of which the sentence allows one.",
        "Gender": "The article tells the sense.",
    },
    "False friends": {"False friends": "A word that looks like another with another meaning."},
}


def sense_item(place: int) -> Item:
    name, source, right, wrong, *_ = SENSES[place]
    category, phenomenon = PHENOMENA[place * len(PHENOMENA) // len(SENSES)]
    return Item(
        f"senses/{name}",
        category,
        phenomenon,
        source,
        (Rule("pass", "regex", rf"\b{right}\b"), Rule("fail", "regex", rf"\b{wrong}s?\b")),
        tests=f"{right}, not {wrong}",
        examples=Examples((f"The {right} is old.",), (f"The {wrong} is old.",)),
    )


def senses() -> tuple[Suite, Outputs]:
    """The suite and what six systems wrote for it."""
    suite = Suite(NAME, "de-en", tuple(sense_item(place) for place in range(len(SENSES))), TAXONOMY)
    collector = Collector(suite)
    for campaign, systems in (("WMT21", (2, 3, 4, 5)), ("WMT22", (2, 4))):
        for word in systems:
            name = {2: "Right", 3: "Wrong", 4: "Doubtful", 5: "Dubious"}[word]
            texts = [f"The {line[word]} is old." for line in SENSES]
            collector.add(System(name, campaign), positions=range(len(SENSES)), texts=texts)
    return suite, collector.outputs()


def painters() -> tuple[Suite, Outputs]:
    """A suite of one item without rules; of its four texts three are corners of a frame, and the fourth follows."""
    item = Item("one/house", "Any", "Thing", "Sie haben das Haus gestrichen.")
    suite = Suite("painters", "de-en", (item,), {"Any": {"Thing": ""}})
    collector = Collector(suite)
    for name, words in (("A", "You painted"), ("B", "They painted"), ("C", "They coated"), ("D", "You coated")):
        who, did = words.split()
        collector.add(System(name), positions=[0], texts=[f"{who} have {did} the house."])
    return suite, collector.outputs()


def one_text(
    langpair: str, text: str, name: str = "single", *, prompt: str = "", context: str = ""
) -> tuple[Suite, Outputs]:
    """A suite of one item without rules, for which one system wrote one text."""
    item = Item("one/text", "Any", "Thing", "Ein Satz.", prompt=prompt, context=context)
    suite = Suite(name, langpair, (item,), {"Any": {"Thing": ""}})
    collector = Collector(suite)
    collector.add(System("Writer"), positions=[0], texts=[text])
    return suite, collector.outputs()


@dataclass(frozen=True)
class Workbench:
    """A database with a server on it."""

    store: Store
    path: Path
    url: str
    token: str = ""
    """What a server without accounts wants to see in the address."""

    def snapshot(self, suite: str = NAME) -> Snapshot:
        """The suite as the database has it now, read by another than the server."""
        return Snapshots(self.store).get(suite)

    def strict(self, system: str, campaign: str = "WMT21") -> float | None:
        """A system's accuracy over all items, warnings counted as wrong."""
        evaluation = self.snapshot().evaluate(campaigns=[campaign], policy="strict")
        row = evaluation.averages()[0]
        names = [found.name for found in evaluation.systems]
        return row.cells[names.index(system)].accuracy


def fill(path: Path, suites: Sequence[tuple[Suite, Outputs]], people: Mapping[str, Role]) -> Store:
    """A new database with these suites; people can log in with `PASSWORD`."""
    store = Store.create(str(path))
    admin: User = local_user(store)
    for suite, outputs in suites:
        Import(suite, outputs, f"import of {suite.name}").run(store, admin)
    with store.writing() as db:
        for name, role in people.items():
            add_user(db, name, role, QUICK.hash(PASSWORD))
    return store


class Errors(logging.Handler):
    """What the server had to complain about."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))


class Server:
    """The workbench on a free port of this machine, as `assay serve` starts it, for one test after the other.

    Starting a process for each would take longer than the tests; tests/cli/test_serve.py has the command itself.
    """

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.app: FastAPI | None = None

    @contextmanager
    def serving(self, store: Store, path: Path) -> Iterator[Workbench]:
        """Serve a database until the test is over."""
        state = State(*open_store(str(path), "127.0.0.1"))
        if self.app is None:
            self.app = create_app(state)
            self._start(self.app)
        self.app.state.assay = state
        errors, log = Errors(), logging.getLogger()
        log.addHandler(errors)
        try:
            yield Workbench(store, path, self.url, state.local_token if state.local_user else "")
        finally:
            log.removeHandler(errors)
            state.store.close()
        assert not errors.found

    def _start(self, app: FastAPI) -> None:
        self.server = connections.CalmServer(connections.ServerConfig(app, connections.Connections()))
        self.thread = Thread(target=self.server.run, kwargs={"sockets": [self.listener]}, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        if self.app is not None:
            self.server.should_exit = True
            self.thread.join(10)
        self.listener.close()


def wait_for_keys(page: Page) -> None:
    """Wait until the queue takes keys: its scripts have run, and the text has been there long enough to be read."""
    expect(page.locator("#work[data-ready]")).to_be_attached()
