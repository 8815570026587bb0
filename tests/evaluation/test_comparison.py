"""Two systems beside each other: what changed in every row, on which items, and how sure that is."""

from collections.abc import Sequence
from dataclasses import astuple
from math import isnan
from pathlib import Path

import pytest
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests

from assay.errors import BadOption, UnknownName
from assay.evaluation.comparison import Comparison, ComparisonRow, ItemChange, compare
from assay.evaluation.files import compare_files
from assay.evaluation.settings import Correction, Policy, Test
from assay.outputs import Inputs
from assay.stats.power import items_needed
from assay.suites import bundled_outputs
from tests.evaluation.tables import Drawing, suite_and_outputs

# Word: only old 1, only new 7, both 2. Name: only old 5. Idiom: level, one each. Pun: nothing counts.
TABLE: Drawing = {
    "Ambiguity/Word": {"old": "PPPFFFFFFF", "new": "FPPPPPPPPP"},
    "Ambiguity/Name": {"old": "PPPPP", "new": "FFFFF"},
    "MWE/Idiom": {"old": "PF", "new": "FP"},
    "MWE/Pun": {"old": "?", "new": "P"},
}


def compared(
    drawing: Drawing = TABLE,
    *,
    policy: Policy = "fair",
    test: Test = "mcnemar",
    correction: Correction = "none",
    alpha: float = 0.05,
) -> Comparison:
    suite, outputs = suite_and_outputs(drawing)
    return compare(suite, outputs, policy=policy, test=test, correction=correction, alpha=alpha, draws=500)


def rows(comparison: Comparison) -> dict[str, ComparisonRow]:
    return {change.phenomenon or change.category or change.level: change for change in comparison.changes("both")}


def items(changes: Sequence[ItemChange]) -> list[str]:
    return [change.first.item.id for change in changes]


class TestChanges:
    def test_by_hand(self) -> None:
        word = rows(compared())["Word"]
        assert astuple(word)[:5] == ("phenomenon", "Ambiguity", "Word", 10, 0.3)
        assert word.second == 0.9
        assert word.difference == pytest.approx(0.6)
        assert (word.only_first, word.only_second) == (1, 7)
        assert word.p == pytest.approx((8 + 1) / 256)  # 7 or 8 of 8 coins
        assert word.outcome == "better"
        # Shares 0.1 and 0.7: (1.644854·sqrt(0.8) + 0.841621·sqrt(0.8 − 0.36))² / 0.36 = 4.1242/0.36 = 11.46.
        assert word.needed == 12

    def test_the_direction_is_that_of_the_change(self) -> None:
        name = rows(compared())["Name"]
        assert (name.difference, name.only_first, name.only_second) == (-1, 5, 0)
        assert name.p == pytest.approx(1 / 32)
        assert name.outcome == "worse"
        assert name.needed == 3  # always against never: 1.645² = 2.7

    def test_level_rows_are_the_same(self) -> None:
        idiom = rows(compared())["Idiom"]
        assert (idiom.difference, idiom.only_first, idiom.only_second) == (0, 1, 1)
        assert (idiom.outcome, idiom.needed) == ("same", None)

    def test_rows_where_nothing_counts_say_nothing(self) -> None:
        assert rows(compared())["Pun"] == ComparisonRow(
            "phenomenon", "MWE", "Pun", 0, None, None, None, 0, 0, None, "same", None
        )

    def test_an_average_over_rows_has_no_items_of_its_own(self) -> None:
        macro = rows(compared())["category_macro"]
        # Ambiguity 8/15 → 9/15, MWE 1/2 → 1/2.
        assert macro.difference == pytest.approx(1 / 15 / 2)
        assert (macro.only_first, macro.only_second, macro.needed) == (None, None, None)

    @pytest.mark.parametrize("policy", ["fair", "own", "strict"])
    def test_p_equals_the_binomial_test_on_the_items_that_count_for_both(self, policy: Policy) -> None:
        found = [change for change in compared(policy=policy).changes("both") if change.only_first is not None]
        for change in found:
            assert change.only_first is not None
            assert change.only_second is not None
            wins, losses = change.only_second, change.only_first
            if (change.difference or 0) < 0:
                wins, losses = losses, wins
            if change.difference:
                expected = binomtest(wins, wins + losses, alternative="greater").pvalue if wins + losses else 1
                assert change.p == pytest.approx(expected)

    @pytest.mark.parametrize(
        ("policy", "counts"),
        [
            # old P?PF, new PP?P: only the first and the last item count for both; strict fails the warnings.
            ("fair", (0, 1)),
            ("own", (0, 1)),
            ("strict", (1, 2)),
        ],
    )
    def test_items_are_those_of_the_policy(self, policy: Policy, counts: tuple[int, int]) -> None:
        change = rows(compared({"A/W": {"old": "P?PF", "new": "PP?P"}}, policy=policy))["W"]
        assert (change.only_first, change.only_second) == counts

    @pytest.mark.parametrize(("alpha", "outcome"), [(0.03, "same"), (0.04, "better")])
    def test_alpha(self, alpha: float, outcome: str) -> None:  # p is 9/256 = 0.035
        assert rows(compared(alpha=alpha))["Word"].outcome == outcome

    def test_needed_uses_the_level_of_the_test(self) -> None:
        assert rows(compared(alpha=0.01))["Word"].needed == items_needed(0.1, 0.7, alpha=0.01)

    @pytest.mark.parametrize("test", ["ztest", "bootstrap", "randomization"])
    def test_any_test_will_do(self, test: Test) -> None:
        found = rows(compared(test=test))
        assert (found["Word"].outcome, found["Name"].outcome) == ("better", "worse")
        assert f"test:{test}" in compared(test=test).signature.split("|")

    def test_without_a_test_it_is_paired(self) -> None:
        assert "test:mcnemar" in compare(*suite_and_outputs(TABLE)).signature.split("|")

    def test_worse_are_the_rows_that_got_significantly_worse(self) -> None:
        assert [change.phenomenon for change in compared().worse("both")] == ["Name"]
        assert compared().worse("category") == []  # Ambiguity as a whole got better


