"""Which rendering systems choose: the shares of an item's labels, by phenomenon, with intervals and differences.

    for row in label_shares(table, settings, order).rows:
        print(row.phenomenon, row.label, [cell.share for cell in row.cells])

Labels are in no accuracy. A share is of the texts that have a label; which of them count is the policy's to say, as
with verdicts. Where several phenomena have a label, each is compared with the others: two proportions, two-tailed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.item_groups import group_numbers
from assay.evaluation.rows import plain_numbers
from assay.evaluation.settings import Policy, Settings
from assay.evaluation.tally import Mask
from assay.outputs import System
from assay.stats.design import design_effects
from assay.stats.proportions import Floats, divide, wilson, ztest
from assay.suites import Item
from assay.verdicts import VerdictTable
from assay.verdicts.label_judge import LabelFinding, LabelJudge

if TYPE_CHECKING:
    from assay.evaluation.document import LabelCellDocument, LabelRowDocument


@dataclass(frozen=True, slots=True)
class LabelCell:
    """One system: how many texts have the label, of how many that have one, with the 95 % interval of the share.

    `difference` is to the share in all other phenomena that have the label, `p` that of its test; None without any.
    """

    system: System
    number: int
    total: int
    share: float | None
    low: float | None
    high: float | None
    difference: float | None
    p: float | None

    def to_dict(self) -> "LabelCellDocument":
        return {
            "system": self.system.name,
            "campaign": self.system.campaign,
            "number": self.number,
            "total": self.total,
            "share": self.share,
            "low": self.low,
            "high": self.high,
            "difference": self.difference,
            "p": self.p,
        }


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label in a phenomenon; None stands for what is undecided, as a share of all texts. `items` are those found."""

    category: str
    phenomenon: str
    label: str | None
    items: int
    cells: tuple[LabelCell, ...]

    def to_dict(self) -> "LabelRowDocument":
        return {
            "category": self.category,
            "phenomenon": self.phenomenon,
            "label": self.label,
            "count": self.items,
            "cells": [cell.to_dict() for cell in self.cells],
        }


@dataclass(frozen=True, slots=True)
class LabelShares:
    """All rows in the order of the taxonomy; cells in table order."""

    rows: tuple[LabelRow, ...]
    several: bool
    """Whether phenomena are compared."""


def label_shares(table: VerdictTable, settings: Settings, order: Sequence[int]) -> LabelShares | None:
    """The shares of labels in what systems wrote; None where no item found has labels."""
    found = [place for place in table.outputs.found.tolist() if table.suite.items[place].labels]
    if not found:
        return None
    chosen = _Labelled.of(table, np.array(found, dtype=np.intp), order, settings)
    rows = tuple(row for number in range(len(chosen.phenomena)) for row in chosen.rows(number))
    return LabelShares(rows, any(cell.difference is not None for row in rows for cell in row.cells))


@dataclass(frozen=True)
class _Labelled:
    """Items with labels by systems, in table order: the label of each text, empty where it has none."""

    systems: list[System]
    items: list[Item]
    names: NDArray[np.object_]
    counted: Mask
    phenomena: list[tuple[str, str]]
    members: NDArray[np.intp]
    units: NDArray[np.intp]

    @classmethod
    def of(cls, table: VerdictTable, places: NDArray[np.intp], order: Sequence[int], settings: Settings) -> "_Labelled":
        items = [table.suite.items[place] for place in places.tolist()]
        judge, known = LabelJudge(items), dict[tuple[int, int], LabelFinding]()
        names = np.empty((len(items), len(order)), dtype=object)
        for row, place in enumerate(places.tolist()):
            for column, system in enumerate(order):
                code = int(table.outputs.codes[place, system])
                if (row, code) not in known:
                    known[row, code] = judge.judge(items[row], table.outputs.text(place, system))
                names[row, column] = known[row, code].name
        there = {(item.category, item.phenomenon) for item in items}
        phenomena = [pair for pair in table.suite.phenomena if pair in there]
        members = np.array([phenomena.index((item.category, item.phenomenon)) for item in items], dtype=np.intp)
        units = group_numbers(table.suite, places) if settings.units == "group" else None
        return cls(
            [table.outputs.systems[column] for column in order],
            items,
            names,
            _counting(names != "", settings.policy),
            phenomena,
            members,
            np.arange(len(items)) if units is None else units,
        )

    def rows(self, number: int) -> Iterator[LabelRow]:
        """The labels of a phenomenon in the order of its items, and what is undecided."""
        here = self.members == number
        labels = dict.fromkeys(
            label.name for item, inside in zip(self.items, here, strict=True) if inside for label in item.labels
        )
        for label in labels:
            yield LabelRow(*self.phenomena[number], label, int(here.sum()), self._cells(number, label))
        undecided = (self.names[here] == "").sum(axis=0).tolist()
        total = int(here.sum())
        cells = (
            LabelCell(system, count, total, count / total, None, None, None, None)
            for system, count in zip(self.systems, undecided, strict=True)
        )
        yield LabelRow(*self.phenomena[number], None, total, tuple(cells))

    def _cells(self, number: int, label: str) -> tuple[LabelCell, ...]:
        has = np.array([any(one.name == label for one in item.labels) for item in self.items])
        here, others = (self.members == number) & has, (self.members != number) & has
        right, total = self._effective(label, here)
        low, high = wilson(right, total)
        share = divide(right, total)
        difference, p = np.full_like(share, np.nan), np.full_like(share, np.nan)
        if others.any():
            other_right, other_total = self._effective(label, others)
            difference = share - divide(other_right, other_total)
            tails = ztest(right, total, other_right, other_total), ztest(other_right, other_total, right, total)
            p = np.where(np.isnan(difference), np.nan, np.minimum(2 * np.minimum(*tails), 1.0))
        counts = (
            ((self.names == label) & self.counted)[here].sum(axis=0),
            self.counted[here].sum(axis=0),
        )
        columns = [plain_numbers(of) for of in (*counts, share, low, high, difference, p)]
        return tuple(LabelCell(*values) for values in zip(self.systems, *columns, strict=True))

    def _effective(self, label: str, chosen: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Texts with the label, and texts that count, divided by the design effect of these items."""
        counted = self.counted[chosen]
        right = ((self.names == label) & self.counted)[chosen]
        total = counted.sum(axis=0)
        weights = np.where(counted, np.nan_to_num(divide(1, total)), 0.0)
        influence = np.where(counted, (right - np.nan_to_num(divide(right.sum(axis=0), total))) * weights, 0.0)
        rows = np.zeros(len(right), dtype=np.intp)
        effect = design_effects(influence, weights, rows, units=self.units[chosen], number=1)[0]
        return right.sum(axis=0) / effect, total / effect


def _counting(labelled: Mask, policy: Policy) -> Mask:
    """Texts that count: as with verdicts; an estimate of labels there is none, so each system has its own."""
    if policy == "fair":
        return np.broadcast_to(labelled.all(axis=1, keepdims=True), labelled.shape)
    return np.ones_like(labelled) if policy == "strict" else labelled
