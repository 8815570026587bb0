"""TSV as files of shared tasks have it: without quoting, or with the quoting of pandas and Python's `csv`.

    for line, record in plain_rows(path, read_text(path)):
        record["good-translation"]

ACES and the WMT25 files are unquoted, and quote characters are then part of the texts; once pandas has added a column
of scores they are quoted. A file is taken as quoted if `csv` would write it back as it is.
"""

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from assay.formats.files import split_lines
from assay.formats.tables import Record
from assay.model import BadFile


def header_of(text: str) -> list[str]:
    """The names of the columns."""
    return [name.strip().removeprefix('"').removesuffix('"') for name in split_lines(text[:100_000])[0].split("\t")]


def plain_rows(path: Path, text: str, *, may_be_quoted: bool = True) -> Iterator[Record]:
    """(line number, column -> cell) for every row that is not blank."""
    numbered = _quoted(text) if may_be_quoted and '"' in text else []
    numbered = numbered or [(number, line.split("\t")) for number, line in enumerate(split_lines(text), start=1)]
    header = [name.strip() for name in numbered[0][1]]
    if len(set(header)) < len(header):
        raise BadFile(path, "a column name stands twice", line=1)
    for line, cells in numbered[1:]:
        if len(cells) == len(header):
            yield line, dict(zip(header, cells, strict=True))
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
    reader = csv.reader(StringIO(whole, newline=""), dialect="excel-tab", strict=True)
    again = StringIO(newline="")
    writer = csv.writer(again, dialect="excel-tab", lineterminator=ending)
    try:
        rows = [(reader.line_num, cells) for cells in reader]
        writer.writerows(cells for _, cells in rows)
    except csv.Error:
        return []
    return rows if again.getvalue() == whole else []
