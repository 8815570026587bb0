"""Which systems take part, in which order they stand, and which of them are first, counted by hand."""

import pytest

from assay.errors import BadOption, UnknownName
from assay.evaluation.evaluation import Evaluation, evaluate
from assay.evaluation.settings import Correction, Policy
from assay.outputs import Collector, System
from assay.suites import Item, Rule, Suite, taxonomy_of
from tests.evaluation.tables import SMALL, Drawing, cluster, drawn, suite_and_outputs


class TestSystems:
    @staticmethod
    def repeating(distinct: int, items: int) -> Evaluation:
        """A system that writes so many distinct texts, beside one that writes a new one for each item."""
        rule = Rule("pass", "contains", "text")
        made = tuple(Item(f"i{n}", "C", "P", f"Satz {n}.", (rule,)) for n in range(items))
        suite = Suite("many", "de-en", made, taxonomy_of(made))
        collector = Collector(suite)
        collector.add(System("Good"), positions=range(items), texts=[f"text {n}" for n in range(items)])
        collector.add(System("Same"), positions=range(items), texts=[f"text {n % distinct}" for n in range(items)])
        return evaluate(suite, collector.outputs())

    @pytest.mark.parametrize(
        ("distinct", "items", "kept"),
        [
            (1, 20, True),  # exactly 5 %
            (1, 21, False),
            (2, 40, True),
            (2, 41, False),
            (7, 140, True),  # 0.05 · 140 must not round up
            (6, 140, False),
            (50, 1000, True),
            (49, 1000, False),
            (137, 2748, False),  # 5 % of WMT21's items are 137.4
            (138, 2748, True),
        ],
    )
    def test_with_fewer_distinct_texts_than_5_per_cent_a_system_is_left_out(
        self, distinct: int, items: int, kept: bool
    ) -> None:
        evaluation = self.repeating(distinct, items)
        assert [left.system.name for left in evaluation.excluded] == ([] if kept else ["Same"])
        assert (System("Same") in evaluation.systems) == kept

    def test_the_reason_says_how_many(self) -> None:
        [left] = self.repeating(1, 30).excluded
        assert left.reason == "1 distinct text for 30 items: it did not translate the suite"
        [left] = self.repeating(2, 1200).excluded
        assert left.reason.startswith("2 distinct texts for 1,200 items")

    def test_if_none_translated_the_suite_nothing_can_be_said(self) -> None:
        lazy = {"A/W": {"Lazy": "-" * 30}}
        with pytest.raises(BadOption, match=r"no system translated the suite \(Lazy\)"):
            drawn(lazy)
        assert drawn(lazy, keep_all=True).items_counted == 0

    @pytest.mark.parametrize(
        ("verdicts", "costs", "costly"),
        [
            ("?" + "P" * 99, 1, False),  # exactly 1 %
            ("??" + "P" * 98, 2, True),
            ("-P" * 1 + "P" * 98, 1, False),
            ("--" + "P" * 98, 2, True),
            ("P" * 98 + "??", 1, False),  # the last item is in doubt for the other system, too
        ],
    )
    def test_systems_that_cost_more_than_1_per_cent_are_named(self, verdicts: str, costs: int, costly: bool) -> None:
        evaluation = drawn({"A/W": {"Good": "P" * 99 + ("?" if verdicts.endswith("?") else "P"), "Doubtful": verdicts}})
        summary = next(found for found in evaluation.summaries if found.system.name == "Doubtful")
        assert summary.costs == costs
        assert [found.system.name for found in evaluation.costly] == (["Doubtful"] if costly else [])

    def test_missing_outputs_are_costly_even_where_others_have_warnings_too(self) -> None:
        evaluation = drawn({"A/W": {"Good": "??" + "P" * 98, "Gappy": "--" + "P" * 98}})
        assert [found.system.name for found in evaluation.costly] == ["Gappy"]

    def test_summaries_count_all_items_found(self) -> None:
        summary = next(found for found in drawn(SMALL).summaries if found.system.name == "B")
        assert summary.counts == (6, 1, 2, 1, 3)  # outputs, missing, pass, fail, warning
        assert summary.warning_share == 0.5

    def test_an_unknown_system_is_refused_with_a_suggestion(self) -> None:
        suite, outputs = suite_and_outputs({"A/W": {"Online-A": "P", "Online-B": "F"}})
        with pytest.raises(UnknownName, match="did you mean Online"):
            evaluate(suite, outputs, systems=["Onlin-A"])

    def test_systems_are_selected_by_pattern(self) -> None:
        suite, outputs = suite_and_outputs({"A/W": {"Online-A": "P", "UEdin": "P", "Online-B": "F"}})
        assert evaluate(suite, outputs, systems=["Online-*"]).columns == ["Online-A", "Online-B"]

    def test_without_systems_there_is_nothing_to_evaluate(self) -> None:
        suite, _ = suite_and_outputs(SMALL)
        with pytest.raises(BadOption, match="no systems"):
            evaluate(suite, Collector(suite).outputs())


