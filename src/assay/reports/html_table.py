"""Tables of an evaluation as HTML, for the report and for the pages of the workbench: the heat map with what its script
needs to know, the systems, and any table of the table model.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from assay.evaluation import Cell, Evaluation, Row
from assay.reports.table import Table, TableCell, TableRow, percent

DIGITS = 6
"""Decimals of the numbers in the page's data; the table itself shows one."""

_BREAKS = re.compile(r"[^-_./ ]{1,14}[-_./ ]*|[-_./ ]+")
"""Parts of a system's name that stay on one line in the head of a column."""


def row_data(evaluation: Evaluation) -> list[dict[str, Any]]:
    """The numbers behind the cells of the heat map: an entry per row, its cells without their systems."""
    return [
        {
            "level": row.level,
            "category": row.category,
            "phenomenon": row.phenomenon,
            "cells": [
                [round(value, DIGITS) if isinstance(value, float) else value for value in cell.numbers]
                for cell in row.cells
            ],
        }
        for row in evaluation.rows("both")
    ]


def facts(evaluation: Evaluation) -> list[str]:
    """What stands under the title: who took part, what counts, and how it was tested."""
    suite, settings = evaluation.suite, evaluation.settings
    found = [
        suite.langpair,
        f"version {suite.version}" if suite.version else "",
        _number(len(evaluation.systems), "system"),
        f"{evaluation.items_counted:,} of {_number(len(suite), 'item')} count",
        f"policy {settings.policy}",
        f"{settings.test}, alpha {settings.alpha:g}",
    ]
    return [fact for fact in found if fact]


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def icon(verdict: str) -> str:
    """The shape of a verdict; the page has it as a symbol."""
    return f'<svg class="icon {verdict}" aria-hidden="true"><use href="#{verdict}"/></svg>'


def note_list(notes: Iterable[str], name: str = "") -> Iterator[str]:
    """Notes under a table, where there are any."""
    lines = [f"<li>{escape(note)}</li>" for note in notes]
    if lines:
        yield '<ul class="notes"' + (f' id="{name}">' if name else ">") + "".join(lines) + "</ul>"


def heat_table(evaluation: Evaluation, table: Table, *, styled: bool = True) -> Iterator[str]:
    """The heat map. Where a page may have no styles in it (`styled`), its script shades the cells from `row_data`."""
    rows, warnings = evaluation.rows("both"), table.rows[-1]
    yield '<table class="accuracy">'
    yield f'<caption class="unseen">{escape(table.title)}</caption>'
    yield "<thead><tr>"
    yield _sortable(table.corner, "label")
    yield _sortable(table.columns[0], "count")
    for column, (label, share) in enumerate(zip(evaluation.columns, warnings.cells[1:-1], strict=True)):
        note = (
            f' <span class="warned" title="outputs with a warning, per cent">{icon("warning")}{share.text}'
            '<span class="unseen"> per cent warnings</span></span>'
        )
        yield _sortable(label, "system", column=column, note=note)
    yield _sortable(table.columns[-1], "mean")
    yield "</tr></thead>"
    opened = None
    for number, shown in enumerate(table.rows):
        row = rows[number] if number < len(rows) else None
        if row is None or row.level != "phenomenon":
            kind = "block" if row and row.level == "category" else shown.kind
            if kind == "block" or kind != opened:
                yield f'<tbody class="{kind}">'
                opened = kind
        yield _accuracy_row(evaluation.columns, number, shown, row, styled=styled)
    yield "</table>"


def _sortable(label: str, name: str, *, column: int | None = None, note: str = "") -> str:
    place = "" if column is None else f' data-column="{column}"'
    text = "<wbr>".join(escape(part) for part in _BREAKS.findall(label))
    return f'<th scope="col" class="{name}"{place}><button type="button">{text}</button>{note}</th>'


def _accuracy_row(columns: Sequence[str], number: int, shown: TableRow, row: Row | None, *, styled: bool) -> str:
    label = shown.label.strip()
    text = escape(label)
    if shown.kind == "category":
        text = f'<button type="button" class="toggle" aria-expanded="false">{text}</button>'
    scope = "rowgroup" if shown.kind == "category" else "row"
    first, *cells, last = shown.cells
    numbers: Sequence[Cell | None] = row.cells if row else [None] * len(cells)
    verdict = ' data-verdict="warning"' if label == "warnings" and row is None else ""
    made = []
    for column, cell in enumerate(cells):
        content = escape(cell.text)
        if row or verdict:
            content = _opener(f"{columns[column]}, {label}", cell)
        made.append(_accuracy_cell(cell, numbers[column], column, content, styled=styled))
    return (
        f'<tr class="{shown.kind}" data-row="{number}"{verdict}><th scope="{scope}">{text}</th>'
        f'<td class="count">{escape(first.text)}</td>{"".join(made)}<td class="mean">{escape(last.text)}</td></tr>'
    )


