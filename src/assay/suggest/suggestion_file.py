"""Suggestions as a file: one line per text, TSV or JSONL by suffix.

    item    text    suggestion    confidence    reason    systems

The column is called `suggestion`, not `verdict`: `assay judge` does not take such a file for judgements.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import BadOption
from assay.files import STDOUT, suffix, writing
from assay.suggest.suggester import Suggestion
from assay.tsv import TsvWriter
from assay.verdicts.queue import Task
from assay.verdicts.todo import labelled

FIELDS = ("item", "text", "suggestion", "confidence", "reason", "systems")


@dataclass(frozen=True, slots=True)
class Suggested:
    """A text that waits for a linguist, and what is suggested; None where nothing is."""

    task: Task
    suggestion: Suggestion | None

    def record(self) -> dict[str, Any]:
        """The fields of a line; what is not suggested is null."""
        task, found = self.task, self.suggestion
        return {
            "item": task.item.id,
            "text": task.text,
            "suggestion": str(found.verdict) if found else None,
            "confidence": round(found.confidence, 3) if found else None,
            "reason": found.reason if found else None,
            "systems": ", ".join(map(labelled, task.systems)),
        }


def check_suggestions_path(path: Path) -> None:
    """Refuse a file whose suffix names no format, before any work is done."""
    if path != STDOUT and suffix(path) not in (".tsv", ".jsonl"):
        raise BadOption(f"{path}: suggestions are written as .tsv or .jsonl; choose one of these suffixes")


def write_suggestions(lines: Iterable[Suggested], path: Path) -> None:
    """Write all lines, those without a suggestion too; `-` gets TSV."""
    with writing(path) as stream:
        if suffix(path) == ".jsonl":
            stream.writelines(json.dumps(line.record(), ensure_ascii=False) + "\n" for line in lines)
            return
        writer = TsvWriter(stream)
        writer.writerow(FIELDS)
        for line in lines:
            record = line.record()
            writer.writerow(["" if record[name] is None else record[name] for name in FIELDS])
