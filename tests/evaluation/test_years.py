"""Campaigns side by side: who returns, the best of each, common items, and what changed, counted by hand."""

from collections.abc import Mapping

import pytest

from assay.errors import BadOption, UnknownName
from assay.evaluation.settings import Choices, Correction, Policy
from assay.evaluation.years import YearRow, Years, over_years
from assay.outputs import Collector, Outputs, System
from assay.suites import Suite
from tests.evaluation.tables import Drawing, suite_and_outputs

# 20 words and 4 idioms. Alpha and Beta return; Gamma is the best of 21, Delta of 22.
#            words 21 → 22           idioms
# Alpha      20 → 17 (p 0.036)       2 → 2
# Beta       10 → 16 (p 0.025)       1 → 2
# Gamma 21   20                      4
# Delta 22   20                      3
TWO: Drawing = {
    "Ambiguity/Word": {
        "Alpha@21": "P" * 20,
        "Beta@21": "P" * 10 + "F" * 10,
        "Gamma@21": "P" * 20,
        "Alpha@22": "P" * 17 + "F" * 3,
        "Beta@22": "P" * 16 + "F" * 4,
        "Delta@22": "P" * 20,
    },
    "MWE/Idiom": {
        "Alpha@21": "PPFF",
        "Beta@21": "PFFF",
        "Gamma@21": "PPPP",
        "Alpha@22": "PPFF",
        "Beta@22": "PPFF",
        "Delta@22": "PPPF",
    },
}


def years(drawing: Drawing = TWO, *, policy: Policy = "fair", correction: Correction = "none") -> Years:
    return over_years(*suite_and_outputs(drawing), policy=policy, correction=correction)


def partly(drawing: Drawing, places: Mapping[str, range]) -> tuple[Suite, Outputs]:
    """A drawing in which a campaign has outputs for some of the items only."""
    suite, outputs = suite_and_outputs(drawing)
    collector = Collector(suite)
    for column, system in enumerate(outputs.systems):
        positions = places.get(system.campaign, range(len(suite)))
        collector.add(system, positions=positions, texts=[outputs.text(item, column) for item in positions])
    return suite, collector.outputs()


def row(found: Years, category: str | None = None, level: str = "category") -> YearRow:
    [one] = [one for one in found.rows() if (one.level, one.category) == (level, category)]
    return one


def label(system: System) -> str:
    return f"{system.name} {system.campaign}"


