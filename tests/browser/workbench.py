"""A workbench for browser tests: a small suite with outputs in a database, and `assay serve` on it as a real process.

Every item has a word of two senses. Its outputs are right by a rule, wrong by a rule, and two that no rule decides:

    The lock is old.    pass    The castle is old.    fail    The latch is old.    The bolt is old.    warnings

There are 12 items in two phenomena of one category and one of another, four systems in WMT21 and two of them again in
WMT22, 24 distinct texts that wait.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assay.model import Collector, Examples, Item, Outputs, Role, Rule, Suite, System, User
from assay.store import Store
from assay.workbench.board import Board, Boards
from assay.workbench.importing import Import
from assay.workbench.people import create_user, local_user

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


def one_text(langpair: str, text: str, name: str = "single") -> tuple[Suite, Outputs]:
    """A suite of one item without rules, for which one system wrote one text."""
    item = Item("one/text", "Any", "Thing", "Ein Satz.")
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

    def board(self, suite: str = NAME) -> Board:
        """The suite as the database has it now, read by another process than the server's."""
        return Boards(self.store).get(suite)

    def strict(self, system: str, campaign: str = "WMT21") -> float | None:
        """A system's accuracy over all items, warnings counted as wrong."""
        evaluation = self.board().evaluate(campaigns=[campaign], policy="strict")
        row = evaluation.averages()[0]
        names = [found.name for found in evaluation.systems]
        return row.cells[names.index(system)].accuracy


def fill(path: Path, suites: Sequence[tuple[Suite, Outputs]], people: dict[str, Role]) -> Store:
    """A new database with these suites; people can log in with `PASSWORD`."""
    store = Store.create(str(path))
    admin: User = local_user(store)
    for suite, outputs in suites:
        Import(suite, outputs, f"import of {suite.name}").run(store, admin)
    for name, role in people.items():
        create_user(store, name, role, PASSWORD)
    return store


@contextmanager
def serving(store: Store, path: Path) -> Iterator[Workbench]:
    """`assay serve` on a free port until the test is over."""
    command = [sys.executable, "-m", "assay", "serve", "--db", str(path), "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as server:
        assert server.stdout
        said = server.stdout.readline()
        found = re.search(r"http://[^ /]+", said)
        assert found, said + server.stdout.read()
        try:
            yield Workbench(store, path, found[0])
        finally:
            server.terminate()
            rest = server.stdout.read()
            server.wait(10)
    assert "Traceback" not in rest, rest
