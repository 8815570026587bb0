"""What would go wrong with a file that is handed in to WMT, said before anybody translates it.

    report = check_hand_in(Path("EEA_Terminology.txt"), "wmt25")
    [problem.kind for problem in report.problems]        # ["byte order mark", "bare carriage returns", …]

Text has a source a line, JSONL a record of the blind set a line. A file that cannot be read at all is an error; what
stands in one that can be read is a problem.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import BadFile
from assay.files import read_bytes, split_lines
from assay.languages import BadLanguage, check_code
from assay.outputs.repairs import broken_cells, split_returns, unquoted
from assay.outputs.wmt_jsonl import CONTEXTS, PROMPTS, SOURCES
from assay.outputs.wmt_suite import YEARS, Year
from assay.suites.prompts import PLACE, PLACES
from assay.text import fold, plural

LONGEST = 4_000
"""Characters of a source. Organisers name no number; about so much is what models with 1,024 tokens take in."""


@dataclass(frozen=True, slots=True)
class HandInProblem:
    """All problems of a kind: how many, in which lines, what comes of it and what to do."""

    kind: str
    lines: tuple[int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class HandInReport:
    """What was found in a file of so many sources."""

    path: Path
    year: Year
    sources: int
    problems: tuple[HandInProblem, ...]


@dataclass(frozen=True, slots=True)
class _CheckedText:
    """A source, the line it stands in, and what its record says about it."""

    line: int
    source: str
    record: dict[str, Any] | None = None

    def told(self, names: Sequence[str]) -> str:
        """What a record says under one of these names."""
        value = next((self.record[name] for name in names if name in self.record), "") if self.record else ""
        return value if isinstance(value, str) else ""


def check_hand_in(path: Path, year: Year, *, longest: int = LONGEST) -> HandInReport:
    """Everything that would go wrong with a file; a source may have so many characters."""
    data = read_bytes(path)
    if not data:
        raise BadFile(path, "the file is empty")
    problems = list(_encoding(data))
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    problems += _returns(text)
    lines = split_lines(text) if "\n" in text else split_returns(text)
    problems += _splits(lines)
    if wrong := _wrong_format(lines, year):
        return HandInReport(path, year, len(lines), (*problems, wrong))
    if YEARS[year] == ".jsonl":
        texts, broken = _records(lines)
        problems += broken
        for check in (_ids, _languages, _prompts, _contexts):
            problems += check(texts)
    else:
        texts = [_CheckedText(number, line) for number, line in enumerate(lines, start=1)]
    for check in (_quotes, _empty, _duplicates, _invisible):
        problems += check(texts)
    return HandInReport(path, year, len(texts), (*problems, *_too_long(texts, longest)))


def _problem(kind: str, lines: Iterable[int], message: str) -> Iterator[HandInProblem]:
    """One problem, or none where there are no lines."""
    if found := tuple(sorted(set(lines))):
        yield HandInProblem(kind, found, message)


# The file ------------------------------------------------------------------------------------------------------------


def _encoding(data: bytes) -> Iterator[HandInProblem]:
    if data.startswith(b"\xef\xbb\xbf"):
        message = "it becomes part of the first source where a program does not know it. Save the file without it"
        yield HandInProblem("byte order mark", (1,), message)
    wrong = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            wrong.append(number)
    kind = "UTF-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "not UTF-8"
    yield from _problem(kind, wrong, "characters will be lost. Convert the file, for example with iconv")


def _returns(text: str) -> Iterator[HandInProblem]:
    *ended, last = text.split("\n")
    found = [line.removesuffix("\r").count("\r") for line in ended] + [last.count("\r")]
    number = plural(sum(found), "carriage return")
    lines: Iterable[int] = (line for line, returns in enumerate(found, start=1) if returns)
    if not ended:
        number += " and no other line ends, lines are counted at them"
        lines = range(1, sum(found) + 1)
    yield from _problem(
        "bare carriage returns",
        lines,
        f"{number}. Some programs end a line there and some do not, so that sources and outputs no longer fit. "
        "Save the file with newlines",
    )


SPLITTERS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""Where Python's `splitlines` ends a line, and other programs do not."""

