"""Tables about the suite, the warnings, groups of systems, and outside scores."""

from collections.abc import Iterable

from assay.evaluation import By, Evaluation
from assay.evaluation.groups import categories_won, group_rows, groups
from assay.evaluation.items import CONTRARY, SuiteAnalysis
from assay.reports.table import (
    DASH,
    PaperName,
    Table,
    TableCell,
    TableRow,
    campaigns_of,
    row_kind,
    row_label,
    table_row,
)
from assay.result import Note
from assay.text import normalise, plural


def items_table(analysis: SuiteAnalysis, evaluation: Evaluation, limit: int | None = None) -> Table:
    """Items by discrimination, lowest first: those at the top deserve a look."""
    ordered = sorted(
        analysis.items, key=lambda entry: (entry.discrimination is None, entry.discrimination or 0, entry.item.id)
    )
    rows = [
        TableRow(
            "phenomenon",
            entry.item.id,
            (
                TableCell(entry.item.phenomenon),
                TableCell(f"{entry.difficulty:.2f}", entry.difficulty),
                TableCell(
                    DASH if entry.discrimination is None else f"{entry.discrimination:.2f}", entry.discrimination
                ),
                TableCell(_short(entry.item.source)),
            ),
            0,
        )
        for entry in ordered[:limit]
    ]
    notes = [
        Note(
            "difficulty: share of systems that fail the item. discrimination: correlation with the score on all other "
            f"items, over systems; {DASH} where all pass or all fail."
        ),
        *analysis_notes(analysis),
    ]
    if len(rows) < len(ordered):
        shown = f"Shown are the {len(rows)} items with the lowest discrimination, of {len(ordered):,}."
        notes.insert(0, Note(shown))
    columns = ("phenomenon", "difficulty", "discrimination", "source")
    title = f"{evaluation.suite.name}: {len(analysis.items):,} items"
    paper = _in_paper(evaluation, "items", "Difficulty and discrimination of items")
    return Table(title, "item", columns, tuple(rows), tuple(notes), paper=paper)


def _in_paper(evaluation: Evaluation, kind: str, what: str) -> PaperName:
    return PaperName.of(kind, what, evaluation.suite, campaigns_of(evaluation))


def analysis_notes(analysis: SuiteAnalysis) -> Iterable[Note]:
    """What is wrong with the suite, in words."""
    saturated = "; ".join(f"{category} / {name} ({items})" for category, name, items in analysis.saturated)
    yield Note(f"Saturated, 100 % for every system: {saturated or 'none'}.")
    # Whoever keeps the suite has to look at these items; readers of a paper want to know how many there are.
    suspicious = ", ".join(item.id for item in analysis.suspicious)
    number = plural(len(analysis.suspicious), "item")
    yield Note(
        f"Suspicious, failed by every system: {suspicious or 'none'}.", paper=f"Failed by every system: {number}."
    )
    contrary = ", ".join(f"{entry.item.id} ({entry.discrimination:.2f})" for entry in analysis.contrary)
    number = plural(len(analysis.contrary), "item")
    yield Note(
        f"Contrary, better systems fail them more often: {contrary or 'none'}.",
        paper=f"Failed more often by better systems (discrimination below {CONTRARY:g}): {number}.",
    )


def _short(text: str, width: int = 70) -> str:
    folded = normalise(text)
    return folded if len(folded) <= width else folded[: width - 1] + "…"


def standings_table(evaluation: Evaluation) -> Table:
    """Whose lead is certain, whatever becomes of the warnings; on all items found."""
    rows = []
    for standing in evaluation.standings:
        # The rival that has the least to gain before it draws level
        nearest = min(standing.rivals, key=lambda rival: rival.lead - rival.reach) if standing.rivals else None
        cells = (
            TableCell(" = ".join(system.name for system in (standing.leader, *standing.level_with))),
            TableCell("yes" if standing.certain else "no", None, standing.certain),
            TableCell(f"{len(standing.rivals)}", len(standing.rivals)),
            TableCell(nearest.system.name if nearest else DASH),
            TableCell(DASH if nearest is None or nearest.fewest is None else f"{nearest.fewest:,}"),
            TableCell(f"{nearest.always:,}" if nearest else DASH),
        )
        label = row_label(*standing.key)
        kind = row_kind(standing.category, standing.phenomenon)
        rows.append(TableRow(kind, label, cells, ("category", "phenomenon", "average").index(kind)))
    notes = map(
        Note,
        (
            "On all items found, warnings failed. The leader is certain against a rival when its lead exceeds what the "
            "rival's warnings could bring.",
            "fewest: judgements that could make the leader certain against the nearest rival, if each goes its way; "
            "always: judgements that settle it whatever comes out.",
        ),
    )
    columns = ("leader", "certain", "rivals", "nearest rival", "fewest", "always")
    title = f"{evaluation.suite.name}: could the leader change?"
    paper = _in_paper(evaluation, "undecided", "Leaders, and whether undecided outputs could make others lead")
    return Table(title, "row", columns, tuple(rows), tuple(notes), paper=paper)


def groups_table(evaluation: Evaluation, by: By = "category") -> Table:
    """Mean accuracy per group of systems, and of everybody without that group."""
    members = groups(evaluation)
    columns = ["items", "all"]
    for group in members:
        columns += [f"{group.field} {group.value}", f"without {group.value}"]
    rows = []
    for entry in group_rows(evaluation, by):
        groupwise = (share for pair in zip(entry.inside, entry.without, strict=True) for share in pair)
        cells = (TableCell.count(entry.row.items), *map(TableCell.percent, (entry.everybody, *groupwise)))
        rows.append(table_row(entry.row.key, cells, nested=by == "both"))
    sizes = ", ".join(f"{group.field} {group.value}: {len(group.columns)} systems" for group in members)
    title = f"{evaluation.suite.name}: mean accuracy of groups of systems in per cent"
    notes = (Note(sizes + "."), Note.signature(evaluation.signature))
    paper = _in_paper(evaluation, "groups", "Mean accuracy of groups of systems in per cent")
    return Table(title, "category", tuple(columns), tuple(rows), notes, paper=paper)


def wins_table(evaluation: Evaluation) -> Table:
    """In how many categories each system is the best, or in the first cluster."""
    rows = [
        TableRow("category", label, (TableCell(f"{best}", best), TableCell(f"{cluster}", cluster)), 0)
        for label, (best, cluster) in zip(evaluation.columns, categories_won(evaluation), strict=True)
    ]
    notes = (Note("best: alone or level with others. first cluster: not significantly worse than the best."),)
    columns = ("categories best", "categories in first cluster")
    paper = _in_paper(evaluation, "categories-won", "Categories in which a system is the best, or in the first cluster")
    return Table(f"{evaluation.suite.name}: categories won", "system", columns, tuple(rows), notes, paper=paper)
