"""Whose lead is certain: tables worked by hand, and all ways in which the warnings of a small table could be judged."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.evaluation.evaluation import Evaluation, evaluate
from assay.evaluation.tally import freed
from assay.evaluation.undecided import Rival, Standing
from assay.outputs import Collector, System
from assay.suites import Item, Rule, Suite, taxonomy_of
from tests.evaluation.tables import Drawing, drawn, suite_and_outputs


def standing(evaluation: Evaluation, level: str = "micro", category: str | None = None) -> Standing:
    [found] = [
        one for one in evaluation.standings if (one.level, one.category, one.phenomenon) == (level, category, None)
    ]
    return found


def of(drawing: Drawing, level: str = "micro", category: str | None = None) -> Standing:
    return standing(drawn(drawing, policy="strict"), level, category)


def rivals(found: Standing) -> dict[str, Rival]:
    return {rival.system.name: rival for rival in found.rivals}


# In drawings ? and ! are two different texts without a verdict; two systems with ? on an item wrote the same text.
class TestByHand:
    def test_a_lead_of_more_than_the_open_texts_is_certain(self) -> None:  # 3 passes against 1 and one open
        found = of({"A/W": {"Lead": "PPPF", "Other": "PF?F"}})
        assert (found.leader.name, found.certain) == ("Lead", True)

    def test_who_could_pass_the_leader_is_a_rival(self) -> None:
        # 3 against 1 with three open: lead 2, reach 3. Two that fail leave 1 + 1 = 2 < 3; three settle it in any case.
        found = of({"A/W": {"Lead": "PPPFF", "Other": "PF???"}})
        assert rivals(found) == {"Other": Rival(System("Other"), lead=2, reach=3, fewest=2, always=3)}
        assert not found.certain

    def test_who_could_draw_level_is_a_rival_too(self) -> None:  # lead 2, reach 2: one that fails is enough
        assert rivals(of({"A/W": {"Lead": "PPFF", "Other": "FF??"}}))["Other"] == rival(2, 2, 1, 2)

    def test_the_leaders_own_open_texts_help_it(self) -> None:
        # Level, each with one open text. If the leader's passes and the other's fails it is ahead: 1 is not enough
        # (level at worst), 2 are.
        assert rivals(of({"A/W": {"Lead": "PF?F", "Other": "PFF?"}}))["Other"] == rival(0, 1, 2, 2)

    def test_level_with_nothing_open_they_share_the_lead(self) -> None:
        found = of({"A/W": {"Lead": "PPF", "Other": "FPP"}})
        assert (found.leader.name, found.certain) == ("Lead", True)

    def test_level_and_only_the_other_has_something_open(self) -> None:  # it can pass, or stay level: never behind
        assert rivals(of({"A/W": {"Lead": "PF", "Other": "P?"}}))["Other"] == rival(0, 1, None, 1)

    def test_level_and_only_the_leader_has_something_open(self) -> None:  # one that passes makes it certain
        assert rivals(of({"A/W": {"Lead": "P?", "Other": "PF"}}))["Other"] == rival(0, 0, 1, 1)

    def test_a_text_that_both_wrote_moves_both(self) -> None:
        assert of({"A/W": {"Lead": "PP???", "Other": "PF???"}}).certain
        assert not of({"A/W": {"Lead": "PP!!!", "Other": "PF???"}}).certain

    def test_texts_that_differ_in_spaces_only_are_judged_together(self) -> None:
        # `warnings` lists them once and one judgement settles both; docs/reference/counting.md: white space is folded.
        items = tuple(
            Item(
                name, "A", "W", f"Satz {name}.", (Rule("pass", "contains", "right"), Rule("fail", "contains", "wrong"))
            )
            for name in "ab"
        )
        suite = Suite("spaces", "de-en", items, taxonomy_of(items))
        collector = Collector(suite)
        collector.add(System("Lead"), positions=[0, 1], texts=["right", "who knows"])
        collector.add(System("Other"), positions=[0, 1], texts=["wrong", "who  knows"])
        assert standing(evaluate(suite, collector.outputs(), policy="strict")).certain

    def test_a_missing_output_cannot_be_judged(self) -> None:  # `warnings` does not list it, so it never passes
        assert of({"A/W": {"Lead": "PP", "Other": "P-"}}).certain
        assert rivals(of({"A/W": {"Lead": "PPF", "Other": "P-?"}}))["Other"] == rival(1, 1, 1, 1)

    def test_each_row_has_its_own_leader(self) -> None:
        drawing = {"A/W": {"One": "PPP", "Two": "FFF"}, "B/I": {"One": "FF", "Two": "P?"}}
        names = {(one.level, one.category): (one.leader.name, one.certain) for one in drawn(drawing).standings}
        assert names == {
            ("category", "A"): ("One", True),
            ("category", "B"): ("Two", True),
            ("phenomenon", "A"): ("One", True),
            ("phenomenon", "B"): ("Two", True),
            ("micro", None): ("One", True),  # 3 against 1 and one open
            ("category_macro", None): ("One", False),  # (1 + 0)/2 against (0 + 1/2)/2 and 1/4 open
            ("phenomenon_macro", None): ("One", False),
        }

    def test_a_macro_weighs_items_by_the_size_of_their_category(self) -> None:
        # An item of A (4 items) weighs 1/8, one of B (2) 1/4. Lead 3/8 + 1/4 = 5/8, Other 1/4, lead 3/8; Other's open
        # texts weigh 1/8 + 1/8 + 1/4 = 1/2 > 3/8. Slack 1/8: the heaviest (1/4) that fails is enough.
        drawing = {"A/W": {"Lead": "PPPF", "Other": "FF??"}, "B/I": {"Lead": "PF", "Other": "P?"}}
        other = rivals(of(drawing, "category_macro"))["Other"]
        assert (other.lead, other.reach) == pytest.approx((3 / 8, 1 / 2))
        assert (other.fewest, other.always) == (1, 3)
        # Micro: 4 against 1, three open, slack 0: one that fails.
        assert rivals(of(drawing))["Other"] == rival(3, 3, 1, 3)

    def test_rows_without_items_have_no_standing(self) -> None:
        suite, outputs = suite_and_outputs({"A/W": {"One": "PF"}})
        wide = Suite(suite.name, suite.langpair, suite.items, {**suite.taxonomy, "B": {"I": ""}})
        assert [(one.level, one.category) for one in evaluate(wide, outputs).standings] == [
            ("category", "A"),
            ("phenomenon", "A"),
            ("micro", None),
            ("category_macro", None),
            ("phenomenon_macro", None),
        ]

    def test_it_does_not_depend_on_the_policy(self) -> None:
        drawing = {"A/W": {"Lead": "PPPFF", "Other": "PF???"}}
        strict, fair = drawn(drawing, policy="strict"), drawn(drawing)
        assert strict.standings == fair.standings


# All resolutions of a small table

Text = tuple[str, int, str]
"""Phenomenon, place, and ? or !: what one judgement decides."""
Weight = Callable[[str], Fraction]


def rival(lead: float, reach: float, fewest: int | None, always: int) -> Rival:
    return Rival(System("Other"), lead, reach, fewest, always)


class World(NamedTuple):
    """Texts without a verdict, and the score of a system once they are judged."""

    drawing: Mapping[str, Mapping[str, str]]
    weight: Weight

    def score(self, system: str, judged: Mapping[Text, bool]) -> Fraction:
        total = Fraction(0)
        for name, systems in self.drawing.items():
            for place, mark in enumerate(systems[system]):
                total += self.weight(name) * (mark == "P" or judged.get((name, place, mark), False))
        return total

    def texts(self, *systems: str) -> list[Text]:
        found = {
            (name, place, mark)
            for name, marks in self.drawing.items()
            for system in systems
            for place, mark in enumerate(marks[system])
            if mark in "?!"
        }
        return sorted(found)

    def lead(self, first: str, second: str, judged: Mapping[Text, bool]) -> Fraction:
        return self.score(first, judged) - self.score(second, judged)


def resolutions(texts: list[Text]) -> Iterator[dict[Text, bool]]:
    for verdicts in product([False, True], repeat=len(texts)):
        yield dict(zip(texts, verdicts, strict=True))


def fewest(world: World, leader: str, rival: str) -> int | None:
    """The smallest number of texts that, judged well, put the leader ahead whatever becomes of the rest."""
    texts = world.texts(leader, rival)
    for number in range(1, len(texts) + 1):
        for chosen in combinations(texts, number):
            rest = [text for text in texts if text not in chosen]
            for judged in resolutions(list(chosen)):
                if all(world.lead(leader, rival, judged | later) > 0 for later in resolutions(rest)):
                    return number
    return None


def decisive(world: World, leader: str, rival: str) -> int:
    """The texts on whose verdict the difference of the two depends."""
    return sum(
        world.lead(leader, rival, {text: True}) != world.lead(leader, rival, {}) for text in world.texts(leader, rival)
    )


def worlds(drawing: Drawing) -> dict[tuple[str, str | None], World]:
    """What the rows are: their phenomena, and what an item of each weighs."""
    categories = {name.split("/")[0] for name in drawing}
    size = {name: len(systems["A"]) for name, systems in drawing.items()}
    of_category = {
        category: sum(number for name, number in size.items() if name.startswith(f"{category}/"))
        for category in categories
    }
    found: dict[tuple[str, str | None], World] = {
        ("micro", None): World(drawing, lambda name: Fraction(1)),
        ("category_macro", None): World(
            drawing, lambda name: Fraction(1, len(categories) * of_category[name.split("/")[0]])
        ),
        ("phenomenon_macro", None): World(drawing, lambda name: Fraction(1, len(drawing) * size[name])),
    }
    for category in categories:
        part = {name: systems for name, systems in drawing.items() if name.startswith(f"{category}/")}
        found["category", category] = World(part, lambda name: Fraction(1))
    return found


def tables(systems: str = "ABC", most: int = 3) -> st.SearchStrategy[Drawing]:
    def marks(size: int) -> st.SearchStrategy[dict[str, str]]:
        return st.fixed_dictionaries({system: st.text("PF?!", min_size=size, max_size=size) for system in systems})

    def sized(sizes: list[int]) -> st.SearchStrategy[Drawing]:
        places = ("X/v", "X/w", "Y/i")[: len(sizes)]
        return st.fixed_dictionaries(dict(zip(places, map(marks, sizes), strict=True)))

    return st.lists(st.integers(1, most), min_size=1, max_size=3).flatmap(sized)


class TestAllResolutions:
    @given(tables())
    @settings(max_examples=60)
    def test_a_certain_leader_is_never_caught_and_a_rival_can_catch_it(self, drawing: Drawing) -> None:
        everything = worlds(drawing)
        assume(all(len(world.texts("A", "B", "C")) <= 9 for world in everything.values()))
        evaluation = drawn(drawing, policy="strict", keep_all=True)
        for (level, category), world in everything.items():
            found = standing(evaluation, level, category)
            leader = found.leader.name
            for other in {"A", "B", "C"} - {leader}:
                leads = [world.lead(leader, other, judged) for judged in resolutions(world.texts(leader, other))]
                if other in rivals(found):
                    assert min(leads) <= 0
                else:
                    assert min(leads) > 0 or set(leads) == {0}  # or level for good

    @given(tables("AB", most=2))
    @settings(max_examples=60)
    def test_fewest_is_the_smallest_number_and_always_all_that_matter(self, drawing: Drawing) -> None:
        everything = worlds(drawing)
        assume(all(len(world.texts("A", "B")) <= 6 for world in everything.values()))
        evaluation = drawn(drawing, policy="strict", keep_all=True)
        for (level, category), world in everything.items():
            found = standing(evaluation, level, category)
            for name, rival in rivals(found).items():
                assert rival.fewest == fewest(world, found.leader.name, name)
                assert rival.always == decisive(world, found.leader.name, name)
                assert rival.lead == pytest.approx(float(world.lead(found.leader.name, name, {})))

    @given(tables())
    def test_the_leader_has_the_most_passes(self, drawing: Drawing) -> None:
        evaluation = drawn(drawing, policy="strict", keep_all=True)
        for (level, category), world in worlds(drawing).items():
            best = max(world.score(system, {}) for system in "ABC")
            assert world.score(standing(evaluation, level, category).leader.name, {}) == best


class TestFreed:
    def test_items_by_the_judgements_they_need(self) -> None:
        # Item 1: one text of one system. 2: the same text of both. 3: two texts. 4: nothing. 5: an output is missing.
        evaluation = drawn({"A/W": {"A": "??!P-", "B": "P??F?"}})
        assert freed(evaluation.table) == {1: 2, 2: 1}

    def test_where_it_is_known_which_texts_are_the_same_nobody_compares_them(self) -> None:
        table = drawn({"A/W": {"A": "?!", "B": "!?"}}).table
        assert freed(table) == {2: 2}
        known = replace(table.outputs, numbers=np.array([7, 8, 7, 9]))
        assert len(known.texts) == 4
        assert freed(replace(table, outputs=known)) == {1: 1, 2: 1}

    def test_where_nothing_is_open_nothing_is_to_be_freed(self) -> None:
        assert freed(drawn({"A/W": {"A": "PF-", "B": "FP-"}}).table) == {}

    def test_judging_so_many_frees_so_many(self) -> None:
        # 3 items count; with one judgement each two more would, with two judgements another.
        before, after = {"A/W": {"A": "??!PPP", "B": "P??FFF"}}, {"A/W": {"A": "PF!PPP", "B": "PF?FFF"}}
        assert drawn(before).items_counted == 3
        assert freed(drawn(before).table)[1] == drawn(after).items_counted - 3
