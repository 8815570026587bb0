"""Judgements: events that are only ever added, and what they settle."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, Row, Select, Update, bindparam, func, insert, select, update
from sqlalchemy.sql.dml import ReturningInsert

from assay.verdicts import Verdict
from assay.verdicts.judgements import Event, Settlement, settle_events
from assay.workbench.db.bulk import update_rows
from assay.workbench.db.clock import now
from assay.workbench.db.database import next_change
from assay.workbench.db.outputs import TextRow, text_row
from assay.workbench.db.schema import items, judgements, texts, users
from assay.workbench.people.roles import User

_CODES: Final = {"pass": Verdict.PASS, "fail": Verdict.FAIL, None: None}

_KEPT: Final = tuple(field.name for field in fields(Event) if field.name not in ("id", "by"))
"""What a row of `judgements` has under the name that it has in an `Event`."""

EVENT: Final = (judgements.c.id.label("event_id"), users.c.name.label("by"), *(judgements.c[name] for name in _KEPT))
"""The columns of an event; `event_of` reads a row with them."""

_QUICK: Final = tuple(column for column in EVENT if column.name not in ("tags", "seen", "dated"))


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event that was added, what its text's events come to now, and the number of this change."""

    event: Event
    settlement: Settlement
    change: int


def record(db: Connection, event: Event, user: User, before: Sequence[Event] | None = None) -> RecordedEvent:
    """Add an event (its id, name and times are set here) and settle its text anew, in one transaction.

    `before` are the events of the text so far, where somebody has read them already. Writers take turns, so nobody adds
    one in between.
    """
    created = now()
    known = events_of(db, event.text_id) if before is None else before
    event = replace(event, by=user.name, dated=event.dated or created[:10], created=created)
    event = replace(event, id=add_event(db, event, user))
    settlement, change = settle_events([*known, event]), next_change(db)
    _set_settled(db, event.text_id, settlement, change)
    return RecordedEvent(event, settlement, change)


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """The events of one decision, what the events of each text come to now, and the number of this change."""

    events: Sequence[Event]
    settlements: Mapping[int, Settlement]
    change: int


def record_together(
    db: Connection, events: Sequence[Event], user: User, before: Mapping[int, Sequence[Event]]
) -> RecordedDecision:
    """Add the events of one decision, one a text, and settle the texts anew: a few statements, however many they are.

    They have one time, by which `last_decision` finds them together. `before` are the events of each text so far.
    """
    created = now()
    dated = [replace(event, by=user.name, dated=event.dated or created[:10], created=created) for event in events]
    # In the order of the events, or ids and texts would not fit together.
    added = insert(judgements).returning(judgements.c.id, sort_by_parameter_order=True)
    ids = db.execute(added, [_values(event, user.id) for event in dated]).scalars().all()
    done = [replace(event, id=number) for event, number in zip(dated, ids, strict=True)]
    settled = {event.text_id: settle_events([*before.get(event.text_id, ()), event]) for event in done}
    change = next_change(db)
    update_rows(
        db,
        texts,
        ("settled", "disputed", "changed"),
        [(_CODES[found.verdict], found.disputed, change, text_id) for text_id, found in settled.items()],
    )
    return RecordedDecision(done, settled, change)


def add_event(db: Connection, event: Event, user: User) -> int:
    """Add an event as it is and return its id; its text has to be settled afterwards."""
    return int(db.execute(_add_event(), _values(event, user.id)).scalar_one())


@cache
def _add_event() -> ReturningInsert[Any]:
    """Made once, like all statements of a judgement: SQLAlchemy takes longer to put one together than the database."""
    return insert(judgements).returning(judgements.c.id)


def record_many(db: Connection, events: Sequence[tuple[Event, int]]) -> None:
    """Events read from a file, each with the id of its user. They take back nothing: `undo` needs `record`."""
    if not events:
        return
    created = now()
    db.execute(
        insert(judgements),
        [_values(replace(event, created=event.created or created, undoes=None), user_id) for event, user_id in events],
    )
    settle(db, {event.text_id for event, _ in events})


def _values(event: Event, user_id: int) -> dict[str, Any]:
    """The columns of an event; its name is that of the user."""
    return {"user_id": user_id, **{name: getattr(event, name) for name in _KEPT}}


