"""Draws: samples of the texts of a suite that were undecided.

Kept are the seed, and the texts with their sizes; priorities, and with them the order, follow from these.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, insert, select

from assay.stats.priorities import permanent_numbers
from assay.verdicts.draw import Draw, DrawnText
from assay.workbench.db.bulk import insert_rows
from assay.workbench.db.clock import now
from assay.workbench.db.outputs import outputs_changed
from assay.workbench.db.schema import draw_texts, draws, items, suites, texts, users
from assay.workbench.files.history_records import PastDraw
from assay.workbench.people.roles import User


@dataclass(frozen=True)
class StoredDraw:
    """A draw of the outputs of some campaigns, who made it, and when; `text_ids` are those of its texts."""

    id: int
    by: str
    created: str
    campaigns: tuple[str, ...]
    draw: Draw
    text_ids: tuple[int, ...]


def newest_draws(db: Connection, suite_id: int) -> list[StoredDraw]:
    """The draws that are not of the same campaigns as a later one, the newest first."""
    rows = db.execute(_draws(suite_id).order_by(draws.c.id.desc())).all()
    newest: dict[frozenset[str], Row[Any]] = {}
    for row in rows:
        newest.setdefault(frozenset(row.campaigns), row)
    return [_stored(db, row) for row in newest.values()]


def all_draws(db: Connection, suite_id: int) -> tuple[PastDraw, ...]:
    """Every draw of a suite, in the order in which they were made."""
    found = (_stored(db, row) for row in db.execute(_draws(suite_id).order_by(draws.c.id)).all())
    return tuple(
        PastDraw(
            stored.by,
            stored.created,
            stored.draw.seed,
            stored.campaigns,
            stored.draw.systems,
            tuple((text.item, text.text, text.size) for text in stored.draw.texts),
        )
        for stored in found
    )


def _draws(suite_id: int) -> Select[Any]:
    names = (users.c.name.label("by"), suites.c.name.label("suite"))
    return select(draws, *names).select_from(draws.join(users).join(suites)).where(draws.c.suite_id == suite_id)


def _stored(db: Connection, row: Row[Any]) -> StoredDraw:
    query = (
        select(texts.c.id, items.c.key, texts.c.value, draw_texts.c.size)
        .select_from(draw_texts.join(texts).join(items))
        .where(draw_texts.c.draw_id == row.id)
        .order_by(texts.c.id)
    )
    found = db.execute(query).all()
    numbers = permanent_numbers(row.seed, [(key, value) for _, key, value, _ in found])
    drawn = [
        (text_id, DrawnText(key, value, size, float(size / number)))
        for (text_id, key, value, size), number in zip(found, numbers, strict=True)
    ]
    drawn.sort(key=lambda entry: -entry[1].priority)
    draw = Draw(row.suite, row.seed, tuple(row.systems), tuple(text for _, text in drawn))
    ids = tuple(text_id for text_id, _ in drawn)
    return StoredDraw(row.id, row.by, row.created, tuple(row.campaigns), draw, ids)


def next_seed(db: Connection, suite_id: int) -> int:
    """A seed that no draw of the suite had.

    What is left of a draw has the smallest of its priorities: with the same numbers it would never come first again.
    """
    used = db.execute(select(draws.c.seed).where(draws.c.suite_id == suite_id)).scalars()
    return max(used, default=0) + 1


def add_draw(db: Connection, suite_id: int, user: User, past: PastDraw, text_ids: Sequence[int]) -> None:
    """Keep a draw; without a moment it is made now."""
    made = insert(draws).values(
        suite_id=suite_id,
        user_id=user.id,
        created=past.created or now(),
        seed=past.seed,
        campaigns=list(past.campaigns),
        systems=list(past.systems),
    )
    draw_id = db.execute(made.returning(draws.c.id)).scalar_one()
    sizes = (size for _, _, size in past.texts)
    insert_rows(db, draw_texts, ((draw_id, text_id, size) for text_id, size in zip(text_ids, sizes, strict=True)))
    outputs_changed(db, suite_id)
