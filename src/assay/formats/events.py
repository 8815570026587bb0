"""Everything that people did with texts, one JSON object a line, in its order.

    {"item": "…", "text": "…", "by": "Anna", "kind": "judgement", "verdict": "pass", "on": "2026-11-15", …}

`undoes` is the number (from 1) of an earlier line.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TextIO, get_args

from assay.formats import wmt_jsonl
from assay.model import POLARITIES, BadFile, Event, EventKind


class Line(NamedTuple):
    """An event with the item and the text it is about; its id is the number of the line."""

    item: str
    text: str
    event: Event


def write_events(lines: Iterable[Line], stream: TextIO) -> None:
    """Write events; `undoes` must refer to lines written before."""
    numbers: dict[int, int] = {}
    for number, (item, text, event) in enumerate(lines, 1):
        numbers[event.id] = number
        record = {
            "item": item,
            "text": text,
            "by": event.by,
            "kind": event.kind,
            "verdict": event.verdict,
            "comment": event.comment,
            "acceptability": event.acceptability,
            "tags": list(event.tags),
            "blind": event.blind,
            "seen": list(event.seen),
            "undoes": numbers[event.undoes] if event.undoes else None,
            "on": event.dated,
            "created": event.created,
        }
        stream.write(json.dumps(record, ensure_ascii=False) + "\n")


def read_events(path: Path) -> Iterator[Line]:
    """The events of a file; the id of each is the number of its line."""
    for number, (line, record) in enumerate(wmt_jsonl.records(path), 1):
        yield Line(
            _text(path, line, record, "item"),
            _text(path, line, record, "text"),
            Event(
                id=number,
                text_id=0,
                by=_text(path, line, record, "by"),
                kind=_one_of(path, line, record, "kind", get_args(EventKind)),
                verdict=_one_of(path, line, record, "verdict", (*POLARITIES, None)),
                comment=_text(path, line, record, "comment"),
                acceptability=_number(path, line, record, "acceptability"),
                tags=_texts(path, line, record, "tags"),
                blind=record.get("blind") is True,
                seen=_texts(path, line, record, "seen"),
                undoes=_earlier(path, line, record, number),
                dated=_text(path, line, record, "on"),
                created=_text(path, line, record, "created"),
            ),
        )


Record = dict[str, Any]


def _text(path: Path, line: int, record: Record, key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise BadFile(path, f"{key!r} is {value!r}, not a text", line=line)
    return value


def _texts(path: Path, line: int, record: Record, key: str) -> tuple[str, ...]:
    value = record.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise BadFile(path, f"{key!r} is {value!r}, not a list of texts", line=line)
    return tuple(value)


def _number(path: Path, line: int, record: Record, key: str) -> int | None:
    value = record.get(key)
    if value is not None and type(value) is not int:
        raise BadFile(path, f"{key!r} is {value!r}, not a whole number", line=line)
    return value


def _one_of(path: Path, line: int, record: Record, key: str, known: tuple[Any, ...]) -> Any:
    value = record.get(key)
    if value not in known:
        raise BadFile(path, f"{key!r} is {value!r}", line=line, cure=f"one of {', '.join(map(str, known))}")
    return value


def _earlier(path: Path, line: int, record: Record, number: int) -> int | None:
    value = _number(path, line, record, "undoes")
    if value is not None and not 1 <= value < number:
        raise BadFile(path, f"'undoes' is {value}, which is no earlier line", line=line)
    return value
