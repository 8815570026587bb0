"""Results as data: JSON for programs (schema of an evaluation: `schemas/evaluation.json`), CSV with a line per row and
system."""

import csv
import json
from collections.abc import Iterable
from io import StringIO
from typing import TYPE_CHECKING

from assay.evaluation import By, Evaluation
from assay.evaluation.rows import CELL_NUMBERS
from assay.reports.table import DASH, Table, TableCell
from assay.result import Result
from assay.tsv import defused

if TYPE_CHECKING:
    from assay.evaluation.document import ScoredDocument
    from assay.evaluation.groups import Scores


def json_text(document: object) -> str:
    """A JSON document as it is written to files; undefined is null, never NaN."""
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def result_json(result: Result, by: By) -> str:
    """Any result as JSON."""
    return json_text(result.to_dict(by))


def render_json(evaluation: Evaluation, by: By = "both", scores: "Scores | None" = None) -> str:
    """An evaluation as JSON; outside scores add themselves and their correlations with the rows."""
    if not scores:
        return result_json(evaluation, by)
    from assay.evaluation.groups import correlations

    document: ScoredDocument = {
        **evaluation.to_dict(by),
        "scores": {name: dict(values) for name, values in scores.items()},
        "correlations": [found.to_dict() for found in correlations(evaluation, scores, by)],
    }
    return json_text(document)


def csv_text(head: Iterable[object], lines: Iterable[Iterable[object]]) -> str:
    """Lines of CSV under a head; true and false as in JSON, None is empty, and no text is a formula."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for line in (head, *lines):
        writer.writerow(map(_csv_cell, line))
    return stream.getvalue()


def _csv_cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return defused(value) if isinstance(value, str) else value


def render_csv(evaluation: Evaluation, by: By = "both") -> str:
    """One line per row and system, every number as in the JSON."""
    return csv_text(
        ["level", "category", "phenomenon", "count", "system", "campaign", *CELL_NUMBERS],
        (
            [*row.key, row.items, cell.system.name, cell.system.campaign, *cell.numbers]
            for row in evaluation.rows(by)
            for cell in row.cells
        ),
    )


def table_csv(table: Table) -> str:
    """Any table with its numbers as they are; texts where a cell has none."""
    return csv_text(
        [table.corner, *table.columns], ([row.label.strip(), *map(_entry, row.cells)] for row in table.rows)
    )


def _entry(cell: TableCell) -> float | str:
    return cell.value if cell.value is not None else "" if cell.text == DASH else cell.text
