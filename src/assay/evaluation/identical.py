"""Systems that wrote the same texts: one system under two names, or two that share an engine."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.outputs import Outputs, System

NEAR = 0.9
"""Systems that share more of their texts than this are not independent of each other."""

_SAMPLE = 200
"""Items, evenly spread, that tell which pairs are worth a closer look: there are many pairs, and few are alike."""

_SAMPLE_SHARE = NEAR - 0.15
"""A share of 0.9 in 200 items has a standard error of 0.02; at seven of them below no pair is missed."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Systems that are joined by pairs with more than 90 % of texts in common; `share` is the least of these pairs."""

    systems: tuple[System, ...]
    share: float


def near_identical(outputs: Outputs, items: NDArray[np.intp]) -> list[Likeness]:
    """Groups of systems that wrote nearly the same."""
    # Every system begins as a group of its own, named by its number; a pair joins two groups under the lower one.
    group = list(range(len(outputs.systems)))
    least: dict[int, float] = {}
    for first, second, share in _alike(outputs.codes, items):
        old, new = sorted((group[first], group[second]))
        low = min(share, least.get(old, 1.0), least.get(new, 1.0))
        group = [old if number == new else number for number in group]
        least[old] = low
    members = {number: [c for c, other in enumerate(group) if other == number] for number in dict.fromkeys(group)}
    return [
        Likeness(tuple(outputs.systems[column] for column in columns), least[number])
        for number, columns in members.items()
        if len(columns) > 1
    ]


def _alike(codes: NDArray[np.int32], items: NDArray[np.intp]) -> Iterator[tuple[int, int, float]]:
    """Pairs of columns with nearly the same texts. A sample of the items tells which are worth a closer look."""
    sample = codes[items[:: max(1, len(items) // _SAMPLE)]]
    for column in range(codes.shape[1] - 1):
        rest = sample[:, column + 1 :]
        shares = (rest == sample[:, [column]]).mean(axis=0)
        for other in (np.flatnonzero(shares > _SAMPLE_SHARE) + column + 1).tolist():
            one, two = codes[items, column], codes[items, other]
            share = float(((one == two) & (one >= 0)).mean())
            if share > NEAR:
                yield column, other, share


def merge_identical(outputs: Outputs, items: NDArray[np.intp]) -> Outputs:
    """The outputs with systems that wrote the very same as one column, named after all of them."""
    groups: dict[bytes, list[int]] = {}
    for column in range(len(outputs.systems)):
        groups.setdefault(outputs.codes[items, column].tobytes(), []).append(column)
    names = (dict.fromkeys(outputs.systems[column].name for column in columns) for columns in groups.values())
    merged = outputs.select([columns[0] for columns in groups.values()])
    systems = [replace(system, name=" = ".join(same)) for system, same in zip(merged.systems, names, strict=True)]
    return replace(merged, systems=tuple(systems))
