"""One table model behind all formats: a row is decided here once and rendered many times."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self

from assay.evaluation import By, Evaluation, Row
from assay.evaluation.rows import Cell, RowKey, mean_of
from assay.evaluation.tally import AVERAGES, OVER_GROUPS, OVER_TIERS, Level
from assay.languages import language_name, split_pair
from assay.result import Note
from assay.suites import Suite
from assay.text import slug

if TYPE_CHECKING:
    from assay.evaluation.groups import Correlation, Scores

DASH = "–"
"""How undefined looks."""

SHADED = "▪"
"""What stands before shaded cells where there is no grey."""

Kind = Literal["category", "phenomenon", "average", "share"]


@dataclass(frozen=True, slots=True)
class TableCell:
    """A number as printed; `value` is the number itself. `strong` marks the first cluster.

    Where clusters are made twice, over all columns and within groups of them, `shade` marks the first and `strong` the
    second. `hint` is for those who point at the cell, `link` an address with what is behind the number, where the table
    is part of a page that has one.
    """

    text: str
    value: float | None = None
    strong: bool = False
    shade: bool = False
    hint: str = ""
    link: str = ""

    @classmethod
    def count(cls, number: int | None, mark: str = "") -> Self:
        """1,234, or a dash where undefined."""
        return cls(DASH if number is None else f"{number:,}{mark}", number)

    @classmethod
    def percent(cls, value: float | None, mark: str = "", *, strong: bool = False) -> Self:
        """87.8, or a dash where undefined."""
        return cls(percent(value) + mark, value, strong)

    def marked(self, star: str) -> str:
        """The text with what stands for grey and for bold where neither can be shown."""
        return f"{SHADED if self.shade else ''}{self.text}{star if self.strong else ''}"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table. `group` numbers the blocks that a rule separates, `indent` says how deep it stands."""

    kind: Kind
    label: str
    cells: tuple[TableCell, ...]
    group: int
    indent: int = 0

    @property
    def indented_label(self) -> str:
        """The label after two spaces for each step of indentation, for plain text."""
        return "  " * self.indent + self.label


@dataclass(frozen=True, slots=True)
class PaperName:
    r"""How a table is called in a paper, where several campaigns and directions may stand side by side.

    `caption` says which ones are meant, and so does `label`, which is for \ref: `assay-wmt21-de-en-categories`.
    """

    caption: str
    label: str

    @classmethod
    def of(cls, kind: str, what: str, suite: Suite, campaigns: Iterable[str] = ()) -> Self:
        """`kind` is a word for the label, `what` the beginning of the caption."""
        names = [name for name in dict.fromkeys(campaigns) if name]
        languages = [language_name(code) for code in split_pair(suite.langpair) if code]
        place = " ".join(filter(None, [", ".join(names), "–".join(languages)]))
        version = f" {suite.version}" if suite.version else ""
        parts = ("assay", *map(slug, names), *([slug(suite.langpair)] if suite.langpair else []), kind)
        return cls(f"{what}: {place + ', ' if place else ''}test suite {suite.name}{version}", "-".join(parts))


@dataclass(frozen=True, slots=True)
class Table:
    """Labels down, columns across."""

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[Note, ...]
    star: str = "*"
    """What marks strong cells where bold cannot be shown; empty where the text of the cell says it."""
    groups: tuple[str, ...] = ()
    """The group that each column belongs to, empty for one that has none; no groups at all in most tables."""
    paper: PaperName | None = None
    """What a paper calls it; elsewhere the title does."""

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


def percent(value: float | None) -> str:
    """87.8, or a dash where undefined."""
    return DASH if value is None else f"{100 * value:.1f}"


def accuracy_table(
    evaluation: Evaluation, by: By = "category", scores: "Scores | None" = None, *, signed: bool = True
) -> Table:
    """The table of an evaluation: rows, averages, bounds, warnings, and what the reader must know.

    Outside scores stand under the systems, and behind each row its rank correlation with them. Without the signature
    (`signed`) nothing has to be hashed.
    """
    shaky = _shaky(evaluation)
    rows = [_accuracy_row(row, shaky, nested=by == "both") for row in evaluation.rows(by)]
    micro, found = evaluation.averages()[0], len(evaluation.table.items)
    alone = len(evaluation.systems) == 1
    shares: tuple[tuple[str, list[float | None]], ...] = (
        ("lower bound", [cell.lower_bound for cell in micro.cells]),
        ("upper bound", [cell.upper_bound for cell in micro.cells]),
        ("warnings", [summary.warning_share for summary in evaluation.summaries]),
    )
    rows += [share_row(label, values, found, mean=not alone) for label, values in shares]
    notes = list(evaluation.remarks(by))
    columns = ["items", *evaluation.columns, "95 %" if alone else "mean"]
    if scores:
        # Few evaluations have any.
        from assay.evaluation.groups import correlations

        correlated = correlations(evaluation, scores, by)
        rows = [_with_correlations(row, number, correlated, len(scores)) for number, row in enumerate(rows)]
        rows += [_score_row(evaluation, name, values, len(scores)) for name, values in scores.items()]
        columns += [f"ρ {name}" for name in scores]
        notes.append(Note(CORRELATION_NOTE))
    if signed:
        notes.append(Note.signature(evaluation.signature))
    suite = evaluation.suite
    return Table(
        title=f"{suite.name} ({suite.langpair}): accuracy in per cent",
        corner="phenomenon" if by == "phenomenon" else "category",
        columns=tuple(columns),
        rows=tuple(rows),
        notes=tuple(notes),
        paper=PaperName.of(*IN_PAPERS[by], suite, campaigns_of(evaluation)),
    )


