"""Figures with a row for each metric, so that all of them have a name, however many they are.

grid("categories", "Accuracy by category", caption, rows=metrics, columns=categories, values=accuracies)
strips(series, provenance="…")
"""

from collections.abc import Mapping, Sequence
from statistics import fmean, median

from assay.reports.figures.figure import Figure, Spec
from assay.reports.figures.labels import distinct, wrapped
from assay.reports.figures.letters import text_width
from assay.reports.figures.look import ACCENT, INK, QUIET, RAMP, SMALL_TEXT, TEXT, WARM, WIDTH, document
from assay.reports.table import percent

ROW_HEIGHT = 17
LONGEST_COLUMN = 22
"""Characters of a name over a column; longer ones take two lines."""

Values = Sequence[Sequence[float | None]]


def grid(name: str, title: str, caption: str, *, rows: Sequence[str], columns: Sequence[str], values: Values) -> Figure:
    """Numbers in per cent on shades of their size, a row for each metric, names of columns slanted above."""
    metrics, heads = distinct(rows), distinct(columns, 2 * LONGEST_COLUMN)
    names = max(text_width(metric, TEXT) for metric in metrics) + 12
    step = min(40.0, (WIDTH - names - 30) / len(heads))
    cells = [
        {"metric": metric, "column": head, "accuracy": value, "text": percent(value)}
        for metric, line in zip(metrics, values, strict=True)
        for head, value in zip(heads, line, strict=True)
    ]
    spec: Spec = {
        "width": {"step": step},
        "height": {"step": ROW_HEIGHT},
        "data": {"values": cells},
        "encoding": {"x": _across(heads), "y": _down(metrics)},
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "white", "strokeWidth": 1},
                "encoding": {
                    "color": {
                        "field": "accuracy",
                        "type": "quantitative",
                        "scale": {"domain": [0, 1], "range": list(RAMP)},
                        "legend": None,
                    }
                },
            },
            {
                "mark": {"type": "text", "color": INK, "fontSize": min(SMALL_TEXT, step / 2.9)},
                "encoding": {"text": {"field": "text"}},
            },
        ],
    }
    return Figure(name, title, caption, document(spec, caption))


def _across(heads: Sequence[str]) -> Spec:
    lines = {head: wrapped(head, LONGEST_COLUMN) for head in heads}
    longest = max(text_width(line, SMALL_TEXT) for found in lines.values() for line in found)
    return {
        "field": "column",
        "type": "nominal",
        "sort": list(heads),
        "axis": {
            "orient": "top",
            "title": None,
            "labelAngle": -60,
            "labelAlign": "left",
            "labelBaseline": "middle",
            "labelLimit": longest * 2,
            "labelFontSize": SMALL_TEXT,
            "labelOverlap": False,
            "domain": False,
            "ticks": False,
            "labelColor": INK,
        },
    }


def _down(metrics: Sequence[str]) -> Spec:
    return {
        "field": "metric",
        "type": "nominal",
        "sort": list(metrics),
        "axis": {"title": None, "labelLimit": 300, "domain": False, "ticks": False, "labelColor": INK, "grid": False},
    }


def strips(series: Mapping[str, Sequence[float]], *, provenance: str) -> Figure:
    """For each metric a stroke at the accuracy of every phenomenon, a disc at their mean and a bar at their median."""
    metrics = distinct(series)
    lines = list(zip(metrics, series.values(), strict=True))
    strokes = [{"metric": metric, "accuracy": value} for metric, values in lines for value in values]
    middles = [
        {"metric": metric, "mean": fmean(values), "median": median(values)} for metric, values in lines if values
    ]
    caption = (
        f"Accuracy of {max(map(len, series.values())):,} phenomena for each metric: a stroke is a phenomenon, the disc "
        f"their mean, the bar their median; {provenance}."
    )
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": {"title": "accuracy of phenomena", "format": ".0%", "tickCount": 5},
    }
    spec: Spec = {
        "width": WIDTH - 130,
        "height": {"step": ROW_HEIGHT},
        "encoding": {"y": _down(metrics)},
        "layer": [
            {
                "data": {"values": strokes},
                "mark": {"type": "tick", "color": QUIET, "opacity": 0.45, "thickness": 1, "size": 11},
                "encoding": {"x": {**x, "field": "accuracy"}},
            },
            {
                "data": {"values": middles},
                "mark": {"type": "tick", "color": WARM, "thickness": 2.5, "size": 14, "opacity": 1},
                "encoding": {"x": {**x, "field": "median"}},
            },
            {
                "data": {"values": middles},
                "mark": {"type": "point", "filled": True, "size": 42, "color": ACCENT, "opacity": 1},
                "encoding": {"x": {**x, "field": "mean"}},
            },
        ],
    }
    return Figure("sorted-phenomena", "Accuracy of all phenomena", caption, document(spec, caption))
