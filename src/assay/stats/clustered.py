"""Means of observations that come in units, for several columns at once: is a mean zero, and how sure is it?

    sign_flips(sums, draws=10_000, seed=1)                  p of each column
    drawn_sums(sums, draws=2_000, seed=1)                   what they add up to in draws of units
    ratio_intervals(sums, sizes, draws=10_000, seed=1)      95 % intervals of Σ sums / Σ sizes

A unit is what was drawn independently (a source sentence with all that was made of it). `sums` and `sizes` are units ×
columns: what the members of a unit add up to, and how many they are.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from assay.stats.proportions import Floats

BLOCK = 250
"""Draws with a seed of their own, as in `resampling`."""

TIE = 1e-9
"""Sums closer than this are the same; the order of adding changes the last bits."""

MOST_EMPTY = 0.05
"""Columns that more draws than this leave empty have no interval."""


def unit_sums(values: Floats, units: NDArray[np.intp], number: int) -> Floats:
    """What the members of each unit add up to; members × columns in, units × columns out."""
    found = np.zeros((number, values.shape[1]))
    np.add.at(found, units, values)
    return found


def sign_flips(sums: Floats, *, draws: int, seed: int) -> Floats:
    """Two-tailed p that the sum of a column is zero, where a coin decides the sign of each unit.

    The observed signs count as one draw, so that p is never 0. For one unit it is 1. Columns without anything but zeros
    have p 1.
    """
    observed = np.abs(sums.sum(axis=0))
    extreme = np.zeros(sums.shape[1], dtype=np.int64)
    for size, chance in _blocks(draws, seed):
        signs = chance.integers(0, 2, size=(size, len(sums)), dtype=np.int8).astype(np.float64) * 2 - 1
        extreme += (np.abs(signs @ sums) >= observed - TIE).sum(axis=0)
    return np.asarray((extreme + 1) / (draws + 1))


def drawn_sums(sums: Floats, *, draws: int, seed: int) -> Floats:
    """The sums of every column when as many units as there are are drawn with replacement; draws × columns."""
    return np.concatenate([_drawn_units(chance, size, len(sums)) @ sums for size, chance in _blocks(draws, seed)])


def ratio_intervals(sums: Floats, sizes: Floats, *, draws: int, seed: int) -> tuple[Floats, Floats]:
    """95 % percentile intervals of Σ sums / Σ sizes when units are drawn with replacement; NaN where undefined."""
    drawn = np.empty((draws, sums.shape[1]))
    start = 0
    for size, chance in _blocks(draws, seed):
        weights = _drawn_units(chance, size, len(sums))
        with np.errstate(divide="ignore", invalid="ignore"):
            drawn[start : start + size] = (weights @ sums) / (weights @ sizes)
        start += size
    # Where nothing of a column was drawn, 0 / 0 is not a number; sums without sizes would be infinite.
    drawn[~np.isfinite(drawn)] = np.nan
    low, high = np.full((2, sums.shape[1]), np.nan)
    for column, empty in enumerate(np.isnan(drawn).mean(axis=0)):
        if empty <= MOST_EMPTY:
            known = drawn[~np.isnan(drawn[:, column]), column]
            low[column], high[column] = np.percentile(known, (2.5, 97.5))
    return low, high


def _drawn_units(chance: np.random.Generator, draws: int, number: int) -> Floats:
    """How often each unit is in each draw; draws × units."""
    places = chance.integers(0, number, size=(draws, number))
    places += (np.arange(draws) * number)[:, None]
    return np.bincount(places.ravel(), minlength=draws * number).reshape(draws, number).astype(np.float64)


def _blocks(draws: int, seed: int) -> Iterator[tuple[int, np.random.Generator]]:
    sizes = [BLOCK] * (draws // BLOCK) + ([draws % BLOCK] if draws % BLOCK else [])
    for size, sequence in zip(sizes, np.random.SeedSequence(seed).spawn(len(sizes)), strict=True):
        yield size, np.random.default_rng(sequence)
