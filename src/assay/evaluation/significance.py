"""Each system against its row's best: p-values by the chosen test, corrected, and the first clusters they make."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.settings import Correction, Settings
from assay.evaluation.tally import Counts, Grouping, Level, Mask, Share, count, parents
from assay.parallel import HERE, Executor
from assay.progress import Progress
from assay.stats.corrections import benjamini_hochberg, holm
from assay.stats.proportions import Floats, divide, macro_ztest, ztest

if TYPE_CHECKING:
    from assay.stats.resampling import Layout

TIE = 1e-12
"""Accuracies closer than this are equal; means of the same cells can differ by rounding."""

MEAN_OF: dict[Level, Level] = {"category_macro": "category", "phenomenon_macro": "phenomenon"}
"""The level whose rows a macro-average is the mean of."""

CORRECT: dict[Correction, Callable[[Floats], Floats]] = {
    "none": lambda p: p,
    "holm": holm,  # Holm 1979
    "bh": benjamini_hochberg,  # Benjamini and Hochberg 1995
}


@dataclass(frozen=True, slots=True)
class Significance:
    """Rows × systems: adjusted p of being worse than the best (NaN for the best itself), and the first cluster."""

    p: Floats
    cluster: Mask


@dataclass(frozen=True, slots=True)
class Sample:
    """What the tests see: items × systems, and the row of each item per level."""

    correct: Mask
    counted: Mask
    grouping: dict[Level, Grouping]
    units: NDArray[np.intp] | None = None
    """Where items are not independent: those with the same number are drawn, or swapped, together, whatever their
    phenomena, and the bootstrap draws them from all of the sample rather than within each phenomenon."""
    groups: NDArray[np.intp] | None = None
    """The group of each item, where a group is one observation in every test: drawn and swapped whole, and counted
    by its design effect."""

    def shares(self) -> dict[Level, Share]:
        """Counts per level."""
        return {
            level: Share(count(self.correct, grouping), count(self.counted, grouping))
            for level, grouping in self.grouping.items()
        }

    def effects(self) -> dict[Level, Floats]:
        """The design effect of each row; 1 where items are independent."""
        if self.groups is None:
            rows = {level: len(grouping.names) for level, grouping in self.grouping.items()} | dict.fromkeys(MEAN_OF, 1)
            return {level: np.ones(number) for level, number in rows.items()}
        shares = self.shares()
        found: dict[Level, Floats] = {
            level: self._effects(grouping, shares[level]) for level, grouping in self.grouping.items()
        }
        for macro, level in MEAN_OF.items():
            found[macro] = self._effects(self.grouping[level], shares[level], mean=True)
        return found

    def _effects(self, grouping: Grouping, share: Share, *, mean: bool = False) -> Floats:
        """The design effects of the rows of a level, or that of the mean over those that are defined."""
        from assay.stats.design import design_effects

        assert self.groups is not None
        rows, kept = grouping.members, self.counted
        if mean:
            kept = kept & np.isin(rows, defined(share))[:, None]
        weights = np.where(kept, divide(1, share.total)[rows], 0.0)
        accuracy = divide(share.correct, share.total)[rows]
        influence = np.where(kept, (self.correct - np.nan_to_num(accuracy)) * weights, 0.0)
        into = np.zeros_like(rows) if mean else rows
        return design_effects(influence, weights, into, units=self.groups, number=1 if mean else len(grouping.names))

    def only(self, columns: Sequence[int]) -> "Sample":
        """The same for some systems alone, in this order."""
        chosen = list(columns)
        return replace(self, correct=self.correct[:, chosen], counted=self.counted[:, chosen])


def best(accuracy: Floats) -> Mask:
    """Where a row's best stands; several where they tie, none where nothing is defined."""
    top = np.where(np.isnan(accuracy), -np.inf, accuracy).max(axis=-1, keepdims=True, initial=-np.inf)
    leading: Mask = np.isfinite(top) & (accuracy >= top - TIE)
    return leading


def significance(
    sample: Sample, settings: Settings, *, executor: Executor = HERE, progress: Progress | None = None
) -> dict[Level, Significance]:
    """The chosen test on all rows and averages; where it draws, by an executor."""
    shares = sample.shares()
    p = _ztests(shares, sample.effects()) if settings.test == "ztest" else _drawn(sample, settings, executor, progress)
    if settings.test == "mcnemar":
        p |= {level: mcnemars(sample, sample.grouping[level], share) for level, share in shares.items()}
    if settings.tails != 1:
        p = {level: np.minimum(values * settings.tails, 1) for level, values in p.items()}
    return {level: clusters(accuracy, p[level], settings) for level, accuracy in _accuracies(shares).items()}


