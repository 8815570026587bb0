"""Write the JSON Schemas of results from the types that describe them, and what those of suites say about rules from
the kinds of rules; a test says where they are out of date.

python scripts/schemas.py
"""

import json
import re
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from assay.challenge.document import ChallengeDocument
from assay.evaluation.document import ScoredDocument
from assay.suites import KINDS
from assay.suites.kinds import get_kind
from assay.suites.native import BARE_KINDS

FOLDER = Path(__file__).parent.parent / "src" / "assay" / "schemas"

RESULTS: dict[str, tuple[str, Any]] = {
    "evaluation": ("Assay: result of evaluate", ScoredDocument),
    "challenge": ("Assay: result of challenge report", ChallengeDocument),
}
"""File -> title and type."""


SUITES = ("items", "suite")
"""Files that are written by hand, but for what a rule may be."""


def suite_schema(name: str) -> str:
    """The text of a schema file for suites, with the rules as they are."""
    made = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    made["$defs"]["rule"] = _rule()
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def _rule() -> dict[str, Any]:
    beside = {
        "flags": {"enum": ["i"], "description": "i: ignore case (regex only)."},
        "in": {"type": "string", "description": 'Where to look: sentence 2, after "words", before "words".'},
        "closed": {
            "type": "boolean",
            "description": "true: the words whose absence fails are all there are (fail only).",
        },
        "note": {"type": "string"},
        "by": {"type": "string", "description": "Who judged; makes an exact rule a settled judgement."},
        "on": {"type": "string", "description": "When, as YYYY-MM-DD."},
    }
    bare = f"A regular expression, searched, case-sensitive; among defaults also {', '.join(BARE_KINDS)}."
    properties = {name: dict(get_kind(name).schema) for name in KINDS} | beside
    one = [{"required": [name]} for name in KINDS]
    rule = {"type": "object", "properties": properties, "additionalProperties": False, "oneOf": one}
    return {"oneOf": [{"type": "string", "description": bare}, rule]}


class _Untitled(GenerateJsonSchema):
    """Without titles of fields, which say what their names say."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema(name: str) -> str:
    """The text of a schema file."""
    title, document = RESULTS[name]
    made = TypeAdapter(document).json_schema(mode="serialization", schema_generator=_Untitled)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"assay/{name}.json", "title": title}
    made.pop("title")
    return json.dumps(head | _plain(made), indent=2, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    """As people would write it: types are named after what they describe, and what may be null has two types."""
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    made: dict[str, Any] = {
        key: _reference(entry) if key == "$ref" else _described(entry) if key == "description" else _plain(entry)
        for key, entry in value.items()
    }
    if "$defs" in made:
        made["$defs"] = {_name(name): entry for name, entry in made["$defs"].items()}
    if "properties" in made:
        made.pop("title", None)
    if "anyOf" in made:
        choices = [entry for entry in made.pop("anyOf") if entry != {"type": "null"}]
        (known,) = choices  # nothing but null stands beside another type
        made = {**known, "type": [known["type"], "null"]} | made
    return made


def _name(document: str) -> str:
    """`MetricCellDocument` as `metric_cell`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", document.removesuffix("Document")).lower()


def _reference(path: str) -> str:
    head, _, name = path.rpartition("/")
    return f"{head}/{_name(name)}"


def _described(text: Any) -> Any:
    return " ".join(text.split()) if isinstance(text, str) else _plain(text)


def main() -> None:
    for name in RESULTS:
        (FOLDER / f"{name}.json").write_text(schema(name), encoding="utf-8")
    for name in SUITES:
        (FOLDER / f"{name}.json").write_text(suite_schema(name), encoding="utf-8")


if __name__ == "__main__":
    main()
