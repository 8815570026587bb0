"""Which of many lines are told apart by colour, and which are grey.

highlighted(["A", "B"], named=[], means={"A": 0.9, "B": 0.4})  # ["A", "B"]
"""

from collections.abc import Collection, Mapping, Sequence

from assay.errors import BadOption, UnknownName
from assay.reports.figures.look import MOST_LINES


def highlighted(lines: Collection[str], *, named: Sequence[str], means: Mapping[str, float]) -> list[str]:
    """The named lines; otherwise all where they are few, else the highest and the lowest of those with a mean."""
    if not lines:
        raise BadOption("there is nothing to draw; a figure needs at least one line")
    for name in named:
        if name not in lines:
            raise UnknownName("line", name, lines)
    if len(named) > MOST_LINES:
        raise BadOption(f"{len(named)} lines cannot be told apart; highlight at most {MOST_LINES}")
    if named:
        return list(dict.fromkeys(named))
    if len(lines) <= MOST_LINES:
        return list(lines)
    ordered = sorted(means, key=lambda name: -means[name])
    return list(dict.fromkeys((ordered[0], ordered[-1])))
