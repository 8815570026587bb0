"""Stratified bootstrap and approximate randomisation, for all systems and all means at once.

Items fall into strata, strata into groups. From the sums of each stratum follow the accuracies of strata and groups, of
everything, and the macro means over groups and over strata, so a draw is one small matrix product per stratum.

    layout = Layout(correct, counted, strata, groups)
    p = bootstrap(layout, leaders, draws=10_000, seed=1)

Draws come in blocks, each with a seed of its own, so that the result does not depend on who computes which block. An
executor computes them. The layout travels with the function; a block comes back as how often something happened.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from math import prod
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.parallel import HERE, Executor
from assay.progress import Progress
from assay.stats.proportions import Floats, divide

BLOCK = 250
"""Draws with a seed of their own; their random numbers take this × items × 4 bytes."""

CELLS = 2**20
"""Numbers that are worked on at once: as many draws of a block as fit, so that memory does not grow with systems."""

PRODUCT = 2**18
"""Multiplications of a matrix product at most. Larger ones BLAS shares out among threads, which gain nothing with thin
matrices, wait for each other at full speed, and fight with the other processes of an executor."""

CACHED = 2**15
"""Numbers that are drawn at once: so many stay in the cache of a core while they are counted."""

MOST_EMPTY = 0.05
"""Rows that more draws than this leave empty have no interval."""

TIE = 1e-9
"""Differences smaller than this are none; sums of the same counts can differ by rounding."""

Singles = NDArray[np.float32]
Number = TypeVar("Number", bound=np.generic)
Pairs = list[tuple[int, int]]
"""A row and a leader of it, who is compared with everybody."""


class Layout:
    """What is resampled, items sorted by stratum.

    `correct` and `counted` are items × systems, true or false, or counts where an item stands for several; `strata[i]`
    is the stratum of item i, `groups[k]` the group of stratum k, one of `group_count`. Rows of every result: all
    strata, all groups, everything, mean over groups, mean over strata. The means leave out groups and strata in which
    some system has nothing that counts. The bootstrap draws items within their stratum, or, where `within` is False,
    from all of them: strata of few items vary too little on their own. Items of one unit (`units`) are drawn, or
    swapped, together, whatever their strata; units are drawn from all. A draw may then leave a stratum empty, and the
    mean over the others is another quantity: with `linear` a draw moves a mean by the influence of what it holds.
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
        units: NDArray[np.intp] | None = None,
        linear: bool = False,
    ) -> None:
        self.within = within and units is None
        self.linear = linear and not self.within
        kept = np.flatnonzero(counted.any(axis=1))
        order = kept[np.argsort(strata[kept], kind="stable")]
        self.correct: Singles = np.where(counted > 0, correct, 0)[order].astype(np.float32)
        self.counted: Singles = counted[order].astype(np.float32)
        self.groups = groups
        self.group_count = int(groups.max(initial=-1)) + 1 if group_count is None else group_count
        self.sizes = np.bincount(strata[order], minlength=len(groups))
        self.units = None if units is None else np.unique(units[order], return_inverse=True)[1].reshape(-1)

    def __getstate__(self) -> dict[str, Any]:
        """For the way to a worker: counts as whole numbers, and nothing that follows from them."""
        kept = {name: vars(self)[name] for name in ("within", "linear", "groups", "group_count", "sizes", "units")}
        return kept | {"correct": _small(self.correct), "counted": _small(self.counted)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state | {name: state[name].astype(np.float32) for name in ("correct", "counted")})

    @property
    def systems(self) -> int:
        return int(self.correct.shape[1])

    @property
    def rows(self) -> int:
        return len(self.sizes) + self.group_count + 3

    @cached_property
    def strata(self) -> NDArray[np.intp]:
        """The stratum of each item."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """The first item of each stratum."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]])

    @property
    def drawn(self) -> int:
        """How many units are drawn, or swapped."""
        return len(self.correct) if self.units is None else int(self.units.max(initial=-1)) + 1

    @cached_property
    def uniform(self) -> bool:
        """Whether every item counts once for every system."""
        return bool((self.counted == 1).all())

    @cached_property
    def alike(self) -> bool:
        """Whether every item counts the same for every system."""
        return bool((self.counted == self.counted[:, :1]).all())

    def members(self, row: int) -> NDArray[np.bool_]:
        """Which items a row is made of."""
        if row < len(self.sizes):
            return np.asarray(self.strata == row)
        if row < len(self.sizes) + self.group_count:
            return np.asarray(self.groups[self.strata] == row - len(self.sizes))
        return np.ones(len(self.strata), dtype=bool)

    def parts(self, draws: int) -> Iterator[slice]:
        """Draws that are worked on at once, one part after the other."""
        step = max(1, CELLS // max(1, len(self.correct), self.rows * self.systems))
        return (slice(start, min(start + step, draws)) for start in range(0, draws, step))

    def sums(self, weights: Singles, values: Singles, *, into: str = "") -> Floats:
        """Weighted sums of strata, groups and everything per draw and system; weights are draws × items.

        `into` names the array of `_scratch` that takes them.
        """
        shape = (len(weights), self.rows - 2, self.systems)
        found = _scratch.array(into, shape, np.float64) if into else np.empty(shape)
        found[:] = 0
        for stratum in np.flatnonzero(self.sizes).tolist():
            part = slice(self.starts[stratum], self.starts[stratum] + self.sizes[stratum])
            step = max(1, PRODUCT // values[part].size)
            for start in range(0, len(weights), step):
                found[start : start + step, stratum] = weights[start : start + step, part] @ values[part]
            for row in (len(self.sizes) + self.groups[stratum], -1):
                found[:, row] += found[:, stratum]
        return found

    @cached_property
    def observed_sums(self) -> tuple[Floats, Floats]:
        """(correct, counted) of strata, groups and everything; rows × systems."""
        ones = np.ones((1, len(self.correct)), dtype=np.float32)
        return self.sums(ones, self.correct)[0], self.sums(ones, self.counted)[0]

    @cached_property
    def macro_cells(self) -> dict[int, NDArray[np.intp]]:
        """For each of the two means the rows of groups, or strata, in which every system has something that counts."""
        defined = np.flatnonzero((self.observed_sums[1] > 0).all(axis=1))
        strata = len(self.sizes)
        return {
            self.rows - 2: defined[(defined >= strata) & (defined < strata + self.group_count)],
            self.rows - 1: defined[defined < strata],
        }

    def with_macros(self, accuracy: Floats) -> Floats:
        """Rows of accuracies with the two means behind them; … × rows × systems in."""
        means = [_mean(accuracy[..., cells, :])[..., None, :] for cells in self.macro_cells.values()]
        return np.concatenate([accuracy, *means], axis=-2)

    @cached_property
    def observed(self) -> Floats:
        """Accuracies as they are; rows × systems."""
        return self.with_macros(divide(*self.observed_sums))

    def moved_macros(self, correct: Floats, counted: Floats) -> Floats:
        """The two means in draws with these sums, where each cell moves its mean by its influence; draws × 2 ×
        systems."""
        means = []
        for row, cells in self.macro_cells.items():
            centre, weight = self._influences[row]
            moved = _cells(counted, cells)
            moved *= -centre
            moved += correct[:, cells]
            moved *= weight
            means.append(np.clip(self.observed[row] + moved.sum(axis=1), 0, 1)[:, None])
        return np.concatenate(means, axis=1)

    @cached_property
    def _influences(self) -> dict[int, tuple[Floats, Floats]]:
        """For each mean the accuracy that its cells are held against, and what an item more or less moves it by.

        Cells × systems. A cell of m units varies by a factor m / (m - 1) too little in draws (Rao and Wu 1988). One
        unit does not vary at all, so cells that have a single one are held against their common mean, which overstates
        rather than understates how they vary (collapsed strata).
        """
        found = {}
        for row, cells in self.macro_cells.items():
            centre = self.observed[cells].copy()
            units = np.array([self._units_in(cell) for cell in cells.tolist()], dtype=np.float64).reshape(-1, 1)
            alone = units[:, 0] < 2
            units[alone] = alone.sum()
            centre[alone] = centre[alone].mean(axis=0) if alone.any() else 0
            factor = np.sqrt(np.where(units > 1, units / np.maximum(units - 1, 1), 0))
            found[row] = centre, factor / (self.observed_sums[1][cells] * len(cells))
        return found

    def _units_in(self, row: int) -> int:
        members = self.members(row)
        return int(members.sum()) if self.units is None else len(np.unique(self.units[members]))


def _small(counts: Singles) -> NDArray[Any]:
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))


