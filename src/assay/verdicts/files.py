"""The verdict table as a file: one line per item and system; TSV, JSONL or Parquet by suffix.

with writing_verdicts(evaluation.table, Path("verdicts.tsv")):
    ...  # the file is there when the block ends well
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from assay.errors import BadOption
from assay.files import suffix, writing, writing_bytes
from assay.tsv import TsvWriter
from assay.verdicts.verdict import VERDICT_FIELDS, Judged


def check_verdicts_path(path: Path) -> None:
    """Refuse a file whose suffix names no verdict format, before any work is done."""
    if path.suffix.lower() == ".parquet":
        from assay.outputs import parquet

        parquet.check_installed()
    elif suffix(path) not in (".tsv", ".jsonl"):
        raise BadOption(f"{path}: verdicts are written as .tsv, .jsonl or .parquet; choose one of these suffixes")


@contextmanager
def writing_verdicts(lines: Iterable[Judged], path: Path) -> Iterator[None]:
    """Write a verdict table, line by line or block by block; it replaces the file when the block ends well."""
    if suffix(path) == ".parquet":
        from assay.verdicts import parquet

        # Put in place only when the caller's block ends well: a report that fails leaves the old file.
        with writing_bytes(path) as raw:
            parquet.write_verdicts(lines, raw)
            yield
        return
    with writing(path) as stream:
        # Line by line: the table may be larger than memory.
        write_verdicts(lines, stream, jsonl=suffix(path) == ".jsonl")
        yield


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
