"""What metrics get right as CSV, with one line per row and metric; every number as in the JSON."""

import csv
from dataclasses import astuple, fields
from io import StringIO

from assay.challenge.accuracy import MetricEvaluation
from assay.challenge.rows import MetricCell
from assay.evaluation import By


def render_csv(evaluation: MetricEvaluation, by: By = "both") -> str:
    """The rows as text."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [field.name for field in fields(MetricCell)]
    writer.writerow(["level", "category", "phenomenon", "count", "items", *names])
    for row in evaluation.rows(by):
        head = [row.level, row.category, row.phenomenon, row.size, row.items]
        for cell in row.cells:
            values = (str(value).lower() if isinstance(value, bool) else value for value in astuple(cell))
            writer.writerow([*head, *values])
    return stream.getvalue()
