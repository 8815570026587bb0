"""What the suite itself is worth: items that are too easy, too hard or suspicious, and those that tell apart."""

from dataclasses import dataclass

import numpy as np

from assay.evaluation.evaluation import Evaluation
from assay.stats.correlation import item_rest
from assay.suites import Item


@dataclass(frozen=True, slots=True)
class ItemStatistics:
    """`difficulty` is the share of systems that fail the item; `discrimination` its correlation with the rest.

    Discrimination is None where all systems pass or all fail: such an item tells nobody apart.
    """

    item: Item
    systems: int
    difficulty: float
    discrimination: float | None


@dataclass(frozen=True, slots=True)
class SuiteAnalysis:
    """`saturated` phenomena are at 100 % for every system; `suspicious` items fail for every system."""

    items: list[ItemStatistics]
    saturated: list[tuple[str, str, int]]
    suspicious: list[Item]
    contrary: list[ItemStatistics]


CONTRARY = -0.3
"""Items that better systems fail more often than worse ones by so much: a rule may be wrong."""


def analyse_suite(evaluation: Evaluation) -> SuiteAnalysis:
    """Statistics of the items that count for all systems."""
    sample, table = evaluation.sample, evaluation.table
    counted = np.flatnonzero(sample.counted.all(axis=1))
    right = sample.correct[counted]
    discriminations = item_rest(right)
    found = [
        ItemStatistics(
            evaluation.suite.items[position],
            right.shape[1],
            float(1 - row.mean()),
            None if np.isnan(discrimination) else float(discrimination),
        )
        for position, row, discrimination in zip(table.items[counted].tolist(), right, discriminations, strict=True)
    ]
    saturated = [
        (row.category or "", row.phenomenon or "", row.items)
        for row in evaluation.rows("phenomenon")
        if row.level == "phenomenon" and row.items and all(cell.accuracy == 1 for cell in row.cells)
    ]
    contrary = [entry for entry in found if entry.discrimination is not None and entry.discrimination < CONTRARY]
    return SuiteAnalysis(
        items=found,
        saturated=saturated,
        suspicious=[entry.item for entry in found if entry.difficulty == 1],
        contrary=sorted(contrary, key=lambda entry: entry.discrimination or 0),
    )
