"""A table as GitHub-flavoured Markdown, bold for the first cluster."""

import re

from assay.reports.table import Table


def render(table: Table) -> str:
    """The table with its notes as a list."""
    lines = [
        f"**{_escape(table.title)}**",
        "",
        "| " + " | ".join(_escape(name) for name in (table.corner, *table.columns)) + " |",
        "| --- |" + "".join(" --- |" if table.is_text(number) else " ---: |" for number in range(len(table.columns))),
    ]
    for row in table.rows:
        texts = [_escape(cell.text) if cell.value is None else cell.text for cell in row.cells]
        cells = [f"**{text}**" if cell.strong else text for text, cell in zip(texts, row.cells, strict=True)]
        label = _escape(row.label)
        if row.label.startswith(" "):
            label = "&nbsp;&nbsp;" + label.strip()
        lines.append("| " + " | ".join([label, *cells]) + " |")
    lines += ["", *(f"- {_note(note)}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    return re.sub(r"([\\|*_`\[\]])", r"\\\1", text).replace("<", "&lt;")


def _note(note: str) -> str:
    head, signature, rest = note.partition("Signature: ")
    return f"Signature: `{rest}`" if signature and not head else _escape(note)
