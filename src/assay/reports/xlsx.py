"""An evaluation as an Excel workbook with real numbers: a sheet per level, the systems, the verdicts, the notes.

Path("report.xlsx").write_bytes(render(evaluation))
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from assay.evaluation import Evaluation
from assay.reports.table import DASH, Table, TableCell, row_label
from assay.spreadsheet import Look, Sheet, SheetCell, workbook
from assay.verdicts import VERDICT_FIELDS


def render(evaluation: Evaluation, tables: Sequence[Table] = ()) -> bytes:
    """The workbook; each of the further tables is put on a sheet of its own."""
    return workbook(_sheets(evaluation, tables))


def _sheets(evaluation: Evaluation, tables: Sequence[Table]) -> Iterator[Sheet]:
    yield _accuracies(evaluation, "category")
    yield _accuracies(evaluation, "phenomenon")
    yield _averages(evaluation)
    yield _systems(evaluation)
    if evaluation.labels and not any(table.corner == "label" for table in tables):
        from assay.reports.labels import labels_table

        yield table_sheet(replace(labels_table(evaluation), title="labels"))
    lines = (tuple(SheetCell(value) for value in judged.record().values()) for judged in evaluation.table)
    yield Sheet("verdicts", VERDICT_FIELDS, lines, fixed=2, filtered=True)
    yield _notes(evaluation, tables)
    yield from map(table_sheet, tables)


def _accuracies(evaluation: Evaluation, level: Literal["category", "phenomenon"]) -> Sheet:
    names = ("category",) if level == "category" else ("category", "phenomenon")
    lines = [
        (
            *(SheetCell(getattr(row, name)) for name in names),
            SheetCell(row.items, "count"),
            *(SheetCell(cell.accuracy, "percent", cell.first_cluster) for cell in row.cells),
            SheetCell(row.average, "percent"),
        )
        for row in evaluation.rows(level)
        if row.category is not None
    ]
    title = "categories" if level == "category" else "phenomena"
    return Sheet(title, (*names, "items", *evaluation.columns, "mean"), lines, fixed=len(names))


def _averages(evaluation: Evaluation) -> Sheet:
    numbers: dict[str, Look] = {
        **dict.fromkeys(("correct", "total"), "count"),
        **dict.fromkeys(("accuracy", "low", "high", "lower_bound", "upper_bound"), "percent"),
        "p": "p",
    }
    lines = [
        (
            *map(SheetCell, (row_label(*row.key), cell.system.name, cell.system.campaign)),
            SheetCell(row.items, "count"),
            *(SheetCell(getattr(cell, name), look, cell.first_cluster) for name, look in numbers.items()),
            SheetCell(cell.first_cluster),
        )
        for row in (*evaluation.averages(), *evaluation.over_tiers(), *evaluation.over_groups())
        for cell in row.cells
    ]
    head = ("average", "system", "campaign", "items", *(name.replace("_", " ") for name in numbers), "first cluster")
    return Sheet("averages", head, lines, fixed=2, filtered=True)


def _systems(evaluation: Evaluation) -> Sheet:
    head = ("system", "campaign", "outputs", "missing", "pass", "fail", "warning", "warning share", "costs", "left out")
    lines = [
        (
            *map(SheetCell, (summary.system.name, summary.system.campaign)),
            *(SheetCell(number, "count") for number in summary.counts),
            SheetCell(summary.warning_share, "percent"),
            SheetCell(summary.costs, "count"),
        )
        for summary in evaluation.summaries
    ]
    left_out = [
        (*map(SheetCell, (left.system.name, left.system.campaign, *[None] * 7, left.reason)),)
        for left in evaluation.excluded
    ]
    return Sheet("systems", head, [*lines, *left_out], fixed=1)


def _notes(evaluation: Evaluation, tables: Sequence[Table]) -> Sheet:
    """What the reader must know, with the signature; notes that further tables share with the first stand once."""
    main = evaluation.notes()
    notes = [("", str(note)) for note in main]
    notes += [(table.title, str(note)) for table in tables for note in table.notes if note not in main]
    return Sheet("notes", ("table", "note"), [tuple(map(SheetCell, pair)) for pair in notes], fixed=0)


def table_sheet(table: Table, name: str = "") -> Sheet:
    """Any table on a sheet, which has its title unless it is given a name."""
    lines = [
        (SheetCell(row.label.strip(), "indented" if row.indent else "text"), *map(_entry, row.cells))
        for row in table.rows
    ]
    return Sheet(name or table.title, (table.corner, *table.heads), lines, fixed=1)


def _entry(cell: TableCell) -> SheetCell:
    """The number behind a cell of a table, in the look that its text has; 0.878 that is printed 87.8 is a share."""
    if cell.value is None:
        return SheetCell(None if cell.text == DASH else cell.text, "text", cell.strong, cell.shade)
    printed = re.fullmatch(r"([-+−]?[\d,]+(\.\d+)?)\D*", cell.text)
    if printed is None:
        return SheetCell(cell.value, "decimal", cell.strong, cell.shade)
    number = float(printed[1].replace(",", "").replace("−", "-"))
    # 0.8777 is printed as 87.8: off by at most half a tenth, and by what that is rounded to in binary.
    is_share = re.search(r"\.\d$", printed[1]) and math.isclose(number, 100 * cell.value, abs_tol=0.051)
    look: Look = "percent" if is_share else "decimal" if "." in printed[1] else "count"
    return SheetCell(cell.value, look, cell.strong, cell.shade)
