"""Suites: looked up, and known by a hash of what decides verdicts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.errors import UnknownName
from assay.suites.load import load_suite
from assay.suites.suite import Examples, Item, Rule, Suite, taxonomy_of

RULE = Rule("pass", "regex", "jaw", "i", note="n")
ITEM = Item("f/a", "Ambiguity", "Lexical ambiguity", "Der Kiefer.", (RULE, Rule("fail", "exact", "Pine.")))
OTHER = Item("f/b", "Negation", "Negation", "Nein.")


def suite(*items: Item, **fields: Any) -> Suite:
    return Suite(**{"name": "garden", "langpair": "de-en", "items": items, "taxonomy": taxonomy_of(items), **fields})


def with_rule(rule: Rule) -> Suite:
    return suite(replace(ITEM, rules=(rule, *ITEM.rules[1:])), OTHER)


def test_an_item_in_the_place_of_another_makes_the_suite_that_has_it() -> None:
    before = suite(ITEM, OTHER)
    hashes = {before.hash}
    judged = replace(OTHER, rules=(Rule("pass", "exact", "No.", by="Anna"),))
    for changed in ({1: judged}, {0: replace(ITEM, rules=())}, {}):
        after = before.with_items(changed)
        anew = suite(changed.get(0, before.items[0]), changed.get(1, before.items[1]))
        assert (after, after.hash) == (anew, anew.hash)
        hashes.add(after.hash)
        before = after
    assert len(hashes) == 3


def test_equal_suites_have_equal_hashes() -> None:
    assert suite(ITEM, OTHER).hash == suite(replace(ITEM), replace(OTHER)).hash
    assert len(suite(ITEM).hash) == 12


@pytest.mark.parametrize(
    "same",
    [
        suite(OTHER, ITEM),
        suite(ITEM, OTHER, name="other", version="2", licence="x", authors=("y",), description="z", canary="c"),
        suite(replace(ITEM, tests="t", notes="n", tags=("t",), examples=Examples(("x",), ())), OTHER),
        suite(replace(ITEM, place="file:1"), OTHER),
        with_rule(replace(RULE, note="another note")),
        with_rule(replace(RULE, closed=True)),
    ],
)
def test_what_changes_no_verdict_changes_no_hash(same: Suite) -> None:
    assert same.hash == suite(ITEM, OTHER).hash


@pytest.mark.parametrize(
    "other",
    [
        with_rule(replace(RULE, value="jaws")),
        with_rule(replace(RULE, polarity="fail")),
        with_rule(replace(RULE, kind="contains")),
        with_rule(replace(RULE, flags="")),
        with_rule(replace(RULE, by="Ada")),
        suite(replace(ITEM, rules=ITEM.rules[:1]), OTHER),
        suite(replace(ITEM, rules=()), OTHER),
        suite(replace(ITEM, source="Die Kiefer."), OTHER),
        suite(replace(ITEM, id="f/z"), OTHER),
        suite(replace(ITEM, category="Words"), OTHER),
        suite(replace(ITEM, phenomenon="Senses"), OTHER),
        suite(replace(ITEM, prompt="Say it."), OTHER),
        suite(replace(ITEM, context="Say it."), OTHER),
        suite(replace(ITEM, tier="context"), OTHER),
        suite(ITEM),
        suite(ITEM, OTHER, langpair="de-fr"),
    ],
)
def test_what_can_change_a_verdict_or_a_row_changes_the_hash(other: Suite) -> None:
    assert other.hash != suite(ITEM, OTHER).hash


def test_a_prompt_is_not_a_context() -> None:
    told = replace(ITEM, prompt="a"), replace(ITEM, context="a"), replace(ITEM, prompt="b")
    assert len({suite(item).hash for item in told}) == 3


def test_a_suite_without_prompts_has_the_hash_that_it_had_before_there_were_any() -> None:
    assert suite(ITEM, OTHER).hash == "8b39e779ccf4"


def test_the_hash_does_not_depend_on_how_items_are_spread_over_the_suite_folder(tmp_path: Path) -> None:
    head = "category: C\nphenomenon: P\nitems:\n"
    items = ["  - {id: a, source: Eins., pass: [one]}\n", "  - {id: b, source: Zwei., fail: [one]}\n"]
    hashes = set()
    for number, order in enumerate((items, items[::-1])):
        folder = tmp_path / str(number) / "garden"
        folder.mkdir(parents=True)
        (folder / "suite.yaml").write_text("name: x\nlangpair: de-en\ncategories: {C: {P: ''}}\n", encoding="utf-8")
        (folder / "words.yaml").write_text(head + "".join(order), encoding="utf-8")
        hashes.add(load_suite(folder).hash)
    assert len(hashes) == 1


def test_a_boundary_between_texts_is_part_of_the_hash() -> None:
    """Two rules `a`, `b` are not one rule whose text joins them."""
    assert suite(replace(ITEM, source="ab", category="c")).hash != suite(replace(ITEM, source="a", category="bc")).hash
    joined = Rule("pass", "regex", "a\x1f\x1f\x1fpass\x1fregex\x1fb")
    two = (Rule("pass", "regex", "a"), Rule("pass", "regex", "b"))
    assert suite(replace(ITEM, rules=(joined,))).hash != suite(replace(ITEM, rules=two)).hash


def test_items_are_found_by_id() -> None:
    assert suite(ITEM, OTHER).item("f/b") is OTHER
    with pytest.raises(UnknownName, match=r"no item 'f/c'; did you mean f/[ab], f/[ab]\?"):
        suite(ITEM, OTHER).item("f/c")


def test_a_taxonomy_follows_the_first_appearance() -> None:
    items = (OTHER, ITEM, replace(OTHER, id="f/c", phenomenon="Double negation"))
    assert suite(*items).phenomena == [
        ("Negation", "Negation"),
        ("Negation", "Double negation"),
        ("Ambiguity", "Lexical ambiguity"),
    ]


@pytest.mark.parametrize(("value", "blank"), [("", True), (" \t\u00a0", True), (".", False)])
def test_a_blank_rule_has_nothing_to_match(value: str, blank: bool) -> None:
    assert Rule("pass", "exact", value).is_blank is blank


def test_a_rule_reads_as_polarity_kind_and_text() -> None:
    assert (str(RULE), str(Rule("fail", "exact", "Pine."))) == ("pass:regex/i:jaw", "fail:exact:Pine.")
