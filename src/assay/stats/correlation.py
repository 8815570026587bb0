"""Rank correlation with its interval, and the item-total correlation of test theory."""

from math import atanh, sqrt, tanh

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.stats.proportions import Z95, Floats


def ranks(values: ArrayLike) -> Floats:
    """Ranks from 1, ties at their mean."""
    array = np.asarray(values, dtype=np.float64)
    _, inverse, counts = np.unique(array, return_inverse=True, return_counts=True)
    # `last` is the highest rank of a group of ties; their mean lies (size − 1)/2 below.
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[inverse])


def pearson(first: ArrayLike, second: ArrayLike) -> float | None:
    """Pearson's r; None where one side does not vary."""
    x, y = np.asarray(first, np.float64), np.asarray(second, np.float64)
    # What differs by rounding only does not vary.
    if any(np.ptp(side) <= 1e-12 * max(1.0, np.abs(side).max()) for side in (x, y)):
        return None
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y) / sqrt(float((x @ x) * (y @ y)))


def spearman(first: ArrayLike, second: ArrayLike) -> float | None:
    """Spearman's rank correlation; None where one side does not vary."""
    return pearson(ranks(first), ranks(second))


def spearman_interval(rho: float, number: int) -> tuple[float, float] | None:
    """95 % interval with the standard error of Bonett and Wright (2000); None under four pairs."""
    if number < 4:
        return None
    # atanh is infinite there.
    if abs(rho) >= 1:
        return rho, rho
    # Fisher's z has variance 1/(n − 3) for Pearson's r; Bonett and Wright add ρ²/2 for ranks.
    half = Z95 * sqrt((1 + rho**2 / 2) / (number - 3))
    return tanh(atanh(rho) - half), tanh(atanh(rho) + half)


def item_rest(right: NDArray[np.bool_]) -> Floats:
    """Discrimination of each item: its correlation, over systems, with the score on all other items.

    Items × systems in; NaN where an item, or the rest, is the same for all systems.
    """
    values = right.astype(np.float64)
    # Without the item itself, which would correlate with its own share of the total.
    rest = values.sum(axis=0) - values
    values = values - values.mean(axis=1, keepdims=True)
    rest = rest - rest.mean(axis=1, keepdims=True)
    scale = np.sqrt((values**2).sum(axis=1) * (rest**2).sum(axis=1))
    found = np.full(len(values), np.nan)
    np.divide((values * rest).sum(axis=1), scale, out=found, where=scale > 1e-12)
    return found
