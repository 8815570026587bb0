"""Intervals and z-tests against statsmodels, and against hand calculations where statsmodels has no function."""

import random
from statistics import NormalDist

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

from assay.stats.proportions import Z95, divide, macro_interval, macro_ztest, upper_tail, wilson, ztest

RANDOM = random.Random(20211)


def counts(number: int, most: int) -> list[tuple[int, int]]:
    """Random (correct, total) with total from 1."""
    totals = [RANDOM.randint(1, most) for _ in range(number)]
    return [(RANDOM.randint(0, total), total) for total in totals]


def test_z95_is_the_quantile_of_the_normal_distribution() -> None:
    assert pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-14) == Z95


@pytest.mark.parametrize(("z", "tail"), [(0, 0.5), (1.6448536269514722, 0.05), (-1.6448536269514722, 0.95), (40, 0)])
def test_upper_tail(z: float, tail: float) -> None:  # the tabled 5 % point of the normal distribution
    assert upper_tail([z])[0] == pytest.approx(tail, abs=1e-15)


class TestWilson:
    @pytest.mark.parametrize(
        ("correct", "total", "low", "high"),
        [
            # By hand, z² = 3.8415: for 0 of n the interval is [0, z²/(n+z²)], for n of n [n/(n+z²), 1].
            (0, 1, 0, 3.8414588 / 4.8414588),
            (0, 10, 0, 3.8414588 / 13.8414588),
            (10, 10, 10 / 13.8414588, 1),
            # 1 of 2: centre 1/2, half-width z·sqrt(1/8 + z²/16) / (1 + z²/2) = 1.95996·0.60423 / 2.92073 = 0.40546.
            (1, 2, 0.0945, 0.9055),
            # Newcombe 1998, Statistics in Medicine 17, Table I, method 3 (score).
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ],
    )
    def test_known_intervals(self, correct: int, total: int, low: float, high: float) -> None:
        ours = wilson(correct, total)
        assert (float(ours[0]), float(ours[1])) == pytest.approx((low, high), abs=5e-5)

    @pytest.mark.parametrize("most", [9, 300, 10_000])
    def test_equals_statsmodels(self, most: int) -> None:
        drawn = counts(300, most)
        low, high = wilson([correct for correct, _ in drawn], [total for _, total in drawn])
        for place, (correct, total) in enumerate(drawn):
            expected = proportion_confint(correct, total, alpha=0.05, method="wilson")
            assert (low[place], high[place]) == pytest.approx(expected, abs=1e-12)

    def test_lies_within_zero_and_one_and_around_the_proportion(self) -> None:
        correct, total = map(np.array, zip(*[(k, n) for n in range(1, 40) for k in range(n + 1)], strict=True))
        low, high = wilson(correct, total)
        assert (low >= 0).all()
        assert (high <= 1).all()
        assert (low <= correct / total + 1e-12).all()
        assert (high >= correct / total - 1e-12).all()

    def test_of_nothing_is_undefined(self) -> None:
        low, high = wilson([0, 1], [0, 2])
        assert np.isnan([low[0], high[0]]).all()
        assert not np.isnan([low[1], high[1]]).any()


class TestZTest:
    @pytest.mark.parametrize("most", [9, 300, 10_000])
    def test_equals_statsmodels(self, most: int) -> None:
        for best, other in zip(counts(200, most), counts(200, most), strict=True):
            pooled = (best[0] + other[0]) / (best[1] + other[1])
            if 0 < pooled < 1:
                # statsmodels pools by default; `larger`: the first proportion is the higher one
                _, p = proportions_ztest([best[0], other[0]], [best[1], other[1]], alternative="larger")
                assert ztest(*best, *other) == pytest.approx(p, abs=1e-12)

    def test_by_hand(self) -> None:
        # 18/20 against 12/20: pooled 0.75, variance 0.75·0.25·(2/20) = 0.01875, z = 0.3/0.136931 = 2.19089;
        # the table of the normal distribution has 0.0143 beyond 2.19 and 0.0139 beyond 2.20, so 0.01426 − 0.09·0.00036.
        assert ztest(18, 20, 12, 20) == pytest.approx(0.01423, abs=5e-6)

    @pytest.mark.parametrize(
        ("best", "other"),
        [((5, 5), (5, 5)), ((0, 5), (0, 5)), ((5, 5), (9, 9)), ((0, 3), (0, 8))],
        ids=["all right", "all wrong", "all right, unequal totals", "all wrong, unequal totals"],
    )
    def test_zero_variance_and_equal_is_no_difference(self, best: tuple[int, int], other: tuple[int, int]) -> None:
        assert ztest(*best, *other) == 1

    @pytest.mark.parametrize(("best", "other"), [((3, 4), (0, 0)), ((0, 0), (3, 4)), ((0, 0), (0, 0))])
    def test_against_nothing_is_undefined(self, best: tuple[int, int], other: tuple[int, int]) -> None:
        assert np.isnan(ztest(*best, *other))

    def test_works_on_whole_tables(self) -> None:
        p = ztest([[18], [5]], [[20], [5]], [[18, 12], [5, 0]], [[20, 20], [5, 0]])
        assert p.shape == (2, 2)
        assert p[0, 0] == pytest.approx(0.5)
        assert p[0, 1] == pytest.approx(0.01423, abs=5e-6)
        assert p[1, 0] == 1
        assert np.isnan(p[1, 1])


