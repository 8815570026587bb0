"""Use case: what the judging has cost and gained, as the papers report it.

    report = effort(reader)
    report.campaigns[0].now - report.campaigns[0].first     # items gained for the fair comparison
    report.hours                                            # person-hours, pauses left out

Times come from judgements, adjudications, skips and undos. A gap of more than five minutes is a pause: it ends a
sitting and counts for nothing. Nobody knows how long the first text of a sitting was looked at; it is given the
person's median gap. Judgements read from files have no times and do not count.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import groupby, pairwise
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assay.outputs import System
from assay.verdicts import Verdict
from assay.verdicts.judgements import Event
from assay.workbench.db.judgements import work_events
from assay.workbench.people.roles import User
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot

PAUSE: Final = 300.0
"""A gap of more than this many seconds is a pause."""

HASTY: Final = 1.0
"""Seconds within which nobody reads a sentence."""

PACE_OF: Final = 50
"""The pace is that of the last so many judgements."""

FEWEST_GAPS: Final = 5
"""With fewer gaps than these there is no pace to speak of."""

JUDGING: Final = frozenset({"judgement", "adjudication"})


@dataclass(frozen=True, slots=True)
class Warned:
    """A system's warnings among `items`: when its outputs were first judged by the rules, and now."""

    system: System
    items: int
    first: int
    now: int


@dataclass(frozen=True, slots=True)
class Gain:
    """A campaign: items found, those that counted in the fair comparison at first, and now.

    `left_out` are the systems that did not translate the suite; no comparison has them.
    """

    name: str
    items: int
    first: int
    now: int
    systems: Sequence[Warned]
    left_out: Sequence[System]


@dataclass(frozen=True, slots=True)
class Work:
    """What one person did; `undone` counts what they took back, `seconds` the time of all sittings together.

    `pace` is the median of the seconds from one judgement to the next; both are None where there are no two events
    within five minutes of each other.
    """

    by: str
    judgements: int
    adjudications: int
    skips: int
    undone: int
    sittings: int
    seconds: float | None
    pace: float | None
    last: str
    hasty: int
    """Judgements less than a second after another one: nobody reads that fast; perhaps a key was pressed twice."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The effort report of a suite."""

    campaigns: Sequence[Gain]
    people: Sequence[Work]

    @property
    def hours(self) -> float | None:
        """Person-hours of all together; None where nobody's time is known."""
        known = [work.seconds for work in self.people if work.seconds is not None]
        return sum(known) / 3600 if known else None

    @property
    def judgements(self) -> int:
        return sum(work.judgements for work in self.people)


def effort(reader: Reader) -> Effort:
    """The effort report of a suite; of seconds ago where it takes long."""
    return reader.figure("effort", lambda: _effort(reader))


def _effort(reader: Reader) -> Effort:
    return Effort(gains(reader.snapshot), work(work_events(reader.db, reader.snapshot.stored.id)))


def gains(snapshot: Snapshot) -> list[Gain]:
    """Warnings and items of the fair comparison, at first and now, per campaign."""
    first, now = _verdicts(snapshot)
    kept = snapshot.kept
    found = []
    for name in snapshot.campaigns:
        columns = kept[name]
        others = [snapshot.outputs.systems[column] for column in snapshot.columns([name]) if column not in columns]
        # An item is in the comparison where any system of the campaign has an output of it, kept or not.
        there = (snapshot.outputs.codes[:, snapshot.columns([name])] >= 0).any(axis=1)
        before, after = (table[there][:, columns] == Verdict.WARNING for table in (first, now))
        systems = [
            Warned(
                snapshot.outputs.systems[column], len(before), int(before[:, place].sum()), int(after[:, place].sum())
            )
            for place, column in enumerate(columns)
        ]
        fair, fair_now = (int((~table.any(axis=1)).sum()) if columns else 0 for table in (before, after))
        found.append(Gain(name, len(before), fair, fair_now, systems, others))
    return found


def _verdicts(snapshot: Snapshot) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Items by systems: the verdicts as the rules gave them at first, and as they are now."""
    texts = [snapshot.texts[text_id] for text_id in snapshot.code_texts]
    first = np.fromiter((text.first for text in texts), np.int8, len(texts))
    now = np.fromiter((text.finding.verdict for text in texts), np.int8, len(texts))
    missing = np.int8(Verdict.WARNING)
    return np.append(first, missing)[snapshot.outputs.codes], np.append(now, missing)[snapshot.outputs.codes]


def work(events: Iterable[Event]) -> list[Work]:
    """What each person did, the busiest first."""
    mine = sorted((event for event in events if event.kind != "import"), key=lambda event: event.by)
    found = [_work(by, list(group)) for by, group in groupby(mine, key=lambda event: event.by)]
    return sorted(found, key=lambda work: (-work.judgements, -work.adjudications, work.by))


def _work(by: str, events: Sequence[Event]) -> Work:
    kinds = [event.kind for event in events]
    gaps = _gaps(events)
    working = [gap for gap in gaps if gap <= PAUSE]
    sittings = 1 + len(gaps) - len(working)
    apart = _gaps([event for event in events if event.kind in JUDGING])
    between = [gap for gap in apart if gap <= PAUSE]
    return Work(
        by=by,
        judgements=kinds.count("judgement"),
        adjudications=kinds.count("adjudication"),
        skips=kinds.count("skip"),
        undone=kinds.count("undo"),
        sittings=sittings,
        seconds=sum(working) + sittings * median(working) if working else None,
        pace=median(between) if between else None,
        last=max(event.created for event in events),
        hasty=sum(gap < HASTY for gap in apart),
    )


def pace(events: Iterable[Event], user: User) -> float | None:
    """Median seconds between a user's last judgements; None where there are too few to say."""
    mine = [event for event in events if event.by == user.name and event.kind in JUDGING]
    gaps = [gap for gap in _gaps(mine[-PACE_OF:]) if gap <= PAUSE]
    return median(gaps) if len(gaps) >= FEWEST_GAPS else None


def _gaps(events: Sequence[Event]) -> list[float]:
    """Seconds from each decision to the next; the events of one decision have one time."""
    times = sorted(map(_moment, {event.created for event in events}))
    return [(later - earlier).total_seconds() for earlier, later in pairwise(times)]


_moment = lru_cache(10_000)(datetime.fromisoformat)
"""Every card asks how long somebody's last decisions took."""
