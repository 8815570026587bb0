"""What readers said of a run, as a table.

print(review_text(lines, [Path("sheet.tsv")]))
"""

from collections.abc import Sequence
from pathlib import Path

from assay.contrasts.counts import GoodShare
from assay.contrasts.files.renderings import RenderedKeyword
from assay.contrasts.review import QUESTIONS, agreement, read_sheet, reviewed
from assay.contrasts.tables import interval
from assay.reports import render_table
from assay.reports.table import DASH, Table, TableCell, TableRow, percent
from assay.result import Note


def review_text(lines: Sequence[RenderedKeyword], sheets: Sequence[Path]) -> str:
    """Shares of yes with intervals, and the agreement of two readers."""
    readers = [read_sheet(path, lines) for path in sheets]
    rows = [
        TableRow("category", row.name, (TableCell.count(row.read), *_cells((row.keyword, row.word, row.fault))), 0)
        for row in reviewed(lines, readers)
    ]
    columns = ("read", *(name for question in QUESTIONS for name in (f"{question} %", "95 %")))
    notes = [
        Note(
            "keyword: the marked word is what the construction says; word: it is rendered by the marked word, in this "
            "form; fault: the rendering is wrong. Intervals are Wilson's."
        )
    ]
    if len(readers) > 1:
        notes += [
            Note(
                f"{question}: two readers agree on {percent(equal.value)} % of {both}"
                + ("" if kappa is None else f", kappa {kappa:.2f}")
                + "."
            )
            for question, both, equal, kappa in agreement(readers)
        ]
    table = Table("What readers said, in per cent", "", columns, tuple(rows), tuple(notes), star="")
    return render_table(table)


def _cells(shares: Sequence[GoodShare]) -> list[TableCell]:
    cells = []
    for share in shares:
        cells += [TableCell.percent(share.value), TableCell(interval(share) if share.total else DASH)]
    return cells