def pair_p(sample: Sample, tested: Mapping[Level, Significance]) -> dict[Level, Floats]:
    """p of the better of two systems being better, row by row; 1 where level, NaN where undefined.

    `tested` is the significance of the two, not corrected.
    """
    return {level: pair_p_of(accuracy, tested[level].p) for level, accuracy in _accuracies(sample.shares()).items()}


def pair_p_of(accuracy: Floats, p: Floats) -> Floats:
    """The same for the rows of one level."""
    # The better of the two has no p, or, where they tie, one that says nothing: they are level.
    found: Floats = np.min(p, axis=1, initial=1.0, where=~best(accuracy) & ~np.isnan(p))
    found[np.isnan(accuracy).any(axis=1)] = np.nan
    return found


def clusters(accuracy: Floats, p: Floats, settings: Settings) -> Significance:
    """Correct each row's comparisons with its best, and cut at alpha. The best is no comparison."""
    leaders = best(accuracy)
    adjusted = p.copy()
    # One leader stands for all that tie with it. The others are comparisons, and count in the correction.
    led = np.flatnonzero(leaders.any(axis=1))
    adjusted[led, leaders[led].argmax(axis=1)] = np.nan
    if settings.correction != "none":
        for row in range(len(adjusted)):
            adjusted[row] = CORRECT[settings.correction](adjusted[row])
    worse = adjusted < settings.alpha  # false where p is NaN
    return Significance(adjusted, ~np.isnan(accuracy) & (leaders | ~worse))


def defined(tally: Share) -> NDArray[np.intp]:
    """Groups in which every system has something that counts; the macro-averages are over these."""
    return np.flatnonzero((tally.total > 0).all(axis=1))


def macro_means(tally: Share) -> Floats:
    """Mean accuracy over the groups that are defined for every system."""
    kept = defined(tally)
    accuracy = divide(tally.correct, tally.total)[kept]
    return accuracy.mean(axis=0) if len(kept) else np.full(accuracy.shape[1], np.nan)


def _accuracies(tallies: dict[Level, Share]) -> dict[Level, Floats]:
    found: dict[Level, Floats] = {level: divide(tally.correct, tally.total) for level, tally in tallies.items()}
    found["category_macro"] = macro_means(tallies["category"])[None]
    found["phenomenon_macro"] = macro_means(tallies["phenomenon"])[None]
    return found


# The published test: two proportions with pooled variance (Macketanz et al. 2021). Where several systems tie for the
# best, the smallest p counts: a system is worse if it is worse than any one of them.


def _ztests(tallies: dict[Level, Share], effects: Mapping[Level, Floats]) -> dict[Level, Floats]:
    found: dict[Level, Floats] = {}
    for level, tally in tallies.items():
        found[level] = _row_ztests(*(counts / effects[level][:, None] for counts in (tally.correct, tally.total)))
    for macro, level in MEAN_OF.items():
        found[macro] = _macro_ztest(tallies[level], float(effects[macro][0]))
    return found


def _row_ztests(correct: Floats, total: Floats) -> Floats:
    accuracy = divide(correct, total)
    leaders = best(accuracy)
    found = np.full(accuracy.shape, np.nan)
    rows, columns = leaders.nonzero()
    # Tied bests with the same total give the same test.
    _, chosen = np.unique(np.stack([rows, total[rows, columns]]), axis=1, return_index=True)
    rows, columns = rows[chosen], columns[chosen]
    p = ztest(correct[rows, columns, None], total[rows, columns, None], correct[rows], total[rows])
    np.fmin.at(found, rows, p)
    return found


def _macro_ztest(tally: Share, effect: float) -> Floats:
    kept = defined(tally)
    means = macro_means(tally)
    found = np.full((1, len(means)), np.nan)
    for leader in np.flatnonzero(best(means)).tolist():
        found[0] = np.fmin(found[0], macro_ztest(tally.correct[kept] / effect, tally.total[kept] / effect, leader))
    return found


# The paired tests


