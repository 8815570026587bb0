"""Examples: each text once with all who wrote it, in the order of the taxonomy."""

import pytest

from assay.errors import UnknownName
from assay.evaluation.examples import find_examples, right_words
from assay.suites import Examples, Item, Rule
from tests.evaluation.tables import drawn

FOUND = drawn({"MWE/Idiom": {"A": "FFP", "B": "FPP", "C": "P?-"}, "Ambiguity/Word": {"A": "F", "B": "P", "C": "P"}})


def shown(**choices: object) -> list[tuple[str, tuple[str, ...]]]:
    return [(found.item.id, found.systems) for found in find_examples(FOUND, **choices)]  # type: ignore[arg-type]


def test_a_text_stands_once_with_all_who_wrote_it() -> None:
    assert shown(verdict="fail") == [("idiom-1", ("B", "A")), ("idiom-2", ("A",)), ("word-1", ("A",))]


def test_those_that_one_system_alone_gets_wrong() -> None:
    assert shown(verdict="fail", only_system="A") == [("idiom-2", ("A",)), ("word-1", ("A",))]


def test_are_chosen_by_row_and_system_and_counted() -> None:
    assert shown(verdict="fail", category="Ambiguity") == [("word-1", ("A",))]
    assert shown(verdict="fail", phenomenon="Idiom", limit=1) == [("idiom-1", ("B", "A"))]
    assert shown(verdict="warning") == [("idiom-2", ("C",)), ("idiom-3", ("C",))]
    assert shown(verdict="fail", systems=["B"]) == [("idiom-1", ("B", "A"))]


@pytest.mark.parametrize("name", ["verdict", "category", "phenomenon", "only_system"])
def test_names_that_nobody_has_are_refused(name: str) -> None:
    with pytest.raises(UnknownName):
        find_examples(FOUND, **{name: "Foo"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rules", "passing", "right"),
    [
        ((Rule("pass", "contains", "sensitive"),), (), "sensitive"),
        ((Rule("pass", "regex", r"\b(sensitive|touchy)\b"),), (), "sensitive"),
        ((Rule("pass", "regex", r"\bsens\w+"),), ("He is sensitive.",), "He is sensitive."),
        ((Rule("pass", "exact", "He is sensitive."),), (), "He is sensitive."),
        ((Rule("fail", "contains", "sensible"),), (), ""),
    ],
)
def test_what_would_have_been_right(rules: tuple[Rule, ...], passing: tuple[str, ...], right: str) -> None:
    assert right_words(Item("i", "c", "p", "Er ist sensibel.", rules, examples=Examples(passing))) == right