def settle(db: Connection, text_ids: Collection[int]) -> None:
    """Work out anew what the judgements of these texts come to."""
    if not text_ids:
        return
    change = next_change(db)
    found = settlements(db, text_ids)
    for text_id in text_ids:
        _set_settled(db, text_id, found.get(text_id) or settle_events(()), change)


def _set_settled(db: Connection, text_id: int, settlement: Settlement, change: int) -> None:
    settled = {"settled": _CODES[settlement.verdict], "disputed": settlement.disputed, "changed": change}
    db.execute(_settle_text(), {"text": text_id, **settled})


@cache
def _settle_text() -> Update:
    return update(texts).where(texts.c.id == bindparam("text"))


def settlements(db: Connection, text_ids: Collection[int]) -> dict[int, Settlement]:
    """Text id -> what its judgements come to; texts without any event are left out."""
    return {text_id: settle_events(events) for text_id, events in events_of_texts(db, text_ids).items()}


def skipped_texts(db: Connection, suite_id: int) -> set[int]:
    """The texts of a suite that somebody ever skipped, or asked about."""
    kinds = judgements.c.kind.in_(("skip", "question"))
    skips = in_suite(suite_id).where(kinds).with_only_columns(judgements.c.text_id).order_by(None)
    return set(db.execute(skips).scalars())


def events_of_texts(db: Connection, text_ids: Collection[int]) -> dict[int, list[Event]]:
    """Text id -> everything that happened to it, in its order; texts without any event are left out."""
    by_text: dict[int, list[Event]] = {}
    wanted = list(text_ids)
    for start in range(0, len(wanted), 500):
        for event in _events(db, every_event().where(judgements.c.text_id.in_(wanted[start : start + 500]))):
            by_text.setdefault(event.text_id, []).append(event)
    return by_text


def changed_texts(db: Connection, since: int) -> list[tuple[TextRow, Settlement | None]]:
    """The texts, of any suite, that changed after the change with this number, with what their events come to."""
    # Without a join to the items, since SQLite would then read the whole suite instead of the index.
    query = texts_beside_events(texts).where(texts.c.changed > since)
    found = []
    for _, group in groupby(db.execute(query), key=attrgetter("id")):
        rows = list(group)
        events = events_beside_texts(rows)
        found.append((text_row(rows[0]), settle_events(events) if events else None))
    return found


def texts_beside_events(*columns: Any) -> Select[Any]:
    """Columns of texts with those of their events, in their order."""
    joined = texts.outerjoin(judgements).outerjoin(users)
    return select(*columns, *EVENT).select_from(joined).order_by(texts.c.id, judgements.c.id)


def events_beside_texts(rows: Iterable[Row[Any]]) -> list[Event]:
    """The events; a text that nothing happened to has one row, without an event."""
    return [event_of(row) for row in rows if row.event_id is not None]


def events_of(db: Connection, text_id: int) -> list[Event]:
    """Everything that happened to a text, in its order."""
    return _events(db, every_event().where(judgements.c.text_id == text_id))


def suite_events(db: Connection, suite_id: int) -> list[Event]:
    """Everything that happened in a suite, in its order."""
    return _events(db, in_suite(suite_id))


def last_event(db: Connection, user: User, suite_id: int | None = None) -> Event | None:
    """What this user did last (in a suite) and can take back: the newest of their events that was not."""
    given = {"user": user.id} if suite_id is None else {"user": user.id, "suite": suite_id}
    row = db.execute(_last_event(suite_id is not None), given).first()
    return event_of(row) if row else None


@cache
def _last_event(of_suite: bool) -> Select[Any]:
    mine = judgements.c.user_id == bindparam("user")
    undone = select(judgements.c.undoes).where(judgements.c.undoes.is_not(None), mine)
    return (
        (in_suite(bindparam("suite")) if of_suite else every_event())
        .where(mine, judgements.c.kind.not_in(("undo", "import")))
        .where(judgements.c.id.not_in(undone))
        .order_by(None)
        .order_by(judgements.c.id.desc())
        .limit(1)
    )


def last_decision(db: Connection, user: User, suite_id: int | None = None) -> list[Event]:
    """The events of what this user did last (in a suite) and can take back.

    Several where one decision settled several.
    """
    last = last_event(db, user, suite_id)
    if last is None or not last.origin:
        return [] if last is None else [last]
    mine = (judgements.c.user_id == user.id) & (judgements.c.created == last.created)
    together = _events(db, every_event().where(mine, judgements.c.kind.not_in(("undo", "import"))))
    undone = select(judgements.c.undoes).where(judgements.c.undoes.in_([event.id for event in together]))
    gone = set(db.execute(undone).scalars())
    return [event for event in together if event.id not in gone]


