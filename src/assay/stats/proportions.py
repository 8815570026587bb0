"""Proportions of two systems on the same kind of items: intervals and the z-test of the published tables.

Everything is vectorised: counts come as arrays of any shape and numbers go out in that shape; where a total is 0
the result is NaN.

Wilson's interval for 8 of 10 at 95 % (z = 1.96): centre (0.8 + z²/20) / (1 + z²/10) = 0.7168, half-width
z·sqrt(0.8·0.2/10 + z²/400) / (1 + z²/10) = 0.2265, so [0.490, 0.943].
"""

from math import erfc, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Counted = NDArray[np.int64] | NDArray[np.float64]
"""Counts, or counts divided by a design effect."""

Z95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""

# The standard library's erfc: scipy has a vectorised one, but importing it takes longer than a whole evaluation.
_erfc = np.vectorize(erfc, otypes=[np.float64])


def upper_tail(z: ArrayLike) -> Floats:
    """P(Z > z) for a standard normal Z."""
    z = np.asarray(z, dtype=np.float64)
    return np.asarray(_erfc(z / sqrt(2)) / 2) if z.size else z


def divide(numerator: ArrayLike, denominator: ArrayLike) -> Floats:
    """Elementwise quotient, NaN where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(np.asarray(numerator, np.float64), np.asarray(denominator, np.float64))
    result = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result


def wilson(correct: ArrayLike, total: ArrayLike) -> tuple[Floats, Floats]:
    """Wilson's 95 % score interval (E. B. Wilson, 1927)."""
    correct, total = np.asarray(correct, np.float64), np.asarray(total, np.float64)
    share = divide(correct, total)
    shrink = 1 + divide(Z95**2, total)
    centre = (share + divide(Z95**2, 2 * total)) / shrink
    # At 0 and 1 the variance can round to just below zero.
    variance = divide(share * (1 - share), total) + divide(Z95**2, 4 * total**2)
    half = Z95 * np.sqrt(np.maximum(variance, 0)) / shrink
    return np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)


def _p_value(difference: Floats, variance: Floats) -> Floats:
    """One-tailed p of a difference; with zero variance 1 where it is not positive and 0 where it is."""
    # With zero variance (all right, or all wrong) any positive difference is certain.
    z = np.where(difference > 0, np.inf, 0.0)
    np.divide(difference, np.sqrt(np.maximum(variance, 0)), out=z, where=variance > 0)
    p = np.where((variance > 0) | (difference > 0), upper_tail(z), 1.0)
    p[np.isnan(difference)] = np.nan
    return p


def ztest(best_correct: ArrayLike, best_total: ArrayLike, correct: ArrayLike, total: ArrayLike) -> Floats:
    """p of the one-tailed z-test of two proportions, pooled: is the best's proportion higher?"""
    best_correct, best_total, correct, total = np.broadcast_arrays(
        *(np.asarray(counts, np.float64) for counts in (best_correct, best_total, correct, total))
    )
    pooled = divide(best_correct + correct, best_total + total)
    variance = pooled * (1 - pooled) * (divide(1, best_total) + divide(1, total))
    return _p_value(divide(best_correct, best_total) - divide(correct, total), np.nan_to_num(variance))


def macro_ztest(correct: Counted, total: Counted, best: int) -> Floats:
    """p, per system, that the mean over cells of the best system is higher; cells × systems in.

    The variance is K⁻² Σₖ p̄ₖ(1−p̄ₖ)(1/n₁ₖ + 1/n₂ₖ), with p̄ₖ pooled over the two systems in cell k of K.
    """
    cells = len(correct)
    accuracy = divide(correct, total)
    pooled = divide(correct + correct[:, [best]], total + total[:, [best]])
    inverse = divide(1, total)
    variance = (pooled * (1 - pooled) * (inverse + inverse[:, [best]])).sum(axis=0) / cells**2
    means = accuracy.mean(axis=0)
    # A system is not better than itself, whatever the rounding of the mean.
    difference = means[best] - means
    difference[np.abs(difference) < 1e-12] = 0
    return _p_value(difference, variance)


def macro_interval(correct: Counted, total: Counted) -> tuple[Floats, Floats]:
    """Normal 95 % interval of the mean over cells, clipped to [0, 1]; cells × systems in."""
    cells = len(correct)
    accuracy = divide(correct, total)
    variance = divide(accuracy * (1 - accuracy), total).sum(axis=0) / cells**2
    mean, half = accuracy.mean(axis=0), Z95 * np.sqrt(variance)
    return np.clip(mean - half, 0, 1), np.clip(mean + half, 0, 1)
