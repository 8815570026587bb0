"""What metrics get right: accuracies per phenomenon and category with clusters, ties, intervals.

    evaluation = evaluate_metrics(challenge, [scores, …], test="bootstrap")
    for row in evaluation.rows(by="category"):
        print(row.category, row.size, [cell.accuracy for cell in row.cells])

A metric is right on a challenge item if it scores the correct translation strictly higher (lower, where lower is
better). A tie is wrong, and counted on its own beside it; an item without a score is neither right nor a tie.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

import assay
from assay.challenge.challenge_set import METRIC_GROUPS, ChallengeItem, ChallengeSet, MetricGroup, MetricScores
from assay.errors import BadOption, UnknownName
from assay.evaluation import BY, By, Choices, Progress, Settings
from assay.evaluation.significance import Sample, Share, Significance, macro_means, resampled_intervals, significance
from assay.evaluation.tally import COUNTED_LEVELS, Grouping, Level, Mask, count, groupings_of
from assay.parallel import HERE, Executor
from assay.stats.proportions import Floats, divide

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


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One line of the table: a category, a phenomenon or an average. `size` is challenge items, `items` the items
    they come from."""

    level: Level
    category: str | None
    phenomenon: str | None
    size: int
    items: int
    cells: tuple[MetricCell, ...]
    average: float | None


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The test on all metrics, first clusters among those of the same group, and intervals of the accuracies."""

    tested: dict[Level, Significance]
    within_groups: dict[Level, Mask]
    intervals: dict[Level, tuple[Floats, Floats]]


@dataclass(frozen=True)
class MetricEvaluation:
    """What metrics can and cannot tell apart."""

    challenge: ChallengeSet
    scores: tuple[MetricScores, ...]
    settings: Settings
    progress: Progress | None = None

    @cached_property
    def order(self) -> list[int]:
        """Metrics in table order: by group, within it by category macro, then micro, descending; then by name."""
        overall = self._shares["micro"]
        macro, micro = macro_means(self._shares["category"]), divide(overall.correct, overall.total)[0]

        def key(column: int) -> tuple[int, float, float, str]:
            scores = self.scores[column]
            # Means of the same cells in another order differ by rounding.
            by_category, by_item = (-round(float(np.nan_to_num(means[column], nan=-1)), 12) for means in (macro, micro))
            return METRIC_GROUPS.index(scores.group), by_category, by_item, scores.name

        return sorted(range(len(self.scores)), key=key)

    @cached_property
    def metrics(self) -> list[MetricScores]:
        """The metrics in table order."""
        return [self.scores[column] for column in self.order]

    @property
    def columns(self) -> list[str]:
        """Names of the metrics in table order."""
        return [scores.name for scores in self.metrics]

    @property
    def signature(self) -> str:
        """Everything that a number of this depends on, except the scores."""
        chosen = {name: value for name, value in self.settings.signature.items() if name != "policy"}
        fields = {"assay": assay.__version__, "set": f"{self.challenge.name}#{self.challenge.hash}", **chosen}
        return "|".join(f"{name}:{value}" for name, value in fields.items())

    @cached_property
    def right(self) -> Mask:
        """Whether a metric is right; challenge items × metrics in table order."""
        return self._right[:, self.order]

    def rows(self, by: By = "both") -> list[MetricRow]:
        """Rows of categories, phenomena or both, each category before its phenomena, and the three averages."""
        if by not in BY:
            raise UnknownName("level", by, BY)
        return [*self._detail_rows(by), *self.averages()]

    def averages(self) -> list[MetricRow]:
        """The micro, category macro and phenomenon macro row."""
        return [self._rows["micro"][0], self._rows["category_macro"][0], self._rows["phenomenon_macro"][0]]

    def intervals_of(self, members: NDArray[np.intp], number: int) -> tuple[Floats, Floats]:
        """95 % intervals of accuracies in groups of challenge items; groups × metrics in table order, else NaN."""
        groups = groupings_of([("", str(member)) for member in members], {"": map(str, range(number))})
        found = resampled_intervals(
            replace(self._sample, grouping=groups), draws=INTERVAL_DRAWS, seed=self.settings.seed
        )
        low, high = found["phenomenon"]
        few = np.array([items < FEWEST_ITEMS for items in self._items(groups["phenomenon"])])
        low[few], high[few] = np.nan, np.nan
        return low[:, self.order], high[:, self.order]

    # Outcomes; challenge items × metrics as given

    @cached_property
    def _better(self) -> Floats:
        """1 where the correct translation has the better score, 0 where they tie, -1 where the other has; else NaN."""
        return np.stack([self._outcomes(scores) for scores in self.scores], axis=1)

    def _outcomes(self, scores: MetricScores) -> Floats:
        first, second = scores.values.T
        outcomes: Floats = (first > second).astype(np.float64) - (first < second)
        outcomes[np.isnan(scores.values).any(axis=1)] = np.nan
        signs = np.array([1.0 if item.correct == 1 else -1.0 for item in self.challenge.items])
        return np.asarray(outcomes * signs * (1.0 if scores.higher_is_better else -1.0))

    @cached_property
    def _right(self) -> Mask:
        return np.asarray(self._better > 0)

    @cached_property
    def _sample(self) -> Sample:
        units = {name: number for number, name in enumerate(dict.fromkeys(map(_unit, self.challenge.items)))}
        return Sample(
            self._right,
            np.ones_like(self._right),
            groupings_of([(item.category, item.phenomenon) for item in self.challenge.items]),
            np.array([units[_unit(item)] for item in self.challenge.items], dtype=np.intp),
        )

    @cached_property
    def _shares(self) -> dict[Level, Share]:
        return self._sample.shares()

    @cached_property
    def _drawn(self) -> "_Drawn":
        return self._draws(HERE)

    def draw(self, executor: Executor) -> None:
        """Have an executor make the draws now; this process makes them when a row is asked for otherwise."""
        vars(self)["_drawn"] = self._draws(executor)

    def _draws(self, executor: Executor) -> "_Drawn":
        return _Drawn(
            significance(self._sample, self.settings, executor=executor, progress=self.progress),
            self._within_groups(executor),
            resampled_intervals(self._sample, draws=INTERVAL_DRAWS, seed=self.settings.seed, executor=executor),
        )

    def _within_groups(self, executor: Executor) -> dict[Level, Mask]:
        found: dict[Level, Mask] = {}
        for group in METRIC_GROUPS:
            columns = [place for place, scores in enumerate(self.scores) if scores.group == group]
            if columns:
                for level, tested in significance(self._sample.only(columns), self.settings, executor=executor).items():
                    found.setdefault(level, np.zeros((len(tested.cluster), len(self.scores)), dtype=bool))
                    found[level][:, columns] = tested.cluster
        return found

    # Rows

    def _detail_rows(self, by: By) -> Iterator[MetricRow]:
        for row in self._rows["category"]:
            if by != "phenomenon":
                yield row
            if by != "category":
                yield from (below for below in self._rows["phenomenon"] if below.category == row.category)

    @cached_property
    def _rows(self) -> dict[Level, list[MetricRow]]:
        return {
            **{level: self._count_rows(level) for level in COUNTED_LEVELS},
            "category_macro": [self._macro_row("category")],
            "phenomenon_macro": [self._macro_row("phenomenon")],
        }

    def _count_rows(self, level: Level) -> list[MetricRow]:
        share, grouping = self._shares[level], self._sample.grouping[level]
        numbers = {
            "correct": share.correct,
            "total": share.total,
            "ties": count(np.asarray(self._better == 0), grouping),
            "undefined": count(np.isnan(self._better), grouping),
            "accuracy": divide(share.correct, share.total),
        }
        items = self._items(grouping)
        return [
            self._row(level, place, names, counts=(int(share.total[place, 0]), items[place]), numbers=numbers)
            for place, names in enumerate(grouping.names)
        ]

    def _macro_row(self, level: Literal["category", "phenomenon"]) -> MetricRow:
        macro: Level = "category_macro" if level == "category" else "phenomenon_macro"
        numbers = {"accuracy": macro_means(self._shares[level])[None]}
        counts = (len(self.challenge), self._items(self._sample.grouping["micro"])[0])
        return self._row(macro, 0, (None, None), counts=counts, numbers=numbers)

    def _items(self, grouping: Grouping) -> list[int]:
        """How many items each row's challenge items come from."""
        found: list[set[str]] = [set() for _ in grouping.names]
        for place, item in zip(grouping.members.tolist(), self.challenge.items, strict=True):
            found[place].add(_unit(item))
        return [len(items) for items in found]

    def _row(
        self,
        level: Level,
        place: int,
        names: tuple[str | None, str | None],
        *,
        counts: tuple[int, int],
        numbers: Mapping[str, NDArray[Any]],
    ) -> MetricRow:
        low, high = self._drawn.intervals[level] if counts[1] >= FEWEST_ITEMS else (None, None)
        columns = {
            **numbers,
            "first_cluster": self._drawn.tested[level].cluster,
            "first_cluster_in_group": self._drawn.within_groups[level],
            "p": self._drawn.tested[level].p,
        }
        columns |= {"low": low, "high": high} if low is not None and high is not None else {}
        cells = tuple(
            self._cell(column, {name: found[place, column] for name, found in columns.items()}) for column in self.order
        )
        accuracies = [cell.accuracy for cell in cells if cell.accuracy is not None]
        average = sum(accuracies) / len(accuracies) if accuracies else None
        return MetricRow(level, *names, *counts, cells, average)

    def _cell(self, column: int, numbers: Mapping[str, Any]) -> MetricCell:
        def number(name: str) -> Any:
            return plain(numbers[name]) if name in numbers else None

        return MetricCell(
            metric=self.scores[column].name,
            group=self.scores[column].group,
            correct=number("correct"),
            total=number("total"),
            ties=number("ties"),
            undefined=number("undefined"),
            accuracy=number("accuracy"),
            low=number("low"),
            high=number("high"),
            first_cluster=number("first_cluster"),
            first_cluster_in_group=number("first_cluster_in_group"),
            p=number("p"),
        )


