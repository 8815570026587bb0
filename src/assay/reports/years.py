"""Campaigns side by side as tables."""

from assay.evaluation import By
from assay.evaluation.years import Years
from assay.reports.comparison import points
from assay.reports.table import IN_PAPERS, PaperName, Table, TableCell, table_row

ARROWS = {"gain": "▲", "loss": "▼", "": ""}


def years_table(years: Years, by: By = "category") -> Table:
    """Columns by system and campaign, then the best of each campaign."""
    labels = [f"{system.name} {system.campaign}" for system in years.columns[: years.own]]
    labels += [f"best {system.campaign}" for system in years.columns[years.own :]]
    rows = []
    for row in years.rows(by):
        cells = [TableCell.percent(cell.accuracy, ARROWS[cell.trend], strong=bool(cell.trend)) for cell in row.cells]
        rows.append(table_row(row.key, (TableCell.count(row.items), *cells), nested=by == "both"))
    suite = years.evaluation.suite
    title = f"{suite.name} ({suite.langpair}) over {', '.join(years.campaigns)}: accuracy in per cent"
    kind, what = IN_PAPERS[by]
    paper = PaperName.of(f"years-{kind}", what, suite, years.campaigns)
    return Table(title, "category", ("items", *labels), tuple(rows), years.notes(by), star="", paper=paper)


def difference_table(years: Years, first: str, second: str, by: By = "category") -> Table:
    """Differences in points between two campaigns, with the average change of all systems."""
    names = [system.name for system, _ in years.pairs(first, second)]
    rows = []
    for row in years.differences(first, second, by):
        cells = [
            TableCell(points(value) + ARROWS[trend], value, bool(trend))
            for value, trend in zip(row.differences, row.trends, strict=True)
        ]
        mean = TableCell(points(row.average), row.average)
        rows.append(table_row(row.key, (TableCell.count(row.items), *cells, mean), nested=by == "both"))
    suite = years.evaluation.suite
    title = f"{suite.name}: change from {first} to {second} in points"
    notes = years.notes(by, f"from {first} to {second}")
    paper = PaperName.of("difference", "Change in points", suite, [f"{first} to {second}"])
    return Table(title, "category", ("items", *names, "mean"), tuple(rows), notes, star="", paper=paper)
