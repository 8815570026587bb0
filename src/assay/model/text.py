"""What counts as the same text, and as no text.

    >>> normalise("Don’t  stop ")
    "Don't stop"

Judging, exact rules and `contains` rules all see texts in this form; regular expressions are left as written.
"""

from typing import Final
from unicodedata import normalize

NORMALISATION: Final = "nfc+space+apostrophe"
"""Name of the normalisation below, for signatures. Change it when the function changes."""

MISSING_MARKERS: Final = frozenset({"", "NO TRANSLATION AVAILABLE", "####", "FAILED"})
"""Normalised texts that stand for an output that was never made (WMT text and XML, WMT25 JSONL)."""

_APOSTROPHES: Final = str.maketrans(dict.fromkeys("\u2019\u2018\u00b4\u0060", "'"))


def normalise(text: str) -> str:
    """NFC, white space folded to single spaces and stripped, four apostrophe look-alikes made `'`."""
    if text.isascii():
        folded = " ".join(text.split())
        return folded.replace("`", "'") if "`" in folded else folded
    return " ".join(normalize("NFC", text).split()).translate(_APOSTROPHES)


def fold(text: str) -> str:
    """White space folded to single spaces and stripped; everything else as it is."""
    return " ".join(text.split())


def is_missing(normalised: str) -> bool:
    """Whether a normalised text is empty or one of the markers for a missing output."""
    return normalised in MISSING_MARKERS
