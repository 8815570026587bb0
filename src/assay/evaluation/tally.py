"""Counting: which items count under a policy, and how many of them each row and system has right."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.settings import Policy
from assay.model import Verdict, VerdictTable

Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Tally(NamedTuple):
    """Counts of one set of groups (categories, phenomena, or everything); groups × systems.

    `items` are the items of a group that count (for at least one system), `found` all items found in it.
    `passes` and `warnings` are over all items found, whatever the policy; they make the bounds.
    """

    items: Counts
    found: Counts
    correct: Counts
    total: Counts
    passes: Counts
    warnings: Counts


def counting(table: VerdictTable, policy: Policy) -> Mask:
    """Whether an item counts for a system; items found × systems."""
    decided: Mask = table.verdicts != Verdict.WARNING
    if policy == "own":
        return decided
    if policy == "fair":
        return np.broadcast_to(decided.all(axis=1, keepdims=True), decided.shape)
    return np.ones_like(decided)


def tally(table: VerdictTable, mask: Mask, groups: NDArray[np.intp], number: int) -> Tally:
    """Counts per group; `groups[i]` is the group of the i-th item found."""
    systems = table.verdicts.shape[1]
    cells = groups[:, None] * systems + np.arange(systems)

    def count(what: Mask) -> Counts:
        return np.bincount(cells[what], minlength=number * systems).reshape(number, systems)

    passes = table.verdicts == Verdict.PASS
    return Tally(
        items=np.bincount(groups[mask.any(axis=1)], minlength=number),
        found=np.bincount(groups, minlength=number),
        correct=count(passes & mask),
        total=count(mask),
        passes=count(passes),
        warnings=count(table.verdicts == Verdict.WARNING),
    )
