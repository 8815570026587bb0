"""Good/(Good+Bad) as bars, by contrast and by system, with 95 % intervals.

for figure in contrast_figures(run):
    Path(f"{figure.name}.svg").write_bytes(render(figure, "svg"))
"""

import textwrap
from collections.abc import Sequence
from typing import Any

from assay.contrasts.contrast_run import OWN, STRICT, ContrastRun
from assay.contrasts.counts import ContrastCell, GoodShare
from assay.contrasts.tables import fair_share
from assay.reports.figures.figure import Figure, Spec
from assay.reports.figures.labels import clean, distinct
from assay.reports.figures.look import ACCENT, INK, LETTER, PALETTE, WIDTH, document
from assay.reports.table import DASH
from assay.text import plural

RANKED, SMALL_ROW = "enough keywords to rank", "too few to rank"

_GAP, _MARGIN = 10, 30  # px between the panels and around the figure
_BAR = 13


def contrast_figures(run: ContrastRun) -> list[Figure]:
    """The bars by contrast, then by system."""
    return [bars_by_contrast(run), bars_by_system(run)]


def bars_by_contrast(run: ContrastRun) -> Figure:
    """A panel for each contrast, systems down in the order of their mean."""
    values, systems, contrasts = _values(run)
    width = (WIDTH - LETTER * max(map(len, systems)) - _GAP * (len(contrasts) - 1) - _MARGIN) / len(contrasts)
    panels = [
        _panel(
            [value for value in values if value["contrast"] == contrast],
            down=("system", systems),
            title=_lines(contrast, width),
            width=width,
            labels=place == 0,
        )
        for place, contrast in enumerate(contrasts)
    ]
    caption = _caption(run, "by contrast")
    return Figure(
        "bars-by-contrast",
        f"{run.contrasts.name}: {_measure(run)} by contrast",
        caption,
        document({"hconcat": panels, "spacing": _GAP}, caption),
    )


def bars_by_system(run: ContrastRun) -> Figure:
    """A panel for each system in the order of their mean, contrasts down; four panels in a line."""
    values, systems, contrasts = _values(run)
    across = min(4, len(systems))
    width = (WIDTH - LETTER * max(map(len, contrasts)) - _GAP * (across - 1) - _MARGIN) / across
    panels = [
        _panel(
            [value for value in values if value["system"] == system],
            down=("contrast", contrasts),
            title=_lines(system, width),
            width=width,
            labels=place % across == 0,
        )
        for place, system in enumerate(systems)
    ]
    lines = [{"hconcat": panels[start : start + across], "spacing": _GAP} for start in range(0, len(panels), across)]
    caption = _caption(run, "by system")
    return Figure(
        "bars-by-system",
        f"{run.contrasts.name}: {_measure(run)} by system",
        caption,
        document({"vconcat": lines, "spacing": _GAP}, caption),
    )


def _lines(name: str, width: float) -> list[str]:
    """A name over a panel, broken at its hyphens."""
    return textwrap.wrap(clean(name), max(int(width / LETTER), 8))


def _measure(run: ContrastRun) -> str:
    return STRICT if run.evaluation.settings.policy == "strict" else OWN


def _caption(run: ContrastRun, how: str) -> str:
    fair = " on the keywords that every system has decided" if run.evaluation.settings.policy == "fair" else ""
    return (
        f"{_measure(run)}{fair} of {plural(len(run.systems), 'system')} {how}, with 95 % intervals; systems in the "
        f"order of their mean, hollow bars rest on too few keywords to rank anybody; expectation {run.expectation}; "
        f"signature {run.signature}."
    )


def _share(run: ContrastRun, cell: ContrastCell) -> GoodShare:
    policy = run.evaluation.settings.policy
    return cell.strict if policy == "strict" else fair_share(cell) if policy == "fair" else cell.own


def _values(run: ContrastRun) -> tuple[list[dict[str, Any]], list[str], list[str]]:
    rows = [row for row in run.rows() if row.phenomenon is not None]
    systems = distinct(run.labels)
    contrasts = distinct(str(row.phenomenon) for row in rows)
    values = []
    for contrast, row in zip(contrasts, rows, strict=True):
        for system, cell in zip(systems, row.cells, strict=True):
            share = _share(run, cell)
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
    down: tuple[str, Sequence[str]],
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
