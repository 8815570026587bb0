"""The verdict table as a file: one line per item and system, TSV or JSONL by suffix."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from assay.formats.files import suffix
from assay.formats.tables import TsvWriter
from assay.model import BadOption, Judged, normalise

FIELDS = (
    "item",
    "system",
    "campaign",
    "verdict",
    "reason",
    "rule",
    "match",
    "start",
    "end",
    "category",
    "phenomenon",
    "source",
    "text",
)
"""`match` is what the rule matched, `start` and `end` its code points in the normalised text."""


def check_verdicts_path(path: Path) -> None:
    """Refuse a file whose suffix names no verdict format, before any work is done."""
    if suffix(path) not in (".tsv", ".jsonl"):
        raise BadOption(f"{path}: verdicts are written as .tsv or .jsonl; choose one of these suffixes")


def write_verdicts(lines: Iterable[Judged], stream: TextIO, *, jsonl: bool) -> None:
    """Write a verdict table to a stream."""
    if jsonl:
        for judged in lines:
            stream.write(json.dumps(_record(judged), ensure_ascii=False) + "\n")
        return
    writer = TsvWriter(stream)
    writer.writerow(FIELDS)
    for judged in lines:
        record = _record(judged)
        writer.writerow(["" if record[name] is None else record[name] for name in FIELDS])


def _record(judged: Judged) -> dict[str, Any]:
    item, finding = judged.item, judged.finding
    first = finding.evidence[0] if finding.evidence else None
    return {
        "item": item.id,
        "system": judged.system.name,
        "campaign": judged.system.campaign,
        "verdict": str(finding.verdict),
        "reason": finding.reason,
        "rule": " & ".join(str(evidence.rule) for evidence in finding.evidence),
        "match": normalise(judged.text)[first.start : first.end] if first else "",
        "start": first.start if first else None,
        "end": first.end if first else None,
        "category": item.category,
        "phenomenon": item.phenomenon,
        "source": item.source,
        "text": judged.text,
    }
