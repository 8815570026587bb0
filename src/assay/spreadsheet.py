"""Workbooks (XLSX): sheets out, and the lines of a sheet back as they were written.

    content = workbook([Sheet("to-do", ("item", "text"), [(SheetCell("f/a"), SheetCell("=1+1"))], fixed=1)])

    for line, record in read_sheet(Path("todo.xlsx"), ("item", "text")):
        record["item"]

A text is never a formula. openpyxl does not read here: it takes `x005F_` out of texts and leaves other escapes of
control characters in, and judgements are of the very text.
"""

import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from assay.errors import BadFile
from assay.files import check_size, read_bytes
from assay.limits import check_text
from assay.text import fold
from assay.tsv import Record

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element
    from zipfile import ZipFile

LONGEST_TEXT = 32_767
"""Excel's limit for a cell, in UTF-16 units; what is longer ends in an ellipsis."""

MOST_LINES = 1_048_575
"""Excel's limit for a sheet, without the head; what is more goes to further sheets."""

LONGEST_NAME = 31
"""Excel's limit for the name of a sheet."""

WIDEST = 60
"""Characters of a column; longer texts run over into empty cells or are cut off on the screen."""

Look = Literal["text", "wrapped", "indented", "count", "percent", "p", "decimal", "head"]

_NUMBER_FORMATS: dict[Look, str] = {"count": "#,##0", "percent": "0.0%", "p": "0.0000", "decimal": "0.0##"}


@dataclass(frozen=True, slots=True)
class SheetCell:
    """What stands in a cell of a sheet; None is nothing."""

    value: str | float | bool | None
    look: Look = "text"
    strong: bool = False
    shade: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Lines under a head. The first `fixed` columns stay in sight."""

    name: str
    head: Sequence[str]
    lines: Iterable[Sequence[SheetCell]]
    fixed: int
    filtered: bool = False


def workbook(sheets: Iterable[Sheet]) -> bytes:
    """A file with these sheets."""
    import xlsxwriter

    stream = BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        # Not the time of writing: the same results are the same file, whenever they are written.
        book.set_properties({"created": datetime(2000, 1, 1, tzinfo=UTC)})
        looks = _Looks(book)
        names: set[str] = set()
        for sheet in sheets:
            _write(book, looks, sheet, names)
    return stream.getvalue()


# How they are written


class _Looks:
    """Formats of a workbook, each made once."""

    def __init__(self, workbook: Any) -> None:
        self._workbook = workbook
        self._made: dict[tuple[Look, bool, bool], Any] = {}

    def __call__(self, look: Look, *, strong: bool = False, shade: bool = False) -> Any:
        if (look, strong, shade) not in self._made:
            properties: dict[str, object] = {"bold": strong or look == "head", "indent": int(look == "indented")}
            if look in ("head", "wrapped"):
                properties |= {"text_wrap": True, "valign": "top"}
            if look == "head":
                properties["bottom"] = 1
            if look in _NUMBER_FORMATS:
                properties["num_format"] = _NUMBER_FORMATS[look]
            if shade:
                properties["bg_color"] = "#D4D4D4"
            self._made[look, strong, shade] = self._workbook.add_format(properties)
        return self._made[look, strong, shade]


def _write(workbook: Any, looks: _Looks, sheet: Sheet, names: set[str]) -> None:
    """A sheet, or several where its lines are more than one can hold; `names` are those in use."""
    lines = iter(sheet.lines)
    line = next(lines, None)
    while True:
        page = workbook.add_worksheet(sheet_name(sheet.name, names))
        page.freeze_panes(1, sheet.fixed)
        for column, name in enumerate(sheet.head):
            _write_text(page, 0, column, name, looks("head"))
        # Heads are wrapped, so a long one does not widen its column beyond 16 characters.
        widths = [max(8, min(len(name), 14) + 2) for name in sheet.head]
        number = 0
        while line is not None and number < MOST_LINES:
            number += 1
            for column, entry in enumerate(line):
                _write_entry(page, number, column, entry, looks)
                if isinstance(entry.value, str):
                    widths[column] = max(widths[column], len(entry.value) + 1)
            line = next(lines, None)
        for column, width in enumerate(widths):
            page.set_column(column, column, min(width, WIDEST))
        if sheet.filtered:
            page.autofilter(0, 0, number, len(sheet.head) - 1)
        if line is None:
            return


def _write_entry(page: Any, row: int, column: int, entry: SheetCell, looks: _Looks) -> None:
    value, look = entry.value, looks(entry.look, strong=entry.strong, shade=entry.shade)
    if value is None or value == "":
        return
    if isinstance(value, str):
        _write_text(page, row, column, value, look)
    elif isinstance(value, bool):
        page.write_boolean(row, column, value, look)
    else:
        page.write_number(row, column, value, look)


def _write_text(page: Any, row: int, column: int, text: str, look: Any) -> None:
    shown = shorten(text, LONGEST_TEXT)
    if shown.startswith("<r>") and shown.endswith("</r>"):
        # xlsxwriter takes such a text for markup of its own and writes it as it stands; pieces are escaped.
        page.write_rich_string(row, column, shown[0], shown[1], shown[2:], look)
    else:
        # Never `write`, which would take "=1+1" for a formula.
        page.write_string(row, column, shown, look)


def sheet_name(title: str, names: set[str]) -> str:
    r"""A title by Excel's rules: 31 characters without []:*?/\, no quote at its ends, unique whatever its case."""
    clean = " ".join(re.sub(r"[\[\]:*?/\\\x00-\x1f]+", " ", title).split()).strip(" '") or "table"
    if clean.casefold() == "history":  # Excel keeps this name for itself.
        clean = "history of"
    name, number = shorten(clean, LONGEST_NAME).strip(" '"), 2
    while name.casefold() in names:
        suffix = f" {number}"
        name, number = shorten(clean, LONGEST_NAME - len(suffix)) + suffix, number + 1
    names.add(name.casefold())
    return name