_SPLITTER = re.compile(f"[{SPLITTERS}]")


def _splits(lines: Sequence[str]) -> Iterator[HandInProblem]:
    yield from _problem(
        "lines that will be split",
        (number for number, line in enumerate(lines, start=1) if _SPLITTER.search(line)),
        "they hold characters at which some programs end a line "
        f"({_named(_SPLITTER.findall(chr(10).join(lines)))}). Put a space in their place",
    )


def _wrong_format(lines: Sequence[str], year: Year) -> HandInProblem | None:
    first, start = next(((number, line) for number, line in enumerate(lines, start=1) if line.strip()), (1, ""))
    is_json = start.lstrip().startswith('{"')
    if is_json == (YEARS[year] == ".jsonl"):
        return None
    takes = "JSONL, an object a line" if not is_json else "text, a paragraph a line"
    return HandInProblem("format", (first,), f"{year} takes {takes}. Write it with assay suite submit --for {year}")


def _records(lines: Sequence[str]) -> tuple[list[_CheckedText], list[HandInProblem]]:
    texts, broken = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            broken.append(number)
            continue
        source = next((record[name] for name in SOURCES if name in record), "")
        texts.append(_CheckedText(number, source if isinstance(source, str) else "", record))
    return texts, list(_problem("broken JSON", broken, "no program can read these lines. Write an object a line"))


# The sources ---------------------------------------------------------------------------------------------------------


def _empty(texts: Sequence[_CheckedText]) -> Iterator[HandInProblem]:
    yield from _problem(
        "empty sources",
        (text.line for text in texts if not text.source.strip()),
        "they do not come back, or come back as something, and all lines behind them are shifted. Take them out",
    )


def _duplicates(texts: Sequence[_CheckedText]) -> Iterator[HandInProblem]:
    seen: set[tuple[str, ...]] = set()
    again = []
    for text in texts:
        told = (text.told(PROMPTS), text.told(CONTEXTS), text.told(("tgt_lang",)))
        key = (fold(text.source), *map(fold, told))
        if key[0] and key in seen:
            again.append(text.line)
        seen.add(key)
    what = "with the same prompt, " if any(text.record for text in texts) else ""
    yield from _problem(
        "duplicate sources",
        again,
        f"{what}they stand further up already. When they come back, nobody can tell which is which. Keep one of each",
    )


def _quotes(texts: Sequence[_CheckedText]) -> Iterator[HandInProblem]:
    sources = [text.source for text in texts]
    # A cell over several lines can only be seen where a line is a source.
    cells = broken_cells(sources) if not any(text.record for text in texts) else []
    inside = {place for cell in cells for place in cell}
    yield from _problem(
        "cells of CSV over several lines",
        (texts[place].line for place in inside),
        f"{plural(len(cells), 'cell')} in quotes. Every line is translated by itself, so that none of these "
        "sources comes back whole. Write each on one line, without the quotes",
    )
    whole = [place for place, source in enumerate(sources) if place not in inside and unquoted(source) != source]
    if cells or _is_csv(sources, whole):
        yield from _problem(
            "quotes of CSV",
            (texts[place].line for place in whole),
            "they are translated with the text. Read the cells with a program that knows CSV, and write what they hold",
        )


def _is_csv(sources: Sequence[str], quoted: Sequence[int]) -> bool:
    """Whether quotes around whole sources are those of CSV, and not of speech."""
    # `""` stands for a quote inside. Otherwise a cell has quotes because it holds a comma, and then all such cells do.
    if any('""' in sources[place] for place in quoted):
        return True
    with_comma = [place for place, source in enumerate(sources) if "," in source]
    return len(with_comma) > 1 and set(with_comma) == set(quoted)


# Between letters of scripts that join them, and in emoji, they belong to the spelling.
_JOINERS = "\u200c\u200d"


