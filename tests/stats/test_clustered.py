"""Means of observations in units: by hand, by enumeration, and in simulations."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import norm

from assay.stats.clustered import drawn_sums, ratio_intervals, sign_flips, unit_sums


def test_sums_of_units() -> None:
    values = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    assert unit_sums(values, np.array([0, 0, 1]), 2).tolist() == [[2, 1], [0, 1]]


def test_sign_flips_are_those_of_all_signs() -> None:
    sums = np.array([[3.0], [1.0], [-1.0], [2.0], [1.5]])
    observed = abs(sums.sum())
    exact = np.mean([abs(np.dot(signs, sums[:, 0])) >= observed - 1e-9 for signs in product((-1, 1), repeat=5)])
    assert sign_flips(sums, draws=20_000, seed=1)[0] == pytest.approx(exact, abs=0.01)


def test_nothing_to_flip() -> None:
    assert sign_flips(np.zeros((4, 1)), draws=100, seed=1).tolist() == [1]
    assert sign_flips(np.array([[5.0]]), draws=100, seed=1).tolist() == [1]


def test_equal_means_are_told_apart_in_5_per_cent() -> None:
    chance = np.random.default_rng(3)
    # 40 units whose members go together: a unit's sum is large or small as a whole.
    p = sign_flips(chance.normal(size=(40, 1)) * chance.integers(1, 20, (40, 600)), draws=500, seed=1)
    p = np.concatenate([p, sign_flips(chance.normal(size=(40, 900)) * 7, draws=500, seed=2)])
    assert 0.03 < (p[600:] < 0.05).mean() < 0.07


def test_intervals_of_a_ratio_hold_the_truth() -> None:
    chance = np.random.default_rng(5)
    held, widths = [], []
    for _ in range(150):
        sizes = chance.integers(1, 12, (60, 1)).astype(float)
        share = np.clip(chance.normal(0.6, 0.2, (60, 1)), 0, 1)
        low, high = ratio_intervals(share * sizes, sizes, draws=400, seed=1)
        held.append(low[0] <= 0.6 <= high[0])
        widths.append(high[0] - low[0])
    assert 0.88 < np.mean(held) < 0.99
    # Units of n members, as a mean of 60: the standard error is sd·√Σn² / Σn.
    expected = 2 * norm.ppf(0.975) * 0.19 * np.sqrt(60 * (11**2 / 12 + 36)) / (60 * 6)
    assert np.mean(widths) == pytest.approx(expected, rel=0.15)


def test_a_column_that_is_mostly_not_drawn_has_no_interval() -> None:
    sums, sizes = np.zeros((10, 2)), np.zeros((10, 2))
    sums[0, 0] = sizes[0, 0] = 1
    sums[:, 1] = sizes[:, 1] = 1
    low, high = ratio_intervals(sums, sizes, draws=500, seed=1)
    assert np.isnan(low[0])
    assert np.isnan(high[0])
    assert (low[1], high[1]) == (1, 1)


def test_seeds() -> None:
    sums = np.random.default_rng(1).normal(size=(12, 3))
    assert sign_flips(sums, draws=600, seed=4).tolist() == sign_flips(sums, draws=600, seed=4).tolist()
    assert sign_flips(sums, draws=600, seed=4).tolist() != sign_flips(sums, draws=600, seed=5).tolist()


def test_draws_of_units_have_the_standard_error_of_their_mean() -> None:
    values = np.arange(40.0)[:, None]
    drawn = drawn_sums(values, draws=4000, seed=1)[:, 0] / 40
    assert drawn.mean() == pytest.approx(19.5, abs=0.2)
    assert drawn.std() == pytest.approx(values.std() / 40**0.5, rel=0.05)
