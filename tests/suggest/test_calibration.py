"""What suggestions are worth, counted by hand."""

import random

import pytest
from sklearn.metrics import cohen_kappa_score

from assay.suggest.calibration import CalibrationRow, CoveragePoint, Trial, calibrate
from assay.suggest.suggester import Suggestion
from assay.suites import Item
from assay.verdicts import Verdict

PASS, FAIL = Verdict.PASS, Verdict.FAIL


def trial(verdict: Verdict, said: Verdict | None, confidence: float = 0.7, category: str = "C") -> Trial:
    suggestion = None if said is None else Suggestion(said, confidence, "")
    return Trial(Item("i", category, "P", "s"), "text", verdict, suggestion)


def test_rows_are_counted_over_what_was_suggested() -> None:
    """Category A: of 4 texts 3 are suggested, 2 of them right; B has no suggestion at all.

    κ of A by hand: known p p f, suggested p f f; they agree in 2/3, by chance in 2/3·1/3 + 1/3·2/3 = 4/9, and
    κ = (2/3 − 4/9)/(1 − 4/9) = 0.4.
    """
    calibration = calibrate(
        [
            trial(PASS, PASS, category="A"),
            trial(PASS, FAIL, category="A"),
            trial(FAIL, FAIL, category="A"),
            trial(FAIL, None, category="A"),
            trial(FAIL, None, category="B"),
        ]
    )
    first, second, whole = calibration.rows()
    assert (first.category, first.texts, first.suggested, first.right) == ("A", 4, 3, 2)
    assert first.accuracy == pytest.approx(2 / 3)
    assert first.kappa == pytest.approx(0.4)
    assert first.confusion == (1, 1, 0, 1)
    assert second == CalibrationRow("B", 1, 0, 0, None, None, None, (0, 0, 0, 0))
    assert (whole.category, whole.texts, whole.suggested, whole.right) == (None, 5, 3, 2)


def test_kappa_is_that_of_scikit_learn() -> None:
    chance = random.Random(3)
    trials = [trial(chance.choice([PASS, PASS, FAIL]), chance.choice([PASS, FAIL])) for _ in range(200)]
    expected = cohen_kappa_score(
        [one.verdict for one in trials], [one.suggestion.verdict for one in trials if one.suggestion]
    )
    assert calibrate(trials).rows()[-1].kappa == pytest.approx(expected)


def test_the_surest_ones_are_taken_first() -> None:
    sure = [trial(PASS, PASS, 0.9)] * 8
    unsure = [trial(PASS, FAIL, 0.6)] * 2
    calibration = calibrate([*unsure, *sure])
    assert calibration.surest(0.8) == 1.0
    assert calibration.surest(1.0) == 0.8
    assert [point.right for point in calibration.curve[:8]] == [1.0] * 8
    assert calibration.curve[-1] == CoveragePoint(1.0, 10, 0.6, 0.8)


def test_equally_sure_ones_count_by_their_share_whatever_their_order() -> None:
    """Ten alike, of which six are right: any half of them counts as 60 % right."""
    trials = [trial(PASS, PASS)] * 6 + [trial(PASS, FAIL)] * 4
    assert calibrate(trials).surest(0.5) == pytest.approx(0.6)
    assert calibrate(trials[::-1]).surest(0.5) == pytest.approx(0.6)


def test_bins_hold_every_suggestion_once() -> None:
    confidences = [0.0, 0.3, 0.5, 0.59, 0.6, 0.9, 0.99, 1.0]
    calibration = calibrate([trial(PASS, PASS, value) for value in confidences])
    assert [found.texts for found in calibration.bins] == [2, 2, 1, 0, 0, 3]
    assert calibration.bins[-1].confidence == pytest.approx((0.9 + 0.99 + 1.0) / 3)
    assert calibration.bins[3].right is None


def test_the_error_is_how_far_confidence_and_what_is_right_are_apart() -> None:
    """Ten at 0.9, of which eight are right, and ten at 0.6, of which seven are: both are 0.1 apart."""
    sure = [trial(PASS, PASS, 0.9)] * 8 + [trial(PASS, FAIL, 0.9)] * 2
    unsure = [trial(PASS, PASS, 0.6)] * 7 + [trial(PASS, FAIL, 0.6)] * 3
    assert calibrate([*sure, *unsure]).error == pytest.approx(0.1)
    assert calibrate(sure[:8] + sure[:1]).error == pytest.approx(0.1)


def test_nothing_suggested_is_undefined() -> None:
    calibration = calibrate([trial(PASS, None)])
    assert calibration.error is None
    assert calibration.surest() is None
    assert calibration.rows()[-1].accuracy is None
