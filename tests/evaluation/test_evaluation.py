"""Policies, rows, averages and verdicts on tables small enough to count by hand."""

from dataclasses import replace

import pytest

from assay.errors import BadOption, UnknownName
from assay.evaluation.evaluation import evaluate
from assay.evaluation.settings import Policy, Settings
from assay.outputs import Collector, System
from assay.verdicts import Verdict
from tests.evaluation.tables import SMALL, Drawing, cell, drawn, shares, suite_and_outputs


class TestPolicies:
    @pytest.mark.parametrize(
        ("policy", "a", "b"),
        [
            # fair: word-1, word-2 and idiom-2 are left. own: B has word-1, word-2, idiom-2. strict: warnings fail.
            ("fair", (3, 3), (2, 3)),
            ("own", (4, 6), (2, 3)),
            ("strict", (4, 6), (2, 6)),
        ],
    )
    def test_which_items_count(self, policy: Policy, a: tuple[int, int], b: tuple[int, int]) -> None:
        micro = drawn(SMALL, policy=policy).averages()[0]
        assert (cell(micro, "A").correct, cell(micro, "A").total) == a
        assert (cell(micro, "B").correct, cell(micro, "B").total) == b

    @pytest.mark.parametrize(("policy", "counts"), [("fair", [2, 1, 3]), ("own", [4, 2, 6]), ("strict", [4, 2, 6])])
    def test_count_of_a_row(self, policy: Policy, counts: list[int]) -> None:
        evaluation = drawn(SMALL, policy=policy)
        rows = [evaluation.row("Ambiguity"), evaluation.row("MWE"), evaluation.averages()[0]]
        assert [row.items for row in rows] == counts
        assert evaluation.items_counted == counts[2]

    def test_an_item_without_any_verdict_does_not_count_under_own(self) -> None:
        evaluation = drawn({"A/W": {"A": "P?", "B": "F-"}}, policy="own")
        assert evaluation.items_counted == 1

    @pytest.mark.parametrize("policy", ["fair", "own", "strict"])
    def test_bounds_do_not_depend_on_the_policy(self, policy: Policy) -> None:
        evaluation = drawn(SMALL, policy=policy)
        # B in Ambiguity: one pass and two warnings of four. In all: two passes and three warnings of six.
        ambiguity, micro = cell(evaluation.row("Ambiguity"), "B"), cell(evaluation.averages()[0], "B")
        assert (ambiguity.lower_bound, ambiguity.upper_bound) == (1 / 4, 3 / 4)
        assert (micro.lower_bound, micro.upper_bound) == (2 / 6, 5 / 6)

    def test_the_fair_accuracy_may_lie_outside_the_bounds(self) -> None:
        micro = cell(drawn(SMALL).averages()[0], "A")
        assert (micro.accuracy, micro.lower_bound, micro.upper_bound) == (1.0, 4 / 6, 4 / 6)

    def test_only_kept_systems_cost_items(self) -> None:
        lazy = {"A/W": {"A": "PF" * 15, "Lazy": "-" * 30}}
        assert drawn(lazy).items_counted == 30
        assert drawn(lazy, keep_all=True).items_counted == 0

    def test_only_selected_systems_cost_items(self) -> None:
        suite, outputs = suite_and_outputs(SMALL)
        assert evaluate(suite, outputs, systems=["A"]).items_counted == 6
        assert evaluate(suite, outputs, systems=["A", "B"]).items_counted == 3


class TestAverages:
    def test_micro_counts_items_and_macros_count_groups(self) -> None:
        # Word 3/4, Name 0/2, Idiom 2/2. Micro 5/8; categories (3/6 + 1)/2; phenomena (3/4 + 0 + 1)/3.
        drawing = {"Ambiguity/Word": {"A": "PPPF"}, "Ambiguity/Name": {"A": "FF"}, "MWE/Idiom": {"A": "PP"}}
        micro, category, phenomenon = drawn(drawing).averages()
        assert [row.level for row in (micro, category, phenomenon)] == ["micro", "category_macro", "phenomenon_macro"]
        assert shares(micro) == {"A": 5 / 8}
        assert shares(category) == {"A": pytest.approx(0.75)}
        assert shares(phenomenon) == {"A": pytest.approx(1.75 / 3)}

    def test_macro_rows_have_no_counts_and_no_bounds(self) -> None:
        for row in drawn(SMALL).averages()[1:]:
            assert row.items == 3
            for one in row.cells:
                assert (one.correct, one.total, one.lower_bound, one.upper_bound) == (None, None, None, None)

    def test_macro_interval_by_hand(self) -> None:
        # 9/10 and 16/20: 0.85 ± 1.959964·sqrt((0.9·0.1/10 + 0.8·0.2/20)/4) = 0.85 ± 0.127774
        drawing = {"Ambiguity/Word": {"A": "P" * 9 + "F"}, "MWE/Idiom": {"A": "P" * 16 + "F" * 4}}
        [one] = drawn(drawing).averages()[1].cells
        assert (one.low, one.high) == pytest.approx((0.722226, 0.977774), abs=1e-6)

    def test_average_of_a_row_is_the_mean_of_its_cells(self) -> None:
        assert drawn(SMALL, policy="own").row("Ambiguity").average == pytest.approx((2 / 4 + 1 / 2) / 2)

    def test_the_same_phenomenon_in_two_categories_is_two_rows(self) -> None:
        evaluation = drawn({"Ambiguity/Name": {"A": "P"}, "MWE/Name": {"A": "F"}})
        assert shares(evaluation.row("Ambiguity", "Name")) == {"A": 1}
        assert shares(evaluation.row("MWE", "Name")) == {"A": 0}

    def test_rows_come_in_the_order_of_the_taxonomy(self) -> None:
        drawing = {"B/x": {"A": "P"}, "A/y": {"A": "P"}, "B/a": {"A": "P"}}
        keys = [(row.level, row.category, row.phenomenon) for row in drawn(drawing).rows()]
        assert keys == [
            ("category", "B", None),
            ("phenomenon", "B", "x"),
            ("phenomenon", "B", "a"),
            ("category", "A", None),
            ("phenomenon", "A", "y"),
            ("micro", None, None),
            ("category_macro", None, None),
            ("phenomenon_macro", None, None),
        ]


