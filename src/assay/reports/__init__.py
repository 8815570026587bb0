"""Any result as a table or data in any format.

print(render(evaluation, "markdown", by="both"))
"""

from typing import Literal, get_args

from assay.errors import BadOption, UnknownName
from assay.evaluation import By, Evaluation
from assay.evaluation.groups import Scores
from assay.reports.table import Table, accuracy_table

Format = Literal["table", "markdown", "latex", "csv", "json", "html", "xlsx", "parquet"]
FORMATS: tuple[Format, ...] = get_args(Format)

TABLE_FORMATS: tuple[Format, ...] = ("table", "markdown", "latex", "csv")
"""Formats for any table; the others are for an evaluation as a whole."""

WHOLE_FORMATS: tuple[Format, ...] = ("html", "xlsx", "parquet")
SCORED_FORMATS: tuple[Format, ...] = ("table", "markdown", "latex", "json")

SUFFIXES: dict[str, Format] = {
    ".txt": "table",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
    ".xlsx": "xlsx",
    ".parquet": "parquet",
}
"""The format that a file name asks for."""


def render(
    evaluation: Evaluation,
    format: Format = "table",
    *,
    by: By | None = None,
    scores: Scores | None = None,
    width: int | None = None,
    ansi: bool = False,
) -> str | bytes:
    """An evaluation in one of the formats. Tables show categories unless told otherwise; data holds everything."""
    if scores and format not in SCORED_FORMATS:
        raise BadOption(f"scores cannot be written as {format}; choose one of {', '.join(SCORED_FORMATS)}")
    if by is not None and format in WHOLE_FORMATS:
        raise BadOption(f"{format} always holds categories and phenomena; leave --by out")
    if format == "json":
        from assay.reports import data

        return data.render_json(evaluation, by or "both", scores)
    if format == "csv":
        from assay.reports import data

        return data.render_csv(evaluation, by or "both")
    if format == "html":
        from assay.reports import html

        return html.render_html(evaluation)
    if format == "xlsx":
        from assay.reports import xlsx

        return xlsx.render(evaluation)
    if format == "parquet":
        from assay.reports import parquet

        return parquet.rows(evaluation)
    table = accuracy_table(evaluation, by or "category", scores)
    return render_table(table, format, width=width, ansi=ansi)


def render_table(table: Table, format: Format = "table", *, width: int | None = None, ansi: bool = False) -> str:
    """Any table as text for the terminal, Markdown, LaTeX or CSV."""
    if format == "markdown":
        from assay.reports import markdown

        return markdown.render(table)
    if format == "latex":
        from assay.reports import latex

        return latex.render(table)
    if format == "csv":
        from assay.reports import data

        return data.table_csv(table)
    if format == "table":
        from assay.reports import terminal

        return terminal.render(table, width=width, ansi=ansi)
    if format in FORMATS:
        raise BadOption(f"this table cannot be written as {format}; choose one of {', '.join(TABLE_FORMATS)}")
    raise UnknownName("format", format, FORMATS)


__all__ = [
    "FORMATS",
    "SUFFIXES",
    "TABLE_FORMATS",
    "WHOLE_FORMATS",
    "Format",
    "Table",
    "accuracy_table",
    "analysis",
    "appendix",
    "comparison",
    "data",
    "figures",
    "files",
    "html",
    "html_table",
    "index",
    "methods",
    "render",
    "render_table",
    "suite_stats",
    "table",
    "xlsx",
    "years",
]
