"""What suggestions are worth, as tables and as data.

print(render(measured, "markdown"))
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from assay.reports import render_table
from assay.reports.data import table_csv
from assay.reports.table import DASH, Table, TableCell, TableRow, percent
from assay.suggest.calibration import SUREST, Calibration, CalibrationRow

COLUMNS = ("texts", "suggested", "right", "κ", "right of surest 80 %", "p→p", "p→f", "f→p", "f→f")


@dataclass(frozen=True, slots=True)
class Measured:
    """A calibration with what it is of. `basis` says in words which texts were suggested."""

    title: str
    suggester: str
    basis: str
    signature: str
    parameters: Mapping[str, str]
    calibration: Calibration


def render(measured: Measured, format: str = "table", *, width: int | None = None, ansi: bool = False) -> str:
    """The whole report; CSV holds the rows by category."""
    if format == "json":
        return json.dumps(as_dict(measured), ensure_ascii=False, indent=1) + "\n"
    tables = [category_table(measured), confidence_table(measured), curve_table(measured)]
    if format == "csv":
        return table_csv(tables[0])
    texts = [render_table(table, format, width=width, ansi=ansi).rstrip("\n") for table in tables]
    return "\n\n".join(texts) + "\n"


def category_table(measured: Measured) -> Table:
    """Accuracy, kappa and the confusion table of every category."""
    rows = measured.calibration.rows()
    notes = (
        f"Tested: {measured.basis}. Each text is suggested without its own verdict.",
        "right: per cent of the suggestions; κ: Cohen's kappa with the known verdicts. p→f: known as a pass, suggested "
        "as a fail.",
        f"Signature: {measured.signature}",
    )
    return Table(
        title=f"{measured.title}: suggestions of {measured.suggester}, per cent right",
        corner="category",
        columns=COLUMNS,
        rows=tuple(_category_row(row) for row in rows),
        notes=notes,
        star="",
    )


def _category_row(row: CalibrationRow) -> TableRow:
    shares = (row.accuracy, row.kappa, row.surest)
    kappa = DASH if row.kappa is None else f"{row.kappa:.2f}".replace("-", "−")
    cells = (
        TableCell(f"{row.texts:,}", row.texts),
        TableCell(f"{row.suggested:,}", row.suggested),
        *(
            TableCell(text, share)
            for text, share in zip((percent(shares[0]), kappa, percent(shares[2])), shares, strict=True)
        ),
        *(TableCell(f"{count:,}", count) for count in row.confusion),
    )
    return TableRow("category" if row.category else "average", row.category or "all", cells, int(row.category is None))


def confidence_table(measured: Measured) -> Table:
    """How often suggestions are right that are so sure."""
    rows = [
        TableRow(
            "share",
            f"{100 * found.low:.0f}–{100 * found.high:.0f} %",
            (_count(found.texts), _share(found.confidence), _share(found.right)),
            0,
        )
        for found in measured.calibration.bins
    ]
    return Table("By confidence", "confidence", ("texts", "mean", "right"), tuple(rows), (), star="")


def curve_table(measured: Measured) -> Table:
    """How often the surest suggestions are right."""
    rows = [
        TableRow(
            "share",
            f"{100 * point.share:.0f} %",
            (_count(point.texts), _share(point.confidence), _share(point.right)),
            0,
        )
        for point in measured.calibration.curve
    ]
    title = "The surest suggestions"
    return Table(title, "surest", ("texts", "confidence from", "right"), tuple(rows), (), star="")


def _count(number: int) -> TableCell:
    return TableCell(f"{number:,}", number)


def _share(value: float | None) -> TableCell:
    return TableCell(percent(value), value)


def headline(measured: Measured) -> str:
    """One line: how many are right, and of the surest."""
    whole = measured.calibration.rows()[-1]
    return (
        f"{measured.suggester}: {whole.suggested:,} of {whole.texts:,} texts suggested, right "
        f"{percent(whole.accuracy)} %, of the surest {SUREST:.0%} {percent(whole.surest)} %"
    )


def as_dict(measured: Measured) -> dict[str, Any]:
    """Everything as data."""
    calibration = measured.calibration
    names = ("pass_pass", "pass_fail", "fail_pass", "fail_fail")
    return {
        "suggester": measured.suggester,
        "parameters": dict(measured.parameters),
        "basis": measured.basis,
        "signature": measured.signature,
        "rows": [
            {**asdict(row), "confusion": dict(zip(names, row.confusion, strict=True))} for row in calibration.rows()
        ],
        "confidence": [asdict(found) for found in calibration.bins],
        "surest": [asdict(point) for point in calibration.curve],
    }
