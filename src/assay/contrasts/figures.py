"""Good/(Good+Bad) as bars, by contrast and by system, with 95 % intervals.

for figure in contrast_figures(run):
    Path(f"{figure.name}.svg").write_bytes(render(figure, "svg"))
"""

import textwrap
from collections.abc import Sequence
from typing import Any

from assay.contrasts.contrast_run import OWN, STRICT, ContrastRun
from assay.contrasts.counts import GoodShare
from assay.reports.figures.figure import Figure, Spec
from assay.reports.figures.labels import clean, distinct
from assay.reports.figures.letters import text_width
from assay.reports.figures.look import ACCENT, INK, PALETTE, TEXT, WIDTH, document
from assay.reports.table import DASH
from assay.text import plural

RANKED, SMALL_ROW = "enough keywords to rank", "too few to rank"

_GAP, _MARGIN = 10, 30  # px between the panels and around the figure
_BAR = 13

Axis = tuple[str, Sequence[str]]
"""A field of the values, and its values in their order."""


def contrast_figures(run: ContrastRun) -> list[Figure]:
    """The bars by contrast, then by system."""
    values, systems, contrasts = _values(run)
    return [
        # All contrasts in a line, systems down in the order of their mean.
        _bars(run, values, ("contrast", contrasts), ("system", systems)),
        _bars(run, values, ("system", systems), ("contrast", contrasts), across=min(4, len(systems))),
    ]


def _bars(run: ContrastRun, values: list[dict[str, Any]], over: Axis, down: Axis, across: int | None = None) -> Figure:
    """A panel for each name of one axis, with the other one down; so many panels `across`, None: all in a line."""
    (field, names), (_, below) = over, down
    columns = across or len(names)
    width = (WIDTH - max(text_width(name, TEXT) for name in below) - _GAP * (columns - 1) - _MARGIN) / columns
    panels = [
        _panel(
            [value for value in values if value[field] == name],
            down=down,
            title=_lines(name, width),
            width=width,
            labels=place % columns == 0,
        )
        for place, name in enumerate(names)
    ]
    lines = [{"hconcat": panels[start : start + columns], "spacing": _GAP} for start in range(0, len(panels), columns)]
    caption = _caption(run, f"by {field}")
    return Figure(
        f"bars-by-{field}",
        f"{run.contrasts.name}: {_measure(run)} by {field}",
        caption,
        document({"vconcat": lines, "spacing": _GAP} if across else lines[0], caption),
    )


def _lines(name: str, width: float) -> list[str]:
    """A name over a panel, broken at its hyphens."""
    name = clean(name)
    return textwrap.wrap(name, max(int(len(name) * width / text_width(name, TEXT)), 8))


def _measure(run: ContrastRun) -> str:
    return STRICT if run.evaluation.settings.policy == "strict" else OWN


def _caption(run: ContrastRun, how: str) -> str:
    fair = " on the keywords that every system has decided" if run.evaluation.settings.policy == "fair" else ""
    return (
        f"{_measure(run)}{fair} of {plural(len(run.systems), 'system')} {how}, with 95 % intervals; systems in the "
        f"order of their mean, hollow bars rest on too few keywords to rank anybody; expectation {run.expectation}; "
        f"signature {run.signature}."
    )


def _values(run: ContrastRun) -> tuple[list[dict[str, Any]], list[str], list[str]]:
    rows = [row for row in run.rows() if row.phenomenon is not None]
    systems = distinct(run.labels)
    contrasts = distinct(str(row.phenomenon) for row in rows)
    values = []
    for contrast, row in zip(contrasts, rows, strict=True):
        for system, cell in zip(systems, row.cells, strict=True):
            share: GoodShare = getattr(cell, run.evaluation.settings.policy)
            values.append(
                {
                    "contrast": contrast,
                    "system": system,
                    "size": RANKED if row.ranks else SMALL_ROW,
                    "good": share.value,
                    "low": share.low,
                    "high": share.high,
                    "text": DASH if share.value is None else f"{100 * share.value:.0f}",
                }
            )
    return values, systems, contrasts


def _panel(
    values: list[dict[str, Any]],
    *,
    down: Axis,
    title: Sequence[str],
    width: float,
    labels: bool,
) -> Spec:
    x: Spec = {
        "field": "good",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "nice": False},
        "axis": {"title": None, "format": ".0%", "values": [0, 0.5, 1], "labelFlush": True},
    }
    y: Spec = {
        "field": down[0],
        "type": "nominal",
        "scale": {"domain": list(down[1]), "paddingInner": 0.25},
        "axis": {"title": None, "ticks": False, "labels": labels, "domain": True},
    }
    fill = {
        "field": "size",
        "type": "nominal",
        "scale": {"domain": [RANKED, SMALL_ROW], "range": [PALETTE[6], "white"]},
        "legend": {"title": None, "orient": "bottom", "symbolStrokeColor": ACCENT, "symbolType": "square"},
    }
    return {
        "title": {"text": list(title), "anchor": "start", "frame": "group"},
        "width": width,
        "height": {"step": _BAR},
        "data": {"values": values},
        "encoding": {"y": y},
        "layer": [
            {"mark": {"type": "bar", "stroke": ACCENT, "strokeWidth": 0.8}, "encoding": {"x": x, "fill": fill}},
            {
                "mark": {"type": "rule", "color": INK, "strokeWidth": 1},
                "transform": [{"filter": "datum.good !== null"}],
                "encoding": {"x": x | {"field": "low"}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 3, "color": INK, "fontSize": 8.5},
                "encoding": {"x": {"value": 0}, "text": {"field": "text"}},
            },
        ],
    }
