"""A comparison as a table, and as a short report for a pull request."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from assay.ansi import ALARM, STRONG, Marks, marks, styled
from assay.evaluation import By
from assay.evaluation.answer import answer_of_comparison
from assay.evaluation.comparison import Comparison, ComparisonRow, ItemChange
from assay.evaluation.gate import Gate
from assay.reports import markdown, terminal
from assay.reports.answer import answer_markdown, answer_text, pieces
from assay.reports.table import DASH, PaperName, Table, TableCell, TableRow, campaigns_of, table_row
from assay.text import normalise, word_diff
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
    suite, campaigns = comparison.evaluation.suite, campaigns_of(comparison.evaluation)
    return Table(
        title=f"{comparison.evaluation.suite.name}: {first} → {second}, accuracy in per cent",
        corner="category",
        columns=("items", first, second, "change", "only −", "only +", "p", "needs"),
        rows=tuple(_row(change, nested=by == "both") for change in comparison.changes(by)),
        notes=comparison.notes(by),
        star="",
        paper=PaperName.of("comparison", f"Accuracy in per cent, from {first} to {second}", suite, campaigns),
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


def item_lines(changes: Sequence[ItemChange], limit: int | None, marks: Marks) -> Iterator[str]:
    """Items with both outputs under each other, grouped by phenomenon, words that differ between the marks."""
    shown = changes if limit is None else changes[:limit]
    for (category, phenomenon), members in groupby(shown, key=_phenomenon):
        yield f"{category} › {phenomenon}"
        for change in members:
            yield f"  {change.first.item.id}: {change.first.item.source}"
            for judged, text, spans in both_texts(change):
                sign = {"pass": "✓", "fail": "✗"}.get(str(judged.finding.verdict), "?")
                parts = (f"{marks[0]}{part}{marks[1]}" if inside else part for part, inside in pieces(text, spans))
                yield f"    {sign} {judged.system.name}: {''.join(parts) or '(no output)'}"
    if len(shown) < len(changes):
        yield f"… and {len(changes) - len(shown)} more (--limit 0 shows all)"


def both_texts(change: ItemChange) -> Iterator[tuple[Judged, str, tuple[tuple[int, int], ...]]]:
    """Both outputs of an item as the rules see them, and where they differ."""
    texts = [normalise(judged.text) for judged in (change.first, change.second)]
    for judged, text, spans in zip((change.first, change.second), texts, word_diff(*texts), strict=True):
        # Of texts that have little in common all would be marked; what decided says more then.
        if 2 * sum(end - start for start, end in spans) > len(text):
            spans = tuple((found.start, found.end) for found in judged.finding.evidence[:1])
        yield judged, text, spans


def _phenomenon(change: ItemChange) -> tuple[str, str]:
    return change.first.item.category, change.first.item.phenomenon


def change_sections(comparison: Comparison) -> list[tuple[str, Sequence[ItemChange]]]:
    """What changed, worst first: a title and the items."""
    first, second = comparison.names
    moves = comparison.moves
    sections: list[tuple[str, Sequence[ItemChange]]] = [
        (f"{UNUSABLE_TITLES[kind]} in {second}, not in {first}", items) for kind, items in moves.unusable.items()
    ]
    sections.append((f"Only {first} got these right", comparison.lost))
    sections.append((f"Right before, undecided in {second}", moves.undecided))
    sections.append((f"Only {second} got these right", comparison.gained))
    return [(title, items) for title, items in sections if items]


UNUSABLE_TITLES = {
    "missing": "Missing",
    "untranslated": "The source once more",
    "refused": "Refused",
    "looping": "Looping",
}


def render_text(
    comparison: Comparison,
    by: By = "category",
    limit: int | None = 10,
    *,
    gate: Gate | None = None,
    width: int | None = None,
    ansi: bool = False,
    quiet: bool = False,
    notes: bool = False,
) -> str:
    """The gate's sentence, the answer, the items that changed, and the table; on request its notes."""
    table = comparison_table(comparison, by)
    shown = terminal.render(replace(table, notes=table.notes if notes else table.notes[:1]), width=width, ansi=ansi)
    if quiet:
        return shown
    lines = [answer_text(answer_of_comparison(comparison, by), width=width, ansi=ansi)]
    if gate is not None:
        lines.insert(0, styled(gate.sentence, STRONG if gate.passed else ALARM, ansi))
    for title, items in change_sections(comparison):
        lines += [f"{title} ({len(items)}):", *item_lines(items, limit, marks(ansi)), ""]
    return "\n".join([*lines, shown])


def render_markdown(
    comparison: Comparison, by: By = "category", limit: int | None = 20, *, gate: Gate | None = None
) -> str:
    """A report that reads well in a pull request: the answer, the rows that changed, the items in folds."""
    table = comparison_table(comparison, by)
    changed = [change.outcome != "same" or change.category is None for change in comparison.changes(by)]
    rows = tuple(row for row, keep in zip(table.rows, changed, strict=True) if keep)
    first, second = comparison.names
    parts = [f"### Assay: {first} → {second}", ""]
    if gate is not None:
        parts += [f"**{markdown.escaped(gate.sentence)}**", ""]
    parts.append(answer_markdown(answer_of_comparison(comparison, by)))
    parts.append(markdown.render(replace(table, rows=rows, title="Significant changes and averages")))
    for title, items in change_sections(comparison):
        parts += _fold(title, items, limit)
    return "\n".join(parts).rstrip() + "\n"


def render_html(
    comparison: Comparison, by: By = "category", limit: int | None = 20, *, gate: Gate | None = None
) -> str:
    """A page that needs no network: the gate, the answer, the items that changed, the table with its notes."""
    from assay.reports.html import page

    sections = []
    cut = False
    for title, changes in change_sections(comparison):
        shown = changes if limit is None else changes[:limit]
        cut = cut or len(shown) < len(changes)
        groups = [
            (" › ".join(names), [(change.first.item, list(_html_texts(change))) for change in members])
            for names, members in groupby(shown, key=_phenomenon)
        ]
        sections.append((title, len(changes), groups))
    first, second = comparison.names
    return page(
        "reports/comparison.html",
        f"{comparison.evaluation.suite.name}: {first} → {second}",
        gate=gate,
        answer=answer_of_comparison(comparison, by),
        sections=sections,
        more=limit if cut else None,
        table=comparison_table(comparison, by),
    )


def _html_texts(change: ItemChange) -> Iterator[tuple[str, str, list[tuple[str, bool]]]]:
    """System, verdict, and the pieces of its text; no piece where there is no text."""
    for judged, text, spans in both_texts(change):
        parts = [(part, inside) for part, inside in pieces(text, spans) if part]
        yield judged.system.name, str(judged.finding.verdict), parts


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
