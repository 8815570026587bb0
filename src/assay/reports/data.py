"""Results as data: JSON for programs (schema of an evaluation: `schemas/evaluation.json`), CSV with a line per row and
system."""

import csv
import json
from io import StringIO
from typing import TYPE_CHECKING

from assay.evaluation import By, Evaluation
from assay.evaluation.groups import Scores, correlations
from assay.evaluation.rows import CELL_NUMBERS
from assay.reports.table import DASH, Table
from assay.result import Result

if TYPE_CHECKING:
    from assay.evaluation.document import ScoredDocument


def json_text(document: object) -> str:
    """A JSON document as it is written to files; undefined is null, never NaN."""
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def result_json(result: Result, by: By) -> str:
    """Any result as JSON."""
    return json_text(result.to_dict(by))


def render_json(evaluation: Evaluation, by: By = "both", scores: Scores | None = None) -> str:
    """An evaluation as JSON; outside scores add themselves and their correlations with the rows."""
    if not scores:
        return result_json(evaluation, by)
    document: ScoredDocument = {
        **evaluation.to_dict(by),
        "scores": {name: dict(values) for name, values in scores.items()},
        "correlations": [found.to_dict() for found in correlations(evaluation, scores, by)],
    }
    return json_text(document)


def render_csv(evaluation: Evaluation, by: By = "both") -> str:
    """One line per row and system, every number as in the JSON."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["level", "category", "phenomenon", "count", "system", "campaign", *CELL_NUMBERS])
    for row in evaluation.rows(by):
        head = [row.level, row.category, row.phenomenon, row.items]
        for cell in row.cells:
            texts = [str(value).lower() if isinstance(value, bool) else value for value in cell.numbers]
            writer.writerow([*head, cell.system.name, cell.system.campaign, *texts])
    return stream.getvalue()


def table_csv(table: Table) -> str:
    """Any table with its numbers as they are; texts where a cell has none."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([table.corner, *table.columns])
    for row in table.rows:
        cells = [cell.value if cell.value is not None else "" if cell.text == DASH else cell.text for cell in row.cells]
        writer.writerow([row.label.strip(), *cells])
    return stream.getvalue()
