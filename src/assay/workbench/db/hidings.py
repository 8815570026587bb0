"""What is hidden: systems and suites that count nowhere and can be brought back, or deleted for good.

    hide_systems(db, suite_id, [3, 4], user, hidden=True)
    hidden_systems(db, suite_id)[0].by

Hiding is an event, like a judgement: rows are only ever added. What is hidden now stands with the system, or the suite.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, except_, func, insert, or_, select, update

from assay.outputs import System
from assay.workbench.db.clock import now
from assay.workbench.db.outputs import list_systems, outputs_changed, remove_system
from assay.workbench.db.schema import (
    draw_texts,
    hidings,
    judgements,
    metadata,
    outputs,
    seen,
    suites,
    systems,
    texts,
    users,
)
from assay.workbench.files.history_records import PastHiding
from assay.workbench.people.roles import User


@dataclass(frozen=True, slots=True)
class HiddenSystem:
    """A system that is hidden: its outputs, who hid it, and when."""

    system: System
    outputs: int
    by: str
    hidden: str


@dataclass(frozen=True, slots=True)
class HiddenSuite:
    """A suite that is hidden, who hid it, and when."""

    name: str
    langpair: str
    by: str
    hidden: str


def hide_systems(db: Connection, suite_id: int, system_ids: Collection[int], user: User, *, hidden: bool) -> None:
    """Hide systems, or bring them back. The suite is read anew: what they wrote counts nowhere, or again."""
    moment = now()
    rows = [_row(suite_id, system_id, user.id, moment, hidden=hidden) for system_id in system_ids]
    db.execute(insert(hidings), rows)
    db.execute(update(systems).where(systems.c.id.in_(system_ids)).values(hidden=moment if hidden else ""))
    outputs_changed(db, suite_id)


def hide_suite(db: Connection, suite_id: int, user: User, *, hidden: bool) -> None:
    """Hide a suite, or bring it back."""
    moment = now()
    db.execute(insert(hidings), [_row(suite_id, None, user.id, moment, hidden=hidden)])
    db.execute(update(suites).where(suites.c.id == suite_id).values(hidden=moment if hidden else ""))
    outputs_changed(db, suite_id)


def _row(suite_id: int, system_id: int | None, user_id: int, created: str, *, hidden: bool) -> dict[str, Any]:
    return {
        "suite_id": suite_id,
        "system_id": system_id,
        "user_id": user_id,
        "created": created,
        "hidden": hidden,
    }


def hidden_systems(db: Connection, suite_id: int) -> list[HiddenSystem]:
    """The systems of a suite that are hidden now, in the order of their import."""
    found = [stored for stored in list_systems(db, suite_id, hidden=True) if stored.hidden]
    if not found:
        return []
    counted = select(outputs.c.system_id, func.count()).group_by(outputs.c.system_id)
    numbers: dict[int, int] = dict(db.execute(counted.where(outputs.c.system_id.in_([one.id for one in found]))).all())
    by = _last_hidden(db, hidings.c.system_id, hidings.c.suite_id == suite_id)
    return [HiddenSystem(one.system, numbers.get(one.id, 0), by.get(one.id, ""), one.hidden) for one in found]


def hidden_suites(db: Connection) -> list[HiddenSuite]:
    """The suites that are hidden now."""
    rows = db.execute(select(suites).where(suites.c.hidden != "").order_by(suites.c.name)).all()
    by = _last_hidden(db, hidings.c.suite_id, hidings.c.system_id.is_(None)) if rows else {}
    return [HiddenSuite(row.name, row.langpair, by.get(row.id, ""), row.hidden) for row in rows]


def _last_hidden(db: Connection, whose: ColumnElement[Any], those: ColumnElement[bool]) -> dict[int, str]:
    """Id -> who hid it last."""
    query = select(whose, users.c.name).select_from(hidings).join(users).where(those).order_by(hidings.c.id)
    return {number: name for number, name in db.execute(query) if number is not None}


def any_suite(db: Connection, name: str) -> tuple[int, bool] | None:
    """The id of a suite, and whether it is hidden; None where there is none of this name."""
    row = db.execute(select(suites.c.id, suites.c.hidden).where(suites.c.name == name)).first()
    return (row.id, bool(row.hidden)) if row else None


def hidden_texts(db: Connection, suite_id: int) -> frozenset[int]:
    """The texts that only hidden systems wrote, and that nobody did anything with."""
    hidden = select(systems.c.id).where(systems.c.suite_id == suite_id, systems.c.hidden != "")
    ids = list(db.execute(hidden).scalars())
    if not ids:
        return frozenset()
    theirs = select(outputs.c.text_id).where(outputs.c.system_id.in_(ids))
    others = select(outputs.c.text_id).join(systems).where(systems.c.suite_id == suite_id, systems.c.hidden == "")
    return frozenset(db.execute(except_(theirs, others, select(judgements.c.text_id))).scalars())


# In exports


def all_hidings(db: Connection, suite_id: int) -> tuple[PastHiding, ...]:
    """Everything that was hidden in a suite and brought back, in its order."""
    known = {stored.id: stored.system for stored in list_systems(db, suite_id, hidden=True)}
    query = select(hidings, users.c.name.label("by")).select_from(hidings).join(users)
    rows = db.execute(query.where(hidings.c.suite_id == suite_id).order_by(hidings.c.id))
    return tuple(PastHiding(known.get(row.system_id), row.by, row.created, row.hidden) for row in rows)


def add_hiding(db: Connection, suite_id: int, system_id: int | None, user: User, past: PastHiding) -> None:
    """What was hidden, or brought back, in the database that a suite comes from."""
    db.execute(insert(hidings), [_row(suite_id, system_id, user.id, past.created, hidden=past.hidden)])
    table, number = (suites, suite_id) if system_id is None else (systems, system_id)
    db.execute(update(table).where(table.c.id == number).values(hidden=past.created if past.hidden else ""))


# For good


def delete_systems(db: Connection, suite_id: int, system_ids: Collection[int]) -> None:
    """Delete systems with their outputs, and the texts that nobody else wrote, judged or drew."""
    written = select(outputs.c.text_id).where(outputs.c.system_id.in_(system_ids))
    ids = set(db.execute(written).scalars())
    for system_id in system_ids:
        remove_system(db, suite_id, system_id)
    for table in (outputs, judgements, draw_texts):
        ids -= set(_among(db, table, ids))
    for column in (seen.c.text_id, texts.c.id):
        for some in _parts(ids):
            db.execute(delete(column.table).where(column.in_(some)))


def _among(db: Connection, table: Table, ids: Collection[int]) -> set[int]:
    column = table.c.text_id
    return {found for some in _parts(ids) for found in db.execute(select(column).where(column.in_(some))).scalars()}


def _parts(ids: Collection[int]) -> list[list[int]]:
    """At most 500 at a time, as SQLite takes them."""
    every = sorted(ids)
    return [every[start : start + 500] for start in range(0, len(every), 500)]


def delete_suite(db: Connection, suite_id: int) -> None:
    """Delete a suite with everything that belongs to it: whatever table refers to it, through whichever others."""
    own: dict[Table, ColumnElement[bool]] = {suites: suites.c.id == suite_id}
    for table in metadata.sorted_tables:
        # All ways: a row may leave one of them open, as a hiding of the suite itself has no system.
        ways = [
            key.parent.in_(select(key.column).where(own[target]))
            for key in table.foreign_keys
            if (target := key.column.table) in own and target is not table
        ]
        if ways:
            own[table] = or_(*ways)
    for table in reversed(metadata.sorted_tables):
        if table in own:
            db.execute(delete(table).where(own[table]))
