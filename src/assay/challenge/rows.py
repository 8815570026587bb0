"""Rows of an evaluation of metrics: for each category, phenomenon and average a cell per metric.

    counted = count_outcomes(challenge, scores, settings)
    counted.order, counted.rows_by_level()["category"]

Numbers are counted for all metrics at once, as arrays of rows × metrics in the order in which metrics were given; a
cell takes its own out of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from assay.challenge.challenge_set import METRIC_GROUPS, ChallengeItem, ChallengeSet, MetricGroup, MetricScores
from assay.evaluation import Settings
from assay.evaluation.rows import KeyedRow, column_ranks, mean_of, plain_numbers
from assay.evaluation.significance import Sample, Significance, macro_means, resampled_intervals, significance
from assay.evaluation.tally import COUNTED_LEVELS, Grouping, Level, Mask, Share, count, groupings_of
from assay.parallel import Executor
from assay.progress import Progress
from assay.stats.proportions import Floats, divide

if TYPE_CHECKING:
    from assay.challenge.document import MetricCellDocument, MetricRowDocument

INTERVAL_DRAWS = 1_000
"""Draws behind the intervals."""

FEWEST_ITEMS = 5
"""Rows of fewer items have no interval: resampling so few says nothing."""


@dataclass(frozen=True, slots=True)
class MetricCell:
    """One metric in one row; None is undefined, or not a number that this row has.

    `low` and `high` are the 95 % interval of the accuracy from resampling items, not challenge items: those of one item
    are not independent. `undefined` counts challenge items without a score.
    """

    metric: str
    group: MetricGroup
    correct: int | None
    total: int | None
    ties: int | None
    undefined: int | None
    accuracy: float | None
    low: float | None
    high: float | None
    first_cluster: bool
    first_cluster_in_group: bool
    p: float | None


CELL_NUMBERS = [field.name for field in fields(MetricCell)][2:]
"""Everything that a cell says about its metric."""


@dataclass(frozen=True, slots=True)
class MetricRow(KeyedRow):
    """One line of the table. `size` is challenge items, `items` the items they come from."""

    size: int
    items: int
    cells: tuple[MetricCell, ...]
    average: float | None

    @property
    def is_small(self) -> bool:
        """Whether it rests on so few items that it is flagged."""
        return self.items < FEWEST_ITEMS

    def to_dict(self) -> "MetricRowDocument":
        """As in the JSON of an evaluation of metrics."""
        return {
            **self.key_document(),
            "count": self.size,
            "items": self.items,
            "cells": [cast("MetricCellDocument", asdict(cell)) for cell in self.cells],
            "average": self.average,
        }


@dataclass(frozen=True, slots=True)
class CountedOutcomes:
    """What is right, and what is drawn from it; arrays are of metrics in the order in which they were given.

    `better` (challenge items × metrics) is 1 where the correct translation has the better score, 0 where they tie, -1
    where the other has, NaN without a score. `clusters` are first clusters among metrics of the same group, `intervals`
    those of accuracies.
    """

    challenge: ChallengeSet
    scores: Sequence[MetricScores]
    better: Floats
    sample: Sample
    shares: Mapping[Level, Share]
    tested: Mapping[Level, Significance]
    clusters: Mapping[Level, Mask]
    intervals: Mapping[Level, tuple[Floats, Floats]]
    order: list[int]

    def rows_by_level(self) -> dict[Level, list[MetricRow]]:
        """All rows there are, the macro-averages as levels of a single one; cells in table order."""
        return {
            **{level: self._rows(level, self.sample.grouping[level], self._counted(level)) for level in COUNTED_LEVELS},
            "category_macro": self._rows("category_macro", self.sample.grouping["micro"], self._mean("category")),
            "phenomenon_macro": self._rows("phenomenon_macro", self.sample.grouping["micro"], self._mean("phenomenon")),
        }

    def _counted(self, level: Level) -> dict[str, NDArray[Any]]:
        share, grouping = self.shares[level], self.sample.grouping[level]
        return {
            "correct": share.correct,
            "total": share.total,
            "ties": count(np.asarray(self.better == 0), grouping),
            "undefined": count(np.isnan(self.better), grouping),
            "accuracy": divide(share.correct, share.total),
        }

    def _mean(self, level: Level) -> dict[str, NDArray[Any]]:
        return {"accuracy": macro_means(self.shares[level])[None]}

    def _rows(self, level: Level, grouping: Grouping, numbers: Mapping[str, NDArray[Any]]) -> list[MetricRow]:
        """The rows of a level; `grouping` says which challenge items are in each."""
        items, sizes = items_in(self.challenge, grouping), np.bincount(grouping.members, minlength=len(grouping.names))
        few, undefined = np.array(items) < FEWEST_ITEMS, np.full(self.tested[level].p.shape, np.nan)
        low, high = (np.where(few[:, None], np.nan, end) for end in self.intervals[level])
        found = {
            **numbers,
            "low": low,
            "high": high,
            "first_cluster": self.tested[level].cluster,
            "first_cluster_in_group": self.clusters[level],
            "p": self.tested[level].p,
        }
        columns = [plain_numbers(found.get(name, undefined)[:, self.order]) for name in CELL_NUMBERS]
        metrics = [(self.scores[column].name, self.scores[column].group) for column in self.order]
        rows = []
        for place, (category, phenomenon) in enumerate(grouping.names):
            values = zip(metrics, *(column[place] for column in columns), strict=True)
            cells = tuple(MetricCell(*metric, *cell) for metric, *cell in values)
            average = mean_of(cell.accuracy for cell in cells)
            rows.append(MetricRow(level, category, phenomenon, int(sizes[place]), items[place], cells, average))
        return rows


def count_outcomes(
    challenge: ChallengeSet,
    scores: Sequence[MetricScores],
    settings: Settings,
    *,
    executor: Executor,
    progress: Progress | None,
) -> CountedOutcomes:
    """Everything that is counted, tested and drawn; `executor` makes the draws and tells `progress` of those of the
    test on all metrics."""
    better = np.stack([_outcomes(challenge, given) for given in scores], axis=1)
    sample = _sample(challenge, np.asarray(better > 0))
    shares = sample.shares()
    return CountedOutcomes(
        challenge=challenge,
        scores=scores,
        better=better,
        sample=sample,
        shares=shares,
        tested=significance(sample, settings, executor=executor, progress=progress),
        clusters=_clusters_in_groups(sample, scores, settings, executor),
        intervals=resampled_intervals(sample, draws=INTERVAL_DRAWS, seed=settings.seed, executor=executor),
        order=_table_order(shares, scores),
    )


def _outcomes(challenge: ChallengeSet, scores: MetricScores) -> Floats:
    """`better` of one metric."""
    first, second = scores.values.T
    outcomes: Floats = (first > second).astype(np.float64) - (first < second)
    outcomes[np.isnan(scores.values).any(axis=1)] = np.nan
    signs = np.array([1.0 if item.correct == 1 else -1.0 for item in challenge.items])
    return np.asarray(outcomes * signs * (1.0 if scores.higher_is_better else -1.0))


def _sample(challenge: ChallengeSet, right: Mask) -> Sample:
    """What the tests see. Challenge items of one item share texts, so they are drawn, or swapped, together."""
    units = {name: number for number, name in enumerate(dict.fromkeys(map(_unit, challenge.items)))}
    return Sample(
        right,
        np.ones_like(right),
        groupings_of([(item.category, item.phenomenon) for item in challenge.items]),
        np.array([units[_unit(item)] for item in challenge.items], dtype=np.intp),
    )


def _unit(item: ChallengeItem) -> str:
    """The item it comes from; sets of others do not tell, and there each stands for itself."""
    return item.item or item.id


def items_in(challenge: ChallengeSet, grouping: Grouping) -> list[int]:
    """How many items each row's challenge items come from."""
    found: list[set[str]] = [set() for _ in grouping.names]
    for place, item in zip(grouping.members.tolist(), challenge.items, strict=True):
        found[place].add(_unit(item))
    return [len(items) for items in found]


def _clusters_in_groups(
    sample: Sample, scores: Sequence[MetricScores], settings: Settings, executor: Executor
) -> dict[Level, Mask]:
    """First clusters among the metrics of a group, as if there were no others."""
    found: dict[Level, Mask] = {}
    for group in METRIC_GROUPS:
        columns = [place for place, given in enumerate(scores) if given.group == group]
        if columns:
            for level, tested in significance(sample.only(columns), settings, executor=executor).items():
                found.setdefault(level, np.zeros((len(tested.cluster), len(scores)), dtype=bool))
                found[level][:, columns] = tested.cluster
    return found


def _table_order(shares: Mapping[Level, Share], scores: Sequence[MetricScores]) -> list[int]:
    """Metrics in table order: by group, within it the best first, then by name."""
    ranks = column_ranks(shares)

    def key(column: int) -> tuple[int, float, float, str]:
        return METRIC_GROUPS.index(scores[column].group), *ranks[column], scores[column].name

    return sorted(range(len(scores)), key=key)
