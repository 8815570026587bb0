"""JSON Lines: objects with checked fields, whose errors name file and line; and files that are JSON as a whole.

for fields in read_fields(path):
    fields.text("by"), fields.number("acceptability")
"""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from assay.errors import BadFile
from assay.files import read_lines
from assay.limits import check_text

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object and the line of the file that it stands on."""

    path: Path
    line: int
    record: Record

    def fail(self, problem: str, cure: str = "") -> NoReturn:
        raise BadFile(self.path, problem, line=self.line, cure=cure)

    def text(self, key: str, default: str | None = None) -> str:
        value = self.record.get(key, default)
        if not isinstance(value, str):
            self.fail(f"{key!r} is {value!r}, not a text")
        check_text(self.path, value, line=self.line)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; none where the key is not there."""
        value = self.record.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            self.fail(f"{key!r} is {value!r}, not a list of texts")
        for entry in value:
            check_text(self.path, entry, line=self.line)
        return tuple(value)

    def number(self, key: str) -> int | None:
        """A whole number, or null."""
        value = self.record.get(key)
        # Not isinstance: True and False are ints to Python, but not numbers in JSON.
        if value is not None and type(value) is not int:
            self.fail(f"{key!r} is {value!r}, not a whole number")
        return value

    def count(self, key: str) -> int:
        """A whole number from 0 to what a database can keep."""
        value = self.number(key)
        # The largest INTEGER of PostgreSQL is 2**31 - 1.
        if value is None or not 0 <= value < 2**31:
            self.fail(f"{key!r} is {value!r}, not a number from 0 to {2**31 - 1}")
        return value

    def flag(self, key: str) -> bool:
        """true or false; false where the key is not there."""
        value = self.record.get(key, False)
        if not isinstance(value, bool):
            self.fail(f"{key!r} is {value!r}, neither true nor false")
        return value

    def one_of(self, key: str, known: Collection[Any]) -> Any:
        value = self.record.get(key)
        if value not in known:
            self.fail(f"{key!r} is {value!r}", f"one of {', '.join(map(str, known))}")
        return value

    def table(self, key: str) -> "Fields":
        """An object in this one; an empty one where the key is not there."""
        value = self.record.get(key, {})
        if not isinstance(value, dict):
            self.fail(f"{key!r} is {value!r}, not an object")
        return Fields(self.path, self.line, value)

    def tables(self, key: str) -> list["Fields"]:
        """A list of objects; none where the key is not there."""
        value = self.record.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            self.fail(f"{key!r} is no list of objects")
        return [Fields(self.path, self.line, entry) for entry in value]


def read_fields(path: Path) -> Iterator[Fields]:
    """The objects of a JSONL file."""
    for line, record in records(path):
        yield Fields(path, line, record)


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) for every line that is not blank."""
    for number, line in enumerate(read_lines(path), start=1):
        if line.strip():
            yield number, parse_record(path, number, line)


def parse_json(
    path: Path, text: str, *, cure: str = "repair the file", line: int | None = None, kind: type[BadFile] = BadFile
) -> Any:
    """The value that a text of a file is, or stands on one `line` of it; errors are of a `kind`."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise kind(path, f"broken JSON: {error.msg}", line=line or error.lineno, cure=cure) from None
    # json raises these for integers of thousands of digits and for brackets nested too deeply.
    except (ValueError, RecursionError) as error:
        raise kind(path, f"broken JSON: {type(error).__name__}", line=line, cure=cure) from None


def parse_record(path: Path, number: int, line: str) -> dict[str, Any]:
    """The object on one line of a file."""
    record = parse_json(path, line, line=number, cure="repair the line")
    if not isinstance(record, dict):
        raise BadFile(path, "not a JSON object", line=number, cure="write one object a line")
    return record


def text_field(path: Path, line: int, record: Mapping[str, Any], key: str) -> str:
    """A field that must be a text; numbers are taken as written, so that ids may be either."""
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        problem = "is missing" if value is None else "is not a text"
        raise BadFile(path, f"{key!r} {problem}", line=line)
    check_text(path, value, line=line)
    # JSON may hold one half of a surrogate pair as an escape; UTF-8 cannot, so it could never be written again.
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise BadFile(path, f"{key!r} holds half a character", line=line, cure="write the character itself")
    return value
