"""Agreement of raters against scikit-learn, statsmodels and krippendorff, published examples and by hand."""

from collections import Counter
from dataclasses import astuple, replace
from itertools import combinations
from math import nan

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from assay.stats.agreement import (
    Level,
    RaterAgreement,
    RaterPair,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    overall,
    pairwise,
    raw_agreement,
)

Matrix = list[list[int]]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")

# The example of the module: 4 of 5 equal.
FIVE = [[0, 0], [0, 0], [1, 1], [1, 0], [1, 1]]

# Three raters, the first unit rated by two of them, the last by one.
GAPS = [[0, 0, -1], [0, 1, 1], [1, 1, 1], [-1, 2, -1]]


def matrices(*, raters: int = 4, least: int = -1) -> st.SearchStrategy[Matrix]:
    """Up to nine units and so many raters, values from `least` (−1 is missing) to 3."""
    return st.integers(2, raters).flatmap(
        lambda columns: st.lists(
            st.lists(st.integers(least, 3), min_size=columns, max_size=columns), min_size=1, max_size=9
        )
    )


def known(unit: list[int]) -> list[int]:
    return [value for value in unit if value != -1]


def rated(ratings: Matrix, *sizes: int) -> Matrix:
    """The known ratings of the units that have so many (two or more, if it is not said how many)."""
    return [known(unit) for unit in ratings if (len(known(unit)) in sizes if sizes else len(known(unit)) >= 2)]


def varies(ratings: Matrix) -> bool:
    return len({value for unit in ratings for value in unit}) > 1


def table(units: Matrix) -> list[list[int]]:
    """Units × values, how often a unit has a value."""
    values = sorted({value for unit in units for value in unit})
    return [[Counter(unit)[value] for value in values] for unit in units]


def every(ratings: Matrix) -> list[float | None]:
    """All numbers about all raters."""
    return [*astuple(overall(ratings)), *(krippendorff_alpha(ratings, level) for level in LEVELS)]


class TestRaw:
    def test_by_hand(self) -> None:
        # Pairs of the units: 1 of 1 equal, 1 of 3, 3 of 3; the unit with one rating has none.
        assert raw_agreement(GAPS) == pytest.approx(5 / 7)
        assert raw_agreement(FIVE) == pytest.approx(4 / 5)

    @given(matrices())
    def test_is_the_share_of_equal_pairs(self, ratings: Matrix) -> None:
        pairs = [first == second for unit in rated(ratings) for first, second in combinations(unit, 2)]
        expected = sum(pairs) / len(pairs) if len(rated(ratings)) > 1 else None
        assert raw_agreement(ratings) == (None if expected is None else pytest.approx(expected, abs=1e-12))

    def test_needs_no_variation(self) -> None:
        assert raw_agreement([[1, 1], [1, 1]]) == 1
        assert raw_agreement([[1, 0], [1, 0]]) == 0


class TestCohen:
    def test_by_hand(self) -> None:  # (0.8 − 0.48)/(1 − 0.48), the docstring of stats/agreement.py
        assert cohen_kappa(FIVE) == pytest.approx(0.32 / 0.52)

    def test_of_a_fourfold_table(self) -> None:
        # 20 both yes, 5 and 10 on which they differ, 15 both no. Observed 35/50 = 0.7; the first says yes 25/50, the
        # second 30/50, so chance agrees 0.5·0.6 + 0.5·0.4 = 0.5; κ = 0.2/0.5.
        assert cohen_kappa([[1, 1]] * 20 + [[1, 0]] * 5 + [[0, 1]] * 10 + [[0, 0]] * 15) == pytest.approx(0.4)

    @given(matrices(raters=2))
    def test_equals_scikit_learn(self, ratings: Matrix) -> None:
        both = rated(ratings, 2)
        if len(both) < 2 or not varies(both):
            assert cohen_kappa(ratings) is None
        else:
            expected = cohen_kappa_score(*zip(*both, strict=True))
            assert cohen_kappa(ratings) == pytest.approx(expected, abs=1e-12)

    def test_where_one_rater_never_varies_it_is_0(self) -> None:  # chance agrees exactly as often as the two do: 2/3
        assert cohen_kappa([[0, 0], [0, 0], [0, 1]]) == 0

    def test_where_neither_varies_but_they_differ_it_is_0(self) -> None:  # 0 observed, 0 by chance
        assert cohen_kappa([[0, 1], [0, 1]]) == 0

    @pytest.mark.parametrize("raters", [0, 1, 3])
    def test_is_of_two_raters(self, raters: int) -> None:
        with pytest.raises(ValueError, match=f"two raters, not {raters}"):
            cohen_kappa(np.zeros((4, raters), dtype=int))


