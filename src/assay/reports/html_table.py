"""Tables of an evaluation as HTML, for the report and for the pages of the workbench: the heat map with what its script
needs to know, the systems, and any table of the table model.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from markupsafe import Markup

from assay.evaluation import Cell, Evaluation
from assay.reports.html_templates import part
from assay.reports.table import Table, TableCell, percent
from assay.text import plural

DIGITS = 6
"""Decimals of the numbers in the page's data; the table itself shows one."""

_PARTS = "reports/parts.html"

_BREAKS = re.compile(r"[^-_./ ]{1,14}[-_./ ]*|[-_./ ]+")
"""Parts of a system's name that stay on one line in the head of a column."""

_LONG = re.compile(r"[^-_./ ]{15,}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def name_parts(name: str) -> list[str]:
    """Where a system's name may go on in the next line: behind a mark, and in a long word before a capital.

    `JDExplore|Academy`
    """
    humps = _HUMP.split(name) if _LONG.search(name) else [name]
    return [part for hump in humps for part in _BREAKS.findall(hump)]


def row_data(evaluation: Evaluation) -> list[dict[str, Any]]:
    """The numbers behind the cells of the heat map: an entry per row, its cells without their systems.

    Those of an estimate end with the interval for these very items.
    """
    # In rows of few items most cells have the same numbers.
    rounded: dict[tuple[float | None, ...], list[float | None]] = {}

    def cell_data(numbers: tuple[float | None, ...]) -> list[float | None]:
        if numbers not in rounded:
            rounded[numbers] = [round(value, DIGITS) if isinstance(value, float) else value for value in numbers]
        return rounded[numbers]

    def numbers_of(cell: Cell) -> tuple[float | None, ...]:
        return (*cell.numbers, cell.low_here, cell.high_here) if evaluation.basis else cell.numbers

    return [
        {**row.key_document(), "cells": [cell_data(numbers_of(cell)) for cell in row.cells]}
        for row in evaluation.rows("both")
    ]


def facts(evaluation: Evaluation) -> list[str]:
    """What stands under the title: who took part, what counts, and how it was tested."""
    suite, settings = evaluation.suite, evaluation.settings
    found = [
        suite.langpair,
        f"version {suite.version}" if suite.version else "",
        plural(len(evaluation.systems), "system"),
        f"{evaluation.items_counted:,} of {plural(len(suite), 'item')} count",
        f"policy {settings.policy}",
        f"{settings.test_name}, alpha {settings.alpha:g}",
    ]
    return [fact for fact in found if fact]


_HeatCell = tuple[str, str, str, str]
"""Text, look and style of a cell, and what the button says that opens it, empty where nothing opens. No record: a page
has thousands, and Jinja2 takes tuples apart quickly."""

_MOST_ROWS = 500
"""Rows that are kept as HTML: a judgement changes the numbers of a few rows, and the workbench shows all of them."""


def heat_table(evaluation: Evaluation, table: Table, *, styled: bool = True) -> Markup:
    """The heat map. Where a page may have no styles in it (`styled`), its script shades the cells from `row_data`."""
    shares = [share.text for share in table.rows[-1].cells[1:-1]]
    systems = zip(map(name_parts, evaluation.columns), shares, strict=True)
    return part(_PARTS, "heat_table")(table, systems, _heat_rows(evaluation, table, styled=styled))


def _heat_rows(evaluation: Evaluation, table: Table, *, styled: bool) -> Iterator[Markup]:
    rows, opened = evaluation.rows("both"), ""
    for number, shown in enumerate(table.rows):
        row = rows[number] if number < len(rows) else None
        opens = ""
        if row is None or row.level != "phenomenon":
            kind = "block" if row and row.level == "category" else shown.kind
            if kind == "block" or kind != opened:
                opens = opened = kind
        label = shown.label.strip()
        is_warnings = label == "warnings" and row is None
        numbers: Sequence[Cell | None] = row.cells if row else [None] * len(evaluation.columns)
        names = [f"{column}, {label}" if row or is_warnings else "" for column in evaluation.columns]
        cells = map(partial(_heat_cell, styled=styled), shown.cells[1:-1], numbers, names)
        texts = label, shown.cells[0].text, shown.cells[-1].text
        yield _heat_row(number, shown.kind, texts, tuple(cells), opens, is_warnings)


@lru_cache(_MOST_ROWS)
def _heat_row(
    number: int, kind: str, texts: tuple[str, str, str], cells: tuple[_HeatCell, ...], opens: str, is_warnings: bool
) -> Markup:
    """A row: label, count and mean, the cells of the systems, the kind of the block that begins there, and whether it
    counts warnings."""
    return part(_PARTS, "heat_row")(number, kind, *texts, cells, opens, is_warnings)


def _heat_cell(cell: TableCell, number: Cell | None, name: str, *, styled: bool) -> _HeatCell:
    """A cell that its `name` opens says all that its looks tell."""
    look, style, spoken = "cell strong" if cell.strong else "cell", "", ""
    if number is not None and cell.value is not None:
        look += " lower" if cell.value < 0.5 else " upper"
        if styled:
            bar = {"a": number.accuracy, "l": number.low, "h": number.high}
            style = ";".join(f"--{key}:{value:.3f}" for key, value in bar.items() if value is not None)
    if name:
        cluster = ", first cluster" if cell.strong else ""
        spoken = f"{name}: {'undefined' if cell.value is None else cell.text}{cluster}"
    return cell.text, look, style, spoken


SYSTEM_COLUMNS = ("outputs", "missing", "pass", "fail", "warning", "warnings, %", "costs alone")


def systems_section(evaluation: Evaluation) -> Markup:
    """What each system handed in, and who was left out."""
    systems = [
        (label, [*(f"{count:,}" for count in found.counts), percent(found.warning_share), f"{found.costs:,}"])
        for label, found in zip(evaluation.columns, evaluation.summaries, strict=True)
    ]
    excluded = [
        (f"{left.system.name} ({left.system.campaign})" if left.system.campaign else left.system.name, left.reason)
        for left in evaluation.excluded
    ]
    return part(_PARTS, "systems_section")(SYSTEM_COLUMNS, systems, excluded)


def table_section(table: Table) -> Markup:
    """Any table with its title and notes."""
    return part(_PARTS, "table_section")(table)
