"""What contrasts found, in every format: the tables as text, numbers for programs, a page, a workbook.

print(render(run, "markdown"))
"""

from collections.abc import Iterator

from assay.contrasts.contrast_run import ContrastRun
from assay.contrasts.counts import REASONS, SMALL
from assay.contrasts.tables import contrast_tables
from assay.errors import BadOption, MissingExtra
from assay.evaluation import By
from assay.reports import render_table
from assay.reports.data import csv_text, result_json
from assay.reports.formats import Renderers, is_whole, names, refusal


def render(
    run: ContrastRun,
    format: str = "table",
    *,
    by: By | None = None,
    width: int | None = None,
    ansi: bool = False,
) -> str | bytes:
    """A run in one of the formats. Tables show contrasts unless told otherwise; data holds everything."""
    if format not in names("contrasts"):
        raise refusal("contrasts", format, "contrasts")
    if by is not None and (format == "json" or is_whole(format)):
        raise BadOption(f"{format} always holds everything; leave --by out")
    if format in RENDERERS:
        return RENDERERS[format](run, by or "both")
    tables = contrast_tables(run, by or "phenomenon")
    return "\n".join(render_table(table, format, width=width, ansi=ansi) for table in tables)


# Data


def render_csv(run: ContrastRun, by: By = "both") -> str:
    """A line per subset, row and system."""
    names = ["subset", "category", "contrast", "system", "total", "good", "bad", "unknown"]
    names += REASONS
    names += [f"{share}_{name}" for share in ("own", "strict") for name in ("value", "low", "high")]
    return csv_text([*names, "ranks"], _csv_lines(run, by))


def _csv_lines(run: ContrastRun, by: By) -> Iterator[list[object]]:
    for subset in run.evaluations:
        for row in run.rows(by, subset):
            for cell in row.cells:
                head = [subset, row.category, row.phenomenon, cell.system.name]
                counts = [cell.total, cell.good, cell.bad, cell.unknown, *cell.reasons.values()]
                yield [*head, *counts, *cell.own.numbers, *cell.strict.numbers, row.ranks]


# The page and the workbook


def _page(run: ContrastRun, by: By) -> str:
    """The page of the evaluation, where every cell opens its keywords, with the figures and the tables under it."""
    from assay.contrasts.figures import contrast_figures
    from assay.reports.figures.figure import render as draw
    from assay.reports.html import render_html

    try:
        figures = {figure.title: draw(figure, "svg").decode() for figure in contrast_figures(run)}
    except MissingExtra:
        figures = {}
    return render_html(
        run.evaluation,
        figures=figures,
        extras=contrast_tables(run),
        signature=run.signature,
        remarks=list(_remarks(run)),
    )


def _remarks(run: ContrastRun) -> Iterator[str]:
    """What the table of the evaluation does not know: that some contrasts are too small to rank anybody."""
    small = [str(row.phenomenon) for row in run.rows() if row.phenomenon and not row.ranks]
    if small:
        yield (
            f"Some system has fewer than {SMALL} decided keywords in {', '.join(small)}: bold ranks nobody there, see "
            "the tables of contrasts below."
        )


def _workbook(run: ContrastRun, by: By) -> bytes:
    from assay.reports import xlsx

    return xlsx.render(run.evaluation, contrast_tables(run))


RENDERERS: Renderers[ContrastRun] = {"json": result_json, "csv": render_csv, "html": _page, "xlsx": _workbook}
