"""How far the warnings could move a result: whose lead is certain, and what it takes to be sure.

On all items found, a system has its passes; its warnings are still open. The leader of a row is certain against
another system when its lead exceeds what the other's warnings could bring, those on texts that the leader wrote too
left aside: they pass or fail for both. Two that are level with nothing left to judge share the
lead. Otherwise judgements can settle it. At best `fewest` suffice, when each goes the
leader's way (a warning of the other fails, one of the leader's own passes); `always` suffice whatever comes out, which
are all texts on which only one of the two has a warning.

A macro-average is the same with weights: an item of a category with n items, one of K, weighs 1 / (K·n).
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.rows import KeyedRow, RowKey
from assay.evaluation.tally import COUNTED_LEVELS, Grouping, Level, Mask
from assay.outputs import System
from assay.text import normalise
from assay.verdicts import Verdict, VerdictTable

TIE = 1e-12
"""Leads smaller than this are none: sums of weights can differ by rounding."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A system that could still take the lead. In a macro-average `lead` and `reach` are accuracies, else items.

    `fewest` is None where no judgements could make the leader certain: the two could only draw level.
    """

    system: System
    lead: float
    reach: float
    fewest: int | None
    always: int


@dataclass(frozen=True, slots=True)
class Standing(KeyedRow):
    """The leader of a row on all items found, with every warning failed, and who could still pass it.

    `level_with` are systems that share the lead for good: nothing is left to judge between them.
    """

    leader: System
    rivals: tuple[Rival, ...]
    level_with: tuple[System, ...]

    @property
    def certain(self) -> bool:
        return not self.rivals


def standings(table: VerdictTable, grouping: dict[Level, Grouping], missing: Mask) -> list[Standing]:
    """Every row and average that has items. `missing` outputs (items found × systems) can never be judged."""
    found = []
    codes = _alike(table)
    for level in COUNTED_LEVELS:
        members = grouping[level].members
        for number, (category, phenomenon) in enumerate(grouping[level].names):
            rows = np.flatnonzero(members == number)
            if len(rows):
                found.append(_standing(table, (level, category, phenomenon), rows, np.ones(len(rows)), missing, codes))
    macros: tuple[tuple[Level, Level], ...] = (("category", "category_macro"), ("phenomenon", "phenomenon_macro"))
    everything = np.arange(len(table.items))
    for level, macro in macros:
        members = grouping[level].members
        sizes = np.bincount(members, minlength=len(grouping[level].names))
        weights = 1 / (np.count_nonzero(sizes) * sizes[members])
        found.append(_standing(table, (macro, None, None), everything, weights, missing, codes))
    return found


def _standing(
    table: VerdictTable,
    key: RowKey,
    rows: NDArray[np.intp],
    weights: NDArray[np.float64],
    missing: Mask,
    codes: NDArray[np.int32],
) -> Standing:
    verdicts, codes = table.verdicts[rows], codes[rows]
    passes = ((verdicts == Verdict.PASS) * weights[:, None]).sum(axis=0)
    leader = int(np.argmax(passes))
    open_ = (verdicts == Verdict.WARNING) & ~missing[rows]
    rivals: list[Rival] = []
    level: list[System] = []
    for column, system in enumerate(table.outputs.systems):
        if column == leader:
            continue
        differs = (codes[:, column] != codes[:, leader]) | (codes[:, column] < 0)
        theirs, own = open_[:, column] & differs, open_[:, leader] & differs
        lead, reach = passes[leader] - passes[column], weights[theirs].sum()
        if lead <= TIE and not theirs.any() and not own.any():
            level.append(system)
        elif lead <= reach + TIE:
            rivals.append(
                Rival(
                    system,
                    float(lead),
                    float(reach),
                    _fewest(np.concatenate([weights[theirs], weights[own]]), reach - lead),
                    int(theirs.sum() + own.sum()),
                )
            )
    return Standing(*key, table.outputs.systems[leader], tuple(rivals), tuple(level))


def _alike(table: VerdictTable) -> NDArray[np.int32]:
    """Codes of the texts, items found × systems, the same for texts that are judged as one.

    These are texts of one item that are equal once normalised; the first of them stands for all.
    """
    outputs = table.outputs
    canonical = np.arange(len(outputs.texts), dtype=np.int32)
    order = np.argsort(outputs.owners, kind="stable")
    # Where the owner changes, with the beginning and the end: texts of an item lie between two bounds.
    bounds = np.flatnonzero(np.diff(outputs.owners[order], prepend=-1, append=-1)).tolist()
    for start, end in pairwise(bounds):
        first: dict[str, int] = {}
        for code in order[start:end].tolist():
            canonical[code] = first.setdefault(normalise(outputs.texts[code]), code)
    return outputs.laid_out(canonical, table.items, missing=np.int32(-1))


def _fewest(weights: NDArray[np.float64], slack: float) -> int | None:
    """How many of the heaviest weights exceed the slack; each judgement that goes the leader's way takes its weight off
    what the rival could still gain on it."""
    total = np.cumsum(np.sort(weights)[::-1])
    enough = np.flatnonzero(total > slack + TIE)
    return int(enough[0]) + 1 if len(enough) else None