def shorten(text: str, limit: int) -> str:
    """The text in at most `limit` UTF-16 units, with an ellipsis where something was cut, without broken pairs."""
    if text.isascii() and len(text) <= limit:
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * limit:
        return units.decode("utf-16-le", "replace")
    return units[: 2 * (limit - 1)].decode("utf-16-le", "ignore").rstrip() + "…"


# How they are read


_ESCAPE = re.compile(r"_x(?![Dd][89A-Fa-f])([0-9A-Fa-f]{4})_")
"""What XML cannot hold, as workbooks write it; halves of characters stay as they stand."""

_LAST_COLUMN = 16_384


def read_sheet(path: Path, names: Collection[str]) -> Iterator[Record]:
    """(line number, column -> text) for every line of the first sheet, of the columns among `names`.

    The first line has the names of the columns, in any case. Lines in which these columns are blank are left out.
    """
    return sheet_records(path, read_bytes(path), names)


def sheet_records(path: Path, content: bytes, names: Collection[str]) -> Iterator[Record]:
    """Like `read_sheet`, of a workbook that is in memory; `path` is for messages."""
    with _opened(path, content) as archive:
        yield from _records(path, archive, names)


def sheet_title(path: Path, content: bytes) -> str:
    """The name of the first sheet; empty where there is none."""
    with _opened(path, content) as archive:
        return next((sheet.get("name", "") for sheet in _elements(archive.open("xl/workbook.xml"), "sheet")), "")


@contextmanager
def _opened(path: Path, content: bytes) -> "Iterator[ZipFile]":
    # A zip file is damaged in as many ways as there are modules that read it.
    from lzma import LZMAError
    from xml.etree.ElementTree import ParseError
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(BytesIO(content)) as archive:
            # `ZipFile` never unpacks more of a part than is declared here.
            check_size(path, sum(part.file_size for part in archive.infolist()))
            yield archive
    except (BadZipFile, zlib.error, LZMAError, EOFError, OSError, RuntimeError, ParseError, LookupError, ValueError):
        cure = "save it again as an Excel workbook (.xlsx)"
        raise BadFile(path, "no workbook, or a damaged one", cure=cure) from None


