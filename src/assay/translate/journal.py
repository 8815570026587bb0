"""Answers of an engine, written as they arrive: JSONL that an interrupted run is continued from.

    with TranslationJournal(folder, "online", origin) as journal:
        journal.add([("Der Schlüssel steckt noch.", Answer("The key is still in the lock."))])
        journal.texts["Der Schlüssel steckt noch."]

The first line says what asked for the answers (`Origin`); every further line is an answer, under a key over the origin
and the sentence with what the item tells about it. Answers of another origin (another model, another general prompt)
stand in a file of their own beside it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from assay.errors import BadFile
from assay.journal import JournalFile, whole_lines
from assay.json_lines import Fields
from assay.outputs.output_folder import file_stem
from assay.translate.engine import Answer, PromptedSentence, told_sentence

VERSION = 1
_SUFFIX = ".journal.jsonl"
_ELSEWHERE = "delete the journal, which asks for its answers again, or choose another folder"


@dataclass(frozen=True, slots=True)
class Origin:
    """What answers depend on beside the sentence. Keys and passwords have no place in it."""

    engine: str
    pair: str
    parameters: Mapping[str, str]

    @property
    def hash(self) -> str:
        return _hash(self.engine, self.pair, sorted(self.parameters.items()))

    def key(self, sentence: str) -> str:
        """Of the answer to a sentence."""
        if isinstance(sentence, PromptedSentence):
            return _hash(self.hash, *sentence.parts)
        return _hash(self.hash, sentence)

    def __str__(self) -> str:
        line = {"journal": VERSION, "engine": self.engine, "pair": self.pair, "parameters": dict(self.parameters)}
        return json.dumps(line) + "\n"


def _hash(*parts: object) -> str:
    # Half a character, which a source may hold, has no UTF-8; it is written as an escape.
    return sha256(repr(parts).encode(errors="backslashreplace")).hexdigest()[:16]


class TranslationJournal(JournalFile):
    """The journal of one system; a last line without its end is dropped when it is opened.

    `texts` has the translation of each sentence; `first` and `last` are when the first and the last answer came (UTC),
    `details` what answers say about themselves, and `cleaned` how many were cut out of a longer one.
    """

    def __init__(self, folder: Path, system: str, origin: Origin) -> None:
        # Alone: two runs at once would ask, and pay, for the same answers twice.
        super().__init__(journal_path(folder, system, origin), alone=True)
        self.origin = origin
        self.texts: dict[str, str] = {}
        self.first = self.last = ""
        self.details: dict[str, set[str]] = {}
        self.cleaned = 0
        try:
            kept = whole_lines(self.read())
            self._take_up(kept.split(b"\n")[:-1])
            # Only now: a file that is not a journal of this origin is left as it is.
            self.truncate(len(kept))
            if not kept:
                self.write_lines(str(origin).encode())
        except BaseException:
            self.close()
            raise

    def _take_up(self, lines: Sequence[bytes]) -> None:
        """Read what earlier runs wrote."""
        for number, line in enumerate(lines, start=1):
            fields = _fields(self.path, number, line)
            if number == 1:
                self._check(fields)
            else:
                self._know(*_entry(fields, self.origin))

    def _check(self, fields: Fields) -> None:
        table = fields.table("parameters")
        found = Origin(fields.text("engine"), fields.text("pair"), {name: table.text(name) for name in table.record})
        if fields.number("journal") != VERSION or found.hash != self.origin.hash:
            fields.fail("the journal of another engine or version of Assay", _ELSEWHERE)

    def _know(self, source: str, answer: Answer, at: str) -> None:
        self.texts[source] = answer.text
        # Runs on several days, or a clock that was set, need not leave the lines in the order of their times.
        self.first, self.last = min(self.first or at, at), max(self.last, at)
        for name, value in answer.details.items():
            self.details.setdefault(name, set()).add(value)
        self.cleaned += bool(answer.cleaned)

    def add(self, answers: Sequence[tuple[str, Answer]]) -> None:
        """Write sentences and their answers; they are on the disk when this returns."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        lines = (_line(self.origin.key(source), at, source, answer) for source, answer in answers)
        self.write_lines("".join(lines).encode())
        for source, answer in answers:
            self._know(source, answer, at)


