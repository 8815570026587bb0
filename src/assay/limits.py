"""How much is read before it is trusted: one limit for a text, one for a file, at every door.

    ASSAY_MAX_TEXT=500000 assay evaluate …      characters of one text (100,000)
    ASSAY_MAX_FILE=4096 assay evaluate …        megabytes of one file, unpacked (1,024)
    ASSAY_RULE_SECONDS=30 assay serve           what rules (and uploads) that come over the web may take

A text beyond the limit is a decoder's loop or an attack; a file beyond it would fill the memory before anybody saw that
it is no file of outputs.
"""

import csv
import os
from os import PathLike

from assay.errors import BadFile, BadOption

# csv has a limit of its own, 131,072 characters of a cell. This is the largest that every system takes.
csv.field_size_limit(2**31 - 1)


def longest_text() -> int:
    """Characters that one text may have."""
    return _number("ASSAY_MAX_TEXT", 100_000)


def check_text(path: str | PathLike[str], text: str, *, line: int | None = None) -> None:
    """Refuse a text of a file that is too long."""
    if len(text) > longest_text():
        raise too_long(path, len(text), line=line)


def too_long(path: str | PathLike[str], length: int, *, line: int | None = None) -> BadFile:
    """The error for a text beyond the limit, for those that compare many without asking for it each time."""
    return BadFile(
        path,
        f"a text of {length:,} characters, at most {longest_text():,} are read",
        line=line,
        cure="shorten it, or raise ASSAY_MAX_TEXT",
    )


def largest_file() -> int:
    """Bytes that one file may have when it is unpacked."""
    return _number("ASSAY_MAX_FILE", 1024) * 1024**2


def in_the_sandbox(of: str, *, seconds: int, megabytes: int) -> tuple[int, int]:
    """Seconds and megabytes that something may take which came over the web: `ASSAY_RULE_SECONDS`, `ASSAY_RULE_MB`."""
    return _number(f"ASSAY_{of}_SECONDS", seconds), _number(f"ASSAY_{of}_MB", megabytes)


def _number(name: str, default: int) -> int:
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    if not value.isascii() or not value.isdecimal() or not int(value[:18]):
        raise BadOption(f"{name} is a whole number above 0, not {value[:40]!r}")
    return int(value[:18])
