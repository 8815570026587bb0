"""First clusters: the systems of a row that are not significantly worse than its best."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.tally import Counts, Mask
from assay.stats.proportions import Floats, divide, macro_ztest, ztest

TIE = 1e-12
"""Accuracies closer than this are equal; means of the same cells can differ by rounding."""


def best(accuracy: Floats) -> Mask:
    """Where a row's best stands; several where they tie, none where nothing is defined."""
    top = np.where(np.isnan(accuracy), -np.inf, accuracy).max(axis=-1, keepdims=True, initial=-np.inf)
    leading: Mask = np.isfinite(top) & (accuracy >= top - TIE)
    return leading


def row_clusters(correct: Counts, total: Counts, alpha: float) -> Mask:
    """First clusters of rows × systems by the z-test of two proportions."""
    accuracy = divide(correct, total)
    leaders = best(accuracy)
    worse = np.zeros(accuracy.shape, dtype=bool)
    tried: set[tuple[int, int]] = set()
    for column in range(accuracy.shape[1]):
        # Tied bests with the same total give the same test.
        candidates = np.flatnonzero(leaders[:, column]).tolist()
        rows = [row for row in candidates if (row, int(total[row, column])) not in tried]
        tried.update((row, int(total[row, column])) for row in rows)
        if rows:
            p = ztest(correct[rows, column, None], total[rows, column, None], correct[rows], total[rows])
            worse[rows] |= p < alpha
    return ~worse & ~np.isnan(accuracy)


def macro_clusters(correct: Counts, total: Counts, alpha: float) -> Mask:
    """First cluster of the mean over cells (cells × systems), all of them defined for every system."""
    return _mean_clusters(
        divide(correct, total).mean(axis=0), lambda leader: macro_ztest(correct, total, leader), alpha
    )


def _mean_clusters(means: Floats, test: Callable[[int], Floats], alpha: float) -> Mask:
    worse = np.zeros(means.shape, dtype=bool)
    leaders: NDArray[np.intp] = np.flatnonzero(best(means))
    for leader in leaders.tolist():
        worse |= test(leader) < alpha
    return ~worse