class TestFleiss:
    def test_by_hand(self) -> None:  # (0.8 − 0.5)/(1 − 0.5), the docstring of stats/agreement.py
        assert fleiss_kappa(FIVE) == pytest.approx(0.6)

    def test_of_three_raters_by_hand(self) -> None:
        # Units 3:0, 1:2, 0:3. Observed (1 + 1/3 + 1)/3 = 7/9; 4 zeros and 5 ones, chance (16 + 25)/81 = 41/81;
        # κ = (63/81 − 41/81)/(40/81) = 22/40.
        assert fleiss_kappa([[0, 0, 0], [0, 1, 1], [1, 1, 1]]) == pytest.approx(0.55)

    def test_of_the_worked_example_of_wikipedia(self) -> None:  # 14 raters, 10 units, 5 values; there 0.210
        counts = ["0 0 0 0 14", "0 2 6 4 2", "0 0 3 5 6", "0 3 9 2 0", "2 2 8 1 1"]
        counts += ["7 7 0 0 0", "3 2 6 3 0", "2 5 3 2 2", "6 5 2 1 0", "0 2 2 3 7"]
        assert fleiss_kappa([np.repeat(range(5), [*map(int, unit.split())]) for unit in counts]) == pytest.approx(
            0.210, abs=5e-4
        )

    @given(matrices(raters=5, least=0))
    def test_equals_statsmodels(self, ratings: Matrix) -> None:
        if len(ratings) < 2 or not varies(ratings):
            assert fleiss_kappa(ratings) is None
        else:
            assert fleiss_kappa(ratings) == pytest.approx(statsmodels_fleiss(table(ratings)), abs=1e-12)

    @given(matrices(raters=5))
    def test_takes_the_units_with_the_most_frequent_number_of_ratings(self, ratings: Matrix) -> None:
        sizes = Counter(len(unit) for unit in rated(ratings))
        size = max(sizes, key=lambda size: (sizes[size], size), default=2)
        units = rated(ratings, size)
        assert overall(ratings).fleiss_units == len(units)
        if len(units) < 2 or not varies(units):
            assert fleiss_kappa(ratings) is None
        else:
            assert fleiss_kappa(ratings) == pytest.approx(statsmodels_fleiss(table(units)), abs=1e-12)

    def test_of_equally_frequent_numbers_the_largest_counts(self) -> None:
        two, three = [[0, 0, -1], [-1, 0, 1]], [[0, 0, 0], [0, 1, 1]]
        assert fleiss_kappa(two + three) == fleiss_kappa(three)
        assert fleiss_kappa([*two, *three, two[0]]) == fleiss_kappa([*two, two[0]])

    def test_units_rated_once_are_not_the_most_frequent(self) -> None:  # they compare nobody
        assert fleiss_kappa([[0, -1]] * 9 + FIVE) == fleiss_kappa(FIVE)

    def test_one_unit_of_each_number_of_ratings_is_too_little(self) -> None:
        assert fleiss_kappa([[0, 1, -1], [0, 1, 1]]) is None


# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability": four observers in rows, 12 units.
PUBLISHED = ["1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 ."]


