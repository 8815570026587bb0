"""A metric's profile on a challenge set: where it is strong and blind, what it depends on, and whom it agrees with.

    profile = profile_of(evaluation, "chrF")
    for row in profile.blind_spots:
        print(row.label, row.accuracy, row.group_mean, row.sources, row.p)

Every number comes with the sources it rests on. A metric is held against the mean of the other metrics of its group, or
of all others where it is alone in its group. Differences are tested by swapping signs source by source (two-tailed,
Holm's correction over the rows of a level), intervals come from drawing sources.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.challenge.accuracy import MetricEvaluation
from assay.challenge.analysis import Redundancy, redundancies
from assay.challenge.challenge_set import ChallengeItem, MetricGroup
from assay.challenge.closeness import similarity
from assay.challenge.rows import FEWEST_SOURCES, INTERVAL_DRAWS, MetricCell
from assay.errors import UnknownName
from assay.evaluation.tally import Grouping, Mask
from assay.stats.clustered import ratio_intervals, sign_flips, unit_sums
from assay.stats.corrections import holm
from assay.stats.proportions import Floats, divide

MOST_EXAMPLES = 3
"""Challenge items that are shown for a blind spot."""


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """A category or phenomenon. `difference` is the accuracy less that of the group; `p` is corrected. Rows of fewer
    than 5 sources have neither interval nor test."""

    category: str
    phenomenon: str | None
    size: int
    sources: int
    accuracy: float
    low: float | None
    high: float | None
    group_mean: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    p: float | None

    @property
    def label(self) -> str:
        return self.category if self.phenomenon is None else f"{self.category} › {self.phenomenon}"


@dataclass(frozen=True, slots=True)
class BlindSpot:
    """A phenomenon in which a metric is significantly below its group, and challenge items that show it."""

    row: ProfileRow
    examples: tuple[ChallengeItem, ...]


@dataclass(frozen=True, slots=True)
class PartAccuracy:
    """Accuracy on some challenge items: those of a kind of system, or with a longer correct translation."""

    name: str
    size: int
    sources: int
    accuracy: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class BalancedAccuracy:
    """Accuracy where the correct translation is the longer one (or nearer to the source) and where it is not, and the
    mean of the two: what is left when that cannot help."""

    what: str
    more: PartAccuracy
    less: PartAccuracy
    balanced: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class ReferenceRobustness:
    """Pairs that come with several references: right with every one, with some, with none."""

    pairs: int
    sources: int
    references: float
    always: int
    sometimes: int
    never: int


@dataclass(frozen=True, slots=True)
class MetricProfile:
    """All that is known of one metric on one set."""

    metric: str
    group: MetricGroup
    against: tuple[str, ...]
    """The metrics that make the mean of its group."""
    set_name: str
    langpair: str
    signature: str
    metric_signature: str
    alpha: float
    size: int
    sources: int
    averages: tuple[tuple[str, MetricCell, float | None], ...]
    """Label, the metric's cell, and the mean of its group."""
    overall: ProfileRow
    rows: tuple[ProfileRow, ...]
    blind_spots: tuple[BlindSpot, ...]
    strengths: tuple[ProfileRow, ...]
    ties: int
    undefined: int
    half_ties: float | None
    """The accuracy where a tie counts as half."""
    balanced: tuple[BalancedAccuracy, ...]
    robustness: ReferenceRobustness | None
    by_maker: tuple[PartAccuracy, ...]
    """Accuracy by what kind of system made the incorrect translation."""
    agreement: tuple[Redundancy, ...]
    alone_right: int
    alone_wrong: int


Makers = Mapping[str, str]
"""System, as a set names it -> its kind."""


class _Outcome:
    """What is needed of an evaluation to describe one of its metrics."""

    def __init__(self, evaluation: MetricEvaluation, name: str) -> None:
        if name not in evaluation.columns:
            raise UnknownName("metric", name, evaluation.columns)
        self.evaluation = evaluation
        self.column = evaluation.columns.index(name)
        self.scores = evaluation.metrics[self.column]
        rivals = [column for column in evaluation.competing if column != self.column]
        mine = [column for column in rivals if evaluation.metrics[column].group == self.scores.group]
        self.others = mine or rivals
        self.units: NDArray[np.intp] = evaluation.sources
        self.unit_count = int(self.units.max(initial=-1)) + 1
        self.right: Mask = evaluation.right[:, self.column]

    @cached_property
    def group_share(self) -> Floats:
        """Of each challenge item the share of the group's other metrics that get it right; 0 where there are none."""
        if not self.others:
            return np.zeros(len(self.right))
        return np.asarray(self.evaluation.right[:, self.others].mean(axis=1), dtype=np.float64)

    @property
    def seed(self) -> int:
        return self.evaluation.settings.seed

    def sources(self, chosen: Mask) -> int:
        return len(np.unique(self.units[chosen]))

    def sums(self, values: Floats) -> Floats:
        return unit_sums(values, self.units, self.unit_count)


