"""Judgements: events that are only ever added, and what they settle."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, insert, select, update

from assay.model import Event, Settlement, User, Verdict, settle_events
from assay.store.clock import now
from assay.store.database import next_change
from assay.store.schema import items, judgements, texts, users

_CODES: Final = {"pass": Verdict.PASS, "fail": Verdict.FAIL, None: None}


def record(db: Connection, event: Event, user: User, *, moment: str | None = None) -> Event:
    """Add an event (its id, name and times are set here) and settle its text anew, in one transaction."""
    created = moment or now()
    db.execute(select(texts.c.id).where(texts.c.id == event.text_id).with_for_update()).scalar_one()
    event_id = db.execute(
        insert(judgements)
        .values(
            text_id=event.text_id,
            user_id=user.id,
            kind=event.kind,
            verdict=event.verdict,
            comment=event.comment,
            acceptability=event.acceptability,
            tags=list(event.tags),
            blind=event.blind,
            seen=list(event.seen),
            undoes=event.undoes,
            dated=event.dated or created[:10],
            created=created,
        )
        .returning(judgements.c.id)
    ).scalar_one()
    settle(db, [event.text_id])
    return event._replace(id=int(event_id), by=user.name, dated=event.dated or created[:10], created=created)


def record_many(db: Connection, events: Sequence[tuple[Event, int]]) -> None:
    """Events read from a file, each with the id of its user. They take back nothing: `undo` needs `record`."""
    if not events:
        return
    created = now()
    db.execute(
        insert(judgements),
        [
            {
                "text_id": event.text_id,
                "user_id": user_id,
                "kind": event.kind,
                "verdict": event.verdict,
                "comment": event.comment,
                "acceptability": event.acceptability,
                "tags": list(event.tags),
                "blind": event.blind,
                "seen": list(event.seen),
                "undoes": None,
                "dated": event.dated,
                "created": event.created or created,
            }
            for event, user_id in events
        ],
    )
    settle(db, {event.text_id for event, _ in events})


def settle(db: Connection, text_ids: Collection[int]) -> None:
    """Work out anew what the judgements of these texts come to."""
    change = next_change(db)
    found = settlements(db, text_ids)
    for text_id in text_ids:
        settlement = found.get(text_id) or settle_events(())
        db.execute(
            update(texts)
            .where(texts.c.id == text_id)
            .values(settled=_CODES[settlement.verdict], disputed=settlement.disputed, changed=change)
        )


def settlements(db: Connection, text_ids: Collection[int]) -> dict[int, Settlement]:
    """Text id -> what its judgements come to; texts without any event are left out."""
    by_text: dict[int, list[Event]] = {}
    wanted = list(text_ids)
    for start in range(0, len(wanted), 500):
        for event in _events(db, _query().where(judgements.c.text_id.in_(wanted[start : start + 500]))):
            by_text.setdefault(event.text_id, []).append(event)
    return {text_id: settle_events(events) for text_id, events in by_text.items()}


def events_of(db: Connection, text_id: int) -> list[Event]:
    """Everything that happened to a text, in its order."""
    return _events(db, _query().where(judgements.c.text_id == text_id))


def suite_events(db: Connection, suite_id: int) -> list[Event]:
    """Everything that happened in a suite, in its order."""
    query = _query().join(texts, texts.c.id == judgements.c.text_id).join(items, items.c.id == texts.c.item_id)
    return _events(db, query.where(items.c.suite_id == suite_id))


def last_event(db: Connection, user: User) -> Event | None:
    """What this user did last and can take back: the newest of their events that was not."""
    undone = select(judgements.c.undoes).where(judgements.c.undoes.is_not(None), judgements.c.user_id == user.id)
    query = (
        _query()
        .where(judgements.c.user_id == user.id, judgements.c.kind.not_in(("undo", "import")))
        .where(judgements.c.id.not_in(undone))
        .order_by(None)
        .order_by(judgements.c.id.desc())
        .limit(1)
    )
    found = _events(db, query)
    return found[0] if found else None


def _query() -> Select[Any]:
    return select(judgements, users.c.name).join(users, users.c.id == judgements.c.user_id).order_by(judgements.c.id)


def _events(db: Connection, query: Select[Any]) -> list[Event]:
    return [_event(row) for row in db.execute(query)]


def _event(row: Row[Any]) -> Event:
    return Event(
        id=row.id,
        text_id=row.text_id,
        by=row.name,
        kind=row.kind,
        verdict=row.verdict,
        comment=row.comment,
        acceptability=row.acceptability,
        tags=tuple(row.tags),
        blind=row.blind,
        seen=tuple(row.seen),
        undoes=row.undoes,
        dated=row.dated,
        created=row.created,
    )


def names(events: Iterable[Event]) -> list[str]:
    """Everybody who judged, in order of appearance."""
    return list(dict.fromkeys(event.by for event in events if event.verdict))


def skipped_by(db: Connection, user: User) -> set[int]:
    """The texts that a user skipped."""
    undone = select(judgements.c.undoes).where(judgements.c.undoes.is_not(None), judgements.c.user_id == user.id)
    query = select(judgements.c.text_id).where(
        judgements.c.user_id == user.id, judgements.c.kind == "skip", judgements.c.id.not_in(undone)
    )
    return set(db.execute(query).scalars())
