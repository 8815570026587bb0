"""A replay as a table, as data, or as a figure.

print(render(replay(table), "markdown"))
"""

from dataclasses import asdict, fields

from assay.replay.figure import error_curves, trade_off
from assay.replay.replay import Replay, ReplayLine
from assay.reports import figures, render_table
from assay.reports.data import csv_text, json_text
from assay.reports.formats import names, refusal
from assay.reports.table import DASH, PaperName, Table, TableCell, TableRow

COLUMNS = ("judged", "of", "level", "between", "micro", "pairs", "categories", "mixed")
GROUPS = ("texts", "texts", "error", "error", *["coverage"] * 4)


def replay_table(result: Replay) -> Table:
    """A row for each policy and number of judgements."""
    suite, judged = result.suite, sorted({line.judged for line in result.lines})
    return Table(
        title=f"{suite.name} ({suite.langpair}): errors against judgements, {100 * result.share:g} % hidden",
        corner="policy",
        columns=COLUMNS,
        rows=tuple(TableRow("category", line.label, _cells(line), judged.index(line.judged)) for line in result.lines),
        notes=result.notes(),
        star="",
        groups=GROUPS,
        paper=PaperName.of("replay", "Errors and coverage of intervals by judgements", suite),
    )


def _cells(line: ReplayLine) -> tuple[TableCell, ...]:
    errors = (TableCell(DASH if of is None else f"{of:.2f}", of) for of in (line.level, line.between))
    covered = (TableCell.percent(of) for of in (line.micro, line.pairs, line.categories, line.mixed))
    return (TableCell.count(line.judged), TableCell.count(line.of), *errors, *covered)


def render(result: Replay, format: str = "table", *, width: int | None = None, ansi: bool = False) -> str | bytes:
    """In one of the formats for replays."""
    if format not in names("replay"):
        raise refusal("a replay", format, "replay")
    if format == "json":
        return json_text(result.to_dict())
    if format == "csv":
        return csv_text([field.name for field in fields(ReplayLine)], (asdict(line).values() for line in result.lines))
    if format in names("figure"):
        figure = error_curves(result) if result.owns == [1.0] else trade_off(result)
        return figures.render(figure, format)
    return render_table(replay_table(result), format, width=width, ansi=ansi)