class TestKrippendorff:
    def test_by_hand(self) -> None:  # 1 − 0.2/0.556, the docstring of stats/agreement.py
        assert krippendorff_alpha(FIVE) == pytest.approx(0.64)

    @pytest.mark.parametrize(
        ("level", "alpha"),
        [
            # Units 0 0 | 0 1 1 | 1 1 1: 3 zeros, 5 ones, n = 8. Only the second has pairs that differ, 4 ordered ones,
            # each 1/(3 − 1). Among all 2·3·5 = 30 do: α = 1 − 7·2/30.
            ("nominal", 1 - 14 / 30),
            # With two values every level has one distance, which cancels.
            ("ordinal", 1 - 14 / 30),
            ("interval", 1 - 14 / 30),
        ],
    )
    def test_with_missing_ratings_by_hand(self, level: Level, alpha: float) -> None:
        assert krippendorff_alpha(GAPS, level) == pytest.approx(alpha)

    @pytest.mark.parametrize(
        ("level", "alpha"),
        [
            # Units 0 0 | 0 1 | 3 3: 3 zeros, 1 one, 2 threes, n = 6, and the pair 0 1 stands twice.
            # Nominal: among all 2·(3·1 + 3·2 + 1·2) = 22 differ, α = 1 − 5·2/22.
            ("nominal", 1 - 10 / 22),
            # Mean ranks 2, 4, 5.5, so squares 4 (0 1), 12.25 (0 3), 2.25 (1 3): among all 2·(3·4 + 6·12.25 + 2·2.25)
            # = 180, within 2·4, α = 1 − 5·8/180.
            ("ordinal", 1 - 40 / 180),
            # Squares 1, 9, 4: among all 2·(3·1 + 6·9 + 2·4) = 130, within 2·1, α = 1 − 5·2/130.
            ("interval", 1 - 10 / 130),
        ],
    )
    def test_of_three_values_by_hand(self, level: Level, alpha: float) -> None:
        assert krippendorff_alpha([[0, 0], [0, 1], [3, 3]], level) == pytest.approx(alpha)

    @pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
    def test_of_the_published_example(self, level: Level, alpha: float) -> None:
        observers = [[-1 if value == "." else int(value) for value in row.split()] for row in PUBLISHED]
        assert krippendorff_alpha(np.transpose(observers), level) == pytest.approx(alpha, abs=5e-4)

    @pytest.mark.parametrize("level", LEVELS)
    @given(ratings=matrices(raters=5))
    def test_equals_krippendorff(self, level: Level, ratings: Matrix) -> None:
        units = rated(ratings)
        if len(units) < 2 or not varies(units):
            assert krippendorff_alpha(ratings, level) is None
        else:
            theirs = np.where(np.array(ratings) == -1, nan, ratings).T
            expected = krippendorff.alpha(theirs, level_of_measurement=level)
            assert krippendorff_alpha(ratings, level) == pytest.approx(float(expected), abs=1e-12)

    def test_of_values_that_are_far_apart(self) -> None:  # 10⁹ squared fits into no 32 bits; the scale cancels
        far = np.array([[0, 0], [0, 1], [3, 3]]) * 10**9
        assert krippendorff_alpha(far, "interval") == pytest.approx(1 - 10 / 130)

    def test_names_the_levels_there_are(self) -> None:
        with pytest.raises(ValueError, match="no level 'ratio'; there are nominal, ordinal, interval"):
            krippendorff_alpha(FIVE, "ratio")  # type: ignore[arg-type]


@given(matrices())
def test_all_pairs_at_once_are_as_one_after_the_other(ratings: Matrix) -> None:
    for pair, found in pairwise(ratings).items():
        two = [[unit[rater] for rater in pair] for unit in ratings]
        shared = sum(-1 not in unit for unit in two)
        assert found == RaterPair(shared, raw_agreement(two), cohen_kappa(two))


