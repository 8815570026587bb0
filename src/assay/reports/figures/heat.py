"""Categories by systems, shaded by accuracy, the averages in a block of their own.

heat_map(evaluation)
"""

from collections.abc import Sequence
from typing import Any

from assay.evaluation import Evaluation, Row
from assay.evaluation.tally import AVERAGES
from assay.reports.figures.figure import Figure, Spec, provenance
from assay.reports.figures.labels import distinct, wrapped
from assay.reports.figures.letters import text_width
from assay.reports.figures.look import INK, QUIET, RAMP, SMALL_TEXT, TEXT, WIDTH, accuracy_domain, document
from assay.reports.table import percent
from assay.text import plural

ROW_HEIGHT = 23
NARROWEST, WIDEST, FEW = 23.5, 60, 200
"""Widths in px: of a cell that `100.0` must fit in, of one in a small table, of all cells of one or two systems."""

HAIR = 1.12
"""Room around a number in the narrowest cells."""

NAME_GAP = 4
"""Between the names of systems over their columns, in px."""

TWO_LINES = 10
"""Between the lines of a label, in px."""

LABEL_WIDTH = 17
"""Of a category, in characters; longer ones take two lines."""

_Text = dict[str, str | float]

_COUNT = 34  # px of the column of items
_HEAD_TEXT = SMALL_TEXT + 0.4


def heat_map(evaluation: Evaluation) -> Figure:
    """Accuracy of every system in every category: numbers in per cent, bold for the first cluster."""
    suite, systems = evaluation.suite, distinct(evaluation.columns)
    categories = [row for row in evaluation.rows("category") if row.category is not None]
    names = distinct([row.category or "" for row in categories], 4 * LABEL_WIDTH)
    averages = evaluation.averages()
    colour = _shade([*categories, *averages])
    caption = (
        f"Accuracy in per cent of {plural(len(systems), 'system')} in {plural(len(categories), 'category')} of "
        f"{suite.name} ({suite.langpair}) and on average, with the number of items that count in each; bold marks "
        f"the first cluster, a dash that nothing counts; {provenance(evaluation)}."
    )
    average_names = [AVERAGES[row.level] for row in averages]
    width = _cell_width(systems, [*names, *average_names])
    blocks = [
        _block(categories, names, systems, colour, width=width),
        _block(averages, average_names, systems, colour, width=width, head=False),
    ]
    spec = document({"vconcat": blocks, "spacing": 9}, caption)
    return Figure("heat-map", f"{suite.name}: accuracy by category", caption, spec)


def _shade(rows: Sequence[Row]) -> Spec:
    """Colour by accuracy, from the lowest of all cells to the highest."""
    values = [cell.accuracy for row in rows for cell in row.cells if cell.accuracy is not None]
    low, high = accuracy_domain(values)
    return {
        "field": "accuracy",
        "type": "quantitative",
        "scale": {"domain": [low, high], "range": RAMP, "interpolate": "rgb"},
        "legend": {
            "title": "accuracy",
            "titleOrient": "left",
            "titleAnchor": "middle",
            "format": ".0%",
            "orient": "bottom",
            "direction": "horizontal",
            "offset": 10,
            "gradientLength": 105,
            "gradientThickness": 9,
            "values": [low, (low + high) / 2, high],
        },
    }


def _cell_width(systems: Sequence[str], labels: Sequence[str]) -> float:
    """What the names of the rows leave to each system, in px."""
    head = max(text_width(part, _HEAD_TEXT) for label in labels for part in wrapped(label, LABEL_WIDTH))
    room = (WIDTH - head - _COUNT) / len(systems)
    return min(max(room, NARROWEST), max(WIDEST, FEW / len(systems)))


def _block(
    rows: Sequence[Row], labels: Sequence[str], systems: Sequence[str], colour: Spec, *, width: float, head: bool = True
) -> Spec:
    """One view: shaded cells, their numbers, and left of them the number of items."""
    upright = max(text_width(system, TEXT) for system in systems) + NAME_GAP < width
    across = {"labelAngle": 0} if upright else {"labelAngle": -90, "labelAlign": "left", "labelBaseline": "middle"}
    x = {
        "field": "system",
        "type": "nominal",
        "scale": {"domain": list(systems)},
        "axis": {"orient": "top", "title": None, "ticks": False, "domain": False, **across} if head else None,
    }
    # The order is said, not read from the data: a layer that leaves undefined cells out would change it.
    y = {"field": "row", "type": "nominal", "scale": {"domain": list(labels)}, "axis": None}
    size = min(SMALL_TEXT, width / (HAIR * text_width("100.0", 1, bold=True)))
    return {
        "width": width * len(systems),
        "height": ROW_HEIGHT * len(rows),
        "data": {"values": _cells(rows, labels, systems)},
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "white", "strokeWidth": 1},
                "transform": [{"filter": "datum.accuracy !== null"}],
                "encoding": {"x": x, "y": y, "color": colour},
            },
            _numbers("!datum.first_cluster", {"x": x, "y": y}, {"fontSize": size, "color": INK}),
            _numbers(
                "datum.first_cluster", {"x": x, "y": y}, {"fontSize": size, "fontWeight": "bold", "color": "black"}
            ),
            _heads(labels),
            _counts(rows, head=head),
        ],
    }


def _numbers(which: str, place: Spec, look: Spec) -> Spec:
    return {
        "mark": {"type": "text", **look},
        "transform": [{"filter": which}],
        "encoding": place | {"text": {"field": "text"}},
    }


def _heads(labels: Sequence[str]) -> Spec:
    """Names of the rows; Vega would hang the second line of a label below the middle of its row."""
    lines: list[_Text] = []
    for number, label in enumerate(labels):
        parts = wrapped(label, LABEL_WIDTH)
        for place, part in enumerate(parts):
            middle = (number + 0.5) * ROW_HEIGHT
            lines.append({"text": part, "y": middle + (place - (len(parts) - 1) / 2) * TWO_LINES})
    return _beside(lines, {"x": -_COUNT, "fontSize": _HEAD_TEXT, "color": INK})


def _counts(rows: Sequence[Row], *, head: bool) -> Spec:
    """How many items count in each row."""
    lines: list[_Text] = [
        {"text": f"{row.items:,}", "y": (number + 0.5) * ROW_HEIGHT} for number, row in enumerate(rows)
    ]
    if head:
        lines.append({"text": "items", "y": -6.0})
    return _beside(lines, {"x": -5, "fontSize": SMALL_TEXT, "color": QUIET})


def _beside(lines: Sequence[_Text], look: Spec) -> Spec:
    """Texts at the left of the cells, at `y` pixels."""
    return {
        "data": {"values": lines},
        "mark": {"type": "text", "align": "right", "baseline": "middle", **look},
        "encoding": {
            "y": {"field": "y", "type": "quantitative", "scale": None, "axis": None},
            "text": {"field": "text", "type": "nominal"},
        },
    }


def _cells(rows: Sequence[Row], labels: Sequence[str], systems: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "row": label,
            "system": system,
            "accuracy": cell.accuracy,
            "text": percent(cell.accuracy),
            "first_cluster": cell.first_cluster,
        }
        for row, label in zip(rows, labels, strict=True)
        for system, cell in zip(systems, row.cells, strict=True)
    ]
