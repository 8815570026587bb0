"""Design effects: by hand, at their limits, and against simulated units."""

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.stats.design import _t95, design_effects
from assay.stats.proportions import wilson, ztest


def effect(correct: list[int], units: list[int]) -> float:
    return effects(np.array(correct)[:, None], np.array(units))[0]


def effects(correct: NDArray[np.int64], units: NDArray[np.int64]) -> list[float]:
    """All items in one row, every one of them counts for all systems."""
    n = len(correct)
    influence = (correct - correct.mean(axis=0)) / n
    found = design_effects(influence, np.full(correct.shape, 1 / n), np.zeros(n, np.intp), units=units, number=1)
    return [float(value) for value in found]


def test_pairs_by_hand() -> None:
    # 20 times both right, both wrong, one of each: units vary by 60/59·40·(1/60)², items by 120/119·120·(1/120)².
    # Quantiles of t: 2.0010 with 59 degrees of freedom, 1.9801 with 119.
    by_hand = (60 / 59 * 40 / 60**2) / (120 / 119 * 120 / 120**2) * (2.0010 / 1.9801) ** 2
    found = effect([1, 1, 0, 0, 1, 0] * 20, [unit for unit in range(60) for _ in range(2)])
    assert found == pytest.approx(by_hand, abs=1e-3)
    assert found == pytest.approx(4 / 3, abs=0.04)


def test_items_of_their_own_have_none() -> None:
    assert effect([1, 0, 1, 1, 0], [3, 1, 4, 0, 2]) == 1.0


def test_units_that_are_all_alike_are_one_item_each() -> None:
    # 12 items, 4 units of 3, alike: they say as much as 4 items.
    assert effect([1] * 6 + [0] * 6, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]) == pytest.approx(3)


def test_units_whose_items_differ_on_purpose_do_not_narrow_an_interval() -> None:
    # One right and one wrong in every pair: units do not vary at all, which is no reason to trust the mean more.
    assert effect([1, 0] * 6, [unit for unit in range(6) for _ in range(2)]) == 1.0


@pytest.mark.parametrize("correct", [[1] * 6, [0] * 6])
def test_where_nothing_varies_a_unit_is_one_item(correct: list[int]) -> None:
    assert effect(correct, [0, 0, 1, 1, 2, 2]) == pytest.approx(2)


def test_one_unit_is_one_item() -> None:
    assert effect([1, 0, 1, 1], [0, 0, 0, 0]) == pytest.approx(4)


def test_rows_are_apart() -> None:
    correct = np.array([1, 1, 0, 0, 1, 0, 1, 0])
    rows = np.array([0, 0, 0, 0, 0, 0, 1, 1])
    units = np.array([0, 0, 1, 1, 2, 2, 2, 3])
    share = np.array([0.5, 0.5])[rows]
    weights = (1 / np.array([6, 2]))[rows][:, None]
    found = design_effects((correct - share)[:, None] * weights, weights, rows, units=units, number=3)
    # Three units of two cannot do more than 2; single items, and the last row without any, have no effect.
    assert found == pytest.approx([2, 1, 1])


def scenes(chance: np.random.Generator, units: int, size: int, systems: int = 1) -> NDArray[np.int64]:
    """Items × systems: three in four units are easy (0.9), the others hard (0.3); the expectation is 0.75."""
    easy = chance.random((units, systems)) < 0.75
    return (chance.random((units, size, systems)) < np.where(easy, 0.9, 0.3)[:, None]).reshape(-1, systems).astype(int)


@pytest.mark.parametrize(("units", "size"), [(58, 6), (30, 2), (15, 4)])
def test_intervals_hold_the_truth_as_often_as_they_say(units: int, size: int) -> None:
    chance, inside, naive, draws = np.random.default_rng(units), 0, 0, 2_000
    members = np.repeat(np.arange(units), size)
    for _ in range(draws):
        correct = scenes(chance, units, size)
        right, n, d = correct.sum(), len(correct), effects(correct, members)[0]
        low, high = wilson(right / d, n / d)
        inside += bool(low <= 0.75 <= high)
        low, high = wilson(right, n)
        naive += bool(low <= 0.75 <= high)
    assert inside / draws > 0.93
    assert inside > naive


def test_the_z_test_finds_nothing_where_there_is_nothing_as_often_as_it_says() -> None:
    chance, members, draws = np.random.default_rng(7), np.repeat(np.arange(58), 6), 2_000
    found = {"item": 0, "group": 0}
    for _ in range(draws):
        correct = scenes(chance, 58, 6, systems=2)
        first, second = correct.sum(axis=0)
        n, d = len(correct), effects(correct, members)[0]
        found["item"] += bool(ztest(first, n, second, n) < 0.05)
        found["group"] += bool(ztest(first / d, n / d, second / d, n / d) < 0.05)
    # Alpha is 0.05, with an error of 0.005; items taken for independent find much more than that.
    assert 0.035 < found["group"] / draws < 0.065
    assert found["item"] / draws > 0.1


def test_quantiles_of_t() -> None:
    # From tables of Student's t
    assert _t95(np.array([3, 5, 14, 57])) == pytest.approx([3.182, 2.571, 2.145, 2.002], abs=0.03)
