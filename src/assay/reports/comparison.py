"""A comparison as a table, and as a short report for a pull request."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from assay.evaluation import By
from assay.evaluation.comparison import Comparison, ComparisonRow, ItemChange
from assay.reports import markdown
from assay.reports.table import DASH, Table, TableCell, TableRow, percent, table_row
from assay.text import normalise
from assay.verdicts import Judged

ARROWS = {"better": "▲", "worse": "▼", "same": ""}


def points(value: float | None) -> str:
    """A difference in points, with its sign."""
    return DASH if value is None else f"{100 * value:+.1f}".replace("-", "−")


def p_text(value: float | None) -> str:
    """A p-value with as many digits as it deserves."""
    if value is None:
        return DASH
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def comparison_table(comparison: Comparison, by: By = "category") -> Table:
    """Rows with both accuracies, the change and its test."""
    first, second = comparison.names
    return Table(
        title=f"{comparison.evaluation.suite.name}: {first} → {second}, accuracy in per cent",
        corner="category",
        columns=("items", first, second, "change", "only −", "only +", "p", "needs"),
        rows=tuple(_row(change, nested=by == "both") for change in comparison.changes(by)),
        notes=comparison.notes(by),
        star="",
    )


def _row(change: ComparisonRow, *, nested: bool) -> TableRow:
    arrow = ARROWS[change.outcome]
    cells = (
        TableCell.count(change.items),
        TableCell.percent(change.first),
        TableCell.percent(change.second),
        TableCell(points(change.difference) + arrow, change.difference, bool(arrow)),
        TableCell.count(change.only_first),
        TableCell.count(change.only_second),
        TableCell(p_text(change.p), change.p),
        TableCell.count(change.needed),
    )
    return table_row(change.key, cells, nested=nested)


def headline(comparison: Comparison, by: By = "category") -> str:
    """One sentence: how many rows got worse and better, and the averages."""
    changes = comparison.changes(by)
    worse, better = (sum(change.outcome == outcome for change in changes) for outcome in ("worse", "better"))
    micro = next(change for change in changes if change.level == "micro")
    return (
        f"{worse} of {len(changes)} rows significantly worse, {better} better; micro-average "
        f"{percent(micro.first)} → {percent(micro.second)} ({points(micro.difference)}); items lost: "
        f"{len(comparison.lost)}, gained: {len(comparison.gained)}"
    )


def item_lines(changes: Sequence[ItemChange], limit: int | None, marks: tuple[str, str]) -> Iterator[str]:
    """Items with both outputs under each other, grouped by phenomenon, matched words between the marks."""
    shown = changes if limit is None else changes[:limit]
    for (category, phenomenon), members in groupby(shown, key=_phenomenon):
        yield f"{category} › {phenomenon}"
        for change in members:
            yield f"  {change.first.item.id}: {change.first.item.source}"
            for judged in (change.first, change.second):
                sign = {"pass": "✓", "fail": "✗"}.get(str(judged.finding.verdict), "?")
                yield f"    {sign} {judged.system.name}: {marked(judged, marks)}"
    if len(shown) < len(changes):
        yield f"… and {len(changes) - len(shown)} more (--limit 0 shows all)"


def _phenomenon(change: ItemChange) -> tuple[str, str]:
    return change.first.item.category, change.first.item.phenomenon


def marked(judged: Judged, marks: tuple[str, str]) -> str:
    """The normalised text with what the rule matched between two marks."""
    text = normalise(judged.text)
    for evidence in judged.finding.evidence[:1]:
        if evidence.end > evidence.start:
            start, end = evidence.start, evidence.end
            return f"{text[:start]}{marks[0]}{text[start:end]}{marks[1]}{text[end:]}"
    return text


def render_markdown(comparison: Comparison, by: By = "category", limit: int | None = 20) -> str:
    """A report that reads well in a pull request: headline, the rows that changed, the items in folds."""
    table = comparison_table(comparison, by)
    changed = [change.outcome != "same" or change.category is None for change in comparison.changes(by)]
    rows = tuple(row for row, keep in zip(table.rows, changed, strict=True) if keep)
    first, second = comparison.names
    parts = [f"### Assay: {first} → {second}", "", f"**{headline(comparison, by)}.**", ""]
    parts.append(markdown.render(replace(table, rows=rows, title="Significant changes and averages")))
    parts += _fold(f"Items that only {first} got right", comparison.lost, limit)
    parts += _fold(f"Items that only {second} got right", comparison.gained, limit)
    return "\n".join(parts).rstrip() + "\n"


def _fold(title: str, changes: Sequence[ItemChange], limit: int | None) -> Iterable[str]:
    if not changes:
        return
    yield f"<details><summary>{title} ({len(changes)})</summary>"
    yield ""
    yield "```text"
    yield from item_lines(changes, limit, ("[", "]"))
    yield "```"
    yield ""
    yield "</details>"
    yield ""
