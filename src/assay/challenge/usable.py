"""What a metric can score of a set with gaps: challenge sets of others have segments without a source or reference.

    usable, kept = usable_by(metric, challenge, journal)
    score(usable, metric, kept)

A set of pairs is refused where a metric lacks what it needs, as ever. Of a set that is more than pairs, hypotheses that
lack it get no score, unless all do.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.challenge.metric import Metric
from assay.challenge.score import Journal, Row


def usable_by(metric: Metric, challenge: ChallengeSet, journal: Journal) -> tuple[ChallengeSet, Journal]:
    """The part of a set that a metric can score, and a journal that takes its scores; all else is NaN there."""
    usable = [_has_what_is_needed(item, metric) for item in challenge.items]
    if challenge.origin is None or all(usable) or not any(usable):
        return challenge, journal
    items = tuple(item for item, is_usable in zip(challenge.items, usable, strict=True) if is_usable)
    kept = _JournalWithGaps(journal, usable)
    # Interrupted among the gaps behind the last score: nothing more will be scored, and nobody else fills them.
    if len(kept.rows) == len(items) and len(journal.rows) < len(usable):
        kept.append([])
    return replace(challenge, items=items), kept


def _has_what_is_needed(item: ChallengeItem, metric: Metric) -> bool:
    needed = [item.reference] * metric.needs_reference + [item.source] * metric.needs_source
    return all(text.strip() for text in needed)


class _JournalWithGaps:
    """A journal of all items, for scores of those that are usable."""

    def __init__(self, journal: Journal, usable: Sequence[bool]) -> None:
        self._journal = journal
        self._usable = usable

    @property
    def rows(self) -> Sequence[Row]:
        """The scores of the first usable items."""
        there = self._journal.rows
        return [row for row, is_usable in zip(there, self._usable[: len(there)], strict=True) if is_usable]

    def append(self, rows: Sequence[Row]) -> None:
        """Keep the scores of the next usable items, and gaps up to the next one that has no score yet."""
        ahead: Iterator[Row | None] = chain(rows, [None])
        filled: list[Row] = []
        for is_usable in self._usable[len(self._journal.rows) :]:
            row = next(ahead) if is_usable else (math.nan, math.nan)
            if row is None:
                break
            filled.append(row)
        self._journal.append(filled)
