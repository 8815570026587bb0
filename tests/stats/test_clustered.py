"""Clusters drawn and turned as a whole, against exact enumeration and hand work."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.clustered import cluster_sums, drawn_sums, sign_flips


def exact(differences: list[float]) -> float:
    """The share of all patterns of signs with a sum as far from zero."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(total >= observed - 1e-9 for total in sums) / len(sums)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_signs_turned_at_random_approach_all_patterns_of_signs(differences: list[int]) -> None:
    (p,) = sign_flips(np.array(differences, float)[:, None], draws=4000, seed=1)
    if not any(differences):
        assert np.isnan(p)
    else:
        # Four standard errors of a share over 4,000 draws.
        assert p == pytest.approx(exact(list(map(float, differences))), abs=4 * 0.5 / 4000**0.5 + 0.001)


def test_equal_columns_are_told_apart_as_often_as_the_level_says() -> None:
    chance = np.random.default_rng(7)
    # 60 sentences with 1 to 4 keywords each that all go the same way: the worst case of clustering.
    null = chance.choice([-1.0, 1.0], size=(60, 1000)) * chance.integers(1, 5, size=(60, 1))
    rejected = (sign_flips(null, draws=1000, seed=3) <= 0.05).mean()
    assert 0.03 <= rejected <= 0.07


def test_the_draws_of_a_mean_have_its_standard_error() -> None:
    values = np.arange(40.0)[:, None]
    drawn = drawn_sums(values, draws=4000, seed=1)[:, 0] / 40
    assert drawn.mean() == pytest.approx(19.5, abs=0.2)
    assert drawn.std() == pytest.approx(values.std() / 40**0.5, rel=0.05)


def test_rows_are_summed_by_their_cluster() -> None:
    found = cluster_sums(np.array([[1.0, 0], [2, 1], [4, 1]]), np.array([0, 1, 0]))
    assert found.tolist() == [[5, 1], [2, 1]]