class TestInvariance:
    @given(matrices(), st.data())
    def test_the_order_of_raters_does_not_matter(self, ratings: Matrix, data: st.DataObject) -> None:
        order = data.draw(st.permutations(range(len(ratings[0]))))
        assert every([[unit[rater] for rater in order] for unit in ratings]) == every(ratings)

    @given(matrices(raters=2))
    def test_nor_for_cohen(self, ratings: Matrix) -> None:
        assert cohen_kappa([unit[::-1] for unit in ratings]) == cohen_kappa(ratings)

    @given(matrices(), st.lists(st.integers(0, 90), min_size=4, max_size=4, unique=True))
    def test_nor_do_the_names_of_values(self, ratings: Matrix, names: list[int]) -> None:
        renamed = [[names[value] if value != -1 else -1 for value in unit] for unit in ratings]
        assert overall(renamed) == overall(ratings)
        assert pairwise(renamed) == pairwise(ratings)

    @given(matrices(), st.lists(st.integers(0, 90), min_size=4, max_size=4, unique=True).map(sorted))
    def test_nor_the_size_of_ordinal_values(self, ratings: Matrix, names: list[int]) -> None:
        renamed = [[names[value] if value != -1 else -1 for value in unit] for unit in ratings]
        assert krippendorff_alpha(renamed, "ordinal") == krippendorff_alpha(ratings, "ordinal")

    @given(matrices(), st.integers(1, 9), st.integers(0, 9))
    def test_nor_the_scale_of_intervals(self, ratings: Matrix, unit: int, zero: int) -> None:
        scaled = [[value * unit + zero if value != -1 else -1 for value in row] for row in ratings]
        alpha = krippendorff_alpha(ratings, "interval")
        assert krippendorff_alpha(scaled, "interval") == (None if alpha is None else pytest.approx(alpha, abs=1e-12))

    @given(matrices())
    def test_nor_units_that_nobody_or_one_rated(self, ratings: Matrix) -> None:
        single = [[-1] * len(ratings[0]), [7] + [-1] * (len(ratings[0]) - 1)]
        assert every(ratings + single) == every(ratings)
        assert pairwise(ratings + single) == pairwise(ratings)


class TestBounds:
    @given(st.lists(st.integers(0, 3), min_size=2, max_size=9), st.integers(2, 4), st.data())
    def test_perfect_agreement_with_variation_is_1(self, values: list[int], raters: int, data: st.DataObject) -> None:
        assume(len(set(values)) > 1)
        gaps = data.draw(st.lists(st.integers(0, raters - 2), min_size=len(values), max_size=len(values)))
        gapped = [[-1] * gap + [value] * (raters - gap) for value, gap in zip(values, gaps, strict=True)]
        assert raw_agreement(gapped) == 1
        assert [krippendorff_alpha(gapped, level) for level in LEVELS] == [1, 1, 1]
        full = [[value] * raters for value in values]
        assert overall(full) == RaterAgreement(len(values), raw=1, fleiss_units=len(values), fleiss=1, alpha=1)
        assert set(pairwise(full).values()) == {RaterPair(len(values), raw=1, kappa=1)}

    @given(matrices())
    def test_every_number_is_none_or_between_minus_1_and_1(self, ratings: Matrix) -> None:
        found = overall(ratings)
        kappas = [pair.kappa for pair in pairwise(ratings).values()]
        for number in [found.fleiss, *kappas, *(krippendorff_alpha(ratings, level) for level in LEVELS)]:
            assert number is None or (type(number) is float and -1 <= number <= 1)
        assert found.raw is None or (type(found.raw) is float and 0 <= found.raw <= 1)


