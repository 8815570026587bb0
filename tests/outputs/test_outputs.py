"""Outputs: each distinct text of an item kept once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadOption
from assay.outputs.outputs import Collector, System
from assay.suites import Item, Suite, taxonomy_of

ITEMS = tuple(Item(f"i{number}", "C", "P", f"Satz {number}.") for number in range(3))
SUITE = Suite("garden", "de-en", ITEMS, taxonomy_of(ITEMS))


def test_a_text_that_two_systems_wrote_for_an_item_is_kept_once() -> None:
    collector = Collector(SUITE)
    collector.add(System("A"), positions=[0, 1], texts=["same", "one"])
    collector.add(System("B"), positions=[0, 1], texts=["same", "two"])
    outputs = collector.outputs()
    assert outputs.texts == ("same", "one", "two")
    assert outputs.owners.tolist() == [0, 1, 1]
    assert outputs.codes.tolist() == [[0, 0], [1, 2], [-1, -1]]


def test_the_same_text_of_two_items_is_two_texts() -> None:
    collector = Collector(SUITE)
    collector.add(System("A"), positions=[0, 1], texts=["same", "same"])
    assert collector.outputs().texts == ("same", "same")
    assert collector.outputs().owners.tolist() == [0, 1]


def test_items_that_nobody_translated_are_not_found() -> None:
    collector = Collector(SUITE)
    collector.add(System("A"), positions=[2], texts=["x"])
    collector.add(System("B"), positions=[1], texts=[""])
    outputs = collector.outputs()
    assert outputs.found.tolist() == [1, 2]
    assert (outputs.text(2, 0), outputs.text(1, 1), outputs.text(0, 0)) == ("x", "", "")


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (System("A"), "system 'A' is given twice"),
        (System("A", file="b/A.txt"), "b/A.txt: system 'A' is given twice"),
        (System("A", metadata={"group": "online"}), "system 'A' is given twice"),
    ],
)
def test_a_system_given_twice_is_refused(system: System, message: str) -> None:
    collector = Collector(SUITE)
    collector.add(System("A", file="a/A.txt"), positions=[0], texts=["x"])
    with pytest.raises(BadOption) as caught:
        collector.add(system, positions=[0], texts=["y"])
    assert message in str(caught.value)


def test_one_name_in_two_campaigns_is_two_systems() -> None:
    collector = Collector(SUITE)
    collector.add(System("A", "W1"), positions=[0], texts=["x"])
    collector.add(System("A", "W2"), positions=[0], texts=["y"])
    assert collector.outputs().systems == (System("A", "W1"), System("A", "W2"))


def test_a_system_without_any_output_is_a_column_of_nothing() -> None:
    collector = Collector(SUITE)
    collector.add(System("A"), positions=[], texts=[])
    assert collector.outputs().codes.tolist() == [[-1], [-1], [-1]]
    assert collector.outputs().found.tolist() == []


def test_nothing_gathered_is_no_system() -> None:
    outputs = Collector(SUITE).outputs()
    assert (outputs.systems, outputs.codes.shape) == ((), (3, 0))


def test_texts_and_positions_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="zip"):
        Collector(SUITE).add(System("A"), positions=[0, 1], texts=["x"])


def test_some_systems_can_be_selected_in_another_order() -> None:
    collector = Collector(SUITE)
    for name in "ABC":
        collector.add(System(name), positions=[0], texts=[name.lower()])
    chosen = collector.outputs().select([2, 0])
    assert [system.name for system in chosen.systems] == ["C", "A"]
    assert [chosen.text(0, 0), chosen.text(0, 1)] == ["c", "a"]


@given(st.lists(st.lists(st.sampled_from(["x", "y", "z", ""]), min_size=3, max_size=3), min_size=1, max_size=5))
def test_every_system_gets_its_own_texts_back(columns: list[list[str]]) -> None:
    collector = Collector(SUITE)
    for number, texts in enumerate(columns):
        collector.add(System(str(number)), positions=[0, 1, 2], texts=texts)
    outputs = collector.outputs()
    assert [[outputs.text(item, column) for item in range(3)] for column in range(len(columns))] == columns
    assert len(outputs.texts) == sum(len({texts[item] for texts in columns}) for item in range(3))
