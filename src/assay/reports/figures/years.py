"""Accuracy over the years, one line per system.

slopes([SlopePoint("Online-B", 2021, 0.78, 0.76, 0.80), SlopePoint("Online-B", 2022, 0.81, 0.79, 0.83)])
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from assay.errors import BadOption
from assay.reports.figures.figure import Figure, Spec
from assay.reports.figures.highlight import highlighted
from assay.reports.figures.labels import clean, distinct, spread
from assay.reports.figures.letters import text_width
from assay.reports.figures.look import (
    INK,
    INKS,
    LINE_HEIGHT,
    PALETTE,
    QUIET,
    REST,
    SHAPES,
    TEXT,
    WIDTH,
    accuracy_domain,
    document,
)
from assay.text import plural

HEIGHT = 270
MARGIN = 0.08
"""Left of the first and right of the last year, as a share of the years between."""

BEST = "best of each year"

WIDEST_LABEL = 180
"""In px; a longer one is cut."""

_AXIS, _LEADER, _MARKER = 52, 22, 9  # px of axis and margins, from the last year to a label, of the marker before it
_DODGE = 5.0  # px between the intervals of two systems


@dataclass(frozen=True, slots=True)
class SlopePoint:
    """Accuracy of a system in a year, and its 95 % interval where there is one."""

    system: str
    year: int
    value: float
    low: float | None = None
    high: float | None = None


def slopes(
    points: Sequence[SlopePoint],
    *,
    best: Sequence[SlopePoint] = (),
    campaigns: Sequence[str] = (),
    highlight: Sequence[str] = (),
    provenance: str = "",
) -> Figure:
    """One line per system, named at its right end; `best` (of each year) is dashed.

    With `campaigns` a point's year is the number of its campaign, from 0, and the axis shows their names.

    More than 8 systems are grey but for those to highlight (or the best and the worst of those with most years). Only
    highlighted ones show their intervals, and stand a little apart within a year so that these can be read.
    """
    lines = _by_system(points)
    longest = max(map(len, lines.values()), default=0)
    lasting = {system: fmean(point.value for point in line) for system, line in lines.items() if len(line) == longest}
    chosen = highlighted(lines, named=highlight, means=lasting)
    years = sorted({point.year for point in (*points, *best)})
    names = {year: clean(campaigns[year]) if campaigns else str(year) for year in years}
    span = f"{names[years[0]]} to {names[years[-1]]}" if len(years) > 1 else names[years[0]]
    caption = (
        f"Accuracy of {plural(len(lines), 'system')}, {span}"
        + (", with 95 % intervals" if any(point.low is not None for point in points) else "")
        + (f" for {', '.join(distinct(chosen))}" if len(chosen) < len(lines) else "")
        + (f"; the dashed line is the {BEST}" if best else "")
        + ("; a year at a name is its last" if any(line[-1].year < years[-1] for line in lines.values()) else "")
        + (f"; {provenance}." if provenance else ".")
    )
    spec = document(SlopeGeometry(lines, chosen, sorted(best, key=_year), names).spec(), caption)
    return Figure("slopes", "Accuracy over the years", caption, spec)


def _year(point: SlopePoint) -> int:
    return point.year


def _by_system(points: Sequence[SlopePoint]) -> dict[str, list[SlopePoint]]:
    lines: dict[str, list[SlopePoint]] = {}
    for point in sorted(points, key=_year):
        line = lines.setdefault(point.system, [])
        if line and line[-1].year == point.year:
            raise BadOption(f"{point.system} has two values in {point.year}")
        line.append(point)
    return lines


class SlopeGeometry:
    """The geometry of one figure: where the lines run and where their labels stand.

    `best` is the dashed line, which the label `dashed` names; `axis` says what is measured.
    """

    def __init__(
        self,
        lines: dict[str, list[SlopePoint]],
        chosen: Sequence[str],
        best: Sequence[SlopePoint],
        names: Mapping[int, str],
        *,
        axis: str = "accuracy",
        dashed: str = BEST,
    ) -> None:
        self.lines, self.chosen, self.best, self.names = lines, chosen, best, names
        self.axis, self.dashed = axis, dashed
        self.years = sorted(names)
        self.labels = dict(zip(lines, distinct(lines), strict=True))
        ends = [
            end
            for line in (*lines.values(), best)
            for point in line
            for end in (point.value, point.low, point.high)
            if end is not None
        ]
        self.domain = accuracy_domain(ends)
        self.has_intervals = any(point.low is not None for line in lines.values() for point in line)
        self.height = max(HEIGHT, LINE_HEIGHT * (len(lines) + bool(best)))
        labels = max(text_width(label, TEXT) for label in (*map(self._label, lines), dashed if best else ""))
        self.width = WIDTH - _AXIS - _LEADER - _MARKER - min(labels, WIDEST_LABEL)

    def spec(self) -> Spec:
        rest = [system for system in self.lines if system not in self.chosen]
        order = (*self.chosen, *rest)
        coloured = self._by_system(order, [*PALETTE[: len(self.chosen)], *[REST] * len(rest)])
        shaped = self._by_system(order, [*SHAPES[: len(self.chosen)], *["circle"] * len(rest)])
        return {
            "width": self.width,
            "height": self.height,
            "layer": [
                *self._line(rest, coloured, shaped, width=0.9, size=14),
                *self._intervals(coloured),
                *self._line(self.chosen, coloured, shaped, width=1.8, size=55),
                *self._best(),
                *self._labels(coloured, shaped),
            ],
        }

    def _by_system(self, systems: Sequence[str], looks: Sequence[str]) -> Spec:
        scale = {"domain": [self.labels[system] for system in systems], "range": list(looks)}
        return {"field": "system", "type": "nominal", "scale": scale, "legend": None}

    @property
    def _x(self) -> Spec:
        margin = MARGIN * self._span
        return {
            "field": "x",
            "type": "quantitative",
            "scale": {"domain": [self.years[0] - margin, self.years[-1] + margin], "nice": False},
            "axis": {"title": None, "values": self.years, "labelExpr": self._tick, "grid": True, "domain": False},
        }

    @property
    def _tick(self) -> str:
        """A Vega expression that names a tick; names are JSON texts in it, so they cannot end the expression."""
        return f"({json.dumps({str(year): name for year, name in self.names.items()})})[format(datum.value, 'd')]"

    @property
    def _y(self) -> Spec:
        return {
            "field": "value",
            "type": "quantitative",
            "scale": {"domain": self.domain, "nice": False},
            "axis": {"title": self.axis, "format": ".0%", "tickCount": 6},
        }

    def _dodged(self, system: str) -> float:
        """How far a highlighted system stands from its year, in years."""
        if system not in self.chosen or not self.has_intervals:
            return 0.0
        pixels = (self.chosen.index(system) - (len(self.chosen) - 1) / 2) * _DODGE
        return pixels * (1 + 2 * MARGIN) * self._span / self.width

    @property
    def _span(self) -> int:
        return max(self.years[-1] - self.years[0], 1)

    def _rows(self, systems: Sequence[str]) -> list[dict[str, Any]]:
        return [
            {
                "system": self.labels[system],
                "year": point.year,
                "x": point.year + self._dodged(system),
                "value": point.value,
                "low": point.low,
                "high": point.high,
            }
            for system in systems
            for point in self.lines[system]
        ]

    def _line(self, systems: Sequence[str], coloured: Spec, shaped: Spec, *, width: float, size: float) -> list[Spec]:
        data = {"values": self._rows(systems)}
        position = {"x": self._x, "y": self._y, "color": coloured}
        return [
            {"data": data, "mark": {"type": "line", "strokeWidth": width}, "encoding": position},
            {
                "data": data,
                "mark": {"type": "point", "filled": True, "size": size, "opacity": 1},
                "encoding": position | {"shape": shaped},
            },
        ]

    def _intervals(self, coloured: Spec) -> list[Spec]:
        rows = [row for row in self._rows(self.chosen) if row["low"] is not None and row["high"] is not None]
        return [
            {
                "data": {"values": rows},
                "mark": {"type": "rule", "strokeWidth": 1, "opacity": 0.75},
                "encoding": {
                    "x": self._x,
                    "y": self._y | {"field": "low"},
                    "y2": {"field": "high"},
                    "color": coloured,
                },
            }
        ]

    def _best(self) -> list[Spec]:
        if not self.best:
            return []
        rows = [
            {"x": point.year + self._dodged(point.system), "value": point.value, "system": clean(point.system)}
            for point in self.best
        ]
        mark = {"type": "line", "strokeDash": [5, 3], "strokeWidth": 1.4, "color": INK}
        return [{"data": {"values": rows}, "mark": mark, "encoding": {"x": self._x, "y": self._y}}]

    def _label(self, system: str) -> str:
        """The year is said where it is not the last of all."""
        label, last = self.labels[system], self.lines[system][-1].year
        return label if last == self.years[-1] else f"{label}, {self.names[last]}"

    def _ends(self) -> list[dict[str, Any]]:
        """Where every line ends, and the label it gets, in a dark shade of its colour."""
        inks = dict(zip(self.chosen, INKS, strict=False))
        ends = [
            {
                "system": self.labels[system],
                "label": self._label(system),
                "x": line[-1].year + self._dodged(system),
                "value": line[-1].value,
                "ink": inks.get(system, QUIET),
            }
            for system, line in self.lines.items()
        ]
        if self.best:
            last = self.best[-1]
            ends.append(
                {"label": self.dashed, "x": last.year + self._dodged(last.system), "value": last.value, "ink": INK}
            )
        return ends

    def _labels(self, coloured: Spec, shaped: Spec) -> list[Spec]:
        """A label for every line, moved as little as keeps them a line height apart, and leaders to where they end.

        Before a label stands the marker of its line, so that it is known where leaders cross.
        """
        low, high = self.domain
        scale, ends = self.height / (high - low), self._ends()
        wanted = [(high - end["value"]) * scale for end in ends]
        places = spread(wanted, gap=LINE_HEIGHT, low=0, high=self.height)
        data = {"values": [end | {"place": high - at / scale} for end, at in zip(ends, places, strict=True)]}
        ink = {"field": "ink", "type": "nominal", "scale": None, "legend": None}
        leader = {"type": "rule", "strokeWidth": 0.6, "strokeDash": [1, 2]}
        text = {"type": "text", "align": "left", "baseline": "middle", "limit": WIDEST_LABEL}
        edge, start = {"value": self.width}, self.width + _LEADER
        place = self._y | {"field": "place"}
        return [
            {"data": data, "mark": leader, "encoding": {"x": self._x, "x2": edge, "y": self._y, "color": ink}},
            {
                "data": data,
                "mark": leader,
                "encoding": {
                    "x": edge,
                    "x2": {"value": start - 3},
                    "y": self._y,
                    "y2": {"field": "place"},
                    "color": ink,
                },
            },
            {
                "data": data,
                "transform": [{"filter": "isValid(datum.system)"}],  # the best of each year is no system
                "mark": {"type": "point", "filled": True, "size": 30, "opacity": 1},
                "encoding": {"x": {"value": start + 2}, "y": place, "color": coloured, "shape": shaped},
            },
            {
                "data": data,
                "mark": text,
                "encoding": {"x": {"value": start + _MARKER}, "y": place, "text": {"field": "label"}, "color": ink},
            },
        ]
