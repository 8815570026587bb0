"""The gate: shut for every kind of broken system, open for those that are as good."""

import random
from dataclasses import replace

import pytest

from assay.errors import BadOption, UnknownName
from assay.evaluation import evaluate
from assay.evaluation.comparison import compare
from assay.evaluation.gate import Gate, Threshold, regression_gate, threshold_gate
from assay.outputs import Collector, System
from tests.evaluation.tables import drawn, suite_and_outputs

ITEMS = 100


def gate(old: str, new: str, **choices: object) -> Gate:
    suite, outputs = suite_and_outputs({"MWE/Idiom": {"old": old, "new": new}})
    return regression_gate(compare(suite, outputs, correction="holm", keep_all=True), **choices)  # type: ignore[arg-type]


def gate_of_texts(change: dict[int, str]) -> Gate:
    """An old system that is always right, and a new one that wrote something else for some items."""
    suite, _ = suite_and_outputs({"MWE/Idiom": {"old": "P" * ITEMS}})
    items = tuple(replace(item, source=f"Dieser lange Satz {item.id} wird übersetzt.") for item in suite.items)
    suite = replace(suite, items=items)
    right = [f"right {number}" for number in range(ITEMS)]
    collector = Collector(suite)
    collector.add(System("old"), positions=range(ITEMS), texts=right)
    texts = [change.get(number, text).replace("SOURCE", items[number].source) for number, text in enumerate(right)]
    collector.add(System("new"), positions=range(ITEMS), texts=texts)
    return regression_gate(compare(suite, collector.outputs(), correction="holm", keep_all=True))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1 output is newly missing"),
        ("SOURCE", "1 output is newly the source once more"),
        ("I'm sorry, but I can't help with that.", "1 output is newly refused"),
        ("the the the the the", "1 output is newly looping"),
    ],
)
def test_one_output_that_is_no_translation_shuts_it(text: str, said: str) -> None:
    found = gate_of_texts({7: text})
    assert not found.passed
    assert found.sentence == f"FAILED: {said}."
    assert [item.first.item.id for check in found.checks for item in check.items] == ["idiom-8"]


def test_a_system_that_answers_everything_alike_is_a_regression_and_no_mistake() -> None:
    found = gate_of_texts(dict.fromkeys(range(ITEMS), "I'm sorry, but I can't help with that."))
    assert found.sentence == f"FAILED: {ITEMS} outputs are newly refused."


def test_items_that_are_absent_are_missing() -> None:
    assert gate("P" * 50, "P" * 40 + "-" * 10).sentence == "FAILED: 10 outputs are newly missing."


def test_what_was_missing_before_may_be_missing_still() -> None:
    assert gate("P" * 49 + "-", "P" * 49 + "-").passed


def test_a_few_may_become_undecided() -> None:
    assert gate("P" * 100, "P" * 98 + "??").passed
    found = gate("P" * 100, "P" * 97 + "???")
    assert found.sentence == ("FAILED: 3 items of 100 passed before and are undecided now (3.0 %, allowed are 2 %).")
    assert gate("P" * 100, "P" * 97 + "???", max_undecided=0.03).passed


def test_a_loss_that_shows_in_no_row() -> None:
    """Eight items in eight categories, none gained."""
    places = {f"C{number}/P{number}": {"old": "P" * 10, "new": "P" * 9 + "F"} for number in range(8)}
    suite, outputs = suite_and_outputs(places)
    found = regression_gate(compare(suite, outputs, correction="holm", keep_all=True))
    assert found.sentence.startswith("FAILED: 8 items lost and 0 gained over all (p = 0.0039, paired, one-tailed)")


def test_rows_that_are_worse() -> None:
    found = gate("P" * 20, "P" * 5 + "F" * 15)
    assert "4 rows significantly worse (MWE −75.0" in found.sentence


def test_items_that_must_pass() -> None:
    assert gate("PPPP", "PPPF", must_pass=["idiom-1"]).passed
    found = gate("PPPP", "PPPF", must_pass=["idiom-1", "idiom-4"])
    assert found.sentence == "FAILED: 1 item must pass and did not (idiom-4)."
    with pytest.raises(UnknownName, match="idiom-9"):
        gate("PPPP", "PPPF", must_pass=["idiom-9"])


def test_a_gain_and_no_change_pass() -> None:
    assert gate("PPFF", "PPPP").sentence == (
        "PASSED: 0 lost and 2 gained of 4 items, 0 undecided that passed before; no row is significantly worse."
    )
    assert gate("PPFF", "PPFF").passed


def test_equal_systems_rarely_shut_it() -> None:
    """Both are right on each item with the same chance; two tests at 5 % together shut it at most in 10 % of cases."""
    chance = random.Random(7)
    shut = 0
    for _ in range(200):
        old, new = ("".join(chance.choices("PF", (8, 2), k=60)) for _ in range(2))
        shut += not gate(old, new).passed
    assert shut <= 20


class TestThresholds:
    def test_are_read(self) -> None:
        assert Threshold.parse("80") == [Threshold(80)]
        assert Threshold.parse("80:category=70:Idiom=60") == [
            Threshold(80),
            Threshold(70, "category"),
            Threshold(60, "Idiom"),
        ]

    @pytest.mark.parametrize("text", ["", "x", "80:70", "category=70", "80:category=x", "101", "-1"])
    def test_are_refused(self, text: str) -> None:
        with pytest.raises(BadOption, match="--fail-under"):
            Threshold.parse(text)

    @pytest.mark.parametrize(
        ("text", "passes"),
        [("75", True), ("76", False), ("70:MWE=50", True), ("70:Word=100", True), ("70:category=60", False)],
    )
    def test_are_applied(self, text: str, passes: bool) -> None:
        found = drawn({"MWE/Idiom": {"A": "PPFF"}, "Ambiguity/Word": {"A": "PPPP"}})
        assert threshold_gate(found, Threshold.parse(text)).passed == passes

    def test_outputs_that_are_no_translations_count_as_wrong(self) -> None:
        suite, outputs = suite_and_outputs({"MWE/Idiom": {"A": "PPPP----"}})
        found = evaluate(suite, outputs)
        assert found.levels["micro"][0].cells[0].accuracy == 1
        assert threshold_gate(found, Threshold.parse("60")).sentence == (
            "FAILED: A has 50.0 % in all items, less than 60."
        )

    def test_a_row_that_there_is_not(self) -> None:
        with pytest.raises(UnknownName, match="Foo"):
            threshold_gate(drawn({"MWE/Idiom": {"A": "P"}}), Threshold.parse("1:Foo=2"))
