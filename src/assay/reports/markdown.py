"""A table as GitHub-flavoured Markdown, bold for the first cluster, a sign for shaded cells."""

import re

from assay.reports.table import SHADED, Table, TableCell
from assay.result import Note


def render(table: Table) -> str:
    """The table with its notes as a list."""
    lines = [
        f"**{escaped(table.title)}**",
        "",
        "| " + " | ".join(escaped(name) for name in (table.corner, *table.heads)) + " |",
        "| --- |" + "".join(" --- |" if table.is_text(number) else " ---: |" for number in range(len(table.columns))),
    ]
    for row in table.rows:
        label = "&nbsp;&nbsp;" * row.indent + escaped(row.label)
        lines.append("| " + " | ".join([label, *map(_cell, row.cells)]) + " |")
    lines += ["", *(f"- {_note(note)}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def _cell(cell: TableCell) -> str:
    text = escaped(cell.text) if cell.value is None else cell.text
    return (SHADED if cell.shade else "") + (f"**{text}**" if cell.strong else text)


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\|*_`\[\]])", r"\\\1", text).replace("<", "&lt;")


def _note(note: Note) -> str:
    return f"{escaped(note.label)}: `{note.text}`" if note.is_signature else escaped(note.text)
