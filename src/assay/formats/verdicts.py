"""The verdict table as a file: one line per item and system, TSV or JSONL by suffix."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from assay.formats.files import suffix
from assay.formats.tables import TsvWriter
from assay.model import VERDICT_FIELDS, BadOption, Judged


def check_verdicts_path(path: Path) -> None:
    """Refuse a file whose suffix names no verdict format, before any work is done."""
    if suffix(path) not in (".tsv", ".jsonl"):
        raise BadOption(f"{path}: verdicts are written as .tsv or .jsonl; choose one of these suffixes")


def write_verdicts(lines: Iterable[Judged], stream: TextIO, *, jsonl: bool) -> None:
    """Write a verdict table to a stream."""
    if jsonl:
        for judged in lines:
            stream.write(json.dumps(judged.record(), ensure_ascii=False) + "\n")
        return
    writer = TsvWriter(stream)
    writer.writerow(VERDICT_FIELDS)
    for judged in lines:
        record = judged.record()
        writer.writerow(["" if record[name] is None else record[name] for name in VERDICT_FIELDS])
