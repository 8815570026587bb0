"""Agreement on order where both sides have ties: Kendall's tau-b, and pairwise accuracy with tie calibration.

    kendall([1, 2, 2, 3], [0.1, 0.4, 0.3, 0.9])
    calibrated(rows, human, differences).accuracy

Accuracy is that of Deutsch, Foster and Freitag (2023), "Ties matter": a pair counts as right if both sides order it the
same way or both tie it. Scores of a metric hardly ever tie, so scores that differ by at most a threshold do; the
threshold is the one with the highest accuracy.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.stats.proportions import Floats


def kendall(first: ArrayLike, second: ArrayLike) -> float | None:
    """Kendall's tau-b; None where one side does not vary. n log n."""
    x, y = np.asarray(first, np.float64), np.asarray(second, np.float64)
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    pairs = len(x) * (len(x) - 1) // 2
    tied_first, tied_second = _tied(x), _tied(np.sort(y))
    tied_both = _tied(np.rec.fromarrays([x, y]))
    if pairs in (tied_first, tied_second):
        return None
    # Among equal x, y rises, so what stands in the wrong order is discordant.
    discordant = _inversions(np.unique(y, return_inverse=True)[1])
    concordant = pairs - tied_first - tied_second + tied_both - discordant
    return (concordant - discordant) / (sqrt(pairs - tied_first) * sqrt(pairs - tied_second))


def _tied(values: NDArray[np.generic]) -> int:
    """Pairs of equal values."""
    counts = np.unique(values, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _inversions(ranks: NDArray[np.intp]) -> int:
    """Pairs whose first rank is the higher one.

    Bit by bit from the highest: two ranks with the same higher bits are out of order if a 1 stands before a 0.
    """
    found = 0
    for bit in reversed(range(int(ranks.max(initial=0)).bit_length())):
        ranks = ranks[np.argsort(ranks >> (bit + 1), kind="stable")]
        ones = (ranks >> bit) & 1
        before = np.cumsum(ones) - ones
        # Ones of earlier groups do not count: those before the first of each group are taken off.
        _, start, group = np.unique(ranks >> (bit + 1), return_index=True, return_inverse=True)
        found += int(((before - before[start][group]) * (1 - ones)).sum())
    return found


@dataclass(frozen=True, slots=True)
class TieCalibration:
    """Pairwise accuracy with the best threshold, and with none."""

    accuracy: float
    threshold: float
    without: float


def calibrated(rows: NDArray[np.intp], human: Floats, differences: Floats) -> TieCalibration | None:
    """Mean over rows of the share of pairs that are right; None without pairs.

    For each pair its row, the sign of the difference between people's scores (0 is a tie), and the difference between
    the metric's scores. Of several thresholds that are equally good, the smallest.
    """
    if not len(rows):
        return None
    _, inverse, counts = np.unique(rows, return_inverse=True, return_counts=True)
    weights = 1 / (counts[inverse] * len(counts))
    right = np.sign(differences) == human
    # Where a pair becomes a tie of the metric, it is right if people tie it too.
    gains = weights * ((human == 0).astype(np.float64) - right)
    sizes = np.abs(differences)
    order = np.argsort(sizes, kind="stable")
    thresholds, last = np.unique(sizes[order][::-1], return_index=True)
    sums = np.cumsum(gains[order])[len(sizes) - 1 - last]
    # A threshold of 0 changes nothing: equal scores are ties already.
    found = np.concatenate([[0.0], sums[thresholds > 0]])
    # What differs by rounding is equally good.
    best = float([0.0, *thresholds[thresholds > 0]][int(np.argmax(found >= found.max() - 1e-12))])

    def accuracy(right: NDArray[np.bool_]) -> float:
        # Anew, since the sums above carry the rounding of all pairs.
        return float((np.bincount(inverse, weights=right) / counts).mean())

    tied = np.where(sizes <= best, 0.0, np.sign(differences))
    return TieCalibration(accuracy(tied == human), best, accuracy(right))