# Under own B has nothing in MWE, so the macros of both systems are over Ambiguity alone.
GAP: Drawing = {"Ambiguity/Word": {"A": "PF", "B": "PP"}, "MWE/Idiom": {"A": "PP", "B": "??"}}


class TestUndefined:
    def test_a_cell_without_items_has_no_numbers_but_bounds(self) -> None:
        one = cell(drawn(GAP, policy="own").row("MWE"), "B")
        assert (one.correct, one.total, one.accuracy, one.low, one.high) == (0, 0, None, None, None)
        assert (one.lower_bound, one.upper_bound) == (0, 1)
        assert not one.first_cluster

    def test_groups_that_are_not_defined_for_every_system_are_dropped_from_macros(self) -> None:
        evaluation = drawn(GAP, policy="own")
        _, category, phenomenon = evaluation.averages()
        assert shares(category) == shares(phenomenon) == {"A": 0.5, "B": 1}
        assert evaluation.dropped("category") == [("MWE", None)]
        assert evaluation.dropped("phenomenon") == [("MWE", "Idiom")]

    def test_the_micro_average_keeps_them(self) -> None:
        assert shares(drawn(GAP, policy="own").averages()[0]) == {"A": 3 / 4, "B": 1}

    def test_average_is_over_the_defined_cells(self) -> None:
        assert drawn(GAP, policy="own").row("MWE").average == 1

    def test_where_nothing_counts_nothing_is_defined(self) -> None:
        evaluation = drawn({"Ambiguity/Word": {"A": "P?", "B": "?P"}})
        assert evaluation.items_counted == 0
        for row in evaluation.rows():
            assert row.average is None
            assert [(one.accuracy, one.low, one.high, one.first_cluster) for one in row.cells] == [
                (None, None, None, False)
            ] * 2

    def test_strict_drops_only_what_was_not_found(self) -> None:
        assert drawn(GAP, policy="strict").dropped("phenomenon") == []


class TestFound:
    def test_items_without_any_output_are_listed_and_do_not_count(self) -> None:
        suite, _ = suite_and_outputs(SMALL)
        collector = Collector(suite)
        collector.add(System("A"), positions=[0, 1], texts=["right", "wrong"])
        evaluation = evaluate(suite, collector.outputs(), policy="strict")
        assert evaluation.items_not_found == ["word-3", "word-4", "idiom-1", "idiom-2"]
        assert evaluation.items_counted == 2
        assert evaluation.row("MWE").items == 0
        one = cell(evaluation.row("MWE"), "A")
        assert (one.accuracy, one.lower_bound, one.upper_bound) == (None, None, None)
        assert evaluation.dropped("category") == [("MWE", None)]

    def test_if_none_is_found_nothing_can_be_said(self) -> None:
        suite, _ = suite_and_outputs(SMALL)
        collector = Collector(suite)
        collector.add(System("A"), positions=[], texts=[])
        with pytest.raises(BadOption, match="none of the suite's 6 items"):
            evaluate(suite, collector.outputs())


def test_verdicts_are_listed_for_every_kept_system_and_found_item() -> None:
    evaluation = drawn(SMALL)
    assert [(line.item.id, line.system.name, str(line.finding.verdict)) for line in evaluation.verdicts()][:4] == [
        ("word-1", "A", "pass"),
        ("word-1", "B", "pass"),
        ("word-2", "A", "pass"),
        ("word-2", "B", "fail"),
    ]
    assert len(list(evaluation.verdicts())) == 12
    chosen = list(evaluation.verdicts(system="B", category="Ambiguity", verdict="warning"))
    assert [(line.item.id, line.finding.reason) for line in chosen] == [
        ("word-3", "no_match"),
        ("word-4", "contradiction"),
    ]
    assert [line.finding.verdict for line in evaluation.verdicts(phenomenon="Idiom", system="A")] == [Verdict.PASS] * 2
    with pytest.raises(UnknownName, match="no verdict 'passed'"):
        list(evaluation.verdicts(verdict="passed"))


def test_unknown_rows_levels_and_policies_are_refused() -> None:
    with pytest.raises(UnknownName, match="did you mean Ambiguity"):
        drawn(SMALL).row("Ambiguty")
    with pytest.raises(UnknownName, match="no level 'item'"):
        drawn(SMALL).rows(by="item")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="no policy 'unfair'"):
        drawn(SMALL, policy="unfair")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        (Settings(), ["policy:fair", "test:ztest", "alpha:0.05"]),
        (Settings(policy="own"), ["policy:own"]),
        (Settings(alpha=0.01), ["alpha:0.01"]),
        (Settings(correction="holm"), ["correction:holm"]),
        (Settings(keep_all=True), ["keep:all"]),
    ],
)
def test_the_signature_names_every_choice(settings: Settings, parts: list[str]) -> None:
    evaluation = drawn(SMALL)
    named = replace(evaluation, settings=settings).signature.split("|")
    assert {*parts, f"suite:drawn#{evaluation.suite.hash}", "norm:nfc+space+apostrophe"} <= set(named)
    if settings != Settings():
        assert named != evaluation.signature.split("|")
