"""Bootstrap and randomisation against plain enumeration of every draw, and against a slow reference where there are
too many. The reference works with fractions and knows nothing of arrays, blocks or signs."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from assay.stats.paired import mcnemar
from assay.stats.proportions import Floats
from assay.stats.resampling import BLOCK, Layout, bootstrap, randomization

# `group/stratum` -> a string per system; P is right, F is wrong, ? does not count for that system.
Case = Mapping[str, Sequence[str]]
Item = tuple[str, str]
"""Stratum, and a mark per system."""
Share = Fraction | None
Draw = Callable[..., Floats]

# The reference


def items_of(case: Case) -> list[Item]:
    return [(stratum, "".join(marks)) for stratum, systems in case.items() for marks in zip(*systems, strict=True)]


def accuracy(items: Iterable[Item], system: int) -> Share:
    marks = [marks[system] for _, marks in items if marks[system] != "?"]
    return Fraction(marks.count("P"), len(marks)) if marks else None


def cells(case: Case) -> list[Callable[[Item], bool]]:
    """Who belongs to a row: strata, then groups, then everything."""
    groups = dict.fromkeys(name.partition("/")[0] for name in case)
    return [
        *(lambda item, name=name: item[0] == name for name in case),
        *(lambda item, name=name: item[0].startswith(f"{name}/") for name in groups),
        lambda item: True,
    ]


def differences(case: Case, drawn: Sequence[Item], first: int, second: int) -> list[Share]:
    """First minus second in every row: strata, groups, everything, mean over groups, mean over strata.

    The means are over the cells in which every system has something that counts; a cell in which one of the two has
    nothing in this draw is dropped.
    """
    everybody = range(len(next(iter(case.values()))))
    found: list[Share] = []
    complete = []
    for member in cells(case):
        chosen = [item for item in drawn if member(item)]
        one, other = accuracy(chosen, first), accuracy(chosen, second)
        found.append(None if one is None or other is None else one - other)
        original = [item for item in items_of(case) if member(item)]
        complete.append(all(accuracy(original, system) is not None for system in everybody))

    def mean(rows: range) -> Share:
        values = [value for row in rows if complete[row] and (value := found[row]) is not None]
        return sum(values, Fraction(0)) / len(values) if values else None

    strata = len(case)
    return [*found, mean(range(strata, len(found) - 1)), mean(range(strata))]


def every_sample(case: Case) -> Iterator[list[Item]]:
    """All ways to draw the items of each stratum with replacement; they are equally likely."""
    strata = [[item for item in items_of(case) if item[0] == name] for name in case]
    for choice in product(*(product(stratum, repeat=len(stratum)) for stratum in strata)):
        yield [item for stratum in choice for item in stratum]


def some_samples(case: Case, draws: int, seed: int) -> Iterator[list[Item]]:
    chance = random.Random(seed)
    strata = [[item for item in items_of(case) if item[0] == name] for name in case]
    for _ in range(draws):
        yield [chance.choice(stratum) for stratum in strata for _ in stratum]


def share_not_better(case: Case, samples: Iterable[list[Item]], second: int) -> list[float]:
    """Per row the share of samples in which system 0 is not better than `second`; undefined is not better."""
    found = [differences(case, sample, 0, second) for sample in samples]
    return [sum(value is None or value <= 0 for value in row) / len(found) for row in zip(*found, strict=True)]


def share_as_large(case: Case, second: int) -> list[float | None]:
    """Per row the share of all 2^n swaps of systems 0 and `second` with a difference at least as large."""
    items = items_of(case)
    observed = differences(case, items, 0, second)
    counts = [0] * len(observed)
    for swaps in product([False, True], repeat=len(items)):
        drawn = [
            (name, _swap(marks, second) if swap else marks) for (name, marks), swap in zip(items, swaps, strict=True)
        ]
        for row, (value, limit) in enumerate(zip(differences(case, drawn, 0, second), observed, strict=True)):
            counts[row] += value is None or limit is None or value >= limit
    return [None if value is None else count / 2 ** len(items) for value, count in zip(observed, counts, strict=True)]


def _swap(marks: str, second: int) -> str:
    changed = list(marks)
    changed[0], changed[second] = changed[second], changed[0]
    return "".join(changed)


# What is tested


def layout_of(case: Case) -> Layout:
    marks = np.array([list(marks) for _, marks in items_of(case)])
    names = list(case)
    groups = list(dict.fromkeys(name.partition("/")[0] for name in names))
    return Layout(
        marks == "P",
        marks != "?",
        np.array([names.index(name) for name, _ in items_of(case)], dtype=np.intp),
        np.array([groups.index(name.partition("/")[0]) for name in names], dtype=np.intp),
    )


def leading(layout: Layout, *systems: int) -> NDArray[np.bool_]:
    """These systems as leaders of every row."""
    leaders = np.zeros((layout.rows, layout.systems), dtype=bool)
    leaders[:, systems] = True
    return leaders


def p_of(draw: Draw, case: Case, *, draws: int = 4000, seed: int = 7, leader: int = 0) -> Floats:
    layout = layout_of(case)
    return draw(layout, leading(layout, leader), draws=draws, seed=seed)


def assert_close(estimate: Floats, exact: Sequence[float | None], draws: int, *, more: int = 0) -> None:
    """Within four standard errors of a share of so many draws (and of `more`, where the exact one is an estimate)."""
    for row, (ours, expected) in enumerate(zip(estimate.tolist(), exact, strict=True)):
        if expected is None:
            assert np.isnan(ours), f"row {row}"
            continue
        error = sqrt(expected * (1 - expected) * (1 / draws + (1 / more if more else 0)))
        assert abs(ours - expected) <= 4 * error + 2 / draws, f"row {row}: {ours}, not {expected}"


EVEN: dict[str, Case] = {
    "one stratum": {"g/s": ("PPPF", "PFFP")},
    "two strata of a group": {"g/s": ("PPF", "FPF"), "g/t": ("PF", "FP")},
    "two groups": {"g/s": ("PPP", "PFF"), "h/t": ("FP", "PF")},
    "three systems": {"g/s": ("PPF", "PFF", "FPP"), "h/t": ("PF", "PP", "FF")},
    "groups of different size": {"g/s": ("PP", "FP"), "g/t": ("P", "F"), "h/u": ("FP", "PF")},
}

UNEVEN: dict[str, Case] = {
    "one stratum": {"g/s": ("PP?F", "PFFP")},
    "two strata of a group": {"g/s": ("PP?", "FPF"), "g/t": ("PF", "FP")},
    "both have gaps": {"g/s": ("P?PF", "FFP?"), "h/t": ("PF", "FP")},
    "three systems": {"g/s": ("PPF", "P?F", "FPP"), "h/t": ("PF", "PP", "?F")},
}

# 24 items in four strata of two groups: too many samples to enumerate.
LARGE: Case = {
    "g/a": ("PPPPPPFF", "PPPFFFPF", "PPPPPFFF"),
    "g/b": ("PPPFF", "PFPPF", "FFPPP"),
    "h/c": ("PPPPFF", "PPFFPF", "PPPPPF"),
    "h/d": ("PPPFF", "FPPFF", "FFFFF"),
}


# Rows of system 1, then of system 2.
PINNED = {
    "bootstrap": (
        [[122, 384, 213, 201, 166, 122, 76, 59, 59], [216, 348, 601, 4, 252, 77, 100, 66, 83]],
        [[332, 601, 332, 601, 545, 512, 512], [364, 291, 364, 291, 240, 215, 215]],
    ),
    "randomization": (
        [[183, 454, 310, 271, 199, 189, 103, 90, 90], [304, 401, 601, 77, 294, 188, 152, 117, 117]],
        [[329, 601, 329, 601, 459, 459, 459], [434, 264, 434, 264, 281, 190, 190]],
    ),
}


class TestBootstrap:
    @pytest.mark.parametrize("case", EVEN.values(), ids=EVEN)
    def test_is_the_share_of_all_samples_in_which_the_leader_is_not_better(self, case: Case) -> None:
        found = p_of(bootstrap, case)
        for system in range(1, len(next(iter(case.values())))):
            assert_close(found[:, system], share_not_better(case, every_sample(case), system), 4000)

    @pytest.mark.parametrize("system", [1, 2])
    def test_equals_the_slow_reference(self, system: int) -> None:
        slow = share_not_better(LARGE, some_samples(LARGE, 1500, seed=3), system)
        assert_close(p_of(bootstrap, LARGE, draws=5000)[:, system], slow, 5000, more=1500)

    @pytest.mark.parametrize("case", UNEVEN.values(), ids=UNEVEN)
    def test_items_that_count_for_one_only_are_drawn_too(self, case: Case) -> None:
        found = p_of(bootstrap, case)
        for system in range(1, len(next(iter(case.values())))):
            exact = share_not_better(case, every_sample(case), system)
            assert_close(found[:-2, system], exact[:-2], 4000)  # the means are the next test's

    @pytest.mark.parametrize("case", UNEVEN.values(), ids=UNEVEN)
    def test_a_mean_leaves_out_the_cells_that_a_draw_leaves_empty(self, case: Case) -> None:
        found = p_of(bootstrap, case)
        for system in range(1, len(next(iter(case.values())))):
            exact = share_not_better(case, every_sample(case), system)
            assert_close(found[-2:, system], exact[-2:], 4000)

    def test_a_system_with_little_that_counts_in_one_cell_is_not_saved_by_it(self) -> None:
        # The other is wrong wherever it counts, so the leader is better in every draw. In 0.95²⁰ = 36 % of the draws
        # the one item that counts for the other in h/t is not drawn; its mean is then over g/s alone.
        case = {"g/s": ("P" * 20, "F" * 20), "h/t": ("P" * 20, "F" + "?" * 19)}
        assert p_of(bootstrap, case, draws=999)[-2:, 1] == pytest.approx(1 / 1000)

    def test_all_against_nothing_is_the_smallest_p(self) -> None:  # the leader is better in every draw
        assert p_of(bootstrap, {"g/s": ("PPPP", "FFFF"), "h/t": ("PP", "FF")}, draws=999)[:, 1] == pytest.approx(
            1 / 1000
        )

    def test_identical_systems_are_never_better(self) -> None:
        assert (p_of(bootstrap, {"g/s": ("PFPF", "PFPF"), "h/t": ("PF", "PF")}, draws=300) == 1).all()

    @pytest.mark.parametrize(("marks", "p"), [(("P", "F"), 1 / 400), (("P", "P"), 1), (("F", "F"), 1), (("F", "P"), 1)])
    def test_one_item_in_a_stratum_does_not_vary(self, marks: tuple[str, str], p: float) -> None:
        assert p_of(bootstrap, {"g/s": marks}, draws=399)[:, 1] == pytest.approx([p] * 5)

    def test_strata_of_one_item_do_not_vary_together(self) -> None:
        # Right on three of five against two: in an unstratified draw anything could happen, here it is 3 : 2 always.
        case = {
            f"g/{name}": marks
            for name, marks in zip("abcde", [("P", "P")] + [("P", "F")] * 2 + [("F", "P"), ("F", "F")], strict=True)
        }
        assert p_of(bootstrap, case, draws=399)[-3:, 1] == pytest.approx(1 / 400)


class TestRandomization:
    @pytest.mark.parametrize(
        "case", [*EVEN.values(), *UNEVEN.values()], ids=[*EVEN, *(f"own, {name}" for name in UNEVEN)]
    )
    def test_is_the_share_of_all_swaps_with_as_large_a_difference(self, case: Case) -> None:
        found = p_of(randomization, case)
        for system in range(1, len(next(iter(case.values())))):
            assert_close(found[:, system], share_as_large(case, system), 4000)

    @pytest.mark.parametrize(("wins", "losses"), [(8, 2), (5, 5), (12, 3), (1, 0), (0, 3), (30, 18)])
    def test_of_one_stratum_is_the_exact_test(self, wins: int, losses: int) -> None:
        # Items on which both are right or wrong stay as they are when swapped: only the others are coins.
        case = {"g/s": ("P" * wins + "F" * losses + "PF" * 4, "F" * wins + "P" * losses + "PF" * 4)}
        exact = float(mcnemar(wins, losses))
        assert_close(p_of(randomization, case, draws=6000)[:, 1], [exact] * 5, 6000)

    def test_identical_systems_always_differ_as_much(self) -> None:
        assert (p_of(randomization, {"g/s": ("PFPF", "PFPF"), "h/t": ("?F", "?F")}, draws=300)[:3] == 1).all()

    def test_all_against_nothing(self) -> None:
        # Only when no item is swapped is the difference as large: 2⁻⁴ for g/s, 2⁻³ for h/t, 2⁻⁷ for all of them.
        found = p_of(randomization, {"g/s": ("PPPP", "FFFF"), "h/t": ("PPP", "FFF")}, draws=8000)[:, 1]
        assert_close(found, [1 / 16, 1 / 8, 1 / 16, 1 / 8, 1 / 128, 1 / 128, 1 / 128], 8000)


class TestObserved:
    def test_rows_are_strata_groups_everything_and_two_means(self) -> None:
        # A: 2/3, 0/1 and 2/2; B: 1/3, 1/1 and 0/2. Groups g 2/4 and 2/4, h 1 and 0; all 4/6 and 2/6.
        # Means over groups 3/4 and 1/4; over strata (2/3 + 0 + 1)/3 and (1/3 + 1 + 0)/3.
        found = layout_of({"g/s": ("PPF", "PFF"), "g/t": ("F", "P"), "h/u": ("PP", "FF")}).observed
        assert found[:, 0] == pytest.approx([2 / 3, 0, 1, 1 / 2, 1, 4 / 6, 3 / 4, 5 / 9])
        assert found[:, 1] == pytest.approx([1 / 3, 1, 0, 1 / 2, 0, 2 / 6, 1 / 4, 4 / 9])

    @pytest.mark.parametrize("draw", [bootstrap, randomization])
    def test_means_leave_out_what_is_not_defined_for_every_system(self, draw: Draw) -> None:
        # The third system has nothing in h/u, so both means are those of g for all three.
        case = {"g/s": ("PP", "PF", "FF"), "h/u": ("FF", "PP", "??")}
        layout = layout_of(case)
        assert layout.observed[-2:] == pytest.approx(np.array([[1, 0.5, 0]] * 2))
        p = draw(layout, leading(layout, 0), draws=500, seed=1)
        assert np.isnan(p[[1, 3], 2]).all()  # h/u and h
        assert not np.isnan(p[-2:]).any()

    @pytest.mark.parametrize("draw", [bootstrap, randomization])
    def test_where_nothing_counts_nothing_is_defined(self, draw: Draw) -> None:
        assert np.isnan(p_of(draw, {"g/s": ("??", "??")}, draws=10)).all()

    @pytest.mark.parametrize("draw", [bootstrap, randomization])
    def test_a_row_without_a_leader_has_no_p(self, draw: Draw) -> None:
        layout = layout_of(EVEN["two groups"])
        leaders = leading(layout, 0)
        leaders[0] = False
        p = draw(layout, leaders, draws=10, seed=1)
        assert np.isnan(p[0]).all()
        assert not np.isnan(p[1:]).any()

    def test_the_order_of_items_does_not_matter(self) -> None:
        correct, strata = np.array([[1, 0], [1, 1], [0, 1], [1, 0]], dtype=bool), np.array([1, 0, 1, 0])
        mixed = Layout(correct, np.ones_like(correct), strata, np.array([0, 0]))
        order = np.array([1, 3, 0, 2])
        sorted_ = Layout(correct[order], np.ones_like(correct), strata[order], np.array([0, 0]))
        assert (mixed.correct == sorted_.correct).all()
        assert (mixed.observed == sorted_.observed).all()


@pytest.mark.parametrize("draw", [bootstrap, randomization])
class TestDraws:
    def test_the_same_seed_gives_the_same_p(self, draw: Draw) -> None:
        assert (p_of(draw, LARGE, draws=700, seed=5) == p_of(draw, LARGE, draws=700, seed=5)).all()

    def test_another_seed_gives_another(self, draw: Draw) -> None:
        assert (p_of(draw, LARGE, draws=700, seed=5) != p_of(draw, LARGE, draws=700, seed=6)).any()

    @pytest.mark.parametrize("draws", [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 100])
    def test_every_draw_is_made_once(self, draw: Draw, draws: int) -> None:
        told: list[int] = []
        layout = layout_of(LARGE)
        p = draw(layout, leading(layout, 0), draws=draws, seed=1, progress=told.append)
        assert sum(told) == draws
        assert (p[:, 0] == 1).all()  # against itself: (1 + draws)/(draws + 1), so none is lost or counted twice
        counts = p * (draws + 1)
        assert counts == pytest.approx(np.round(counts))

    def test_blocks_of_a_longer_run_are_those_of_a_shorter_one(self, draw: Draw) -> None:
        # With a block more, the count of each row grows by at most the draws of that block.
        short = p_of(draw, LARGE, draws=BLOCK) * (BLOCK + 1)
        long = p_of(draw, LARGE, draws=BLOCK + 3) * (BLOCK + 4)
        grown = np.round(long - short)
        assert (grown >= 0).all()
        assert (grown <= 3).all()

    def test_the_numbers_of_a_report_do_not_move(self, draw: Draw) -> None:
        # Counts of 600 draws by the release that first had blocks; whoever draws, and in whatever parts, gets them.
        even, uneven = PINNED[draw.__name__]
        assert np.round(p_of(draw, LARGE, draws=600, seed=5)[:, 1:].T * 601).tolist() == even
        assert np.round(p_of(draw, UNEVEN["three systems"], draws=600, seed=5)[:, 1:].T * 601).tolist() == uneven

    @pytest.mark.parametrize("case", [LARGE, *UNEVEN.values()], ids=["large", *UNEVEN])
    @pytest.mark.parametrize("cells", [1, 100, 700])
    def test_parts_of_a_block_give_the_same_p(
        self, draw: Draw, case: Case, cells: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = p_of(draw, case, draws=BLOCK + 1)
        monkeypatch.setattr("assay.stats.resampling.CELLS", cells)
        assert (p_of(draw, case, draws=BLOCK + 1) == whole).all()

    def test_leaders_who_are_alike_in_a_row_count_as_one(self, draw: Draw) -> None:
        # The third is like the first in g/s and in g, and not elsewhere.
        case = {"g/s": ("PPPF", "PFFP", "PPPF"), "h/t": ("PPF", "FPF", "PFP")}
        layout = layout_of(case)
        both = draw(layout, leading(layout, 0, 2), draws=500, seed=9)
        first, third = (draw(layout, leading(layout, leader), draws=500, seed=9) for leader in (0, 2))
        assert (both == np.minimum(first, third)).all()
        assert (first[[0, 2]] == third[[0, 2]]).all()
        assert (first[[1, 3]] != third[[1, 3]]).any()

    def test_of_several_leaders_the_smallest_p_counts(self, draw: Draw) -> None:
        layout = layout_of(LARGE)
        both = draw(layout, leading(layout, 0, 2), draws=500, seed=9)
        first, second = (draw(layout, leading(layout, leader), draws=500, seed=9) for leader in (0, 2))
        assert (both == np.minimum(first, second)).all()
        assert (both < first).any()
        assert (both < second).any()

    @given(
        st.integers(1, 4)
        .flatmap(
            lambda systems: st.lists(
                st.lists(st.text("PF?", min_size=systems, max_size=systems), max_size=4), min_size=1, max_size=4
            )
        )
        .filter(any)
    )
    @settings(max_examples=60)
    def test_p_lies_above_0_and_up_to_1(self, draw: Draw, drawn: list[list[str]]) -> None:
        marks = np.array([list(item) for stratum in drawn for item in stratum])
        strata = np.repeat(np.arange(len(drawn)), [len(stratum) for stratum in drawn])
        layout = Layout(marks == "P", marks != "?", strata, np.arange(len(drawn)) // 2)
        leaders = ~np.isnan(layout.observed) & (np.arange(layout.systems) == 0)
        p = draw(layout, leaders, draws=20, seed=1)
        known = leaders[:, [0]] & ~np.isnan(layout.observed)
        assert (~np.isnan(p) == known).all()
        assert (p[known] > 0).all()
        assert (p[known] <= 1).all()
        assert (p[leaders] == 1).all()  # the leader against itself
