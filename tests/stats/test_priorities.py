"""Priority sampling: unbiased, uncorrelated, the same whenever it is asked for."""

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.stats.priorities import inclusion, permanent_numbers

Floats = NDArray[np.float64]


def estimates(sizes: Floats, random: Floats, number: int) -> Floats:
    """What each thing's size is estimated to be, 0 where it is not among the first: draws × things."""
    found = []
    for numbers in random:
        priorities = sizes / numbers
        order = np.argsort(-priorities, kind="stable")
        judged = np.isin(np.arange(len(sizes)), order[:number])
        found.append(np.where(judged, sizes / inclusion(sizes, float(priorities[order[number]])), 0.0))
    return np.array(found)


SIZES = np.array([1.0, 2.0, 3.5, 0.4])

IN_SAMPLE, LAST = 1e-9, 1.0
"""Numbers with which a thing comes first, whatever the others have, and with which it comes as late as it can."""


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("thing", range(len(SIZES)))
def test_the_mean_is_the_size_whatever_numbers_the_others_have(thing: int, number: int) -> None:
    """Exact: a thing is in the sample while its number is below w / τ, and its estimate is the same in all of that."""
    for others in 1 - np.random.default_rng(1).random((50, len(SIZES))):
        threshold = np.sort(np.delete(SIZES / others, thing))[-number]
        chance = min(1.0, SIZES[thing] / threshold)
        numbers = others.copy()
        numbers[thing] = IN_SAMPLE
        inside = estimates(SIZES, numbers[None], number)[0, thing]
        numbers[thing] = LAST
        outside = estimates(SIZES, numbers[None], number)[0, thing] if chance < 1 else inside
        assert chance * inside + (1 - chance) * outside == pytest.approx(SIZES[thing])


def test_two_things_are_uncorrelated() -> None:
    """Exact: both are in a sample of two of three while both have priorities above that of the third."""
    sizes = SIZES[:3]
    for third in (0.9, 0.5, 0.1, 0.01):
        chances = np.minimum(1.0, sizes[:2] / (sizes[2] / third))
        found = estimates(sizes, np.array([[IN_SAMPLE, IN_SAMPLE, third]]), 2)[0]
        # The product is 0 in all other cases; that it is 2 on average is that the covariance is 0.
        assert chances.prod() * found[0] * found[1] == pytest.approx(sizes[0] * sizes[1])


def test_a_simulation_with_many_things() -> None:
    chance = np.random.default_rng(1)
    sizes = chance.gamma(1.0, size=40)
    subset = chance.random(40) < 0.3
    sums = estimates(sizes, 1 - chance.random((4000, 40)), 12)[:, subset].sum(axis=1)
    assert abs(sums.mean() - sizes[subset].sum()) < 4 * sums.std() / np.sqrt(len(sums))


def test_the_variance_of_a_sum_can_be_told_from_the_sample() -> None:
    """Σ (1 - π) / π² w² over the judged is on average the squared error of the sum."""
    chance = np.random.default_rng(2)
    sizes = chance.gamma(2.0, size=25)
    errors, told = [], []
    for numbers in 1 - chance.random((6000, 25)):
        priorities = sizes / numbers
        order = np.argsort(-priorities)
        judged, chances = order[:10], inclusion(sizes, float(priorities[order[10]]))
        errors.append((sizes[judged] / chances[judged]).sum() - sizes.sum())
        told.append(((1 - chances[judged]) / chances[judged] ** 2 * sizes[judged] ** 2).sum())
    assert np.mean(told) == pytest.approx(np.mean(np.square(errors)), rel=0.06)


def test_permanent_numbers_are_permanent() -> None:
    names = [("item-1", "a text"), ("item-2", "a text"), ("item-1", "another")]
    found = permanent_numbers(1, names)
    assert found.tolist() == permanent_numbers(1, reversed(names))[::-1].tolist()
    assert len(set(found.tolist())) == 3
    assert (permanent_numbers(2, names) != found).all()


def test_permanent_numbers_are_evenly_spread() -> None:
    found = np.sort(permanent_numbers(1, ((str(number),) for number in range(4000))))
    assert found[0] > 0
    assert found[-1] <= 1
    # Kolmogorov and Smirnov: the largest distance from a straight line, 1.63 / √n at 1 %.
    assert np.abs(found - np.arange(1, 4001) / 4000).max() < 1.63 / np.sqrt(4000)


def test_with_nothing_left_every_chance_is_one() -> None:
    assert inclusion(np.array([0.1, 3.0]), 0.0).tolist() == [1.0, 1.0]