def journal_path(folder: Path, system: str, origin: Origin) -> Path:
    """Where the journal of a system is."""
    return folder / f"{file_stem(system)}.{origin.hash[:8]}{_SUFFIX}"


def other_journals(folder: Path, system: str, origin: Origin) -> list[Path]:
    """Journals of this system with other parameters."""
    return [path for path in _journals(folder, system) if path != journal_path(folder, system, origin)]


def _journals(folder: Path, system: str) -> list[Path]:
    # Exactly the system's: those of `online` are not those of `online.b`.
    stem = re.escape(file_stem(system))
    pattern = re.compile(rf"{stem}\.[0-9a-f]{{8}}{re.escape(_SUFFIX)}")
    return sorted(path for path in folder.glob(f"*{_SUFFIX}") if pattern.fullmatch(path.name))


def journalled_texts(folder: Path, system: str) -> dict[str, set[str]]:
    """Sentence -> what the journals of this system, whatever its parameters, hold as its translation."""
    found: dict[str, set[str]] = {}
    for path in _journals(folder, system):
        for fields in _answers(path):
            found.setdefault(fields.text("source"), set()).add(fields.text("text"))
    return found


def known_sentences(folder: Path, system: str, origin: Origin) -> frozenset[str]:
    """The sentences that a journal has answers for, without making or locking it."""
    return frozenset(known_answers(folder, system, origin))


def known_answers(folder: Path, system: str, origin: Origin) -> dict[str, str]:
    """The same with their answers."""
    path = journal_path(folder, system, origin)
    if not path.is_file():
        return {}
    entries = (_entry(fields, origin) for fields in _answers(path))
    return {sentence: answer.text for sentence, answer, _ in entries}


def _answers(path: Path) -> Iterator[Fields]:
    # Without the header, and without what stands behind the last end of a line.
    for number, line in enumerate(path.read_bytes().split(b"\n")[1:-1], start=2):
        yield _fields(path, number, line)


def _line(key: str, at: str, source: str, answer: Answer) -> str:
    record: dict[str, Any] = {"key": key, "at": at, "source": source, "text": answer.text}
    if isinstance(source, PromptedSentence):
        record |= {"prompt": source.prompt, "context": source.context}
    # What the engine wrote, where the text was cut out of it.
    if answer.raw and answer.raw != answer.text:
        record["raw"] = answer.raw
    for name in ("cleaned", "tokens", "cost", "details"):
        value = getattr(answer, name)
        if value is not None and value != () and value != {}:
            record[name] = dict(value) if name == "details" else value
    return json.dumps(record) + "\n"


def _fields(path: Path, number: int, line: bytes) -> Fields:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise BadFile(path, "not a line of a journal", line=number, cure=f"remove the line, or {_ELSEWHERE}")
    return Fields(path, number, record)


def _entry(fields: Fields, origin: Origin) -> tuple[str, Answer, str]:
    """The sentence, its answer, and when that came."""
    source = told_sentence(fields.text("source"), fields.text("prompt", ""), fields.text("context", ""))
    if fields.text("key") != origin.key(source):
        fields.fail("the key does not belong to this sentence and engine", f"remove the line, or {_ELSEWHERE}")
    details, cost = fields.table("details"), fields.record.get("cost")
    if cost is not None and not isinstance(cost, int | float):
        fields.fail(f"'cost' is {cost!r}, not a number")
    answer = Answer(
        fields.text("text"),
        fields.text("raw", ""),
        fields.texts("cleaned"),
        fields.number("tokens"),
        cost,
        {name: details.text(name) for name in details.record},
    )
    return source, answer, fields.text("at")
