"""Groups of systems from the campaign file, categories won, and rank correlations with outside scores."""

from math import atanh, sqrt, tanh

import pytest
from scipy.stats import spearmanr

from assay.errors import BadOption, UnknownName
from assay.evaluation.evaluation import Evaluation, evaluate
from assay.evaluation.groups import Group, categories_won, correlations, group_rows, groups
from assay.evaluation.settings import Policy
from assay.outputs import Collector, System
from tests.evaluation.tables import Drawing, drawn, suite_and_outputs

METADATA = {
    "OnlineA": {"group": "online", "constrained": "no"},
    "OnlineB": {"group": "online"},
    "Lab": {"group": "research", "constrained": "yes"},
    "Plain": {},
}

# Accuracies: OnlineA 4/4 and 1/2, OnlineB 2/4 and 2/2, Lab 3/4 and 0, Plain 0 and 0. Category macro 3/4, 3/4, 3/8, 0.
TABLE: Drawing = {
    "A/W": {"OnlineA": "PPPP", "OnlineB": "PPFF", "Lab": "PPPF", "Plain": "FFFF"},
    "B/I": {"OnlineA": "PF", "OnlineB": "PP", "Lab": "FF", "Plain": "FF"},
}


def described(drawing: Drawing = TABLE, policy: Policy = "fair") -> Evaluation:
    """The evaluation of a drawing with what the campaign file says about its systems."""
    suite, outputs = suite_and_outputs(drawing)
    collector = Collector(suite)
    for column, system in enumerate(outputs.systems):
        texts = [outputs.text(item, column) for item in range(len(suite))]
        collector.add(System(system.name, "", METADATA[system.name]), positions=range(len(suite)), texts=texts)
    return evaluate(suite, collector.outputs(), policy=policy)


class TestGroups:
    def test_fields_and_values_in_order_of_appearance(self) -> None:
        evaluation = described()
        assert evaluation.columns == ["OnlineA", "OnlineB", "Lab", "Plain"]  # by macro, then micro 5/6 and 4/6
        assert groups(evaluation) == [
            Group("group", "online", (0, 1)),
            Group("constrained", "no", (0,)),
            Group("group", "research", (2,)),
            Group("constrained", "yes", (2,)),
        ]

    def test_means_inside_and_without_each_group(self) -> None:
        word = group_rows(described())[0]
        assert word.row.category == "A"
        assert word.everybody == pytest.approx((1 + 1 / 2 + 3 / 4 + 0) / 4)
        # online: (1 + 1/2)/2; constrained no: OnlineA alone; research and constrained yes: Lab alone.
        assert word.inside == pytest.approx((3 / 4, 1, 3 / 4, 3 / 4))
        assert word.without == pytest.approx(((3 / 4 + 0) / 2, (1 / 2 + 3 / 4 + 0) / 3, 1.5 / 3, 1.5 / 3))

    def test_averages_have_them_too(self) -> None:
        macro = group_rows(described())[-2]
        assert macro.row.level == "category_macro"
        assert macro.everybody == pytest.approx((3 / 4 + 3 / 4 + 3 / 8) / 4)
        assert macro.inside[0] == pytest.approx(3 / 4)

    def test_cells_without_items_are_left_out_of_the_means(self) -> None:
        drawing = {
            "A/W": {"OnlineA": "PP", "OnlineB": "??", "Lab": "??"},
            "B/I": {"OnlineA": "P", "OnlineB": "F", "Lab": "P"},
        }
        word = group_rows(described(drawing, "own"))[0]
        inside = dict(zip([(g.field, g.value) for g in groups(described(drawing, "own"))], word.inside, strict=True))
        assert word.everybody == 1
        assert inside["group", "online"] == 1
        assert inside["group", "research"] is None

    def test_a_group_of_everybody_leaves_nobody_out(self) -> None:
        drawing = {"A/W": {"OnlineA": "PF", "OnlineB": "FF"}}
        word = group_rows(described(drawing))[0]
        assert (word.inside[0], word.without[0]) == (0.25, None)

    def test_without_metadata_there_are_none(self) -> None:
        assert groups(drawn(TABLE)) == []
        with pytest.raises(BadOption, match="no system has metadata"):
            group_rows(drawn(TABLE))


