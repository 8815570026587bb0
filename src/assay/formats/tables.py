"""TSV and JSONL with item ids: `item`, `text` and, where a file holds several systems, `system`, `campaign`.

The verdict table that `assay evaluate --verdicts` writes is such a file and can be read back as outputs.
"""

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import TextIO

from assay.formats import wmt_jsonl
from assay.formats.files import read_text, suffix, writing
from assay.formats.submissions import Given, Submission
from assay.model import BadFile, BadOption, Suite, System

ITEM_NAMES = ("item", "item_id", "id")
TEXT_NAMES = ("text", "output", "translation", "hypothesis", "target")

Record = tuple[int, Mapping[str, str]]


def read_tsv(path: Path) -> Iterator[Record]:
    """(line number, column -> cell) for every row, as Python's `csv` (excel-tab) wrote it."""
    reader = csv.reader(StringIO(read_text(path), newline=""), dialect="excel-tab", strict=True)
    try:
        header = next(reader)
        if len(set(header)) < len(header):
            raise BadFile(path, "a column name stands twice", line=1)
        for cells in reader:
            if len(cells) != len(header):
                if not any(cells):
                    continue
                raise BadFile(
                    path,
                    f"{len(cells)} cells under {len(header)} columns",
                    line=reader.line_num,
                    cure="a text with a tab, quote or newline must be quoted as Python's csv does",
                )
            yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise BadFile(
            path,
            f"not a TSV row: {error}",
            line=reader.line_num,
            cure="a text that starts with \" must be quoted as Python's csv does, its quotes doubled",
        ) from None


def _read_jsonl(path: Path) -> Iterator[Record]:
    """(line number, field -> text); null is an empty text, other fields are left aside."""
    known = (*ITEM_NAMES, *TEXT_NAMES, "system", "campaign")
    for line, record in wmt_jsonl.records(path):
        yield (
            line,
            {
                key: "" if record[key] is None else wmt_jsonl.text_field(path, line, record, key)
                for key in record
                if key in known
            },
        )


def read(given: Given, campaign: str) -> Iterator[Submission]:
    """One submission per system in the file."""
    path = given.path
    texts: dict[System, dict[str, str]] = {}
    for line, record in read_tsv(path) if suffix(path) == ".tsv" else _read_jsonl(path):
        item_name, text_name = item_and_text(path, record, line)
        item, text = record[item_name], record[text_name]
        home = record.get("campaign") or campaign
        if campaign and home != campaign:
            continue
        system = System(record.get("system") or given.system_name, home, file=str(path))
        column = texts.setdefault(system, {})
        if item in column:
            raise BadFile(path, f"item {item!r} stands twice for system {system.name!r}", line=line)
        column[item] = text
    if not texts:
        raise BadFile(path, f"no outputs of campaign {campaign!r}" if campaign else "no outputs")
    if given.name and len(texts) > 1:
        raise BadOption(f"{path} holds {len(texts)} systems; give it without {given.name}=")
    for system, column in texts.items():
        named = System(given.name, system.campaign, file=system.file) if given.name else system
        yield Submission(named, list(column.values()), "item", list(column), path)


def item_and_text(path: Path, names: Collection[str], line: int | None = None) -> tuple[str, str]:
    """The names of the item and the text column."""
    item = next((name for name in ITEM_NAMES if name in names), None)
    text = next((name for name in TEXT_NAMES if name in names), None)
    if item is None or text is None:
        kind = "field" if suffix(path) == ".jsonl" else "column"
        raise BadFile(
            path,
            f"no {kind} with the item's id and the text",
            line=line,
            cure=f"name them {ITEM_NAMES[0]!r} and {TEXT_NAMES[0]!r}",
        )
    return item, text


class TsvWriter:
    """The one way TSV is written: excel-tab, minimal quoting, so that tabs, quotes and newlines survive.

    Python's csv leaves a lone carriage return unquoted where lines end with a newline, and cannot read it back; rows
    with one are quoted throughout.
    """

    def __init__(self, stream: TextIO, delimiter: str = "\t") -> None:
        self._plain = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        self._quoted = csv.writer(stream, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)

    def writerow(self, row: Iterable[object]) -> None:
        cells = [str(cell) for cell in row]
        (self._quoted if any("\r" in cell for cell in cells) else self._plain).writerow(cells)

    def writerows(self, rows: Iterable[Iterable[object]]) -> None:
        for row in rows:
            self.writerow(row)


def write_sources(suite: Suite, path: Path) -> None:
    """The suite's sources with their ids and an empty column for the translation."""
    with writing(path) as stream:
        writer = TsvWriter(stream)
        writer.writerow(["item", "source", "text"])
        writer.writerows([item.id, item.source, ""] for item in suite.items)
