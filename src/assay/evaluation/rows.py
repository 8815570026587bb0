"""Rows of an evaluation: for each category, phenomenon and average a cell per system, with interval, bounds and test.

    order = table_order(tallies, systems)
    rows = rows_by_level(tallies, grouping, tested, systems, order)
    rows["category"][0].cells[0].accuracy

Numbers are counted for all systems at once, as arrays of rows × systems in the order of the verdict table; a cell takes
its own out of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from assay.errors import UnknownName
from assay.evaluation.significance import MEAN_OF, Significance, defined, macro_means
from assay.evaluation.tally import OVER_GROUPS, OVER_TIERS, Grouping, Level, Share, Tally
from assay.outputs import System
from assay.result import BY, By
from assay.stats.proportions import Floats, divide, macro_interval, wilson

if TYPE_CHECKING:
    from assay.evaluation.document import CellDocument, KeyDocument, RowDocument

RowKey = tuple[Level, str | None, str | None]
"""Level, category and phenomenon, which tell rows apart."""

COUNTED = ("correct", "total", "accuracy", "low", "high", "lower_bound", "upper_bound")
"""The numbers of a cell that come from counting, as opposed to testing."""

CELL_NUMBERS = (*COUNTED, "first_cluster", "p")
"""All numbers of a cell, in the order of the data formats and of `assets/heatmap.js`."""

HERE = ("low_here", "high_here")
"""Further numbers of the cells of an estimate."""

_numbers = attrgetter(*CELL_NUMBERS)

SMALL = 20
"""Rows with fewer items are flagged (†): the z-test means little on them."""

LEAST_NAMED = 5
"""Sentences name no row with fewer items: one or two of them would decide which is the best or the worst."""

ROUNDED = 12
"""Decimals at which means are compared: means of the same cells in another order differ by rounding."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One system in one row. `None` is undefined: nothing counted, or not a number that this row has.

    `low` and `high` are the 95 % interval of the accuracy; `lower_bound` and `upper_bound` the accuracy over all
    items found with every warning failed, or passed. `p` is that of the test against the row's best, corrected where
    that was asked for; the best itself has none. `low_here` and `high_here` are for these very items: an estimate is
    uncertain even of them.
    """

    system: System
    correct: int | None
    total: int | None
    accuracy: float | None
    low: float | None
    high: float | None
    lower_bound: float | None
    upper_bound: float | None
    first_cluster: bool
    p: float | None
    low_here: float | None = None
    high_here: float | None = None

    @property
    def numbers(self) -> tuple[float | None, ...]:
        """Everything but the system, in the order of `CELL_NUMBERS`."""
        found: tuple[float | None, ...] = _numbers(self)
        return found

    def to_dict(self) -> "CellDocument":
        """As in the JSON of an evaluation."""
        numbers = dict(zip(CELL_NUMBERS, self.numbers, strict=True))
        if self.low_here is not None:
            numbers |= {"low_here": self.low_here, "high_here": self.high_here}
        return cast("CellDocument", {"system": self.system.name, "campaign": self.system.campaign, **numbers})


@dataclass(frozen=True, slots=True)
class KeyedRow:
    """What a row is about: a category, a phenomenon or, where both are None, an average."""

    level: Level
    category: str | None
    phenomenon: str | None

    @property
    def key(self) -> RowKey:
        return self.level, self.category, self.phenomenon

    def key_document(self) -> "KeyDocument":
        """As rows begin in all JSON."""
        return {"level": self.level, "category": self.category, "phenomenon": self.phenomenon}


@dataclass(frozen=True, slots=True)
class Row(KeyedRow):
    """One line of the table. `items` is the number of items that count."""

    items: int
    cells: tuple[Cell, ...]
    average: float | None

    @property
    def is_small(self) -> bool:
        """Whether a test means little here; a row without items has none."""
        return 0 < self.items < SMALL

    def to_dict(self) -> "RowDocument":
        """As in the JSON of an evaluation."""
        cells = [cell.to_dict() for cell in self.cells]
        return {**self.key_document(), "count": self.items, "cells": cells, "average": self.average}


R = TypeVar("R", bound=KeyedRow)


@dataclass(frozen=True)
class RowsByLevel(Generic[R]):
    """A result with all rows and averages by their level."""

    levels: Mapping[Level, list[R]] = field(repr=False)

    def rows(self, by: By = "both") -> list[R]:
        """Rows of categories, phenomena or both, each category before its phenomena, the averages, tiers and groups."""
        return [*self.detail_rows(by), *self.averages(), *self.over_tiers(), *self.over_groups()]

    def detail_rows(self, by: By) -> list[R]:
        """The same without the averages."""
        if by not in BY:
            raise UnknownName("level", by, BY)
        if by != "both":
            return self.levels[by]
        below: dict[str | None, list[R]] = {row.category: [row] for row in self.levels["category"]}
        for row in self.levels["phenomenon"]:
            below[row.category].append(row)
        return [row for rows in below.values() for row in rows]

    def averages(self) -> list[R]:
        """The micro, category macro and phenomenon macro row."""
        return [*self.levels["micro"], *self.levels["category_macro"], *self.levels["phenomenon_macro"]]

    def over_tiers(self) -> list[R]:
        """The rows of tiers; none where there is only one."""
        return self._beside(OVER_TIERS)

    def over_groups(self) -> list[R]:
        """The rows that count groups of items; none where the suite has no groups."""
        return self._beside(OVER_GROUPS)

    def _beside(self, levels: Iterable[str]) -> list[R]:
        return [row for level in levels for row in self.levels.get(cast(Level, level), ())]


def table_order(tallies: Mapping[Level, Tally], systems: Sequence[System]) -> list[int]:
    """Columns of the verdict table in table order: the best first, then by name."""
    return in_order(column_ranks(tallies), systems)


def in_order(ranks: Sequence[tuple[float, float]], systems: Sequence[System]) -> list[int]:
    """Columns by their ranks, then by name."""
    return sorted(
        range(len(systems)), key=lambda column: (*ranks[column], systems[column].name, systems[column].campaign)
    )


def column_ranks(shares: Mapping[Level, Share]) -> list[tuple[float, float]]:
    """What the columns of a table are ordered by: category macro, then micro; negative, so that the best is first."""
    return ranks_of(macro_means(shares["category"]), _accuracy(shares["micro"])[0])


def ranks_of(macro: Floats, micro: Floats) -> list[tuple[float, float]]:
    """The same of these means."""
    means = (-np.round(np.nan_to_num(values, nan=-1), ROUNDED) for values in (macro, micro))
    return list(zip(*(values.tolist() for values in means), strict=True))


def rows_by_level(
    tallies: Mapping[Level, Tally],
    grouping: Mapping[Level, Grouping],
    tested: Mapping[Level, Significance],
    systems: Sequence[System],
    order: Sequence[int],
    estimated: Mapping[Level, Mapping[str, Floats]] | None = None,
    *,
    effects: Mapping[Level, Floats],
) -> dict[Level, list[Row]]:
    """All rows there are, the macro-averages as levels of a single one; cells in this order of the systems.

    `estimated` are numbers that take the place of counted ones, `effects` the design effects of rows.
    """
    names: dict[Level, list[tuple[str | None, str | None]]] = {level: grouping[level].names for level in tallies}
    numbers = {level: _counted(tally, effects[level]) for level, tally in tallies.items()}
    items: dict[Level, list[int]] = {level: tally.items.tolist() for level, tally in tallies.items()}
    for macro, level in MEAN_OF.items():
        names[macro], items[macro] = [(None, None)], items["micro"]
        numbers[macro] = _means(tallies[level], float(effects[macro][0]))
    for level in estimated or ():
        numbers[level] = {**numbers[level], **(estimated or {})[level]}
    chosen = [systems[column] for column in order]
    return {
        level: [
            Row(level, category, phenomenon, count, cells, mean_of(cell.accuracy for cell in cells))
            for (category, phenomenon), count, cells in zip(
                names[level], items[level], _cells(numbers[level], tested[level], chosen, order), strict=True
            )
        ]
        for level in numbers
    }


def _counted(tally: Tally, effects: Floats) -> dict[str, NDArray[Any]]:
    """The numbers of a level whose rows are counts: Wilson's interval, and bounds over all items found."""
    low, high = wilson(tally.correct / effects[:, None], tally.total / effects[:, None])
    return {
        "correct": tally.correct,
        "total": tally.total,
        "accuracy": _accuracy(tally),
        "low": low,
        "high": high,
        "lower_bound": divide(tally.passes, tally.found[:, None]),
        "upper_bound": divide(tally.passes + tally.warnings, tally.found[:, None]),
    }


