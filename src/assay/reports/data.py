"""An evaluation as data: JSON for programs (schema `schemas/evaluation.json`), CSV with one line per row and system."""

import csv
import json
from io import StringIO
from typing import Any, Literal

import assay
from assay.evaluation import By, Cell, Evaluation, Row
from assay.evaluation.groups import Scores, correlations
from assay.reports.table import DASH, Table

LEVELS: tuple[Literal["category", "phenomenon"], ...] = ("category", "phenomenon")

_CELL_FIELDS = ("correct", "total", "accuracy", "low", "high", "lower_bound", "upper_bound", "first_cluster", "p")


def as_dict(evaluation: Evaluation, by: By = "both") -> dict[str, Any]:
    """The JSON document of an evaluation."""
    suite = evaluation.suite
    found = len(evaluation.table.items)
    return {
        "assay": assay.__version__,
        "signature": evaluation.signature,
        "suite": {"name": suite.name, "langpair": suite.langpair, "items": len(suite), "hash": suite.hash},
        "systems": [
            {
                "name": summary.system.name,
                "campaign": summary.system.campaign,
                "metadata": dict(summary.system.metadata),
                "outputs": summary.outputs,
                "missing": summary.missing,
                "pass": summary.passed,
                "fail": summary.failed,
                "warning": summary.warnings,
                "warning_share": summary.warning_share,
                "costs": summary.costs,
            }
            for summary in evaluation.summaries
        ],
        "excluded_systems": [
            {"name": left.system.name, "campaign": left.system.campaign, "reason": left.reason}
            for left in evaluation.excluded
        ],
        "items": {
            "total": len(suite),
            "counted": evaluation.items_counted,
            "excluded": {
                "not_in_source": len(suite) - found,
                "warning": found - evaluation.items_counted,
            },
        },
        "not_independent": [
            {"systems": [system.name for system in likeness.systems], "share": likeness.share}
            for likeness in evaluation.likenesses
        ],
        "dropped": {
            f"{level}_macro": [
                {"category": category, "phenomenon": name} for category, name in evaluation.dropped(level)
            ]
            for level in LEVELS
        },
        "columns": evaluation.columns,
        "rows": [_row(row) for row in evaluation.rows(by)],
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "level": row.level,
        "category": row.category,
        "phenomenon": row.phenomenon,
        "count": row.items,
        "cells": [_cell(cell) for cell in row.cells],
        "average": row.average,
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "system": cell.system.name,
        "campaign": cell.system.campaign,
        **{name: getattr(cell, name) for name in _CELL_FIELDS},
    }


def render_json(evaluation: Evaluation, by: By = "both", scores: Scores | None = None) -> str:
    """The JSON document as text; outside scores add themselves and their correlations with the rows."""
    document = as_dict(evaluation, by)
    if scores:
        document["scores"] = scores
        document["correlations"] = [
            {"level": found.row.level, "category": found.row.category, "phenomenon": found.row.phenomenon}
            | {name: getattr(found, name) for name in ("score", "systems", "rho", "low", "high")}
            for found in correlations(evaluation, scores, by)
        ]
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def render_csv(evaluation: Evaluation, by: By = "both") -> str:
    """One line per row and system, every number as in the JSON."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["level", "category", "phenomenon", "count", "system", "campaign", *_CELL_FIELDS])
    for row in evaluation.rows(by):
        head = [row.level, row.category, row.phenomenon, row.items]
        for cell in row.cells:
            values = [getattr(cell, name) for name in _CELL_FIELDS]
            texts = [str(value).lower() if isinstance(value, bool) else value for value in values]
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