class TestMacroZTest:
    def test_by_hand(self) -> None:
        # Two cells. A 9/10 and 16/20, B 6/10 and 15/20. Means 0.85 and 0.675, difference 0.175.
        # Cell 1: pooled 15/20 = 0.75, 0.75·0.25·(1/10+1/10) = 0.0375.
        # Cell 2: pooled 31/40 = 0.775, 0.775·0.225·(1/20+1/20) = 0.0174375.
        # Variance (0.0375+0.0174375)/4 = 0.013734375, z = 0.175/0.117194 = 1.493256,
        # p = 0.0677 (the table has 0.0681 at 1.49 and 0.0668 at 1.50).
        p = macro_ztest(np.array([[9, 6], [16, 15]]), np.array([[10, 10], [20, 20]]), best=0)
        assert p == pytest.approx([0.5, 0.067684], abs=1e-5)

    def test_with_one_cell_is_the_test_of_two_proportions(self) -> None:
        for best, other in zip(counts(50, 60), counts(50, 60), strict=True):
            macro = macro_ztest(np.array([[best[0], other[0]]]), np.array([[best[1], other[1]]]), best=0)
            assert macro[1] == pytest.approx(float(ztest(*best, *other)), abs=1e-12)

    def test_zero_variance_and_equal_is_no_difference(self) -> None:
        correct, total = np.array([[4, 7], [0, 0]]), np.array([[4, 7], [3, 9]])  # 1 and 0 in both, means 0.5
        assert macro_ztest(correct, total, best=0)[1] == 1

    def test_rounding_makes_no_difference(self) -> None:
        # The same three accuracies in another order: the floats of the means may differ, the systems do not.
        correct, total = np.array([[1, 3], [2, 1], [3, 2]]), np.array([[10, 10]] * 3)
        assert macro_ztest(correct, total, best=0)[1] == pytest.approx(0.5, abs=1e-15)
        assert macro_ztest(correct, total, best=1)[0] == pytest.approx(0.5, abs=1e-15)


class TestMacroInterval:
    def test_by_hand(self) -> None:
        # 9/10 and 16/20: mean 0.85, variance (0.9·0.1/10 + 0.8·0.2/20)/4 = (0.009+0.008)/4 = 0.00425,
        # half-width 1.959964·0.0651920 = 0.127774.
        low, high = macro_interval(np.array([[9], [16]]), np.array([[10], [20]]))
        assert (low[0], high[0]) == pytest.approx((0.722226, 0.977774), abs=1e-6)

    def test_is_clipped(self) -> None:
        # 1/2 and 2/2: mean 0.75, variance (0.25/2)/4 = 0.03125, half-width 0.3465: 0.4035 to 1.0965, clipped to 1.
        low, high = macro_interval(np.array([[1, 1], [2, 0]]), np.array([[2, 2], [2, 2]]))
        assert low == pytest.approx([0.4035, 0], abs=1e-4)
        assert high == pytest.approx([1, 0.5965], abs=1e-4)

    def test_of_certain_cells_is_a_point(self) -> None:
        low, high = macro_interval(np.array([[3], [0]]), np.array([[3], [4]]))
        assert (low[0], high[0]) == (0.5, 0.5)


def test_divide_by_zero_is_undefined() -> None:
    quotient = divide([1, 0, 3], [2, 0, 0])
    assert quotient[0] == 0.5
    assert np.isnan(quotient[1:]).all()
