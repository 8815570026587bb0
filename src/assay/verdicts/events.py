"""The log of what people did with texts: one JSON object per line, in the order of the events.

    {"item": "…", "text": "…", "by": "Anna", "kind": "judgement", "verdict": "pass", "on": "2026-11-15", …}

`undoes` is the number (from 1) of an earlier line; the other fields are those of an `Event`. `origin` is left out where
an event came about by itself.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TextIO, get_args

from assay.json_lines import Fields, read_fields
from assay.suites import POLARITIES
from assay.verdicts.judgements import Event, EventKind


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event with the item and the text it is about; its id is the number of the line."""

    item: str
    text: str
    event: Event


def write_events(lines: Iterable[EventLine], stream: TextIO) -> None:
    """Write events; `undoes` must refer to lines written before."""
    numbers: dict[int, int] = {}
    for number, line in enumerate(lines, 1):
        event = line.event
        # Ids of the database mean nothing elsewhere, so references are by line number.
        numbers[event.id] = number
        fields = asdict(replace(event, undoes=numbers[event.undoes] if event.undoes else None))
        del fields["id"], fields["text_id"]
        # `on` is what suites call the date of a judgement; as a field of a record it would read like a flag.
        record = {"on" if name == "dated" else name: value for name, value in fields.items()}
        if not event.origin:
            # Most are by themselves, and logs of before have no such field.
            del record["origin"]
        stream.write(json.dumps({"item": line.item, "text": line.text, **record}, ensure_ascii=False) + "\n")


def read_events(path: Path) -> Iterator[EventLine]:
    """The events of a file; the id of each is the number of its line."""
    for number, fields in enumerate(read_fields(path), 1):
        item, text = fields.text("item"), fields.text("text")
        event = Event(
            id=number,
            text_id=0,
            by=fields.text("by"),
            kind=fields.one_of("kind", get_args(EventKind)),
            verdict=fields.one_of("verdict", (*POLARITIES, None)),
            comment=fields.text("comment"),
            acceptability=fields.number("acceptability"),
            tags=fields.texts("tags"),
            blind=fields.record.get("blind") is True,
            seen=fields.texts("seen"),
            undoes=_earlier(fields, number),
            dated=fields.text("on"),
            created=fields.text("created"),
            origin=fields.text("origin", ""),
        )
        yield EventLine(item, text, event)


def _earlier(fields: Fields, number: int) -> int | None:
    value = fields.number("undoes")
    if value is not None and not 1 <= value < number:
        fields.fail(f"'undoes' is {value}, which is no earlier line")
    return value
