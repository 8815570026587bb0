"""The accuracies of all phenomena in ascending order, one line per direction or system.

sorted_phenomena(phenomenon_series(evaluation), provenance=provenance(evaluation))
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from assay.errors import BadOption
from assay.reports.figures.figure import Figure, Spec
from assay.reports.figures.highlight import highlighted
from assay.reports.figures.labels import distinct
from assay.reports.figures.look import DASHES, PALETTE, REST, WIDTH, document

HEIGHT = 250


def phenomenon_series(evaluation: Any) -> dict[str, list[float]]:
    """System or metric -> accuracies of the phenomena that are defined for all, as in the phenomenon macro."""
    rows = [
        row
        for row in evaluation.rows("phenomenon")
        if row.level == "phenomenon" and all(cell.accuracy is not None for cell in row.cells)
    ]
    return {
        label: [accuracy for row in rows if (accuracy := row.cells[number].accuracy) is not None]
        for number, label in enumerate(evaluation.columns)
    }


def sorted_phenomena(
    series: Mapping[str, Sequence[float]], *, highlight: Sequence[str] = (), provenance: str = ""
) -> Figure:
    """Label -> accuracies in any order. More than 8 lines are grey but for those to highlight (or best and worst).

    Lines of equal length share an axis of ranks; otherwise it is the share of each line's phenomena.
    """
    empty = [label for label, values in series.items() if not values]
    if empty:
        raise BadOption(f"{empty[0]} has no phenomena to draw")
    means = {label: fmean(values) for label, values in series.items()}
    chosen = highlighted(series, named=highlight, means=means)
    lengths = sorted({len(values) for values in series.values()})
    number = f"{lengths[0]:,}" if len(lengths) == 1 else f"{lengths[0]:,} to {lengths[-1]:,}"
    caption = (
        f"Accuracy of {number} phenomena in ascending order, one line for each of {', '.join(distinct(chosen))}"
        + (f" and, in grey, {len(series) - len(chosen)} others" if len(chosen) < len(series) else "")
        + (f"; {provenance}." if provenance else ".")
    )
    spec = document(_curves(series, chosen, by_rank=len(lengths) == 1), caption)
    return Figure("sorted-phenomena", "Accuracy of all phenomena, sorted", caption, spec)


def _curves(series: Mapping[str, Sequence[float]], chosen: Sequence[str], *, by_rank: bool) -> Spec:
    rest = [label for label in series if label not in chosen]
    keys = distinct([*chosen, *([f"{len(rest)} others"] if rest else [])])
    shown = dict.fromkeys(rest, keys[-1]) | dict(zip(chosen, keys, strict=False))
    values = [
        {"line": number, "key": key, "rest": label in rest, **point}
        for number, (label, key) in enumerate(shown.items())
        for point in _points(series[label], by_rank=by_rank)
    ]
    across = {"title": "phenomena, sorted by accuracy for each line"}
    if not by_rank:
        across = {"title": "share of the phenomena, sorted by accuracy for each line", "format": ".0%"}
    return {
        "width": WIDTH - 60,
        "height": HEIGHT,
        "data": {"values": values},
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 0.8}, "transform": [{"filter": "datum.rest"}]},
            {"mark": {"type": "line", "strokeWidth": 1.8}, "transform": [{"filter": "!datum.rest"}]},
        ],
        "encoding": {
            "x": {
                "field": "rank",
                "type": "quantitative",
                "scale": {"nice": False, "domain": [1, len(next(iter(series.values())))] if by_rank else [0, 1]},
                "axis": {"grid": False, **across},
            },
            "y": {
                "field": "accuracy",
                "type": "quantitative",
                "scale": {"domain": [0, 1]},
                "axis": {"title": "accuracy", "format": ".0%", "tickCount": 5},
            },
            "detail": {"field": "line"},
            **line_looks(keys, len(chosen)),
        },
    }


def line_looks(keys: Sequence[str], chosen: int) -> Spec:
    """Colour and dash by key; where there is one key more than lines chosen, it stands for the grey rest."""
    legend = {
        "title": None,
        "orient": "top",
        "columns": 4 if max(map(len, keys)) < 18 else 3,
        "symbolType": "stroke",
        "symbolSize": 625,
        "symbolStrokeWidth": 1.8,
        "rowPadding": -9,
        "offset": 4,
    }

    def by_key(looks: Sequence[Any], rest: Any) -> Spec:
        values = [*looks[:chosen], rest][: len(keys)]
        scale = {"type": "ordinal", "domain": list(keys), "range": values}
        return {"field": "key", "type": "nominal", "scale": scale, "legend": legend}

    return {"color": by_key(PALETTE, REST), "strokeDash": by_key([list(dash) for dash in DASHES], [1, 0])}


def _points(values: Sequence[float], *, by_rank: bool) -> list[dict[str, float]]:
    """A rank from 1, or a share from 0 to 1."""
    last = max(len(values) - 1, 1)
    return [
        {"rank": place + 1 if by_rank else place / last, "accuracy": value}
        for place, value in enumerate(sorted(values))
    ]
