"""What metrics get right as tables of the table model.

render_table(challenge_table(evaluation, by="both"), "latex")

Two marks: a cell is shaded where the metric is in the first cluster of all metrics, bold where it is in that of its
group.
"""

from collections.abc import Iterator, Sequence

from assay.challenge.accuracy import MetricEvaluation
from assay.challenge.analysis import BandCell, Measure, Redundancy, by_language, curve, redundancies
from assay.challenge.report.figures import band_label
from assay.challenge.rows import FEWEST_SOURCES, MetricCell, MetricRow
from assay.evaluation import By
from assay.reports.comparison import p_text
from assay.reports.table import DASH, Table, TableCell, TableRow, percent, table_row
from assay.result import Note
from assay.text import plural

COUNT = "challenge items"
SOURCES = "sources"
"""The first two columns."""

CURVES: dict[Measure, str] = {
    "closeness": "how close the two translations are",
    "advantage": "how much closer to the reference the correct translation is",
}


def challenge_table(evaluation: MetricEvaluation, by: By = "category") -> Table:
    """Rows, averages, the shares of ties and of missing scores, and what the reader must know."""
    rows = [_row(row, nested=by == "both") for row in evaluation.rows(by)]
    rows += _shares(evaluation)
    return Table(
        title=f"{_name(evaluation)}: accuracy of metrics in per cent",
        corner="phenomenon" if by == "phenomenon" else "category",
        columns=(COUNT, SOURCES, *evaluation.columns, "mean"),
        rows=tuple(rows),
        notes=evaluation.notes(by),
        groups=("", "", *(scores.group for scores in evaluation.metrics), ""),
    )


def language_table(evaluation: MetricEvaluation) -> Table | None:
    """Accuracy by language pair, where challenge items have several; without a test between metrics."""
    parts = by_language(evaluation)
    if not parts:
        return None
    rows = [
        TableRow(
            "category",
            part.langpair,
            (
                TableCell.count(part.size),
                TableCell.count(part.sources, "†" if part.sources < FEWEST_SOURCES else ""),
                *(_part_cell(cell) for cell in part.cells),
                TableCell.percent(_mean([part.cells[column] for column in evaluation.competing])),
            ),
            0,
        )
        for part in parts
    ]
    note = Note("Language pairs are not tested against each other: their challenge items are others.")
    return Table(
        title=f"{_name(evaluation)}: accuracy of metrics in per cent by language pair",
        corner="language pair",
        columns=(COUNT, SOURCES, *evaluation.columns, "mean"),
        rows=tuple(rows),
        notes=(note, Note.signature(evaluation.signature)),
        star="",
        groups=("", "", *(scores.group for scores in evaluation.metrics), ""),
    )


def _part_cell(cell: BandCell) -> TableCell:
    hint = f"{cell.metric}; {cell.correct:,} of {cell.total:,} right"
    if cell.low is not None and cell.high is not None:
        hint += f"; {_interval(cell.low, cell.high)}"
    return TableCell(percent(cell.accuracy), cell.accuracy, hint=hint)


def _mean(cells: Sequence[BandCell]) -> float | None:
    known = [cell.accuracy for cell in cells if cell.accuracy is not None]
    return sum(known) / len(known) if known else None


def redundancy_table(evaluation: MetricEvaluation, limit: int | None = None) -> Table:
    """Pairs of metrics, those first that make the same mistakes."""
    pairs = redundancies(evaluation)
    rows = [TableRow("category", f"{pair.first}, {pair.second}", _pair_cells(pair), 0) for pair in pairs[:limit]]
    notes = [
        "both, either: challenge items that both metrics, or at least one of them, get wrong. shared: the first in per "
        "cent of the second.",
        "kappa: how far the two agree on what is right and wrong beyond chance (Cohen 1960); at 1 one of them is "
        f"redundant, {DASH} where one of them is always right or always wrong.",
    ]
    if len(rows) < len(pairs):
        notes.insert(0, f"Shown are the {len(rows)} most redundant of {len(pairs):,} pairs.")
    columns = ("both", "either", "shared", "kappa")
    title = f"{_name(evaluation)}: who makes the same mistakes"
    signed = (*map(Note, notes), Note.signature(evaluation.signature))
    return Table(title, "metrics", columns, tuple(rows), signed, star="")


