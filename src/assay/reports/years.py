"""Campaigns side by side as tables and data."""

from dataclasses import asdict
from typing import Any

import assay
from assay.evaluation import By
from assay.evaluation.years import Years
from assay.reports.comparison import points
from assay.reports.table import Table, TableCell, TableRow, percent, row_kind, row_label

ARROWS = {"gain": "▲", "loss": "▼", "": ""}


def _notes(years: Years, since: str = "since the campaign before") -> list[str]:
    settings, evaluation = years.evaluation.settings, years.evaluation
    best = ", ".join(f"{years.best[campaign].name} ({campaign})" for campaign in years.campaigns)
    return [
        f"▲ gain, ▼ loss: significant change {since} ({settings.test}, one-tailed, alpha "
        f"{settings.alpha:g}, correction over all rows of a pair: {years.correction}).",
        f"Best of each campaign, by category macro-average among all its systems: {best}.",
        f"{evaluation.items_counted:,} of {len(evaluation.suite):,} items count: found in all campaigns, "
        f"policy {settings.policy} over the systems shown.",
        f"Signature: {years.signature}",
    ]


def years_table(years: Years, by: By = "category") -> Table:
    """Columns by system and campaign, then the best of each campaign."""
    own = len(years.columns) - len(years.campaigns)
    labels = [f"{system.name} {system.campaign}" for system in years.columns[:own]]
    labels += [f"best {system.campaign}" for system in years.columns[own:]]
    rows = []
    for row in years.rows(by):
        cells = [
            TableCell(percent(cell.accuracy) + ARROWS[cell.trend], cell.accuracy, bool(cell.trend))
            for cell in row.cells
        ]
        label = row_label(row.level, row.category, row.phenomenon, indent=by == "both")
        count = TableCell(f"{row.items:,}", row.items)
        rows.append(TableRow(row_kind(row.category, row.phenomenon), label, (count, *cells), int(row.category is None)))
    suite = years.evaluation.suite
    title = f"{suite.name} ({suite.langpair}) over {', '.join(years.campaigns)}: accuracy in per cent"
    return Table(title, "category", ("items", *labels), tuple(rows), tuple(_notes(years)), star="")


def difference_table(years: Years, first: str, second: str, by: By = "category") -> Table:
    """Differences in points between two campaigns, with the average change of all systems."""
    names = [system.name for system, _ in years.pairs(first, second)]
    rows = []
    for row in years.differences(first, second, by):
        cells = [
            TableCell(points(value) + ARROWS[trend], value, bool(trend))
            for value, trend in zip(row.differences, row.trends, strict=True)
        ]
        label = row_label(row.level, row.category, row.phenomenon, indent=by == "both")
        count, mean = TableCell(f"{row.items:,}", row.items), TableCell(points(row.average), row.average)
        rows.append(
            TableRow(row_kind(row.category, row.phenomenon), label, (count, *cells, mean), int(row.category is None))
        )
    title = f"{years.evaluation.suite.name}: change from {first} to {second} in points"
    notes = _notes(years, f"from {first} to {second}")
    return Table(title, "category", ("items", *names, "mean"), tuple(rows), tuple(notes), star="")


def as_dict(years: Years, by: By = "category", diff: tuple[str, str] | None = None) -> dict[str, Any]:
    """The campaigns as data; with `diff` also the differences between two of them."""
    own = len(years.columns) - len(years.campaigns)
    return {
        "assay": assay.__version__,
        "signature": years.signature,
        "correction": years.correction,
        "campaigns": list(years.campaigns),
        "best": {campaign: system.name for campaign, system in years.best.items()},
        "returning": years.returning,
        "items": years.evaluation.items_counted,
        "rows": [
            {
                "level": row.level,
                "category": row.category,
                "phenomenon": row.phenomenon,
                "count": row.items,
                "cells": [
                    {"system": cell.system.name, "campaign": cell.system.campaign, "best": place >= own}
                    | {name: getattr(cell, name) for name in ("accuracy", "low", "high", "change", "trend")}
                    for place, cell in enumerate(row.cells)
                ],
            }
            for row in years.rows(by)
        ],
    } | ({"differences": _differences(years, *diff, by)} if diff else {})


def _differences(years: Years, first: str, second: str, by: By) -> dict[str, Any]:
    return {
        "first": first,
        "second": second,
        "systems": [system.name for system, _ in years.pairs(first, second)],
        "rows": [asdict(row) for row in years.differences(first, second, by)],
    }