class TestUndefined:
    @pytest.mark.parametrize(
        "ratings",
        [
            np.empty((0, 2), dtype=int),
            [[0, 1]],
            [[0, -1], [-1, 1], [-1, -1]],
            [[0, 1], [1, -1], [-1, 0]],
        ],
        ids=["no unit", "one unit", "no unit with two ratings", "one unit with two ratings"],
    )
    def test_with_fewer_than_two_units_nothing_is(self, ratings: Matrix) -> None:
        assert raw_agreement(ratings) is None
        assert cohen_kappa(ratings) is None
        assert fleiss_kappa(ratings) is None
        assert [krippendorff_alpha(ratings, level) for level in LEVELS] == [None, None, None]

    def test_where_nothing_varies_chance_agrees_too(self) -> None:
        same = [[2, 2], [2, 2], [2, 2], [2, -1], [-1, 0]]  # the 0 stands alone, so it is no variation
        assert pairwise(same) == {(0, 1): RaterPair(3, raw=1, kappa=None)}
        assert overall(same) == RaterAgreement(3, raw=1, fleiss_units=3, fleiss=None, alpha=None)
        assert [krippendorff_alpha(same, level) for level in LEVELS] == [None, None, None]

    @pytest.mark.parametrize("shape", [(0, 0), (3, 0), (3, 1)])
    def test_without_a_second_rater_there_is_no_pair(self, shape: tuple[int, int]) -> None:
        ratings = np.zeros(shape, dtype=int)
        assert pairwise(ratings) == {}
        assert overall(ratings) == RaterAgreement(0, None, 0, None, None)


class TestTables:
    def test_the_example_of_the_module(self) -> None:
        assert astuple(pairwise(FIVE)[0, 1]) == pytest.approx((5, 0.8, 0.615), abs=5e-4)
        assert astuple(overall(FIVE)) == pytest.approx((5, 0.8, 5, 0.6, 0.64))

    def test_every_pair_has_a_row_even_if_it_shares_nothing(self) -> None:
        # Raters 0 and 2 share two units (0 1, 1 1), 1 and 2 two that are all ones, 0 and 1 three (0 0, 0 1, 1 1):
        # observed 2/3, chance (2·1 + 1·2)/9, κ = (6 − 4)/(9 − 4).
        found = pairwise([[*unit, -1] for unit in GAPS])
        assert list(found) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        assert astuple(found[0, 1]) == pytest.approx((3, 2 / 3, 2 / 5))
        assert found[0, 2] == RaterPair(2, raw=0.5, kappa=0)
        assert found[1, 2] == RaterPair(2, raw=1, kappa=None)
        assert found[0, 3] == found[1, 3] == found[2, 3] == RaterPair(0, raw=None, kappa=None)

    def test_overall_says_on_how_many_units_each_number_rests(self) -> None:
        # Units with 2, 3, 3 and 1 ratings: three can be compared, two have three ratings each. Those are 1:2 and 0:3:
        # observed (1/3 + 1)/2 = 24/36, chance (1 + 25)/36, κ = (24 − 26)/(36 − 26).
        assert astuple(overall(GAPS)) == pytest.approx((3, 5 / 7, 2, -1 / 5, 1 - 14 / 30))

    def test_the_level_is_that_of_alpha(self) -> None:
        ratings = [[0, 0], [0, 1], [3, 3]]
        assert overall(ratings, "interval") == replace(overall(ratings), alpha=krippendorff_alpha(ratings, "interval"))

    @pytest.mark.parametrize("dtype", ["int8", "int16", "uint8", "int64"])
    def test_small_integers_do_not_overflow(self, dtype: str) -> None:
        # 300 units, of which 60 differ, and 300 of either value: kappa stays, alpha is 1 − 599·(60·2)/(2·300·300).
        many = np.array(FIVE * 60, dtype=dtype)
        assert cohen_kappa(many) == pytest.approx(0.32 / 0.52)
        assert fleiss_kappa(many) == pytest.approx(0.6)
        assert krippendorff_alpha(many) == pytest.approx(1 - 599 * 120 / 180_000)


class TestInput:
    @pytest.mark.parametrize("ratings", [[0, 1, 1], [[[0, 1]]], 3], ids=["a row", "three dimensions", "a number"])
    def test_is_units_by_raters(self, ratings: list[int]) -> None:
        with pytest.raises(ValueError, match="units × raters"):
            raw_agreement(ratings)

    @pytest.mark.parametrize("ratings", [[[0, -2], [1, 1]], [[0, 0.5], [1, 1]], [[0, nan], [1, 1]], [["a", "b"]]])
    def test_is_of_whole_numbers(self, ratings: Matrix) -> None:
        with pytest.raises(ValueError, match="whole numbers from 0, or -1 where missing"):
            krippendorff_alpha(ratings)
