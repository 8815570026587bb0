"""Fields of a JSON object on one line of a file; what is wrong with one is told with its place.

for fields in read_fields(path):
    fields.text("by"), fields.number("acceptability")
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from assay.formats import wmt_jsonl
from assay.model import BadFile

Record = dict[str, Any]


class Fields(NamedTuple):
    """An object; `line` is where it stands."""

    path: Path
    line: int
    record: Record

    def fail(self, problem: str, cure: str = "") -> NoReturn:
        raise BadFile(self.path, problem, line=self.line, cure=cure)

    def text(self, key: str, default: str | None = None) -> str:
        value = self.record.get(key, default)
        if not isinstance(value, str):
            self.fail(f"{key!r} is {value!r}, not a text")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; none where the key is not there."""
        value = self.record.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            self.fail(f"{key!r} is {value!r}, not a list of texts")
        return tuple(value)

    def number(self, key: str) -> int | None:
        """A whole number, or null."""
        value = self.record.get(key)
        if value is not None and type(value) is not int:
            self.fail(f"{key!r} is {value!r}, not a whole number")
        return value

    def count(self, key: str) -> int:
        """A whole number from 0 to what a database can keep."""
        value = self.number(key)
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
    for line, record in wmt_jsonl.records(path):
        yield Fields(path, line, record)
