"""The table of labels: which renderings systems choose, by phenomenon.

labels_table(evaluation)
"""

from assay.errors import BadOption
from assay.evaluation import Evaluation
from assay.evaluation.label_shares import LabelCell, LabelRow
from assay.reports.table import DASH, PaperName, Table, TableCell, TableRow, campaigns_of
from assay.result import Note

UNDECIDED = "undecided"


def labels_table(evaluation: Evaluation) -> Table:
    """Shares in per cent; bold where a phenomenon differs from the others."""
    found, suite, settings = evaluation.labels, evaluation.suite, evaluation.settings
    if found is None:
        raise BadOption("no item that was found has labels; the rows are --by category, phenomenon or both")
    notes = [
        Note(
            f"Share of texts with this label among those that have one (policy {settings.policy}); undecided: texts "
            "with no label or several, of all. Labels are in no accuracy."
        )
    ]
    if found.several:
        test = f"two proportions, two-tailed, alpha {settings.alpha:g}, not corrected"
        differs = f"significantly more or less often than in all other phenomena with this label ({test})."
        notes.append(Note(f"Bold or *: {differs}", paper=f"Bold: {differs}"))
    notes.append(Note.signature(evaluation.signature))
    alone = len(evaluation.columns) == 1
    last = ("95 %", "difference") if alone else ()
    return Table(
        title=f"{suite.name} ({suite.langpair}): labels in per cent",
        corner="label",
        columns=("items", *evaluation.columns, *last),
        rows=tuple(_lines(found.rows, settings.alpha, alone=alone)),
        notes=tuple(notes),
        paper=PaperName.of("labels", "Labels in per cent by phenomenon", suite, campaigns_of(evaluation)),
    )


def _lines(rows: tuple[LabelRow, ...], alpha: float, *, alone: bool) -> list[TableRow]:
    found: list[TableRow] = []
    group, before = -1, ("", "")
    for row in rows:
        if (row.category, row.phenomenon) != before:
            before, group = (row.category, row.phenomenon), group + 1
            blank = [TableCell("")] * (len(row.cells) + (2 if alone else 0))
            label = f"{row.category} / {row.phenomenon}"
            found.append(TableRow("category", label, (TableCell.count(row.items), *blank), group))
        cells = [_cell(cell, alpha) for cell in row.cells]
        more = [_interval(row.cells[0]), _difference(row.cells[0])] if alone else []
        label = UNDECIDED if row.label is None else row.label
        found.append(TableRow("phenomenon", label, (TableCell(""), *cells, *more), group, 1))
    return found


def _cell(cell: LabelCell, alpha: float) -> TableCell:
    shown = TableCell.percent(cell.share, strong=cell.p is not None and cell.p < alpha)
    hint = f"{cell.number:,} of {cell.total:,}"
    if cell.low is not None:
        hint += f", 95 % {_interval(cell).text}"
    if cell.difference is not None:
        hint += f", {_difference(cell).text} to other phenomena"
    return TableCell(shown.text, shown.value, shown.strong, hint=hint)


def _interval(cell: LabelCell) -> TableCell:
    if cell.low is None or cell.high is None:
        return TableCell(DASH)
    return TableCell(f"{100 * cell.low:.0f}–{100 * cell.high:.0f}", cell.low)


def _difference(cell: LabelCell) -> TableCell:
    if cell.difference is None:
        return TableCell(DASH)
    return TableCell(f"{100 * cell.difference:+.1f}".replace("-", "−"), cell.difference)
