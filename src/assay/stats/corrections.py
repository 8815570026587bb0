"""Corrections for many comparisons: adjusted p-values of one family, compared with alpha as they are."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from assay.stats.proportions import Floats


def holm(p: ArrayLike) -> Floats:
    """Holm's step-down adjustment, which controls the chance of any false finding (Holm 1979). NaN stays NaN."""
    # p₍ᵢ₎·(n − i + 1), made non-decreasing: an adjusted p never falls below that of a smaller one.
    return _adjust(p, lambda ordered: np.maximum.accumulate(ordered * np.arange(len(ordered), 0, -1)))


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Benjamini and Hochberg's adjustment (1995), which controls the expected share of false findings."""

    def step_up(ordered: Floats) -> Floats:
        # p₍ᵢ₎·n/i, made non-decreasing from the largest p downwards.
        scaled = ordered * len(ordered) / np.arange(1, len(ordered) + 1)
        return np.asarray(np.minimum.accumulate(scaled[::-1])[::-1])

    return _adjust(p, step_up)


def _adjust(p: ArrayLike, adjust: Callable[[Floats], Floats]) -> Floats:
    values = np.array(p, dtype=np.float64)
    # A row without a test is no member of the family, so it does not make the correction stricter.
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    values[order] = np.minimum(adjust(values[order]), 1)
    return values
