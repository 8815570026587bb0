"""Use case: what an upload would do, before it does.

    found = preview_upload(visit, read, force=False)
    found.systems[0].warnings, found.campaigns[0].fair_before, found.campaigns[0].fair

The upload is written in a transaction that is taken back, so that what is shown is what saving would do: the same
pairing, the same verdicts, the same refusals.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from assay.text import normalise
from assay.workbench.db.ruled import RuleTexts
from assay.workbench.db.suites import suite_names
from assay.workbench.files.importer import Imported
from assay.workbench.files.inventory import SystemEntry, entered
from assay.workbench.files.sent_files import ReadFiles
from assay.workbench.people.roles import User
from assay.workbench.snapshot import Snapshot
from assay.workbench.state import State
from assay.workbench.work.effort import Gain, gains

LOOKED_AT: Final = 300
"""Items whose outputs are compared with what others wrote."""

FEWEST: Final = 10
"""With fewer items to compare nothing is said."""

NEARER: Final = 1.25
MARGIN: Final = 0.02
"""An output has to share that much more with other texts of its item than with those of another item. Of the 19 systems
of WMT21, de-en, that flags the one which did not translate the suite; with their lines moved by 37 it flags all."""


@dataclass(frozen=True, slots=True)
class PreviewedSystem:
    """A system of an upload; `elsewhere` says that its outputs are not like what others wrote for the same items."""

    entry: SystemEntry
    elsewhere: bool


@dataclass(frozen=True, slots=True)
class PreviewedCampaign:
    """A campaign that an upload would change; `before` is None where it is new."""

    before: Gain | None
    after: Gain


@dataclass(frozen=True, slots=True)
class UploadPreview:
    """What an upload would do. `waiting_before` and `waiting` are texts that wait for a verdict."""

    imported: Imported
    systems: Sequence[PreviewedSystem]
    campaigns: Sequence[PreviewedCampaign]
    waiting_before: int
    waiting: int
    unused: Sequence[str]

    @property
    def outputs(self) -> int:
        return sum(found.entry.outputs for found in self.systems)

    @property
    def warnings(self) -> int:
        return sum(found.entry.warnings for found in self.systems)


class _TakenBack(Exception):
    """Ends the transaction."""


def preview_upload(state: State, user: User, read: ReadFiles, *, force: bool, judge: RuleTexts) -> UploadPreview:
    """What saving would do, and nothing of it done."""
    before, imported, after = _tried(state, user, read, force=force, judge=judge)
    sent = {*imported.systems, *imported.replaced, *imported.unchanged}
    columns = [column for column, stored in enumerate(after.systems) if stored.system in sent]
    known = {gain.name: gain for gain in gains(before)} if before else {}
    campaigns = [PreviewedCampaign(known.get(gain.name), gain) for gain in gains(after)]
    entries = entered(after) if columns else []
    return UploadPreview(
        imported,
        [PreviewedSystem(entries[column], is_elsewhere(after, column, columns)) for column in columns],
        [found for found in campaigns if found.before != found.after],
        len(before.undisputed) if before else 0,
        len(after.undisputed),
        read.unused,
    )


def _tried(
    state: State, user: User, read: ReadFiles, *, force: bool, judge: RuleTexts
) -> tuple[Snapshot | None, Imported, Snapshot]:
    """The suite before, what an import did, and the suite after it, which nobody else will ever see."""
    store, name = state.store, read.ready.suite.name
    with store.reading() as db:
        before = state.snapshots.get(name, db) if name in suite_names(db) else None
    tried: list[tuple[Imported, Snapshot]] = []
    try:
        with store.writing() as db, store.fitting():
            imported = read.ready.write(db, user, force=force, judge=judge)
            tried.append((imported, Snapshot.read(db, imported.saved.suite_id)))
            raise _TakenBack
    except _TakenBack:
        pass
    return before, *tried[0]


def is_elsewhere(snapshot: Snapshot, column: int, sent: Collection[int]) -> bool:
    """Whether a system's outputs are no nearer to what others wrote for their items than for other items.

    So it is with outputs for another suite, in another order, or in another language. Nearness is the share of a text's
    groups of three characters, which every script has, that stand in right examples and texts of others.
    """
    codes = snapshot.outputs.codes
    pieces = []
    for place in range(len(snapshot.items)):
        code = int(codes[place, column])
        if code < 0:
            continue
        others = [int(codes[place, other]) for other in range(codes.shape[1]) if other not in sent]
        texts = [snapshot.outputs.texts[other] for other in others[:4] if other >= 0]
        known = _pieces((*texts, *snapshot.items[place].examples.passing))
        own = _pieces([snapshot.outputs.texts[code]])
        if known and own:
            pieces.append((own, known))
        if len(pieces) == LOOKED_AT:
            break
    if len(pieces) < FEWEST:
        return False
    at = len(pieces) // 2
    here = sum(_share(own, known) for own, known in pieces)
    there = sum(_share(own, pieces[place - at][1]) for place, (own, _) in enumerate(pieces))
    return here < NEARER * there + MARGIN * len(pieces)


def _pieces(texts: Iterable[str]) -> frozenset[str]:
    folded = (f" {normalise(text).casefold()} " for text in texts)
    return frozenset(text[start : start + 3] for text in folded for start in range(len(text) - 2))


def _share(own: frozenset[str], known: frozenset[str]) -> float:
    return len(own & known) / len(own)
