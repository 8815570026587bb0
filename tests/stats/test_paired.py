"""The exact paired test where items come in groups, against all signs written out."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.paired import grouped_mcnemar, mcnemar


def by_hand(differences: list[int]) -> float:
    """All signs of all groups, each as likely as any other."""
    sums = [sum(signs) for signs in product(*((-abs(one), abs(one)) for one in differences))]
    return sum(one >= sum(differences) for one in sums) / len(sums)


def test_the_example_of_the_docstring() -> None:
    # ±2 ±1 ±1: 4, 2, 2, 0, 0, −2, −2, −4; three of eight are at least 2.
    assert grouped_mcnemar(np.array([2, 1, -1])) == pytest.approx(3 / 8)


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_any_groups(differences: list[int]) -> None:
    assert grouped_mcnemar(np.array(differences, dtype=np.int64)) == pytest.approx(by_hand(differences))


@given(st.integers(0, 40), st.integers(0, 40))
def test_groups_of_one_item_are_mcnemars_test(wins: int, losses: int) -> None:
    differences = np.array([1] * wins + [-1] * losses + [0] * 3, dtype=np.int64)
    assert grouped_mcnemar(differences) == pytest.approx(float(mcnemar(wins, losses)))
