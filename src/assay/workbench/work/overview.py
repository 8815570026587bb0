"""Use case: how far each suite is."""

from dataclasses import dataclass

from assay.workbench.db.database import Store
from assay.workbench.db.suites import SuiteEntry, list_suites
from assay.workbench.snapshot import Snapshot, Snapshots


@dataclass(frozen=True, slots=True)
class SuiteProgress:
    """A suite and its numbers: texts that wait, and those that judgements decided; campaigns with their systems."""

    entry: SuiteEntry
    campaigns: dict[str, int]
    texts: int
    waiting: int
    judged: int
    disputed: int


def overview(store: Store, boards: Snapshots) -> list[SuiteProgress]:
    """All suites of the database."""
    with store.reading() as db:
        return [_progress(entry, boards.get(entry.name, db)) for entry in list_suites(db)]


def _progress(entry: SuiteEntry, board: Snapshot) -> SuiteProgress:
    settlements = [text.settlement for text in board.texts.values() if text.settlement]
    campaigns = {name: len(board.columns([name])) for name in board.campaigns}
    return SuiteProgress(
        entry,
        campaigns,
        len(board.texts),
        sum(not task.disputed for task in board.tasks()),
        sum(found.verdict is not None for found in settlements),
        sum(found.disputed for found in settlements),
    )