class TestColumns:
    def test_are_sorted_by_category_macro_then_micro_then_name(self) -> None:
        drawing = {
            "Ambiguity/Word": {"Z": "PF", "M": "PF", "B": "PP", "A": "PF"},
            "MWE/Idiom": {"Z": "PPPF", "M": "PPPP", "B": "FFFF", "A": "PPPF"},
        }
        # Category macros: Z, A 0.625, M 0.75, B 0.5. Micro: Z, A 4/6. So M, then A and Z by name, then B.
        assert drawn(drawing).columns == ["M", "A", "Z", "B"]

    def test_equal_macros_are_sorted_by_micro(self) -> None:
        # Macros are both 0.5; micro is 1/3 for A and 2/3 for B.
        drawing = {"Ambiguity/Word": {"A": "P", "B": "F"}, "MWE/Idiom": {"A": "FF", "B": "PP"}}
        assert drawn(drawing).columns == ["B", "A"]

    def test_rounding_does_not_decide_their_order(self) -> None:
        # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are not the same float, but the same category macro; the micro-averages
        # are 6/40 for both, so the names decide.
        drawing = {
            "C1/w": {"A": "PFFFFFFFFF", "B": "PPPFFFFFFF"},
            "C2/w": {"A": "PPFFFFFFFF", "B": "PPFFFFFFFF"},
            "C3/w": {"A": "PPP" + "F" * 7, "B": "P" + "F" * 9},
            "C4/w": {"A": "F" * 10, "B": "F" * 10},
        }
        assert drawn(drawing).columns == ["A", "B"]
        swapped = {place: {"A": systems["B"], "B": systems["A"]} for place, systems in drawing.items()}
        assert drawn(swapped).columns == ["A", "B"]

    def test_labels_have_the_campaign_only_where_names_collide(self) -> None:
        evaluation = drawn({"A/W": {"Online-B@wmt21": "PP", "Online-B@wmt22": "PF", "UEdin@wmt21": "FF"}})
        assert evaluation.columns == ["Online-B (wmt21)", "Online-B (wmt22)", "UEdin"]

    def test_cells_stand_in_the_order_of_the_columns(self) -> None:
        evaluation = drawn({"A/W": {"B": "FF", "A": "PF", "C": "PP"}})
        assert evaluation.columns == ["C", "A", "B"]
        for row in evaluation.rows():
            assert [one.system.name for one in row.cells] == ["C", "A", "B"]
        assert [summary.system.name for summary in evaluation.summaries] == ["C", "A", "B"]

    def test_do_not_depend_on_the_order_of_the_files(self) -> None:
        names = ["A", "B", "C"]
        for order in (names, names[::-1]):
            assert drawn({"A/W": dict.fromkeys(order, "PF")}).columns == names


