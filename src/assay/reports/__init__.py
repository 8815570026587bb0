"""Any result as a table or data in any format.

print(render(evaluation, "markdown", by="both"))
"""

from typing import Literal, get_args

from assay.evaluation import By, Evaluation
from assay.model import UnknownName
from assay.reports.table import Table, accuracy_table

Format = Literal["table", "markdown", "csv", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)

SUFFIXES: dict[str, Format] = {".txt": "table", ".md": "markdown", ".csv": "csv", ".json": "json"}
"""The format that a file name asks for."""


def render(
    evaluation: Evaluation,
    format: Format = "table",
    *,
    by: By | None = None,
    width: int | None = None,
    ansi: bool = False,
) -> str:
    """An evaluation in one of the formats. Tables show categories unless told otherwise; data holds everything."""
    if format == "json":
        from assay.reports import data

        return data.render_json(evaluation, by or "both")
    if format == "csv":
        from assay.reports import data

        return data.render_csv(evaluation, by or "both")
    return render_table(accuracy_table(evaluation, by or "category"), format, width=width, ansi=ansi)


def render_table(table: Table, format: Format = "table", *, width: int | None = None, ansi: bool = False) -> str:
    """Any table as text for the terminal or as Markdown."""
    if format == "markdown":
        from assay.reports import markdown

        return markdown.render(table)
    if format == "table":
        from assay.reports import terminal

        return terminal.render(table, width=width, ansi=ansi)
    raise UnknownName("format", format, FORMATS)


__all__ = ["FORMATS", "SUFFIXES", "Format", "accuracy_table", "render", "render_table"]