def mcnemars(sample: Sample, grouping: Grouping, tally: Share) -> Floats:
    """Exact test on the items that both have decided; on groups, where they are the units."""
    from assay.stats.paired import mcnemar

    if sample.groups is not None:
        return _grouped_mcnemars(sample, grouping, tally)

    leaders = best(divide(tally.correct, tally.total))
    found = np.full(leaders.shape, np.nan)
    for column in np.flatnonzero(leaders.any(axis=0)).tolist():
        both = sample.counted & sample.counted[:, [column]]
        leading = sample.correct[:, [column]]
        wins = count(both & leading & ~sample.correct, grouping)
        losses = count(both & ~leading & sample.correct, grouping)
        rows = np.flatnonzero(leaders[:, column])
        found[rows] = np.fmin(found[rows], mcnemar(wins[rows], losses[rows]))
    found[tally.total == 0] = np.nan
    return found


def _grouped_mcnemars(sample: Sample, grouping: Grouping, tally: Share) -> Floats:
    """The same where a coin decides about whole groups, as far as they are in the row."""
    from assay.stats.paired import grouped_mcnemar

    assert sample.groups is not None
    leaders = best(divide(tally.correct, tally.total))
    found = np.full(leaders.shape, np.nan)
    for row, column in zip(*(places.tolist() for places in leaders.nonzero()), strict=True):
        members = grouping.members == row
        units, groups = np.unique(sample.groups[members], return_inverse=True)
        correct, counted = (of[members].astype(np.int64) for of in (sample.correct, sample.counted))
        won = (correct[:, [column]] - correct) * counted * counted[:, [column]]
        sums = _summed(won, groups.reshape(-1), len(units))
        found[row] = np.fmin(found[row], [grouped_mcnemar(one) for one in sums.T])
    found[tally.total == 0] = np.nan
    return found


def _drawn(sample: Sample, settings: Settings, executor: Executor, progress: Progress | None) -> dict[Level, Floats]:
    """Bootstrap or randomisation of all rows; items are drawn, or swapped, within their phenomenon.

    Beside McNemar's test only the macro-averages are drawn.
    """
    from assay.stats.resampling import bootstrap, randomization

    layout = _layout(sample)
    leaders = best(layout.observed)
    if settings.test == "mcnemar":
        leaders[:-2] = False  # the last two rows of a layout are the macro-averages
    draw = bootstrap if settings.test == "bootstrap" else randomization
    p = draw(layout, leaders, draws=settings.draws, seed=settings.seed, executor=executor, progress=progress)
    return _by_level(p, sample)


def _layout(sample: Sample) -> "Layout":
    from assay.stats.resampling import Layout

    strata = sample.grouping["phenomenon"].members
    correct: Counts = (sample.correct & sample.counted).astype(np.int64)
    counted: Counts = sample.counted.astype(np.int64)
    together = sample.groups
    if sample.units is not None:
        # A unit that spans phenomena falls into one part for each; the parts are drawn, or swapped, together.
        places, members = np.unique(np.stack([sample.units, strata]), axis=1, return_inverse=True)
        members = members.reshape(-1)
        correct, counted = (_summed(values, members, places.shape[1]) for values in (correct, counted))
        strata = places[1]
        together = places[0] if len(places[0]) > len(np.unique(places[0])) else None
    return Layout(
        correct,
        counted,
        strata,
        parents(sample.grouping),
        len(sample.grouping["category"].names),
        within=sample.units is None,
        units=together,
        linear=sample.units is not None,
    )


def _summed(values: Counts, members: NDArray[np.intp], number: int) -> Counts:
    found = np.zeros((number, values.shape[1]), dtype=np.int64)
    np.add.at(found, members, values)
    return found


def _by_level(rows: Floats, sample: Sample) -> dict[Level, Floats]:
    """Rows of a layout by the level they belong to: strata, groups, everything, mean over groups, mean over strata."""
    first, second = (len(sample.grouping[level].names) for level in ("phenomenon", "category"))
    return {
        "phenomenon": rows[:first],
        "category": rows[first : first + second],
        "micro": rows[[first + second]],
        "category_macro": rows[[-2]],
        "phenomenon_macro": rows[[-1]],
    }


def resampled_intervals(
    sample: Sample, *, draws: int, seed: int, executor: Executor = HERE
) -> dict[Level, tuple[Floats, Floats]]:
    """95 % intervals of every accuracy: percentiles over draws of items, or of units where there are any."""
    from assay.stats.resampling import percentiles

    low, high = percentiles(_layout(sample), (2.5, 97.5), draws=draws, seed=seed, executor=executor)
    lower, upper = _by_level(low, sample), _by_level(high, sample)
    return {level: (lower[level], upper[level]) for level in lower}
