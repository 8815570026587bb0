"""What rules decide over the campaigns, one line per category, all of them together dashed.

ageing_lines(ageing_of(suite, outputs))
"""

from collections.abc import Iterator

from assay.errors import BadOption
from assay.evaluation.rows import LEAST_NAMED
from assay.evaluation.rule_age import Ageing, AgeingRow
from assay.reports.figures.figure import Figure
from assay.reports.figures.labels import clean, distinct
from assay.reports.figures.look import MOST_LINES, document
from assay.reports.figures.years import SlopeGeometry, SlopePoint
from assay.text import plural

ALL = "all categories"

COLOURED = 6
"""Lines with a colour where there are more than can be told apart; the others are grey."""


def ageing_lines(ageing: Ageing) -> Figure:
    """The share of outputs that pass or fail, on the items that all campaigns have.

    Of many categories those that fell most are in colour. Those with few items are left out and named: one of them can
    be far below all others, which would then be drawn as one line.
    """
    [whole] = ageing.averages()
    if len(ageing.columns) == 1:
        raise BadOption(f"a figure of a trend needs two campaigns; there is only {ageing.columns[0]}")
    if whole.change is None:
        raise BadOption(f"there is no trend to draw: no item has an output in all of {', '.join(ageing.columns)}")
    found = [row for row in ageing.levels["category"] if row.change is not None]
    rows = [row for row in found if row.common >= LEAST_NAMED] or found
    falling = sorted(rows, key=lambda row: row.change or 0.0)
    chosen = [row.category or "" for row in falling[: COLOURED if len(rows) > MOST_LINES else None]]
    lines = {row.category or "": list(_points(row)) for row in rows}
    names = dict(enumerate(map(clean, ageing.columns)))
    grey = f"; in colour those that fell most, {', '.join(distinct(chosen))}" if len(chosen) < len(rows) else ""
    few = ", ".join(clean(row.category or "") for row in found if row not in rows)
    caption = (
        f"Outputs that pass or fail by the rules of {ageing.suite.name}, {names[0]} to {names[len(names) - 1]}, for "
        f"{plural(len(rows), 'category')}{grey}; the dashed line is {ALL}; on the {whole.common:,} items that all "
        f"campaigns have{f'; left out for having fewer than {LEAST_NAMED} of them: {few}' if few else ''}; signature "
        f"{ageing.signature}."
    )
    geometry = SlopeGeometry(
        lines, chosen, list(_points(whole)), names, axis="outputs that the rules decide", dashed=ALL
    )
    return Figure("ageing", "What the rules decide", caption, document(geometry.spec(), caption))


def _points(row: AgeingRow) -> Iterator[SlopePoint]:
    for number, cell in enumerate(row.cells):
        if cell.common_share is not None:
            yield SlopePoint(row.category or ALL, number, cell.common_share)
