"""Use case: who did what to a suite, the newest first.

page = history(store, "assay-de-en", by="anna", kind="undo")
page.entries[0].what
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from assay.errors import UnknownName
from assay.workbench.db.database import Store
from assay.workbench.db.history import (
    HistoryRef,
    JudgedText,
    RevisionMade,
    SystemsImported,
    brought,
    deeds,
    edited,
    judged,
)
from assay.workbench.db.people import list_users
from assay.workbench.db.suites import find_suite
from assay.workbench.people.roles import User

Kind = Literal["judgement", "skip", "undo", "adjudication", "import", "edit", "outputs"]

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Kinds of events; revisions of the suite; systems whose outputs were imported."""

PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One deed, with what it was done to: an event of a text (and the one it takes back), a revision, or systems."""

    deed: HistoryRef
    judged: JudgedText | None = None
    undone: JudgedText | None = None
    edited: RevisionMade | None = None
    brought: SystemsImported | None = None


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of the history, counted from 1; `people` are all who could be asked for."""

    entries: Sequence[HistoryEntry]
    people: Sequence[str]
    number: int
    more: bool

    def texts_of_others(self, user: User) -> list[int]:
        """The texts of which the page says how somebody else judged them."""
        told = [found.event for entry in self.entries for found in (entry.judged, entry.undone) if found]
        return [event.text_id for event in told if event.verdict and event.by != user.name]


def history(store: Store, suite: str, *, by: str = "", kind: str = "", page: int = 1) -> HistoryPage:
    """A page of what was done to a suite, by one person, or of one kind."""
    if kind and kind not in KINDS:
        raise UnknownName("kind", kind, KINDS)
    with store.reading() as db:
        people = [user.name for user in list_users(db)]
        if by and by not in people:
            raise UnknownName("user", by, people)
        suite_id = find_suite(db, suite).id
        number = max(page, 1)
        found = deeds(db, suite_id, by=by, kind=kind, limit=PAGE + 1, skip=(number - 1) * PAGE)
        shown = found[:PAGE]
        events = judged(db, [deed.id for deed in shown if deed.kind not in ("edit", "outputs")])
        revisions = edited(db, [deed.id for deed in shown if deed.kind == "edit"])
        systems = brought(db, suite_id) if any(deed.kind == "outputs" for deed in shown) else {}
    entries = []
    for deed in shown:
        if deed.kind == "edit":
            entries.append(HistoryEntry(deed, edited=revisions[deed.id]))
        elif deed.kind == "outputs":
            entries.append(HistoryEntry(deed, brought=systems[deed.id]))
        else:
            event = events[deed.id]
            entries.append(HistoryEntry(deed, judged=event, undone=events.get(event.event.undoes or 0)))
    return HistoryPage(entries, people, number, len(found) > PAGE)
