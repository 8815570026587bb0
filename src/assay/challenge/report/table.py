"""What metrics get right as tables of the table model.

render_table(challenge_table(evaluation, by="both"), "latex")

Two marks: a cell is shaded where the metric is in the first cluster of all metrics, bold where it is in that of its
group.
"""

from collections.abc import Iterable, Iterator, Sequence

from assay.challenge.accuracy import FEWEST_ITEMS, MetricCell, MetricEvaluation, MetricRow
from assay.challenge.analysis import BandCell, Measure, Redundancy, curve, redundancies
from assay.challenge.closeness import ClosenessSummary, difficulty
from assay.challenge.report.figures import band_label
from assay.evaluation import By
from assay.reports.comparison import p_text
from assay.reports.table import DASH, SHADED, Table, TableCell, TableRow, percent, row_kind, row_label
from assay.text import plural

COUNT = "challenge items"
"""The first column."""

CURVES: dict[Measure, str] = {
    "closeness": "how close the two translations are",
    "advantage": "how much closer to the reference the correct translation is",
}


def challenge_table(evaluation: MetricEvaluation, by: By = "category") -> Table:
    """Rows, averages, the shares of ties and of missing scores, and what the reader must know."""
    details = [row for row in evaluation.rows(by) if row.category is not None]
    rows = [_row(row, indent=by == "both") for row in (*details, *evaluation.averages())]
    rows += _shares(evaluation)
    return Table(
        title=f"{_name(evaluation)}: accuracy of metrics in per cent",
        corner="phenomenon" if by == "phenomenon" else "category",
        columns=(COUNT, *evaluation.columns, "mean"),
        rows=tuple(rows),
        notes=tuple(_notes(evaluation, details)),
        groups=("", *(scores.group for scores in evaluation.metrics), ""),
    )


def redundancy_table(evaluation: MetricEvaluation, limit: int | None = None) -> Table:
    """Pairs of metrics, those first that make the same mistakes."""
    pairs = redundancies(evaluation)
    rows = [TableRow("category", f"{pair.first}, {pair.second}", _pair_cells(pair), 0) for pair in pairs[:limit]]
    notes = [
        "both, either: challenge items that both metrics, or at least one of them, get wrong. shared: the first in per "
        "cent of the second.",
        "kappa: how far the two agree on what is right and wrong beyond chance (Cohen 1960); at 1 one of them is "
        f"redundant, {DASH} where one of them is always right or always wrong.",
        f"Signature: {evaluation.signature}",
    ]
    if len(rows) < len(pairs):
        notes.insert(0, f"Shown are the {len(rows)} most redundant of {len(pairs):,} pairs.")
    columns = ("both", "either", "shared", "kappa")
    title = f"{_name(evaluation)}: who makes the same mistakes"
    return Table(title, "metrics", columns, tuple(rows), tuple(notes), star="")


def curve_table(evaluation: MetricEvaluation, over: Measure = "closeness") -> Table:
    """Accuracy in each band of a measure."""
    rows = [
        TableRow(
            "category",
            band_label(band),
            (TableCell(f"{band.size:,}", band.size), *(_band_cell(cell) for cell in band.cells)),
            0,
        )
        for band in curve(evaluation, over)
    ]
    measured = "closeness of the correct and the incorrect translation to each other"
    if over == "advantage":
        measured = "closeness of the correct translation to the reference minus that of the incorrect one"
    notes = (
        f"{over}: {measured}. Closeness is 1 minus the edit distance in characters over the length of the longer text. "
        "The upper end belongs to a band.",
        f"Signature: {evaluation.signature}",
    )
    return Table(
        title=f"{_name(evaluation)}: accuracy in per cent by {CURVES[over]}",
        corner=over,
        columns=(COUNT, *evaluation.columns),
        rows=tuple(rows),
        notes=notes,
        star="",
        groups=("", *(scores.group for scores in evaluation.metrics)),
    )


def _name(evaluation: MetricEvaluation) -> str:
    challenge = evaluation.challenge
    return f"{challenge.name} ({challenge.langpair})" if challenge.langpair else challenge.name


