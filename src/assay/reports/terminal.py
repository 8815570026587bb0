"""A table as text: bold on a terminal, `*` where there is none, split into panels where it is too wide."""

import re
from collections.abc import Iterator, Sequence

from assay.reports.table import Table, TableRow

HEAD_WIDTH = 9
LONGEST_WORD = 14
GAP = "  "


def render(table: Table, *, width: int | None = None, ansi: bool = False) -> str:
    """The table as text no wider than `width` where that is possible."""
    heads = [_wrap(label) for label in table.columns]
    widths = [
        max(
            *(len(line) for line in head),
            *(
                len(row.cells[number].text) + (0 if ansi else len(table.star) * row.cells[number].strong)
                for row in table.rows
            ),
        )
        for number, head in enumerate(heads)
    ]
    labels = max(len(table.corner), *(len(row.label) for row in table.rows))
    panels = [_panel(table, heads, widths, labels, part, ansi) for part in _parts(widths, labels, width)]
    notes = [line for note in table.notes for line in _fold(note, width)]
    return "\n".join([table.title, "", *_join(panels), "", *notes]) + "\n"


def _join(panels: Sequence[list[str]]) -> Iterator[str]:
    for number, panel in enumerate(panels):
        if number:
            yield ""
        yield from panel


def _wrap(label: str) -> list[str]:
    """A heading broken after hyphens, underscores and spaces, so that columns stay narrow."""
    lines = [""]
    for piece in re.findall(rf"[^-_ ]{{1,{LONGEST_WORD}}}[-_ ]*|[-_ ]+", label):
        if len((lines[-1] + piece).rstrip()) <= HEAD_WIDTH:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.strip() for line in lines]


def _parts(widths: Sequence[int], labels: int, width: int | None) -> list[list[int]]:
    """Columns of each panel: the first (items) stands in all of them."""
    first, rest = 0, list(range(1, len(widths)))
    if width is None:
        return [[first, *rest]]
    parts: list[list[int]] = [[first]]
    room = start = width - labels - widths[first] - len(GAP)
    for column in rest:
        needed = widths[column] + len(GAP)
        if needed > room and len(parts[-1]) > 1:
            parts.append([first])
            room = start
        parts[-1].append(column)
        room -= needed
    return parts


def _panel(
    table: Table,
    heads: Sequence[Sequence[str]],
    widths: Sequence[int],
    labels: int,
    columns: Sequence[int],
    ansi: bool,
) -> list[str]:
    height = max(len(heads[column]) for column in columns)
    lines = []
    for level in range(height):
        label = table.corner if level == height - 1 else ""
        cells = []
        for column in columns:
            head = [""] * (height - len(heads[column])) + list(heads[column])
            line = head[level]
            cells.append(line.ljust(widths[column]) if table.is_text(column) else line.rjust(widths[column]))
        lines.append(_line(label.ljust(labels), cells))
    rule = "─" * (labels + sum(widths[column] + len(GAP) for column in columns))
    group = None
    for row in table.rows:
        if row.group != group:
            lines.append(rule)
            group = row.group
        lines.append(
            _line(row.label.ljust(labels), [_cell(table, row, column, widths[column], ansi) for column in columns])
        )
    return lines


def _line(label: str, cells: Sequence[str]) -> str:
    return GAP.join([label, *cells]).rstrip()


def _cell(table: Table, row: TableRow, column: int, width: int, ansi: bool) -> str:
    cell = row.cells[column]
    text = cell.text if ansi or not cell.strong else cell.text + table.star
    padded = text.ljust(width) if table.is_text(column) else text.rjust(width)
    return f"\x1b[1m{padded}\x1b[0m" if ansi and cell.strong else padded


def _fold(note: str, width: int | None) -> list[str]:
    if width is None or note.startswith("Signature: "):
        return [note]
    import textwrap

    return textwrap.wrap(note, width, break_long_words=False, break_on_hyphens=False, subsequent_indent="  ")
