"""An evaluation as an Excel workbook with real numbers: a sheet per level, the systems, the verdicts, the notes.

Path("report.xlsx").write_bytes(render(evaluation))
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Literal

from assay.evaluation import Evaluation
from assay.evaluation.tally import AVERAGES
from assay.reports.table import DASH, Table, TableCell
from assay.verdicts import VERDICT_FIELDS

LONGEST_TEXT = 32_767
"""Excel's limit for a cell, in UTF-16 units; what is longer ends in an ellipsis."""

MOST_LINES = 1_048_575
"""Excel's limit for a sheet, without the head; what is more goes to further sheets."""

LONGEST_NAME = 31
"""Excel's limit for the name of a sheet."""

WIDEST = 60
"""Characters of a column; longer texts run over into empty cells or are cut off on the screen."""

Look = Literal["text", "indented", "count", "percent", "p", "decimal", "head"]

_NUMBER_FORMATS: dict[Look, str] = {"count": "#,##0", "percent": "0.0%", "p": "0.0000", "decimal": "0.0##"}


@dataclass(frozen=True, slots=True)
class SheetCell:
    """What stands in a cell of a sheet; None is nothing."""

    value: str | float | bool | None
    look: Look = "text"
    strong: bool = False
    shade: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Lines under a head. The first `fixed` columns stay in sight."""

    name: str
    head: Sequence[str]
    lines: Iterable[Sequence[SheetCell]]
    fixed: int
    filtered: bool = False


def render(evaluation: Evaluation, tables: Sequence[Table] = ()) -> bytes:
    """The workbook; each of the further tables is put on a sheet of its own."""
    return workbook(_sheets(evaluation, tables))


def workbook(sheets: Iterable[Sheet]) -> bytes:
    """A file with these sheets."""
    import xlsxwriter

    stream = BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        # Not the time of writing: the same results are the same file, whenever they are written.
        book.set_properties({"created": datetime(2000, 1, 1, tzinfo=UTC)})
        looks = _Looks(book)
        names: set[str] = set()
        for sheet in sheets:
            _write(book, looks, sheet, names)
    return stream.getvalue()


# What is on the sheets


def _sheets(evaluation: Evaluation, tables: Sequence[Table]) -> Iterator[Sheet]:
    yield _accuracies(evaluation, "category")
    yield _accuracies(evaluation, "phenomenon")
    yield _averages(evaluation)
    yield _systems(evaluation)
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
            *map(SheetCell, (AVERAGES[row.level], cell.system.name, cell.system.campaign)),
            SheetCell(row.items, "count"),
            *(SheetCell(getattr(cell, name), look, cell.first_cluster) for name, look in numbers.items()),
            SheetCell(cell.first_cluster),
        )
        for row in evaluation.averages()
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


# How they are written


class _Looks:
    """Formats of a workbook, each made once."""

    def __init__(self, workbook: Any) -> None:
        self._workbook = workbook
        self._made: dict[tuple[Look, bool, bool], Any] = {}

    def __call__(self, look: Look, *, strong: bool = False, shade: bool = False) -> Any:
        if (look, strong, shade) not in self._made:
            properties: dict[str, object] = {"bold": strong or look == "head", "indent": int(look == "indented")}
            if look == "head":
                properties |= {"bottom": 1, "text_wrap": True, "valign": "top"}
            if look in _NUMBER_FORMATS:
                properties["num_format"] = _NUMBER_FORMATS[look]
            if shade:
                properties["bg_color"] = "#D4D4D4"
            self._made[look, strong, shade] = self._workbook.add_format(properties)
        return self._made[look, strong, shade]


def _write(workbook: Any, looks: _Looks, sheet: Sheet, names: set[str]) -> None:
    """A sheet, or several where its lines are more than one can hold; `names` are those in use."""
    lines = iter(sheet.lines)
    line = next(lines, None)
    while True:
        page = workbook.add_worksheet(sheet_name(sheet.name, names))
        page.freeze_panes(1, sheet.fixed)
        for column, name in enumerate(sheet.head):
            page.write_string(0, column, shorten(name, LONGEST_TEXT), looks("head"))
        # Heads are wrapped, so a long one does not widen its column beyond 16 characters.
        widths = [max(8, min(len(name), 14) + 2) for name in sheet.head]
        number = 0
        while line is not None and number < MOST_LINES:
            number += 1
            for column, entry in enumerate(line):
                _write_entry(page, number, column, entry, looks)
                if isinstance(entry.value, str):
                    widths[column] = max(widths[column], len(entry.value) + 1)
            line = next(lines, None)
        for column, width in enumerate(widths):
            page.set_column(column, column, min(width, WIDEST))
        if sheet.filtered:
            page.autofilter(0, 0, number, len(sheet.head) - 1)
        if line is None:
            return


def _write_entry(page: Any, row: int, column: int, entry: SheetCell, looks: _Looks) -> None:
    value, look = entry.value, looks(entry.look, strong=entry.strong, shade=entry.shade)
    if value is None or value == "":
        return
    # Never `write`, which would take "=1+1" for a formula.
    if isinstance(value, str):
        page.write_string(row, column, shorten(value, LONGEST_TEXT), look)
    elif isinstance(value, bool):
        page.write_boolean(row, column, value, look)
    else:
        page.write_number(row, column, value, look)


def sheet_name(title: str, names: set[str]) -> str:
    r"""A title by Excel's rules: 31 characters without []:*?/\, no quote at its ends, unique whatever its case."""
    clean = " ".join(re.sub(r"[\[\]:*?/\\\x00-\x1f]+", " ", title).split()).strip(" '") or "table"
    if clean.casefold() == "history":  # Excel keeps this name for itself.
        clean = "history of"
    name, number = shorten(clean, LONGEST_NAME).strip(" '"), 2
    while name.casefold() in names:
        suffix = f" {number}"
        name, number = shorten(clean, LONGEST_NAME - len(suffix)) + suffix, number + 1
    names.add(name.casefold())
    return name


def shorten(text: str, limit: int) -> str:
    """The text in at most `limit` UTF-16 units, with an ellipsis where something was cut, without broken pairs."""
    if text.isascii() and len(text) <= limit:
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * limit:
        return units.decode("utf-16-le", "replace")
    return units[: 2 * (limit - 1)].decode("utf-16-le", "ignore").rstrip() + "…"
