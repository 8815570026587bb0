"""What metrics get right on a challenge set, in any format.

    print(render(evaluation, "markdown", by="both"))

The table model and the figures are those of the other reports; a spread of several draws comes from their JSON.
"""

from assay.challenge.accuracy import MetricEvaluation
from assay.challenge.report.data import as_dict, render_csv, render_json
from assay.challenge.report.items import item_lines
from assay.challenge.report.spread import render_spread, spread_csv, spread_table
from assay.challenge.report.table import challenge_table, curve_table, redundancy_table
from assay.errors import BadOption
from assay.evaluation import By
from assay.reports import WHOLE_FORMATS, Format, render_table

FORMATS: tuple[Format, ...] = ("table", "markdown", "latex", "csv", "json", "html", "xlsx")


def render(
    evaluation: MetricEvaluation,
    format: Format = "table",
    *,
    by: By | None = None,
    width: int | None = None,
    ansi: bool = False,
) -> str | bytes:
    """An evaluation of metrics in one of the formats. Tables show categories unless told otherwise; data holds
    everything."""
    if by is not None and format in WHOLE_FORMATS:
        raise BadOption(f"{format} always holds categories and phenomena; leave --by out")
    if format == "json":
        return render_json(evaluation, by or "both")
    if format == "csv":
        return render_csv(evaluation, by or "both")
    if format == "html":
        from assay.challenge.report.html import render_html

        return render_html(evaluation)
    if format == "xlsx":
        from assay.challenge.report.xlsx import render_xlsx

        return render_xlsx(evaluation)
    if format == "parquet":
        raise BadOption(f"a challenge report cannot be written as {format}; choose one of {', '.join(FORMATS)}")
    return render_table(challenge_table(evaluation, by or "category"), format, width=width, ansi=ansi)


__all__ = [
    "FORMATS",
    "as_dict",
    "challenge_table",
    "curve_table",
    "item_lines",
    "redundancy_table",
    "render",
    "render_csv",
    "render_json",
    "render_spread",
    "spread_csv",
    "spread_table",
]
