"""Good, bad and unknown: what the verdicts of contrasts count up to.

    for row in contrast_rows(evaluation):
        for cell in row.cells:
            cell.own.value, cell.strict.value  # Good/(Good+Bad), Good/all

Good is a pass, bad a fail, unknown a warning. A row in which some system has few decided items ranks nobody.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.evaluation import By, Cell, Evaluation, Row
from assay.outputs import System
from assay.stats.proportions import wilson
from assay.verdicts import Reason, Verdict

SMALL = 30
"""Rows in which a system has fewer decided items rank nobody."""

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


def share(good: int, total: int) -> GoodShare:
    """A share with its interval."""
    if not total:
        return GoodShare(good, total, None, None, None)
    low, high = (float(end) for end in wilson(good, total))
    return GoodShare(good, total, good / total, low, high)


def contrast_rows(evaluation: Evaluation, by: By = "phenomenon") -> list[ContrastRow]:
    """A row for each contrast (phenomenon), category or both that has items, then one over all."""
    details = [row for row in evaluation.rows(by) if row.category is not None]
    made = [_row(evaluation, row) for row in (*details, evaluation.averages()[0])]
    return [row for row in made if row.items]


def _row(evaluation: Evaluation, row: Row) -> ContrastRow:
    table = evaluation.table
    chosen = [evaluation.suite.items[position] for position in table.items.tolist()]
    inside = np.array(
        [row.category in (None, item.category) and row.phenomenon in (None, item.phenomenon) for item in chosen], bool
    )
    verdicts, reasons = table.verdicts[inside], _reasons(evaluation)[inside]
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


def means(evaluation: Evaluation) -> list[float | None]:
    """For each system the mean accuracy over the same contrasts, those of `mean_rows`; None where there are none."""
    rows = mean_rows(evaluation).used
    found: list[float | None] = []
    for place in range(len(evaluation.systems)):
        values = [value for row in rows if (value := row.cells[place].counted.accuracy) is not None]
        found.append(sum(values) / len(values) if values else None)
    return found


@dataclass(frozen=True, slots=True)
class MeanRows:
    """The contrasts that a mean is over, and those left out because some system has nothing to divide by."""

    used: list[ContrastRow]
    dropped: list[ContrastRow]


def mean_rows(evaluation: Evaluation) -> MeanRows:
    """The contrasts that rank, or all where none does, as far as they are defined for every system."""
    rows = [row for row in contrast_rows(evaluation) if row.phenomenon is not None]
    found = MeanRows([], [])
    for row in [row for row in rows if row.ranks] or rows:
        defined = all(cell.counted.accuracy is not None for cell in row.cells)
        (found.used if defined else found.dropped).append(row)
    return found


def by_mean(evaluation: Evaluation) -> list[int]:
    """Places of the systems, the highest mean first, then by name."""
    found = means(evaluation)
    systems = evaluation.systems

    def key(place: int) -> tuple[float, str, str]:
        mean = found[place]
        return -round(-1.0 if mean is None else mean, 12), systems[place].name, systems[place].campaign

    return sorted(range(len(systems)), key=key)


def out_of_order(values: Sequence[float | None]) -> Iterator[bool]:
    """Whether each of the values is higher than the one before it."""
    before: float | None = None
    for value in values:
        yield before is not None and value is not None and value > before + 1e-12
        before = value if value is not None else before


__all__ = [
    "REASONS",
    "SMALL",
    "ContrastCell",
    "ContrastRow",
    "GoodShare",
    "MeanRows",
    "by_mean",
    "contrast_rows",
    "mean_rows",
    "means",
    "out_of_order",
    "share",
]