def _means(tally: Tally, effect: float) -> dict[str, NDArray[Any]]:
    """The numbers of the mean over the rows of a level, which has neither counts nor bounds."""
    kept = defined(tally)
    undefined = np.full((1, tally.total.shape[1]), np.nan)
    low, high = undefined, undefined
    if len(kept):
        low, high = macro_interval(tally.correct[kept] / effect, tally.total[kept] / effect)
    known = {"accuracy": macro_means(tally), "low": low, "high": high}
    return {name: known[name].reshape(1, -1) if name in known else undefined for name in COUNTED}


def _cells(
    numbers: Mapping[str, NDArray[Any]], tested: Significance, systems: Sequence[System], order: Sequence[int]
) -> list[tuple[Cell, ...]]:
    """Cells of every row of a level, systems in table order."""
    found = {**numbers, "first_cluster": tested.cluster, "p": tested.p}
    names = (*CELL_NUMBERS, *(name for name in HERE if name in numbers))
    columns = [plain_numbers(found[name][:, list(order)]) for name in names]
    return [tuple(Cell(*values) for values in zip(systems, *row, strict=True)) for row in zip(*columns, strict=True)]


def _accuracy(counts: Share) -> Floats:
    return divide(counts.correct, counts.total)


def plain_numbers(array: NDArray[Any]) -> list[Any]:
    """Python numbers, NaN as None."""
    values = array.astype(object)
    if array.dtype.kind == "f":
        values[np.isnan(array)] = None
    return list(values.tolist())


def mean_of(values: Iterable[float | None]) -> float | None:
    """Unweighted mean of what is defined."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