# Every row differs: 6 rows by category (3 and 3 averages), 9 by both.
NO_TIES: Drawing = {
    "A/W": {"old": "PPPFFFFFFF", "new": "FPPPPPPPPP"},
    "B/I": {"old": "PPPPPPPPFF", "new": "FFFFFPPPPF"},
    "C/V": {"old": "PFFFF", "new": "PPPFF"},
}


class TestCorrection:
    @pytest.mark.parametrize("by", ["category", "phenomenon", "both"])
    @pytest.mark.parametrize(("correction", "method"), [("holm", "holm"), ("bh", "fdr_bh")])
    def test_the_family_is_all_rows_of_the_pair(self, correction: Correction, method: str, by: str) -> None:
        plain = compared(NO_TIES).changes(by)  # type: ignore[arg-type]
        raw = [change.p for change in plain]
        assert None not in raw
        expected = multipletests(raw, method=method)[1]
        found = [change.p for change in compared(NO_TIES, correction=correction).changes(by)]  # type: ignore[arg-type]
        assert found == pytest.approx(expected.tolist())

    @pytest.mark.parametrize(("correction", "method"), [("holm", "holm"), ("bh", "fdr_bh")])
    def test_level_rows_belong_to_the_family_too(self, correction: Correction, method: str) -> None:
        # Nine categories and three averages: one category changes much (5 : 0, p 1/32), eight not at all. All twelve
        # have items that count, and the note of the table says: correction over all 12 rows.
        drawing = {"A/W": {"old": "FFFFF", "new": "PPPPP"}} | {
            f"{name}/x": {"old": "PF", "new": "FP"} for name in "BCDEFGHI"
        }
        plain, corrected = compared(drawing), compared(drawing, correction=correction)
        raw = [1.0 if change.difference == 0 else change.p for change in plain.changes()]
        expected = multipletests(raw, method=method)[1]
        assert corrected.changes()[0].p == pytest.approx(expected[0])

    def test_the_signature_names_it(self) -> None:
        assert "correction:holm" in compared(correction="holm").signature.split("|")
        assert "correction:none" in compared().signature.split("|")

    def test_it_can_make_a_change_insignificant(self) -> None:
        # Name: p 1/32 of six rows with a difference at the most; Word 9/256.
        assert rows(compared(correction="holm"))["Name"].outcome == "same"


