"""Templates: items of a paradigm written once."""

from pathlib import Path

import pytest

from assay.errors import BadSuite
from assay.suites import native
from assay.suites.suite import Examples, Item, Suite
from assay.verdicts import RuleJudge
from tests.suites.building import suite_folder

HEAD = "category: Ambiguity\nphenomenon: Lexical ambiguity\n"

SLOTS = """\
slots:
  who:
    ich: {de: ich, haben: habe, en: I}
    wir: {de: wir, haben: haben, en: we|both of us}
  what:
    brot: {de: das Brot, en: the bread}
    salz: {de: das Salz, en: the salt}
  day:
    mo: Montag
    di: Dienstag
"""

BOUGHT = """\
templates:
  - id: kauf
    source: '{Who.de} {who.haben} {what.de} gekauft.'
    tests: '{who.de} bought {what.de}.'
    pass:
      - '\\b{who.en} bought {what.en}\\b'
      - {contains: '{what.de}'}
    fail: ['\\b{who.en} bu(y|ys|ying)\\b']
    examples: {pass: ['{Who.de} bought {what.de}.'], fail: ['{who.de} buy.']}
"""


def expanded(tmp_path: Path, templates: str, slots: str = SLOTS) -> Suite:
    return native.read(suite_folder(tmp_path / "garden", {"verbs.yaml": HEAD + templates + slots}))


def one(suite: Suite, item_id: str) -> Item:
    return suite.item(item_id)


def test_a_template_is_expanded_over_the_product_of_the_slots_it_mentions(tmp_path: Path) -> None:
    suite = expanded(tmp_path, BOUGHT)
    assert [item.id for item in suite] == [
        "verbs/kauf/ich-brot",
        "verbs/kauf/ich-salz",
        "verbs/kauf/wir-brot",
        "verbs/kauf/wir-salz",
    ]


def test_slots_are_filled_in_and_capitalised_where_the_name_is(tmp_path: Path) -> None:
    item = one(expanded(tmp_path, BOUGHT), "verbs/kauf/wir-salz")
    assert item.source == "Wir haben das Salz gekauft."
    assert item.tests == "wir bought das Salz."
    assert item.examples == Examples(("Wir bought das Salz.",), ("wir buy.",))


def test_a_form_in_a_regular_expression_becomes_a_group(tmp_path: Path) -> None:
    item = one(expanded(tmp_path, BOUGHT), "verbs/kauf/wir-salz")
    assert [rule.value for rule in item.rules] == [
        r"\b(?:we|both of us) bought (?:the salt)\b",
        "das Salz",
        r"\b(?:we|both of us) bu(y|ys|ying)\b",
    ]
    assert str(RuleJudge([item]).judge(item, "Then both of us bought the salt.").verdict) == "pass"


def test_the_order_of_mention_does_not_change_ids(tmp_path: Path) -> None:
    """Ids are stable: their parts come in the order of `slots`, whatever the template says first."""
    suite = expanded(tmp_path, "templates:\n  - {id: t, source: '{What.de} kaufe {who.de}.'}\n")
    assert [item.id for item in suite][:2] == ["verbs/t/ich-brot", "verbs/t/ich-salz"]


def test_a_plain_slot_value_is_used_by_its_bare_name(tmp_path: Path) -> None:
    suite = expanded(tmp_path, "templates:\n  - {id: t, source: 'Am {day} regnet es.', pass: ['on {Day}']}\n")
    assert [item.source for item in suite] == ["Am Montag regnet es.", "Am Dienstag regnet es."]
    assert suite.items[0].rules[0].value == "on (?:Montag)"


def test_only_chooses_combinations(tmp_path: Path) -> None:
    suite = expanded(tmp_path, BOUGHT + "    only: ['wir brot', ich salz]\n")
    assert [item.id for item in suite] == ["verbs/kauf/ich-salz", "verbs/kauf/wir-brot"]


def test_only_lists_few_of_very_many(tmp_path: Path) -> None:
    """What is listed is made, and the other four billion combinations are not walked through."""
    values = ", ".join(f"v{value}: w{value}" for value in range(40))
    slots = "slots:\n" + "".join(f"  s{slot}: {{{values}}}\n" for slot in range(6))
    template = "templates:\n  - id: t\n    source: '{s0} {s1} {s2} {s3} {s4} {s5}'\n    only: [v1 v2 v3 v4 v5 v39]\n"
    assert [item.source for item in expanded(tmp_path, template, slots)] == ["w1 w2 w3 w4 w5 w39"]