def _mean(accuracy: Floats) -> Floats:
    """Means over cells, … × cells × systems in. A cell that a draw leaves empty for a system is not in its mean."""
    known = ~np.isnan(accuracy)
    return divide(accuracy.sum(axis=-2, where=known), known.sum(axis=-2))


class _Scratch(threading.local):
    """Arrays that a thread has for one part of the draws after the other.

    Memory that is given back after every part, and asked for again page by page, takes half as long as the work itself.
    """

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}

    def array(self, name: str, shape: tuple[int, ...], kind: type[Number]) -> NDArray[Number]:
        """The array with this name, with whatever was left in it."""
        size = prod(shape)
        if name not in self._arrays or len(self._arrays[name]) < size:
            self._arrays[name] = np.empty(size, dtype=kind)
        return self._arrays[name][:size].reshape(shape)

    def clear(self) -> None:
        """Give the memory back; a thread of a server may not draw again for long."""
        self._arrays.clear()


_scratch = _Scratch()


@dataclass(frozen=True, slots=True)
class _Block:
    """Draws, and what they are drawn by."""

    size: int
    seed: np.random.SeedSequence

    def chance(self) -> np.random.Generator:
        """The source of this block's random numbers."""
        return np.random.default_rng(self.seed)


def _blocks(draws: int, seed: int) -> list[_Block]:
    sizes = [BLOCK] * (draws // BLOCK) + ([draws % BLOCK] if draws % BLOCK else [])
    return [_Block(*pair) for pair in zip(sizes, np.random.SeedSequence(seed).spawn(len(sizes)), strict=True)]


def _pairs(layout: Layout, leaders: NDArray[np.bool_]) -> Pairs:
    """(row, leader) for the leaders of every row; one will do of those who are alike in all that a row is made of."""
    pairs: Pairs = []
    for row in np.flatnonzero(leaders.any(axis=1)).tolist():
        columns = np.flatnonzero(leaders[row])
        items = layout.members(row)
        marks = np.stack([layout.correct[items][:, columns], layout.counted[items][:, columns]]).transpose(2, 0, 1)
        distinct = {one.tobytes(): column for one, column in zip(marks, columns.tolist(), strict=True)}
        pairs += [(row, column) for column in distinct.values()]
    return pairs


@dataclass(frozen=True, slots=True)
class _Draws:
    """How many draws there are to make, and by whom."""

    number: int
    seed: int
    executor: Executor
    progress: Progress | None

    def shares(self, count: Callable[[Layout, Pairs, _Block], NDArray[Any]], layout: Layout, pairs: Pairs) -> Floats:
        """In what share of the draws it happened, with the +1 correction; pairs × systems."""
        blocks = _blocks(self.number, self.seed)
        total = np.zeros((len(pairs), layout.systems), dtype=np.int64)
        with closing(self.executor.map(partial(count, layout, pairs), blocks)) as counts:
            for block, found in zip(blocks, counts, strict=True):
                total += found
                if self.progress:
                    self.progress(block.size)
        _scratch.clear()
        return (total + 1) / (self.number + 1)


def bootstrap(
    layout: Layout,
    leaders: NDArray[np.bool_],
    *,
    draws: int,
    seed: int,
    executor: Executor = HERE,
    progress: Progress | None = None,
) -> Floats:
    """p that a row's leader is not better: the share of draws in which it is not, with the +1 correction.

    Items are drawn with replacement within their stratum, the same for all systems. With several leaders (rows ×
    systems) the smallest p counts.
    """
    pairs = _pairs(layout, leaders)
    p = _Draws(draws, seed, executor, progress).shares(_not_better, layout, pairs)
    return _smallest(layout, pairs, p)


def _not_better(layout: Layout, pairs: Pairs, block: _Block) -> NDArray[Any]:
    """In how many draws a leader is not better than each system; pairs × systems."""
    found = np.zeros((len(pairs), layout.systems), dtype=np.min_scalar_type(block.size))
    for accuracy in _resampled(layout, block):
        for place, (row, leader) in enumerate(pairs):
            if row in layout.macro_cells and not layout.linear:
                # A cell that the draw leaves empty for one of the two says nothing about their difference.
                cells = _cells(accuracy, layout.macro_cells[row])
                difference = _mean(np.subtract(cells[..., [leader]], cells, out=cells))
            else:
                difference = accuracy[:, row, [leader]] - accuracy[:, row]
            # NaN (nothing drawn that counts) is not better.
            found[place] += (~(difference > TIE)).sum(axis=0, dtype=found.dtype)
    return found


def _cells(accuracy: Floats, rows: NDArray[np.intp], name: str = "cells") -> Floats:
    """Some rows of draws × rows × systems, as an array that may be written to."""
    draws, _, systems = accuracy.shape
    into = _scratch.array(name, (draws, len(rows), systems), np.float64)
    return np.take(accuracy, rows, axis=1, out=into, mode="clip")  # other modes make a copy in between


def percentiles(
    layout: Layout, shares: tuple[float, float], *, draws: int, seed: int, executor: Executor = HERE
) -> tuple[Floats, Floats]:
    """Two percentiles of every accuracy over bootstrap draws; rows × systems each, NaN where undefined.

    They are good for six decimals: draws are kept as single numbers, which takes half the memory.
    """
    drawn = np.empty((layout.rows, layout.systems, draws), dtype=np.float32)
    with closing(executor.map(partial(_accuracies, layout), _blocks(draws, seed))) as blocks:
        start = 0
        for block in blocks:
            drawn[..., start : start + block.shape[-1]] = block
            start += block.shape[-1]
    _scratch.clear()
    low, high = np.full((2, layout.rows, layout.systems), np.nan)
    for row, values in enumerate(drawn):
        # A draw without any item of a row says nothing about it.
        empty = np.isnan(values).mean(axis=1)
        for known, percentile in ((empty == 0, np.percentile), ((empty > 0) & (empty <= MOST_EMPTY), np.nanpercentile)):
            if known.any():
                ends = percentile(values[known], shares, axis=1)
                low[row, known], high[row, known] = np.round(ends.astype(np.float64), 6)
    return low, high


def _accuracies(layout: Layout, block: _Block) -> Singles:
    """Accuracies in every draw; rows × systems × draws, as single numbers."""
    found = np.empty((layout.rows, layout.systems, block.size), dtype=np.float32)
    start = 0
    for accuracy in _resampled(layout, block):
        whole = accuracy if layout.linear else layout.with_macros(accuracy)
        found[..., start : start + len(whole)] = whole.transpose(1, 2, 0)
        start += len(whole)
    return found


def _resampled(layout: Layout, block: _Block) -> Iterator[Floats]:
    """Accuracies of strata, groups and everything when items are drawn with replacement; part by part."""
    items = layout.drawn
    sizes = np.repeat(layout.sizes, layout.sizes).astype(np.float32)
    starts = np.repeat(layout.starts, layout.sizes)
    if not layout.within:
        sizes, starts = np.full(items, items, np.float32), np.zeros(items, np.intp)
    chance, step = block.chance(), max(1, CACHED // max(1, items))
    for part in layout.parts(block.size):
        weights = _scratch.array("weights", (part.stop - part.start, items), np.float32)
        for start in range(0, len(weights), step):
            _draw(chance, sizes, starts, weights[start : start + step])
        if layout.units is not None:
            weights = weights[:, layout.units]
        correct = layout.sums(weights, layout.correct, into="correct")
        if layout.uniform and layout.within:
            yield _divided(correct, layout.observed_sums[1])
            continue
        counted = layout.sums(weights, layout.counted, into="counted")
        if layout.linear:
            moved = layout.moved_macros(correct, counted)
            yield np.concatenate([_divided(correct, counted), moved], axis=1)
        else:
            yield _divided(correct, counted)


def _draw(chance: np.random.Generator, sizes: Singles, starts: NDArray[np.intp], weights: Singles) -> None:
    """How often each item is drawn, into `weights`, which are draws × items."""
    chance.random(dtype=np.float32, out=weights)
    weights *= sizes
    drawn = weights.astype(np.int64)
    np.minimum(drawn, sizes.astype(np.int64) - 1, out=drawn)  # a number just below 1 may be rounded up
    drawn += starts
    drawn += (np.arange(len(drawn)) * drawn.shape[1])[:, None]
    weights[:] = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)


def _divided(numerator: Floats, denominator: Floats) -> Floats:
    """As `divide`, in the place of the numerator."""
    with np.errstate(divide="ignore", invalid="ignore"):
        numerator /= denominator
    numerator[np.broadcast_to(denominator == 0, numerator.shape)] = np.nan
    return numerator


def randomization(
    layout: Layout,
    leaders: NDArray[np.bool_],
    *,
    draws: int,
    seed: int,
    executor: Executor = HERE,
    progress: Progress | None = None,
) -> Floats:
    """p of a difference at least as large when, item by item, a coin decides who of the two wrote what.

    With signs z = ±1 per item, a system's signed sum Σ z·correct gives the swapped sums of every pair: the first of two
    has (C₁ + C₂ + Z₁ − Z₂) / 2 correct, the second (C₁ + C₂ − Z₁ + Z₂) / 2, and the same for what counts.
    """
    pairs = _pairs(layout, leaders)
    p = _Draws(draws, seed, executor, progress).shares(_as_large, layout, pairs)
    rows, columns = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    p[np.isnan(layout.observed[rows, columns])] = np.nan
    return _smallest(layout, pairs, p)


def _as_large(layout: Layout, pairs: Pairs, block: _Block) -> NDArray[Any]:
    """In how many draws the difference of a leader to each system is as large as it is; pairs × systems."""
    found = np.zeros((len(pairs), layout.systems), dtype=np.min_scalar_type(block.size))
    for swapped in _swapped(layout, block):
        for place, (row, leader) in enumerate(pairs):
            observed = layout.observed[row, leader] - layout.observed[row]
            found[place] += (~(swapped(row, leader) < observed - TIE)).sum(axis=0, dtype=found.dtype)
    return found


def _swapped(layout: Layout, block: _Block) -> Iterator[Callable[[int, int], Floats]]:
    """How a leader of a row differs from everybody (draws × systems) after random swaps; part by part."""
    items = layout.drawn
    coins = block.chance().integers(0, 256, size=(block.size, -(-items // 8)), dtype=np.uint8)
    for part in layout.parts(block.size):
        signs = _scratch.array("weights", (part.stop - part.start, items), np.float32)
        np.multiply(np.unpackbits(coins[part], axis=1)[:, :items], np.float32(2), out=signs)
        signs -= 1
        if layout.units is not None:
            signs = signs[:, layout.units]
        signed = layout.sums(signs, layout.correct, into="correct")
        if layout.alike:
            # The totals are the same for all, so the difference of a pair is the difference of the signed accuracies.
            yield partial(_apart, layout.with_macros(_divided(signed, layout.observed_sums[1])))
        else:
            yield partial(_apart_of_two, layout, signed, layout.sums(signs, layout.counted, into="counted"))


def _apart(accuracy: Floats, row: int, leader: int) -> Floats:
    return np.asarray(accuracy[:, row, [leader]] - accuracy[:, row])


def _apart_of_two(layout: Layout, signed: Floats, signed_total: Floats, row: int, leader: int) -> Floats:
    cells = layout.macro_cells.get(row, np.array([row]))
    correct, counted = (sums[cells] for sums in layout.observed_sums)
    first, second = _of_two(correct, _cells(signed, cells), leader)
    first_total, second_total = _of_two(counted, _cells(signed_total, cells, "total"), leader, "total of the leader")
    difference = _divided(first, first_total)
    difference -= _divided(second, second_total)
    return _mean(difference) if row in layout.macro_cells else difference[:, 0]


def _of_two(observed: Floats, signed: Floats, leader: int, name: str = "leader") -> tuple[Floats, Floats]:
    """Sums of the leader and of everybody after the swaps; the second in the place of `signed`."""
    both = observed[:, [leader]] + observed
    change = np.subtract(signed[..., [leader]], signed, out=signed)
    first = np.add(both, change, out=_scratch.array(name, signed.shape, np.float64))
    second = np.subtract(both, change, out=change)
    first /= 2
    second /= 2
    return first, second


def _smallest(layout: Layout, pairs: Pairs, p: Floats) -> Floats:
    """The smallest p of each row over its leaders; NaN in rows without one and for systems without a number."""
    found = np.full((layout.rows, layout.systems), np.nan)
    for (row, _), values in zip(pairs, p, strict=True):
        found[row] = np.fmin(found[row], values)
    found[np.isnan(layout.observed)] = np.nan
    return found
