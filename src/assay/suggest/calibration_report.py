"""What suggestions are worth, as tables.

print(render(calibration, "markdown"))
"""

from assay.reports import render_table
from assay.reports.data import result_json, table_csv
from assay.reports.table import DASH, Table, TableCell, TableRow, percent
from assay.suggest.calibration import SUREST, Calibration, CalibrationRow, ConfidenceBin, CoveragePoint

COLUMNS = ("texts", "suggested", "right", "κ", "right of surest 80 %", "p→p", "p→f", "f→p", "f→f")


def render(calibration: Calibration, format: str = "table", *, width: int | None = None, ansi: bool = False) -> str:
    """The whole report; CSV holds the rows by category."""
    if format == "json":
        return result_json(calibration, "category")
    tables = [category_table(calibration), confidence_table(calibration), curve_table(calibration)]
    if format == "csv":
        return table_csv(tables[0])
    texts = [render_table(table, format, width=width, ansi=ansi).rstrip("\n") for table in tables]
    return "\n\n".join(texts) + "\n"


def category_table(calibration: Calibration) -> Table:
    """Accuracy, kappa and the confusion table of every category."""
    return Table(
        title=f"{calibration.title}: suggestions of {calibration.suggester}, per cent right",
        corner="category",
        columns=COLUMNS,
        rows=tuple(_category_row(row) for row in calibration.rows()),
        notes=calibration.notes(),
        star="",
    )


def _category_row(row: CalibrationRow) -> TableRow:
    kappa = DASH if row.kappa is None else f"{row.kappa:.2f}".replace("-", "−")
    rates = (_share(row.accuracy), TableCell(kappa, row.kappa), _share(row.surest))
    cells = (_count(row.texts), _count(row.suggested), *rates, *map(_count, row.confusion))
    return TableRow("category" if row.category else "average", row.category or "all", cells, int(row.category is None))


def confidence_table(calibration: Calibration) -> Table:
    """How often suggestions are right that are so sure."""
    error = calibration.error
    title = "By confidence" if error is None else f"By confidence; calibration error {error:.3f}"
    rows = [_row(f"{100 * found.low:.0f}–{100 * found.high:.0f} %", found) for found in calibration.bins]
    return Table(title, "confidence", ("texts", "mean", "right"), tuple(rows), (), star="")


def curve_table(calibration: Calibration) -> Table:
    """How often the surest suggestions are right."""
    rows = [_row(f"{100 * point.share:.0f} %", point) for point in calibration.curve]
    title = "The surest suggestions"
    return Table(title, "surest", ("texts", "confidence from", "right"), tuple(rows), (), star="")


def _row(label: str, part: ConfidenceBin | CoveragePoint) -> TableRow:
    return TableRow("share", label, (_count(part.texts), _share(part.confidence), _share(part.right)), 0)


def _count(number: int) -> TableCell:
    return TableCell(f"{number:,}", number)


def _share(value: float | None) -> TableCell:
    return TableCell(percent(value), value)


def headline(calibration: Calibration) -> str:
    """How many are right, and of the surest, and how far confidence is from what is right; then of new systems."""
    whole, error, new = calibration.whole, calibration.error, calibration.new
    of_new = f"\n{new.as_new}" if new else ""
    return (
        f"{calibration.suggester}: {whole.suggested:,} of {whole.texts:,} texts suggested, right "
        f"{percent(whole.accuracy)} %, of the surest {SUREST:.0%} {percent(whole.surest)} %, "
        f"calibration error {DASH if error is None else format(error, '.3f')}{of_new}"
    )
