"""What people have seen of texts: who wrote them, a suggestion, how others judged them.

A judgement is blind where nobody could have been led by any of these, so what was seen is kept for good.

    reveal(db, anna, {17: ["systems"], 18: ["systems"]})
    text_state(db, anna, 17).seen      # ("systems",)
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import Connection, Insert, Integer, Row, Select, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

from assay.verdicts.judgements import Event
from assay.workbench.db.judgements import events_beside_texts, texts_beside_events
from assay.workbench.db.schema import items, seen, texts, users
from assay.workbench.files.history_records import SEEN, Seen
from assay.workbench.people.roles import User

AT_ONCE: Final = 500
"""Ids in one statement."""

FEW: Final = 8
"""Texts of most cards."""

_FEW: Final = tuple(f"text_{place}" for place in range(FEW))

Shown = Mapping[int, Iterable[Seen]]
"""Text id -> what is shown of the text."""


@dataclass(frozen=True, slots=True)
class TextState:
    """Everything that happened to a text, in its order, and what one user has seen of it."""

    events: Sequence[Event]
    seen: tuple[Seen, ...]

    @property
    def known(self) -> int:
        """The id of the last event."""
        return max((event.id for event in self.events), default=0)


def text_state(db: Connection, user: User, text_id: int) -> TextState:
    """The state of a text for a user, in one statement, since every judgement asks for it twice.

    Whoever judged a text was then told who wrote it, and the suggestion.
    """
    return _state(db.execute(_text_state(), {"text": text_id, "user": user.id}).all(), user)


def _state(rows: Sequence[Row[Any]], user: User) -> TextState:
    events = events_beside_texts(rows)
    bits = rows[0].what or 0 if rows else 0
    if any(event.by == user.name and event.verdict for event in events):
        bits |= _bits(("systems", "suggestion"))
    return TextState(events, _names(bits))


def text_states(db: Connection, user: User, text_ids: Collection[int]) -> dict[int, TextState]:
    """The same of several texts; texts that are not there are left out."""
    found = {}
    wanted = list(text_ids)
    few = len(wanted) <= FEW
    for start in range(0, len(wanted), AT_ONCE):
        some = wanted[start : start + AT_ONCE]
        given = _few_of(some) if few else {"some": some}
        rows = db.execute(_text_states(few), {"user": user.id, **given}).all()
        for text_id, group in groupby(rows, key=attrgetter("of_text")):
            found[text_id] = _state(list(group), user)
    return found


def _few_of(wanted: Sequence[int]) -> dict[str, int]:
    """A few ids as so many parameters, the last one again in the place of those that are not there."""
    return {name: wanted[min(place, len(wanted) - 1)] for place, name in enumerate(_FEW)}


@cache
def _text_states(few: bool) -> Select[Any]:
    mine = (seen.c.text_id == texts.c.id) & (seen.c.user_id == bindparam("user"))
    # A list of any length is written into the statement anew each time, which takes longer than to ask it.
    some = [bindparam(name) for name in _FEW] if few else bindparam("some", expanding=True)
    beside = texts_beside_events(texts.c.id.label("of_text"), seen.c.what).join(seen, mine, isouter=True)
    return beside.where(texts.c.id.in_(some))


@cache
def _text_state() -> Select[Any]:
    """Made once: putting it together takes longer than the answer."""
    mine = (seen.c.text_id == texts.c.id) & (seen.c.user_id == bindparam("user"))
    return texts_beside_events(seen.c.what).join(seen, mine, isouter=True).where(texts.c.id == bindparam("text"))


def unseen(db: Connection, user: User, shown: Shown) -> dict[int, tuple[Seen, ...]]:
    """What of this a user has not seen before; texts of which they have seen all of it are left out."""
    if not shown:
        return {}
    few = len(shown) <= AT_ONCE
    given = {"user": user.id, "some": list(shown)} if few else {"user": user.id}
    known: dict[int, int] = dict(db.execute(_seen(few), given).all())
    new = ((text_id, _bits(what) & ~known.get(text_id, 0)) for text_id, what in sorted(shown.items()))
    return {text_id: _names(bits) for text_id, bits in new if bits}


@cache
def _seen(of_some: bool) -> Select[Any]:
    mine = select(seen.c.text_id, seen.c.what).where(seen.c.user_id == bindparam("user"))
    return mine.where(seen.c.text_id.in_(bindparam("some", expanding=True))) if of_some else mine


def no_longer_blind(db: Connection, user: User) -> frozenset[int]:
    """Texts of which a user has seen who wrote them, or what others say of them."""
    telling = _bits(("systems", "judgements"))
    return frozenset(text_id for text_id, bits in db.execute(_seen(of_some=False), {"user": user.id}) if bits & telling)


def still_blind(db: Connection, user: User, text_ids: Collection[int]) -> frozenset[int]:
    """Those of these texts of which a user has seen neither who wrote them nor what others say of them."""
    if not text_ids:
        return frozenset()
    few = len(text_ids) <= AT_ONCE
    given = {"user": user.id, "some": list(text_ids)} if few else {"user": user.id}
    telling = _bits(("systems", "judgements"))
    return frozenset(text_ids) - {text_id for text_id, bits in db.execute(_seen(few), given) if bits & telling}


def reveal(db: Connection, user: User, shown: Shown) -> None:
    """Keep what a user sees of some texts, beside what they have seen before."""
    groups: dict[int, list[int]] = defaultdict(list)
    for text_id, what in shown.items():
        groups[_bits(what)].append(text_id)
    for bits, ids in groups.items():
        for start in range(0, len(ids), AT_ONCE):
            db.execute(_add(db.dialect.name), {"user": user.id, "bits": bits, "some": ids[start : start + AT_ONCE]})


@cache
def _add(dialect: str) -> Insert:
    given = bindparam("user", type_=Integer), texts.c.id, bindparam("bits", type_=Integer)
    found = select(*given).where(texts.c.id.in_(bindparam("some", expanding=True)))
    insert = (sqlite if dialect == "sqlite" else postgresql).insert(seen)
    both = {"what": seen.c.what.op("|")(insert.excluded.what)}
    new = insert.from_select(["user_id", "text_id", "what"], found)
    added: Insert = new.on_conflict_do_update(index_elements=["user_id", "text_id"], set_=both)
    return added


def all_seen(db: Connection, suite_id: int) -> Iterator[tuple[int, str, tuple[Seen, ...]]]:
    """(text id, user, what they have seen of it) of a suite."""
    query = (
        select(seen.c.text_id, users.c.name, seen.c.what)
        .select_from(seen.join(users).join(texts).join(items))
        .where(items.c.suite_id == suite_id)
    )
    for text_id, name, bits in db.execute(query):
        yield text_id, name, _names(bits)


def _bits(what: Iterable[Seen]) -> int:
    return sum(1 << SEEN.index(name) for name in set(what))


def _names(bits: int) -> tuple[Seen, ...]:
    return tuple(name for place, name in enumerate(SEEN) if bits & 1 << place)
