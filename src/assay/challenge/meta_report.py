"""The agreement of metrics with people as tables."""

from collections.abc import Sequence

from assay.challenge.meta import HumanAgreement, MetricAgreement
from assay.reports import render_table
from assay.reports.table import DASH, Table, TableCell, TableRow, percent
from assay.result import Note

_SEGMENTS, _SYSTEMS = "segments", "systems"
_NUMBERS = (
    ("acc", _SEGMENTS, "accuracy"),
    ("tie up to", _SEGMENTS, "threshold"),
    ("acc, no ties", _SEGMENTS, "accuracy_without"),
    ("Kendall", _SEGMENTS, "kendall"),
    ("Kendall by item", _SEGMENTS, "item_kendall"),
    ("Spearman", _SEGMENTS, "spearman"),
    ("Pearson", _SEGMENTS, "pearson"),
    ("acc", _SYSTEMS, "system_accuracy"),
    ("Kendall", _SYSTEMS, "system_kendall"),
    ("Spearman", _SYSTEMS, "system_spearman"),
    ("Pearson", _SYSTEMS, "system_pearson"),
)


def render_agreements(
    found: Sequence[HumanAgreement], format: str = "table", *, width: int | None = None, ansi: bool = False
) -> str:
    """All language pairs, one table after the other; with the mean scores of hypotheses."""
    tables = [table for agreement in found for table in (agreement_table(agreement), means_table(agreement)) if table]
    return "\n".join(render_table(table, format, width=width, ansi=ansi) for table in tables)


def agreement_table(agreement: HumanAgreement) -> Table | None:
    """A row for each metric; None where nothing is known that metrics could agree with."""
    if not any(metric.pairs or metric.segments for metric in agreement.metrics):
        return None
    gold = f"human score {agreement.human}" if agreement.human else "relations of the set"
    numbers = [number for number in _NUMBERS if any(getattr(one, number[2]) is not None for one in agreement.metrics)]
    return Table(
        title=f"{agreement.name} ({agreement.langpair}): agreement of metrics with the {gold}",
        corner="metric",
        columns=("pairs", *(column for column, _, _ in numbers)),
        rows=tuple(_row(metric, [name for _, _, name in numbers]) for metric in agreement.metrics),
        notes=tuple(map(Note, _remarks(agreement))),
        star="",
        groups=("", *(group for _, group, _ in numbers)),
    )


def _row(metric: MetricAgreement, names: Sequence[str]) -> TableRow:
    cells = [_cell(name, getattr(metric, name)) for name in names]
    return TableRow("phenomenon", metric.metric, (TableCell.count(metric.pairs), *cells), 0)


def _cell(name: str, value: float | None) -> TableCell:
    if value is None:
        return TableCell(DASH)
    if "accuracy" in name:
        return TableCell(percent(value), value)
    return TableCell(f"{value:.3g}" if name == "threshold" else f"{value:.3f}", value)


def _remarks(agreement: HumanAgreement) -> list[str]:
    remarks = [
        f"{agreement.items:,} challenge items, {agreement.hypotheses:,} hypotheses. acc: share of pairs of a challenge "
        "item that metric and people order, or tie, alike, mean over challenge items, in per cent; scores that differ "
        "by at most `tie up to` count as ties, which is where the share is highest (Deutsch et al. 2023)."
    ]
    most = max(metric.pairs for metric in agreement.metrics)
    fewer = [metric.metric for metric in agreement.metrics if metric.pairs < most]
    return remarks + ([f"Not all pairs have scores of {', '.join(fewer)}."] if fewer else [])


def means_table(agreement: HumanAgreement) -> Table:
    """Mean scores by name of hypothesis: what metrics find better, whatever people say."""
    names = list(agreement.means)
    rows = [(metric.metric, metric.means) for metric in agreement.metrics]
    rows = [(f"human score {agreement.human}", agreement.means), *rows] if agreement.human else rows
    return Table(
        title=f"{agreement.name} ({agreement.langpair}): mean scores",
        corner="metric",
        columns=tuple(names),
        rows=tuple(
            TableRow("phenomenon", label, tuple(_mean(means.get(name)) for name in names), 0) for label, means in rows
        ),
        notes=(),
        star="",
    )


def _mean(value: float | None) -> TableCell:
    return TableCell(DASH if value is None else f"{value:.2f}", value)
