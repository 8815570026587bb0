"""The error between systems against judgements, one line per policy; and against coverage, as corrections are shared.

error_curves(replay(table, numbers=(50, 100, 200, 400)))
trade_off(replay(table, owns=(1, 0.75, 0.5, 0.25, 0)))
"""

from assay.errors import BadOption
from assay.replay.replay import Replay
from assay.reports.figures.curves import line_looks
from assay.reports.figures.figure import Figure
from assay.reports.figures.look import WIDTH, document
from assay.text import plural

HEIGHT = 250


def error_curves(result: Replay) -> Figure:
    """Lines with a point for each number of judgements."""
    values = [
        {"key": line.policy, "judged": line.judged, "error": line.between}
        for line in result.lines
        if line.between is not None
    ]
    if not values:
        raise BadOption("there is no error to draw: no policy has an answer after so few judgements")
    policies = list(dict.fromkeys(str(value["key"]) for value in values))
    suite = result.suite
    caption = (
        f"Error between systems in points after so many judgements of {plural(result.hidden, 'hidden text')} "
        f"({100 * result.share:g} % of those that exact rules alone decide), {', '.join(policies)}, on {suite.name} "
        f"({suite.langpair}) with {plural(result.systems, 'system')}; root mean squares over "
        f"{plural(result.draws, 'draw')}; signature {result.signature}."
    )
    spec = {
        "width": WIDTH - 60,
        "height": HEIGHT,
        "data": {"values": values},
        "mark": {"type": "line", "strokeWidth": 1.8, "point": {"size": 36, "filled": True}},
        "encoding": {
            "x": {
                "field": "judged",
                "type": "quantitative",
                "scale": {"nice": False, "zero": False},
                "axis": {
                    "title": "judgements",
                    "grid": False,
                    "values": sorted({line.judged for line in result.lines}),
                },
            },
            "y": {
                "field": "error",
                "type": "quantitative",
                "scale": {"zero": True},
                "axis": {"title": "error between systems, points", "tickCount": 5},
            },
            **line_looks(policies, len(policies)),
        },
    }
    title = f"{suite.name}: error between systems against judgements"
    return Figure("replay", title, caption, document(spec, caption))


def trade_off(result: Replay) -> Figure:
    """Error between systems against how often intervals hold the truth, a line for each number of judgements."""
    values = [
        {"key": f"{line.judged:,} judged", "error": line.between, "covered": 100 * line.pairs, "own": f"{line.own:g}"}
        for line in result.lines
        if line.policy == "estimate" and line.between is not None and line.pairs is not None
    ]
    if not values:
        raise BadOption("there is no error to draw: no estimate can be made of so few judgements")
    keys, suite = list(dict.fromkeys(str(value["key"]) for value in values)), result.suite
    caption = (
        "Error between systems in points against how often 95 % intervals of differences between two systems held the "
        "truth. Numbers at points are the share of each system's correction that is its own: 1 is the estimate, 0 one "
        f"correction for all. {suite.name} ({suite.langpair}), {plural(result.systems, 'system')}, "
        f"{plural(result.hidden, 'hidden text')}, {plural(result.draws, 'draw')}; signature {result.signature}."
    )
    axes = {
        "x": {
            "field": "covered",
            "type": "quantitative",
            "scale": {"zero": False, "nice": True},
            "axis": {"title": "intervals that hold the truth, per cent (should be 95)", "grid": False, "tickCount": 6},
        },
        "y": {
            "field": "error",
            "type": "quantitative",
            "scale": {"zero": True},
            "axis": {"title": "error between systems, points", "tickCount": 5},
        },
    }
    line = {"type": "line", "strokeWidth": 1.8, "point": {"size": 36, "filled": True}}
    spec = {
        "width": WIDTH - 60,
        "height": HEIGHT,
        "data": {"values": values},
        "layer": [
            # In the order of the shares, not from left to right.
            {"mark": line, "encoding": {**axes, "order": {"field": "own"}, **line_looks(keys, len(keys))}},
            {"mark": {"type": "text", "dy": -9, "fontSize": 9}, "encoding": {**axes, "text": {"field": "own"}}},
        ],
    }
    title = f"{suite.name}: error between systems against honest intervals"
    return Figure("trade-off", title, caption, document(spec, caption))
