"""What rules decide in each campaign: shares, items that count, rows that are lost, items that cost most; by hand."""

from pathlib import Path

import pytest

from assay.errors import BadOption
from assay.evaluation import Evaluation, evaluate
from assay.evaluation.rule_age import Ageing, AgeingRow, ageing_of, answer_of_ageing
from assay.outputs import load_outputs
from assay.suites import load_suite
from tests.evaluation.tables import Drawing, suite_and_outputs
from tests.evaluation.test_years import partly

# P pass, F fail, ? undecided, - missing. Words: in 21 one of 8 outputs is undecided, in 22 three of 8. Idioms: no item
# counts in 22, one text on idiom-2 would change that; the missing output of idiom-1 cannot be judged.
AGED: Drawing = {
    "Ambiguity/Word": {"A@21": "PPPF", "B@21": "PPF?", "A@22": "PP?F", "B@22": "PP??"},
    "MWE/Idiom": {"A@21": "PP", "B@21": "FP", "A@22": "?P", "B@22": "-?"},
}


def ageing(drawing: Drawing = AGED) -> Ageing:
    return ageing_of(*suite_and_outputs(drawing))


def row(found: Ageing, category: str | None = None, level: str = "category") -> AgeingRow:
    [one] = [one for one in found.rows("both") if (one.level, one.category) == (level, category)]
    return one


class TestRows:
    def test_share_of_the_outputs_that_pass_or_fail(self) -> None:
        words = row(ageing(), "Ambiguity")
        assert [(cell.campaign, cell.decided, cell.outputs) for cell in words.cells] == [("21", 7, 8), ("22", 5, 8)]
        assert [cell.share for cell in words.cells] == [7 / 8, 5 / 8]
        assert words.change == pytest.approx(-2 / 8)

    def test_missing_outputs_are_left_aside_since_no_rule_can_decide_them(self) -> None:
        late = row(ageing(), "MWE").cells[1]
        assert (late.decided, late.outputs, late.missing) == (1, 3, 1)
        assert late.share == pytest.approx(1 / 3)

    def test_items_count_where_no_system_of_the_campaign_has_a_warning(self) -> None:
        assert [(cell.counting, cell.found) for cell in row(ageing(), "Ambiguity").cells] == [(3, 4), (2, 4)]
        assert [(cell.counting, cell.found) for cell in row(ageing(), "MWE").cells] == [(2, 2), (0, 2)]

    def test_items_that_a_single_judgement_frees(self) -> None:
        # In 22 both wrote the same text for word-3, B alone one for word-4, B alone one for idiom-2.
        assert [row(ageing(), category).cells[1].single for category in ("Ambiguity", "MWE")] == [2, 1]

    def test_the_last_row_is_over_everything(self) -> None:
        [whole] = ageing().averages()
        assert ageing().rows("phenomenon")[-1] == whole
        assert [(cell.counting, cell.decided, cell.outputs) for cell in whole.cells] == [(5, 11, 12), (2, 6, 11)]

    def test_a_campaign_is_counted_as_if_it_were_evaluated_alone(self) -> None:
        suite, outputs = suite_and_outputs(AGED)
        late = [column for column, system in enumerate(outputs.systems) if system.campaign == "22"]
        alone = evaluate(suite, outputs.select(late))
        assert [mine.cells[1].counting for mine in ageing().rows("both")[:-1]] == [
            theirs.items for theirs in alone.rows("both") if theirs.category is not None
        ]


