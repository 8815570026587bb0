"""What people have seen of texts: who wrote them, a suggestion, how others judged them.

A judgement is blind where nobody could have been led by any of these, so what was seen is kept for good.

    reveal(db, anna, [17, 18], ["systems"])
    revealed(db, anna, 17)      # ("systems",)
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from sqlalchemy import Connection, Select, literal, select
from sqlalchemy.dialects import postgresql, sqlite

from assay.workbench.db.schema import items, judgements, seen, texts, users
from assay.workbench.files.history_records import SEEN, Seen
from assay.workbench.people.roles import User

AT_ONCE: Final = 500
"""Ids in one statement."""


def unseen(db: Connection, user: User, text_ids: Iterable[int], what: Iterable[Seen]) -> list[int]:
    """The texts among these of which a user has not yet seen all that is named."""
    wanted, bits = set(text_ids), _bits(what)
    if not wanted:
        return []
    query = select(seen.c.text_id).where(seen.c.user_id == user.id, seen.c.what.op("&")(bits) == bits)
    if len(wanted) <= AT_ONCE:
        query = query.where(seen.c.text_id.in_(wanted))
    return sorted(wanted.difference(db.execute(query).scalars()))


def reveal(db: Connection, user: User, text_ids: Collection[int], what: Iterable[Seen]) -> None:
    """Keep what a user sees of some texts, beside what they have seen before."""
    bits = _bits(what)
    ids = list(text_ids)
    for start in range(0, len(ids), AT_ONCE):
        found = select(literal(user.id), texts.c.id, literal(bits)).where(texts.c.id.in_(ids[start : start + AT_ONCE]))
        _add(db, found)


def _add(db: Connection, found: Select[Any]) -> None:
    dialect = sqlite if db.dialect.name == "sqlite" else postgresql
    insert = dialect.insert(seen).from_select(["user_id", "text_id", "what"], found)
    both = seen.c.what.op("|")(insert.excluded.what)
    db.execute(insert.on_conflict_do_update(index_elements=["user_id", "text_id"], set_={"what": both}))


def revealed(db: Connection, user: User, text_id: int) -> tuple[Seen, ...]:
    """What a user has seen of a text. Whoever judged it was then told who wrote it, and the suggestion."""
    bits = db.execute(select(seen.c.what).where(seen.c.user_id == user.id, seen.c.text_id == text_id)).scalar() or 0
    judged = select(judgements.c.id).where(
        judgements.c.text_id == text_id, judgements.c.user_id == user.id, judgements.c.verdict.is_not(None)
    )
    if db.execute(judged.limit(1)).first():
        bits |= _bits(("systems", "suggestion"))
    return _names(bits)


def all_seen(db: Connection, suite_id: int) -> Iterator[tuple[int, str, tuple[Seen, ...]]]:
    """(text id, user, what they have seen of it) of a suite."""
    query = (
        select(seen.c.text_id, users.c.name, seen.c.what)
        .join(users, users.c.id == seen.c.user_id)
        .join(texts, texts.c.id == seen.c.text_id)
        .join(items, items.c.id == texts.c.item_id)
        .where(items.c.suite_id == suite_id)
    )
    for text_id, name, bits in db.execute(query):
        yield text_id, name, _names(bits)


def _bits(what: Iterable[Seen]) -> int:
    return sum(1 << SEEN.index(name) for name in set(what))


def _names(bits: int) -> tuple[Seen, ...]:
    return tuple(name for place, name in enumerate(SEEN) if bits & 1 << place)
