"""Stratified bootstrap and approximate randomisation, for all systems and all means at once.

Items fall into strata, strata into groups. From the sums of each stratum follow the accuracies of strata and groups, of
everything, and the macro means over groups and over strata, so a draw is one small matrix product per stratum.

    layout = Layout(correct, counted, strata, groups)
    p = bootstrap(layout, leaders, draws=10_000, seed=1)

Draws come in blocks, each with a seed of its own, so that the result does not depend on who computes which block.
"""

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.stats.proportions import Floats, divide

BLOCK = 250
"""Draws that are computed together: memory is this × items × 4 bytes."""

MOST_EMPTY = 0.05
"""Rows that more draws than this leave empty have no interval."""

TIE = 1e-9
"""Differences smaller than this are none; sums of the same counts can differ by rounding."""

Singles = NDArray[np.float32]
Progress = Callable[[int], None]


class Layout:
    """What is resampled, items sorted by stratum.

    `correct` and `counted` are items × systems, true or false, or counts where an item stands for several; `strata[i]`
    is the stratum of item i, `groups[k]` the group of stratum k, one of `group_count`. Rows of every result: all
    strata, all groups, everything, mean over groups, mean over strata. The means leave out groups and strata in which
    some system has nothing that counts. The bootstrap draws items within their stratum, or, where `within` is False,
    from all of them: strata of few items vary too little on their own.
    """

    def __init__(
        self,
        correct: NDArray[np.bool_] | NDArray[np.int64],
        counted: NDArray[np.bool_] | NDArray[np.int64],
        strata: NDArray[np.intp],
        groups: NDArray[np.intp],
        group_count: int | None = None,
        *,
        within: bool = True,
    ) -> None:
        self.within = within
        kept = np.flatnonzero(counted.any(axis=1))
        order = kept[np.argsort(strata[kept], kind="stable")]
        self.correct: Singles = np.where(counted > 0, correct, 0)[order].astype(np.float32)
        self.counted: Singles = counted[order].astype(np.float32)
        self.groups = groups
        self.group_count = int(groups.max(initial=-1)) + 1 if group_count is None else group_count
        self.sizes = np.bincount(strata[order], minlength=len(groups))
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        self.uniform = bool((self.counted == 1).all())

    @property
    def systems(self) -> int:
        return int(self.correct.shape[1])

    @property
    def rows(self) -> int:
        return len(self.sizes) + self.group_count + 3

    def sums(self, weights: Singles, values: Singles) -> Floats:
        """Weighted sums per draw, stratum and system; weights are draws × items."""
        found = np.zeros((len(weights), len(self.sizes), self.systems))
        for stratum in np.flatnonzero(self.sizes):
            part = slice(self.starts[stratum], self.starts[stratum] + self.sizes[stratum])
            found[:, stratum] = weights[:, part] @ values[part]
        return found

    def grouped(self, sums: Floats) -> Floats:
        """Sums of strata, followed by those of groups and of everything; … × strata × systems in."""
        groups = np.zeros((*sums.shape[:-2], self.group_count, sums.shape[-1]))
        for stratum, group in enumerate(self.groups):
            groups[..., group, :] += sums[..., stratum, :]
        return np.concatenate([sums, groups, sums.sum(axis=-2, keepdims=True)], axis=-2)

    @cached_property
    def observed_sums(self) -> tuple[Floats, Floats]:
        """(correct, counted) of strata, groups and everything; rows × systems."""
        ones = np.ones((1, len(self.correct)), dtype=np.float32)
        return self.grouped(self.sums(ones, self.correct))[0], self.grouped(self.sums(ones, self.counted))[0]

    @cached_property
    def _macro_cells(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows of the groups, and of the strata, in which every system has something that counts."""
        defined = np.flatnonzero((self.observed_sums[1] > 0).all(axis=1))
        strata = len(self.sizes)
        return (
            defined[(defined >= strata) & (defined < strata + self.group_count)],
            defined[defined < strata],
        )

    def with_macros(self, accuracy: Floats) -> Floats:
        """Rows of accuracies (or differences) with the two means behind them; … × rows × systems in.

        A cell that a draw leaves empty for a system is left out of its mean.
        """
        means = []
        for cells in self._macro_cells:
            chosen = accuracy[..., cells, :]
            known = ~np.isnan(chosen)
            total = chosen.sum(axis=-2, keepdims=True, where=known)
            means.append(divide(total, known.sum(axis=-2, keepdims=True)))
        return np.concatenate([accuracy, *means], axis=-2)

    @cached_property
    def observed(self) -> Floats:
        """Accuracies as they are; rows × systems."""
        return self.with_macros(divide(*self.observed_sums))


def _blocks(draws: int, seed: int) -> Iterator[tuple[int, np.random.Generator]]:
    sizes = [BLOCK] * (draws // BLOCK) + ([draws % BLOCK] if draws % BLOCK else [])
    for size, child in zip(sizes, np.random.SeedSequence(seed).spawn(len(sizes)), strict=True):
        yield size, np.random.default_rng(child)


def _pairs(leaders: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(row, leader) for every leader of every row."""
    rows, columns = np.nonzero(leaders)
    return rows, columns


def bootstrap(
    layout: Layout, leaders: NDArray[np.bool_], *, draws: int, seed: int, progress: Progress | None = None
) -> Floats:
    """p that a row's leader is not better: the share of draws in which it is not, with the +1 correction.

    Items are drawn with replacement within their stratum, the same for all systems. With several leaders (rows ×
    systems) the smallest p counts.
    """
    rows, columns = _pairs(leaders)
    not_better = np.zeros((len(rows), layout.systems), dtype=np.int64)
    means = rows >= layout.rows - 2
    for size, chance in _blocks(draws, seed):
        accuracy = _bootstrap_block(layout, size, chance)
        difference = np.empty((size, len(rows), layout.systems))
        plain = accuracy[:, rows[~means]]
        difference[:, ~means] = accuracy[:, rows[~means], columns[~means], None] - plain
        for pair in np.flatnonzero(means):
            # A cell that the draw leaves empty for one of the two says nothing about their difference.
            apart = layout.with_macros(accuracy[..., [columns[pair]]] - accuracy)
            difference[:, pair] = apart[:, rows[pair]]
        # NaN (nothing drawn that counts) is not better.
        not_better += (~(difference > TIE)).sum(axis=0)
        if progress:
            progress(size)
    return _smallest(rows, (not_better + 1) / (draws + 1), layout)


def percentiles(layout: Layout, shares: tuple[float, float], *, draws: int, seed: int) -> tuple[Floats, Floats]:
    """Two percentiles of every accuracy over bootstrap draws; rows × systems each, NaN where undefined."""
    drawn = np.concatenate(
        [layout.with_macros(_bootstrap_block(layout, size, chance)) for size, chance in _blocks(draws, seed)]
    )
    # A draw without any item of a row says nothing about it.
    empty = np.isnan(drawn).mean(axis=0) > MOST_EMPTY
    drawn[:, empty] = 0
    low, high = np.nanpercentile(drawn, shares, axis=0)
    low[empty], high[empty] = np.nan, np.nan
    return low, high


def _bootstrap_block(layout: Layout, size: int, chance: np.random.Generator) -> Floats:
    items = len(layout.correct)
    sizes = np.repeat(layout.sizes, layout.sizes).astype(np.float32)
    starts = np.repeat(layout.starts, layout.sizes)
    if not layout.within:
        sizes, starts = np.full_like(sizes, items), np.zeros_like(starts)
    within = (chance.random((size, items), dtype=np.float32) * sizes).astype(np.int64)
    drawn = starts + np.minimum(within, sizes.astype(np.int64) - 1)
    drawn += (np.arange(size) * items)[:, None]
    weights = np.bincount(drawn.ravel(), minlength=size * items).reshape(size, items).astype(np.float32)
    correct = layout.grouped(layout.sums(weights, layout.correct))
    if layout.uniform and layout.within:
        return divide(correct, layout.observed_sums[1])
    return divide(correct, layout.grouped(layout.sums(weights, layout.counted)))


def randomization(
    layout: Layout, leaders: NDArray[np.bool_], *, draws: int, seed: int, progress: Progress | None = None
) -> Floats:
    """p of a difference at least as large when, item by item, a coin decides who of the two wrote what.

    With signs z = ±1 per item, a system's signed sum Σ z·correct gives the swapped sums of every pair: the first of two
    has (C₁ + C₂ + Z₁ − Z₂) / 2 correct, the second (C₁ + C₂ − Z₁ + Z₂) / 2, and the same for what counts.
    """
    rows, columns = _pairs(leaders)
    observed = layout.observed[rows, columns, None] - layout.observed[rows]
    larger = np.zeros((len(rows), layout.systems), dtype=np.int64)
    for size, chance in _blocks(draws, seed):
        difference = _swapped_block(layout, rows, columns, size, chance)
        larger += (~(difference < observed - TIE)).sum(axis=0)
        if progress:
            progress(size)
    p = (larger + 1) / (draws + 1)
    p[np.isnan(observed)] = np.nan
    return _smallest(rows, p, layout)


def _swapped_block(
    layout: Layout, rows: NDArray[np.intp], leaders: NDArray[np.intp], size: int, chance: np.random.Generator
) -> Floats:
    """Differences between each row's leader and everybody after random swaps; draws × pairs × systems."""
    items = len(layout.correct)
    bits = np.unpackbits(chance.integers(0, 256, size=(size, -(-items // 8)), dtype=np.uint8), axis=1)[:, :items]
    signs = bits.astype(np.float32) * 2 - 1
    correct, counted = layout.observed_sums
    signed = layout.grouped(layout.sums(signs, layout.correct))
    if layout.uniform:
        # The totals are the same for all, so the difference of a pair is the difference of the signed accuracies.
        accuracy = layout.with_macros(divide(signed, counted))
        return np.asarray(accuracy[:, rows, leaders, None] - accuracy[:, rows])
    signed_total = layout.grouped(layout.sums(signs, layout.counted))
    found = np.empty((size, len(rows), layout.systems))
    for leader in np.unique(leaders):
        first, second = _of_two(correct, signed, leader)
        first_total, second_total = _of_two(counted, signed_total, leader)
        accuracies = layout.with_macros(divide(first, first_total) - divide(second, second_total))
        mine = np.flatnonzero(leaders == leader)
        found[:, mine] = accuracies[:, rows[mine]]
    return found


def _of_two(observed: Floats, signed: Floats, leader: int) -> tuple[Floats, Floats]:
    """Sums of the leader and of everybody after the swaps."""
    both = observed[:, [leader]] + observed
    change = signed[..., [leader]] - signed
    return (both + change) / 2, (both - change) / 2


def _smallest(rows: NDArray[np.intp], p: Floats, layout: Layout) -> Floats:
    """The smallest p of each row over its leaders; NaN in rows without one and for systems without a number."""
    found = np.full((layout.rows, layout.systems), np.nan)
    for row, values in zip(rows, p, strict=True):
        found[row] = np.fmin(found[row], values)
    found[np.isnan(layout.observed)] = np.nan
    return found