class TestItems:
    def test_lost_and_gained_are_what_only_one_got_right(self) -> None:
        found = compared()
        assert items(found.lost) == ["word-1", *(f"name-{n}" for n in range(1, 6)), "idiom-1"]
        assert items(found.gained) == [*(f"word-{n}" for n in range(4, 11)), "idiom-2"]

    def test_each_comes_with_both_texts_and_their_findings(self) -> None:
        change = compared().lost[0]
        assert (change.first.system.name, change.first.text, str(change.first.finding.verdict)) == (
            "old",
            "right 0",
            "pass",
        )
        assert (change.second.system.name, change.second.text, str(change.second.finding.verdict)) == (
            "new",
            "wrong 0",
            "fail",
        )
        assert change.first.finding.evidence[0].rule.value == "right"

    def test_they_come_in_the_order_of_the_taxonomy(self) -> None:
        drawing = {"B/x": {"old": "P", "new": "F"}, "A/y": {"old": "P", "new": "F"}, "B/z": {"old": "P", "new": "F"}}
        assert items(compared(drawing).lost) == ["x-1", "z-1", "y-1"]

    @pytest.mark.parametrize("policy", ["fair", "own", "strict"])
    def test_they_are_as_many_as_the_table_says(self, policy: Policy) -> None:
        # Under strict a warning fails, so old alone got the third item right, and new alone the second.
        comparison = compared({"A/W": {"old": "P?PF", "new": "PP?P"}}, policy=policy)
        micro = rows(comparison)["micro"]
        assert (len(comparison.lost), len(comparison.gained)) == (micro.only_first, micro.only_second)


class TestWhoIsCompared:
    def test_the_first_given_is_the_one_before(self) -> None:
        assert compared().names == ("old", "new")
        turned = {place: {"new": systems["new"], "old": systems["old"]} for place, systems in TABLE.items()}
        assert compared(turned).names == ("new", "old")
        assert rows(compared(turned))["Word"].difference == pytest.approx(-0.6)

    def test_a_system_in_two_campaigns_is_named_with_them(self) -> None:
        assert compared({"A/W": {"X@21": "PF", "X@22": "PP"}}).names == ("X (21)", "X (22)")

    @pytest.mark.parametrize("systems", [{"A": "P"}, {"A": "P", "B": "F", "C": "P"}])
    def test_exactly_two_are_needed(self, systems: dict[str, str]) -> None:
        with pytest.raises(BadOption, match=f"exactly two systems, not {len(systems)}"):
            compared({"A/W": systems})

    @pytest.mark.parametrize("policy", ["fair", "own"])
    def test_they_must_share_an_item_that_counts(self, policy: Policy) -> None:
        with pytest.raises(BadOption, match="share no items that count"):
            compared({"A/W": {"A": "PF??", "B": "??PF"}}, policy=policy)

    def test_one_that_did_not_translate_the_suite_cannot_be_compared(self) -> None:
        with pytest.raises(BadOption, match="Lazy cannot be compared: 1 distinct text for 30 items"):
            compared({"A/W": {"A": "PF" * 15, "Lazy": "-" * 30}})


class TestFiles:
    AVERAGE, CAREFUL, LITERAL = (str(path) for path in bundled_outputs("de-en"))

    def test_two_files_of_one_name_are_before_and_after(self, tmp_path: Path) -> None:
        for folder, path in (("old", self.AVERAGE), ("new", self.CAREFUL)):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "model.tsv").write_bytes(Path(path).read_bytes())
        files = [str(tmp_path / folder / "model.tsv") for folder in ("old", "new")]
        renamed = compare_files(Inputs("de-en", files))
        assert renamed.names == ("model before", "model after")
        assert renamed.changes() == compare_files(Inputs("de-en", [self.AVERAGE, self.CAREFUL])).changes()

    def test_two_systems_of_several_in_the_order_named(self) -> None:
        inputs = Inputs("de-en", [self.AVERAGE, self.CAREFUL, self.LITERAL])
        assert compare_files(inputs, systems=["literal", "average"]).names == ("literal", "average")

    def test_unknown_and_too_few_names_are_refused(self) -> None:
        inputs = Inputs("de-en", [self.AVERAGE, self.CAREFUL, self.LITERAL])
        with pytest.raises(UnknownName, match="did you mean literal"):
            compare_files(inputs, systems=["literl", "average"])
        with pytest.raises(BadOption, match="must name two systems to compare, not 1"):
            compare_files(inputs, systems=["literal"])

    def test_a_system_is_not_compared_with_itself(self) -> None:
        with pytest.raises(BadOption):
            compare_files(Inputs("de-en", [self.AVERAGE, self.LITERAL]), systems=["literal", "literal"])

    def test_no_p_is_nan(self) -> None:
        found = compare_files(Inputs("de-en", [self.AVERAGE, self.CAREFUL]), correction="holm").changes("both")
        assert not any(change.p is not None and isnan(change.p) for change in found)
