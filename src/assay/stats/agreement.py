"""How far raters agree on the same units, and how far beyond chance.

Ratings come as units × raters, integers from 0, with −1 where a rater left a unit out:

    ratings = np.array([[0, 0], [0, 0], [1, 1], [1, 0], [1, 1]])
    pairwise(ratings)[0, 1]  # RaterPair(units=5, raw=0.8, kappa=0.615)
    overall(ratings)  # RaterAgreement(units=5, raw=0.8, fleiss_units=5, fleiss=0.6, alpha=0.64)

By hand, the two agree on 4 of these 5 units, 0.8. What chance would give, and so the number, differs by method:

- Cohen's kappa (1960) lets each rater draw from their own ratings. The first has 2 zeros and 3 ones, the second 3 and
  2: 2/5·3/5 + 3/5·2/5 = 0.48, κ = (0.8 − 0.48)/(1 − 0.48) = 0.615.
- Fleiss's kappa (1971) lets all draw from the ratings of all, 5 zeros and 5 ones: (5/10)² + (5/10)² = 0.5,
  κ = (0.8 − 0.5)/(1 − 0.5) = 0.6.
- Krippendorff's alpha (2011) draws from the same without putting the first back: two of ten differ with probability
  2·5·5/(10·9) = 0.556, and 0.2 do differ, α = 1 − 0.2/0.556 = 0.64.

None stands for what is undefined: everything with fewer than two units that have two ratings, and kappa and alpha where
only one value occurs, so that chance agrees too. Kappa is computed from whole numbers, so these cases are exact.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.stats.proportions import Floats

MISSING = -1
"""The rating of a rater who left the unit out."""

Level = Literal["nominal", "ordinal", "interval"]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two raters: the units that both rated, the share on which they agree, Cohen's kappa."""

    units: int
    raw: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """All raters: the units with two ratings or more, on which `raw` and `alpha` rest, and those left for Fleiss."""

    units: int
    raw: float | None
    fleiss_units: int
    fleiss: float | None
    alpha: float | None


def pairwise(ratings: ArrayLike) -> dict[tuple[int, int], RaterPair]:
    """Every two raters by their columns, (0, 1), (0, 2), …; those who share no unit are there with 0 units."""
    matrix = _matrix(ratings)
    rated = (matrix != MISSING).astype(np.int64)
    units = rated.T @ rated
    same, chance = np.zeros_like(units), np.zeros_like(units)
    # All pairs at once, as in `raw_agreement` and `cohen_kappa`; one after the other they take a second for 50 raters.
    for value in np.unique(matrix[matrix != MISSING]):
        given = (matrix == value).astype(np.int64)
        own = given.T @ rated  # how often each rater gave the value to units that the other rated too
        same += given.T @ given
        chance += own * own.T
    found = {}
    # As plain numbers: to take them out of the arrays one by one takes longer than all the rest.
    pairs = np.triu_indices(matrix.shape[1], k=1)
    columns = [*pairs, *(counts[pairs] for counts in (units, same, chance))]
    for left, right, number, equal, expected in zip(*(column.tolist() for column in columns), strict=True):
        raw = equal / number if number >= 2 else None
        kappa = None if number < 2 or expected == number**2 else (number * equal - expected) / (number**2 - expected)
        found[left, right] = RaterPair(number, raw, kappa)
    return found


def overall(ratings: ArrayLike, level: Level = "nominal") -> RaterAgreement:
    """All raters together; `level` is that of alpha."""
    matrix = _matrix(ratings)
    _, counts = _counts(matrix)
    return RaterAgreement(
        units=len(counts),
        raw=raw_agreement(matrix),
        fleiss_units=len(_equally_rated(counts)),
        fleiss=fleiss_kappa(matrix),
        alpha=krippendorff_alpha(matrix, level),
    )


def raw_agreement(ratings: ArrayLike) -> float | None:
    """The share of equal ones among all pairs of ratings of the same unit."""
    _, counts = _counts(_matrix(ratings))
    if len(counts) < 2:
        return None
    sizes = counts.sum(axis=1)
    # c ratings of one value in a unit make c(c − 1) ordered pairs that agree.
    return int((counts * (counts - 1)).sum()) / int((sizes * (sizes - 1)).sum())


