"""Systems, their outputs, and the distinct texts of items with what the rules say of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, insert, select, update

from assay.errors import BadOption
from assay.outputs import System
from assay.suites import Item
from assay.workbench.db.bulk import insert_rows, update_rows
from assay.workbench.db.clock import now
from assay.workbench.db.database import next_change
from assay.workbench.db.revisions import LONGEST_NAME, next_id
from assay.workbench.db.ruled import RULED, Ruled, RuleTexts, rule_texts
from assay.workbench.db.schema import campaigns, changes, hidings, items, outputs, suites, systems, texts, users
from assay.workbench.people.roles import User

OutputRow = tuple[int, int, int, str | None]
"""An output: system id, item id, text id, the text as written where it differs from the normalised one."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A distinct text of an item. `first` is what the rules said when it was first seen."""

    id: int
    item_id: int
    value: str
    first: int
    ruled: Ruled
    settled: int | None
    disputed: bool


@dataclass(frozen=True, slots=True)
class StoredSystem:
    """A system, who brought its outputs, and when; `hidden` is when it was hidden, blank where it is not."""

    id: int
    system: System
    by: str
    imported: str
    hidden: str = ""


def digest(value: str) -> str:
    """Stands for a normalised text in the database's index."""
    return sha256(value.encode()).hexdigest()[:40]


def text_ids(db: Connection, suite_id: int) -> dict[tuple[int, str], int]:
    """(item id, digest of the text) -> text id, of a whole suite."""
    query = select(texts.c.item_id, texts.c.digest, texts.c.id).join(items).where(items.c.suite_id == suite_id)
    return {(item_id, key): text_id for item_id, key, text_id in db.execute(query)}


def text_names(db: Connection, suite_id: int) -> dict[int, tuple[str, str]]:
    """Text id -> (the suite's id of the item, the text), of a whole suite, also of items that were removed."""
    query = select(texts.c.id, items.c.key, texts.c.value).join(items).where(items.c.suite_id == suite_id)
    return {text_id: (key, value) for text_id, key, value in db.execute(query)}


def add_texts(db: Connection, new: Sequence[tuple[int, str, Ruled]], firsts: Sequence[int] | None = None) -> list[int]:
    """Texts that are not there yet: (item id, normalised text, what the rules say). Only under the lock.

    `firsts` is what rules first said of each, where that is longer ago.
    """
    if not new:
        return []
    said = firsts or [ruled.verdict for _, _, ruled in new]
    first, change = next_id(db, texts), next_change(db)
    rows = (
        (first + number, item_id, digest(value), value, said[number], *ruled.cells, None, False, change)
        for number, (item_id, value, ruled) in enumerate(new)
    )
    insert_rows(db, texts, rows)
    return list(range(first, first + len(new)))


def judge_again(
    db: Connection, rows: Sequence[TextRow], items_by_id: Mapping[int, Item], judge: RuleTexts = rule_texts
) -> None:
    """Write what the rules of their items say of texts now."""
    if rows:
        ruled = judge([(items_by_id[row.item_id], row.value) for row in rows])
        change = next_change(db)
        cells = ((*found.cells, change, row.id) for row, found in zip(rows, ruled, strict=True))
        update_rows(db, texts, (*RULED, "changed"), cells)


def load_texts(db: Connection, suite_id: int) -> list[TextRow]:
    """The texts of a suite."""
    return _rows(db, select(texts).join(items).where(items.c.suite_id == suite_id))


def texts_of(db: Connection, item_ids: Collection[int]) -> list[TextRow]:
    """The texts of some items."""
    return _rows(db, select(texts).where(texts.c.item_id.in_(item_ids)))


def _rows(db: Connection, query: Select[Any]) -> list[TextRow]:
    return [text_row(row) for row in db.execute(query.order_by(texts.c.id))]


