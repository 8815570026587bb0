"""Beyond accuracy: which metrics make the same mistakes, how closeness matters, which items no metric gets right.

for band in curve(evaluation, "closeness"):
    print(band.low, band.high, [cell.accuracy for cell in band.cells])
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from itertools import pairwise as neighbours
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.challenge.closeness import measure
from assay.errors import UnknownName
from assay.evaluation.rows import plain_numbers
from assay.evaluation.tally import Mask
from assay.stats.agreement import pairwise
from assay.stats.proportions import Floats

Measure = Literal["closeness", "advantage"]
MEASURES: tuple[Measure, ...] = get_args(Measure)

EDGES: dict[Measure, tuple[float, ...]] = {
    "closeness": (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    "advantage": (-1.0, -0.2, -0.1, -0.05, 0.0, 0.05, 0.1, 0.2, 1.0),
}
"""Bands are the same for every set, so that sets can be compared; the upper edge belongs to the band."""


class MetricOutcomes(Protocol):
    """What is looked at here of a `MetricEvaluation`."""

    @property
    def challenge(self) -> ChallengeSet: ...

    @property
    def columns(self) -> Sequence[str]: ...

    @property
    def right(self) -> Mask: ...

    @property
    def competing(self) -> Sequence[int]: ...

    def intervals_of(self, members: NDArray[np.intp], number: int) -> tuple[Floats, Floats]: ...


@dataclass(frozen=True, slots=True)
class Redundancy:
    """Two metrics: how many challenge items both, or either, get wrong, and Cohen's kappa of right and wrong."""

    first: str
    second: str
    both_wrong: int
    either_wrong: int
    kappa: float | None

    @property
    def shared(self) -> float | None:
        """The share of their mistakes that both make."""
        return self.both_wrong / self.either_wrong if self.either_wrong else None


def redundancies(evaluation: MetricOutcomes) -> list[Redundancy]:
    """Every pair of metrics, controls left aside, the most redundant first."""
    columns = list(evaluation.competing)
    wrong = ~evaluation.right[:, columns]
    agreement = pairwise(wrong.astype(np.int64))
    found = [
        Redundancy(
            evaluation.columns[columns[first]],
            evaluation.columns[columns[second]],
            both_wrong=int((wrong[:, first] & wrong[:, second]).sum()),
            either_wrong=int((wrong[:, first] | wrong[:, second]).sum()),
            kappa=agreement[first, second].kappa,
        )
        for first, second in combinations(range(wrong.shape[1]), 2)
    ]
    # Kappa is at least −1, so −2 puts the pairs without one last.
    return sorted(found, key=lambda pair: -2.0 if pair.kappa is None else pair.kappa, reverse=True)


@dataclass(frozen=True, slots=True)
class BandCell:
    """One metric in one band; the 95 % interval is from resampling sources, None where the band has too few."""

    metric: str
    correct: int
    total: int
    accuracy: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Band:
    """Challenge items whose measure lies in (low, high]; the lowest band has its lower edge too."""

    low: float
    high: float
    size: int
    cells: tuple[BandCell, ...]


def curve(evaluation: MetricOutcomes, over: Measure = "closeness") -> list[Band]:
    """Accuracy by how close the two translations are, or by how much closer to the reference the correct one is."""
    if over not in MEASURES:
        raise UnknownName("measure", over, MEASURES)
    measured = measure(evaluation.challenge.items)
    values = np.array([near.pair if over == "closeness" else near.advantage for near in measured])
    edges = EDGES[over]
    # A value on an edge belongs to the band below it; clipping keeps the lowest edge itself in the first band.
    places = np.clip(np.searchsorted(edges, values, side="left") - 1, 0, len(edges) - 2)
    low, high = map(plain_numbers, evaluation.intervals_of(places, len(edges) - 1))
    bands = []
    for place, (least, most) in enumerate(neighbours(edges)):
        members = np.flatnonzero(places == place)
        correct: NDArray[np.int64] = evaluation.right[members].sum(axis=0)
        cells = tuple(
            BandCell(
                name,
                int(right),
                len(members),
                int(right) / len(members) if len(members) else None,
                low[place][column],
                high[place][column],
            )
            for column, (name, right) in enumerate(zip(evaluation.columns, correct, strict=True))
        )
        bands.append(Band(least, most, len(members), cells))
    return bands


@dataclass(frozen=True, slots=True)
class LanguagePart:
    """The challenge items of one language pair."""

    langpair: str
    size: int
    sources: int
    cells: tuple[BandCell, ...]


def by_language(evaluation: MetricOutcomes) -> list[LanguagePart]:
    """Accuracy for each language pair, the largest first; nothing where challenge items have none, or one in all."""
    pairs = [str(getattr(item, "langpair", "")) for item in evaluation.challenge.items]
    names = [name for name, _ in Counter(pairs).most_common()]
    if len(names) < 2:
        return []
    places = np.array([names.index(pair) for pair in pairs], dtype=np.intp)
    low, high = map(plain_numbers, evaluation.intervals_of(places, len(names)))
    found = []
    for place, name in enumerate(names):
        members = np.flatnonzero(places == place)
        correct: NDArray[np.int64] = evaluation.right[members].sum(axis=0)
        cells = tuple(
            BandCell(
                metric, int(right), len(members), int(right) / len(members), low[place][column], high[place][column]
            )
            for column, (metric, right) in enumerate(zip(evaluation.columns, correct, strict=True))
        )
        sources = len({evaluation.challenge.items[member].source for member in members.tolist()})
        found.append(LanguagePart(name or "unknown", len(members), sources, cells))
    return found


def never_right(evaluation: MetricOutcomes) -> list[ChallengeItem]:
    """Challenge items that every metric gets wrong, whatever controls say, in the order of the set."""
    lost = np.flatnonzero(~np.asarray(evaluation.right[:, list(evaluation.competing)].any(axis=1)))
    return [evaluation.challenge.items[place] for place in lost.tolist()]
