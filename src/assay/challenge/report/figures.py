"""Accuracy of metrics by how close the two translations are, one line per metric.

closeness_curve(evaluation)                     close to each other
closeness_curve(evaluation, "advantage")        the correct one closer to the reference than the incorrect one

Controls are in no figure. More metrics than lines can be told apart have a row each, with their names.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from assay.challenge.accuracy import MetricEvaluation
from assay.challenge.analysis import Band, Measure, curve
from assay.challenge.report.grids import grid, strips
from assay.evaluation.tally import AVERAGES
from assay.reports.figures.curves import line_looks, phenomenon_series, sorted_phenomena
from assay.reports.figures.figure import Figure, Spec
from assay.reports.figures.highlight import highlighted
from assay.reports.figures.labels import distinct
from assay.reports.figures.look import INK, MOST_LINES, QUIET, WIDTH, accuracy_axis, document
from assay.text import plural

HEIGHT = 250
_AXIS = 60  # px of the axis of accuracies
_DODGE = 4.5  # px between the intervals of two metrics
_EDGE = 0.45  # of a band, left of the first and right of the last

CHANCE = 0.5
"""What a metric without any knowledge gets right, were there no ties."""

_MEASURES: dict[Measure, str] = {
    "closeness": "closeness of the correct and the incorrect translation (1: the same)",
    "advantage": "closeness to the reference, correct minus incorrect translation",
}


def challenge_provenance(evaluation: MetricEvaluation) -> str:
    """How many challenge items, of how many sources, and the signature: the end of a caption."""
    micro = evaluation.averages()[0]
    return (
        f"{plural(micro.size, 'challenge item')} of {plural(micro.sources, 'source')}; signature {evaluation.signature}"
    )


def challenge_figures(evaluation: MetricEvaluation) -> list[Figure]:
    """The figures of one set."""
    names = [evaluation.columns[column] for column in evaluation.competing]
    series = {name: values for name, values in phenomenon_series(evaluation).items() if name in names}
    provenance = challenge_provenance(evaluation)
    if len(names) <= MOST_LINES:
        curves = [closeness_curve(evaluation, over) for over in _MEASURES]
        return [*curves, sorted_phenomena(series, provenance=provenance), category_grid(evaluation)]
    grids = [closeness_grid(evaluation, over) for over in _MEASURES]
    return [*grids, strips(series, provenance=provenance), category_grid(evaluation)]


def category_grid(evaluation: MetricEvaluation) -> Figure:
    """Every metric in every category and on average."""
    rows = [*evaluation.levels["category"], *evaluation.averages()]
    labels = [row.category or AVERAGES[row.level] for row in rows]
    caption = (
        f"Accuracy in per cent of {plural(len(evaluation.competing), 'metric')} in "
        f"{plural(len(evaluation.levels['category']), 'category')} and on average; {challenge_provenance(evaluation)}."
    )
    return grid(
        "categories",
        "Accuracy by category",
        caption,
        rows=[evaluation.columns[column] for column in evaluation.competing],
        columns=labels,
        values=[[row.cells[column].accuracy for row in rows] for column in evaluation.competing],
    )


def closeness_grid(evaluation: MetricEvaluation, over: Measure) -> Figure:
    """What `closeness_curve` shows, with a row for each metric."""
    bands = [band for band in curve(evaluation, over) if band.size]
    caption = (
        f"Accuracy in per cent by {_MEASURES[over]}, for {plural(len(evaluation.competing), 'metric')}, with the "
        f"number of challenge items of each band; {challenge_provenance(evaluation)}."
    )
    return grid(
        f"{over}-curve",
        f"Accuracy by {over}",
        caption,
        rows=[evaluation.columns[column] for column in evaluation.competing],
        columns=[f"{band_label(band)}, n = {band.size:,}" for band in bands],
        values=[[band.cells[column].accuracy for band in bands] for column in evaluation.competing],
    )


def closeness_curve(
    evaluation: MetricEvaluation, over: Measure = "closeness", *, highlight: Sequence[str] = ()
) -> Figure:
    """Lines with 95 % intervals where a band has items enough, and under each band its challenge items.

    More than 8 metrics are grey but for those to highlight (or best and worst).
    """
    bands = curve(evaluation, over)
    cells = evaluation.averages()[0].cells
    means = {cells[column].metric: cells[column].accuracy or 0.0 for column in evaluation.competing}
    chosen = highlighted(list(means), named=highlight, means=means)
    rest = len(means) - len(chosen)
    caption = (
        f"Accuracy by {_MEASURES[over]}, with 95 % intervals from drawing sources, one line for each of "
        f"{', '.join(distinct(chosen))}"
        + (f" and, in grey, {plural(rest, 'other')}" if rest else "")
        + "; below each band its challenge items, and dotted what chance would give without ties"
        + f"; {challenge_provenance(evaluation)}."
    )
    spec = document(_spec(bands, evaluation.columns, list(means), chosen, over), caption)
    return Figure(f"{over}-curve", f"Accuracy by {over}", caption, spec)


def band_label(band: Band) -> str:
    """`0.5 to 0.6`."""
    return f"{band.low:g} to {band.high:g}".replace("-", "−")


def _spec(
    bands: Sequence[Band], metrics: Sequence[str], drawn: Sequence[str], chosen: Sequence[str], over: Measure
) -> Spec:
    rest = [metric for metric in drawn if metric not in chosen]
    keys = distinct([*chosen, *([f"{len(rest)} others"] if rest else [])])
    shown = dict.fromkeys(rest, keys[-1]) | dict(zip(chosen, keys, strict=False))
    width = WIDTH - _AXIS
    step = _DODGE * (len(bands) - 1 + 2 * _EDGE) / width
    values = [
        {"line": number, "key": key, "rest": metric in rest, **point}
        for number, (metric, key) in enumerate(shown.items())
        for point in _points(bands, metrics.index(metric), _dodged(metric, chosen, step))
    ]
    ends = [value[end] for value in values for end in ("accuracy", "low", "high") if value[end] is not None]
    y = accuracy_axis([*ends, CHANCE])
    looks = {"detail": {"field": "line"}, **line_looks(keys, len(chosen))}
    few = [{"filter": "!datum.rest"}]
    known = [{"filter": "!datum.rest && isValid(datum.low)"}]
    return {
        "width": width,
        "height": HEIGHT,
        "data": {"values": values},
        "encoding": {"x": _across(bands, over), "y": y},
        "layer": [
            {
                "data": {"values": [{"chance": CHANCE}]},
                "mark": {"type": "rule", "strokeDash": [1, 3], "color": QUIET},
                "encoding": {"x": {"value": 0}, "x2": {"value": width}, "y": y | {"field": "chance"}},
            },
            {
                "mark": {"type": "line", "strokeWidth": 0.8},
                "transform": [{"filter": "datum.rest"}],
                "encoding": looks,
            },
            {
                "mark": {"type": "rule", "strokeWidth": 1, "opacity": 0.75},
                "transform": known,
                "encoding": {"color": looks["color"], "y": y | {"field": "low"}, "y2": {"field": "high"}},
            },
            {"mark": {"type": "line", "strokeWidth": 1.8}, "transform": few, "encoding": looks},
            {
                "mark": {"type": "point", "filled": True, "size": 28, "opacity": 1},
                "transform": few,
                "encoding": {"color": looks["color"]},
            },
        ],
    }


def _across(bands: Sequence[Band], over: Measure) -> Spec:
    """Bands are equally wide and named below; a name is a JSON text in the expression, so it cannot end it."""
    # In three lines: those of eight bands would run into each other in two.
    names = {
        str(place): [*band_label(band).replace(" to ", " to\n").split("\n"), f"n = {band.size:,}"]
        for place, band in enumerate(bands)
    }
    return {
        "field": "x",
        "type": "quantitative",
        "scale": {"domain": [-_EDGE, len(bands) - 1 + _EDGE], "nice": False},
        "axis": {
            "title": _MEASURES[over],
            "values": list(range(len(bands))),
            "labelExpr": f"({json.dumps(names)})[format(datum.value, 'd')]",
            "grid": False,
            "labelColor": INK,
        },
    }


def _dodged(metric: str, chosen: Sequence[str], step: float) -> float:
    """How far a metric's points stand from the middle of a band, so that intervals do not hide each other."""
    return (chosen.index(metric) - (len(chosen) - 1) / 2) * step if metric in chosen else 0.0


def _points(bands: Sequence[Band], column: int, shift: float) -> list[dict[str, Any]]:
    """Points of one metric; an empty band has none."""
    return [
        {"x": place + shift, "accuracy": cell.accuracy, "low": cell.low, "high": cell.high, "size": band.size}
        for place, band in enumerate(bands)
        if (cell := band.cells[column]).accuracy is not None
    ]


def challenge_series(results: Mapping[str, MetricEvaluation | Mapping[str, Any]]) -> dict[str, list[float]]:
    """Label -> the phenomena's accuracies, each the mean over metrics: a line for every direction.

    A result is an evaluation of metrics or the JSON report of one.
    """
    found = {}
    for label, result in results.items():
        if isinstance(result, Mapping):
            means = [row["average"] for row in result["rows"] if row["level"] == "phenomenon"]
        else:
            means = [row.average for row in result.rows("phenomenon") if row.level == "phenomenon"]
        found[label] = [mean for mean in means if mean is not None]
    return found