def _opener(name: str, cell: TableCell) -> str:
    """The button that opens a cell; it says all that the looks of the cell tell."""
    text = escape(cell.text)
    spoken = "undefined" if cell.value is None else text
    cluster = ", first cluster" if cell.strong else ""
    return f'<button type="button" aria-label="{escape(name)}: {spoken}{cluster}">{text}</button>'


def _accuracy_cell(cell: TableCell, number: Cell | None, column: int, content: str, *, styled: bool) -> str:
    names, style = ["cell"], ""
    if cell.strong:
        names.append("strong")
    if number is not None and cell.value is not None:
        names.append("lower" if cell.value < 0.5 else "upper")
        bar = {"a": number.accuracy, "l": number.low, "h": number.high}
        shade = ";".join(f"--{key}:{value:.3f}" for key, value in bar.items() if value is not None)
        style = f' style="{shade}"' if styled else ""
    return f'<td class="{" ".join(names)}" data-column="{column}"{style}>{content}</td>'


SYSTEM_COLUMNS = ("outputs", "missing", "pass", "fail", "warning", "warnings, %", "costs alone")


def systems_section(evaluation: Evaluation) -> Iterator[str]:
    """What each system handed in, and who was left out."""
    yield '<section aria-labelledby="systems-title"><h2 id="systems-title">Systems</h2>'
    yield '<div class="scroll" role="region" aria-labelledby="systems-title" tabindex="0"><table class="plain">'
    heads = "".join(
        f'<th scope="col">{icon(name) if name in ("pass", "fail", "warning") else ""}{name}</th>'
        for name in SYSTEM_COLUMNS
    )
    yield f'<thead><tr><th scope="col">system</th>{heads}</tr></thead><tbody>'
    for label, summary in zip(evaluation.columns, evaluation.summaries, strict=True):
        counts = (summary.outputs, summary.missing, summary.passed, summary.failed, summary.warnings)
        numbers = [*(f"{count:,}" for count in counts), percent(summary.warning_share), f"{summary.costs:,}"]
        cells = "".join(f"<td>{number}</td>" for number in numbers)
        yield f'<tr><th scope="row">{escape(label)}</th>{cells}</tr>'
    for left in evaluation.excluded:
        name = f"{left.system.name} ({left.system.campaign})" if left.system.campaign else left.system.name
        yield (
            f'<tr class="left-out"><th scope="row">{escape(name)}</th>'
            f'<td colspan="{len(SYSTEM_COLUMNS)}">left out: {escape(left.reason)}</td></tr>'
        )
    yield "</tbody></table></div>"
    yield from note_list(
        ["Costs alone: items that count for nobody under policy fair because of this system's warnings alone."]
    )
    yield "</section>"


def table_section(table: Table) -> Iterator[str]:
    """Any table with its title and notes."""
    yield f"<section><h2>{escape(table.title)}</h2>"
    yield f'<div class="scroll" role="region" aria-label="{escape(table.title)}" tabindex="0"><table class="plain">'
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in (table.corner, *table.columns))
    yield f"<thead>{_group_line(table)}<tr>{heads}</tr></thead>"
    opened = None
    for row in table.rows:
        if row.group != opened:
            yield "<tbody>"
            opened = row.group
        cells = "".join(map(_plain_cell, row.cells))
        indent = ' class="indent"' if row.label.startswith(" ") else ""
        yield f'<tr{indent}><th scope="row">{escape(row.label.strip())}</th>{cells}</tr>'
    yield "</table></div>"
    yield from note_list(table.notes)
    yield "</section>"


def _group_line(table: Table) -> str:
    """The names of groups over their columns."""
    heads = "".join(
        f'<th scope="colgroup" class="group" colspan="{len(run)}">{escape(group)}</th>'
        if group
        else f'<td colspan="{len(run)}"></td>'
        for group, run in table.runs(range(len(table.columns)))
    )
    return f"<tr><td></td>{heads}</tr>" if heads else ""


def _plain_cell(cell: TableCell) -> str:
    names = " ".join(name for name, is_so in (("strong", cell.strong), ("shade", cell.shade)) if is_so)
    look = f' class="{names}"' if names else ""
    hint = f' title="{escape(cell.hint)}"' if cell.hint else ""
    return f"<td{look}{hint}>{escape(cell.text)}</td>"
