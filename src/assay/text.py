"""What counts as the same text, and as no text.

    >>> normalise("Don’t  stop ")
    "Don't stop"

Judging, exact rules and `contains` rules all see texts in this form; regular expressions are left as written.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

NORMALISATION: Final = "nfc+space+apostrophe"
"""Name of the normalisation below, for signatures. Change it when the function changes."""

MISSING_MARKERS: Final = frozenset({"", "NO TRANSLATION AVAILABLE", "####", "FAILED", "<OUTPUT_BLOCKED>", "<ERROR>"})
"""Normalised texts that stand for an output that was never made (WMT text and XML, WMT25 and WMT26 JSONL)."""

# ’ ‘ ´ `: what keyboards, word processors and old files write for an apostrophe.
_APOSTROPHES: Final = "\u2019\u2018\u00b4\u0060"


def normalise(text: str) -> str:
    """NFC, white space folded to single spaces and stripped, four apostrophe look-alikes made `'`."""
    # ASCII text is already NFC and can hold only one of the four apostrophes; most English outputs take this shortcut.
    if text.isascii():
        folded = " ".join(text.split())
        return folded.replace("`", "'") if "`" in folded else folded
    folded = " ".join(normalize("NFC", text).split())
    # Most texts have none of them, and looking for four characters is ten times as quick as `translate`.
    for mark in _APOSTROPHES:
        if mark in folded:
            folded = folded.replace(mark, "'")
    return folded


def fold(text: str) -> str:
    """White space folded to single spaces and stripped; everything else as it is."""
    return " ".join(text.split())


def is_missing(normalised: str) -> bool:
    """Whether a normalised text is empty or one of the markers for a missing output."""
    return normalised in MISSING_MARKERS


LONGEST: Final = 5_000
"""How many characters of a text are compared. A longer one is a decoder's loop, and comparison is quadratic."""


WORD: Final = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
"""A word with its hyphens and apostrophes, or one punctuation mark."""


Marks = tuple[tuple[int, int], ...]
"""Code points [start, end) of a text."""


class WordDiff(NamedTuple):
    """Where two texts differ, in whole words; neighbouring words make one range.

    `gaps` are where the second lacks words of the first and has none in their place: the code point before which they
    would stand, and they.
    """

    first: Marks
    second: Marks
    gaps: tuple[tuple[int, str], ...]


def word_diff(a: str, b: str) -> tuple[Marks, Marks]:
    """Where two texts differ, in whole words."""
    found = compare_words(a, b)
    return found.first, found.second


# What is shown beside a text is told again when it is judged; marks are small, whatever the texts are.
@lru_cache(1000)
def compare_words(a: str, b: str) -> WordDiff:
    """The same, and what the second text lacks."""
    words_a, words_b, changes = _changes(a, b)
    marks_a, marks_b, gaps = [], [], []
    for start_a, end_a, start_b, end_b in changes:
        # An insertion has no words in `a`, a deletion none in `b`: nothing to mark there.
        if end_a > start_a:
            marks_a.append((words_a[start_a][1], words_a[end_a - 1][2]))
        if end_b > start_b:
            marks_b.append((words_b[start_b][1], words_b[end_b - 1][2]))
        else:
            place = words_b[start_b][1] if start_b < len(words_b) else len(b)
            gaps.append((place, a[words_a[start_a][1] : words_a[end_a - 1][2]]))
    return WordDiff(tuple(marks_a), tuple(marks_b), tuple(gaps))


_Words = list[tuple[str, int, int]]


def _changes(a: str, b: str) -> tuple[_Words, _Words, list[tuple[int, int, int, int]]]:
    """The words of two texts with their places, and the ranges of words in which they differ."""
    from difflib import (
        SequenceMatcher,
    )  # takes longer to import than the rest of this module, for most commands in vain

    words_a, words_b = ([(word[0], *word.span()) for word in WORD.finditer(text, 0, LONGEST)] for text in (a, b))
    forms_a, forms_b = [word for word, *_ in words_a], [word for word, *_ in words_b]
    # What both begin and end with is most of what is compared here, and takes no search.
    shorter = min(len(forms_a), len(forms_b))
    head = next((at for at in range(shorter) if forms_a[at] != forms_b[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if forms_a[-1 - at] != forms_b[-1 - at]), rest)
    middle_a, middle_b = forms_a[head : len(forms_a) - tail], forms_b[head : len(forms_b) - tail]
    if not middle_a and not middle_b:
        return words_a, words_b, []
    if not middle_a or not middle_b or len(middle_a) == len(middle_b) == 1:
        return words_a, words_b, [(head, head + len(middle_a), head, head + len(middle_b))]
    # autojunk would ignore frequent words in texts of 200 words and more, and mark unchanged ones as different.
    matcher = SequenceMatcher(None, middle_a, middle_b, autojunk=False)
    changes = [
        (head + start_a, head + end_a, head + start_b, head + end_b)
        for kind, start_a, end_a, start_b, end_b in matcher.get_opcodes()
        if kind != "equal"
    ]
    return words_a, words_b, changes


def char_diff(a: str, b: str) -> Marks:
    """The characters of `b` that `a` has not, or has otherwise; where something is missing, the one behind it."""
    from difflib import SequenceMatcher

    found = []
    for kind, _, _, start, end in SequenceMatcher(None, a[:LONGEST], b[:LONGEST], autojunk=False).get_opcodes():
        if kind != "equal" and start < end:
            found.append((start, end))
    return tuple(found)


# C0 and C1 without tab and newline, the marks that turn the direction of what follows, and the byte order mark, which
# nobody sees in a name that "is not there".
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def visible(text: str) -> str:
    r"""Control characters and direction marks as `\x1b`, `\u202e`: shown in a terminal, not obeyed by it."""
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text) if _UNSEEN.search(text) else text


def one_line(text: str, longest: int = 300) -> str:
    """A message on one line; of one that is too long the middle is left out, since the cure stands at the end."""
    line = visible(fold(text) if "\n" in text or "\t" in text else text)
    if len(line) <= longest:
        return line
    end = longest // 3
    return f"{line[: longest - end - 3]} … {line[-end:]}"


def slug(text: str) -> str:
    """A name for files and ids: lower case, ASCII, hyphens."""
    # NFKD splits accents from their letters, so that only the accents are lost; ß has no decomposition.
    plain = normalize("NFKD", text.lower().replace("ß", "ss")).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "x"


def plural(number: int, noun: str) -> str:
    """`1 text`, `1,870 texts`, `14 categories`."""
    many = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else many}"