def test_templates_and_items_may_share_a_file(tmp_path: Path) -> None:
    suite = expanded(tmp_path, "items:\n  - {id: plain, source: 'Ein {Wort} in Klammern.'}\n" + BOUGHT)
    assert one(suite, "verbs/plain").source == "Ein {Wort} in Klammern."
    assert len(suite) == 5


@pytest.mark.parametrize(
    "pattern",
    [
        r"a{2,3}",
        r"a{2}",
        r"a{2,}",
        r"\p{Lu}",
        r"\P{Lu}",
        r"[\p{L}\d]{3}",
        r"\N{EM DASH}",
    ],
)
def test_braces_of_a_regular_expression_are_no_slots(tmp_path: Path, pattern: str) -> None:
    suite = expanded(tmp_path, f"templates:\n  - {{id: t, source: 'Am {{day}}.', pass: ['{pattern} {{day}}']}}\n")
    assert suite.items[0].rules[0].value == f"{pattern} (?:Montag)"


@pytest.mark.parametrize(
    ("templates", "line", "problem"),
    [
        ("templates:\n  - {id: t, source: '{Whom.de} {who.de}.'}\n", 4, "no slot 'Whom'; there are: who, what, day"),
        ("templates:\n  - id: t\n    source: '{who.de}.'\n    pass: ['{when}']\n", 6, "no slot 'when'"),
        ("templates:\n  - {id: t, source: '{who.fr}.'}\n", 4, "the value 'ich' has no form 'fr'"),
        ("templates:\n  - {id: t, source: '{who}.'}\n", 4, "the value 'ich' has only named forms"),
        ("templates:\n  - {id: t, source: '{day.de}.'}\n", 4, "the value 'mo' has no form 'de'"),
        ("templates:\n  - {id: t, source: 'Es regnet.'}\n", 4, "the template mentions no slot"),
        ("templates:\n  - id: t\n    source: '{day}.'\n    only: [fr]\n", 6, "'fr' is not a combination of values"),
        ("templates:\n  - id: t\n    source: '{day}.'\n    only: [mo di]\n", 6, "'mo di' is not a combination"),
        ("templates:\n  - id: t\n    source: '{day}.'\n    only: [mo, mo]\n", 6, "the combination 'mo' stands twice"),
        ("templates:\n  - id: t\n    source: '{day}.'\n    only: mo\n", 6, "a list (- …) is expected here"),
        ("templates:\n  - {source: '{day}.'}\n", 4, "'id' is missing"),
        ("items:\n  - {id: a, source: x, only: [mo]}\n", 4, "unknown key 'only'"),
    ],
)
def test_a_slip_in_a_template_is_named_by_line(tmp_path: Path, templates: str, line: int, problem: str) -> None:
    with pytest.raises(BadSuite) as caught:
        expanded(tmp_path, templates)
    assert str(caught.value).startswith(f"{tmp_path / 'garden' / 'verbs.yaml'}:{line}: {problem}")


@pytest.mark.parametrize(
    ("slots", "problem"),
    [
        ("", "templates need slots"),
        ("slots:\n  Day: {mo: Montag}\n", "the slot name 'Day' must be lower-case"),
        ("slots:\n  day: {}\n", "the slot 'day' has no values"),
        ("slots:\n  day: [Montag]\n", "a mapping (key: value) is expected here"),
        ("slots:\n  day: {mo: Montag, mo: Mondtag}\n", "the key 'mo' stands twice"),
        ("slots:\n  day: {mo mi: Montag}\n", "the id 't/mo mi' is blank or has white space"),
    ],
)
def test_a_slip_in_the_slots_is_named(tmp_path: Path, slots: str, problem: str) -> None:
    with pytest.raises(BadSuite) as caught:
        expanded(tmp_path, "templates:\n  - {id: t, source: '{day}.'}\n", slots)
    assert problem in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'garden' / 'verbs.yaml'}:")


def test_two_templates_that_make_the_same_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSuite, match=r"verbs\.yaml:5: the id 't/mo' stands twice \(also line 4\)"):
        expanded(tmp_path, "templates:\n  - {id: t, source: '{day}.'}\n  - {id: t, source: 'Am {day}.'}\n")


def test_a_slot_is_filled_in_wherever_it_counts_as_mentioned(tmp_path: Path) -> None:
    template = "templates:\n  - {id: t, source: 'Am {day}.', tags: ['am-{day}'], notes: 'About {day}.'}\n"
    item = expanded(tmp_path, template).items[0]
    assert (item.tags, item.notes) == (("am-Montag",), "About Montag.")


def test_a_template_that_holds_itself_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSuite, match=r"verbs\.yaml:4"):
        expanded(tmp_path, "templates:\n  - {id: t, source: 'Am {day}.', tags: &tags [x, *tags]}\n")