def profile_of(
    evaluation: MetricEvaluation,
    name: str,
    *,
    makers: Makers | None = None,
    same_pairs: Sequence[MetricEvaluation] = (),
) -> MetricProfile:
    """The profile of a metric. `makers` tells kinds of systems; `same_pairs` are evaluations of other sets, which may
    have the same pairs with other references."""
    outcome = _Outcome(evaluation, name)
    grouping = evaluation.sample.grouping
    micro, *_ = _rows(outcome, grouping["micro"])
    categories = _corrected(_rows(outcome, grouping["category"]))
    phenomena = _corrected(_rows(outcome, grouping["phenomenon"]))
    alpha = evaluation.settings.alpha
    told = [row for row in phenomena if row.p is not None and row.p < alpha and row.difference]
    averages = evaluation.averages()
    cell = averages[0].cells[outcome.column]
    ties, size = cell.ties or 0, len(evaluation.challenge)
    alone_right, alone_wrong = _alone(outcome)
    return MetricProfile(
        metric=name,
        group=outcome.scores.group,
        against=tuple(evaluation.columns[column] for column in outcome.others),
        set_name=evaluation.challenge.name,
        langpair=evaluation.challenge.langpair,
        signature=str(evaluation.signature),
        metric_signature=outcome.scores.signature,
        alpha=alpha,
        size=size,
        sources=averages[0].sources,
        averages=tuple(
            (row.level, row.cells[outcome.column], _mean([row.cells[other].accuracy for other in outcome.others]))
            for row in averages
        ),
        overall=micro,
        rows=tuple(_nested(categories, phenomena)),
        blind_spots=tuple(
            BlindSpot(row, _examples(outcome, row))
            for row in sorted(told, key=lambda row: row.difference or 0)
            if (row.difference or 0) < 0
        ),
        strengths=tuple(
            row for row in sorted(told, key=lambda row: -(row.difference or 0)) if (row.difference or 0) > 0
        ),
        ties=ties,
        undefined=cell.undefined or 0,
        half_ties=((cell.correct or 0) + ties / 2) / size,
        balanced=tuple(_balanced(outcome)),
        robustness=_robustness(name, [evaluation, *same_pairs]),
        by_maker=tuple(_by_maker(outcome, makers)) if makers else (),
        agreement=tuple(pair for pair in redundancies(evaluation) if name in (pair.first, pair.second)),
        alone_right=alone_right,
        alone_wrong=alone_wrong,
    )


# Rows


def _rows(outcome: _Outcome, grouping: Grouping) -> list[ProfileRow]:
    """Rows of a level with their intervals and p, not corrected."""
    number = len(grouping.names)
    member = grouping.members[:, None] == np.arange(number)
    right = np.where(member, outcome.right[:, None], 0.0)
    apart = np.where(member, (outcome.right - outcome.group_share)[:, None], 0.0)
    sizes = member.astype(np.float64)
    sums, differences, counts = map(outcome.sums, (right, apart, sizes))
    sources = (counts > 0).sum(axis=0)
    draws = {"draws": INTERVAL_DRAWS, "seed": outcome.seed}
    low, high = ratio_intervals(sums, counts, **draws)
    difference_low, difference_high = ratio_intervals(differences, counts, **draws)
    p = sign_flips(differences, **draws)
    total = sizes.sum(axis=0)
    accuracy, difference = divide(right.sum(axis=0), total), divide(apart.sum(axis=0), total)
    found = []
    for place, (category, phenomenon) in enumerate(grouping.names):
        few = sources[place] < FEWEST_SOURCES
        alone = not outcome.others
        ends = [
            None if few or np.isnan(value[place]) else float(value[place])
            for value in (low, high, difference_low, difference_high)
        ]
        found.append(
            ProfileRow(
                category or "",
                phenomenon,
                int(total[place]),
                int(sources[place]),
                float(accuracy[place]),
                ends[0],
                ends[1],
                None if alone else float(accuracy[place] - difference[place]),
                None if alone else float(difference[place]),
                None if alone else ends[2],
                None if alone else ends[3],
                None if few or alone else float(p[place]),
            )
        )
    return found


def _corrected(rows: Sequence[ProfileRow]) -> list[ProfileRow]:
    """The same with Holm's correction over all rows that are tested."""
    adjusted = holm([np.nan if row.p is None else row.p for row in rows]).tolist()
    return [row if row.p is None else replace(row, p=value) for row, value in zip(rows, adjusted, strict=True)]


def _nested(categories: Sequence[ProfileRow], phenomena: Sequence[ProfileRow]) -> list[ProfileRow]:
    below: dict[str, list[ProfileRow]] = {row.category: [row] for row in categories}
    for row in phenomena:
        below[row.category].append(row)
    return [row for rows in below.values() for row in rows]


def _examples(outcome: _Outcome, row: ProfileRow) -> tuple[ChallengeItem, ...]:
    """What the metric gets wrong and most of its group gets right, each of another source."""
    items = outcome.evaluation.challenge.items
    wrong = [
        place
        for place in np.flatnonzero(~outcome.right).tolist()
        if (items[place].category, items[place].phenomenon) == (row.category, row.phenomenon)
    ]
    chosen: dict[int, ChallengeItem] = {}
    for place in sorted(wrong, key=lambda place: -outcome.group_share[place]):
        chosen.setdefault(int(outcome.units[place]), items[place])
    return tuple(chosen.values())[:MOST_EXAMPLES]


