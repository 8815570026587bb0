"""A profile as bars: what each translation makes of a construction, translators on top.

for figure in profile_figures(found):
    Path(f"{figure.name}.svg").write_bytes(render(figure, "svg"))
"""

from typing import Any

from assay.contrasts.profile import ConstructionProfile, ContrastProfile
from assay.reports.figures.figure import Figure, Spec
from assay.reports.figures.labels import distinct
from assay.reports.figures.letters import text_width
from assay.reports.figures.look import INK, PALETTE, TEXT, WIDTH, document
from assay.text import plural, slug

_BAR, _MARGIN = 17, 40
_LEAST = 0.045
"""Parts of a bar that are narrower have no number in them."""


def profile_figures(found: ContrastProfile) -> list[Figure]:
    """A figure for each construction."""
    return [_bars(found, construction) for construction in found.constructions]


def _bars(found: ContrastProfile, construction: ConstructionProfile) -> Figure:
    labels = distinct(row.label for row in construction.rows)
    values: list[dict[str, Any]] = []
    for label, row in zip(labels, construction.rows, strict=True):
        start = 0.0
        for place, (rendering, share) in enumerate(zip(construction.renderings, row.shares, strict=True)):
            value = share.share.value or 0.0
            mark = {1: "▲", -1: "▼", 0: ""}[share.differs]
            values.append(
                {
                    "translation": label,
                    "rendering": rendering,
                    "order": place,
                    "start": start,
                    "end": start + value,
                    "middle": start + value / 2,
                    "text": f"{100 * value:.0f}{mark}" if value >= _LEAST else "",
                }
            )
            start += value
    width = WIDTH - max(text_width(label, TEXT) for label in labels) - _MARGIN
    caption = (
        f"What becomes of {construction.name} in {found.name}: {plural(construction.keywords, 'keyword')}, shares of "
        f"the known renderings; people on top; ▲ ▼ significantly more or less often than they; {found.signature}."
    )
    return Figure(
        f"profile-{slug(construction.name)}",
        f"{found.name}: {construction.name}",
        caption,
        document(_spec(values, labels, construction.renderings, width), caption),
    )


def _spec(values: list[dict[str, Any]], labels: list[str], renderings: tuple[str, ...], width: float) -> Spec:
    y: Spec = {
        "field": "translation",
        "type": "nominal",
        "scale": {"domain": labels, "paddingInner": 0.18},
        "axis": {"title": None, "ticks": False, "domain": False},
    }
    x: Spec = {
        "field": "start",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "nice": False},
        "axis": {"title": None, "format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1], "labelFlush": True},
    }
    colour: Spec = {
        "field": "rendering",
        "type": "nominal",
        "scale": {
            "domain": list(renderings),
            "range": [_COLOURS[place % len(_COLOURS)] for place in range(len(renderings))],
        },
        "legend": {"title": None, "orient": "top", "columns": 4, "symbolType": "square"},
    }
    return {
        "width": width,
        "height": {"step": _BAR},
        "data": {"values": values},
        "encoding": {"y": y},
        "layer": [
            {
                "mark": {"type": "bar", "stroke": "white", "strokeWidth": 0.7},
                "encoding": {"x": x, "x2": {"field": "end"}, "color": colour},
            },
            {
                "mark": {"type": "text", "color": INK, "fontSize": 8.5},
                "encoding": {"x": {**x, "field": "middle"}, "text": {"field": "text"}},
            },
        ],
    }


# Okabe and Ito's hues, light enough for black numbers on them.
_COLOURS = ("#9ecae9", "#ffbf79", "#88d27a", "#e6b8d4", "#f2cf5b", "#c9c9c9", "#83bcb6", "#d8b5a5")
assert len(_COLOURS) == len(PALETTE)
