"""The renderings of a profile as a file: a line for each keyword and translation, with both words marked.

    write(found, Path("renderings.tsv"))
    for line in read(Path("renderings.tsv")):
        line.construction, line.rendering, line.text

A person can count it again, and `assay contrasts review` draws from it.
"""

from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from assay.contrasts.faults import fault_places
from assay.contrasts.renderings import UNKNOWN, Renderings, is_reference
from assay.contrasts.spans import Span
from assay.errors import BadFile
from assay.files import writing
from assay.tsv import TsvWriter, read_tsv


@dataclass(frozen=True, slots=True)
class RenderedKeyword:
    """A keyword in one translation. Words are marked `>>so<<`; `unknown` says why there is no rendering."""

    construction: str
    keyword: str
    """`sentence:word`, both from 1."""
    system: str
    kind: str
    rendering: str
    unknown: str
    source: str
    text: str
    fault: str = ""
    """The faults that it is by the contrasts' own rules, whatever their precision."""


COLUMNS = tuple(field.name for field in fields(RenderedKeyword))

LATER = ("fault",)
"""Columns that files of earlier versions lack."""


def rendered_keywords(found: Renderings) -> Iterator[RenderedKeyword]:
    """Every keyword in every translation."""
    # Of a subtype all keywords stand under its construction.
    for table in (table for table in found.tables if not table.whole):
        faults = [
            (fault.name, fault_places(found, table, fault))
            for fault in found.contrasts.faults
            if fault.construction == table.construction.name
        ]
        for row in range(len(table)):
            for column, system in enumerate(found.systems):
                code = int(table.codes[row, column])
                shown = found.show(table, row, column)
                yield RenderedKeyword(
                    table.construction.name,
                    f"{shown.line + 1}:{int(table.words[row]) + 1}",
                    system.name,
                    "translator" if is_reference(system) else "system",
                    table.names[code] if code >= 0 else "",
                    UNKNOWN[-1 - code] if code < 0 else "",
                    marked(shown.source, shown.keyword),
                    marked(shown.text, shown.word),
                    ", ".join(name for name, places in faults if places[row, column]),
                )


def marked(text: str, span: Span | None) -> str:
    """A text with `>>` and `<<` around a word."""
    return text if span is None else f"{text[: span[0]]}>>{text[span[0] : span[1]]}<<{text[span[1] :]}"


def write(found: Renderings, path: Path) -> None:
    """Write all of them."""
    with writing(path) as stream:
        table = TsvWriter(stream)
        table.writerow(COLUMNS)
        table.writerows(map(astuple, rendered_keywords(found)))


def read(path: Path) -> list[RenderedKeyword]:
    """Read a file that `write` wrote."""
    found = []
    for line, record in read_tsv(path):
        missing = [name for name in COLUMNS if name not in record and name not in LATER]
        if missing:
            raise BadFile(
                path, f"there is no column {missing[0]!r}", line=line, cure="give what --renderings has written"
            )
        found.append(RenderedKeyword(**{name: record.get(name, "") for name in COLUMNS}))
    if not found:
        raise BadFile(path, "there are no renderings in it", cure="give what --renderings has written")
    return found
