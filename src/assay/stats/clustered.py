"""Statistics of sums over clusters, such as all keywords of a sentence: clusters are drawn, or turned, as a whole.

for drawn in drawn_sums(sums, draws=2000, seed=1):      # bootstrap: draws × numbers
    ...
p = sign_flips(differences, draws=10_000, seed=1)       # are the sums of paired differences zero?
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from assay.stats.proportions import Floats

BLOCK = 500
"""Draws at a time: their random numbers take this × clusters × 8 bytes."""

TIE = 1e-9
"""Differences smaller than this are none; sums of the same numbers can differ by rounding."""


def drawn_sums(sums: Floats, *, draws: int, seed: int) -> Floats:
    """For each draw of as many clusters as there are, with replacement, the sums of every column; draws × columns."""
    chance = np.random.default_rng(seed)
    number = len(sums)
    parts = []
    for size in _blocks(draws):
        weights = chance.multinomial(number, np.full(number, 1 / number), size=size)
        parts.append(weights.astype(np.float64) @ sums)
    return np.concatenate(parts)


def sign_flips(differences: Floats, *, draws: int, seed: int) -> Floats:
    """Two-sided p for every column of cluster sums of paired differences, by turning the signs of whole clusters.

    Where neither of two is better, a cluster might as well have had the opposite sum. NaN where all sums are zero. The
    draws themselves count as one more, so that p is never 0 (Phipson and Smyth 2010).
    """
    chance = np.random.default_rng(seed)
    observed = np.abs(differences.sum(axis=0))
    as_large = np.zeros(differences.shape[1])
    for size in _blocks(draws):
        signs = chance.integers(0, 2, size=(size, len(differences))).astype(np.float64) * 2 - 1
        as_large += (np.abs(signs @ differences) >= observed - TIE).sum(axis=0)
    p = (1 + as_large) / (1 + draws)
    return np.where((np.abs(differences) > TIE).any(axis=0), p, np.nan)


def cluster_sums(values: Floats, clusters: NDArray[np.intp]) -> Floats:
    """Rows summed by their cluster; `clusters` numbers them from 0."""
    found = np.zeros((int(clusters.max(initial=-1)) + 1, values.shape[1]))
    np.add.at(found, clusters, values)
    return found


def _blocks(draws: int) -> Iterator[int]:
    for start in range(0, draws, BLOCK):
        yield min(BLOCK, draws - start)
