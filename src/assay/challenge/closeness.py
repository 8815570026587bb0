"""How close two texts are: 1 minus the edit distance over the length of the longer one, in characters.

closeness("The key is in the lock.", "The key is in the latch.")        0.875

It decides how hard a challenge item is: a metric that compares letters finds the error easily where the correct
translation is much closer to the reference than the incorrect one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.challenge.challenge_set import ChallengeItem
from assay.errors import BadOption, MissingExtra


def similarity() -> Callable[[str, str], float]:
    """The function behind `closeness`, imported once for use in loops."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError as error:
        raise MissingExtra("challenge sets", "pip install 'assay-mt[metrics]'") from error
    return Levenshtein.normalized_similarity


def closeness(first: str, second: str) -> float:
    """From 0 (nothing in common) to 1 (equal)."""
    return similarity()(first, second)


@dataclass(frozen=True, slots=True)
class Closeness:
    """Of one challenge item: the correct and the incorrect translation to each other, and each to the reference."""

    pair: float
    correct: float
    incorrect: float

    @property
    def advantage(self) -> float:
        """By how much the correct translation is closer to the reference."""
        # Rounded: 0.8 - 0.7 is a little more than 0.1 as a float, and would fall into the next band.
        return round(self.correct - self.incorrect, 9)


def measure(items: Sequence[ChallengeItem]) -> list[Closeness]:
    """The closeness of every item."""
    near = similarity()
    return [
        Closeness(near(item.right, item.wrong), near(item.reference, item.right), near(item.reference, item.wrong))
        for item in items
    ]


@dataclass(frozen=True, slots=True)
class ClosenessSummary:
    """Mean and quartiles of one measure over a set."""

    mean: float
    lower: float
    median: float
    upper: float


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a set is: the three measures, and the share of items whose correct translation is closer to the
    reference (what a metric that compares letters would get right)."""

    pair: ClosenessSummary
    correct: ClosenessSummary
    incorrect: ClosenessSummary
    closer: float


def difficulty(items: Sequence[ChallengeItem]) -> Difficulty | None:
    """The difficulty of a set; None for an empty one."""
    if not items:
        return None
    values = np.array([(near.pair, near.correct, near.incorrect) for near in measure(items)])
    quartiles = np.percentile(values, [25, 50, 75], axis=0)
    pair, correct, incorrect = (
        ClosenessSummary(*map(float, (mean, *column)))
        for mean, column in zip(values.mean(axis=0), quartiles.T, strict=True)
    )
    return Difficulty(pair, correct, incorrect, float((values[:, 1] > values[:, 2]).mean()))


@dataclass(frozen=True, slots=True)
class Range:
    """A closed interval: both ends belong to it."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low:g}:{self.high:g}"

    @classmethod
    def parse(cls, text: str, *, least: float, most: float) -> "Range":
        """`0.7:0.95`; an end may be left out."""
        low, colon, high = text.partition(":")
        try:
            found = cls(float(low) if low.strip() else least, float(high) if high.strip() else most)
        except ValueError:
            raise BadOption(f"{text!r} is no range; write LOW:HIGH, like 0.7:0.95") from None
        if not colon or not least <= found.low <= found.high <= most:
            raise BadOption(f"{text!r} is no range between {least:g} and {most:g}; write LOW:HIGH, like 0.7:0.95")
        return found
