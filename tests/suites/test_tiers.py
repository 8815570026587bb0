"""Tiers of items, closed rules, and what is said of phenomena: read, refused, written, hashed."""

from dataclasses import replace
from pathlib import Path

import pytest

from assay.errors import BadSuite
from assay.suites import Item, Suite, native, native_writer
from assay.suites.load import bundled, load_suite, losses, save_suite
from assay.suites.native_layout import write_over
from tests.suites.building import KIEFER, MANIFEST, a_suite, an_item, suite_folder

NURSES = """\
category: Ambiguity
phenomenon: Lexical ambiguity
tier: context
items:
  # Who is he?
  - id: nurse
    source: The nurse came. He was late.
  - id: plain
    tier: entry
    source: The nurse was late.
templates:
  - id: made
    source: '{Who} was late. He ran.'
  - id: short
    tier: entry
    source: '{Who} was late.'
slots:
  who: {doctor: the doctor}
"""


def tiers(suite: Suite) -> dict[str, str]:
    return {item.id: item.tier for item in suite}


def test_the_nearest_tier_counts(tmp_path: Path) -> None:
    suite = native.read(suite_folder(tmp_path / "garden", {"nurses.yaml": NURSES, "kiefer.yaml": KIEFER}))
    assert tiers(suite) == {
        "kiefer/kiefer": "entry",
        "nurses/nurse": "context",
        "nurses/plain": "entry",
        "nurses/made/doctor": "context",
        "nurses/short/doctor": "entry",
    }


def test_another_tier_is_refused_with_its_place(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {"nurses.yaml": NURSES.replace("tier: context", "tier: hard")})
    with pytest.raises(BadSuite, match=r"nurses\.yaml:3: tier is 'hard'; write entry or context"):
        native.read(folder)


def test_a_suite_with_tiers_is_read_back(tmp_path: Path) -> None:
    suite = native.read(suite_folder(tmp_path / "garden", {"nurses.yaml": NURSES, "kiefer.yaml": KIEFER}))
    save_suite(suite, tmp_path / "again")
    assert native.read(tmp_path / "again") == suite


@pytest.mark.parametrize(
    ("first", "second", "head", "in_items"),
    [("entry", "entry", False, 0), ("context", "context", True, 0), ("entry", "context", False, 1)],
)
def test_a_tier_is_written_where_it_is_not_the_usual_one(first: str, second: str, head: bool, in_items: int) -> None:
    one, two = an_item("f/a"), an_item("f/b", "Es schneit.")
    items = [_with_tier(one, first), _with_tier(two, second)]
    text = native_writer.items_file("Ambiguity", "f", items, native_writer.shared(items))
    assert ("\ntier: context\n" in text) == head
    assert text.count("  tier: ") == in_items


def _with_tier(item: Item, tier: str) -> Item:
    return replace(item, tier="context" if tier == "context" else "entry")


def test_a_changed_tier_is_the_only_line_that_changes(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {"nurses.yaml": NURSES})
    suite = native.read(folder)
    changed = suite.with_items({suite.positions["nurses/plain"]: replace(suite.item("nurses/plain"), tier="context")})
    (tmp_path / "out").mkdir()
    write_over(changed, native.read_files(folder), tmp_path / "out")
    wanted = NURSES.replace("  - id: plain\n    tier: entry\n", "  - id: plain\n")
    assert (tmp_path / "out" / "nurses.yaml").read_text("utf-8") == wanted


def test_the_context_tier_is_part_of_the_hash() -> None:
    item = an_item("f/a")
    assert a_suite(replace(item, tier="context")).hash != a_suite(item).hash


def test_other_formats_cannot_hold_tiers() -> None:
    assert "1 × tiers" in losses(a_suite(replace(an_item("f/a"), tier="context")), Path("items.json"))


CLOSED = KIEFER + "    fail: [{regex: '^(?!.*jaw)', closed: true}, {regex: pine, closed: false}]\n"


def test_a_closed_rule_is_read_and_written_back(tmp_path: Path) -> None:
    suite = native.read(suite_folder(tmp_path / "garden", {"kiefer.yaml": CLOSED}))
    assert [rule.closed for rule in suite.items[0].rules] == [False, True, False]
    save_suite(suite, tmp_path / "again")
    assert native.read(tmp_path / "again") == suite
    assert (tmp_path / "again" / "ambiguity" / "kiefer.yaml").read_text("utf-8").count("closed: true") == 1


def test_whether_a_rule_is_closed_decides_nothing(tmp_path: Path) -> None:
    closed = native.read(suite_folder(tmp_path / "one", {"kiefer.yaml": CLOSED}))
    open_ = native.read(suite_folder(tmp_path / "two", {"kiefer.yaml": CLOSED.replace("true", "false")}))
    assert closed.hash == open_.hash
    assert closed != open_


@pytest.mark.parametrize("rule", ["pass: [{regex: jaw, closed: true}]", "fail: [{contains: jaw, closed: true}]"])
def test_only_patterns_that_fail_are_closed(rule: str, tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {"kiefer.yaml": KIEFER.replace("pass: ['\\bjaw\\b']", rule)})
    with pytest.raises(BadSuite, match=r"kiefer\.yaml:6: closed belongs to regex rules under fail:"):
        native.read(folder)


def test_what_is_said_of_phenomena_is_read_and_written_back(tmp_path: Path) -> None:
    manifest = MANIFEST.replace(
        "Lexical ambiguity: A word with several senses.", "Lexical ambiguity: {description: Words, lexical: true}"
    ).replace("Negation: Something is not the case.", "Negation: {negation: true, twins: false}")
    suite = native.read(suite_folder(tmp_path / "garden", {"kiefer.yaml": KIEFER}, manifest))
    assert suite.lexical == {("Ambiguity", "Lexical ambiguity"): True}
    assert suite.negation == {("Negation", "Negation"): True}
    assert suite.twins == {("Negation", "Negation"): False}
    save_suite(suite, tmp_path / "again")
    assert native.read(tmp_path / "again") == suite


def test_probes_are_no_items(tmp_path: Path) -> None:
    probes = "kiefer/kiefer: [The pine hurts.]\n"
    suite = native.read(suite_folder(tmp_path / "garden", {"kiefer.yaml": KIEFER, "probes.yaml": probes}))
    assert len(suite) == 1


@pytest.mark.parametrize("name", bundled())
def test_items_of_the_context_tier_have_several_sentences(name: str) -> None:
    for item in load_suite(name):
        if item.tier == "context":
            assert sum(item.source.count(mark) for mark in ".!?:;") >= 2, item.id
