"""What is in a suite: items and rules per category and phenomenon."""

from collections import Counter
from collections.abc import Iterable

from assay.reports.table import PaperName, Table, TableCell, TableRow
from assay.result import Note
from assay.suites import Item, Suite

COLUMNS = ("items", "pass rules", "fail rules", "exact", "examples", "no rules", "held out", "words")


def suite_table(suite: Suite) -> Table:
    """Counts per category and phenomenon; `words` is the mean length of a source."""
    rows = []
    for category, names in suite.taxonomy.items():
        members = [item for item in suite.items if item.category == category]
        rows.append(TableRow("category", category, _cells(members), 0))
        rows += [
            TableRow("phenomenon", name, _cells(item for item in members if item.phenomenon == name), 0, indent=1)
            for name in names
        ]
    rows.append(TableRow("average", "all", _cells(suite.items), 1))
    if len(suite.tiers) > 1:
        rows += [
            TableRow("average", f"{tier} tier", _cells(item for item in suite.items if item.tier == tier), 1)
            for tier in suite.tiers
        ]
    kinds = Counter(rule.kind for item in suite.items for rule in item.rules)
    notes = [
        f"{len(suite.taxonomy)} categories, {len(suite.phenomena)} phenomena, "
        + ", ".join(f"{number:,} {kind} rules" for kind, number in sorted(kinds.items())),
        f"version {suite.version or '–'}, licence {suite.licence or '–'}, hash {suite.hash}",
    ]
    title = f"{suite.name} ({suite.langpair})"
    paper = PaperName.of("suite", "Items and rules by category and phenomenon", suite)
    return Table(title, "category", COLUMNS, tuple(rows), tuple(map(Note, notes)), paper=paper)


def _cells(items: Iterable[Item]) -> tuple[TableCell, ...]:
    members = list(items)
    rules = [rule for item in members for rule in item.rules if not rule.is_blank]
    counts = (
        len(members),
        sum(rule.polarity == "pass" for rule in rules),
        sum(rule.polarity == "fail" for rule in rules),
        sum(rule.kind == "exact" for rule in rules),
        sum(len(item.examples.passing) + len(item.examples.failing) for item in members),
        sum(all(rule.is_blank for rule in item.rules) for item in members),
        sum(item.held_out for item in members),
    )
    words = sum(len(item.source.split()) for item in members)
    mean = TableCell(f"{words / len(members):.1f}", words / len(members)) if members else TableCell("–")
    return (*map(TableCell.count, counts), mean)