class TestTwoCampaigns:
    def test_columns_are_returning_systems_and_the_best_of_each(self) -> None:
        found = years()
        assert found.campaigns == ("21", "22")
        assert [label(system) for system in found.columns] == [
            *("Alpha 21", "Alpha 22"),
            *("Beta 21", "Beta 22"),
            *("Gamma 21", "Delta 22"),
        ]
        assert {campaign: system.name for campaign, system in found.best.items()} == {"21": "Gamma", "22": "Delta"}

    def test_accuracies_and_what_changed_since_the_campaign_before(self) -> None:
        words = row(years(), "Ambiguity")
        assert [cell.accuracy for cell in words.cells] == pytest.approx([1, 0.85, 0.5, 0.8, 1, 1])
        changes = [cell.change for cell in words.cells]
        assert changes[0::2] == [None, None, None]  # nothing before 21
        assert changes[1::2] == pytest.approx([-0.15, 0.3, 0])

    def test_significant_changes_are_gains_and_losses(self) -> None:
        # 20 → 17 of 20: z 1.801, p 0.036 (worked out in test_ranking.py). 10 → 16: p̄ 0.65, z = 0.3/sqrt(0.2275/10)
        # = 1.989, p 0.023. Idioms, four of them, tell nothing.
        assert [cell.trend for cell in row(years(), "Ambiguity").cells] == ["", "loss", "", "gain", "", ""]
        assert [cell.trend for cell in row(years(), "MWE").cells] == [""] * 6

    def test_the_correction_is_over_the_rows_of_a_pair(self) -> None:
        # Alpha's rows: words 0.036 and the averages. Micro 22 → 19 of 24: p̄ 0.854, z = 0.125/sqrt(0.1246/12) = 1.227, p
        # 0.110; so with Holm 0.036 is multiplied by 3 at the least.
        found = years(correction="holm")
        assert [cell.trend for cell in row(found, "Ambiguity").cells] == [""] * 6
        assert "correction:holm" in found.signature.split("|")
        assert "correction:none" in years().signature.split("|")

    def test_macro_rows_are_there_too(self) -> None:
        macro = row(years(), None, "category_macro")
        assert [cell.accuracy for cell in macro.cells] == pytest.approx(
            [0.75, 0.675, 0.375, 0.65, 1, 0.875]  # (20/20 + 2/4)/2, (17/20 + 2/4)/2, …
        )

    def test_differences_between_two_campaigns_and_their_average(self) -> None:
        words, idioms, *_ = years().differences("21", "22")
        assert words.differences == pytest.approx((-0.15, 0.3))
        assert words.average == pytest.approx(0.075)
        assert words.trends == ("loss", "gain")
        assert idioms.differences == pytest.approx((0, 0.25))

    def test_differences_the_other_way_round_have_the_other_sign(self) -> None:
        words = years().differences("22", "21")[0]
        assert words.differences == pytest.approx((0.15, -0.3))
        assert words.trends == ("gain", "loss")

    def test_an_unknown_campaign_is_refused(self) -> None:
        with pytest.raises(UnknownName, match="no campaign '23'"):
            years().differences("21", "23")

    def test_returning_systems_come_with_the_best_of_the_last_campaign_first(self) -> None:
        drawing = {"A/W": {"Fell@21": "PPPP", "Rose@21": "PFFF", "Fell@22": "PFFF", "Rose@22": "PPPF"}}
        assert years(drawing).returning == ["Rose", "Fell"]

    def test_if_a_returning_system_is_the_best_it_stands_twice(self) -> None:
        found = years({"A/W": {"X@21": "PPF", "X@22": "PPP", "Y@22": "FFF"}})
        assert [label(system) for system in found.columns] == ["X 21", "X 22", "X 21", "X 22"]
        assert [cell.change for cell in row(found, "A").cells] == pytest.approx([None, 1 / 3, None, 1 / 3])


class TestItems:
    def test_only_the_systems_shown_cost_items(self) -> None:
        # Hidden takes part once and is not the best of 21, so that its warnings do not matter.
        drawing = {"A/W": {"X@21": "PPPF", "Hidden@21": "F??F", "X@22": "PPF?"}}
        found = years(drawing)
        assert found.evaluation.items_counted == 3
        assert [system.name for system in found.systems] == ["X", "X"]

    def test_the_best_of_a_campaign_is_chosen_on_its_own_items(self) -> None:
        # In 21 alone X has 3 of 4 and Y 2 of 4. On the items of both campaigns (the first two) Y would be ahead.
        drawing = {"A/W": {"X@21": "FPPP", "Y@21": "PPFF", "X@22": "PP??", "Y@22": "PF??"}}
        assert years(drawing).best["21"].name == "X"

    def test_the_best_of_a_campaign_is_chosen_on_items_that_others_lack_too(self) -> None:
        # As before, but 22 did not have the last two sentences at all.
        drawing = {"A/W": {"X@21": "FPPP", "Y@21": "PPFF", "X@22": "PPFF", "Y@22": "PFFF"}}
        assert over_years(*partly(drawing, {"22": range(2)})).best["21"].name == "X"

    @pytest.mark.parametrize("policy", ["fair", "own", "strict"])
    def test_items_are_those_found_in_all_campaigns(self, policy: Policy) -> None:
        # The second campaign has the first three of the five sentences. X: 2 of 3, then 3 of 3.
        drawing = {"A/W": {"X@21": "PPFFF", "X@22": "PPPPP"}}
        found = over_years(*partly(drawing, {"22": range(3)}), policy=policy)
        assert found.evaluation.items_counted == 3
        assert [cell.accuracy for cell in row(found, "A").cells][:2] == pytest.approx([2 / 3, 1])

    @pytest.mark.parametrize("policy", ["fair", "own", "strict"])
    def test_campaigns_without_common_items_are_refused(self, policy: Policy) -> None:
        suite, outputs = partly({"A/W": {"X@21": "PPFF", "X@22": "PPFF"}}, {"21": range(2), "22": range(2, 4)})
        with pytest.raises(BadOption, match=r"no item .* all campaigns \(21, 22\)"):
            over_years(suite, outputs, policy=policy)