class TestTrend:
    def test_is_on_the_items_that_all_campaigns_have(self) -> None:
        # 22 has the first two words only, which rules decide in both; all that is undecided in 21 is elsewhere.
        suite, outputs = partly({"A/W": {"X@21": "PP??", "X@22": "PPPP"}}, {"22": range(2)})
        whole = row(ageing_of(suite, outputs), None, "micro")
        assert [cell.share for cell in whole.cells] == [0.5, 1]
        assert (whole.common, whole.change) == (2, 0)

    def test_one_campaign_has_none_and_says_so(self) -> None:
        found = ageing({"A/W": {"X@21": "PP?"}})
        assert {one.change for one in found.rows("both")} == {None}
        assert answer_of_ageing(found).sentences[0] == (
            "The rules decide 66.7 % of the outputs of 21; one campaign shows no trend."
        )
        assert "One campaign shows no trend" in " ".join(map(str, found.notes()))

    def test_campaigns_without_a_common_item_have_none(self) -> None:
        suite, outputs = partly({"A/W": {"X@21": "PPFF", "X@22": "PPFF"}}, {"21": range(2), "22": range(2, 4)})
        found = ageing_of(suite, outputs)
        assert found.averages()[0].change is None
        assert "no item is in all campaigns" in answer_of_ageing(found).sentences[0]

    def test_a_row_that_a_campaign_lacks_is_undefined_there(self) -> None:
        suite, outputs = partly(
            {"A/W": {"X@21": "PP", "X@22": "PP"}, "B/V": {"X@21": "P", "X@22": "P"}}, {"22": range(2)}
        )
        lacking = row(ageing_of(suite, outputs), "B")
        assert (lacking.cells[1].found, lacking.cells[1].share, lacking.change) == (0, None, None)
        assert not lacking.cells[1].is_lost  # nothing was there to be lost


class TestCosts:
    def test_rows_without_a_counting_item_and_the_item_that_brings_them_back(self) -> None:
        lost = ageing().lost
        assert [(gone.level, gone.category, gone.campaigns, gone.found) for gone in lost] == [
            ("category", "MWE", ("22",), 2),
            ("phenomenon", "MWE", ("22",), 2),
        ]
        assert [(gone.nearest.id, gone.left) for gone in lost if gone.nearest] == [("idiom-2", 1)] * 2

    def test_an_item_with_two_undecided_texts_needs_two_judgements(self) -> None:
        # Y contradicts itself on w-1, with another text than X's; on w-2 both wrote the same.
        found = ageing({"A/W": {"X@21": "??", "Y@21": "!?"}})
        assert {cost.item.id: cost.left for cost in found.items} == {"w-1": (2,), "w-2": (1,)}
        assert found.averages()[0].cells[0].single == 1
        assert {(gone.nearest.id, gone.left) for gone in found.lost if gone.nearest} == {("w-2", 1)}

    def test_no_judgement_brings_back_what_lacks_an_output(self) -> None:
        [gone, _] = ageing({"A/W": {"X@21": "?-", "Y@21": "-P"}}).lost
        assert (gone.nearest, gone.left) == (None, None)

    def test_items_with_the_most_undecided_outputs_come_first_and_of_these_the_easiest_to_mend(self) -> None:
        # word-3: both of 22, who wrote the same. word-4: one of each campaign. The idioms: one of 22; idiom-1 cannot be
        # mended, since B's output is missing.
        costs = [(cost.item.id, cost.undecided, cost.left) for cost in ageing().items]
        assert costs == [
            ("word-3", (0, 2), (0, 1)),
            ("word-4", (1, 1), (1, 1)),
            ("idiom-2", (0, 1), (0, 1)),
            ("idiom-1", (0, 1), (0, None)),
        ]

    def test_items_that_count_again_come_last(self) -> None:
        drawing: Drawing = {"A/W": {"X@21": "?P", "Y@21": "?P", "X@22": "PP", "Y@22": "P?"}}
        assert [(cost.item.id, cost.undecided) for cost in ageing(drawing).items] == [("w-2", (0, 1)), ("w-1", (2, 0))]


