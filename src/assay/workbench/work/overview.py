"""Use cases: how far each suite is, and what is in one."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from assay.workbench.db.suites import SuiteEntry, list_suites
from assay.workbench.queue.questions import AskedQuestions, asked_questions
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot, Snapshots, SnapshotText

VerdictCounts = TypedDict("VerdictCounts", {"pass": int, "fail": int, "warning": int})
"""Distinct texts by their verdict."""


@dataclass(frozen=True, slots=True)
class SuiteProgress:
    """A suite: its campaigns, with how many systems each has; `waiting`, `judged` and `disputed` count texts."""

    name: str
    langpair: str
    revision: int
    items: int
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
    name: str
    description: str
    items: int
    texts: VerdictCounts


@dataclass(frozen=True, slots=True)
class CategoryContents:
    name: str
    phenomena: Sequence[PhenomenonContents]


@dataclass(frozen=True, slots=True)
class SuiteContents:
    """A suite as it stands, in the order in which reports show its categories."""

    name: str
    langpair: str
    revision: int
    version: str
    licence: str
    authors: Sequence[str]
    description: str
    hash: str
    items: int
    texts: VerdictCounts
    campaigns: Sequence[str]
    taxonomy: Sequence[CategoryContents]
    questions: AskedQuestions


def contents(reader: Reader) -> SuiteContents:
    """What is in a suite, counted."""
    snapshot, suite = reader.snapshot, reader.snapshot.suite
    items: Counter[tuple[str, str]] = Counter()
    texts: dict[tuple[str, str], list[SnapshotText]] = {names: [] for names in suite.phenomena}
    for place, item in enumerate(snapshot.items):
        items[item.category, item.phenomenon] += 1
        texts[item.category, item.phenomenon] += snapshot.texts_at(place)
    taxonomy = [
        CategoryContents(
            category,
            [
                PhenomenonContents(name, description, items[category, name], _verdicts(texts[category, name]))
                for name, description in phenomena.items()
            ],
        )
        for category, phenomena in suite.taxonomy.items()
    ]
    return SuiteContents(
        name=suite.name,
        langpair=suite.langpair,
        revision=snapshot.stored.revision,
        version=suite.version,
        licence=suite.licence,
        authors=suite.authors,
        description=suite.description,
        hash=suite.hash,
        items=len(snapshot.items),
        texts=_verdicts(snapshot.texts.values()),
        campaigns=snapshot.campaigns,
        taxonomy=taxonomy,
        questions=asked_questions(reader),
    )


def _verdicts(texts: Iterable[SnapshotText]) -> VerdictCounts:
    found = Counter(str(text.finding.verdict) for text in texts)
    return {"pass": found["pass"], "fail": found["fail"], "warning": found["warning"]}


def _progress(entry: SuiteEntry, snapshot: Snapshot) -> SuiteProgress:
    settlements = [text.settlement for text in snapshot.texts.values() if text.settlement]
    return SuiteProgress(
        name=entry.name,
        langpair=entry.langpair,
        revision=entry.revision,
        items=entry.items,
        campaigns={name: len(snapshot.columns([name])) for name in snapshot.campaigns},
        texts=len(snapshot.texts),
        waiting=len(snapshot.undisputed),
        judged=sum(found.verdict is not None for found in settlements),
        disputed=sum(found.disputed for found in settlements),
    )