class TestCategoriesWon:
    def test_by_hand(self) -> None:
        # 20 items: 20 right and 17 (p 0.036, see test_ranking.py) in A, 10 and 11 of 20 in B (level within error).
        drawing = {
            "A/W": {"One": "P" * 20, "Two": "P" * 17 + "F" * 3},
            "B/I": {"One": "P" * 10 + "F" * 10, "Two": "P" * 11 + "F" * 9},
        }
        evaluation = drawn(drawing)
        assert evaluation.columns == ["One", "Two"]
        assert categories_won(evaluation) == [(1, 2), (1, 1)]

    def test_level_bests_both_win(self) -> None:
        assert categories_won(drawn({"A/W": {"One": "PPF", "Two": "FPP"}})) == [(1, 1), (1, 1)]

    def test_categories_without_items_are_won_by_nobody(self) -> None:
        drawing = {"A/W": {"One": "P?", "Two": "?F"}, "B/I": {"One": "P", "Two": "F"}}
        assert categories_won(drawn(drawing)) == [(1, 1), (0, 1)]  # one item: nobody is significantly worse


# Six systems with 6, 5, 4, 3, 2 and 1 of 6 words right; idioms are the same for all.
SIX: Drawing = {
    "A/W": {f"S{n}": "P" * n + "F" * (6 - n) for n in range(6, 0, -1)},
    "B/I": {f"S{n}": "PF" for n in range(6, 0, -1)},
}
BLEU = {"S6": 30.0, "S5": 31.0, "S4": 28.0, "S3": 27.0, "S2": 29.0, "S1": 20.0}


class TestCorrelations:
    def test_equals_scipy_and_the_interval_of_bonett_and_wright(self) -> None:
        found = correlations(drawn(SIX), {"BLEU": BLEU})
        assert [(one.row.category or one.row.level, one.score, one.systems) for one in found] == [
            ("A", "BLEU", 6),
            ("B", "BLEU", 6),
            ("micro", "BLEU", 6),
            ("category_macro", "BLEU", 6),
            ("phenomenon_macro", "BLEU", 6),
        ]
        # Ranks 6 5 4 3 2 1 and 5 6 3 2 4 1: d² 1 + 1 + 1 + 1 + 4 + 0 = 8, ρ = 1 − 6·8/(6·35) = 0.771429.
        word = found[0]
        assert word.rho == pytest.approx(1 - 48 / 210)
        assert word.rho == pytest.approx(spearmanr([6, 5, 4, 3, 2, 1], list(BLEU.values())).statistic)
        half = 1.959964 * sqrt((1 + (1 - 48 / 210) ** 2 / 2) / 3)
        assert (word.low, word.high) == pytest.approx(
            (tanh(atanh(1 - 48 / 210) - half), tanh(atanh(1 - 48 / 210) + half)), abs=1e-6
        )

    def test_a_row_that_does_not_vary_has_none(self) -> None:
        idioms = correlations(drawn(SIX), {"BLEU": BLEU})[1]
        assert (idioms.rho, idioms.low, idioms.high) == (None, None, None)

    def test_systems_without_a_score_are_left_out(self) -> None:
        word = correlations(drawn(SIX), {"human": {"S6": 3.0, "S4": 2.0, "S1": 1.0}})[0]
        assert word.rho == pytest.approx(1)
        assert (word.systems, word.low, word.high) == (3, None, None)  # under four pairs there is no interval

    def test_one_system_has_no_correlation(self) -> None:
        word = correlations(drawn(SIX), {"human": {"S6": 3.0}})[0]
        assert (word.systems, word.rho) == (1, None)

    def test_every_row_stands_beside_every_score(self) -> None:
        found = correlations(drawn(SIX), {"BLEU": BLEU, "COMET": BLEU}, by="both")
        assert [one.score for one in found] == ["BLEU", "COMET"] * 7  # 2 categories, 2 phenomena, 3 averages

    def test_a_system_that_nobody_knows_is_refused(self) -> None:
        with pytest.raises(UnknownName, match="no system 'S7'; there are: S1, S2"):
            correlations(drawn(SIX), {"BLEU": {"S7": 1.0}})

    def test_a_system_that_did_not_translate_the_suite_may_have_a_score(self) -> None:
        lazy = {"A/W": {"One": "PF" * 15, "Two": "FP" * 15, "Lazy": "-" * 30}}
        word = correlations(drawn(lazy), {"BLEU": {"One": 2.0, "Two": 1.0, "Lazy": 0.0}})[0]
        assert word.systems == 2

    def test_a_score_of_left_out_systems_only_is_refused(self) -> None:  # as check_scores says
        lazy = {"A/W": {"One": "PF" * 15, "Lazy": "-" * 30}}
        with pytest.raises(BadOption):
            correlations(drawn(lazy), {"BLEU": {"Lazy": 0.0}})

    def test_a_system_that_was_left_out_may_have_a_score(self) -> None:  # the file is that of the whole campaign
        suite, outputs = suite_and_outputs(SIX)
        word = correlations(evaluate(suite, outputs, exclude=["S1"]), {"BLEU": BLEU})[0]
        assert word.systems == 5
