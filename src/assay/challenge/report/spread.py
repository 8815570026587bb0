"""The same metrics on several draws of a set: how far every accuracy depends on the draw.

    spread_table([json.loads(path.read_text(encoding="utf-8")) for path in paths])

Reports are the JSON documents of `render_json`, of one language pair and the same metrics.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from statistics import fmean, stdev
from typing import Any

from assay.challenge.report.table import COUNT
from assay.errors import BadOption
from assay.evaluation.rows import RowKey
from assay.evaluation.tally import AVERAGES
from assay.languages import pairs_fit
from assay.reports import render_table
from assay.reports.data import csv_text
from assay.reports.table import DASH, Table, TableCell, TableRow, percent, row_label, table_row
from assay.result import Note

Report = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Spread:
    """A metric in a row over all draws; None where some draw has no such row or no number. `deviation` is that of a
    sample."""

    mean: float | None = None
    low: float | None = None
    high: float | None = None
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class SpreadRow:
    """A row over all draws. `sizes` are its challenge items in the draws that have it, `missing` counts the others."""

    key: RowKey
    sizes: tuple[int, ...]
    missing: int
    cells: tuple[Spread, ...]


def spread_rows(reports: Sequence[Report], names: Sequence[str] = ()) -> list[SpreadRow]:
    """Rows of all reports in the order of the first, the averages last; cells in the order of its columns.

    `names` are what the reports are called in messages.
    """
    _check(reports, names or [f"report {number}" for number, _ in enumerate(reports, 1)])
    tables = [{_key(row): row for row in report["rows"]} for report in reports]
    keys = dict.fromkeys(key for table in tables for key in table)
    # A stable sort: rows that only a later draw has come after those of the first, but before the averages.
    ordered = sorted(keys, key=lambda key: key[0] in AVERAGES)
    return [_row(key, [table.get(key) for table in tables], reports[0]["columns"]) for key in ordered]


def _check(reports: Sequence[Report], names: Sequence[str]) -> None:
    if len(reports) < 2:
        raise BadOption("a spread needs at least two reports, of other draws or other references")
    first = reports[0]
    for name, report in zip(names[1:], reports[1:], strict=True):
        pairs = first["set"]["langpair"], report["set"]["langpair"]
        if not pairs_fit(*pairs):
            raise BadOption(f"{name} is of {pairs[1]}, {names[0]} of {pairs[0]}; a spread is of one direction")
        other = sorted({*first["columns"]} ^ {*report["columns"]})
        if other:
            raise BadOption(
                f"{name} and {names[0]} do not have the same metrics: {', '.join(other)} is in one of them only; "
                "report the same metrics on every draw"
            )


def _key(row: Mapping[str, Any]) -> RowKey:
    return row["level"], row["category"], row["phenomenon"]


def _row(key: RowKey, rows: Sequence[Mapping[str, Any] | None], metrics: Sequence[str]) -> SpreadRow:
    known = [row for row in rows if row is not None]
    found = [{cell["metric"]: cell["accuracy"] for cell in row["cells"]} for row in known]
    cells = [
        _spread([accuracies.get(metric) for accuracies in found]) if len(known) == len(rows) else Spread()
        for metric in metrics
    ]
    return SpreadRow(key, tuple(row["count"] for row in known), len(rows) - len(known), tuple(cells))


def _spread(values: Sequence[float | None]) -> Spread:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return Spread()
    return Spread(fmean(known), min(known), max(known), stdev(known))


def render_spread(
    reports: Sequence[Report],
    format: str = "table",
    *,
    names: Sequence[str] = (),
    width: int | None = None,
    ansi: bool = False,
) -> str:
    """The spread as a table, or as data in CSV."""
    if format == "csv":
        return spread_csv(reports, names)
    return render_table(spread_table(reports, names), format, width=width, ansi=ansi)


# The table


def spread_table(reports: Sequence[Report], names: Sequence[str] = ()) -> Table:
    """Mean of every accuracy, the averages with their standard deviation, and in brackets the lowest and highest."""
    rows = spread_rows(reports, names)
    first = reports[0]
    groups = {metric["name"]: metric["group"] for metric in first["metrics"]}
    nested = {row.key[0] for row in rows} >= {"category", "phenomenon"}
    return Table(
        title=f"{first['set']['name']} ({first['set']['langpair']}): accuracy of metrics in per cent, "
        f"{len(reports)} draws",
        corner="category",
        columns=(COUNT, *first["columns"]),
        rows=tuple(_table_row(row, nested=nested) for row in rows),
        notes=(
            *map(Note, _remarks(reports, rows)),
            *(Note.signature(report["signature"], of=f"draw {number}") for number, report in enumerate(reports, 1)),
        ),
        star="",
        groups=("", *(groups[name] for name in first["columns"])),
    )


def _table_row(row: SpreadRow, *, nested: bool) -> TableRow:
    low, high = min(row.sizes), max(row.sizes)
    count = TableCell(f"{low:,}" if low == high else f"{low:,}–{high:,}", fmean(row.sizes))
    cells = (count, *(_cell(cell, deviation=row.key[1] is None) for cell in row.cells))
    return table_row(row.key, cells, nested=nested)


def _cell(spread: Spread, *, deviation: bool) -> TableCell:
    if spread.mean is None:
        return TableCell(DASH)
    around = f" ± {percent(spread.deviation)}" if deviation else ""
    return TableCell(f"{percent(spread.mean)}{around} ({percent(spread.low)}–{percent(spread.high)})", spread.mean)


def _remarks(reports: Sequence[Report], rows: Sequence[SpreadRow]) -> Iterator[str]:
    yield f"Mean over {len(reports)} draws, in brackets the lowest and the highest; ±: standard deviation."
    missing = [row for row in rows if row.missing]
    if missing:
        named = "; ".join(f"{row_label(*row.key)} (not in {row.missing})" for row in missing[:5])
        more = f"; and {len(missing) - 5} more" if len(missing) > 5 else ""
        yield f"{DASH}: not in every draw: {named}{more}."
    if any(cell.mean is None for row in rows if not row.missing for cell in row.cells):
        yield f"{DASH}: undefined in some draw."
    hashes = [report["set"].get("hash") for report in reports]
    for number, found in enumerate(hashes, 1):
        before = hashes.index(found) + 1
        if before < number:
            yield f"Draws {before} and {number} are the same set: they add no spread."
    yield f"Draws differ in {'; '.join(_differences(reports)) or 'nothing that their signatures say'}."


def _differences(reports: Sequence[Report]) -> Iterator[str]:
    """Fields of the signatures with their values in the order of the reports, where these differ."""
    for name, signatures in (
        ("set ", [report["set"].get("signature", "") for report in reports]),
        ("", [report["signature"] for report in reports]),
        *(
            (f"{metric} ", [_metric_signature(report, metric) for report in reports])
            for metric in reports[0]["columns"]
        ),
    ):
        fields = [_fields(signature) for signature in signatures]
        for field in dict.fromkeys(key for found in fields for key in found):
            values = [found.get(field, DASH) for found in fields]
            if len({*values}) > 1:
                yield f"{name}{field}: {', '.join(values)}"


def _metric_signature(report: Report, name: str) -> str:
    return next((str(metric["signature"]) for metric in report["metrics"] if metric["name"] == name), "")


def _fields(signature: str) -> dict[str, str]:
    """`seed:1|test:ztest` as names and values; a part without a colon is its own name."""
    parts = (part.partition(":") for part in signature.split("|") if part)
    return {name: value if colon else name for name, colon, value in parts}


def spread_csv(reports: Sequence[Report], names: Sequence[str] = ()) -> str:
    """One line per row and metric."""
    lines = (
        [*row.key, len(row.sizes), metric, *astuple(cell)]
        for row in spread_rows(reports, names)
        for metric, cell in zip(reports[0]["columns"], row.cells, strict=True)
    )
    head = ["level", "category", "phenomenon", "draws", "metric", *(field.name for field in fields(Spread))]
    return csv_text(head, lines)
