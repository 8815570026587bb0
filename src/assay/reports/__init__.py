"""Any result as a table or data in any format.

print(render(evaluation, "markdown", by="both"))
"""

from typing import TYPE_CHECKING

from assay.errors import BadOption, UnknownName
from assay.reports.formats import FORMATS, is_whole, names, refusal, renderer

if TYPE_CHECKING:
    from assay.evaluation import Evaluation
    from assay.evaluation.groups import Scores
    from assay.reports.table import Table
    from assay.result import RowChoice


def render(
    evaluation: "Evaluation",
    format: str = "table",
    *,
    by: "RowChoice | None" = None,
    scores: "Scores | None" = None,
    width: int | None = None,
    ansi: bool = False,
) -> str | bytes:
    """An evaluation in one of the formats. Tables show categories unless told otherwise; data holds everything."""
    if scores and format not in names("scores"):
        raise refusal("scores", format, "scores")
    if by is not None and is_whole(format):
        raise BadOption(f"{format} always holds categories and phenomena; leave --by out")
    if format in FORMATS and (home := FORMATS[format].evaluation) and by != "labels":
        rows = {} if is_whole(format) else {"by": by or "both"}
        made: str | bytes = renderer(home)(evaluation, **rows, **({"scores": scores} if scores else {}))
        return made
    if by == "labels":
        from assay.reports.labels import labels_table

        return render_table(labels_table(evaluation), format, width=width, ansi=ansi)
    from assay.reports.table import accuracy_table

    text = render_table(accuracy_table(evaluation, by or "category", scores), format, width=width, ansi=ansi)
    if evaluation.labels:
        from assay.reports.labels import labels_table

        text += "\n" + render_table(labels_table(evaluation), format, width=width, ansi=ansi)
    if format == "markdown":
        from assay.evaluation.answer import answer_of
        from assay.reports.answer import answer_markdown

        return f"{answer_markdown(answer_of(evaluation))}\n{text}"
    return text


def render_table(table: "Table", format: str = "table", *, width: int | None = None, ansi: bool = False) -> str:
    """Any table as text for the terminal, Markdown, LaTeX or CSV."""
    if format not in names("evaluation"):
        raise UnknownName("format", format, names("evaluation"))
    chosen = FORMATS[format]
    if not chosen.table:
        raise refusal("this table", format, "table")
    look = {"width": width, "ansi": ansi} if chosen.is_screen else {}
    text: str = renderer(chosen.table)(table, **look)
    return text


__all__ = [
    "analysis",
    "answer",
    "appendix",
    "comparison",
    "data",
    "examples",
    "figures",
    "files",
    "formats",
    "html",
    "html_table",
    "html_templates",
    "junit",
    "labels",
    "methods",
    "render",
    "render_table",
    "rule_age",
    "suite_stats",
    "table",
    "xlsx",
    "years",
]
