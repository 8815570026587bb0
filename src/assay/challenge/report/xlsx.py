"""What metrics get right as an Excel workbook: accuracies, all numbers behind them, every challenge item, and the rest.

Path("report.xlsx").write_bytes(render_xlsx(evaluation))
"""

from collections.abc import Iterator

from assay.challenge.accuracy import MetricEvaluation
from assay.challenge.closeness import measure
from assay.challenge.report.table import challenge_table, curve_table, redundancy_table
from assay.reports.table import row_label
from assay.reports.xlsx import table_sheet
from assay.spreadsheet import Look, Sheet, SheetCell, workbook

_NUMBERS: dict[str, Look] = {
    **dict.fromkeys(("correct", "total", "ties", "undefined"), "count"),
    **dict.fromkeys(("accuracy", "low", "high"), "percent"),
    "p": "p",
}
_TEXTS = ("id", "item", "category", "phenomenon", "source", "reference", "right", "wrong")
_SYSTEMS = ("reference_systems", "right_systems", "wrong_systems")


def render_xlsx(evaluation: MetricEvaluation) -> bytes:
    """The workbook."""
    return workbook(_sheets(evaluation))


def _sheets(evaluation: MetricEvaluation) -> Iterator[Sheet]:
    categories = challenge_table(evaluation, "category")
    yield table_sheet(categories, "categories")
    yield table_sheet(challenge_table(evaluation, "phenomenon"), "phenomena")
    yield _rows(evaluation)
    yield _metrics(evaluation)
    yield _items(evaluation)
    yield table_sheet(redundancy_table(evaluation), "redundancy")
    yield table_sheet(curve_table(evaluation, "closeness"), "closeness")
    yield table_sheet(curve_table(evaluation, "advantage"), "advantage")
    yield Sheet("notes", ("note",), [(SheetCell(str(note)),) for note in categories.notes], fixed=0)


def _rows(evaluation: MetricEvaluation) -> Sheet:
    """A line per row and metric."""
    lines = [
        (
            *map(SheetCell, (row.level, row_label(*row.key))),
            *map(SheetCell, (cell.metric, cell.group)),
            SheetCell(row.size, "count"),
            SheetCell(row.items, "count"),
            SheetCell(row.sources, "count"),
            *(
                SheetCell(getattr(cell, name), look, cell.first_cluster_in_group, cell.first_cluster)
                for name, look in _NUMBERS.items()
            ),
            SheetCell(cell.first_cluster),
            SheetCell(cell.first_cluster_in_group),
        )
        for row in evaluation.rows("both")
        for cell in row.cells
    ]
    clusters = ("first cluster", "first cluster in group")
    head = ("level", "row", "metric", "group", "challenge items", "items", "sources", *_NUMBERS, *clusters)
    return Sheet("rows", head, lines, fixed=3, filtered=True)


def _metrics(evaluation: MetricEvaluation) -> Sheet:
    micro = evaluation.averages()[0]
    lines = [
        (
            *map(SheetCell, (scores.name, scores.group)),
            SheetCell(scores.higher_is_better),
            SheetCell(cell.ties, "count"),
            SheetCell(cell.undefined, "count"),
            SheetCell(scores.signature),
        )
        for scores, cell in zip(evaluation.metrics, micro.cells, strict=True)
    ]
    return Sheet("metrics", ("metric", "group", "higher is better", "ties", "no score", "signature"), lines, fixed=1)


def _items(evaluation: MetricEvaluation) -> Sheet:
    """Every challenge item with its closeness, and each metric's scores of the right and the wrong translation."""
    head = [*_TEXTS, *(name.replace("_", " ") for name in _SYSTEMS), "closeness", "advantage"]
    for name in evaluation.columns:
        head += [f"{name} of right", f"{name} of wrong", f"{name} is right"]
    return Sheet("items", head, _item_lines(evaluation), fixed=1, filtered=True)


def _item_lines(evaluation: MetricEvaluation) -> Iterator[tuple[SheetCell, ...]]:
    near = measure(evaluation.challenge.items)
    for place, item in enumerate(evaluation.challenge.items):
        systems = (item.first_systems, item.second_systems)
        correct = int(item.correct == 2)
        line = [
            *(SheetCell(getattr(item, name)) for name in _TEXTS),
            *(
                SheetCell(", ".join(names))
                for names in (item.reference_systems, systems[correct], systems[1 - correct])
            ),
            SheetCell(near[place].pair, "decimal"),
            SheetCell(near[place].advantage, "decimal"),
        ]
        for column, scores in enumerate(evaluation.metrics):
            pair = scores.values[place].tolist()
            line += [_score(pair[correct]), _score(pair[1 - correct]), SheetCell(bool(evaluation.right[place, column]))]
        yield tuple(line)


def _score(value: float) -> SheetCell:
    """Excel has no NaN and no infinity."""
    return SheetCell(value, "decimal") if abs(value) < float("inf") else SheetCell(None)
