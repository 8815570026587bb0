"""What contrasts found, in every format: the tables as text, numbers for programs, a page, a workbook.

print(render(run, "markdown"))
"""

import csv
import json
from collections.abc import Iterator
from dataclasses import asdict
from io import StringIO
from typing import Any

import assay
from assay.contrasts.counts import REASONS, SMALL, ContrastCell, GoodShare
from assay.contrasts.tables import ContrastRun, contrast_tables, mean_order, notes
from assay.errors import BadOption, MissingExtra
from assay.evaluation import By
from assay.reports import data, render_table
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


def render_json(run: ContrastRun, by: By) -> str:
    """The JSON document as text; it always holds everything."""
    return json.dumps(as_dict(run), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def as_dict(run: ContrastRun) -> dict[str, Any]:
    """The JSON document of a run; `evaluation` is what `assay evaluate` writes."""
    contrasts = run.contrasts
    return {
        "assay": assay.__version__,
        "signature": run.signature,
        "contrasts": {
            "name": contrasts.name,
            "langpair": contrasts.langpair,
            "version": contrasts.version,
            "hash": contrasts.hash,
            "expectation": run.expectation,
        },
        "tools": dict(run.tools),
        "effort": asdict(run.effort) | {"share_needed": run.effort.share_needed},
        "order": [{"system": label, "mean": mean} for label, mean in zip(run.labels, mean_order(run), strict=True)],
        "subsets": [
            {
                "name": subset,
                "signature": run.signature_of(subset),
                "items": len(evaluation.suite),
                "absent": run.absent.get(subset, 0),
                "rows": [
                    {
                        "category": row.category,
                        "phenomenon": row.phenomenon,
                        "items": row.items,
                        "ranks": row.ranks,
                        "cells": [_cell(cell) for cell in row.cells],
                    }
                    for row in run.rows(subset, "both")
                ],
            }
            for subset, evaluation in run.evaluations.items()
        ],
        "notes": list(notes(run)),
        "evaluation": data.as_dict(run.evaluation),
    }


def _cell(cell: ContrastCell) -> dict[str, Any]:
    return {
        "system": cell.system.name,
        "campaign": cell.system.campaign,
        "total": cell.total,
        "good": cell.good,
        "bad": cell.bad,
        "unknown": cell.unknown,
        "reasons": dict(cell.reasons),
        "own": asdict(cell.own),
        "strict": asdict(cell.strict),
        "first_cluster": cell.counted.first_cluster,
        "p": cell.counted.p,
    }


_SHARE = ("value", "low", "high")


def render_csv(run: ContrastRun, by: By = "both") -> str:
    """A line per subset, row and system."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = ["subset", "category", "contrast", "system", "total", "good", "bad", "unknown"]
    names += REASONS
    names += [f"{share}_{name}" for share in ("own", "strict") for name in _SHARE]
    writer.writerow([*names, "ranks"])
    for subset in run.evaluations:
        for row in run.rows(subset, by):
            for cell in row.cells:
                head = [subset, row.category, row.phenomenon, cell.system.name]
                counts = [cell.total, cell.good, cell.bad, cell.unknown, *cell.reasons.values()]
                writer.writerow([*head, *counts, *_numbers(cell.own), *_numbers(cell.strict), str(row.ranks).lower()])
    return stream.getvalue()


def _numbers(share: GoodShare) -> Iterator[float | None]:
    return (getattr(share, name) for name in _SHARE)


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


RENDERERS: Renderers[ContrastRun] = {"json": render_json, "csv": render_csv, "html": _page, "xlsx": _workbook}
