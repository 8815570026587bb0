"""Repairs that are safe, made only where they are asked for (`--repair`), and listed.

repairs = Repairs()
lines = repairs.lines(path, text)
repairs.done                      # ["EEA.txt: 365 bare carriage returns are line ends"]
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.files import Lines
from assay.text import plural


@dataclass
class Repairs:
    """What was repaired, a sentence for each file and kind."""

    done: list[str] = field(default_factory=list)

    def note(self, path: Path, what: str) -> None:
        line = f"{path}: {what}"
        # A source file serves many systems; what was done to it is said once.
        if line not in self.done:
            self.done.append(line)

    def lines(self, path: Path, lines: Lines) -> Lines | list[str]:
        """The lines of a text file; those of one whose only line ends are carriage returns are taken apart there."""
        if lines.has_bom:
            self.note(path, "the byte order mark is no part of the first line")
        if not lines.bare_returns:
            return lines
        self.note(path, f"{plural(lines.bare_returns, 'bare carriage return')} taken as line ends")
        return split_returns("".join(lines))


def split_returns(text: str) -> list[str]:
    """The lines of a text that ends them in carriage returns alone."""
    lines = text.split("\r")
    return lines if lines[-1] else lines[:-1]


def unquoted(line: str) -> str:
    """What a cell of CSV holds that has kept its quotes; the line itself where it is none."""
    bare = line.strip()
    if len(bare) < 2 or bare[0] != '"' or bare[-1] != '"':
        return line
    inner = bare[1:-1]
    # A quote inside is doubled in CSV; one that stands alone says that these are no quotes of a cell.
    return inner.replace('""', '"') if '"' not in inner.replace('""', "") else line


def broken_cells(lines: Sequence[str]) -> list[range]:
    """Places of the CSV cells that go over several lines: a quote opens at the start of one, another closes it."""
    found, start = [], -1
    for place, line in enumerate(lines):
        odd = line.count('"') % 2
        if start >= 0:
            if odd and line.rstrip().endswith('"'):
                found.append(range(start, place + 1))
                start = -1
        elif odd and line.lstrip().startswith('"'):
            start = place
    return found
