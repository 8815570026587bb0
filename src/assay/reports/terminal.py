"""A table as text: bold on a terminal, `*` where there is none, split into panels where it is too wide."""

import re
from collections.abc import Sequence
from dataclasses import replace

from assay.reports.table import Table, TableRow
from assay.result import Note
from assay.text import visible

HEAD_WIDTH = 9
"""Characters of a line of a heading, which keeps columns about as narrow as their numbers."""

LONGEST_WORD = 14
"""Words of a heading that are longer are broken anywhere."""

GAP = "  "
"""Between columns."""


def render(table: Table, *, width: int | None = None, ansi: bool = False) -> str:
    """The table as text no wider than `width` where that is possible."""
    table = _visible(table)
    heads = [_wrap(label) for label in table.columns]
    widths = [
        max(
            *(len(line) for line in head),
            *(len(row.cells[number].marked("" if ansi else table.star)) for row in table.rows),
        )
        for number, head in enumerate(heads)
    ]
    labels = max(len(table.corner), *(len(row.indented_label) for row in table.rows))
    parts = _parts(table, widths, labels, width)
    panels = [_panel(table, heads, _widened(table, widths, part), labels, part, ansi) for part in parts]
    notes = [line for note in table.notes for line in _fold(note, width)]
    return "\n".join([table.title, "", "\n\n".join(map("\n".join, panels)), "", *notes]) + "\n"


def _visible(table: Table) -> Table:
    """The table with names and texts that a terminal shows and does not obey."""
    texts = (table.title, *table.columns, *table.groups)
    inside = (text for row in table.rows for text in (row.label, *(cell.text for cell in row.cells)))
    whole = "".join((*texts, *inside))
    if visible(whole) == whole:
        return table
    rows = (
        replace(
            row,
            label=visible(row.label),
            cells=tuple(replace(cell, text=visible(cell.text)) for cell in row.cells),
        )
        for row in table.rows
    )
    return replace(
        table,
        title=visible(table.title),
        columns=tuple(map(visible, table.columns)),
        groups=tuple(map(visible, table.groups)),
        rows=tuple(rows),
    )


def _wrap(label: str) -> list[str]:
    """A heading broken after hyphens, underscores and spaces, so that columns stay narrow."""
    lines = [""]
    for piece in re.findall(rf"[^-_ ]{{1,{LONGEST_WORD}}}[-_ ]*|[-_ ]+", label):
        if len((lines[-1] + piece).rstrip()) <= HEAD_WIDTH:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.strip() for line in lines]


def _parts(table: Table, widths: Sequence[int], labels: int, width: int | None) -> list[list[int]]:
    """Columns of each panel: the first (items) stands in all of them, and each has at least one more."""
    first, rest = 0, list(range(1, len(widths)))
    if width is None:
        return [[first, *rest]]
    parts: list[list[int]] = [[first]]
    for column in rest:
        wanted = [*parts[-1], column]
        if len(wanted) > 2 and labels + _span(_widened(table, widths, wanted), wanted) > width:
            parts.append([first, column])
        else:
            parts[-1] = wanted
    return parts


def _span(widths: Sequence[int], columns: Sequence[int]) -> int:
    """Of columns with the gaps before them."""
    return sum(widths[column] + len(GAP) for column in columns)


def _widened(table: Table, widths: Sequence[int], columns: Sequence[int]) -> list[int]:
    """Widths with room for the names of groups above their columns."""
    wider = list(widths)
    for group, run in table.runs(columns):
        wider[run[-1]] += max(0, len(group) + len(GAP) - _span(wider, run))
    return wider


def _panel(
    table: Table,
    heads: Sequence[Sequence[str]],
    widths: Sequence[int],
    labels: int,
    columns: Sequence[int],
    ansi: bool,
) -> list[str]:
    height = max(len(heads[column]) for column in columns)
    lines = _group_line(table, widths, labels, columns)
    for level in range(height):
        label = table.corner if level == height - 1 else ""
        cells = []
        for column in columns:
            head = [""] * (height - len(heads[column])) + list(heads[column])
            line = head[level]
            cells.append(line.ljust(widths[column]) if table.is_text(column) else line.rjust(widths[column]))
        lines.append(_line(label.ljust(labels), cells))
    rule = "─" * (labels + _span(widths, columns))
    group = None
    for row in table.rows:
        if row.group != group:
            lines.append(rule)
            group = row.group
        lines.append(
            _line(
                row.indented_label.ljust(labels),
                [_cell(table, row, column, widths[column], ansi) for column in columns],
            )
        )
    return lines


def _group_line(table: Table, widths: Sequence[int], labels: int, columns: Sequence[int]) -> list[str]:
    """The names of groups, each with a stroke over its columns."""
    names = []
    for group, run in table.runs(columns):
        width = _span(widths, run) - len(GAP)
        names.append(f"{group} ".ljust(width, "─")[:width] if group else " " * width)
    line = _line(" " * labels, names)
    return [line] if line else []


def _line(label: str, cells: Sequence[str]) -> str:
    return GAP.join([label, *cells]).rstrip()


def _cell(table: Table, row: TableRow, column: int, width: int, ansi: bool) -> str:
    cell = row.cells[column]
    text = cell.marked("" if ansi else table.star)
    padded = text.ljust(width) if table.is_text(column) else text.rjust(width)
    return f"\x1b[1m{padded}\x1b[0m" if ansi and cell.strong else padded


def _fold(note: Note, width: int | None) -> list[str]:
    if width is None or note.is_signature:
        return [visible(str(note))]
    import textwrap

    return textwrap.wrap(
        visible(note.text), width, break_long_words=False, break_on_hyphens=False, subsequent_indent="  "
    )
