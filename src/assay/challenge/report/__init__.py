"""What metrics get right on a challenge set, in any format.

    print(render(evaluation, "markdown", by="both"))

The table model and the figures are those of the other reports; a spread of several draws comes from their JSON.
"""

from dataclasses import astuple, fields

from assay.challenge.accuracy import MetricEvaluation
from assay.challenge.report.table import challenge_table as challenge_table
from assay.challenge.report.table import language_table
from assay.challenge.rows import MetricCell
from assay.errors import BadOption
from assay.evaluation import By
from assay.reports import render_table
from assay.reports.data import csv_text, result_json
from assay.reports.formats import Renderers, is_whole, names, refusal


def render_csv(evaluation: MetricEvaluation, by: By = "both") -> str:
    """One line per row and metric, every number as in the JSON."""
    head = [
        "level",
        "category",
        "phenomenon",
        "count",
        "items",
        "sources",
        *(field.name for field in fields(MetricCell)),
    ]
    lines = (
        [*row.key, row.size, row.items, row.sources, *astuple(cell)]
        for row in evaluation.rows(by)
        for cell in row.cells
    )
    return csv_text(head, lines)


def _page(evaluation: MetricEvaluation, by: By) -> str:
    from assay.challenge.report.html import render_html

    return render_html(evaluation)


def _workbook(evaluation: MetricEvaluation, by: By) -> bytes:
    from assay.challenge.report.xlsx import render_xlsx

    return render_xlsx(evaluation)


RENDERERS: Renderers[MetricEvaluation] = {
    "json": result_json,
    "csv": render_csv,
    "html": _page,
    "xlsx": _workbook,
}


def render(
    evaluation: MetricEvaluation,
    format: str = "table",
    *,
    by: By | None = None,
    width: int | None = None,
    ansi: bool = False,
) -> str | bytes:
    """An evaluation of metrics in one of the formats. Tables show categories unless told otherwise; data holds
    everything."""
    if by is not None and is_whole(format):
        raise BadOption(f"{format} always holds categories and phenomena; leave --by out")
    if format in names("evaluation") and format not in names("challenge"):
        raise refusal("a challenge report", format, "challenge")
    if format in RENDERERS:
        return RENDERERS[format](evaluation, by or "both")
    tables = [challenge_table(evaluation, by or "category"), language_table(evaluation)]
    return "\n".join(render_table(table, format, width=width, ansi=ansi) for table in tables if table is not None)
