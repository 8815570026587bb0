"""Chances are what they say, on numbers that were made up."""

import numpy as np
import pytest

from assay.prediction import chances, fit_logistic


def test_chances_of_new_rows_are_as_often_right_as_they_say() -> None:
    chance = np.random.default_rng(5)
    signs = chance.normal(size=(8000, 3))
    truth = chances(signs, np.array([0.5, 1.0, -2.0, 0.0]))
    passes = (chance.random(8000) < truth).astype(np.float64)
    found = chances(signs[4000:], fit_logistic(signs[:4000], passes[:4000]))
    for low in np.arange(0, 1, 0.2):
        some = (low <= found) & (found < low + 0.2)
        assert found[some].mean() == pytest.approx(passes[4000:][some].mean(), abs=0.04)


def test_with_few_judgements_all_texts_are_alike() -> None:
    signs = np.array([[1.0], [-1.0], [1.0]])
    found = chances(signs, fit_logistic(signs, np.array([1.0, 0.0, 1.0])))
    assert found == pytest.approx([2 / 3] * 3, abs=0.15)


def test_a_row_that_counts_twice_is_two_rows() -> None:
    signs, passes = np.array([[1.0], [-1.0], [0.5]]), np.array([1.0, 0.0, 0.0])
    twice = fit_logistic(signs[[0, 0, 1, 2]], passes[[0, 0, 1, 2]])
    assert fit_logistic(signs, passes, np.array([2.0, 1.0, 1.0])) == pytest.approx(twice)
