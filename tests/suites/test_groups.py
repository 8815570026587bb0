"""Groups, labels and rubrics in files: read, refused, written back."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadSuite
from assay.suites import Item, Label, Rule, Suite, load_suite, losses, save_suite, taxonomy_of
from assay.verdicts.lint import lint
from tests.conftest import Refused, Run

MANIFEST = "name: pairs\nlangpair: en-de\ncategories:\n  Gender:\n    Noun: A noun.\n"
HEAD = "category: Gender\nphenomenon: Noun\n"

NURSE = """\
items:
  - id: she
    source: The nurse came. She was late.
    group: nurse
    renderings: differ
    rubric: Is the nurse a woman?
    pass: [Schwester]
    fail: [Pfleger]
    labels:
      feminine: [Schwester, {contains: Pflegerin}]
      masculine: ['Pfleger\\b']
  - id: he
    source: The nurse came. He was late.
    group: nurse
    pass: [Pfleger]
    fail: [Schwester]
"""


def folder(tmp_path: Path, text: str) -> Path:
    (tmp_path / "suite.yaml").write_text(MANIFEST)
    (tmp_path / "noun.yaml").write_text(HEAD + text)
    return tmp_path


def test_what_an_item_says(tmp_path: Path) -> None:
    she, he = load_suite(folder(tmp_path, NURSE)).items
    assert (she.group, she.independent, she.renderings) == ("noun/nurse", True, "differ")
    assert (he.group, he.renderings) == ("noun/nurse", "")
    assert she.rubric == "Is the nurse a woman?"
    assert she.labels == (
        Label("feminine", (Rule("pass", "regex", "Schwester"), Rule("pass", "contains", "Pflegerin"))),
        Label("masculine", (Rule("pass", "regex", r"Pfleger\b"),)),
    )


def test_templates_name_groups_by_the_keys_of_slots(tmp_path: Path) -> None:
    text = """\
group: '{scene}'
independent: false
templates:
  - id: past
    source: '{Scene.en} {when}.'
    pass: ['{scene.de}']
  - id: own
    source: 'Now {scene.en}.'
    group: '{scene}-now'
    pass: ['{scene.de}']
slots:
  scene: {rain: {en: it rained, de: Regen}, snow: {en: it snowed, de: Schnee}}
  when: {once: yesterday, twice: last week}