# What it depends on


def _part(outcome: _Outcome, name: str, chosen: Mask) -> PartAccuracy:
    """Accuracy on some challenge items, with its interval."""
    size, sources = int(chosen.sum()), outcome.sources(chosen)
    if not size:
        return PartAccuracy(name, 0, 0, None, None, None)
    right, there = (outcome.sums(values[:, None].astype(np.float64)) for values in (outcome.right & chosen, chosen))
    low, high = ratio_intervals(right, there, draws=INTERVAL_DRAWS, seed=outcome.seed)
    few = sources < FEWEST_SOURCES or bool(np.isnan(low[0]))
    return PartAccuracy(
        name,
        size,
        sources,
        float(right.sum() / there.sum()),
        None if few else float(low[0]),
        None if few else float(high[0]),
    )


def _balanced(outcome: _Outcome) -> list[BalancedAccuracy]:
    items = outcome.evaluation.challenge.items
    near = similarity()
    longer = np.array([len(item.right) - len(item.wrong) for item in items], dtype=np.float64)
    found = [_balance(outcome, "length", ("correct is longer", "correct is shorter"), longer)]
    if any(item.source for item in items):
        nearer = np.array([near(item.source, item.right) - near(item.source, item.wrong) for item in items])
        found.append(_balance(outcome, "copy", ("correct is nearer to the source", "correct is less near"), nearer))
    return found


def _balance(outcome: _Outcome, what: str, names: tuple[str, str], advantage: Floats) -> BalancedAccuracy:
    """Challenge items in which the two are level are left out."""
    sides = [np.asarray(advantage > 0), np.asarray(advantage < 0)]
    more, less = (_part(outcome, name, side) for name, side in zip(names, sides, strict=True))
    if more.accuracy is None or less.accuracy is None:
        return BalancedAccuracy(what, more, less, None, None, None)
    # Of a mean of two means: each challenge item weighs one over twice its side.
    weights = sum(side / (2 * side.sum()) for side in sides)
    centre = sides[0] * more.accuracy + sides[1] * less.accuracy
    moved = outcome.sums(((outcome.right - centre) * weights)[:, None])
    balanced = (more.accuracy + less.accuracy) / 2
    # As for macro-averages: a draw moves the mean by the influence of what it holds.
    low, high = ratio_intervals(moved * len(moved), np.ones_like(moved), draws=INTERVAL_DRAWS, seed=outcome.seed)
    ends = [float(np.clip(balanced + end[0], 0, 1)) for end in (low, high)]
    few = min(more.sources, less.sources) < FEWEST_SOURCES
    return BalancedAccuracy(what, more, less, balanced, None if few else ends[0], None if few else ends[1])


def _robustness(name: str, evaluations: Sequence[MetricEvaluation]) -> ReferenceRobustness | None:
    """Over all pairs of the first set that come with two references or more, there or in another set."""
    pairs: dict[tuple[str, str, str], dict[str, bool]] = {
        (item.source, item.right, item.wrong): {} for item in evaluations[0].challenge.items
    }
    for evaluation in evaluations:
        if name not in evaluation.columns:
            continue
        column = evaluation.columns.index(name)
        for item, right in zip(evaluation.challenge.items, evaluation.right[:, column].tolist(), strict=True):
            known = pairs.get((item.source, item.right, item.wrong))
            if known is not None:
                known[item.reference] = right
    several = {pair: found for pair, found in pairs.items() if len(found) > 1}
    if not several:
        return None
    always = sum(all(found.values()) for found in several.values())
    never = sum(not any(found.values()) for found in several.values())
    return ReferenceRobustness(
        pairs=len(several),
        sources=len({source for source, _, _ in several}),
        references=sum(map(len, several.values())) / len(several),
        always=always,
        sometimes=len(several) - always - never,
        never=never,
    )


def _by_maker(outcome: _Outcome, makers: Makers) -> list[PartAccuracy]:
    """By the kinds of systems that wrote the incorrect translation; one that several wrote counts for each kind."""
    kinds = [_kinds_of(item, makers) for item in outcome.evaluation.challenge.items]
    names = sorted({kind for found in kinds for kind in found})
    return [_part(outcome, name, np.array([name in found for found in kinds])) for name in names]


def _kinds_of(item: ChallengeItem, makers: Makers) -> set[str]:
    systems = item.first_systems if item.correct == 2 else item.second_systems
    return {makers[system] for system in systems if system in makers}


# Whom it agrees with


def _alone(outcome: _Outcome) -> tuple[int, int]:
    """Challenge items that no other metric gets right but this one, and that only this one gets wrong."""
    others = [column for column in outcome.evaluation.competing if column != outcome.column]
    if not others:
        return 0, 0
    right = outcome.evaluation.right[:, others]
    return int((outcome.right & ~right.any(axis=1)).sum()), int((~outcome.right & right.all(axis=1)).sum())


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
