"""The error between systems against judgements, one line per policy.

error_curves(replay(table, numbers=(50, 100, 200, 400)))
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
