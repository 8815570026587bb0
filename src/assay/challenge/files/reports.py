"""Reports of challenge sets as `assay challenge report -o REPORT.json` writes them, read back.

    report = read_report(Path("seed-1.json"))
    report["set"]["langpair"], report["rows"]

A report that lacks a key which `schemas/challenge.json` requires, or has a value of another type, is refused, so that
its readers can rely on it.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.errors import BadFile
from assay.files import read_text
from assay.suites import SCHEMAS

CURE = "make it anew: assay challenge report SET SCORES… -o REPORT.json"

Schema = Mapping[str, Any]

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


LARGEST = 1e300
"""No number of a report comes near it."""


def read_report(path: Path) -> dict[str, Any]:
    """The report in a file."""
    try:
        report = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise BadFile(path, f"not JSON ({error.msg})", line=error.lineno, cure=CURE) from None
    # Brackets nested too deeply, and numbers of thousands of digits.
    except (ValueError, RecursionError):
        raise BadFile(path, "not a report of a challenge set", cure=CURE) from None
    schema = json.loads((SCHEMAS / "challenge.json").read_text("utf-8"))
    # The first problem is enough.
    for problem in _problems(report, schema, schema["$defs"], "the report"):
        raise BadFile(path, f"not a report of a challenge set: {problem}", cure=CURE)
    names = [metric["name"] for metric in report["metrics"]]
    if sorted(report["columns"]) != sorted(names):
        raise BadFile(path, "not a report of a challenge set: its columns are not its metrics", cure=CURE)
    found: dict[str, Any] = report
    return found


def _problems(value: Any, schema: Schema, known: Schema, place: str) -> Iterator[str]:
    """Where a value breaks the schema, in words; only types, `enum` and required keys are checked."""
    if "$ref" in schema:
        schema = known[schema["$ref"].removeprefix("#/$defs/")]
    if not _fits(value, schema):
        yield f"{place} is {_short(value)}"
    elif isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{place} has no {name!r}"
        for name, below in schema.get("properties", {}).items():
            if name in value:
                yield from _problems(value[name], below, known, _inside(place, name))
    elif isinstance(value, list) and "items" in schema:
        for number, entry in enumerate(value, 1):
            yield from _problems(entry, schema["items"], known, f"{place} {number}")


def _fits(value: Any, schema: Schema) -> bool:
    """Whether the value has the type, and is one of the `enum`, that the schema asks for."""
    types = schema.get("type", [*TYPES])
    fitting = any(_is_a(value, name) for name in ([types] if isinstance(types, str) else types))
    return fitting and ("enum" not in schema or value in schema["enum"])


def _is_a(value: Any, name: str) -> bool:
    # True is an int to Python, but no number to JSON Schema.
    if not isinstance(value, TYPES[name]) or (name != "boolean" and isinstance(value, bool)):
        return False
    # Infinity and NaN, which Python reads, and whole numbers that no float can hold.
    return not isinstance(value, int | float) or abs(value) < LARGEST


def _short(value: Any) -> str:
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= 40 else f"{written[:40]}…"


def _inside(place: str, name: str) -> str:
    return repr(name) if place == "the report" else f"{name!r} of {place}"
