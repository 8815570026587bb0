"""The lines of a to-do file, however a spreadsheet saved it.

    for row in todo_rows(Path("todo.csv")):
        row.cells["verdict"]

A workbook, or a text file: tabs, semicolons or commas, UTF-8 or UTF-16 (Excel's "Unicode text"), with or without a byte
order mark and the line `sep=;`, with cells in quotes, and with empty lines and columns. Columns are found by their
names, in any order and case; those that are not asked for are the linguist's own. Excel leaves out empty cells at the
end of a line, so a line may be shorter than the header.
"""

import csv
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from assay.errors import BadFile
from assay.files import read_bytes, suffix
from assay.limits import longest_text, too_long
from assay.spreadsheet import sheet_records, sheet_title
from assay.text import fold
from assay.tsv import restored

SHEET = "to-do"
"""The sheet of a workbook that Assay wrote: only there texts stand as they are, without an apostrophe before `=`."""

NEEDED = ("item", "text", "verdict")

READ = (*NEEDED, "comment", "draw")
"""The columns that come back; whatever else is in the file is the linguist's own."""

_MARKS = {BOM_UTF8: "utf-8", BOM_UTF16_LE: "utf-16-le", BOM_UTF16_BE: "utf-16-be"}

_DELIMITERS = "\t;,"

_SEPARATOR = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)
"""The first line of a file that tells Excel its separator."""

_KEEP = "keep the header of assay warnings"
_SAVE = "save it as a workbook (.xlsx) or as CSV UTF-8"


@dataclass(frozen=True, slots=True)
class TodoRow:
    """A line that is not blank: where it begins in the file, its number in a spreadsheet, column -> cell.

    `is_short`: cells are missing at its end.
    """

    line: int
    number: int
    cells: Mapping[str, str]
    is_short: bool = False


def todo_rows(path: Path) -> Iterator[TodoRow]:
    """The lines of a to-do file, without its header."""
    content = read_bytes(path)
    # Every zip file begins so; a workbook may have been given any name.
    if suffix(path) == ".xlsx" or content.startswith(b"PK\x03\x04"):
        return _sheet_rows(path, content)
    return _text_rows(path, _decoded(path, content))


def _sheet_rows(path: Path, content: bytes) -> Iterator[TodoRow]:
    is_own = sheet_title(path, content) == SHEET
    for number, record in sheet_records(path, content, READ):
        missing = [name for name in NEEDED if name not in record]
        if missing:
            raise BadFile(path, f"no column {missing[0]!r}", line=1, cure=_KEEP)
        yield TodoRow(number, number, {name: text if is_own else _plain(text) for name, text in record.items()})


def _decoded(path: Path, content: bytes) -> str:
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise BadFile(path, "a workbook of the old kind (.xls)", cure=_SAVE)
    mark = next((mark for mark in _MARKS if content.startswith(mark)), b"")
    encoding = _MARKS.get(mark, "utf-8")
    try:
        text = content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise BadFile(path, "the UTF-16 file is damaged", cure=_SAVE) from None
        line = content.count(b"\n", 0, error.start + len(mark)) + 1
        raise BadFile(path, f"not UTF-8 (byte 0x{error.object[error.start]:02x})", line=line, cure=_SAVE) from None
    if not text:
        raise BadFile(path, "the file is empty")
    return text


def _text_rows(path: Path, text: str) -> Iterator[TodoRow]:
    declared = _SEPARATOR.match(text)
    # Excel does not show that line, nor count it.
    skipped = 0
    if declared:
        text = text[declared.end() :]
        skipped = 1
    delimiter = _delimiter(text, declared[1] if declared else "")
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    longest = longest_text()
    header: list[str] = []
    line = 1 + skipped
    try:
        for number, cells in enumerate(reader, start=1):
            begin, line = line, reader.line_num + 1 + skipped
            if not any(map(str.strip, cells)):
                continue
            if not header:
                header = _header(path, cells, begin)
                continue
            if any(cell.strip() for cell in cells[len(header) :]):
                raise BadFile(
                    path,
                    f"{len(cells)} cells under {len(header)} columns",
                    line=begin,
                    cure="a text with a separator, quote or newline must be in quotes, its quotes doubled",
                )
            if max(map(len, cells)) > longest:
                raise too_long(path, max(map(len, cells)), line=begin)
            found = dict.fromkeys(READ, "") | {
                name: _plain(cell) for name, cell in zip(header, cells, strict=False) if name in READ
            }
            yield TodoRow(begin, number, found, len(cells) < len(header))
    except csv.Error as error:
        raise BadFile(
            path,
            f"not a row of a table: {error}",
            line=reader.line_num + skipped,
            cure='a text that starts with " must be in quotes, its quotes doubled',
        ) from None


def _delimiter(text: str, declared: str) -> str:
    """What is between the columns: with the right one, the header has the names that are needed."""

    def found(delimiter: str) -> int:
        try:
            rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
            names = {_name(cell) for cell in next((row for row in rows if any(row)), [])}
        except csv.Error:
            return -1
        return sum(name in names for name in NEEDED)

    # Of those that find as many names the first wins.
    candidates: list[str] = [*(declared if declared in _DELIMITERS else ""), *_DELIMITERS]
    return max(candidates, key=found)


def _header(path: Path, cells: Sequence[str], line: int) -> list[str]:
    header = [_name(cell) for cell in cells]
    for name in NEEDED:
        if name not in header:
            raise BadFile(path, f"no column {name!r}", line=line, cure=_KEEP)
    if any(header.count(name) > 1 for name in READ):
        raise BadFile(path, "a column name stands twice", line=line)
    return header


def _name(cell: str) -> str:
    return fold(cell).casefold()


def _plain(cell: str) -> str:
    """A cell as it was before something was put before it, lest a spreadsheet takes it for a formula."""
    return restored(cell.lstrip("\t"))
