"""Exact test for two systems that answered the same items.

Only items on which the two differ say anything. With b items that only the better one got right and c that only the
other did, b of b + c follows a binomial distribution with probability one half if neither is better (McNemar 1947).
For 8 and 2: P(X ≥ 8 | 10, ½) = (45 + 10 + 1) / 1024 = 0.0547.
"""

from functools import cache
from math import exp, fsum, lgamma, log

import numpy as np
from numpy.typing import ArrayLike

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
