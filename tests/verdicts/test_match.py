"""One rule on one normalised text, as `assay explain` shows it."""

from dataclasses import replace

import pytest

from assay.suites import Item, Rule
from assay.verdicts.match import match, matches
from assay.verdicts.patterns import RuleTimeout, pattern

ITEM = Item("one", "A", "p", "Das Schloss.")
TEXT = "It's the lock, the old lock."


@pytest.mark.parametrize(
    ("rule", "span"),
    [
        (Rule("pass", "regex", "lock"), (9, 13)),  # the first of two
        (Rule("pass", "regex", r"lock\."), (23, 28)),
        (Rule("pass", "regex", "LOCK"), None),
        (Rule("pass", "regex", "LOCK", "i"), (9, 13)),
        (Rule("fail", "contains", "the"), (5, 8)),
        (Rule("fail", "contains", " It\u2019s  the "), (0, 8)),
        (Rule("fail", "contains", "The"), None),
        (Rule("pass", "exact", " It`s the lock,\tthe old lock."), (0, 28)),
        (Rule("pass", "exact", "It's the lock"), None),
        (Rule("pass", "regex", " "), None),
        (Rule("pass", "contains", ""), None),
        (Rule("pass", "exact", ""), None),
    ],
)
def test_match(rule: Rule, span: tuple[int, int] | None) -> None:
    evidence = match(rule, TEXT, ITEM)
    assert (evidence and (evidence.rule, evidence.start, evidence.end)) == (span and (rule, *span))


def test_a_blank_exact_rule_does_not_match_an_empty_text() -> None:
    assert match(Rule("pass", "exact", ""), "", ITEM) is None


def test_matches_lists_all_that_match_in_order_and_those_that_ran_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    runaway = Rule("pass", "regex", "(b|bb)+$")
    monkeypatch.setattr(pattern(runaway.value, ""), "limit", 0.02)
    text = "b" * 80 + "!"
    with pytest.raises(RuleTimeout):
        match(runaway, text, ITEM)
    end, middle, absent = (Rule("fail", "regex", value) for value in ("!", "bb", "c"))
    found, slow = matches(replace(ITEM, rules=(end, absent, runaway, middle)), text)
    assert [(evidence.rule, evidence.start, evidence.end) for evidence in found] == [(end, 80, 81), (middle, 0, 2)]
    assert slow == [runaway]
