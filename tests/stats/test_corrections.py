"""Adjusted p-values and the exact paired test, against statsmodels and scipy."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests

from assay.stats.corrections import benjamini_hochberg, holm
from assay.stats.paired import mcnemar
from assay.stats.proportions import Floats

Correct = Callable[[list[float]], Floats]
RANDOM = random.Random(1979)
FAMILIES = [[RANDOM.random() ** 3 for _ in range(size)] for size in (1, 2, 3, 5, 17, 40)]


class TestCorrections:
    @pytest.mark.parametrize("family", FAMILIES, ids=len)
    def test_equal_statsmodels(self, family: list[float]) -> None:
        assert holm(family) == pytest.approx(multipletests(family, method="holm")[1], abs=1e-12)
        assert benjamini_hochberg(family) == pytest.approx(multipletests(family, method="fdr_bh")[1], abs=1e-12)

    def test_by_hand(self) -> None:
        # Sorted 0.01, 0.02, 0.03. Holm: 3·0.01, 2·0.02, then not below the one before. BH: 3·0.01, 3/2·0.02, 0.03.
        assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
        assert benjamini_hochberg([0.03, 0.01, 0.02]) == pytest.approx([0.03, 0.03, 0.03])

    @pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
    def test_what_is_undefined_is_no_member_of_the_family(self, correct: Correct) -> None:
        adjusted = correct([np.nan, 0.01, np.nan, 0.2])
        assert adjusted[[1, 3]] == pytest.approx(correct([0.01, 0.2]))
        assert np.isnan(adjusted[[0, 2]]).all()

    @pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
    def test_an_empty_family_stays_empty(self, correct: Correct) -> None:
        assert correct([]).shape == (0,)
        assert np.isnan(correct([np.nan])).all()


class TestMcNemar:
    def test_by_hand(self) -> None:  # P(X ≥ 8 of 10) = (45 + 10 + 1)/1024
        assert mcnemar(8, 2) == pytest.approx(56 / 1024)

    def test_equals_the_binomial_test_of_scipy(self) -> None:
        pairs = [(RANDOM.randint(0, 60), RANDOM.randint(0, 60)) for _ in range(200)]
        found = mcnemar([wins for wins, _ in pairs], [losses for _, losses in pairs])
        for p, (wins, losses) in zip(found, pairs, strict=True):
            if wins + losses:
                assert p == pytest.approx(binomtest(wins, wins + losses, 0.5, alternative="greater").pvalue, abs=1e-12)

    def test_where_the_two_never_differ_there_is_no_difference(self) -> None:
        assert mcnemar(0, 0) == 1
        assert mcnemar(0, 5) == 1