def every_event() -> Select[Any]:
    """All events with the names of who did them, in their order."""
    return select(*EVENT).select_from(judgements).join(users).order_by(judgements.c.id)


def in_suite(suite_id: int | BindParameter[int]) -> Select[Any]:
    """The events of a suite, in their order."""
    return every_event().join(texts).join(items).where(items.c.suite_id == suite_id)


def _events(db: Connection, query: Select[Any]) -> list[Event]:
    return [event_of(row) for row in db.execute(query)]


def event_of(row: Row[Any]) -> Event:
    """The event of a row that has the columns `EVENT`."""
    kept = {name: getattr(row, name) for name in _KEPT}
    return Event(id=row.event_id, by=row.by, **kept | {"tags": tuple(row.tags), "seen": tuple(row.seen)})


@dataclass(frozen=True, slots=True)
class OwnWork:
    """What one person did in a suite: what they skipped and did not take back, and their last events."""

    skips: Sequence[Event] = ()
    recent: Sequence[Event] = ()

    @property
    def skipped(self) -> dict[int, int]:
        """The texts they skipped -> the event by which they last did.

        What they took out of a list is not left for later.
        """
        return {event.text_id: event.id for event in self.skips if not event.origin}

    @property
    def last(self) -> int:
        """The id of the last event, 0 where there is none."""
        return self.recent[-1].id if self.recent else 0


NOTHING_DONE: Final = OwnWork()


def own_work(db: Connection, suite_id: int, user: User, limit: int, known: OwnWork = NOTHING_DONE) -> OwnWork:
    """What a user skipped, and what they did last, in its order, without tags and what was seen.

    One statement, since every text of the queue asks for both. Of whom something is `known`, only what is new is read.
    """
    given = {"suite": suite_id, "user": user.id}
    query, more = (_newer_work(), {"last": known.last}) if known.last else (_own_work(), {"most": limit})
    events = _without_lists(db.execute(query, given | more))
    if not events:
        return known
    undone = {event.undoes for event in events}
    skips = [event for event in (*known.skips, *events) if event.kind == "skip" and event.id not in undone]
    # The last ones are all there, whatever their kind, and what is older stands before them.
    return OwnWork(skips, [*known.recent, *events][-limit:])


def _by_user() -> Select[Any]:
    return in_suite(bindparam("suite")).where(judgements.c.user_id == bindparam("user"))


@cache
def _newer_work() -> Select[Any]:
    return _by_user().where(judgements.c.id > bindparam("last")).with_only_columns(*_QUICK)


@cache
def _own_work() -> Select[Any]:
    mine = _by_user()
    newest = mine.with_only_columns(judgements.c.id).order_by(None).order_by(judgements.c.id.desc())
    last = newest.limit(bindparam("most"))
    return mine.where(judgements.c.kind.in_(("skip", "undo")) | judgements.c.id.in_(last)).with_only_columns(*_QUICK)


def work_events(db: Connection, suite_id: int) -> list[Event]:
    """Everything that people did in a suite, in its order, without tags and what was seen.

    Judgements that were read from files are left out.
    """
    return _quickly(db, in_suite(suite_id).where(judgements.c.kind != "import"))


def shared_events(db: Connection, suite_id: int) -> list[Event]:
    """Everything that happened to the texts of a suite that two people or more judged, as above."""
    several = (
        select(judgements.c.text_id)
        .where(judgements.c.kind == "judgement")
        .group_by(judgements.c.text_id)
        .having(func.count(judgements.c.user_id.distinct()) > 1)
    )
    return _quickly(db, in_suite(suite_id).where(judgements.c.text_id.in_(several)))


def _quickly(db: Connection, query: Select[Any]) -> list[Event]:
    """Many events, without the lists in them: taking these apart would be half of the time."""
    return _without_lists(db.execute(query.with_only_columns(*_QUICK)))


def _without_lists(rows: Iterable[Any]) -> list[Event]:
    return [
        Event(
            number,
            text_id,
            by,
            kind,
            verdict,
            comment,
            value,
            blind=blind,
            undoes=undoes,
            created=created,
            origin=origin,
        )
        for number, by, text_id, kind, verdict, comment, value, blind, undoes, created, origin in rows
    ]
