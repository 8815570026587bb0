"""The rows of tiers: where a suite has items of both, each has a row of its own beside the averages.

counts = count_tiers(table, sample)
[count.level for count in counts]           # ["entry_tier", "context_tier"]
"""

import numpy as np

from assay.evaluation.row_count import RowCount
from assay.evaluation.significance import Sample
from assay.evaluation.tally import Level
from assay.suites import TIERS, Tier
from assay.verdicts import VerdictTable

LEVELS: dict[Tier, Level] = {"entry": "entry_tier", "context": "context_tier"}


def count_tiers(table: VerdictTable, sample: Sample) -> list[RowCount]:
    """What the rows of tiers are counted from; nothing where all items found are of one tier."""
    tiers = np.array([table.suite.items[place].tier for place in table.items.tolist()])
    found = [tier for tier in TIERS if (tiers == tier).any()]
    if len(found) < 2:
        return []
    return [_count(table, sample, np.flatnonzero(tiers == tier), tier) for tier in found]


def _count(
    table: VerdictTable, sample: Sample, rows: np.ndarray[tuple[int], np.dtype[np.intp]], tier: Tier
) -> RowCount:
    groups = None if sample.groups is None else sample.groups[rows]
    return RowCount(LEVELS[tier], table.verdicts[rows], sample.counted[rows], groups)
