"""Judging one text of one item, line by line as the counting contract has it."""

import pytest

from assay.errors import BadSuite
from assay.outputs import Collector, System
from assay.suites import Item, Polarity, Rule, Suite, taxonomy_of
from assay.verdicts.blocks import judge_texts
from assay.verdicts.judge import RuleJudge
from assay.verdicts.patterns import RuleTimeout, pattern
from assay.verdicts.verdict import Finding, Verdict

RUNAWAY = "(a|aa)+$"
SLOW_TEXT = "a" * 80 + "!"


def item(*rules: Rule) -> Item:
    return Item("lexical/schloss", "Ambiguity", "Lexical ambiguity", "Das Schloss klemmt.", rules)


def passes(value: str, *, flags: str = "") -> Rule:
    return Rule("pass", "regex", value, flags)


def fails(value: str, *, flags: str = "") -> Rule:
    return Rule("fail", "regex", value, flags)


def exact(polarity: Polarity, value: str, *, by: str = "") -> Rule:
    return Rule(polarity, "exact", value, by=by)


def contains(polarity: Polarity, value: str) -> Rule:
    return Rule(polarity, "contains", value)


def judged(text: str, *rules: Rule) -> Finding:
    one = item(*rules)
    return RuleJudge([one]).judge(one, text)


def verdict(text: str, *rules: Rule) -> tuple[str, str]:
    finding = judged(text, *rules)
    return str(finding.verdict), finding.reason


