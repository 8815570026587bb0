"""A metric's profile as tables of the table model: for the terminal, Markdown and the cards.

for table in profile_tables(profile):
    print(render_table(table, "markdown"))
"""

from collections.abc import Iterator, Sequence

from assay.challenge.profile import BalancedAccuracy, MetricProfile, PartAccuracy, ProfileRow
from assay.evaluation.tally import AVERAGES
from assay.reports.comparison import p_text
from assay.reports.table import DASH, Table, TableCell, TableRow, percent
from assay.result import Note
from assay.text import plural


def set_label(profile: MetricProfile) -> str:
    """The set with its language pair."""
    return f"{profile.set_name} ({profile.langpair})" if profile.langpair else profile.set_name


def profile_tables(profile: MetricProfile) -> Iterator[Table]:
    """Everything about a metric on one set."""
    yield rows_table(profile)
    yield balance_table(profile)
    if profile.by_maker:
        yield makers_table(profile)
    if profile.agreement:
        yield agreement_table(profile)


def sets_table(profiles: Sequence[MetricProfile]) -> Table:
    """A metric on several sets, a line each."""
    rows = [_set_row(profile) for profile in profiles]
    notes = [
        "accuracy: over all challenge items, with its 95 % interval. group: the mean of the other metrics of the "
        "group. difference: with its 95 % interval; p: two-tailed, by swapping signs source by source.",
        "ties count as wrong. blind: phenomena significantly below the group (Holm). references: of pairs that come "
        "with several references the share in which the answer depends on the reference.",
    ]
    return Table(
        title=f"{profiles[0].metric}: on {plural(len(profiles), 'set')}",
        corner="set",
        columns=(
            "challenge items",
            "sources",
            "accuracy",
            "95 %",
            "group",
            "difference",
            "95 % of it",
            "p",
            "ties",
            "blind",
            "references",
        ),
        rows=tuple(rows),
        notes=(*map(Note, notes), *_signatures(profiles)),
        star="",
    )


def _signatures(profiles: Sequence[MetricProfile]) -> Iterator[Note]:
    if profiles[0].metric_signature:
        yield Note.signature(profiles[0].metric_signature, of=profiles[0].metric)
    for profile in profiles:
        yield Note.signature(profile.signature, of=set_label(profile) if len(profiles) > 1 else "")


def _set_row(profile: MetricProfile) -> TableRow:
    robust = profile.robustness
    depends = robust.sometimes / robust.pairs if robust else None
    hint = f"{robust.sometimes:,} of {robust.pairs:,} pairs from {plural(robust.sources, 'source')}" if robust else ""
    cells = (
        TableCell.count(profile.size),
        TableCell.count(profile.sources),
        *_accuracy_cells(profile.overall),
        TableCell(percent(profile.ties / profile.size), profile.ties / profile.size),
        TableCell.count(len(profile.blind_spots)),
        TableCell(percent(depends), depends, hint=hint),
    )
    return TableRow("category", set_label(profile), cells, 0)


def rows_table(profile: MetricProfile) -> Table:
    """Accuracy by category and phenomenon against the group; significant differences are marked."""
    rows = [
        TableRow(
            "category" if row.phenomenon is None else "phenomenon",
            row.category if row.phenomenon is None else row.phenomenon,
            (
                TableCell.count(row.size),
                TableCell.count(row.sources),
                *_accuracy_cells(row, strong=_is_told(row, profile.alpha)),
            ),
            0,
            int(row.phenomenon is not None),
        )
        for row in profile.rows
    ]
    for level, cell, mean in profile.averages:
        apart = None if cell.accuracy is None or mean is None else cell.accuracy - mean
        interval = _interval(cell.low, cell.high)
        test = profile.overall if level == "micro" else None
        cells = (
            TableCell.count(profile.size),
            TableCell.count(profile.sources),
            TableCell.percent(cell.accuracy),
            TableCell(interval),
            TableCell.percent(mean),
            TableCell(_signed(apart), apart),
            TableCell(_interval(test.difference_low, test.difference_high, signed=True) if test else ""),
            TableCell(p_text(test.p) if test and test.p is not None else "", test.p if test else None),
        )
        rows.append(TableRow("average", AVERAGES[level], cells, 1))
    return Table(
        title=f"{profile.metric} on {set_label(profile)}: accuracy in per cent, against its group",
        corner="category",
        columns=("challenge items", "sources", "accuracy", "95 %", "group", "difference", "95 % of it", "p"),
        rows=tuple(rows),
        notes=tuple(map(Note, _row_notes(profile))),
    )


def _row_notes(profile: MetricProfile) -> Iterator[str]:
    others = ", ".join(profile.against)
    if others:
        yield f"group: the mean accuracy of the other metrics it is held against: {others}."
        yield (
            "p: that the difference is chance, two-tailed, by swapping signs source by source, corrected for all "
            "categories, or all phenomena, that have 5 sources or more (Holm 1979). Bold or *: below "
            f"{profile.alpha:g}."
        )
    yield f"{DASH}: fewer than 5 sources, for which there is neither an interval nor a test."