def _unit(item: ChallengeItem) -> str:
    """The item it comes from; sets of others do not tell, and there each stands for itself."""
    return item.item or item.id


def plain(value: Any) -> Any:
    """A Python number, NaN as None."""
    plain = value.item()
    return None if plain != plain else plain


def evaluate_metrics(
    challenge: ChallengeSet,
    scores: Sequence[MetricScores],
    *,
    executor: Executor = HERE,
    progress: Progress | None = None,
    **choices: Unpack[Choices],
) -> MetricEvaluation:
    """Count what metrics get right. Keywords are those of `Settings`: test, alpha, correction, draws, seed.

    The z-test and McNemar's take challenge items for independent, as published; bootstrap and randomization draw, or
    swap, all challenge items of an item together. `executor` makes the draws; without one this process does, when
    a row is asked for.
    """
    if challenge.is_blind:
        raise BadOption("the set is blind: give its key, so that one knows which translation is right")
    if not challenge.items:
        raise BadOption("the challenge set is empty")
    if not scores:
        raise BadOption("there are no metrics to evaluate")
    names = Counter(given.name for given in scores)
    for given in scores:
        if names[given.name] > 1:
            raise BadOption(f"the metric {given.name!r} is given twice; rename one with NAME=FILE")
        if given.values.shape != (len(challenge), 2):
            raise BadOption(f"{given.name} has scores for {len(given.values):,} of {len(challenge):,} challenge items")
        if np.isnan(given.values).all():
            raise BadOption(f"{given.name} has no score that is a number")
    evaluation = MetricEvaluation(challenge, tuple(scores), Settings(**choices), progress)
    if executor is not HERE:
        evaluation.draw(executor)
    return evaluation
