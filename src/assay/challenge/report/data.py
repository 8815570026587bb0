"""What metrics get right as data: JSON for programs (schema `schemas/challenge.json`), CSV with one line per row and
metric."""

import csv
import json
from dataclasses import asdict, astuple, fields
from io import StringIO
from typing import Any

import assay
from assay.challenge.accuracy import MetricCell, MetricEvaluation, MetricRow
from assay.challenge.analysis import MEASURES, Band, curve, never_right, redundancies
from assay.challenge.closeness import difficulty
from assay.evaluation import By


def as_dict(evaluation: MetricEvaluation, by: By = "both") -> dict[str, Any]:
    """The JSON document of an evaluation of metrics."""
    challenge, micro = evaluation.challenge, evaluation.averages()[0]
    return {
        "assay": assay.__version__,
        "signature": evaluation.signature,
        "set": {
            "name": challenge.name,
            "langpair": challenge.langpair,
            "hash": challenge.hash,
            "size": micro.size,
            "items": micro.items,
            "signature": challenge.signature,
        },
        "metrics": [
            {
                "name": scores.name,
                "group": scores.group,
                "higher_is_better": scores.higher_is_better,
                "signature": scores.signature,
                "ties": cell.ties,
                "undefined": cell.undefined,
            }
            for scores, cell in zip(evaluation.metrics, micro.cells, strict=True)
        ],
        "difficulty": _difficulty(evaluation),
        "columns": evaluation.columns,
        "rows": [_row(row) for row in evaluation.rows(by)],
        "redundancy": [asdict(pair) | {"shared": pair.shared} for pair in redundancies(evaluation)],
        "curves": {over: [_band(band) for band in curve(evaluation, over)] for over in MEASURES},
        "never_right": [item.id for item in never_right(evaluation)],
    }


def _difficulty(evaluation: MetricEvaluation) -> dict[str, Any]:
    found = difficulty(evaluation.challenge.items)
    # An empty set cannot be evaluated.
    assert found is not None
    return {
        "pair": asdict(found.pair),
        "correct": asdict(found.correct),
        "incorrect": asdict(found.incorrect),
        "closer": found.closer,
    }


def _row(row: MetricRow) -> dict[str, Any]:
    return {
        "level": row.level,
        "category": row.category,
        "phenomenon": row.phenomenon,
        "count": row.size,
        "items": row.items,
        "cells": [asdict(cell) for cell in row.cells],
        "average": row.average,
    }


def _band(band: Band) -> dict[str, Any]:
    cells = [asdict(cell) for cell in band.cells]
    return {"low": band.low, "high": band.high, "size": band.size, "cells": cells}


def render_json(evaluation: MetricEvaluation, by: By = "both") -> str:
    """The JSON document as text."""
    return json.dumps(as_dict(evaluation, by), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def render_csv(evaluation: MetricEvaluation, by: By = "both") -> str:
    """One line per row and metric, every number as in the JSON."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    rows = evaluation.rows(by)
    names = [field.name for field in fields(MetricCell)]
    writer.writerow(["level", "category", "phenomenon", "count", "items", *names])
    for row in rows:
        head = [row.level, row.category, row.phenomenon, row.size, row.items]
        for cell in row.cells:
            values = (str(value).lower() if isinstance(value, bool) else value for value in astuple(cell))
            writer.writerow([*head, *values])
    return stream.getvalue()
