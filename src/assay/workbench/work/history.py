"""Use case: who did what to a suite, the newest first.

page = history(reader, by="anna", kind="undo")
page.entries[0].judged
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, get_args

from assay.errors import UnknownName
from assay.workbench.db.history import (
    HistoryRef,
    JudgedText,
    Kind,
    RevisionMade,
    SampleDrawn,
    SystemsImported,
    brought,
    deeds,
    drawn,
    edited,
    judged,
)
from assay.workbench.db.people import list_users
from assay.workbench.reader import Reader

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Kinds of events; revisions of the suite; systems whose outputs were imported; samples drawn."""

PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One deed, with what it was done to: an event (and the one it takes back), a revision, systems, a draw."""

    deed: HistoryRef
    judged: JudgedText | None = None
    undone: JudgedText | None = None
    edited: RevisionMade | None = None
    brought: SystemsImported | None = None
    drawn: SampleDrawn | None = None


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of the history, counted from 1; `people` are all who could be asked for."""

    entries: Sequence[HistoryEntry]
    people: Sequence[str]
    number: int
    more: bool


def history(reader: Reader, *, by: str = "", kind: str = "", page: int = 1) -> HistoryPage:
    """A page of what was done to a suite, by one person, or of one kind. Whoever looks has seen what others said."""
    db, suite_id = reader.db, reader.snapshot.stored.id
    if kind and kind not in KINDS:
        raise UnknownName("kind", kind, KINDS)
    people = [user.name for user in list_users(db)]
    if by and by not in people:
        raise UnknownName("user", by, people)
    number = max(page, 1)
    found = deeds(db, suite_id, by=by, kind=kind, limit=PAGE + 1, skip=(number - 1) * PAGE)
    shown = found[:PAGE]
    # Also the events that these take back.
    events = judged(db, [deed.id for deed in shown if deed.kind not in ("edit", "outputs", "draw")])
    reader.events([found.event for found in events.values()])
    revisions = edited(db, [deed.id for deed in shown if deed.kind == "edit"])
    systems = brought(db, suite_id) if any(deed.kind == "outputs" for deed in shown) else {}
    samples = drawn(db, [deed.id for deed in shown if deed.kind == "draw"])
    entries = []
    for deed in shown:
        if deed.kind == "edit":
            entries.append(HistoryEntry(deed, edited=revisions[deed.id]))
        elif deed.kind == "outputs":
            entries.append(HistoryEntry(deed, brought=systems[deed.id]))
        elif deed.kind == "draw":
            entries.append(HistoryEntry(deed, drawn=samples[deed.id]))
        else:
            event = events[deed.id]
            entries.append(HistoryEntry(deed, judged=event, undone=events.get(event.event.undoes or 0)))
    return HistoryPage(entries, people, number, len(found) > PAGE)
