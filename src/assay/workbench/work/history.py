"""Use case: who did what to a suite, the newest first.

page = history(reader, by="anna", kind="undo")
page.entries[0].judged
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, get_args

from assay.errors import UnknownName
from assay.workbench.db.history import (
    HiddenTogether,
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
    hidden_together,
    judged,
)
from assay.workbench.db.people import list_users
from assay.workbench.files.history_records import without_folder
from assay.workbench.reader import Reader

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Kinds of events; revisions of the suite; systems whose outputs were imported; samples drawn; what was hidden."""

PAGE: Final = 50
PORTION: Final = 400
"""Entries of the whole history that are read at once."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One deed, with what it was done to.

    That is an event of a text (and the one it takes back), a revision, systems that came, a draw, or what was hidden.
    """

    deed: HistoryRef
    judged: JudgedText | None = None
    undone: JudgedText | None = None
    edited: RevisionMade | None = None
    brought: SystemsImported | None = None
    drawn: SampleDrawn | None = None
    hidden: HiddenTogether | None = None


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of the history, counted from 1; `people` are all who could be asked for."""

    entries: Sequence[HistoryEntry]
    people: Sequence[str]
    number: int
    more: bool


def history(reader: Reader, *, by: str = "", kind: str = "", page: int = 1) -> HistoryPage:
    """A page of what was done to a suite, by one person, or of one kind. Whoever looks has seen what others said."""
    people = _checked(reader, by, kind)
    number = max(page, 1)
    found = deeds(reader.db, reader.snapshot.stored.id, by=by, kind=kind, limit=PAGE + 1, skip=(number - 1) * PAGE)
    return HistoryPage(_entries(reader, found[:PAGE]), people, number, len(found) > PAGE)


def every_entry(reader: Reader, *, by: str = "", kind: str = "") -> Iterator[HistoryEntry]:
    """All of it, the newest first."""
    _checked(reader, by, kind)
    skip = 0
    while found := deeds(reader.db, reader.snapshot.stored.id, by=by, kind=kind, limit=PORTION, skip=skip):
        yield from _entries(reader, found)
        skip += PORTION


def _checked(reader: Reader, by: str, kind: str) -> list[str]:
    """Everybody who could be asked for; refuses names and kinds that are not there."""
    if kind and kind not in KINDS:
        raise UnknownName("kind", kind, KINDS)
    people = [user.name for user in list_users(reader.db)]
    if by and by not in people:
        raise UnknownName("user", by, people)
    return people


def _entries(reader: Reader, shown: Sequence[HistoryRef]) -> list[HistoryEntry]:
    db, suite_id = reader.db, reader.snapshot.stored.id
    # Also the events that these take back.
    events = judged(db, [deed.id for deed in shown if deed.kind not in ("edit", "outputs", "draw", "hiding")])
    reader.events([found.event for found in events.values()])
    revisions = edited(db, [deed.id for deed in shown if deed.kind == "edit"])
    systems = brought(db, suite_id) if any(deed.kind == "outputs" for deed in shown) else {}
    hidden = hidden_together(db, suite_id) if any(deed.kind == "hiding" for deed in shown) else {}
    samples = drawn(db, [deed.id for deed in shown if deed.kind == "draw"])
    entries = []
    for deed in shown:
        if deed.kind == "edit":
            made = revisions[deed.id]
            entries.append(HistoryEntry(deed, edited=replace(made, comment=without_folder(made.comment))))
        elif deed.kind == "outputs":
            entries.append(HistoryEntry(deed, brought=systems[deed.id]))
        elif deed.kind == "hiding":
            entries.append(HistoryEntry(deed, hidden=hidden[deed.id]))
        elif deed.kind == "draw":
            entries.append(HistoryEntry(deed, drawn=samples[deed.id]))
        else:
            event = events[deed.id]
            entries.append(HistoryEntry(deed, judged=event, undone=events.get(event.event.undoes or 0)))
    return entries
