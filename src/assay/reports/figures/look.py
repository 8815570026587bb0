"""What all figures look like: sizes for a text width of 16 cm, colours for colour-blind readers and for grey print.

A figure is 605 px wide, 16 cm at 96 dpi, so that 10 px in it are 7.5 pt on paper.
"""

from collections.abc import Sequence
from math import ceil, floor
from typing import Any

from assay.reports.figures.figure import Spec
from assay.reports.figures.labels import clean
from assay.reports.figures.letters import FONT

WIDTH = 605
TEXT, SMALL_TEXT = 10.5, 9.3
LINE_HEIGHT = 12.0
INK, QUIET, FAINT = "#1a1a1a", "#6b6b6b", "#dddddd"
ACCENT, WARM = "#0b6e69", "#c2410c"
REST = "#b3b3b3"
"""Lines that are there for comparison only."""

RAMP = ("#f4faf9", "#cfe8e5", "#9fd1cc", "#6cb7b1", "#40a099")
"""Low to high accuracy; light enough for black numbers on all of it."""

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#7a5c00")
"""Okabe and Ito's colours; a dark brown for their yellow, which white paper swallows."""

INKS = ("#00659e", "#b34f00", "#00785a", "#a3497a", "#000000", "#8a5d00", "#1f79ab", "#7a5c00")
"""The same colours for words: as dark as black on white paper must be to be read (WCAG's 4.5)."""

DASHES: tuple[tuple[int, ...], ...] = (
    (1, 0),
    (7, 3),
    (2, 2),
    (9, 3, 2, 3),
    (14, 4),
    (4, 4),
    (2, 5),
    (9, 2, 2, 2, 2, 2),
)
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)

MOST_LINES = len(PALETTE)
"""More lines than this cannot be told apart."""

_WORDS: Spec = {
    "labelColor": INK,
    "titleColor": INK,
    "labelFontSize": TEXT,
    "titleFontSize": TEXT,
    "titleFontWeight": "normal",
    "labelLimit": 190,
}
_CONFIG: Spec = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {**_WORDS, "domainColor": QUIET, "tickColor": QUIET, "gridColor": FAINT},
    "legend": _WORDS,
    "title": {"fontSize": TEXT, "fontWeight": "normal", "color": INK},
    "text": {"fontSize": TEXT, "color": INK},
}


def document(body: Spec, caption: str) -> Spec:
    """A whole Vega-Lite document; the caption is what a screen reader says."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": clean(caption),
        "background": "white",
        "padding": 4,
        "config": _CONFIG,
        **body,
    }


def accuracy_domain(values: Sequence[float]) -> tuple[float, float]:
    """The range of an axis or of colours that holds all values, within [0, 1] and little larger than theirs.

    It ends at whole steps of 5, 2 or 1 points, the wider the values are apart, and spans 5 points at least.
    """
    if not values:
        return 0.0, 1.0
    lowest, highest = max(min(values), 0.0), min(max(values), 1.0)
    step = next(step for step, span in ((5, 0.2), (2, 0.1), (1, -1)) if highest - lowest > span)
    low = step * floor(100 * lowest / step + 1e-9)
    high = min(max(step * ceil(100 * highest / step - 1e-9), low + 5), 100)
    return min(low, high - 5) / 100, high / 100


def accuracy_axis(values: Sequence[float], **axis: Any) -> Spec:
    """An axis of accuracies in per cent that holds all values."""
    return {
        "field": "accuracy",
        "type": "quantitative",
        "scale": {"domain": accuracy_domain(values), "nice": False},
        "axis": {"title": "accuracy", "format": ".0%", "tickCount": 6, **axis},
    }
