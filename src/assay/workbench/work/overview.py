"""Use cases: how far each suite is, and what is in one."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from assay.suites import Suite
from assay.workbench.db.suites import SuiteEntry, list_suites
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot, Snapshots, SnapshotText


@dataclass(frozen=True, slots=True)
class SuiteProgress:
    """A suite and its numbers: texts that wait, and those that judgements decided; campaigns with their systems."""

    entry: SuiteEntry
    campaigns: dict[str, int]
    texts: int
    waiting: int
    judged: int
    disputed: int


def overview(db: Connection, snapshots: Snapshots) -> list[SuiteProgress]:
    """All suites of the database."""
    return [_progress(entry, snapshots.get(entry.name, db)) for entry in list_suites(db)]


@dataclass(frozen=True, slots=True)
class PhenomenonContents:
    """How many items a phenomenon has, and their distinct texts by verdict."""

    items: int
    texts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SuiteContents:
    """A suite as it stands, its distinct texts by verdict, and both by (category, phenomenon)."""

    suite: Suite
    revision: int
    items: int
    texts: Mapping[str, int]
    campaigns: Sequence[str]
    phenomena: Mapping[tuple[str, str], PhenomenonContents]


def contents(reader: Reader) -> SuiteContents:
    """What is in a suite, counted."""
    snapshot = reader.snapshot
    items: Counter[tuple[str, str]] = Counter()
    texts: dict[tuple[str, str], list[SnapshotText]] = {names: [] for names in snapshot.suite.phenomena}
    for place, item in enumerate(snapshot.items):
        items[item.category, item.phenomenon] += 1
        texts[item.category, item.phenomenon] += snapshot.texts_at(place)
    return SuiteContents(
        suite=snapshot.suite,
        revision=snapshot.stored.revision,
        items=len(snapshot.items),
        texts=_verdicts(snapshot.texts.values()),
        campaigns=snapshot.campaigns,
        phenomena={names: PhenomenonContents(items[names], _verdicts(found)) for names, found in texts.items()},
    )


def _verdicts(texts: Iterable[SnapshotText]) -> Counter[str]:
    return Counter(str(text.finding.verdict) for text in texts)


def _progress(entry: SuiteEntry, snapshot: Snapshot) -> SuiteProgress:
    settlements = [text.settlement for text in snapshot.texts.values() if text.settlement]
    campaigns = {name: len(snapshot.columns([name])) for name in snapshot.campaigns}
    return SuiteProgress(
        entry,
        campaigns,
        len(snapshot.texts),
        len(snapshot.undisputed),
        sum(found.verdict is not None for found in settlements),
        sum(found.disputed for found in settlements),
    )
