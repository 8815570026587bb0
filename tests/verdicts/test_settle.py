"""Judgements become exact rules."""

import pytest

from assay.errors import UnknownName
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.verdicts.judge import RuleJudge
from assay.verdicts.judgements import Judgement
from assay.verdicts.settle import settle

ITEMS = (
    Item("a", "C", "P", "Satz a.", (Rule("pass", "regex", "lock"), Rule("pass", "exact", "The castle."))),
    Item("b", "C", "P", "Satz b."),
)
SUITE = Suite("small", "de-en", ITEMS, taxonomy_of(ITEMS))


def verdict(suite: Suite, item: str, text: str) -> str:
    return str(RuleJudge(suite).judge(suite.item(item), text).verdict)


def test_a_judgement_decides_its_text_from_then_on() -> None:
    assert verdict(SUITE, "b", "The bolt.") == "warning"
    settled = settle(SUITE, [Judgement("b", "The  bolt. ", "pass", by="eva", on="2024-05-01", comment="fine")])
    assert verdict(settled.suite, "b", "The bolt.") == "pass"
    assert (settled.added, settled.replaced) == (1, 0)
    assert settled.suite.item("b").rules == (Rule("pass", "exact", "The bolt.", "", "fine", "eva", "2024-05-01"),)


def test_only_that_text_and_item_are_changed() -> None:
    settled = settle(SUITE, [Judgement("b", "The bolt.", "pass", by="eva")]).suite
    assert settled.item("a") == SUITE.item("a")
    assert verdict(settled, "b", "The bolts.") == "warning"


def test_the_suite_itself_is_left_alone() -> None:
    settle(SUITE, [Judgement("b", "The bolt.", "pass", by="eva")])
    assert SUITE.item("b").rules == ()


@pytest.mark.parametrize("by", ["eva", ""])
def test_a_contrary_judgement_replaces_an_exact_rule(by: str) -> None:
    settled = settle(SUITE, [Judgement("a", "The\u00a0castle.", "fail", by=by)])
    assert (settled.added, settled.replaced) == (1, 1)
    assert verdict(settled.suite, "a", "The castle.") == "fail"
    assert [rule.value for rule in settled.suite.item("a").rules] == ["lock", "The castle."]


def test_an_agreeing_judgement_replaces_nothing_contrary() -> None:
    settled = settle(SUITE, [Judgement("a", "The castle.", "pass", by="eva")])
    assert (settled.added, settled.replaced) == (1, 0)
    assert verdict(settled.suite, "a", "The castle.") == "pass"


def test_of_two_judgements_on_one_text_the_later_stands() -> None:
    settled = settle(
        SUITE, [Judgement("b", "The bolt.", "pass", by="eva"), Judgement("b", "The bolt.", "fail", by="jan")]
    )
    assert (settled.added, settled.replaced) == (2, 1)
    assert verdict(settled.suite, "b", "The bolt.") == "fail"


def test_a_judgement_outranks_patterns() -> None:
    settled = settle(SUITE, [Judgement("a", "A lock of hair.", "fail", by="eva")])
    assert verdict(settled.suite, "a", "A lock of hair.") == "fail"


def test_a_judgement_of_an_unknown_item_is_refused() -> None:
    with pytest.raises(UnknownName, match="no item 'c'"):
        settle(SUITE, [Judgement("c", "The bolt.", "pass")])


def test_judgements_change_the_hash_of_the_suite() -> None:
    assert settle(SUITE, [Judgement("b", "The bolt.", "pass", by="eva")]).suite.hash != SUITE.hash
