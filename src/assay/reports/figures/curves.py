"""The accuracies of all phenomena in ascending order, one line per direction or system.

sorted_phenomena(phenomenon_series(evaluation), provenance=provenance(evaluation))
"""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.evaluation import Evaluation
from assay.model import BadOption
from assay.reports.figures.figure import Figure, Spec
from assay.reports.figures.highlight import highlighted
from assay.reports.figures.labels import distinct
from assay.reports.figures.look import DASHES, PALETTE, REST, WIDTH, document

HEIGHT = 250


def phenomenon_series(evaluation: Evaluation) -> dict[str, list[float]]:
    """System -> accuracies of the phenomena that are defined for every system, as in the phenomenon macro."""
    rows = [row for row in evaluation.rows("phenomenon") if row.category is not None]
    complete = [
        accuracies for row in rows if None not in (accuracies := [cell.accuracy for cell in row.cells]) and accuracies
    ]
    return {label: [row[number] or 0.0 for row in complete] for number, label in enumerate(evaluation.columns)}


def sorted_phenomena(
    series: Mapping[str, Sequence[float]], *, highlight: Sequence[str] = (), provenance: str = ""
) -> Figure:
    """Label -> accuracies in any order. More than 8 lines are grey but for those to highlight (or best and worst).

    Lines of equal length share an axis of ranks; otherwise it is the share of each line's phenomena.
    """
    empty = [label for label, values in series.items() if not values]
    if empty:
        raise BadOption(f"{empty[0]} has no phenomena to draw")
    means = {label: sum(values) / len(values) for label, values in series.items()}
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
        {"line": number, "key": key, **point}
        for number, (label, key) in enumerate(shown.items())  # the last drawn lies on top
        for point in _points(series[label], by_rank=by_rank)
    ]
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
    colours, dashes = list(PALETTE[: len(chosen)]), [list(dash) for dash in DASHES[: len(chosen)]]
    widths = [1.8] * len(chosen)
    if rest:
        colours, dashes, widths = [*colours, REST], [*dashes, [1, 0]], [*widths, 0.8]

    def by_key(scale_range: Sequence[Any], legend: Spec | None) -> Spec:
        scale = {"type": "ordinal", "domain": keys, "range": list(scale_range)}
        return {"field": "key", "type": "nominal", "scale": scale, "legend": legend}

    across = {"title": "phenomena, sorted by accuracy for each line"}
    if not by_rank:
        across = {"title": "share of the phenomena, sorted by accuracy for each line", "format": ".0%"}
    return {
        "width": WIDTH - 60,
        "height": HEIGHT,
        "data": {"values": values},
        "mark": {"type": "line", "strokeJoin": "round"},
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
            "color": by_key(colours, legend),
            "strokeDash": by_key(dashes, legend),
            "strokeWidth": by_key(widths, None),
        },
    }


def _points(values: Sequence[float], *, by_rank: bool) -> list[dict[str, float]]:
    """A rank from 1, or a share from 0 to 1."""
    last = max(len(values) - 1, 1)
    return [
        {"rank": place + 1 if by_rank else place / last, "accuracy": value}
        for place, value in enumerate(sorted(values))
    ]