IN_PAPERS: dict[By, tuple[str, str]] = {
    "category": ("categories", "Accuracy in per cent by category"),
    "phenomenon": ("phenomena-alone", "Accuracy in per cent by phenomenon"),
    "both": ("phenomena", "Accuracy in per cent by category and phenomenon"),
}
"""For a label and for a caption"""


def campaigns_of(evaluation: Evaluation) -> list[str]:
    """The campaigns of the systems, in their order."""
    return list(dict.fromkeys(system.campaign for system in evaluation.systems))


CORRELATION_NOTE = (
    "ρ: Spearman's rank correlation over systems between a row's accuracies and an outside score, with its 95 % "
    "interval (Bonett and Wright 2000)."
)


def correlation_cell(found: "Correlation") -> TableCell:
    """`0.71 [0.35, 0.89]`, or a dash where a row or the score does not vary."""
    if found.rho is None:
        return TableCell(DASH)
    interval = f" [{found.low:.2f}, {found.high:.2f}]" if found.low is not None and found.high is not None else ""
    return TableCell(f"{found.rho:.2f}{interval}", found.rho)


def _with_correlations(row: TableRow, number: int, found: "Sequence[Correlation]", scores: int) -> TableRow:
    """A row with its correlations behind it; `found` has one per row and score, in the order of the rows."""
    mine = found[number * scores : (number + 1) * scores]
    more = [correlation_cell(entry) for entry in mine] if mine else [TableCell("")] * scores
    return replace(row, cells=(*row.cells, *more))


def _score_row(evaluation: Evaluation, name: str, values: Mapping[str, float], scores: int) -> TableRow:
    known = [values.get(system.name) for system in evaluation.systems]
    cells = [TableCell(DASH if value is None else f"{value:g}", value) for value in known]
    # A block of its own under the shares, which are block 2
    return TableRow("share", name, (TableCell(""), *cells, TableCell(""), *[TableCell("")] * scores), 3)


def row_kind(category: str | None, phenomenon: str | None) -> Kind:
    """What a row is: an average has neither category nor phenomenon."""
    if category is None:
        return "average"
    return "category" if phenomenon is None else "phenomenon"


def row_label(level: Level, category: str | None, phenomenon: str | None) -> str:
    """How a row is called where it stands alone."""
    if category is None:
        return (AVERAGES | OVER_TIERS | OVER_GROUPS)[level]
    return category if phenomenon is None else f"{category} / {phenomenon}"


def table_row(key: RowKey, cells: tuple[TableCell, ...], *, nested: bool, mark: str = "") -> TableRow:
    """The line of a row; averages are apart from the others.

    Where categories and phenomena are both shown (`nested`), phenomena stand below their category and need not name it.
    """
    level, category, phenomenon = key
    below = nested and phenomenon is not None
    label = phenomenon if below and phenomenon else row_label(level, category, phenomenon)
    return TableRow(row_kind(category, phenomenon), label + mark, cells, int(category is None), int(below))


def _shaky(evaluation: Evaluation) -> set[RowKey]:
    """Rows whose leader could change when warnings are judged; under `fair` the question has no answer."""
    if evaluation.settings.policy == "fair":
        return set()
    return {standing.key for standing in evaluation.standings if not standing.certain}


def _accuracy_row(row: Row, shaky: Container[RowKey], *, nested: bool) -> TableRow:
    # Of one system nothing is the best or the mean; how sure its numbers are stands there instead.
    alone = len(row.cells) == 1
    cells = (
        TableCell.count(row.items, "†" if row.is_small else ""),
        *(TableCell.percent(cell.accuracy, strong=cell.first_cluster and not alone) for cell in row.cells),
        _interval(row.cells[0]) if alone else TableCell.percent(row.average),
    )
    return table_row(row.key, cells, nested=nested, mark=" ?" if row.key in shaky else "")


def _interval(cell: Cell) -> TableCell:
    """`78–84`, the 95 % interval of an accuracy."""
    if cell.low is None or cell.high is None:
        return TableCell(DASH)
    return TableCell(f"{100 * cell.low:.0f}–{100 * cell.high:.0f}", cell.low)


def share_row(label: str, values: Sequence[float | None], count: int, *, mean: bool = True) -> TableRow:
    """A row below the averages: shares of the same number of items, and their mean."""
    last = TableCell.percent(mean_of(values)) if mean else TableCell("")
    return TableRow("share", label, (TableCell.count(count), *map(TableCell.percent, values), last), 2)