def _unseen(source: str, *, is_document: bool) -> list[str]:
    """Control characters and such as take up no room."""
    found = []
    for place, character in enumerate(source):
        if character.isascii() and character.isprintable():
            continue
        if is_document and character in "\n\t":
            continue
        # A joiner is fine between two characters that are not ASCII. The splitters of a line are said elsewhere.
        around = source[max(0, place - 1) : place] + source[place + 1 : place + 2]
        if character in _JOINERS and len(around) == 2 and not any(other.isascii() for other in around):
            continue
        if not is_document and (character in SPLITTERS or character == "\r"):
            continue
        # Private use and what is no character at all (half of one, U+FFFD) come out differently everywhere.
        if unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp") or character == "\ufffd":
            found.append(character)
    return found


def _invisible(texts: Sequence[_CheckedText]) -> Iterator[HandInProblem]:
    found = {text.line: _unseen(text.source, is_document=text.record is not None) for text in texts}
    yield from _problem(
        "control and zero-width characters",
        (line for line, characters in found.items() if characters),
        f"{_named(character for characters in found.values() for character in characters)}. Systems drop them, copy "
        "them or stumble over them, and rules do not see them. Take them out",
    )


def _named(characters: Iterable[str]) -> str:
    """`U+200B ZERO WIDTH SPACE (2)`, the most frequent first."""
    counts = Counter(characters).most_common()
    names = [f"U+{ord(one):04X} {unicodedata.name(one, '')}".rstrip() + f" ({number:,})" for one, number in counts]
    return ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")


def _too_long(texts: Sequence[_CheckedText], longest: int) -> Iterator[HandInProblem]:
    most = max((len(text.source) for text in texts), default=0)
    yield from _problem(
        "long sources",
        (text.line for text in texts if len(text.source) > longest),
        f"more than {longest:,} characters, up to {most:,}. Many systems cut them off. Split them into several items",
    )


# What a record says --------------------------------------------------------------------------------------------------


def _ids(texts: Sequence[_CheckedText]) -> Iterator[HandInProblem]:
    ids = {text.line: (text.record or {}).get("doc_id") for text in texts}
    given = {line: str(name) for line, name in ids.items() if isinstance(name, str | int) and str(name).strip()}
    yield from _problem("missing ids", ids.keys() - given.keys(), "without a doc_id nothing leads back. Give them one")
    counts = Counter((name, text.told(("tgt_lang",))) for text in texts if (name := given.get(text.line)))
    yield from _problem(
        "duplicate ids",
        (text.line for text in texts if counts[given.get(text.line, ""), text.told(("tgt_lang",))] > 1),
        "several texts have the same doc_id and target language. Give each its own",
    )


def _languages(texts: Sequence[_CheckedText]) -> Iterator[HandInProblem]:
    wrong: dict[str, list[int]] = {}
    for code, places in _by(texts, lambda text: text.told(("tgt_lang",))).items():
        try:
            check_code(code)
        except BadLanguage as error:
            wrong.setdefault(f"{error.problem}; {error.cure}" if code else "'tgt_lang' is missing", []).extend(places)
    for message, places in wrong.items():
        yield from _problem("target language", places, message)


def _prompts(texts: Sequence[_CheckedText]) -> Iterator[HandInProblem]:
    yield from _problem(
        "missing prompts",
        (text.line for text in texts if not text.told(PROMPTS).strip()),
        f"systems are told nothing, or whatever the organisers choose. Write an {PROMPTS[1]!r} for each",
    )
    yield from _problem(
        "places in prompts",
        (text.line for text in texts if any(found[1] in PLACES for found in PLACE.finditer(text.told(PROMPTS)))),
        "what stands in braces is sent as it is. Fill it in, or write the file with assay suite submit",
    )


def _contexts(texts: Sequence[_CheckedText]) -> Iterator[HandInProblem]:
    yield from _problem(
        "contexts",
        (text.line for text in texts if text.told(CONTEXTS)),
        "the blind set has no field for them, and systems will not see them. Put {context} into the suite's prompts",
    )


def _by(texts: Iterable[_CheckedText], key: Callable[[_CheckedText], str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for text in texts:
        found.setdefault(key(text), []).append(text.line)
    return found