@pytest.fixture
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runaway patterns give up at once."""
    monkeypatch.setattr(pattern(RUNAWAY, ""), "limit", 0.02)


class TestText:
    @pytest.mark.parametrize(
        "text",
        [
            "It's the lock.",
            "  It's the lock. ",
            "It's \t the\u00a0lock.",
            "It's\u2028the\u202flock.",
            "It\u2019s the lock.",
            "It\u2018s the lock.",
            "It\u00b4s the lock.",
            "It`s the lock.",
        ],
    )
    @pytest.mark.parametrize("kind", ["exact", "contains", "regex"])
    def test_is_normalised(self, text: str, kind: str) -> None:
        value = "It's the lock."
        rule = {"exact": exact("pass", value), "contains": contains("pass", value), "regex": passes("^It's the lock.$")}
        assert verdict(text, rule[kind]) == ("pass", "")

    def test_is_composed(self) -> None:
        assert verdict("Cafe\u0301", passes("^Caf\u00e9$")) == ("pass", "")

    @pytest.mark.parametrize("value", ["Cafe\u0301  isn\u2019t ", "Caf\u00e9 isn`t", "\tCaf\u00e9\u2009isn\u00b4t"])
    @pytest.mark.parametrize("kind", ["exact", "contains"])
    def test_fixed_strings_are_normalised_in_the_same_way(self, value: str, kind: str) -> None:
        rule = exact("fail", value) if kind == "exact" else contains("fail", value)
        assert verdict("Caf\u00e9 isn't", rule) == ("fail", "")

    @pytest.mark.parametrize("value", ["isn\u2019t", "is  not", "Cafe\u0301"])
    def test_patterns_are_left_as_written(self, value: str) -> None:
        assert verdict("Caf\u00e9 isn\u2019t, is  not", passes(value)) == ("warning", "no_match")

    def test_quotation_marks_and_dashes_are_left_alone(self) -> None:
        assert verdict("\u201eja\u201c \u2013 nein", passes("^\u201eja\u201c \u2013 nein$")) == ("pass", "")


class TestMissing:
    ALWAYS = (passes(".*"), exact("pass", "FAILED"), exact("pass", "####"), contains("pass", "NO"))

    @pytest.mark.parametrize(
        "text",
        ["", "  ", "\u00a0", "NO TRANSLATION AVAILABLE", "####", "FAILED", " FAILED\t", "NO  TRANSLATION AVAILABLE"],
    )
    def test_empty_texts_and_markers_are_missing_whatever_the_rules(self, text: str) -> None:
        assert verdict(text, *self.ALWAYS) == ("warning", "missing")

    @pytest.mark.parametrize(
        "text", ["failed", "FAILED.", "###", "# ###", "NO TRANSLATION", "No translation available"]
    )
    def test_other_texts_are_not(self, text: str) -> None:
        assert verdict(text, *self.ALWAYS) == ("pass", "")


class TestExact:
    def test_must_equal_the_whole_text(self) -> None:
        assert verdict("The lock.", exact("pass", "The lock.")) == ("pass", "")
        assert verdict("The lock. Yes.", exact("pass", "The lock.")) == ("warning", "no_match")
        assert verdict("the lock.", exact("pass", "The lock.")) == ("warning", "no_match")

    def test_outranks_patterns(self) -> None:
        assert verdict("The castle.", exact("pass", "The castle."), fails("castle")) == ("pass", "")

    def test_of_both_polarities_is_a_contradiction_and_nothing_further_is_consulted(self) -> None:
        both = (exact("pass", "The lock."), exact("fail", "The  lock."))
        finding = judged("The lock.", *both, passes("lock"))
        assert (finding.verdict, finding.reason) == (Verdict.WARNING, "contradiction")
        assert {evidence.rule for evidence in finding.evidence} == set(both)

    def test_of_one_polarity_may_be_given_twice(self) -> None:
        assert verdict("The lock.", exact("pass", "The lock."), exact("pass", "The  lock.")) == ("pass", "")


class TestSettled:
    def test_is_as_good_as_an_exact_rule(self) -> None:
        assert verdict("The\u00a0castle.", exact("pass", "The castle.", by="eva"), fails("castle")) == ("pass", "")

    @pytest.mark.parametrize(("mine", "other"), [("pass", "fail"), ("fail", "pass")])
    def test_outranks_an_exact_rule_of_the_suite(self, mine: Polarity, other: Polarity) -> None:
        rules = (exact(other, "The lock."), exact(mine, "The lock.", by="eva"))
        assert verdict("The lock.", *rules) == (mine, "")
        assert verdict("The lock.", *reversed(rules)) == (mine, "")

    def test_outranks_even_a_contradiction_of_the_suite(self) -> None:
        rules = (exact("pass", "The lock."), exact("fail", "The lock."), exact("fail", "The lock.", by="eva"))
        assert verdict("The lock.", *rules) == ("fail", "")

    def test_of_both_polarities_is_a_contradiction(self) -> None:
        rules = (exact("pass", "The lock.", by="eva"), exact("fail", "The lock.", by="jan"), exact("pass", "The lock."))
        assert verdict("The lock.", *rules) == ("warning", "contradiction")


class TestSearched:
    LOCK, CASTLE = passes("lock"), fails("castle")

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("The lock jams.", ("pass", "")),
            ("The castle jams.", ("fail", "")),
            ("The lock of the castle jams.", ("warning", "contradiction")),
            ("The door jams.", ("warning", "no_match")),
            ("The Lock jams.", ("warning", "no_match")),
        ],
    )
    def test_verdicts(self, text: str, expected: tuple[str, str]) -> None:
        assert verdict(text, self.LOCK, self.CASTLE) == expected
        assert verdict(text, contains("pass", "lock"), contains("fail", "castle")) == expected

    def test_contains_and_regex_are_of_equal_rank(self) -> None:
        assert verdict("lock, castle", contains("pass", "lock"), self.CASTLE) == ("warning", "contradiction")
        assert verdict("lock, castle", self.LOCK, contains("fail", "castle")) == ("warning", "contradiction")

    def test_one_matching_rule_of_several_is_enough(self) -> None:
        assert verdict("The bolt jams.", self.LOCK, passes("bolt"), contains("pass", "latch")) == ("pass", "")

    def test_contains_is_no_pattern(self) -> None:
        assert verdict("Really?", contains("pass", "y?")) == ("pass", "")
        assert verdict("Realy", contains("pass", "y?")) == ("warning", "no_match")

    @pytest.mark.parametrize(("flags", "expected"), [("", ("warning", "no_match")), ("i", ("pass", ""))])
    def test_case_counts_unless_flagged(self, flags: str, expected: tuple[str, str]) -> None:
        assert verdict("THE LOCK, ÜBRIGENS", passes("lock, übrigens", flags=flags)) == expected

    def test_without_rules_nothing_matches(self) -> None:
        assert verdict("The lock jams.") == ("warning", "no_match")

    @pytest.mark.parametrize("blank", ["", " ", "\t", "\u00a0"])
    @pytest.mark.parametrize("kind", ["regex", "exact", "contains"])
    def test_blank_rules_never_match(self, blank: str, kind: str) -> None:
        rules = (Rule("pass", kind, blank), self.CASTLE)
        assert verdict("The door jams.", *rules) == ("warning", "no_match")
        assert verdict("The castle jams.", *rules) == ("fail", "")


@pytest.mark.usefixtures("_no_patience")
class TestTimeout:
    @pytest.mark.parametrize("rule", [passes(RUNAWAY), fails(RUNAWAY)])
    def test_is_a_warning(self, rule: Rule) -> None:
        finding = judged(SLOW_TEXT, rule)
        assert (finding.verdict, finding.reason) == (Verdict.WARNING, "timeout")
        assert finding.evidence[0].rule == rule

    def test_does_not_hide_that_the_other_polarity_is_unknown(self) -> None:
        assert verdict(SLOW_TEXT, passes("!"), fails(RUNAWAY)) == ("warning", "timeout")
        assert verdict(SLOW_TEXT, fails("!"), passes(RUNAWAY)) == ("warning", "timeout")

    def test_does_not_matter_where_another_rule_of_its_polarity_matches(self) -> None:
        assert verdict(SLOW_TEXT, passes(RUNAWAY), passes("!")) == ("pass", "")
        assert verdict(SLOW_TEXT, fails(RUNAWAY), fails("!")) == ("fail", "")
        assert verdict(SLOW_TEXT, passes(RUNAWAY), passes("!"), fails("a!")) == ("warning", "contradiction")

    def test_does_not_matter_where_an_exact_rule_decides(self) -> None:
        assert verdict(SLOW_TEXT, passes(RUNAWAY), exact("fail", SLOW_TEXT)) == ("fail", "")

    def test_the_pattern_really_runs_away(self) -> None:
        with pytest.raises(RuleTimeout):
            pattern(RUNAWAY, "").search(SLOW_TEXT)


class TestEvidence:
    TEXT = " Cafe\u0301:  the\u00a0lock "  # normalised: "Café: the lock"

    @pytest.mark.parametrize(
        ("rule", "span"),
        [
            (passes(r"\block\b"), (10, 14)),
            (passes("LOCK", flags="i"), (10, 14)),
            (contains("pass", " the  lock "), (6, 14)),
            (exact("pass", "Café: the lock"), (0, 14)),
            (passes("[^ ]+:"), (0, 5)),
        ],
    )
    def test_points_into_the_normalised_text(self, rule: Rule, span: tuple[int, int]) -> None:
        [evidence] = judged(self.TEXT, rule).evidence
        assert (evidence.rule, (evidence.start, evidence.end)) == (rule, span)

    def test_counts_code_points(self) -> None:
        [evidence] = judged("\U0001f512 lock", passes("lock")).evidence
        assert (evidence.start, evidence.end) == (2, 6)

    def test_of_a_contradiction_has_both_sides(self) -> None:
        evidence = judged("the lock of the castle", passes("lock"), fails("castle")).evidence
        assert [(found.rule.polarity, found.start, found.end) for found in evidence] == [
            ("pass", 4, 8),
            ("fail", 16, 22),
        ]

    def test_where_nothing_matches_there_is_none(self) -> None:
        assert judged("the door", passes("lock")).evidence == ()
        assert judged("", passes("lock")).evidence == ()


def test_a_broken_pattern_is_refused_before_anything_is_judged() -> None:
    with pytest.raises(BadSuite, match=r"lexical/schloss.*pass rule '\(lock' does not compile.*position 5"):
        RuleJudge([item(passes("(lock"))])


def test_judging_changes_nothing() -> None:
    one = item(passes("lock"), fails("castle"))
    judge = RuleJudge([one])
    assert judge.judge(one, "the lock") == judge.judge(one, "the lock")
    assert one == item(passes("lock"), fails("castle"))


def test_only_texts_of_the_given_systems_are_judged() -> None:
    items = (item(passes("lock"), fails("castle")),)
    suite = Suite("one", "de-en", items, taxonomy_of(items))
    collector = Collector(suite)
    collector.add(System("A"), positions=[0], texts=["the lock"])
    collector.add(System("B"), positions=[0], texts=["the castle"])
    collector.add(System("C"), positions=[0], texts=["the lock"])
    outputs = collector.outputs()
    words = [found and str(found.verdict) for found in judge_texts(suite, outputs)]
    assert words == ["pass", "fail"]
    words = [found and str(found.verdict) for found in judge_texts(suite, outputs.select([1]))]
    assert words == [None, "fail"]
