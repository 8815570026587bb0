"""Orders with ties: tau against scipy, calibration against every threshold tried in turn, and both by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from assay.stats.ties import TieCalibration, calibrated, kendall

_few = st.integers(0, 4).map(float)
_vectors = st.integers(2, 40).flatmap(lambda n: st.tuples(*[st.lists(_few, min_size=n, max_size=n)] * 2))


@settings(max_examples=200)
@given(vectors=_vectors)
def test_tau_is_that_of_scipy(vectors: tuple[list[float], list[float]]) -> None:
    found, expected = kendall(*vectors), kendalltau(*vectors).statistic
    if found is None:
        assert np.isnan(expected)
    else:
        assert found == pytest.approx(expected, abs=1e-12)


def test_tau_by_hand() -> None:
    """Of six pairs one ties on the left, four agree, one does not: (4 - 1) / sqrt(5 * 6)."""
    assert kendall([1, 2, 2, 3], [1, 2, 4, 3]) == pytest.approx(3 / 30**0.5)
    assert kendall([1, 1], [1, 2]) is None
    numbers = np.random.default_rng(1).normal(size=(2, 5000))
    assert kendall(*numbers) == pytest.approx(kendalltau(*numbers).statistic, abs=1e-12)


_pairs = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([-1.0, 0.0, 1.0]), st.integers(-3, 3).map(float)),
    min_size=1,
    max_size=25,
)


def accuracy(pairs: list[tuple[int, float, float]], threshold: float) -> float:
    """Mean over rows of the share of pairs that both sides order, or tie, alike; as the paper says it."""
    shares = []
    for row in {row for row, _, _ in pairs}:
        members = [(human, difference) for known, human, difference in pairs if known == row]
        signs = [(human, 0 if abs(difference) <= threshold else np.sign(difference)) for human, difference in members]
        shares.append(sum(human == metric for human, metric in signs) / len(signs))
    return sum(shares) / len(shares)


@settings(max_examples=300)
@given(pairs=_pairs)
def test_calibration_is_the_best_of_all_thresholds(pairs: list[tuple[int, float, float]]) -> None:
    rows, human, differences = (np.array(column) for column in zip(*pairs, strict=True))
    found = calibrated(rows, human, differences)
    assert found is not None
    tried = {threshold: accuracy(pairs, threshold) for threshold in sorted({0.0, *map(abs, differences.tolist())})}
    best = max(tried.values())
    assert found.accuracy == pytest.approx(best)
    assert found.without == pytest.approx(tried[0.0])
    assert found.threshold == next(threshold for threshold, value in tried.items() if value >= best - 1e-9)


def test_calibration_by_hand() -> None:
    """Three pairs of one row: people tie the first, whose scores differ by 0.1; the others they order as the metric."""
    rows, human = np.zeros(3, dtype=np.intp), np.array([0.0, 1.0, -1.0])
    assert calibrated(rows, human, np.array([0.1, 0.5, -2.0])) == TieCalibration(1.0, 0.1, 2 / 3)
    assert calibrated(rows[:0], human[:0], human[:0]) is None
