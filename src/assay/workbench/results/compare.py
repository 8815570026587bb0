"""Use cases on the database: two systems beside each other with the items that only one got right, and campaigns.

pair = SystemPair("Online-A (WMT21)", "Online-A (WMT22)")
compared = compare_systems(reader, pair, ResultOptions())
more = more_items(reader, pair, ResultOptions(), "gained", start=20)
years = show_years(reader, ResultOptions())
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from assay.errors import BadOption, UnknownName
from assay.evaluation import BY, By
from assay.evaluation.answer import ResultAnswer, answer_of_comparison
from assay.evaluation.comparison import Comparison, ItemChange, compare
from assay.evaluation.years import Years, over_years
from assay.reports.comparison import comparison_table
from assay.reports.table import Table
from assay.reports.years import difference_table, years_table
from assay.suites import Item
from assay.text import normalise, word_diff
from assay.verdicts import Finding, Judged, labels
from assay.workbench.reader import Reader
from assay.workbench.results.results import ResultOptions, campaigns_of, draw_for, evaluate_snapshot
from assay.workbench.snapshot import Snapshot
from assay.workbench.text_view import Mark, VerdictReason, marks, reasons

Side = Literal["lost", "gained"]
SIDES: Final[tuple[Side, Side]] = ("lost", "gained")

PORTION: Final = 20
"""Items of a side that come at once."""


@dataclass(frozen=True, slots=True)
class SystemPair:
    """Labels of two systems, the one before first."""

    first: str
    second: str

    @property
    def names(self) -> tuple[str, str]:
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Compared:
    """Two systems, and whom else one could compare. Where they cannot be compared, `problem` says why."""

    pair: SystemPair
    names: Sequence[str]
    categories: Sequence[str]
    campaigns: Sequence[str]
    problem: str = ""
    signature: str = ""
    answer: ResultAnswer | None = None
    table: Table | None = None
    sides: Sequence["ItemDifferences"] = ()


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """What one of the two wrote: with marks where rules matched and where it differs from the other."""

    name: str
    verdict: str
    text: str
    marks: Sequence[Mark]
    why: Sequence[VerdictReason]


@dataclass(frozen=True, slots=True)
class ItemDifference:
    """An item that only one of the two got right."""

    item: Item
    halves: tuple[ComparedSystem, ComparedSystem]


@dataclass(frozen=True, slots=True)
class ItemDifferences:
    """Some of the items that only `name` got right, of `number`."""

    side: Side
    name: str
    number: int
    items: Sequence[ItemDifference]
    start: int

    @property
    def left(self) -> int:
        return self.number - self.start - len(self.items)


def compare_snapshot(snapshot: Snapshot, pair: SystemPair, asked: ResultOptions) -> Comparison:
    """Two systems of any campaigns, as the verdicts stand."""
    names = system_labels(snapshot)
    for name in pair.names:
        if name not in names:
            raise UnknownName("system", name, names)
    if pair.first == pair.second:
        raise BadOption(f"{pair.first} would be compared with itself; choose two systems")
    chosen = snapshot.outputs.select([names.index(name) for name in pair.names])

    def compared() -> Comparison:
        draw = draw_for(snapshot, asked, [system.campaign for system in chosen.systems])
        choices = asked.choices("mcnemar", snapshot.predictor)
        return compare(snapshot.suite, chosen, findings=snapshot.findings(), draw=draw, **choices)

    return snapshot.comparisons.get((pair, asked), compared)


def compare_systems(
    reader: Reader,
    pair: SystemPair | None,
    asked: ResultOptions,
    *,
    by: str = "category",
    category: str | None = None,
) -> Compared:
    """Everything that the page of two systems shows; without a pair the best two of the newest campaign."""
    snapshot = reader.snapshot
    taxonomy = list(snapshot.stored.suite.taxonomy)
    found = Compared(pair or _usual_pair(snapshot), system_labels(snapshot), taxonomy, snapshot.campaigns)
    rows = check_by(by)
    try:
        comparison = compare_snapshot(snapshot, found.pair, asked)
    except UnknownName:
        raise
    except BadOption as error:
        return replace(found, problem=str(error))
    return replace(
        found,
        signature=comparison.signature,
        answer=answer_of_comparison(comparison, rows),
        table=comparison_table(comparison, rows),
        sides=[_side(reader, comparison, side, category) for side in SIDES],
    )


def more_items(
    reader: Reader,
    pair: SystemPair,
    asked: ResultOptions,
    side: str,
    *,
    category: str | None = None,
    start: int = 0,
) -> ItemDifferences:
    """More items that only one of two systems got right."""
    return _side(reader, compare_snapshot(reader.snapshot, pair, asked), side, category, start)


def show_comparison(reader: Reader, pair: SystemPair, asked: ResultOptions) -> Comparison:
    """Two systems with all items that only one got right."""
    found = compare_snapshot(reader.snapshot, pair, asked)
    _reveal(reader, (*found.lost, *found.gained))
    return found


def _reveal(reader: Reader, changes: Iterable[ItemChange]) -> None:
    reader.items(reader.snapshot.place(change.first.item.id) for change in changes)


def _side(reader: Reader, comparison: Comparison, side: str, category: str | None, start: int = 0) -> ItemDifferences:
    """Items that only the first (`lost`) or only the second (`gained`) got right, from a place on."""
    taxonomy = comparison.evaluation.suite.taxonomy
    if category is not None and category not in taxonomy:
        raise UnknownName("category", category, taxonomy)
    if side not in SIDES:
        raise UnknownName("side", side, SIDES)
    changes = comparison.lost if side == "lost" else comparison.gained
    chosen = [change for change in changes if category in (None, change.first.item.category)]
    name = comparison.names[side == "gained"]
    portion = chosen[start : start + PORTION]
    _reveal(reader, portion)
    shown = [_difference(change, comparison.names) for change in portion]
    return ItemDifferences("lost" if side == "lost" else "gained", name, len(chosen), shown, start)


def check_by(by: str) -> By:
    """Rows to show: categories, phenomena or both."""
    for known in BY:
        if by == known:
            return known
    raise UnknownName("level", by, BY)


def system_labels(snapshot: Snapshot) -> list[str]:
    """All systems of a snapshot, with their campaigns where a name stands in several."""
    return labels([stored.system for stored in snapshot.systems])


def _usual_pair(snapshot: Snapshot) -> SystemPair:
    """The best two systems of the newest campaign."""
    systems = evaluate_snapshot(snapshot, ResultOptions()).systems
    if len(systems) < 2:
        raise BadOption("a comparison needs two systems; import another one's outputs with: assay import SUITE OUTPUT…")
    names = dict(zip((stored.system for stored in snapshot.systems), system_labels(snapshot), strict=True))
    return SystemPair(names[systems[0]], names[systems[1]])


def _difference(change: ItemChange, names: tuple[str, str]) -> ItemDifference:
    before, after = normalise(change.first.text), normalise(change.second.text)
    gone, new = word_diff(before, after)
    first = _half(names[0], change.first, before, gone)
    second = _half(names[1], change.second, after, new)
    return ItemDifference(change.first.item, (first, second))


def _half(name: str, judged: Judged, text: str, differing: Sequence[tuple[int, int]]) -> ComparedSystem:
    found = [*marks(judged.finding, text), *((start, end, "differs") for start, end in differing)]
    return ComparedSystem(name, str(judged.finding.verdict), text, found, _why(judged.finding))


def _why(finding: Finding) -> Sequence[VerdictReason]:
    """The rule that decided; of a settled judgement who made it."""
    judges = [found.rule for found in finding.evidence if found.rule.by]
    if judges and not finding.reason:
        return [VerdictReason(f"judged by {rule.by}, {rule.on}") for rule in judges]
    return reasons(finding, None)


# Campaigns


@dataclass(frozen=True, slots=True)
class Campaigns:
    """Campaigns beside each other: accuracies, the changes from each to the next, and who could be chosen.

    Where they cannot be compared, `problem` says why.
    """

    asked: ResultOptions
    campaigns: Sequence[str]
    names: Sequence[str]
    problem: str = ""
    signature: str = ""
    tables: Sequence[Table] = ()


def years_of_snapshot(snapshot: Snapshot, asked: ResultOptions) -> Years:
    """Systems that return under the same name, on the items common to the campaigns; all where none is named."""
    outputs = snapshot.outputs.select(snapshot.columns(campaigns_of(asked) or None))
    known = {system.name for system in outputs.systems}
    for name in asked.systems:
        if name not in known:
            raise UnknownName("system", name, known)
    chosen = outputs.select(
        [column for column, system in enumerate(outputs.systems) if not asked.systems or system.name in asked.systems]
    )

    def compared() -> Years:
        draw = draw_for(snapshot, asked, [system.campaign for system in chosen.systems])
        choices = asked.choices(predictor=snapshot.predictor)
        return over_years(snapshot.suite, chosen, findings=snapshot.findings(), draw=draw, **choices)

    return snapshot.years.get(asked, compared)


def compare_years(reader: Reader, asked: ResultOptions) -> Years:
    """Systems that return, campaign by campaign; numbers alone."""
    return years_of_snapshot(reader.snapshot, asked)


def show_years(reader: Reader, asked: ResultOptions, *, by: str = "category") -> Campaigns:
    """Everything that the page of campaigns shows; all of them where none is named."""
    snapshot = reader.snapshot
    names = returning(snapshot)
    if set(asked.systems) == set(names):
        asked = replace(asked, systems=())
    found, rows = Campaigns(asked, snapshot.campaigns, names), check_by(by)
    try:
        years = years_of_snapshot(snapshot, asked)
    except UnknownName:
        raise
    except BadOption as error:
        return replace(found, problem=str(error))
    return replace(found, signature=years.signature, tables=years_tables(years, rows))


def years_tables(years: Years, by: By) -> list[Table]:
    """Accuracies over the campaigns, and the change from each to the next."""
    changes = [
        difference_table(years, first, second, by)
        for first, second in pairwise(years.campaigns)
        if years.pairs(first, second)
    ]
    return [years_table(years, by), *changes]


def returning(snapshot: Snapshot) -> list[str]:
    """Names that stand in more than one campaign."""
    names = [stored.system.name for stored in snapshot.systems]
    return sorted({name for name in names if names.count(name) > 1}, key=str.lower)
