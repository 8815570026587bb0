"""Good, bad and unknown: what the verdicts of contrasts count up to.

    for row in contrast_rows(evaluation):
        for cell in row.cells:
            cell.own.value, cell.strict.value  # Good/(Good+Bad), Good/all

Good is a pass, bad a fail, unknown a warning. A row in which some system has few decided items ranks nobody.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation import By, Cell, Evaluation, Row
from assay.evaluation.rows import ROUNDED
from assay.evaluation.significance import TIE
from assay.outputs import System
from assay.stats.proportions import wilson
from assay.verdicts import Reason, Verdict

SMALL = 30
"""Rows in which a system has fewer decided items rank nobody: the 95 % interval of 24 out of 30 is 28 points wide."""

REASONS: tuple[Reason, ...] = ("no_link", "function_word", "no_class", "missing")
"""Why something is unknown."""


@dataclass(frozen=True, slots=True)
class GoodShare:
    """`good` of `total` with its 95 % interval (Wilson); None where there is nothing to divide by."""

    good: int
    total: int
    value: float | None
    low: float | None
    high: float | None

    @property
    def numbers(self) -> tuple[float | None, float | None, float | None]:
        """The share and its interval."""
        return self.value, self.low, self.high


@dataclass(frozen=True, slots=True)
class ContrastCell:
    """One system in one row. `counted` is its cell under the policy of the evaluation."""

    system: System
    good: int
    bad: int
    unknown: int
    reasons: Mapping[Reason, int]
    counted: Cell

    @property
    def total(self) -> int:
        return self.good + self.bad + self.unknown

    @property
    def decided(self) -> int:
        return self.good + self.bad

    @property
    def own(self) -> GoodShare:
        """Good/(Good+Bad)."""
        return share(self.good, self.decided)

    @property
    def strict(self) -> GoodShare:
        """Good/all."""
        return share(self.good, self.total)

    @property
    def fair(self) -> GoodShare:
        """That of the keywords which every system has decided, where this is the policy of the evaluation."""
        counted = self.counted
        return GoodShare(counted.correct or 0, counted.total or 0, counted.accuracy, counted.low, counted.high)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a run."""
        return {
            "system": self.system.name,
            "campaign": self.system.campaign,
            "total": self.total,
            "good": self.good,
            "bad": self.bad,
            "unknown": self.unknown,
            "reasons": dict(self.reasons),
            "own": asdict(self.own),
            "strict": asdict(self.strict),
            "first_cluster": self.counted.first_cluster,
            "p": self.counted.p,
        }


@dataclass(frozen=True, slots=True)
class ContrastRow:
    """A contrast, a category of them, or all; systems in the order of the evaluation."""

    category: str | None
    phenomenon: str | None
    items: int
    cells: tuple[ContrastCell, ...]

    @property
    def ranks(self) -> bool:
        """Whether every system has enough decided items to be compared."""
        return all(cell.decided >= SMALL for cell in self.cells)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a run."""
        return {
            "category": self.category,
            "phenomenon": self.phenomenon,
            "items": self.items,
            "ranks": self.ranks,
            "cells": [cell.to_dict() for cell in self.cells],
        }


def share(good: int, total: int) -> GoodShare:
    """A share with its interval."""
    if not total:
        return GoodShare(good, total, None, None, None)
    low, high = (float(end) for end in wilson(good, total))
    return GoodShare(good, total, good / total, low, high)


def contrast_rows(evaluation: Evaluation, by: By = "phenomenon") -> list[ContrastRow]:
    """A row for each contrast (phenomenon), category or both that has items, then one over all."""
    details = [row for row in evaluation.rows(by) if row.category is not None]
    reasons = _reasons(evaluation)
    made = [_row(evaluation, row, reasons) for row in (*details, evaluation.averages()[0])]
    return [row for row in made if row.items]


def _row(evaluation: Evaluation, row: Row, reasons_of_all: NDArray[np.int8]) -> ContrastRow:
    table = evaluation.table
    chosen = [evaluation.suite.items[position] for position in table.items.tolist()]
    inside = np.array(
        [row.category in (None, item.category) and row.phenomenon in (None, item.phenomenon) for item in chosen], bool
    )
    verdicts, reasons = table.verdicts[inside], reasons_of_all[inside]
    cells = [
        ContrastCell(
            system=counted.system,
            good=int((verdicts[:, column] == Verdict.PASS).sum()),
            bad=int((verdicts[:, column] == Verdict.FAIL).sum()),
            unknown=int((verdicts[:, column] == Verdict.WARNING).sum()),
            reasons={reason: int((reasons[:, column] == place).sum()) for place, reason in enumerate(REASONS)},
            counted=counted,
        )
        for column, counted in zip(evaluation.order, row.cells, strict=True)
    ]
    return ContrastRow(row.category, row.phenomenon, int(inside.sum()), tuple(cells))


def _reasons(evaluation: Evaluation) -> NDArray[np.int8]:
    """The place in REASONS of each verdict's reason, -1 for those that have none; items found × systems."""
    table = evaluation.table
    missing = REASONS.index("missing")
    known = [
        missing if found is None else REASONS.index(found.reason) if found.reason in REASONS else -1
        for found in table.findings
    ]
    codes = table.outputs.codes[table.items]
    return np.where(codes >= 0, np.array(known, np.int8)[codes], np.int8(missing))


@dataclass(frozen=True, slots=True)
class MeanRows:
    """The contrasts that a mean is over, and those left out because some system has nothing to divide by."""

    used: list[ContrastRow]
    dropped: list[ContrastRow]


def mean_rows(rows: Sequence[ContrastRow]) -> MeanRows:
    """The contrasts that rank, or all where none does, as far as they are defined for every system."""
    contrasts = [row for row in rows if row.phenomenon is not None]
    found = MeanRows([], [])
    for row in [row for row in contrasts if row.ranks] or contrasts:
        defined = all(cell.counted.accuracy is not None for cell in row.cells)
        (found.used if defined else found.dropped).append(row)
    return found


def means(rows: Sequence[ContrastRow], systems: int) -> list[float | None]:
    """For each system the mean accuracy over these contrasts; None where there are none."""
    found: list[float | None] = []
    for place in range(systems):
        values = [value for row in rows if (value := row.cells[place].counted.accuracy) is not None]
        found.append(sum(values) / len(values) if values else None)
    return found


def by_mean(means: Sequence[float | None], systems: Sequence[System]) -> list[int]:
    """Places of the systems, the highest mean first, then by name."""

    def key(place: int) -> tuple[float, str, str]:
        mean = means[place]
        return -round(-1.0 if mean is None else mean, ROUNDED), systems[place].name, systems[place].campaign

    return sorted(range(len(systems)), key=key)


def out_of_order(values: Sequence[float | None]) -> Iterator[bool]:
    """Whether each of the values is higher than the one before it."""
    before: float | None = None
    for value in values:
        yield before is not None and value is not None and value > before + TIE
        before = value if value is not None else before
