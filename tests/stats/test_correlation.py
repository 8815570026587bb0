"""Ranks and correlations against scipy and numpy, intervals by hand."""

import random
from math import atanh, sqrt, tanh

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from assay.stats.correlation import item_rest, pearson, ranks, spearman, spearman_interval

RANDOM = random.Random(1904)
NUMBERS = st.lists(st.integers(-5, 5) | st.floats(-1e6, 1e6), min_size=1, max_size=30)


@given(NUMBERS)
def test_ranks_equal_scipy(values: list[float]) -> None:
    assert ranks(values).tolist() == rankdata(values).tolist()


def test_ties_share_their_mean_rank() -> None:  # 10 and 10 stand on places 2 and 3
    assert ranks([10, 5, 10, 20]).tolist() == [2.5, 1, 2.5, 4]


class TestSpearman:
    @pytest.mark.parametrize("most", [3, 1000])  # with many ties and with few
    def test_equals_scipy(self, most: int) -> None:
        for size in (3, 5, 18, 60):
            first, second = ([RANDOM.randint(0, most) for _ in range(size)] for _ in range(2))
            if len(set(first)) > 1 and len(set(second)) > 1:
                assert spearman(first, second) == pytest.approx(spearmanr(first, second).statistic, abs=1e-12)

    def test_by_hand(self) -> None:  # ranks 1 2 3 4 and 2 1 4 3: 1 − 6·4/(4·15)
        assert spearman([1, 2, 3, 4], [20, 10, 40, 30]) == pytest.approx(0.6)

    @pytest.mark.parametrize("size", [2, 3, 7, 18, 101])
    def test_the_same_order_is_exactly_1(self, size: int) -> None:
        order = [RANDOM.random() for _ in range(size)]
        assert spearman(order, [value**3 for value in order]) == 1
        assert spearman(order, [-value for value in order]) == -1

    def test_what_does_not_vary_has_none(self) -> None:
        assert spearman([0.1, 0.1, 0.1], [1, 2, 3]) is None
        assert spearman([1, 2, 3], [7, 7, 7]) is None

    def test_what_varies_by_rounding_only_does_not_vary(self) -> None:  # the mean of seven times 0.1 is not 0.1
        assert pearson([0.1] * 7, range(7)) is None


class TestInterval:
    def test_by_hand(self) -> None:
        # ρ 0.6, n 12: standard error sqrt((1 + 0.18)/9) = 0.362093; atanh 0.6 = 0.693147 ± 1.959964·0.362093 = 0.709689
        # gives −0.016542 and 1.402836, so [−0.0165, 0.8859].
        low, high = spearman_interval(0.6, 12) or (0, 0)
        assert (low, high) == pytest.approx((tanh(-0.016542), tanh(1.402836)), abs=1e-5)
        assert (low, high) == pytest.approx((-0.0165, 0.8859), abs=1e-4)

    @pytest.mark.parametrize(("rho", "number"), [(0.0, 4), (-0.9, 7), (0.71, 18), (0.2, 200)])
    def test_is_symmetric_on_the_scale_of_fisher(self, rho: float, number: int) -> None:
        low, high = spearman_interval(rho, number) or (0, 0)
        half = 1.959963984540054 * sqrt((1 + rho**2 / 2) / (number - 3))  # Bonett and Wright 2000
        assert (atanh(low), atanh(high)) == pytest.approx((atanh(rho) - half, atanh(rho) + half))

    @pytest.mark.parametrize("number", [0, 1, 2, 3])
    def test_under_four_pairs_there_is_none(self, number: int) -> None:
        assert spearman_interval(0.5, number) is None

    @pytest.mark.parametrize("rho", [-1.0, 1.0])
    def test_of_a_perfect_correlation_is_a_point(self, rho: float) -> None:
        assert spearman_interval(rho, 10) == (rho, rho)


class TestItemRest:
    def test_by_hand(self) -> None:
        # Item 1 is right for A and B, item 2 for A, item 3 for C. Rest of item 1: A 1, B 0, C 1, deviations 1/3, −2/3,
        # 1/3; its own 1/3, 1/3, −2/3. r = (1/9 − 2/9 − 2/9)/sqrt(6/9 · 6/9) = −1/2.
        # Rest of item 2: A 1, B 1, C 1, the same for all. Rest of item 3: A 2, B 1, C 0, deviations 1, 0, −1; its own
        # −1/3, −1/3, 2/3. r = (−1/3 − 2/3)/sqrt(2 · 6/9) = −0.8660.
        right = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]], dtype=bool)
        found = item_rest(right)
        assert found[[0, 2]] == pytest.approx([-0.5, -sqrt(3) / 2])
        assert np.isnan(found[1])

    @pytest.mark.parametrize(("items", "systems"), [(5, 3), (40, 18), (200, 7)])
    def test_equals_numpy_item_by_item(self, items: int, systems: int) -> None:
        right = np.random.default_rng(items).random((items, systems)) < 0.6
        found = item_rest(right)
        for number in range(items):
            rest = right.sum(axis=0) - right[number]
            if len(set(right[number].tolist())) == 1 or len(set(rest.tolist())) == 1:
                assert np.isnan(found[number])
            else:
                assert found[number] == pytest.approx(np.corrcoef(right[number], rest)[0, 1], abs=1e-12)

    def test_an_item_that_all_pass_or_all_fail_tells_nobody_apart(self) -> None:
        found = item_rest(np.array([[1, 1, 1], [0, 0, 0], [1, 0, 0], [1, 1, 0]], dtype=bool))
        assert np.isnan(found).tolist() == [True, True, False, False]

    @pytest.mark.parametrize("shape", [(0, 3), (3, 1), (1, 3)])
    def test_without_others_there_is_nothing_to_correlate(self, shape: tuple[int, int]) -> None:
        right = np.zeros(shape, dtype=bool)
        right[:, :1] = True
        found = item_rest(right)
        assert found.shape == (shape[0],)
        assert np.isnan(found).all()
