"""Counting: which items count under a policy, and how many of them each row and system has right."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.settings import Policy
from assay.suites import Suite
from assay.verdicts import Verdict, VerdictTable
from assay.verdicts.queue import judgements_needed

_COLUMNS = 64
"""Systems that are counted together, so that memory does not grow with them: `count` makes items × this × 8 bytes."""

Level = Literal[
    "category",
    "phenomenon",
    "micro",
    "category_macro",
    "phenomenon_macro",
    "entry_tier",
    "context_tier",
    "groups",
    "consistency",
]
Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]

COUNTED_LEVELS: tuple[Level, ...] = ("category", "phenomenon", "micro")
"""Levels whose rows are counts; the macro-averages are means of them."""

AVERAGES: dict[str, str] = {
    "micro": "micro-average",
    "category_macro": "category macro-average",
    "phenomenon_macro": "phenomenon macro-average",
}
"""How the rows over everything are called, by their level."""

OVER_TIERS: dict[str, str] = {"entry_tier": "entry tier", "context_tier": "context tier"}
"""How the rows over the items of one tier are called."""

OVER_GROUPS: dict[str, str] = {"groups": "groups wholly right", "consistency": "groups consistent"}
"""How the rows that count groups of items are called."""


@dataclass(frozen=True, slots=True)
class Share:
    """Correct of total; rows × systems."""

    correct: Counts
    total: Counts


@dataclass(frozen=True, slots=True)
class Tally(Share):
    """Counts of one level.

    `items` are the items of a group that count (for at least one system), `found` all items found in it.
    `passes` and `warnings` are over all items found, whatever the policy; they make the bounds.
    """

    items: Counts
    found: Counts
    passes: Counts
    warnings: Counts


@dataclass(frozen=True, slots=True)
class Grouping:
    """The row of each item found, and the names of the rows."""

    members: NDArray[np.intp]
    names: list[tuple[str | None, str | None]]


def groupings(suite: Suite, items: NDArray[np.intp]) -> dict[Level, Grouping]:
    """Rows of categories, of phenomena, and of everything."""
    chosen = [suite.items[position] for position in items.tolist()]
    return groupings_of([(item.category, item.phenomenon) for item in chosen], suite.taxonomy)


def groupings_of(
    members: Sequence[tuple[str, str]], taxonomy: Mapping[str, Iterable[str]] | None = None
) -> dict[Level, Grouping]:
    """The same for anything that has a category and a phenomenon; without a taxonomy in order of appearance."""
    if taxonomy is None:
        implied: dict[str, dict[str, None]] = {}
        for category, phenomenon in members:
            implied.setdefault(category, {}).setdefault(phenomenon)
        taxonomy = implied
    categories = {name: number for number, name in enumerate(taxonomy)}
    pairs = [(category, phenomenon) for category, below in taxonomy.items() for phenomenon in below]
    places = {pair: number for number, pair in enumerate(pairs)}
    return {
        "category": Grouping(
            _array([categories[category] for category, _ in members]), [(c, None) for c in categories]
        ),
        "phenomenon": Grouping(_array([places[pair] for pair in members]), [*pairs]),
        "micro": Grouping(_array([0] * len(members)), [(None, None)]),
    }


def _array(numbers: Sequence[int]) -> NDArray[np.intp]:
    return np.array(numbers, dtype=np.intp)


def parents(grouping: dict[Level, Grouping]) -> NDArray[np.intp]:
    """The category of each phenomenon, by number."""
    categories = [name for name, _ in grouping["category"].names]
    return np.array([categories.index(category) for category, _ in grouping["phenomenon"].names], dtype=np.intp)


def counting(table: VerdictTable, policy: Policy) -> Mask:
    """Whether an item counts for a system; items found × systems."""
    decided: Mask = table.verdicts != Verdict.WARNING
    if policy == "own":
        return decided
    if policy == "fair":
        return np.broadcast_to(decided.all(axis=1, keepdims=True), decided.shape)
    return np.ones_like(decided)


def tally_levels(table: VerdictTable, mask: Mask, grouping: Mapping[Level, Grouping]) -> dict[Level, Tally]:
    """Counts of every level that has any."""
    return {level: tally(table, mask, grouping[level]) for level in COUNTED_LEVELS}


def tally(table: VerdictTable, mask: Mask, grouping: Grouping) -> Tally:
    """Counts per row."""
    groups, number = grouping.members, len(grouping.names)
    passes = table.verdicts == Verdict.PASS
    return Tally(
        items=np.bincount(groups[mask.any(axis=1)], minlength=number),
        found=np.bincount(groups, minlength=number),
        correct=count(passes & mask, grouping),
        total=count(mask, grouping),
        passes=count(passes, grouping),
        warnings=count(table.verdicts == Verdict.WARNING, grouping),
    )


def count(what: Mask, grouping: Grouping) -> Counts:
    """How many of each row are true, per system."""
    found = np.zeros((len(grouping.names), what.shape[1]), dtype=np.int64)
    for start in range(0, what.shape[1], _COLUMNS):
        part = what[:, start : start + _COLUMNS]
        # Row and system as one number, so that a single bincount counts them all.
        cells = grouping.members[:, None] * part.shape[1] + np.arange(part.shape[1])
        counts = np.bincount(cells[part], minlength=len(found) * part.shape[1])
        found[:, start : start + _COLUMNS] = counts.reshape(len(found), part.shape[1])
    return found


def freed(table: VerdictTable) -> dict[int, int]:
    """For a fair comparison: judgements an item needs -> how many items need so many.

    Items with a missing output cannot be freed and are not counted.
    """
    return dict(sorted(judgements_needed(table).items()))
