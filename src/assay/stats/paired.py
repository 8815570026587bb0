"""Exact test for two systems that answered the same items.

Only items on which the two differ say anything. With b items that only the better one got right and c that only the
other did, b of b + c follows a binomial distribution with probability one half if neither is better (McNemar 1947).
For 8 and 2: P(X ≥ 8 | 10, ½) = (45 + 10 + 1) / 1024 = 0.0547.
"""

from functools import cache
from math import exp, fsum, lgamma, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.stats.proportions import Floats


def mcnemar(only_better: ArrayLike, only_other: ArrayLike) -> Floats:
    """One-sided exact p: how likely the better one wins at least that many of the items on which they differ."""
    wins, losses = np.broadcast_arrays(np.asarray(only_better, np.int64), np.asarray(only_other, np.int64))
    tails = [
        half_tail(won, won + lost) for won, lost in zip(wins.ravel().tolist(), losses.ravel().tolist(), strict=True)
    ]
    return np.array(tails, dtype=np.float64).reshape(wins.shape)


@cache
def half_tail(successes: int, trials: int) -> float:
    """P(X ≥ successes) for a fair coin thrown so many times."""
    if successes <= 0:
        return 1.0
    if 2 * successes <= trials:
        # The other tail is shorter, and by symmetry P(X ≥ s) = 1 − P(X ≥ n − s + 1).
        return 1.0 - half_tail(trials - successes + 1, trials)
    # By logarithms: binomial coefficients of thousands of items overflow a float.
    term = exp(lgamma(trials + 1) - lgamma(successes + 1) - lgamma(trials - successes + 1) - trials * log(2))
    terms = [term]
    for number in range(successes, trials):
        # C(n, k + 1) = C(n, k)·(n − k)/(k + 1); fsum does not lose the small terms beside the large ones.
        term *= (trials - number) / (number + 1)
        terms.append(term)
    return min(fsum(terms), 1.0)


def grouped_mcnemar(differences: NDArray[np.int64]) -> float:
    """One-sided exact p where a coin decides the sign of each group: P(Σ ±|d| ≥ Σ d).

    `differences` are wins less losses, group by group. With one item in each group this is `mcnemar`.
    For 2, 1 and −1: sums of ±2 ±1 ±1 are at least 2 in 3 of 8 cases, 0.375.
    """
    sizes = np.abs(differences[differences != 0])
    # chances[k] is that of a sum of 2k less all sizes: each group adds nothing, or its size twice.
    chances = np.ones(1)
    for size, groups in zip(*np.unique(sizes, return_counts=True), strict=True):
        coins = np.zeros(int(size * groups) + 1)
        coins[:: int(size)] = _binomial(int(groups))
        chances = np.convolve(chances, coins)
    least = int(sizes.sum() + differences.sum()) // 2
    return min(float(fsum(chances[least:].tolist())), 1.0)


def _binomial(trials: int) -> Floats:
    """The chances of 0, 1, … heads of a fair coin."""
    return np.array(
        [exp(lgamma(trials + 1) - lgamma(k + 1) - lgamma(trials - k + 1) - trials * log(2)) for k in range(trials + 1)]
    )