def curve_table(evaluation: MetricEvaluation, over: Measure = "closeness") -> Table:
    """Accuracy in each band of a measure."""
    rows = [
        TableRow(
            "category",
            band_label(band),
            (TableCell.count(band.size), *map(_band_cell, band.cells)),
            0,
        )
        for band in curve(evaluation, over)
    ]
    measured = "closeness of the correct and the incorrect translation to each other"
    if over == "advantage":
        measured = "closeness of the correct translation to the reference minus that of the incorrect one"
    note = Note(
        f"{over}: {measured}. Closeness is 1 minus the edit distance in characters over the length of the longer text. "
        "The upper end belongs to a band."
    )
    return Table(
        title=f"{_name(evaluation)}: accuracy in per cent by {CURVES[over]}",
        corner=over,
        columns=(COUNT, *evaluation.columns),
        rows=tuple(rows),
        notes=(note, Note.signature(evaluation.signature)),
        star="",
        groups=("", *(scores.group for scores in evaluation.metrics)),
    )


def _name(evaluation: MetricEvaluation) -> str:
    challenge = evaluation.challenge
    return f"{challenge.name} ({challenge.langpair})" if challenge.langpair else challenge.name


# Cells


def _row(row: MetricRow, *, nested: bool) -> TableRow:
    count = TableCell(f"{row.size:,}", row.size, hint=f"from {plural(row.items, 'item')}")
    marks = ("†" if row.is_small else "") + ("‡" if row.won_by else "")
    hint = f"{' and '.join(row.won_by)} is as good as the best metric" if row.won_by else ""
    sources = TableCell(f"{row.sources:,}{marks}", row.sources, hint=hint)
    cells = (count, sources, *map(_cell, row.cells), TableCell.percent(row.average))
    return table_row(row.key, cells, nested=nested)


def _cell(cell: MetricCell) -> TableCell:
    return TableCell(
        percent(cell.accuracy),
        cell.accuracy,
        strong=cell.first_cluster_in_group,
        shade=cell.first_cluster,
        hint="; ".join(_hints(cell)),
    )


def _hints(cell: MetricCell) -> Iterator[str]:
    """All that a cell knows."""
    yield cell.metric
    if cell.correct is not None and cell.total is not None:
        yield f"{cell.correct:,} of {cell.total:,} right"
    if cell.low is not None and cell.high is not None:
        yield _interval(cell.low, cell.high)
    if cell.ties:
        yield plural(cell.ties, "tie")
    if cell.undefined:
        yield f"{cell.undefined:,} without a score"
    if cell.first_cluster:
        yield "first cluster of all metrics"
    elif cell.p is not None:
        yield f"p {p_text(cell.p)}"
    if cell.first_cluster_in_group:
        yield f"first cluster of {cell.group}"


def _interval(low: float, high: float) -> str:
    return f"95 % interval {percent(low)} to {percent(high)}"


def _band_cell(cell: BandCell) -> TableCell:
    if cell.low is None or cell.high is None:
        return TableCell(DASH)
    hint = f"{cell.metric}; {cell.correct:,} of {cell.total:,} right; {_interval(cell.low, cell.high)}"
    return TableCell(percent(cell.accuracy), cell.accuracy, hint=hint)


def _pair_cells(pair: Redundancy) -> tuple[TableCell, ...]:
    return (
        TableCell.count(pair.both_wrong),
        TableCell.count(pair.either_wrong),
        TableCell.percent(pair.shared),
        TableCell(DASH if pair.kappa is None else f"{pair.kappa:.2f}".replace("-", "−"), pair.kappa),
    )


def _shares(evaluation: MetricEvaluation) -> Iterator[TableRow]:
    """Ties, and challenge items without a score where there are any, in per cent."""
    micro = evaluation.averages()[0]
    for label, counts in (
        ("ties", [cell.ties or 0 for cell in micro.cells]),
        ("no score", [cell.undefined or 0 for cell in micro.cells]),
    ):
        if label == "ties" or any(counts):
            shares = [count / micro.size for count in counts]
            cells = [
                TableCell(percent(share), share, hint=f"{count:,} of {micro.size:,}")
                for share, count in zip(shares, counts, strict=True)
            ]
            rivals = [shares[column] for column in evaluation.competing]
            mean = sum(rivals) / len(rivals)
            size = TableCell(f"{micro.size:,}", micro.size), TableCell(f"{micro.sources:,}", micro.sources)
            yield TableRow("share", label, (*size, *cells, TableCell(percent(mean), mean)), 2)


def whole_tables(evaluation: MetricEvaluation) -> Sequence[Table]:
    """What stands beside the accuracies in a report that holds everything."""
    languages = language_table(evaluation)
    curves = [*([languages] if languages else []), *(curve_table(evaluation, over) for over in CURVES)]
    return [*curves, redundancy_table(evaluation)] if len(evaluation.competing) > 1 else curves
