"""What rules decide as tables, pages and a figure."""

import re

import pytest

from assay.errors import BadOption, MissingExtra
from assay.evaluation.rule_age import ageing_of
from assay.reports.figures import figure as drawing
from assay.reports.figures.look import INKS, QUIET
from assay.reports.figures.rule_age import ALL, COLOURED, ageing_lines
from assay.reports.rule_age import SHOWN, ageing_table, costs_table, lost_table, render
from assay.reports.table import DASH
from tests.evaluation.tables import Drawing
from tests.evaluation.test_rule_age import AGED, ageing
from tests.evaluation.test_years import partly


def texts(row: int) -> list[str]:
    return [cell.text for cell in ageing_table(ageing()).rows[row].cells]


class TestTables:
    def test_a_row_has_its_change_and_three_numbers_for_each_campaign(self) -> None:
        table = ageing_table(ageing())
        assert table.heads == (
            *("change", "items (21)", "count (21)", "rules (21)"),
            *("items (22)", "count (22)", "rules (22)"),
        )
        assert texts(0) == ["−25.0", "4", "3", "87.5", "4", "2", "62.5"]

    def test_a_row_of_which_nothing_counts_any_more_is_marked(self) -> None:
        lost = ageing_table(ageing()).rows[1]
        assert [cell.text for cell in lost.cells if cell.strong] == ["0"]

    def test_what_a_campaign_lacks_is_a_dash_and_no_zero(self) -> None:
        drawing: Drawing = {"A/W": {"X@21": "PP", "X@22": "PP"}, "B/V": {"X@21": "P", "X@22": "P"}}
        lacking = ageing_table(ageing_of(*partly(drawing, {"22": range(2)}))).rows[1]
        assert [cell.text for cell in lacking.cells] == [DASH, "1", "1", "100.0", "0", DASH, DASH]

    def test_one_campaign_has_no_change(self) -> None:
        assert ageing_table(ageing({"A/W": {"X@21": "P?"}})).columns == ("items", "count", "rules")

    def test_two_campaigns_fit_80_columns(self) -> None:
        shown = str(render(ageing(), width=80)).splitlines()
        assert max(map(len, (line for line in shown if not line.startswith("Signature:")))) <= 80

    def test_lists_are_cut_and_say_so(self) -> None:
        many: Drawing = {f"C{number}/P{number}": {"X@21": "?"} for number in range(SHOWN + 1)}
        lost, costs = lost_table(ageing(many)), costs_table(ageing(many))
        assert len(lost.rows) == len(costs.rows) == SHOWN
        assert str(lost.notes[0]) == f"The first {SHOWN} of {2 * (SHOWN + 1)}; JSON has them all."
        assert str(costs.notes[0]) == f"The first {SHOWN} of {SHOWN + 1}; JSON has them all."

    def test_rules_that_decide_everything_have_no_lists(self) -> None:
        shown = str(render(ageing({"A/W": {"X@21": "PF", "X@22": "PF"}})))
        assert "undecided outputs" not in shown
        assert shown.splitlines()[-1].startswith("Signature: ")

    def test_names_from_outside_are_escaped(self) -> None:
        page = str(render(ageing({"<b>A/W": {"X@21": "P?"}}), "html"))
        assert "&lt;b&gt;A" in page
        assert "<b>A" not in page


class TestFigure:
    def test_a_line_for_each_category_and_a_dashed_one_for_all(self) -> None:
        drawing: Drawing = {
            "Words/W": {"X@21": "PPPPP", "X@22": "PPPP?"},
            "Idioms/I": {"X@21": "PPPP?", "X@22": "PPPPP"},
        }
        ends = labels(ageing_lines(ageing(drawing)).spec)
        assert {label: value for label, value, _ in ends} == {"Words": 0.8, "Idioms": 1.0, ALL: 0.9}

    def test_of_many_those_that_fell_most_have_a_colour_and_their_labels_too(self) -> None:
        # C0 stays as it was, C1 loses one of 20, C2 two …
        drawing: Drawing = {
            f"C{lost}/P": {"X@21": "P" * 20, "X@22": "P" * (20 - lost) + "?" * lost} for lost in range(10)
        }
        figure = ageing_lines(ageing(drawing))
        inks = {label: ink for label, _, ink in labels(figure.spec)}
        assert [inks[f"C{lost}"] for lost in range(9, 9 - COLOURED, -1)] == list(INKS[:COLOURED])
        assert {inks[f"C{lost}"] for lost in range(10 - COLOURED)} == {QUIET}
        assert "in colour those that fell most, C9, C8, " in figure.caption

    def test_categories_with_few_items_are_left_out_and_named(self) -> None:
        drawing: Drawing = {"Words/W": {"X@21": "PPPPP", "X@22": "PPPP?"}, "Rare/R": {"X@21": "??", "X@22": "??"}}
        figure = ageing_lines(ageing(drawing))
        assert [label for label, _, _ in labels(figure.spec)] == ["Words", ALL]
        assert "left out for having fewer than 5 of them: Rare;" in figure.caption

    def test_letters_are_outlines(self) -> None:
        assert b"<text" not in drawing.render(ageing_lines(ageing()), "svg")

    def test_one_campaign_is_no_trend(self) -> None:
        with pytest.raises(BadOption, match="needs two campaigns; there is only 21"):
            render(ageing({"A/W": {"X@21": "P?"}}), "svg")

    def test_the_page_has_it_or_says_why_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "<figure>" in str(render(ageing(AGED), "html"))
        assert "Left out: a figure of a trend needs two campaigns" in str(
            render(ageing({"A/W": {"X@21": "P?"}}), "html")
        )

        def missing(*_: object) -> str:
            raise MissingExtra("drawing figures", "pip install 'assay-mt[reports]'")

        monkeypatch.setattr(drawing, "_svg", missing)
        page = str(render(ageing(AGED), "html"))
        assert "<figure>" not in page
        assert re.search(r"Left out: drawing figures needs .*assay-mt\[reports\]", page)


def labels(spec: drawing.Spec) -> list[tuple[str, float, str]]:
    """What stands at the ends of the lines, where, and in which colour."""
    return [(end["label"], end["value"], end["ink"]) for end in spec["layer"][-1]["data"]["values"]]