def text_row(row: Row[Any]) -> TextRow:
    """A row that has the columns of `texts`."""
    ruled = Ruled(row.ruled, row.reason, row.evidence, row.judged_with)
    return TextRow(row.id, row.item_id, row.value, row.first, ruled, row.settled, row.disputed)


# Systems


def list_systems(db: Connection, suite_id: int, *, hidden: bool = False) -> list[StoredSystem]:
    """The systems of a suite in the order of their import; with `hidden` also those that are."""
    query = (
        select(systems, campaigns.c.name.label("campaign"), users.c.name.label("by"))
        .select_from(systems.join(campaigns).join(users))
        .where(systems.c.suite_id == suite_id)
        .order_by(systems.c.id)
    )
    if not hidden:
        query = query.where(systems.c.hidden == "")
    return [
        StoredSystem(row.id, System(row.name, row.campaign, row.details, row.file), row.by, row.imported, row.hidden)
        for row in db.execute(query)
    ]


def add_system(db: Connection, suite_id: int, system: System, user: User, *, moment: str | None = None) -> int:
    """A new system of a suite, brought by a user, now or at another moment."""
    for name in (system.name, system.campaign):
        if len(name) > LONGEST_NAME:
            raise BadOption(
                f"the name {name[:40]!r}… of a system or campaign has {len(name):,} characters; at most {LONGEST_NAME} "
                "are kept"
            )
    campaign = db.execute(select(campaigns.c.id).where(campaigns.c.name == system.campaign)).scalar()
    if campaign is None:
        campaign = db.execute(insert(campaigns).values(name=system.campaign).returning(campaigns.c.id)).scalar_one()
    made = insert(systems).values(
        suite_id=suite_id,
        campaign_id=campaign,
        user_id=user.id,
        name=system.name,
        details=dict(system.metadata),
        file=system.file,
        imported=moment or now(),
        hidden="",
    )
    return int(db.execute(made.returning(systems.c.id)).scalar_one())


def remove_system(db: Connection, suite_id: int, system_id: int) -> None:
    """Take a system and its outputs out. Its texts stay: they may have been judged."""
    for table in (outputs, hidings):
        db.execute(delete(table).where(table.c.system_id == system_id))
    db.execute(delete(systems).where(systems.c.id == system_id))
    outputs_changed(db, suite_id)


def add_outputs(db: Connection, suite_id: int, rows: Sequence[OutputRow]) -> None:
    insert_rows(db, outputs, rows)
    outputs_changed(db, suite_id)


def load_outputs(db: Connection, system_ids: Collection[int]) -> list[OutputRow]:
    """The outputs of some systems."""
    return [tuple(row) for row in db.execute(select(outputs).where(outputs.c.system_id.in_(system_ids)))]


def outputs_changed(db: Connection, suite_id: int) -> None:
    """Tell whoever keeps the outputs of this suite in memory to read them again."""
    db.execute(update(suites).where(suites.c.id == suite_id).values(outputs_changed=next_change(db)))


@dataclass(frozen=True, slots=True)
class ChangeNumbers:
    """The last changes that a transaction can see: any, one to an item, and one that a suite has to be read anew for.

    The last is one of the suite's items as a whole, its systems or outputs; items are those of any suite.
    """

    last: int
    item: int
    whole: int


def change_numbers(db: Connection, suite_id: int) -> ChangeNumbers | None:
    """What tells whether a snapshot is the newest; one statement, since every request asks.

    None where the suite is hidden, or there no more.
    """
    row = db.execute(_change_numbers(), {"suite": suite_id}).first()
    return ChangeNumbers(*(int(number or 0) for number in row)) if row else None


@cache
def _change_numbers() -> Select[Any]:
    last = select(changes.c.number).scalar_subquery()
    item = select(func.max(items.c.changed)).scalar_subquery()
    return select(last, item, suites.c.outputs_changed).where(suites.c.id == bindparam("suite"), suites.c.hidden == "")