def _records(path: Path, archive: "ZipFile", names: Collection[str]) -> Iterator[Record]:
    parts = _parts(archive)
    sheets = [
        value
        for sheet in _elements(archive.open("xl/workbook.xml"), "sheet")
        for name, value in sheet.items()
        if name.endswith("}id")
    ]
    strings = [
        _text(entry)
        for kind, part in parts.values()
        if kind.endswith("/sharedStrings")
        for entry in _elements(archive.open(part), "si")
    ]
    rows = _rows(archive.open(parts[sheets[0]][1]), strings)
    _, header = next(rows, (1, {}))
    columns = [(fold(cell.text).casefold(), column) for column, cell in header.items()]
    wanted = {name: column for name, column in columns if name in names}
    if len(wanted) < sum(name in names for name, _ in columns):
        raise BadFile(path, "a column name stands twice", line=1)
    for line, cells in rows:
        formula = next((name for name, column in wanted.items() if column in cells and cells[column].is_formula), None)
        if formula is not None:
            raise BadFile(
                path,
                f"a formula in the column {formula!r}",
                line=line,
                cure="type it with an apostrophe before it, or paste its value",
            )
        record = {name: cells[column].text if column in cells else "" for name, column in wanted.items()}
        for text in record.values():
            check_text(path, text, line=line)
        if any(record.values()):
            yield line, record


@dataclass(frozen=True, slots=True)
class _ReadCell:
    """What stands in a cell, as text; of a formula what it last came to."""

    text: str
    is_formula: bool


def _rows(sheet: IO[bytes], strings: Sequence[str]) -> Iterator[tuple[int, Mapping[int, _ReadCell]]]:
    """Line number and the cells by column, both from 1; blank ones need not be there."""
    number = 0
    for row in _elements(sheet, "row"):
        number = int(row.get("r", number + 1))
        cells: dict[int, _ReadCell] = {}
        column = 0
        for cell in row:
            column = _column(cell.get("r", "")) or column + 1
            found = {_local(part): part for part in cell}
            value = found["v"].text or "" if "v" in found else ""
            kind = cell.get("t", "n")
            # A cell may have a kind and nothing in it.
            if kind == "s":
                value = strings[int(value)] if value else ""
            elif kind == "inlineStr":
                value = _text(found["is"]) if "is" in found else ""
            elif kind == "str":
                value = _unescaped(value)
            cells[column] = _ReadCell(value, "f" in found)
        yield number, cells


def _column(reference: str) -> int:
    """28 for `AB7`; 0 where there is no reference."""
    letters = reference.rstrip("0123456789")[:4]
    number = 0
    for letter in letters:
        number = 26 * number + "ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter) + 1
    if number > _LAST_COLUMN:
        raise ValueError(reference)
    return number


def _parts(archive: "ZipFile") -> dict[str, tuple[str, str]]:
    """Id -> kind and place of the parts of a workbook."""
    return {
        entry.get("Id", ""): (entry.get("Type", ""), _place(entry.get("Target", "")))
        for entry in _elements(archive.open("xl/_rels/workbook.xml.rels"), "Relationship")
    }


def _place(target: str) -> str:
    return target[1:] if target.startswith("/") else f"xl/{target}"


def _elements(stream: IO[bytes], name: str) -> "Iterator[Element]":
    """The elements of this name, one after the other; each is emptied when the next is asked for."""
    from xml.etree.ElementTree import iterparse

    with stream:
        for _, element in iterparse(stream):
            if _local(element) == name:
                yield element
                element.clear()


def _local(element: "Element") -> str:
    # Two namespaces are in use, that of Excel and the "strict" one of the standard.
    return element.tag.rpartition("}")[2]


def _text(entry: "Element") -> str:
    """A text, whose pieces may each have a style of their own; not how it is pronounced."""
    pieces = []
    for part in entry:
        if _local(part) == "t":
            pieces.append(part)
        elif _local(part) == "r":
            pieces += [piece for piece in part if _local(piece) == "t"]
    return "".join(_unescaped(piece.text or "") for piece in pieces)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