# Cells


def _row(row: MetricRow, *, indent: bool) -> TableRow:
    count = TableCell(
        f"{row.size:,}" + ("†" if is_small(row) else ""), row.size, hint=f"from {plural(row.items, 'item')}"
    )
    cells = (count, *map(_cell, row.cells), TableCell(percent(row.average), row.average))
    label = row_label(row.level, row.category, row.phenomenon, indent=indent and row.category is not None)
    return TableRow(row_kind(row.category, row.phenomenon), label, cells, int(row.category is None))


def is_small(row: MetricRow) -> bool:
    """Whether a row rests on so few items that it is flagged."""
    return row.items < FEWEST_ITEMS


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
        TableCell(f"{pair.both_wrong:,}", pair.both_wrong),
        TableCell(f"{pair.either_wrong:,}", pair.either_wrong),
        TableCell(percent(pair.shared), pair.shared),
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
            mean = sum(shares) / len(shares)
            size = TableCell(f"{micro.size:,}", micro.size)
            yield TableRow("share", label, (size, *cells, TableCell(percent(mean), mean)), 2)


# Notes


def _notes(evaluation: MetricEvaluation, rows: Iterable[MetricRow]) -> Iterator[str]:
    settings, micro = evaluation.settings, evaluation.averages()[0]
    test = f"{settings.test}, one-tailed, alpha {settings.alpha:g}"
    test += "" if settings.correction == "none" else f", {settings.correction} correction"
    yield (
        f"Grey or {SHADED}: first cluster of all metrics. Bold or *: first cluster of the metric's group. Those in it "
        f"are not significantly worse than the best ({test})."
    )
    if settings.test in ("ztest", "mcnemar"):
        yield (
            f"{settings.test} takes challenge items for independent, which those of one item are not; bootstrap and "
            "randomization do not."
        )
    yield _counting(evaluation, missing=any(cell.undefined for cell in micro.cells))
    if any(map(is_small, rows)):
        yield f"†: from fewer than {FEWEST_ITEMS} items; the test means little there, and there is no interval."
    yield (
        f"{plural(micro.size, 'challenge item')} from {plural(micro.items, 'item')}; intervals come from drawing "
        "items, not challenge items."
    )
    yield from _difficulty(evaluation)
    if evaluation.challenge.signature:
        yield f"Signature of the set: {evaluation.challenge.signature}"
    yield from (f"Signature of {scores.name}: {scores.signature}" for scores in evaluation.metrics if scores.signature)
    yield f"Signature: {evaluation.signature}"


def _counting(evaluation: MetricEvaluation, *, missing: bool) -> str:
    lower = [scores.name for scores in evaluation.metrics if not scores.higher_is_better]
    way = "strictly higher"
    if lower:
        way += f", or strictly lower where lower is better ({', '.join(lower)})"
    rest = "A tie is not right, nor is a challenge item without a score." if missing else "A tie is not right."
    return f"A metric is right where it scores the correct translation {way}. {rest}"


def _difficulty(evaluation: MetricEvaluation) -> Iterator[str]:
    """How hard the set is."""
    found = difficulty(evaluation.challenge.items)
    if found is not None:
        yield (
            "How hard the set is, by closeness in characters (1: the same; in brackets the quartiles): correct and "
            f"incorrect to each other {_summary(found.pair)}, correct to reference {_summary(found.correct)}, "
            f"incorrect to reference {_summary(found.incorrect)}. The correct one is closer to the reference in "
            f"{percent(found.closer)} % of the challenge items: so many are won by comparing letters."
        )


def _summary(summary: ClosenessSummary) -> str:
    return f"{summary.mean:.2f} [{summary.lower:.2f}, {summary.median:.2f}, {summary.upper:.2f}]"


def whole_tables(evaluation: MetricEvaluation) -> Sequence[Table]:
    """What stands beside the accuracies in a report that holds everything."""
    curves = [curve_table(evaluation, over) for over in CURVES]
    return [*curves, redundancy_table(evaluation)] if len(evaluation.columns) > 1 else curves