def _accuracy_cells(row: ProfileRow, *, strong: bool = False) -> tuple[TableCell, ...]:
    return (
        TableCell.percent(row.accuracy),
        TableCell(_interval(row.low, row.high)),
        TableCell.percent(row.group_mean),
        TableCell(_signed(row.difference), row.difference, strong=strong),
        TableCell(_interval(row.difference_low, row.difference_high, signed=True)),
        TableCell(DASH if row.p is None else p_text(row.p), row.p),
    )


def _is_told(row: ProfileRow, alpha: float) -> bool:
    return row.p is not None and row.p < alpha


def balance_table(profile: MetricProfile) -> Table:
    """What length, what copying, ties and the reference have to do with it."""
    rows: list[TableRow] = []
    for number, balance in enumerate(profile.balanced):
        rows += _balance_rows(balance, number)
    block = len(profile.balanced)
    half = profile.half_ties
    rows.append(
        TableRow(
            "category",
            f"ties count half ({plural(profile.ties, 'tie')})",
            (TableCell.count(profile.size), TableCell.count(profile.sources), TableCell.percent(half), TableCell("")),
            block,
        )
    )
    if profile.robustness is not None:
        found = profile.robustness
        for label, number in (("always", found.always), ("sometimes", found.sometimes), ("never", found.never)):
            share = number / found.pairs
            cells = (
                TableCell(f"{number:,} of {found.pairs:,} pairs", number),
                TableCell.count(found.sources),
                TableCell.percent(share),
                TableCell(""),
            )
            rows.append(TableRow("category", f"right with {_HOW[label]}", cells, block + 1))
    notes = [
        "balanced: the mean of the two lines above it; challenge items in which the two are level are left out.",
    ]
    if profile.robustness is not None:
        notes.append(
            f"references: pairs of the same two translations that come with {profile.robustness.references:.1f} "
            "references on average."
        )
    return Table(
        title=f"{profile.metric} on {set_label(profile)}: what its answers depend on",
        corner="",
        columns=("challenge items", "sources", "accuracy", "95 %"),
        rows=tuple(rows),
        notes=tuple(map(Note, notes)),
        star="",
    )


_HOW = {"always": "every reference", "sometimes": "some references", "never": "no reference"}


def _balance_rows(balance: BalancedAccuracy, block: int) -> list[TableRow]:
    sides = [_part_row(part, block) for part in (balance.more, balance.less)]
    if balance.balanced is None:
        return sides
    cells = (
        TableCell.count(balance.more.size + balance.less.size),
        TableCell(""),
        TableCell.percent(balance.balanced),
        TableCell(_interval(balance.low, balance.high)),
    )
    return [*sides, TableRow("category", f"balanced by {balance.what}", cells, block)]


def _part_row(part: PartAccuracy, block: int = 0) -> TableRow:
    cells = (
        TableCell.count(part.size),
        TableCell.count(part.sources),
        TableCell.percent(part.accuracy),
        TableCell(_interval(part.low, part.high)),
    )
    return TableRow("category", part.name, cells, block)


def makers_table(profile: MetricProfile) -> Table:
    """Accuracy by the kind of system that made the error."""
    note = Note("A text that systems of several groups wrote counts in each of them.")
    return Table(
        title=f"{profile.metric} on {set_label(profile)}: accuracy in per cent by who wrote the incorrect translation",
        corner="group",
        columns=("challenge items", "sources", "accuracy", "95 %"),
        rows=tuple(map(_part_row, profile.by_maker)),
        notes=(note,),
        star="",
    )


def agreement_table(profile: MetricProfile) -> Table:
    """With whom it is right and wrong."""
    rows = []
    for pair in profile.agreement:
        other = pair.second if pair.first == profile.metric else pair.first
        kappa = DASH if pair.kappa is None else f"{pair.kappa:.2f}".replace("-", "−")
        cells = (
            TableCell(kappa, pair.kappa),
            TableCell.percent(pair.shared),
            TableCell.count(pair.both_wrong),
            TableCell.count(pair.either_wrong),
        )
        rows.append(TableRow("category", other, cells, 0))
    notes = (
        Note(
            "kappa: agreement on what is right and wrong beyond chance (Cohen 1960). shared: of the mistakes of either "
            "the share that both make, in per cent."
        ),
        Note(
            f"Right where no other metric is: {plural(profile.alone_right, 'challenge item')}. Wrong where all others "
            f"are right: {plural(profile.alone_wrong, 'challenge item')}."
        ),
    )
    return Table(
        title=f"{profile.metric} on {set_label(profile)}: agreement with other metrics",
        corner="metric",
        columns=("kappa", "shared", "both wrong", "either wrong"),
        rows=tuple(rows),
        notes=notes,
        star="",
    )


def _interval(low: float | None, high: float | None, *, signed: bool = False) -> str:
    if low is None or high is None:
        return DASH
    ends = (_signed(low), _signed(high)) if signed else (percent(low), percent(high))
    return f"{ends[0]} to {ends[1]}"


def _signed(value: float | None) -> str:
    return DASH if value is None else f"{100 * value:+.1f}".replace("-", "−")
