"""Numbers in the sentences of a page that its own commands print.

A comment right behind a number says where it stands in the outputs above, the nearest first:

    39<!-- # texts to judge -->              a line with these words, `#` being the number, `…` anything between them
    57.1 %<!-- Ambiguity: average* -->       a table's row and column, with the sign that stands there: * † ▲ ▼

A sentence that says "significantly" is wrong when the sign goes, so a mark without it, or with another, finds nothing.
Readers do not see comments, the tests compare, and `scripts/docs.py` writes what is printed now.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
MARK = re.compile(rf"(?P<number>{NUMBER})(?P<unit> %)?<!-- (?P<place>[^\n]+?) -->")
FENCE = re.compile(r"^(?P<fence>`{3,})(?P<kind>\w*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
UNSAID = re.compile(r"<!--[^>]*-->|`[^`]+`|\]\([^)]*\)|^#+ .*$|^ *\d+\. |&#?\w+;", re.MULTILINE)
"""What is not said in a sentence: comments, code, targets of links, headings, the numbers of a list."""


class Stray(NamedTuple):
    """A number in a sentence that no mark explains, with some words around it."""

    number: str
    words: str


def renewed(page: str) -> str:
    """A page whose marked numbers are those of its outputs."""
    parts, end = [], 0
    for mark in MARK.finditer(page):
        number = printed(page[: mark.start()], mark["place"])
        parts += [page[end : mark.start()], f"{number}{mark['unit'] or ''}<!-- {mark['place']} -->"]
        end = mark.end()
    return "".join([*parts, page[end:]])


def printed(above: str, place: str) -> str:
    """The number at a place of the nearest output that has it."""
    outputs = [block["text"] for block in FENCE.finditer(above) if block["kind"] in ("console", "python")]
    for output in reversed(outputs):
        found = _in_words(output, place) if "#" in place else _in_table(output, place)
        if found:
            return found
    raise LookupError(f"no output above has {place!r}")


def _in_words(output: str, place: str) -> str | None:
    """The number among words of one line, or of lines that a terminal has broken."""
    words = re.sub(r"(?:\\ )+", r"\\s+", re.escape(place))
    pattern = words.replace(r"\#", rf"(?<![\d.])({NUMBER})(?!\d|\.\d|,\d{{3}}\b)", 1).replace("…", r"[^\n]*?")
    found = re.search(pattern, output)
    return found[1] if found else None


def _in_table(output: str, place: str) -> str | None:
    row, _, column = place.rpartition(": ")
    sign = column[-1] if column[-1] in "*†▲▼" else ""
    column = column.removesuffix(sign)
    head: list[str] = []
    for line in output.split("\n"):
        cells = _cells(line)
        if column in cells[1:]:
            head = cells
        elif cells[0] == row and len(cells) == len(head):
            found = re.fullmatch(rf"[+−]?({NUMBER})([*†▲▼]?)", cells[head.index(column)])
            return found[1] if found and found[2] == sign else None
    return None


def _cells(line: str) -> list[str]:
    return re.split(r" {2,}| *\| *", line.strip(" |"))


def strays(page: str) -> Iterator[Stray]:
    """Numbers in sentences that have no mark."""
    text = UNSAID.sub(" ", MARK.sub(" ", FENCE.sub("", page)))
    for found in re.finditer(rf"(?<![\w.,-]){NUMBER}(?!\w)", text):
        around = text[max(found.start() - 30, 0) : found.end() + 30]
        yield Stray(found[0], " ".join(around.split()))
