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

    wins = np.asarray(only_better, dtype=np.float64)
    total = wins + np.asarray(only_other, dtype=np.float64)
    # P(X ≥ 0) is 1; bdtrc(-1, …) says so too, but not for 0 of 0.
    p = np.ones(np.broadcast_shapes(wins.shape, total.shape))
    some = np.broadcast_to(wins > 0, p.shape)
    p[some] = bdtrc(np.broadcast_to(wins, p.shape)[some] - 1, np.broadcast_to(total, p.shape)[some], 0.5)
    return p