class TestClusters:
    @pytest.mark.parametrize(
        ("correct", "first"),
        [
            # Against 18 of 20, one-tailed, pooled. 14: p̄ 0.8, z = 0.2/sqrt(0.16/10) = 1.581, p 0.057.
            # 13: p̄ 0.775, z = 0.25/sqrt(0.174375/10) = 1.893, p 0.029.
            (18, True),
            (14, True),
            (13, False),
        ],
    )
    def test_the_published_test(self, correct: int, first: bool) -> None:
        drawing = {"Ambiguity/Word": {"Best": "P" * 18 + "FF", "Other": "P" * correct + "F" * (20 - correct)}}
        row = drawn(drawing).row("Ambiguity")
        assert cluster(row) == ({"Best", "Other"} if first else {"Best"})

    @pytest.mark.parametrize(("alpha", "first"), [(0.02, {"Best", "Other"}), (0.05, {"Best"})])
    def test_alpha(self, alpha: float, first: set[str]) -> None:  # p is 0.029, see above
        drawing = {"Ambiguity/Word": {"Best": "P" * 18 + "FF", "Other": "P" * 13 + "F" * 7}}
        assert cluster(drawn(drawing, alpha=alpha).row("Ambiguity")) == first

    def test_macro_by_hand(self) -> None:
        # 9/10 and 16/20 against 6/10 and 15/20: z 1.493, p 0.068 (worked out in tests/stats/test_proportions.py);
        # micro 25/30 against 21/30: p̄ 0.7667, z = 0.1333/sqrt(0.17889/15) = 1.221, p 0.111.
        drawing = {
            "Ambiguity/Word": {"Best": "P" * 9 + "F", "Other": "P" * 6 + "F" * 4},
            "MWE/Idiom": {"Best": "P" * 16 + "F" * 4, "Other": "P" * 15 + "F" * 5},
        }
        for alpha, macro, micro in [(0.05, 2, 2), (0.07, 1, 2), (0.12, 1, 1)]:
            averages = drawn(drawing, alpha=alpha).averages()
            assert [len(cluster(row)) for row in averages] == [micro, macro, macro]

    def test_tied_bests_are_all_in_it(self) -> None:
        row = drawn({"Ambiguity/Word": {"A": "PPF", "B": "FPP", "C": "FFF"}}).row("Ambiguity")
        assert {"A", "B"} <= cluster(row)

    def test_with_tied_bests_a_system_must_not_be_worse_than_any_of_them(self) -> None:
        # Under own, Few has 3 of 3 and Many 30 of 30. Other has 26 of 30.
        # Against Few p̄ = 29/33, z = 0.1333/sqrt(0.10652·(1/3 + 1/30)) = 0.675, p 0.25.
        # Against Many p̄ = 56/60, z = 0.1333/sqrt(0.06222/15) = 2.070, p 0.019.
        drawing = {"Ambiguity/Word": {"Few": "PPP" + "?" * 27, "Many": "P" * 30, "Other": "F" * 4 + "P" * 26}}
        assert cluster(drawn(drawing, policy="own").row("Ambiguity")) == {"Few", "Many"}
        for rival, first in [("Few", {"Few", "Other"}), ("Many", {"Many"})]:
            alone = {"Ambiguity/Word": {name: drawing["Ambiguity/Word"][name] for name in (rival, "Other")}}
            assert cluster(drawn(alone, policy="own").row("Ambiguity")) == first

    def test_where_all_are_right_all_are_first(self) -> None:
        assert cluster(drawn({"Ambiguity/Word": {"A": "PPP", "B": "PPP"}}).row("Ambiguity")) == {"A", "B"}

    @pytest.mark.parametrize("alpha", [0.001, 0.05, 0.5, 0.6, 0.99])
    def test_the_best_is_in_it_whatever_alpha(self, alpha: float) -> None:
        for row in drawn({"Ambiguity/Word": {"A": "PPF", "B": "FFP"}}, alpha=alpha).rows():
            assert "A" in cluster(row)

    @pytest.mark.parametrize("alpha", [0, 1, -0.05, 5])
    def test_alpha_out_of_range_is_refused(self, alpha: float) -> None:
        with pytest.raises(BadOption, match="between 0 and 1"):
            drawn(SMALL, alpha=alpha)


# Against Best's 20 of 20: 17 has z = 0.15/sqrt(0.925·0.075/10) = 1.801, p 0.0359; 18 has z = 0.1/sqrt(0.95·0.05/10) =
# 1.451, p 0.0734; 19 has z = 0.05/sqrt(0.975·0.025/10) = 1.013, p 0.156.
FOUR: Drawing = {
    "Ambiguity/Word": {
        "Best": "P" * 20,
        "Near": "P" * 19 + "F",
        "Far": "P" * 18 + "FF",
        "Last": "P" * 17 + "FFF",
    }
}


class TestCorrection:
    @pytest.mark.parametrize(
        ("correction", "alpha", "first"),
        [
            ("none", 0.05, {"Best", "Near", "Far"}),
            ("holm", 0.05, {"Best", "Near", "Far", "Last"}),  # 3 · 0.0359 = 0.108
            ("bh", 0.05, {"Best", "Near", "Far", "Last"}),  # the smallest of 3 · 0.0359, 3/2 · 0.0734 and 0.156
            ("none", 0.12, {"Best", "Near"}),
            ("holm", 0.12, {"Best", "Near", "Far"}),  # 2 · 0.0734 = 0.147
            ("bh", 0.12, {"Best", "Near"}),  # 3/2 · 0.0734 = 0.110
        ],
    )
    def test_the_family_is_one_rows_comparisons(self, correction: Correction, alpha: float, first: set[str]) -> None:
        evaluation = evaluate(*suite_and_outputs(FOUR), correction=correction, alpha=alpha)
        assert cluster(evaluation.row("Ambiguity")) == first

    @pytest.mark.parametrize("correction", ["holm", "bh"])
    @pytest.mark.parametrize("policy", ["fair", "own", "strict"])
    def test_clusters_can_only_grow(self, correction: Correction, policy: Policy) -> None:
        idioms = {"Best": "PPP", "Near": "PPP", "Far": "PPP", "Last": "F?P"}
        suite, outputs = suite_and_outputs({**FOUR, "MWE/Idiom": idioms})
        plain = evaluate(suite, outputs, policy=policy).rows()
        corrected = evaluate(suite, outputs, policy=policy, correction=correction).rows()
        for before, after in zip(plain, corrected, strict=True):
            assert cluster(before) <= cluster(after)