"""
    items = load_suite(folder(tmp_path, text)).items
    assert {item.id: item.group for item in items} == {
        "noun/past/rain-once": "noun/rain",
        "noun/past/rain-twice": "noun/rain",
        "noun/past/snow-once": "noun/snow",
        "noun/past/snow-twice": "noun/snow",
        "noun/own/rain": "noun/rain-now",
        "noun/own/snow": "noun/snow-now",
    }
    assert not any(item.independent for item in items)


ITEM = "items:\n  - id: a\n    source: The nurse came.\n    pass: [x]\n"
TWO = ITEM + "    group: g\n{first}  - id: b\n    source: The cook came.\n    pass: [x]\n    group: g\n{second}"


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (ITEM + "    group: two words\n", 7, "the group 'two words' has white space"),
        (ITEM + "    independent: false\n", 7, "'independent' without a group; name the group"),
        (ITEM + "    renderings: differ\n", 7, "'renderings' without a group"),
        (ITEM + "    group: g\n    renderings: other\n", 8, "renderings is 'other'; write same or differ"),
        (ITEM + "    group: g\n    independent: maybe\n", 8, "'independent' is true or false, not 'maybe'"),
        (ITEM + "    group: g\n    independent: false\n    renderings: same\n", 9, "remove one of the two"),
        (ITEM + "    groop: g\n", 7, "unknown key 'groop'; did you mean 'group'?"),
        ("group: g\n" + ITEM, 3, "group at the top of a file is for templates; write it in the items"),
        (
            TWO.format(first="    renderings: same\n", second="    renderings: differ\n"),
            9,
            "item 'noun/b' and item 'noun/a' of the group 'noun/g' contradict each other: renderings",
        ),
        (TWO.format(first="", second="    independent: false\n"), 8, "contradict each other: independent"),
        (ITEM + "    labels: {m: [x]}\n", 7, "labels tell two or more renderings apart"),
        (ITEM + "    labels: {m: [x], f: []}\n", 7, "the label 'f' has no rules; write one, or remove it"),
        (ITEM + "    labels: {m: [x], f: [{exact: y, by: Ada}]}\n", 7, "has an author or a date"),
        ("templates:\n  - id: t\n    source: '{a}'\n    group: '{b}'\nslots: {a: {k: v}}\n", 6, "no slot 'b' of the"),
    ],
)
def test_what_cannot_be_names_its_place_and_cure(tmp_path: Path, text: str, line: int, problem: str) -> None:
    with pytest.raises(BadSuite) as error:
        load_suite(folder(tmp_path, text))
    assert f"noun.yaml:{line}: " in str(error.value)
    assert problem in str(error.value)


def test_a_bad_group_is_one_line(tmp_path: Path, refused: Refused) -> None:
    said = refused("suite", "stats", folder(tmp_path, ITEM + "    group: two words\n"))
    assert "noun.yaml:7: the group 'two words' has white space; write it like this: nurse-1" in said


def test_lint_names_groups_of_one_and_labels_that_overlap(tmp_path: Path) -> None:
    text = NURSE.replace("  - id: he", "    examples: {pass: [Die Schwester Pfleger]}\n  - id: he").replace(
        "    group: nurse\n    pass: [Pfleger]", "    group: other\n    pass: [Pfleger]"
    )
    found = {(problem.code, problem.item) for problem in lint(load_suite(folder(tmp_path, text)))}
    assert {("group-of-one", "noun/she"), ("group-of-one", "noun/he"), ("labels-overlap", "noun/she")} <= found


def test_explain_says_group_question_and_label(tmp_path: Path, assay: Run) -> None:
    (tmp_path / "texts.tsv").write_text("item\ttext\nnoun/she\tEin Pfleger kam.\nnoun/he\tJemand kam.\n")
    said = assay("explain", folder(tmp_path, NURSE), tmp_path / "texts.tsv", "--item", "noun/she").stdout
    assert "rubric:  Is the nurse a woman?\ngroup:   noun/nurse (right only together)\n" in said
    assert "    label: masculine\n" in said


def test_items_that_share_material_may_be_alone(tmp_path: Path) -> None:
    suite = load_suite(folder(tmp_path, ITEM + "    group: g\n    independent: false\n"))
    assert "group-of-one" not in {problem.code for problem in lint(suite)}


def test_labels_need_no_rules_beside_them(tmp_path: Path) -> None:
    suite = load_suite(folder(tmp_path, "items:\n  - id: a\n    source: x y\n    labels: {m: [x], f: [z]}\n"))
    assert not suite.items[0].is_judged
    assert "no-rules" not in {problem.code for problem in lint(suite)}


def test_other_formats_say_what_they_lose(tmp_path: Path) -> None:
    suite = load_suite(folder(tmp_path, NURSE))
    assert {"2 × members of groups", "2 × labels", "1 × rubrics"} <= set(losses(suite, tmp_path / "items.json"))


def test_what_is_used_is_hashed_but_for_rubrics(tmp_path: Path) -> None:
    plain = load_suite(folder(tmp_path, ITEM)).hash
    same = ITEM + "    rubric: Is it?\n"
    assert load_suite(folder(tmp_path, same)).hash == plain
    for more in ("    group: g\n", "    group: h\n", "    labels: {m: [x], f: [z]}\n"):
        assert load_suite(folder(tmp_path, ITEM + more)).hash != plain


words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=8)
rules = st.builds(
    Rule, st.just("pass"), st.sampled_from(["contains", "exact"]), st.text("äbc.*:#'\" -", min_size=1).filter(str.strip)
)
labels = st.lists(
    st.builds(Label, words, st.lists(rules, min_size=1, max_size=3).map(tuple)),
    min_size=2,
    max_size=3,
    unique_by=lambda label: label.name,
).map(tuple)


@given(
    group=words,
    independent=st.booleans(),
    labels=st.just(()) | labels,
    rubric=st.text("ab?\n :#'\"", max_size=12),
    plain=st.booleans(),
)
def test_a_suite_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory,
    group: str,
    independent: bool,
    labels: tuple[Label, ...],
    rubric: str,
    plain: bool,
) -> None:
    stem = "" if plain else "noun/"
    items = tuple(
        Item(
            f"{stem}{name}",
            "Gender",
            "Noun",
            "A source.",
            (Rule("pass", "regex", "x"),),
            group=f"{stem}{group}",
            independent=independent,
            renderings="same" if independent else "",
            labels=labels,
            rubric=rubric,
        )
        for name in ("a", "b")
    )
    suite = Suite("pairs", "en-de", items, taxonomy_of(items))
    path = tmp_path_factory.mktemp("suite") / "written"
    save_suite(suite, path)
    back = load_suite(path)
    assert back.items == suite.items
    assert back.hash == suite.hash