def cohen_kappa(ratings: ArrayLike) -> float | None:
    """Cohen's kappa of two raters, unweighted; units that one of them left out do not count.

    With n units, `same` equal ratings and a and b ratings of a value by the two, κ = (n·same − Σab)/(n² − Σab).
    """
    matrix = _matrix(ratings)
    if matrix.shape[1] != 2:
        raise ValueError(f"Cohen's kappa is of two raters, not {matrix.shape[1]}")
    both = matrix[(matrix != MISSING).all(axis=1)]
    values, codes = np.unique(both, return_inverse=True)
    first, second = (np.bincount(column, minlength=len(values)) for column in codes.reshape(both.shape).T)
    units, same, chance = len(both), int((both[:, 0] == both[:, 1]).sum()), int(first @ second)
    # Both raters used one value only: chance agrees always, and kappa would be 0/0.
    if units < 2 or chance == units**2:
        return None
    return (units * same - chance) / (units**2 - chance)


def fleiss_kappa(ratings: ArrayLike) -> float | None:
    """Fleiss's kappa of any number of raters, who need not be the same for every unit.

    It is defined for units with equally many ratings only. Of the units with two or more, those count whose number of
    ratings is the most frequent (of equally frequent numbers the largest); `overall` says how many they are.

    With r ratings, m of them per unit, c of a value in a unit and t of it in all, the observed agreement is
    (Σc² − r)/(r(m − 1)) and that of chance Σt²/r².
    """
    _, counts = _counts(_matrix(ratings))
    counts = _equally_rated(counts)
    if len(counts) < 2:
        return None
    each, total = int(counts[0].sum()), int(counts.sum())
    chance = int((counts.sum(axis=0) ** 2).sum())
    if chance == total**2:
        return None
    # The formula above, multiplied by r²(m − 1): whole numbers up to the last division, so that 0/0 is seen exactly.
    observed = total * (int((counts**2).sum()) - total)
    return (observed - (each - 1) * chance) / ((each - 1) * (total**2 - chance))


def krippendorff_alpha(ratings: ArrayLike, level: Level = "nominal") -> float | None:
    """Krippendorff's alpha of any number of raters; ratings may be missing, units with fewer than two do not count.

    `level` says how far two values are apart: `nominal` values are equal or not, `ordinal` ones differ by their rank
    among all ratings (ties at their mean), `interval` ones by their difference; the latter two squared.

    With n ratings, m of them in a unit, α = 1 − (n − 1)·Σ(d within a unit)/(m − 1) / Σ(d among all), where the sums run
    over ordered pairs of ratings and d is their distance.
    """
    if level not in get_args(Level):
        raise ValueError(f"no level {level!r}; there are {', '.join(get_args(Level))}")
    values, counts = _counts(_matrix(ratings))
    if len(counts) < 2 or len(values) < 2:
        return None
    totals, sizes = counts.sum(axis=0), counts.sum(axis=1)
    apart = _distances(values, totals, level)
    # The distance of a value to itself is 0, so the pairs of a rating with itself add nothing.
    within = ((counts @ apart) * counts).sum(axis=1) / (sizes - 1)
    return 1 - (int(totals.sum()) - 1) * float(within.sum()) / float(totals @ apart @ totals)


def _distances(values: Ints, totals: Ints, level: Level) -> Floats:
    """The squared distance of every two values; `totals` says how often each occurs."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    # Krippendorff's sum of the totals from one value to the other, less half of both, is the difference of mean ranks.
    places = np.cumsum(totals) - totals / 2 if level == "ordinal" else values.astype(np.float64)
    return np.asarray((places[:, None] - places) ** 2)


def _matrix(ratings: ArrayLike) -> Ints:
    matrix = np.asarray(ratings)
    if matrix.ndim != 2:
        raise ValueError(f"ratings are units × raters, not of {matrix.ndim} dimensions")
    if matrix.size and (matrix.dtype.kind not in "iu" or matrix.min() < MISSING):
        raise ValueError(f"ratings are whole numbers from 0, or {MISSING} where missing")
    return matrix.astype(np.int64)


def _counts(matrix: Ints) -> tuple[Ints, Ints]:
    """(values that occur, how often each unit has each), in units with two ratings or more."""
    kept = matrix[(matrix != MISSING).sum(axis=1) >= 2]
    units, raters = np.nonzero(kept != MISSING)
    values, codes = np.unique(kept[units, raters], return_inverse=True)
    counts = np.zeros((len(kept), len(values)), dtype=np.int64)
    # add.at, not `counts[…] += 1`, which would count a repeated index once.
    np.add.at(counts, (units, codes), 1)
    return values, counts


def _equally_rated(counts: Ints) -> Ints:
    """The units with the most frequent number of ratings, the largest of several."""
    sizes = counts.sum(axis=1)
    often = np.bincount(sizes, minlength=1)
    most = int(np.flatnonzero(often == often.max())[-1])
    return np.asarray(counts[sizes == most])
