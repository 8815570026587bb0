"""Other names for categories and phenomena."""

from dataclasses import replace
from pathlib import Path

import pytest

from assay.errors import BadOption, BadSuite, UnknownName
from assay.outputs.aliases import read_aliases, rename, rename_systems
from assay.outputs.outputs import Collector, Outputs, System
from tests.suites.building import a_suite, an_item

SUITE = a_suite(
    an_item("a"),
    replace(an_item("b"), category="Negaton", phenomenon="Negation"),
    replace(an_item("c"), category="Negation", phenomenon="Negation"),
)


def test_names_are_replaced_in_items_and_taxonomy() -> None:
    suite = rename(SUITE, {"categories": {"Ambiguity": "Words"}, "phenomena": {"Lexical ambiguity": "Senses"}})
    assert (suite.items[0].category, suite.items[0].phenomenon) == ("Words", "Senses")
    assert suite.phenomena == [("Words", "Senses"), ("Negaton", "Negation"), ("Negation", "Negation")]


def test_two_categories_may_become_one() -> None:
    suite = rename(SUITE, {"categories": {"Negaton": "Negation"}})
    assert suite.phenomena == [("Ambiguity", "Lexical ambiguity"), ("Negation", "Negation")]
    assert [item.category for item in suite] == ["Ambiguity", "Negation", "Negation"]


def test_no_aliases_change_nothing() -> None:
    assert rename(SUITE, {}) == SUITE


@pytest.mark.parametrize(("level", "kind"), [("categories", "category"), ("phenomena", "phenomenon")])
def test_an_alias_for_a_name_that_is_not_there_is_refused(level: str, kind: str) -> None:
    with pytest.raises(UnknownName, match=f"no {kind} 'Rhyme'"):
        rename(SUITE, {level: {"Rhyme": "Reim"}})


def test_an_alias_file_has_three_levels(tmp_path: Path) -> None:
    file = tmp_path / "aliases.yaml"
    file.write_text("categories: {No: Negation}\nphenomena:\n  on: off\nsystems: {1.10: One}\n", encoding="utf-8")
    assert read_aliases(file) == {
        "categories": {"No": "Negation"},
        "phenomena": {"on": "off"},
        "systems": {"1.10": "One"},
    }


def outputs(*systems: System) -> Outputs:
    collector = Collector(SUITE)
    for system in systems:
        collector.add(system, positions=[0], texts=[system.name])
    return collector.outputs()


def test_systems_are_renamed_in_every_campaign() -> None:
    found = rename_systems(outputs(System("A", "W1"), System("A", "W2"), System("B", "W1")), {"systems": {"A": "Z"}})
    assert found.systems == (System("Z", "W1"), System("Z", "W2"), System("B", "W1"))
    assert found.text(0, 0) == "A"


def test_two_systems_may_swap_their_names() -> None:
    found = rename_systems(outputs(System("A"), System("B")), {"systems": {"A": "B", "B": "A"}})
    assert [system.name for system in found.systems] == ["B", "A"]


@pytest.mark.parametrize(
    ("aliases", "message"),
    [({"C": "X"}, "no system 'C'; there are: A, B"), ({"A": "B"}, "the name 'B' to two systems")],
)
def test_a_slip_in_the_names_of_systems_is_refused(aliases: dict[str, str], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        rename_systems(outputs(System("A"), System("B")), {"systems": aliases})


def test_a_slip_in_an_alias_file_is_named_by_line(tmp_path: Path) -> None:
    file = tmp_path / "aliases.yaml"
    file.write_text("categories: {a: b}\ncategory: {a: b}\n", encoding="utf-8")
    with pytest.raises(BadSuite, match=r"aliases\.yaml:2: unknown key 'category'"):
        read_aliases(file)