# X takes part in all three campaigns, Y in the first and the third, Z in the last two.
THREE: Drawing = {
    "A/W": {
        "X@20": "PFFFFFFF",
        "Y@20": "PPPPFFFF",
        "X@21": "PPFFFFFF",
        "Z@21": "PPPPPPPF",
        "X@22": "PPPFFFFF",
        "Y@22": "PPPPPPFF",
        "Z@22": "PPPPPFFF",
    }
}


class TestThreeCampaigns:
    def test_a_system_continues_from_its_own_campaign_before(self) -> None:
        found = years(THREE)
        words = {label(cell.system): cell.change for cell in row(found, "A").cells[:7]}
        assert words == {
            "X 20": None,
            "X 21": pytest.approx(1 / 8),
            "X 22": pytest.approx(1 / 8),
            "Y 20": None,
            "Y 22": pytest.approx(2 / 8),  # since 20
            "Z 21": None,
            "Z 22": pytest.approx(-2 / 8),
        }

    def test_the_best_of_each_follow_each_other(self) -> None:
        found = years(THREE)
        assert [label(system) for system in found.columns[-3:]] == ["Y 20", "Z 21", "Y 22"]
        assert [cell.change for cell in row(found, "A").cells[-3:]] == pytest.approx([None, 3 / 8, -1 / 8])

    def test_pairs_of_two_campaigns(self) -> None:
        found = years(THREE)
        assert {label(first) for first, _ in found.pairs("20", "22")} == {"X 20", "Y 20"}
        assert {label(first) for first, _ in found.pairs("20", "21")} == {"X 20"}
        [words, *_] = found.differences("20", "22")
        assert sorted(value for value in words.differences if value is not None) == pytest.approx([2 / 8, 2 / 8])
        assert words.average == pytest.approx(2 / 8)

    def test_two_campaigns_without_a_common_system_have_no_differences(self) -> None:
        drawing = {"A/W": {"X@20": "PF", "X@22": "PP", "Y@21": "PF", "Y@22": "FF"}}
        with pytest.raises(BadOption, match="no system takes part in both 20 and 21"):
            years(drawing).differences("20", "21")

    def test_campaigns_stand_in_the_order_given(self) -> None:
        turned = {"A/W": dict(reversed(list(THREE["A/W"].items())))}
        assert years(turned).campaigns == ("22", "21", "20")


class TestRefused:
    def test_one_campaign(self) -> None:
        with pytest.raises(BadOption, match="at least two campaigns; there is only 21"):
            years({"A/W": {"X@21": "P", "Y@21": "F"}})

    def test_nobody_returns(self) -> None:
        with pytest.raises(BadOption, match="no system takes part in two campaigns under the same name"):
            years({"A/W": {"X@21": "P", "Y@22": "F"}})

    def test_nobody_returns_who_translated_the_suite(self) -> None:
        drawing = {"A/W": {"X@21": "-" * 30, "X@22": "PF" * 15, "Y@21": "PF" * 15}}
        with pytest.raises(BadOption, match="no system takes part in two campaigns"):
            years(drawing)


@pytest.mark.parametrize("test", ["ztest", "mcnemar", "bootstrap", "randomization"])
def test_every_test_marks_the_same_large_changes(test: str) -> None:
    drawing = {"A/W": {"X@21": "P" * 4 + "F" * 16, "X@22": "P" * 16 + "F" * 4, "Y@22": "F" * 20}}
    found = over_years(*suite_and_outputs(drawing), test=test, draws=400)  # type: ignore[arg-type]
    assert [cell.trend for cell in row(found, "A").cells] == ["", "gain", "", "gain"]


def test_identical_systems_are_not_merged_over_the_years() -> None:  # a system that did not change is still there twice
    drawing = {"A/W": {"X@21": "PPF", "X@22": "PPF", "Y@21": "PFF", "Y@22": "FFP"}}
    choices = Choices(merge_identical=True)
    found = over_years(*suite_and_outputs(drawing), **choices)
    assert [cell.change for cell in row(found, "A").cells if label(cell.system) == "X 22"] == [0, 0]
