"""The queue of warnings: what a linguist is asked, and in which order."""

from collections.abc import Mapping

from assay.evaluation import evaluate
from assay.outputs import Collector, System
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.verdicts.queue import Priority, Task, priorities, queue

RULES = (Rule("pass", "contains", "right"), Rule("fail", "contains", "wrong"))


def tasks(written: Mapping[str, list[str]], *, keep_all: bool = True) -> list[Task]:
    """Tasks for systems that wrote these texts for the items i1, i2, …"""
    size = len(next(iter(written.values())))
    items = tuple(Item(f"i{n}", "C", "P", f"Satz {n}.", RULES) for n in range(1, size + 1))
    suite = Suite("small", "de-en", items, taxonomy_of(items))
    collector = Collector(suite)
    for name, texts in written.items():
        collector.add(System(name), positions=range(size), texts=texts)
    return queue(evaluate(suite, collector.outputs(), keep_all=keep_all).table)


def brief(found: list[Task]) -> list[tuple[str, str, list[str], int | None]]:
    return [(task.item.id, task.text, [system.name for system in task.systems], task.left) for task in found]


def test_decided_texts_are_not_asked() -> None:
    assert tasks({"A": ["right"], "B": ["wrong"]}) == []


def test_a_text_that_several_systems_wrote_is_asked_once() -> None:
    assert brief(tasks({"A": ["hm"], "B": ["right"], "C": ["hm"]})) == [("i1", "hm", ["A", "C"], 1)]


def test_texts_that_are_normalised_alike_are_asked_once() -> None:
    assert brief(tasks({"A": ["it’s  hm"], "B": ["it's hm "]})) == [("i1", "it's hm", ["A", "B"], 1)]


def test_the_same_text_of_two_items_is_asked_twice() -> None:
    assert [task.item.id for task in tasks({"A": ["hm", "hm"]})] == ["i1", "i2"]


def test_the_reason_is_told() -> None:
    assert [(task.text, task.reason) for task in tasks({"A": ["hm", "right and wrong"]})] == [
        ("hm", "no_match"),
        ("right and wrong", "contradiction"),
    ]


def test_missing_outputs_are_not_asked_and_keep_their_item_to_the_last() -> None:
    found = tasks({"A": ["hm", "hm", "hm"], "B": ["####", "ha", "right"]})
    # i3 is freed by one judgement, i2 by two, i1 by none since B has no output there.
    assert brief(found) == [
        ("i3", "hm", ["A"], 1),
        ("i2", "ha", ["B"], 2),
        ("i2", "hm", ["A"], 2),
        ("i1", "hm", ["A"], None),
    ]


def test_within_an_item_the_text_of_most_systems_comes_first() -> None:
    found = tasks({"A": ["aa"], "B": ["zz"], "C": ["zz"]})
    assert [(task.text, len(task.systems)) for task in found] == [("zz", 2), ("aa", 1)]


def test_items_with_as_many_open_texts_keep_the_order_of_the_suite() -> None:
    assert [task.item.id for task in tasks({"A": ["z", "y", "x"]})] == ["i1", "i2", "i3"]


def test_systems_that_are_left_out_are_not_asked_about() -> None:
    written = {"A": [f"right {n}" for n in range(30)], "Lazy": ["hm"] * 30}
    assert tasks(written, keep_all=False) == []
    assert len(tasks(written)) == 30


def test_what_frees_most_comparisons_comes_first_then_what_takes_least_work() -> None:
    # Two campaigns, in each of which an item counts once all its texts are decided.
    found = priorities([{"a": True, "b": True}, {"b": True}, {"c": True, "": False}])
    assert found == {"a": Priority(0, 2), "b": Priority(1, 1), "c": Priority(0, None)}
    ranks = {text: priority.rank(place=0, systems=1, tie=text) for text, priority in found.items()}
    assert sorted(ranks, key=ranks.__getitem__) == ["b", "a", "c"]


def test_what_is_left_is_that_of_the_comparison_with_the_least_work() -> None:
    assert priorities([{"a": True, "b": True, "c": True}, {"a": True, "d": True}])["a"] == Priority(0, 2)
    assert priorities([{"a": True, "": False}, {"a": True, "b": True}])["a"] == Priority(0, 2)
