"""Exact test for two systems that answered the same items.

Only items on which the two differ say anything. With b items that only the better one got right and c that only the
other did, b of b + c follows a binomial distribution with probability one half if neither is better (McNemar 1947).
For 8 and 2: P(X ≥ 8 | 10, ½) = (45 + 10 + 1) / 1024 = 0.0547.
"""

import numpy as np
from numpy.typing import ArrayLike

from assay.stats.proportions import Floats


def mcnemar(only_better: ArrayLike, only_other: ArrayLike) -> Floats:
    """One-sided exact p: how likely the better one wins at least that many of the items on which they differ."""
    from scipy.special import bdtrc

    wins, losses = np.broadcast_arrays(np.asarray(only_better, np.int64), np.asarray(only_other, np.int64))
    # P(X ≥ 0) is 1, whatever the number of items.
    p = np.ones(wins.shape)
    some = wins > 0
    p[some] = bdtrc((wins[some] - 1).astype(np.float64), wins[some] + losses[some], 0.5)
    return p
