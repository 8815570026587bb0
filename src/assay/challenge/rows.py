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
from assay.evaluation.rows import KeyedRow, RowKey, column_ranks, mean_of, plain_numbers
from assay.evaluation.significance import Sample, Significance, macro_means, resampled_intervals, significance
from assay.evaluation.tally import COUNTED_LEVELS, Grouping, Level, Mask, Share, count, groupings_of
from assay.parallel import Executor
from assay.progress import Progress
from assay.stats.proportions import Floats, divide

if TYPE_CHECKING:
    from assay.challenge.document import MetricCellDocument, MetricRowDocument

INTERVAL_DRAWS = 10_000
"""Draws behind the intervals."""

FEWEST_SOURCES = 5
"""Rows of fewer sources have no interval: resampling so few says nothing."""

MOST_UNITS = 200
"""Units of a phenomenon that are drawn or swapped. Of more sources some are put together at random: that changes
neither the level of the test nor how wide intervals are, and large sets take a fraction of the time."""

CONTROL = "control"
"""The group of metrics that know nothing of translation, and compete with none."""


@dataclass(frozen=True, slots=True)
class MetricCell:
    """One metric in one row; None is undefined, or not a number that this row has.

    `low` and `high` are the 95 % interval of the accuracy from resampling sources, not challenge items: those of one
    source are not independent. `undefined` counts challenge items without a score.
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
    """One line of the table. `size` is challenge items, `items` the items they come from, `sources` the distinct
    sources of these. `average` is that of metrics, controls left aside; `won_by` are controls that are as good as the
    best of them."""

    size: int
    items: int
    sources: int
    cells: tuple[MetricCell, ...]
    average: float | None
    won_by: tuple[str, ...] = ()

    @property
    def is_small(self) -> bool:
        """Whether it rests on so few sources that it is flagged."""
        return self.sources < FEWEST_SOURCES

    def to_dict(self) -> "MetricRowDocument":
        """As in the JSON of an evaluation of metrics."""
        return {
            **self.key_document(),
            "count": self.size,
            "items": self.items,
            "sources": self.sources,
            "cells": [cast("MetricCellDocument", asdict(cell)) for cell in self.cells],
            "average": self.average,
            "won_by_control": list(self.won_by),
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
        items, sources = items_in(self.challenge, grouping), self.sources_in(grouping)
        sizes = np.bincount(grouping.members, minlength=len(grouping.names))
        few, undefined = sources < FEWEST_SOURCES, np.full(self.tested[level].p.shape, np.nan)
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
            key = level, category, phenomenon
            rows.append(_row(key, cells, size=int(sizes[place]), items=items[place], sources=int(sources[place])))
        return rows

    def sources_in(self, grouping: Grouping) -> NDArray[np.intp]:
        """How many distinct sources each row has."""
        pairs = np.unique(np.stack([grouping.members, source_numbers(self.challenge)]), axis=1)
        return np.bincount(pairs[0], minlength=len(grouping.names))


def _row(key: RowKey, cells: tuple[MetricCell, ...], *, size: int, items: int, sources: int) -> MetricRow:
    """A row, with the mean of the metrics that compete and the controls that beat them."""
    rivals = [cell for cell in cells if cell.group != CONTROL] or list(cells)
    most = max((cell.accuracy for cell in rivals if cell.accuracy is not None), default=None)
    won = [
        cell.metric
        for cell in cells
        if cell not in rivals and most is not None and cell.accuracy is not None and cell.accuracy >= most
    ]
    return MetricRow(*key, size, items, sources, cells, mean_of(cell.accuracy for cell in rivals), tuple(won))


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
    tested = _tested(sample, competing(scores), settings, executor, progress)
    return CountedOutcomes(
        challenge=challenge,
        scores=scores,
        better=better,
        sample=sample,
        shares=shares,
        tested=tested,
        clusters=_clusters_in_groups(sample, scores, settings, executor, tested),
        intervals=resampled_intervals(sample, draws=INTERVAL_DRAWS, seed=settings.seed, executor=executor),
        order=_table_order(shares, scores),
    )


def competing(scores: Sequence[MetricScores]) -> list[int]:
    """Columns of the metrics that compete: all but controls, or all where there is nothing else."""
    return [place for place, given in enumerate(scores) if given.group != CONTROL] or list(range(len(scores)))


def _tested(
    sample: Sample,
    columns: Sequence[int],
    settings: Settings,
    executor: Executor,
    progress: Progress | None,
) -> dict[Level, Significance]:
    """The test among some metrics; others have neither p nor cluster."""
    found = significance(sample.only(columns), settings, executor=executor, progress=progress)
    every = sample.correct.shape[1]
    whole = {}
    for level, tested in found.items():
        p, cluster = np.full((len(tested.p), every), np.nan), np.zeros((len(tested.p), every), dtype=bool)
        p[:, columns], cluster[:, columns] = tested.p, tested.cluster
        whole[level] = Significance(p, cluster)
    return whole


def _outcomes(challenge: ChallengeSet, scores: MetricScores) -> Floats:
    """`better` of one metric."""
    first, second = scores.values.T
    outcomes: Floats = (first > second).astype(np.float64) - (first < second)
    outcomes[np.isnan(scores.values).any(axis=1)] = np.nan
    signs = np.array([1.0 if item.correct == 1 else -1.0 for item in challenge.items])
    return np.asarray(outcomes * signs * (1.0 if scores.higher_is_better else -1.0))


def _sample(challenge: ChallengeSet, right: Mask) -> Sample:
    """What the tests see. Challenge items of one source share texts, so they are drawn, or swapped, together."""
    grouping = groupings_of([(item.category, item.phenomenon) for item in challenge.items])
    units = drawn_units(source_numbers(challenge), grouping["phenomenon"].members)
    return Sample(right, np.ones_like(right), grouping, units)


def drawn_units(sources: NDArray[np.intp], phenomena: NDArray[np.intp]) -> NDArray[np.intp]:
    """What is drawn or swapped as one: a source, or several of a phenomenon that has more than 200 of its own."""
    number = int(sources.max(initial=-1)) + 1
    places = np.unique(np.stack([sources, phenomena]), axis=1)
    inside = np.bincount(places[0], minlength=number) == 1
    units = np.arange(number)
    chance = np.random.default_rng(1)  # which ones are put together must not change from run to run
    for phenomenon in np.unique(phenomena).tolist():
        own = places[0][(places[1] == phenomenon) & inside[places[0]]]
        if len(own) > MOST_UNITS:
            shuffled = chance.permutation(own)
            units[shuffled] = shuffled[np.arange(len(own)) % MOST_UNITS]
    return np.asarray(np.unique(units[sources], return_inverse=True)[1].reshape(-1), dtype=np.intp)


def source_numbers(challenge: ChallengeSet) -> NDArray[np.intp]:
    """The source of each challenge item, as a number: the same text, or, in a set without sources, the same item."""
    names = [item.source.strip() or f"\0{_item(item)}" for item in challenge.items]
    units = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([units[name] for name in names], dtype=np.intp)


def _item(item: ChallengeItem) -> str:
    """The item it comes from; sets of others do not tell, and there each stands for itself."""
    return item.item or item.id


def items_in(challenge: ChallengeSet, grouping: Grouping) -> list[int]:
    """How many items each row's challenge items come from."""
    found: list[set[str]] = [set() for _ in grouping.names]
    for place, item in zip(grouping.members.tolist(), challenge.items, strict=True):
        found[place].add(_item(item))
    return [len(items) for items in found]


def _clusters_in_groups(
    sample: Sample,
    scores: Sequence[MetricScores],
    settings: Settings,
    executor: Executor,
    tested: Mapping[Level, Significance],
) -> dict[Level, Mask]:
    """First clusters among the metrics of a group, as if there were no others; of a single group those of all."""
    found: dict[Level, Mask] = {}
    rivals = competing(scores)
    if len({scores[place].group for place in rivals}) == 1:
        return {level: of.cluster for level, of in tested.items()}
    for group in METRIC_GROUPS:
        columns = [place for place in rivals if scores[place].group == group]
        if columns:
            for level, of in _tested(sample, columns, settings, executor, None).items():
                found[level] = found.get(level, np.zeros_like(of.cluster)) | of.cluster
    return found


def _table_order(shares: Mapping[Level, Share], scores: Sequence[MetricScores]) -> list[int]:
    """Metrics in table order: by group, within it the best first, then by name."""
    ranks = column_ranks(shares)

    def key(column: int) -> tuple[int, float, float, str]:
        return METRIC_GROUPS.index(scores[column].group), *ranks[column], scores[column].name

    return sorted(range(len(scores)), key=key)
