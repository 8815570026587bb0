"""Difficulty of the items against their discrimination: which are too easy, and which may have a wrong rule.

difficulty([ItemPoint("00001001", "Ambiguity", 0.4, 0.31)])
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil, floor

from assay.errors import BadOption
from assay.reports.figures.figure import Figure, Spec
from assay.reports.figures.labels import clean, distinct
from assay.reports.figures.look import ACCENT, INK, PALETTE, QUIET, SHAPES, SMALL_TEXT, WIDTH, document
from assay.text import plural

HEIGHT = 300
MOST_CATEGORIES = 6


@dataclass(frozen=True, slots=True)
class ItemPoint:
    """An item's place. `difficulty` is the share of systems that fail it, in [0, 1].

    `discrimination` says how far good systems pass it and weak ones fail it, in [-1, 1]; `None` where it is not
    defined, as for an item that all systems pass.
    """

    item: str
    category: str
    difficulty: float
    discrimination: float | None


def difficulty(
    points: Sequence[ItemPoint], *, saturated: float = 0.1, contrary: float = -0.3, provenance: str = ""
) -> Figure:
    """Items at most `saturated` difficult hardly tell systems apart; those below `contrary` favour the weak ones.

    Up to 6 categories have a shape and a colour each. Items without a discrimination are counted above the plot.
    """
    if not points:
        raise BadOption("there is nothing to draw; a figure needs at least one item")
    undefined = [point for point in points if point.discrimination is None]
    easy = sum(point.difficulty <= saturated for point in points)
    odd = sum(point.discrimination is not None and point.discrimination < contrary for point in points)
    caption = (
        f"Difficulty (share of systems that fail) and discrimination of {plural(len(points), 'item')}, of which "
        f"{easy:,} are saturated (difficulty at most {100 * saturated:g} %), {odd:,} contrary (discrimination under "
        f"{contrary:g}) "
        f"and {len(undefined):,} have no discrimination" + (f"; {provenance}." if provenance else ".")
    )
    values = [point.discrimination for point in points if point.discrimination is not None]
    low = (floor(10 * min([-0.4, contrary, *values])) - 1) / 10  # one step of room for the names of the regions
    high = (ceil(10 * max([0.4, *values])) + 1) / 10
    body: Spec = {
        "width": WIDTH - 60,
        "height": HEIGHT,
        "layer": [
            *_corners(saturated, contrary, low, high),
            _dots(points, (low, high)),
            *_undefined(undefined),
        ],
    }
    return Figure("difficulty", "Difficulty and discrimination of the items", caption, document(body, caption))


def _axes(domain: tuple[float, float]) -> Spec:
    return {
        "x": {
            "field": "difficulty",
            "type": "quantitative",
            "scale": {"domain": [0, 1]},
            "axis": {"title": "difficulty (share of systems that fail)", "format": ".0%", "tickCount": 5},
        },
        "y": {
            "field": "discrimination",
            "type": "quantitative",
            "scale": {"domain": domain, "nice": False},
            "axis": {"title": "discrimination", "tickCount": 6},
        },
    }


def _dots(points: Sequence[ItemPoint], domain: tuple[float, float]) -> Spec:
    sizes = Counter(point.category for point in points)
    categories = sorted(sizes)
    names = dict(zip(categories, distinct(categories), strict=True))
    values = [
        asdict(point) | {"item": clean(point.item), "category": names[point.category]}
        for point in sorted(points, key=lambda point: -sizes[point.category])  # the rare ones lie on top
        if point.discrimination is not None
    ]
    encoding = _axes(domain)
    if len(categories) <= MOST_CATEGORIES:
        legend = {"title": None, "orient": "bottom", "columns": 3, "symbolOpacity": 1, "symbolSize": 45}

        def by_category(values: Sequence[str]) -> Spec:
            scale = {"domain": list(names.values()), "range": list(values[: len(names)])}
            return {"field": "category", "type": "nominal", "scale": scale, "legend": legend}

        encoding |= {"color": by_category(PALETTE), "shape": by_category(SHAPES)}
    mark = {"type": "point", "filled": True, "size": 26, "opacity": 0.35, "color": ACCENT}
    return {"data": {"values": values}, "mark": mark, "encoding": encoding}


def _corners(saturated: float, contrary: float, low: float, high: float) -> list[Spec]:
    """The two regions, shaded and named."""
    axes = _axes((low, high))

    def region(name: str, corners: Spec, text: Spec) -> list[Spec]:
        data = {"values": [corners | {"name": name}]}
        encoding = axes | {"x2": {"field": "difficulty2"}, "y2": {"field": "discrimination2"}}
        label = {"type": "text", "fontSize": SMALL_TEXT, "color": INK, **text}
        return [
            {"data": data, "mark": {"type": "rect", "color": "#f0f0f0"}, "encoding": encoding},
            {"data": data, "mark": label, "encoding": axes | {"text": {"field": "name"}}},
        ]

    return [
        *region(
            "saturated",
            {"difficulty": 0, "difficulty2": saturated, "discrimination": high, "discrimination2": low},
            {"align": "left", "baseline": "top", "dx": 4, "dy": 4},
        ),
        *region(
            "contrary: weak systems pass, good ones fail",
            {"difficulty": 1, "difficulty2": 0, "discrimination": low, "discrimination2": contrary},
            {"align": "right", "baseline": "bottom", "dx": -4, "dy": -4},
        ),
    ]


def _undefined(points: Sequence[ItemPoint]) -> list[Spec]:
    """How many items have no place in the plot, above it: all systems pass them, or fail them."""
    passed = sum(point.difficulty == 0 for point in points)
    failed = sum(point.difficulty == 1 for point in points)
    notes = [
        (passed, "passed by all systems", 0, "left"),
        (len(points) - passed - failed, "without a discrimination", 0.5, "center"),
        (failed, "failed by all systems", 1, "right"),
    ]
    return [
        {
            "data": {"values": [{"text": f"{plural(count, 'item')} {what}"}]},
            "mark": {"type": "text", "align": align, "fontSize": SMALL_TEXT, "color": QUIET},
            "encoding": {"x": {"value": place * (WIDTH - 60)}, "y": {"value": -9}, "text": {"field": "text"}},
        }
        for count, what, place, align in notes
        if count
    ]
