"""Reading some of what a run found: a blind sheet, and what it says when it comes back.

    write_sheet(draw(read(Path("renderings.tsv")), number=50, seed=1), Path("sheet.tsv"))
    for row in reviewed(lines, [read_sheet(Path("sheet.tsv"), lines)]):
        print(row.name, row.keyword.value, row.word.value, row.fault.value)

The sheet does not say whose translation it is. Its reader answers three questions with y or n: whether the marked word
of the source is what the construction says, whether the marked word of the translation renders it in this form, and
whether the rendering is a fault. An empty cell is no answer.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.contrasts.counts import GoodShare, share
from assay.contrasts.files.renderings import RenderedKeyword
from assay.errors import BadFile, BadOption, UnknownName
from assay.files import writing
from assay.stats.agreement import cohen_kappa
from assay.tsv import TsvWriter, read_tsv

QUESTIONS = ("keyword", "word", "fault")
COLUMNS = ("number", "construction", "rendering", "source", "text", *QUESTIONS, "comment")

Answers = Mapping[int, Mapping[str, bool]]
"""Number of a line -> question -> yes or no, of one reader."""

_YES, _NO = frozenset({"y", "yes", "1", "x"}), frozenset({"n", "no", "0"})


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """What readers said of a construction, or of one rendering of it; shares of yes with 95 % intervals."""

    name: str
    read: int
    keyword: GoodShare
    word: GoodShare
    fault: GoodShare


def draw(
    lines: Sequence[RenderedKeyword],
    *,
    number: int,
    seed: int = 1,
    construction: str = "",
    rendering: str = "",
    fault: str = "",
) -> list[int]:
    """Numbers of lines to read, from 1: a simple random sample of the known renderings, each text once."""
    for name, wanted in (("construction", construction), ("rendering", rendering), ("fault", fault)):
        known = {part for line in lines for part in str(getattr(line, name)).split(", ")} - {""}
        if wanted and wanted not in known:
            raise UnknownName(name, wanted, sorted(known))
    distinct: dict[tuple[str, str, str], int] = {}
    for place, line in enumerate(lines, start=1):
        fits = construction in ("", line.construction) and rendering in ("", line.rendering)
        if line.rendering and fits and fault in ("", *line.fault.split(", ")):
            distinct.setdefault((line.construction, line.keyword, line.text), place)
    if number > len(distinct):
        raise BadOption(f"-n {number:,}: there are {len(distinct):,} known renderings to draw from")
    return random.Random(seed).sample(sorted(distinct.values()), number)


def write_sheet(lines: Sequence[RenderedKeyword], numbers: Sequence[int], path: Path) -> None:
    """Write the sheet to be filled in."""
    with writing(path) as stream:
        table = TsvWriter(stream)
        table.writerow(COLUMNS)
        for number in numbers:
            line = lines[number - 1]
            table.writerow([number, line.construction, line.rendering, line.source, line.text, "", "", "", ""])


def read_sheet(path: Path, lines: Sequence[RenderedKeyword]) -> Answers:
    """The answers of one reader; errors name the line."""
    found: dict[int, dict[str, bool]] = {}
    for row, record in read_tsv(path):
        cell = record.get("number", "").strip()
        number = int(cell) if cell.isdecimal() else 0
        if not 1 <= number <= len(lines) or record.get("text") != lines[number - 1].text:
            raise BadFile(path, "not a line of this run", line=row, cure="give the file that the sheet was drawn from")
        answers = {}
        for question in QUESTIONS:
            answer = record.get(question, "").strip().casefold()
            if answer and answer not in _YES | _NO:
                raise BadFile(path, f"{answer!r} under {question}", line=row, cure="write y or n, or leave it empty")
            if answer:
                answers[question] = answer in _YES
        if answers:
            found[number] = answers
    if not found:
        raise BadFile(path, "no line is answered", cure=f"write y or n under {', '.join(QUESTIONS)}")
    return found


def reviewed(lines: Sequence[RenderedKeyword], readers: Sequence[Answers]) -> list[ReviewRow]:
    """By construction, under each by rendering and fault. Of several readers all must say yes; a line counts once."""
    rows = []
    joined = _joined(readers)
    for construction in dict.fromkeys(line.construction for line in lines):
        own = [number for number, line in enumerate(lines, start=1) if line.construction == construction]
        names = dict.fromkeys(lines[number - 1].rendering for number in own)
        parts = {construction: own} | {
            f"{construction}, {name}": [number for number in own if lines[number - 1].rendering == name]
            for name in names
            if name
        }
        faults = sorted({name for number in own for name in lines[number - 1].fault.split(", ")} - {""})
        parts |= {
            f"{construction}, {name}": [number for number in own if name in lines[number - 1].fault.split(", ")]
            for name in faults
        }
        rows += [row for name, numbers in parts.items() if (row := _row(name, numbers, joined)).read]
    return rows


def _joined(readers: Sequence[Answers]) -> Answers:
    found: dict[int, dict[str, bool]] = {}
    for reader in readers:
        for number, answers in reader.items():
            known = found.setdefault(number, {})
            known.update({question: answer and known.get(question, True) for question, answer in answers.items()})
    return found


def _row(name: str, numbers: Sequence[int], answers: Answers) -> ReviewRow:
    given = [answers[number] for number in numbers if number in answers]
    return ReviewRow(name, len(given), *(_share(given, question) for question in QUESTIONS))


def _share(given: Sequence[Mapping[str, bool]], question: str) -> GoodShare:
    answers = [answers[question] for answers in given if question in answers]
    return share(sum(answers), len(answers))


def agreement(readers: Sequence[Answers]) -> Iterator[tuple[str, int, GoodShare, float | None]]:
    """(question, lines that both answered, share of equal answers, Cohen's kappa) of the first two readers."""
    first, second = readers[:2]
    for question in QUESTIONS:
        both = [n for n in first if n in second and question in first[n] and question in second[n]]
        pairs = [(int(first[n][question]), int(second[n][question])) for n in both]
        equal = sum(one == other for one, other in pairs)
        yield question, len(both), share(equal, len(both)), cohen_kappa(pairs) if pairs else None
