"""A suite of three items with the outputs of three systems, and what a database holds, to compare.

schloss    A: lock, pass        B: castle, fail      C: latch, nobody knows
strauss    A: bouquet, pass     B: ostrich, fail     C: posy, nobody knows
pferde     no rules: three texts that nobody knows
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Inspector, Table, inspect, select

from assay.outputs import Collector, Outputs, System
from assay.suites import Examples, Item, Rule, Suite
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.db.revisions import Saved
from assay.workbench.db.schema import metadata
from assay.workbench.files.importer import Import
from assay.workbench.people.roles import User
from assay.workbench.snapshot import Snapshot

NAME = "little"
SCHLOSS, STRAUSS, PFERDE = "words/schloss", "words/strauss", "idioms/pferde"

ITEMS = (
    Item(
        SCHLOSS,
        "Ambiguity",
        "Words",
        "Der Schlüssel steckt im Schloss.",
        (Rule("pass", "regex", r"\block\b"), Rule("fail", "contains", "castle")),
        tests="Schloss is the lock here",
        examples=Examples(("The key is in the lock.",), ("The key is in the castle.",)),
        tags=("home",),
        notes="from a letter",
    ),
    Item(
        STRAUSS,
        "Ambiguity",
        "Words",
        "Sie bekam einen Strauß.",
        (Rule("pass", "regex", r"\bBOUQUET\b", "i"), Rule("fail", "contains", "ostrich", note="the bird")),
    ),
    Item(PFERDE, "Idioms", "Idiom", "Mit ihr kann man Pferde stehlen.", held_out=True),
)
SUITE = Suite(
    NAME,
    "de-en",
    ITEMS,
    {"Ambiguity": {"Words": "one word, two meanings"}, "Idioms": {"Idiom": ""}},
    version="1.10",
    licence="CC0",
    authors=("Ada", "Ben"),
    description="Two words and an idiom.",
    canary="little-canary",
)
A, B, C = (System(name, "WMT21") for name in "ABC")
WRITTEN: dict[System, Sequence[str]] = {
    A: ("The key is in the lock.", "She got a bouquet.", "She is a great sport."),
    B: ("The key is in the castle.", "She got an ostrich.", "One can steal horses with her."),
    C: ("The key is in the latch.", "She got a posy.", "She is fun."),
}


def with_rules(suite: Suite, item_id: str, *rules: Rule) -> Suite:
    """The suite with other rules for one of its items."""
    return with_items(suite, replace(suite.item(item_id), rules=rules))


def with_items(suite: Suite, *changed: Item) -> Suite:
    """The suite with some of its items changed."""
    others = {item.id: item for item in changed}
    return replace(suite, items=tuple(others.get(item.id, item) for item in suite.items))


def without(suite: Suite, item_id: str) -> Suite:
    return replace(suite, items=tuple(item for item in suite.items if item.id != item_id))


def outputs_of(written: Mapping[System, Sequence[str]], suite: Suite = SUITE) -> Outputs:
    """What systems wrote for the first items of a suite."""
    collector = Collector(suite)
    for system, texts in written.items():
        collector.add(system, positions=range(len(texts)), texts=texts)
    return collector.outputs()


def admin_of(store: Store) -> User:
    """Somebody who may import."""
    with store.writing() as db:
        return add_user(db, "boss", "admin")


def fill(store: Store) -> User:
    """Import the suite and the outputs; returns who did it."""
    admin = admin_of(store)
    Import(SUITE, outputs_of(WRITTEN), "first import").run(store, admin)
    return admin


def counts(saved: Saved) -> tuple[int, int, int]:
    """Items that were added, changed and removed."""
    return saved.added, saved.changed, saved.removed


def text_id(snapshot: Snapshot, item_id: str, system: System) -> int:
    """The id of what a system wrote for an item."""
    column = snapshot.outputs.systems.index(system)
    return int(snapshot.text_of_code[snapshot.outputs.codes[snapshot.place(item_id), column]])


def contents(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table but the audit trail: two databases with the same contents are equal.

    A table that an earlier database has not is empty, and a column is what the migration makes of it.
    """
    with store.reading() as db:
        found = inspect(db)
        tables = [table for table in metadata.sorted_tables if table.name != "audit"]
        there = set(found.get_table_names())
        return {table.name: _rows(db, found, table) if table.name in there else [] for table in tables}


def _rows(db: Connection, found: Inspector, table: Table) -> list[dict[str, Any]]:
    there = {column["name"] for column in found.get_columns(table.name)}
    rows = db.execute(select(*(column for column in table.c if column.name in there))).mappings()
    later: dict[str, Any] = {"independent": True, "labels": [], "tier": "entry"}
    return sorted(({name: row.get(name, later.get(name, "")) for name in table.c.keys()} for row in rows), key=repr)  # noqa: SIM118
