"""Tables about the suite, the warnings, groups of systems, and outside scores."""

from collections.abc import Iterable, Sequence

from assay.errors import UnknownName
from assay.evaluation import By, Evaluation
from assay.evaluation.examples import examples_of_item
from assay.evaluation.groups import categories_won, group_rows, groups
from assay.evaluation.items import SuiteAnalysis
from assay.reports.table import DASH, Table, TableCell, TableRow, row_kind, row_label, table_row
from assay.result import Note
from assay.suites import Suite
from assay.text import normalise
from assay.verdicts import Verdict


def items_table(analysis: SuiteAnalysis, suite: Suite, limit: int | None = None) -> Table:
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
        "difficulty: share of systems that fail the item. discrimination: correlation with the score on all other "
        f"items, over systems; {DASH} where all pass or all fail.",
        *analysis_notes(analysis),
    ]
    if len(rows) < len(ordered):
        notes.insert(0, f"Shown are the {len(rows)} items with the lowest discrimination, of {len(ordered):,}.")
    columns = ("phenomenon", "difficulty", "discrimination", "source")
    return Table(f"{suite.name}: {len(analysis.items):,} items", "item", columns, tuple(rows), tuple(map(Note, notes)))


def analysis_notes(analysis: SuiteAnalysis) -> Iterable[str]:
    """What is wrong with the suite, in words."""
    saturated = "; ".join(f"{category} / {name} ({items})" for category, name, items in analysis.saturated)
    yield f"Saturated, 100 % for every system: {saturated or 'none'}."
    suspicious = ", ".join(item.id for item in analysis.suspicious)
    yield f"Suspicious, failed by every system: {suspicious or 'none'}."
    contrary = ", ".join(f"{entry.item.id} ({entry.discrimination:.2f})" for entry in analysis.contrary)
    yield f"Contrary, better systems fail them more often: {contrary or 'none'}."


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
    return Table(f"{evaluation.suite.name}: could the leader change?", "row", columns, tuple(rows), tuple(notes))


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
    return Table(title, "category", tuple(columns), tuple(rows), notes)


def wins_table(evaluation: Evaluation) -> Table:
    """In how many categories each system is the best, or in the first cluster."""
    rows = [
        TableRow("category", label, (TableCell(f"{best}", best), TableCell(f"{cluster}", cluster)), 0)
        for label, (best, cluster) in zip(evaluation.columns, categories_won(evaluation), strict=True)
    ]
    notes = (Note("best: alone or level with others. first cluster: not significantly worse than the best."),)
    columns = ("categories best", "categories in first cluster")
    return Table(f"{evaluation.suite.name}: categories won", "system", columns, tuple(rows), notes)


def examples_table(evaluation: Evaluation, phenomena: Sequence[str], per_phenomenon: int = 2) -> Table:
    """Source, outputs and verdicts for chosen phenomena; items first on which systems differ most."""
    known = {name for _, name in evaluation.suite.phenomena}
    for name in phenomena:
        if name not in known:
            raise UnknownName("phenomenon", name, known)
    table = evaluation.table
    rows = []
    for number, name in enumerate(phenomena):
        # Items come first that about half of the systems have right.
        members = [
            (abs(float((table.verdicts[row] == Verdict.PASS).mean()) - 0.5), row)
            for row, position in enumerate(table.items.tolist())
            if evaluation.suite.items[position].phenomenon == name
        ]
        for _, row in sorted(members)[:per_phenomenon]:
            position = int(table.items[row])
            item = evaluation.suite.items[position]
            rows.append(TableRow("category", item.id, (TableCell(""), TableCell(item.source)), number))
            for example in examples_of_item(evaluation, position):
                verdict = example.finding.verdict
                cells = (TableCell(str(verdict), strong=verdict == Verdict.PASS), TableCell(example.text or DASH))
                rows.append(TableRow("phenomenon", ", ".join(example.systems), cells, number, indent=1))
    title = f"{evaluation.suite.name}: examples"
    notes = (Note(f"Phenomena: {', '.join(phenomena)}."),)
    return Table(title, "item", ("verdict", "text"), tuple(rows), notes)