class TestAnswer:
    def test_what_has_aged_what_is_lost_and_what_mends_it(self) -> None:
        assert answer_of_ageing(ageing(), "assay warnings s 22.yaml -o todo.xlsx").sentences == (
            "The rules have aged: they decide 54.5 % of the outputs of 22, 91.7 % of those of 21 (−37.1 points); most "
            "in MWE (−66.7) and Ambiguity (−25.0).",
            "2 of 6 items count at 22 (5 of 6 at 21); none is left in 1 category: MWE (0 of 2).",
            "5 outputs of 22 wait for a judgement; 3 items need a single one to count; 1 judgement on idiom-2 would "
            "bring MWE back. To judge them, what frees most first: assay warnings s 22.yaml -o todo.xlsx",
        )

    def test_rules_that_decide_as_much_as_before_have_not_aged(self) -> None:
        found = ageing({"A/W": {"X@21": "P?F", "X@22": "PPF"}})
        first, second, third = answer_of_ageing(found).sentences
        assert first == "The rules have not aged: they decide 100.0 % of the outputs of 22, 66.7 % of those of 21."
        assert second == "3 of 3 items count at 22 (2 of 3 at 21); every phenomenon that was found has one."
        assert third == "Nothing of 22 waits for a judgement."

    def test_where_no_category_is_lost_phenomena_are_named(self) -> None:
        found = ageing({"A/W": {"X@22": "PP"}, "A/V": {"X@22": "??"}})
        assert answer_of_ageing(found).sentences[1].endswith("none is left in 1 phenomenon: V (0 of 2).")


class TestCampaigns:
    def test_who_did_not_translate_the_suite_costs_nothing_and_is_named(self) -> None:
        # 41 items, so that a system with two different texts has fewer than 5 %.
        found = ageing({"A/W": {"X@21": "P" * 41, "Idle@21": "-" * 41}})
        assert found.averages()[0].cells[0].counting == 41
        assert any("Idle was left out" in str(note) for note in found.notes())

    def test_a_campaign_that_nobody_translated_is_refused(self) -> None:
        with pytest.raises(BadOption, match="no system of campaign 22 translated the suite"):
            ageing({"A/W": {"X@21": "P" * 41, "Idle@22": "-" * 41}})

    def test_a_campaign_without_an_item_of_the_suite_is_refused(self) -> None:
        with pytest.raises(BadOption, match="none of the suite's items has an output in campaign 22"):
            ageing_of(*partly({"A/W": {"X@21": "PP", "X@22": "PP"}}, {"22": range(0)}))


def verdicts_of(data: Path, campaign: str, stem: str) -> Evaluation:
    suite = load_suite(str(data / "dfki" / "items.de-en.json"))
    paths = sorted((data / campaign / "system-outputs").glob(f"{stem}.de-en.hyp.*.en"))
    source = data / campaign / "sources" / f"{stem}.de-en.src.de"
    return evaluate(suite, load_outputs(suite, paths, source=source, campaign=campaign))


def test_real_campaigns_against_their_verdict_tables(data: Path, tmp_path: Path) -> None:
    stems = {"wmt21": "newstest2021", "wmt22": "generaltest2022"}
    files = []
    for campaign, stem in stems.items():
        files.append(tmp_path / f"{campaign}.yaml")
        files[-1].write_text(
            f"campaign: {campaign}\nsource: {data}/{campaign}/sources/{stem}.de-en.src.de\n"
            f"outputs: ['{data}/{campaign}/system-outputs/{stem}.de-en.hyp.*.en']\n",
            encoding="utf-8",
        )
    suite = load_suite(str(data / "dfki" / "items.de-en.json"))
    found = ageing_of(suite, load_outputs(suite, files))
    for number, (campaign, stem) in enumerate(stems.items()):
        lines = [(line.item.category, str(line.finding.verdict)) for line in verdicts_of(data, campaign, stem).table]
        for one in found.rows("category"):
            mine = [verdict for category, verdict in lines if one.category in (None, category)]
            cell = one.cells[number]
            assert cell.outputs + cell.missing == len(mine)
            assert cell.decided == sum(verdict != "warning" for verdict in mine)
