"""TSV: as Assay writes it, and as files of shared tasks have it.

    for line, record in read_tsv(path):
        record["item"]

    for line, record in plain_rows(path, read_text(path)):
        record["good-translation"]

A text that a spreadsheet would take for a formula (`=HYPERLINK(…)`, `- Ja.`) gets an apostrophe before it when it is
written, and loses it when it is read again.

ACES and the WMT25 files are unquoted, and quote characters are then part of the texts; once pandas has added a column
of scores they are quoted. A file is taken as quoted if `csv` would write it back as it is.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import TextIO

from assay.errors import BadFile
from assay.files import read_text, split_lines
from assay.limits import longest_text, too_long

Record = tuple[int, Mapping[str, str]]
"""A line number, and column -> cell."""


# Apostrophes before the sign count too: a text that itself begins with `'=` must come back as it was.
_FORMULA = re.compile(r"'*[=+\-@]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


def defused(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; numbers stay as they are."""
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def restored(cell: str) -> str:
    """A cell as it was before `defused`."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell


def header_of(text: str) -> list[str]:
    """The names of the columns."""
    # The header is within the first 100,000 characters; the rest of a large file need not be split to find it.
    return [name.strip().removeprefix('"').removesuffix('"') for name in split_lines(text[:100_000])[0].split("\t")]


def plain_rows(path: Path, text: str, *, may_be_quoted: bool = True, doubled: bool = False) -> Iterator[Record]:
    """(line number, column -> cell) for every row that is not blank.

    A column name that stands twice is an error or, with `doubled`, `NAME-2` the second time.
    """
    numbered = _quoted(text) if may_be_quoted and '"' in text else []
    numbered = numbered or [(number, line.split("\t")) for number, line in enumerate(split_lines(text), start=1)]
    header = [name.strip() for name in numbered[0][1]]
    # `header_of` takes quotes off; here they are still there, so the file is not quoted throughout.
    odd = next((name for name in header if name.startswith('"') or name.endswith('"')), None)
    if odd is not None:
        raise BadFile(path, f"the column name {odd} has a quote", line=1, cure="write the names of columns without")
    if doubled:
        header = [
            name if name not in header[:at] else f"{name}-{header[:at].count(name) + 1}"
            for at, name in enumerate(header)
        ]
    if len(set(header)) < len(header):
        raise BadFile(path, "a column name stands twice", line=1)
    longest = longest_text()
    for line, cells in numbered[1:]:
        if len(cells) == len(header):
            if max(map(len, cells)) > longest:
                raise too_long(path, max(map(len, cells)), line=line)
            yield line, dict(zip(header, cells, strict=True))
        # A blank line is harmless; a row with other cells than the header would put texts under the wrong column.
        elif any(cells):
            raise BadFile(
                path,
                f"{len(cells)} cells under {len(header)} columns",
                line=line,
                cure="write a row a line, without tabs or newlines in a cell",
            )


def _quoted(text: str) -> list[tuple[int, list[str]]]:
    """The rows of a quoted file; none if it is not one."""
    ending = "\r\n" if "\r\n" in text else "\n"
    whole = text if text.endswith(ending) else text + ending
    # Reading and writing back tells them apart: a text that merely begins with a quote comes back changed.
    reader = csv.reader(StringIO(whole, newline=""), dialect="excel-tab", strict=True)
    again = StringIO(newline="")
    writer = csv.writer(again, dialect="excel-tab", lineterminator=ending)
    try:
        rows = [(reader.line_num, cells) for cells in reader]
        writer.writerows(cells for _, cells in rows)
    except csv.Error:
        return []
    return rows if again.getvalue() == whole else []


def read_tsv(path: Path) -> Iterator[Record]:
    """(line number, column -> cell) for every row, as Python's `csv` (excel-tab) wrote it."""
    reader = csv.reader(StringIO(read_text(path), newline=""), dialect="excel-tab", strict=True)
    longest = longest_text()
    try:
        header = next(reader)
        if len(set(header)) < len(header):
            raise BadFile(path, "a column name stands twice", line=1)
        for cells in reader:
            if len(cells) != len(header):
                # csv yields an empty row for a blank line.
                if not any(cells):
                    continue
                raise BadFile(
                    path,
                    f"{len(cells)} cells under {len(header)} columns",
                    line=reader.line_num,
                    cure="a text with a tab, quote or newline must be quoted as Python's csv does",
                )
            if cells and max(map(len, cells)) > longest:
                raise too_long(path, max(map(len, cells)), line=reader.line_num)
            yield reader.line_num, dict(zip(header, map(restored, cells), strict=True))
    except csv.Error as error:
        raise BadFile(
            path,
            f"not a TSV row: {error}",
            line=reader.line_num,
            cure="a text that starts with \" must be quoted as Python's csv does, its quotes doubled",
        ) from None


class TsvWriter:
    """The one way TSV is written: excel-tab, minimal quoting, so that tabs, quotes and newlines survive.

    Python's csv leaves a lone carriage return unquoted where lines end with a newline, and cannot read it back; rows
    with one are quoted throughout.
    """

    def __init__(self, stream: TextIO, delimiter: str = "\t") -> None:
        self._plain = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        self._quoted = csv.writer(stream, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)

    def writerow(self, row: Iterable[object]) -> None:
        cells = [defused(str(cell)) for cell in row]
        (self._quoted if any("\r" in cell for cell in cells) else self._plain).writerow(cells)

    def writerows(self, rows: Iterable[Iterable[object]]) -> None:
        for row in rows:
            self.writerow(row)
