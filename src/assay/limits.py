"""How much is read before it is trusted: one limit for a text, one for a file, at every door.

    ASSAY_MAX_TEXT=500000 assay evaluate …      characters of one text (100,000)
    ASSAY_MAX_FILE=4096 assay evaluate …        megabytes of one file, unpacked (1,024)

A text beyond the limit is a decoder's loop or an attack; a file beyond it would fill the memory before anybody saw that
it is no file of outputs.
"""

import os

from assay.errors import BadOption


def longest_text() -> int:
    """Characters that one text may have."""
    return _number("ASSAY_MAX_TEXT", 100_000)


def largest_file() -> int:
    """Bytes that one file may have when it is unpacked."""
    return _number("ASSAY_MAX_FILE", 1024) * 1024**2


def _number(name: str, default: int) -> int:
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    if not value.isascii() or not value.isdecimal() or not int(value[:18]):
        raise BadOption(f"{name} is a whole number above 0, not {value[:40]!r}")
    return int(value[:18])
