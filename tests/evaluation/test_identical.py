"""Systems that wrote the same texts: groups of near-identical ones, and one column for the very same."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from assay.evaluation.evaluation import Evaluation, evaluate
from assay.evaluation.identical import merge_identical, near_identical
from assay.outputs import Collector, Outputs, System
from assay.suites import Item, Rule, Suite, taxonomy_of


def a_suite(size: int) -> Suite:
    items = tuple(Item(f"i{n}", "C", "P", f"Satz {n}.", (Rule("pass", "contains", "text"),)) for n in range(size))
    return Suite("same", "de-en", items, taxonomy_of(items))


def outputs_of(texts: Mapping[str, Sequence[str]]) -> tuple[Suite, Outputs]:
    """System (or NAME@CAMPAIGN) -> its texts, one per item."""
    suite = a_suite(len(next(iter(texts.values()))))
    collector = Collector(suite)
    for system, written in texts.items():
        name, _, campaign = system.partition("@")
        collector.add(System(name, campaign), positions=range(len(suite)), texts=written)
    return suite, collector.outputs()


def writes(size: int, changed: range = range(0), by: str = "") -> list[str]:
    """`text N` everywhere but at the places that are changed."""
    return [f"text {n}{by if n in changed else ''}" for n in range(size)]


def groups(texts: Mapping[str, Sequence[str]]) -> list[tuple[set[str], float]]:
    _, outputs = outputs_of(texts)
    return [
        ({system.name for system in found.systems}, found.share) for found in near_identical(outputs, outputs.found)
    ]


class TestNearIdentical:
    @pytest.mark.parametrize(
        ("changed", "found"),
        [
            (0, [({"A", "B"}, 1.0)]),
            (9, [({"A", "B"}, 0.91)]),
            (10, []),  # exactly 90 % is not more than 90 %
            (60, []),
        ],
    )
    def test_more_than_90_per_cent_is_near(self, changed: int, found: list[tuple[set[str], float]]) -> None:
        assert groups({"A": writes(100), "B": writes(100, range(changed), "!")}) == found

    def test_what_is_joined_by_pairs_is_one_group_with_the_least_share_of_them(self) -> None:
        # A and B differ on 8 of 100, B and C on 5, A and C on 13: A and C are only joined by B.
        texts = {
            "A": writes(100),
            "B": writes(100, range(8), "!"),
            "C": [*writes(100, range(8), "!")[:8], *writes(100, range(8, 13), "?")[8:]],
        }
        assert groups(texts) == [({"A", "B", "C"}, 0.92)]

    def test_two_groups_stay_two(self) -> None:
        texts = {
            "A": writes(100),
            "B": writes(100, range(2), "!"),
            "X": writes(100, range(100), "x"),
            "Y": [*writes(100, range(100), "x")[:96], "a", "b", "c", "d"],
        }
        assert groups(texts) == [({"A", "B"}, 0.98), ({"X", "Y"}, 0.96)]

    def test_two_groups_that_are_joined_late_become_one(self) -> None:
        # The pairs come as A–C, B–D, then C–D: 1 − 6/100, 1 − 5/100 and 1 − 9/100.
        shared = writes(100)
        texts = {
            "A": [*writes(100, range(6), "!")[:50], *shared[50:]],
            "B": [*shared[:50], *writes(100, range(50, 55), "?")[50:91], *writes(100, range(91, 100), "#")[91:]],
            "C": shared,
            "D": [*shared[:91], *writes(100, range(91, 100), "#")[91:]],
        }
        assert groups(texts) == [({"A", "B", "C", "D"}, 0.91)]

    def test_systems_that_differ_are_no_group(self) -> None:
        assert groups({"A": writes(50), "B": writes(50, range(50), "!")}) == []
        assert groups({"A": writes(50)}) == []

    @pytest.mark.parametrize(("changed", "near"), [(299, True), (300, False), (2000, False)])
    def test_a_sample_decides_only_who_is_looked_at(self, changed: int, near: bool) -> None:
        # 3,000 items, of which every fifteenth is in the sample; the share is of all of them.
        places = np.random.default_rng(1).permutation(3000)[:changed].tolist()
        other = [f"text {n}!" if n in set(places) else f"text {n}" for n in range(3000)]
        found = groups({"A": writes(3000), "B": other})
        assert found == ([({"A", "B"}, (3000 - changed) / 3000)] if near else [])

    def test_outputs_that_were_never_paired_are_not_the_same_text(self) -> None:
        suite = a_suite(100)
        collector = Collector(suite)
        collector.add(System("A"), positions=range(50), texts=writes(50))
        collector.add(System("B"), positions=range(50), texts=writes(50, range(50), "!"))
        outputs = collector.outputs()
        assert near_identical(outputs, np.arange(100)) == []

    def test_the_evaluation_names_them(self) -> None:
        suite, outputs = outputs_of({"A": writes(40), "B": writes(40, range(2), "!")})
        [found] = evaluate(suite, outputs).likenesses
        assert ([system.name for system in found.systems], found.share) == (["A", "B"], 0.95)


class TestMerging:
    @staticmethod
    def merged(texts: Mapping[str, Sequence[str]]) -> Evaluation:
        return evaluate(*outputs_of(texts), merge_identical=True)

    def test_the_very_same_become_one_column(self) -> None:
        evaluation = self.merged({"A": writes(30), "B": writes(30, range(30), "!"), "C": writes(30)})
        assert {system.name for system in evaluation.systems} == {"A = C", "B"}
        assert "merge:identical" in evaluation.signature.split("|")

    def test_the_numbers_of_the_others_stay(self) -> None:
        texts = {"A": writes(30), "B": ["wrong", *writes(30)[1:]], "C": writes(30)}
        suite, outputs = outputs_of(texts)
        apart, together = evaluate(suite, outputs).averages()[0], self.merged(texts).averages()[0]
        assert {one.system.name: one.total for one in apart.cells} == {"A": 29, "B": 29, "C": 29}
        assert {one.system.name: one.total for one in together.cells} == {"A = C": 29, "B": 29}

    def test_one_text_more_keeps_them_apart(self) -> None:
        evaluation = self.merged({"A": writes(30), "B": writes(30, range(1), "!")})
        assert {system.name for system in evaluation.systems} == {"A", "B"}

    def test_a_name_in_two_campaigns_stands_once(self) -> None:
        _, outputs = outputs_of({"A@21": writes(30), "A@22": writes(30), "B@22": writes(30)})
        [system] = merge_identical(outputs, outputs.found).systems
        assert (system.name, system.campaign) == ("A = B", "21")

    def test_only_the_items_found_are_compared(self) -> None:
        _, outputs = outputs_of({"A": ["text", "one"], "B": ["text", "two"]})
        assert len(merge_identical(outputs, np.array([0])).systems) == 1
        assert len(merge_identical(outputs, np.array([0, 1])).systems) == 2

    def test_they_are_no_longer_likenesses(self) -> None:
        assert self.merged({"A": writes(30), "B": writes(30)}).likenesses == []
