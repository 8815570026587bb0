"""What the suite itself is worth: difficulty, discrimination, saturated phenomena, suspicious and contrary items."""

from math import sqrt

import pytest

from assay.evaluation.items import SuiteAnalysis, analyse_suite
from assay.evaluation.settings import Policy
from tests.evaluation.tables import Drawing, drawn

# Right per item (A B C): word-1 all, word-2 A B, word-3 A, word-4 C; idioms all.
TABLE: Drawing = {
    "Ambiguity/Word": {"A": "PPPF", "B": "PPFF", "C": "PFFP"},
    "MWE/Idiom": {"A": "PP", "B": "PP", "C": "PP"},
    "MWE/Pun": {"A": "FP", "B": "FP", "C": "FF"},
}


def analysed(drawing: Drawing = TABLE, policy: Policy = "fair") -> SuiteAnalysis:
    return analyse_suite(drawn(drawing, policy=policy))


def test_difficulty_is_the_share_of_systems_that_fail() -> None:
    found = {entry.item.id: entry.difficulty for entry in analysed().items}
    assert found == pytest.approx(
        {
            "word-1": 0,
            "word-2": 1 / 3,
            "word-3": 2 / 3,
            "word-4": 2 / 3,
            "idiom-1": 0,
            "idiom-2": 0,
            "pun-1": 1,
            "pun-2": 1 / 3,
        }
    )
    assert {entry.systems for entry in analysed().items} == {3}


def test_discrimination_by_hand() -> None:
    # Scores: A 6 (word 3, idiom 2, pun 1), B 5, C 4. Rest of word-3: A 5, B 5, C 4, deviations 1/3, 1/3, −2/3; its own
    # 2/3, −1/3, −1/3: r = (2/9 − 1/9 + 2/9)/(6/9) = 1/2. Rest of word-4: A 6, B 5, C 3, deviations 4/3, 1/3, −5/3; its
    # own −1/3, −1/3, 2/3: r = (−4/9 − 1/9 − 10/9)/sqrt(42/9 · 6/9) = −15/9/sqrt(252/81).
    found = {entry.item.id: entry.discrimination for entry in analysed().items}
    assert found["word-3"] == pytest.approx(1 / 2)
    assert found["word-4"] == pytest.approx(-15 / sqrt(252))
    # All pass or all fail: it tells nobody apart.
    assert [name for name, value in found.items() if value is None] == ["word-1", "idiom-1", "idiom-2", "pun-1"]


def test_saturated_phenomena_are_at_100_per_cent_for_all() -> None:
    assert analysed().saturated == [("MWE", "Idiom", 2)]


def test_suspicious_items_fail_for_all() -> None:
    assert [item.id for item in analysed().suspicious] == ["pun-1"]


def test_contrary_items_come_with_the_worst_first() -> None:
    drawing = {"A/W": {"A": "PPPPF" + "F", "B": "PPPFF" + "P", "C": "PFFFP" + "P"}}
    found = analysed(drawing).contrary
    assert [entry.item.id for entry in found] == ["w-5", "w-6", "w-4"]
    values = [entry.discrimination for entry in found]
    assert None not in values
    # w-5: rest A 4, B 4, C 2, deviations 2/3, 2/3, −4/3; its own −1/3, −1/3, 2/3: exactly opposite, −1.
    # w-6: rest A 4, B 3, C 2, deviations 1, 0, −1; its own −2/3, 1/3, 1/3: −1/sqrt(2 · 6/9).
    # w-4: rest A 3, B 4, C 3, deviations −1/3, 2/3, −1/3; its own 2/3, −1/3, −1/3: −3/9 / (6/9).
    assert values == pytest.approx([-1, -sqrt(3) / 2, -1 / 2])


@pytest.mark.parametrize(
    ("policy", "items"),
    [
        ("fair", ["w-1", "w-4"]),
        ("own", ["w-1", "w-4"]),  # only what counts for all systems can be compared
        ("strict", ["w-1", "w-2", "w-3", "w-4"]),
    ],
)
def test_the_items_are_those_that_count_for_all(policy: Policy, items: list[str]) -> None:
    found = analysed({"A/W": {"A": "PP?F", "B": "P?FP"}}, policy)
    assert [entry.item.id for entry in found.items] == items


def test_under_strict_a_warning_fails() -> None:
    found = analysed({"A/W": {"A": "P?", "B": "?!"}}, "strict")
    assert [entry.difficulty for entry in found.items] == [0.5, 1]
    assert [item.id for item in found.suspicious] == ["w-2"]


def test_where_nothing_counts_nothing_is_said() -> None:
    assert analysed({"A/W": {"A": "P?", "B": "?P"}}) == SuiteAnalysis([], [], [], [])


def test_one_system_tells_nothing_about_discrimination() -> None:
    assert [entry.discrimination for entry in analysed({"A/W": {"A": "PF"}}).items] == [None, None]
