"""The three averages of every system with their 95 % intervals.

dot_plot(evaluation)
"""

from collections.abc import Sequence
from typing import Any

from assay.evaluation import Evaluation, Row
from assay.evaluation.tally import AVERAGES
from assay.reports.figures.figure import Figure, Spec, provenance
from assay.reports.figures.labels import distinct
from assay.reports.figures.letters import text_width
from assay.reports.figures.look import ACCENT, INK, QUIET, TEXT, WIDTH, accuracy_axis, document
from assay.reports.table import DASH
from assay.text import plural

ROW_HEIGHT = 16
FIRST, OTHER = "first cluster", "significantly worse than the best"

_GAP, _MARGIN = 14, 24  # px between the panels and around the figure


def dot_plot(evaluation: Evaluation) -> Figure:
    """Systems down by category macro, one panel for each average; first cluster filled, the others hollow."""
    suite, systems = evaluation.suite, distinct(evaluation.columns)
    micro, category, phenomenon = evaluation.averages()
    rows = (category, micro, phenomenon)
    ends = [end for row in rows for cell in row.cells for end in (cell.low, cell.high) if end is not None]
    caption = (
        f"Category macro-average, micro-average and phenomenon macro-average of {plural(len(systems), 'system')} on "
        f"{suite.name} ({suite.langpair}) with 95 % intervals, sorted by the first; filled dots are the first "
        f"cluster of their panel, hollow ones significantly worse than the best; {provenance(evaluation)}."
    )
    panels = [_panel(row, systems, ends, first=row is category) for row in rows]
    spec = document({"hconcat": panels, "spacing": _GAP}, caption)
    return Figure("dot-plot", f"{suite.name}: averages with 95 % intervals", caption, spec)


def _panel(row: Row, systems: Sequence[str], ends: Sequence[float], *, first: bool) -> Spec:
    y: Spec = {
        "field": "system",
        "type": "nominal",
        "scale": {"domain": list(systems)},
        "axis": {"title": None, "grid": True, "ticks": False, "domain": False, "labels": first, "labelPadding": 6},
    }
    x = accuracy_axis(ends, tickCount=4, labelOverlap="greedy", labelSeparation=6)
    fill = {
        "field": "cluster",
        "type": "nominal",
        "scale": {"domain": [FIRST, OTHER], "range": [ACCENT, "white"]},
        "legend": {"title": None, "orient": "bottom", "symbolStrokeColor": ACCENT, "symbolType": "circle"},
    }
    return {
        "title": AVERAGES[row.level],
        "width": (WIDTH - max(text_width(system, TEXT) for system in systems) - 2 * _GAP - _MARGIN) / 3,
        "height": {"step": ROW_HEIGHT},
        "data": {"values": _dots(row, systems)},
        "encoding": {"y": y},
        "layer": [
            {
                "mark": {"type": "rule", "color": INK, "strokeWidth": 1.2},
                "transform": [{"filter": "datum.accuracy !== null"}],
                "encoding": {"x": x | {"field": "low"}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "stroke": ACCENT, "strokeWidth": 1.4, "size": 48, "opacity": 1},
                "transform": [{"filter": "datum.accuracy !== null"}],
                "encoding": {"x": x, "fill": fill},
            },
            {
                "mark": {"type": "text", "align": "left", "color": QUIET, "text": DASH},
                "transform": [{"filter": "datum.accuracy === null"}],
                "encoding": {"x": {"value": 4}},
            },
        ],
    }


def _dots(row: Row, systems: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "system": system,
            "accuracy": cell.accuracy,
            "low": cell.low,
            "high": cell.high,
            "cluster": FIRST if cell.first_cluster else OTHER,
        }
        for system, cell in zip(systems, row.cells, strict=True)
    ]
