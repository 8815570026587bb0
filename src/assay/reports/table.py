"""One table model behind all formats: a row is decided here once and rendered many times."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assay.evaluation import By, Cell, Evaluation, Row, freed
from assay.evaluation.groups import Correlation, Scores, correlations

SMALL = 5
"""Rows with fewer items are flagged: the z-test means little on them."""

DASH = "–"
"""How undefined looks."""

SHADED = "▪"
"""What stands before shaded cells where there is no grey."""

Kind = Literal["category", "phenomenon", "average", "share"]


@dataclass(frozen=True, slots=True)
class TableCell:
    """A number as printed; `value` is the number itself. `strong` marks the first cluster.

    Where clusters are made twice, over all columns and within groups of them, `shade` marks the first and `strong` the
    second. `hint` is for those who point at the cell.
    """

    text: str
    value: float | None = None
    strong: bool = False
    shade: bool = False
    hint: str = ""

    def marked(self, star: str) -> str:
        """The text with what stands for grey and for bold where neither can be shown."""
        return f"{SHADED if self.shade else ''}{self.text}{star if self.strong else ''}"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table. `group` numbers the blocks that a rule separates."""

    kind: Kind
    label: str
    cells: tuple[TableCell, ...]
    group: int


@dataclass(frozen=True, slots=True)
class Table:
    """Labels down, columns across."""

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...]
    star: str = "*"
    """What marks strong cells where bold cannot be shown; empty where the text of the cell says it."""
    groups: tuple[str, ...] = ()
    """The group that each column belongs to, empty for one that has none; no groups at all in most tables."""

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns with their groups, where heads are a single line."""
        if not self.groups:
            return self.columns
        pairs = zip(self.columns, self.groups, strict=True)
        return tuple(f"{name} ({group})" if group else name for name, group in pairs)

    def runs(self, columns: Iterable[int]) -> list[tuple[str, list[int]]]:
        """Neighbours of the same group with its name; nothing where the table has no groups."""
        found: list[tuple[str, list[int]]] = []
        for column in columns if self.groups else ():
            if found and found[-1][0] == self.groups[column]:
                found[-1][1].append(column)
            else:
                found.append((self.groups[column], [column]))
        return found

    def is_text(self, column: int) -> bool:
        """Whether a column holds texts rather than numbers."""
        return all(row.cells[column].value is None for row in self.rows) and any(
            row.cells[column].text not in ("", DASH) for row in self.rows
        )


def split_signature(note: str) -> tuple[str, str] | None:
    """`Signature: …` or `Signature of chrF: …` as its two parts; a signature is no prose and must not be folded."""
    head, colon, signature = note.partition(": ")
    return (head, signature) if colon and (head == "Signature" or head.startswith("Signature of ")) else None


def percent(value: float | None) -> str:
    """87.8, or a dash where undefined."""
    return DASH if value is None else f"{100 * value:.1f}"


def accuracy_table(evaluation: Evaluation, by: By = "category", scores: Scores | None = None) -> Table:
    """The table of an evaluation: rows, averages, bounds, warnings, and what the reader must know.

    Outside scores stand under the systems, and behind each row its rank correlation with them.
    """
    details = [row for row in evaluation.rows(by) if row.category is not None]
    shaky = _shaky(evaluation)
    rows = [_accuracy_row(row, shaky, indent=by == "both") for row in details]
    rows += [_accuracy_row(row, shaky) for row in evaluation.averages()]
    micro = evaluation.averages()[0]
    rows.append(_share_row("lower bound", [cell.lower_bound for cell in micro.cells], len(evaluation.table.items)))
    rows.append(_share_row("upper bound", [cell.upper_bound for cell in micro.cells], len(evaluation.table.items)))
    shares = [summary.warning_share for summary in evaluation.summaries]
    rows.append(_share_row("warnings", shares, len(evaluation.table.items)))
    notes = list(_notes(evaluation, details))
    columns = ["items", *evaluation.columns, "mean"]
    if scores:
        found = correlations(evaluation, scores, by)
        rows = [_with_correlations(row, number, found, len(scores)) for number, row in enumerate(rows)]
        rows += [_score_row(evaluation, name, values, len(scores)) for name, values in scores.items()]
        columns += [f"ρ {name}" for name in scores]
        notes.insert(-1, CORRELATION_NOTE)
    suite = evaluation.suite
    return Table(
        title=f"{suite.name} ({suite.langpair}): accuracy in per cent",
        corner="phenomenon" if by == "phenomenon" else "category",
        columns=tuple(columns),
        rows=tuple(rows),
        notes=tuple(notes),
    )


CORRELATION_NOTE = (
    "ρ: Spearman's rank correlation over systems between a row's accuracies and an outside score, with its 95 % "
    "interval (Bonett and Wright 2000)."
)


def correlation_cell(found: Correlation) -> TableCell:
    """`0.71 [0.35, 0.89]`, or a dash where a row or the score does not vary."""
    if found.rho is None:
        return TableCell(DASH)
    interval = f" [{found.low:.2f}, {found.high:.2f}]" if found.low is not None and found.high is not None else ""
    return TableCell(f"{found.rho:.2f}{interval}", found.rho)


def _with_correlations(row: TableRow, number: int, found: Sequence[Correlation], scores: int) -> TableRow:
    """A row with its correlations behind it; `found` has one per row and score, in the order of the rows."""
    mine = found[number * scores : (number + 1) * scores]
    more = [correlation_cell(entry) for entry in mine] if mine else [TableCell("")] * scores
    return replace(row, cells=(*row.cells, *more))


def _score_row(evaluation: Evaluation, name: str, values: Mapping[str, float], scores: int) -> TableRow:
    known = [values.get(system.name) for system in evaluation.systems]
    cells = [TableCell(DASH if value is None else f"{value:g}", value) for value in known]
    return TableRow("share", name, (TableCell(""), *cells, TableCell(""), *[TableCell("")] * scores), 3)


def row_kind(category: str | None, phenomenon: str | None) -> Kind:
    """What a row is: an average has neither category nor phenomenon."""
    if category is None:
        return "average"
    return "category" if phenomenon is None else "phenomenon"


def row_label(level: str, category: str | None, phenomenon: str | None, *, indent: bool) -> str:
    """How a row is called."""
    if category is None:
        return AVERAGES[level]
    if phenomenon is None:
        return category
    return f"  {phenomenon}" if indent else f"{category} / {phenomenon}"


AVERAGES = {
    "micro": "micro-average",
    "category_macro": "category macro-average",
    "phenomenon_macro": "phenomenon macro-average",
}


def _shaky(evaluation: Evaluation) -> set[tuple[str, str | None, str | None]]:
    """Rows whose leader could change when warnings are judged; under `fair` the question has no answer."""
    if evaluation.settings.policy == "fair":
        return set()
    return {
        (standing.level, standing.category, standing.phenomenon)
        for standing in evaluation.standings
        if not standing.certain
    }


def _accuracy_row(row: Row, shaky: Container[tuple[str, str | None, str | None]], *, indent: bool = False) -> TableRow:
    mark = " ?" if (row.level, row.category, row.phenomenon) in shaky else ""
    cells = tuple(_accuracy_cell(cell) for cell in row.cells)
    average = TableCell(percent(row.average), row.average)
    count = TableCell(f"{row.items:,}" + ("†" if 0 < row.items < SMALL else ""), row.items)
    label = row_label(row.level, row.category, row.phenomenon, indent=indent) + mark
    return TableRow(row_kind(row.category, row.phenomenon), label, (count, *cells, average), int(row.category is None))


def _accuracy_cell(cell: Cell) -> TableCell:
    return TableCell(percent(cell.accuracy), cell.accuracy, cell.first_cluster)


def _share_row(label: str, values: Iterable[float | None], count: int) -> TableRow:
    shares = list(values)
    mean = _mean(shares)
    cells = (
        TableCell(f"{count:,}", count),
        *(TableCell(percent(value), value) for value in shares),
        TableCell(percent(mean), mean),
    )
    return TableRow("share", label, cells, 2)


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


_POLICIES = {
    "fair": "no system has a warning on them",
    "own": "for each system, those it has no warning on",
    "strict": "all found, warnings fail",
}


_WARNED = {
    "fair": "at least one system has a warning on them",
    "own": "every system has a warning on them",
    "strict": "",
}


def _notes(evaluation: Evaluation, rows: Iterable[Row]) -> Iterable[str]:
    settings, total, found = evaluation.settings, len(evaluation.suite), len(evaluation.table.items)
    counted = evaluation.items_counted
    yield (
        f"Bold or *: first cluster, not significantly worse than the row's best "
        f"({settings.test}, one-tailed, alpha {settings.alpha:g}"
        + (")." if settings.correction == "none" else f", {settings.correction} correction).")
    )
    if any(0 < row.items < SMALL for row in rows):
        yield f"†: fewer than {SMALL} items; the test means little there."
    if settings.test == "bootstrap":
        yield "bootstrap: where phenomena have few items, resampling within them varies too little and p is too small."
    yield (
        "Lower and upper bound: micro-accuracy over all items found with every warning failed, or passed. "
        "They bound the accuracy on all items, not the averages above."
    )
    yield f"{counted:,} of {total:,} items count (policy {settings.policy}: {_POLICIES[settings.policy]})."
    if found - counted:
        yield f"{found - counted:,} do not count: {_WARNED[settings.policy]}."
    missing = evaluation.items_not_found
    if missing:
        shown = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
        yield f"{len(missing):,} do not count: their source is not in the files ({shown})."
    for name, dropped in (
        ("Category", evaluation.dropped("category")),
        ("Phenomenon", evaluation.dropped("phenomenon")),
    ):
        if dropped:
            left_out = "; ".join(" / ".join(filter(None, key)) for key in dropped[:5])
            left_out += f"; and {len(dropped) - 5} more" if len(dropped) > 5 else ""
            yield f"{name} macro-average leaves out, since not every system has a counting item: {left_out}."
    for left in evaluation.excluded:
        # The name alone: reports travel, and folders of this machine mean nothing elsewhere.
        place = f" ({left.system.file.rpartition('/')[2]})" if left.system.file else ""
        yield f"Left out: {left.system.name}{place}, {left.reason}."
    for likeness in evaluation.likenesses:
        names = [system.name for system in likeness.systems]
        shown = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        same = "all" if likeness.share == 1 else f"{100 * likeness.share:.1f} % or more"
        yield f"Not independent: {shown} share {same} of their texts, pair by pair."
    if evaluation.costly and len(evaluation.systems) > 1:
        costs = ", ".join(
            f"{summary.system.name} {summary.costs:,} ({summary.costs / found:.1%}"
            + (f", {summary.missing:,} missing)" if summary.missing else ")")
            for summary in evaluation.costly
        )
        yield f"Costly, items that only this system's warnings keep from a fair comparison: {costs}."
    yield from _undecided(evaluation)
    yield f"Signature: {evaluation.signature}"


def _undecided(evaluation: Evaluation) -> Iterable[str]:
    """What the warnings could still change."""
    if evaluation.settings.policy == "fair":
        needs = freed(evaluation.table)
        if needs:
            counts = ", ".join(f"{needs[number]:,} need {number}" for number in list(needs)[:3])
            yield f"Judgements would free items for the fair comparison: {counts} (assay warnings lists the texts)."
        return
    open_rows = [standing for standing in evaluation.standings if not standing.certain]
    averages = [AVERAGES[standing.level] for standing in open_rows if standing.level in AVERAGES]
    rows = sum(standing.level == "category" for standing in open_rows)
    if open_rows:
        named = f"; among the averages {', '.join(averages)}" if averages else "; the averages are certain"
        yield f"?: the leader could change when warnings are judged. Categories: {rows}{named}."
