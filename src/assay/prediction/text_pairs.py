"""How alike the texts of an item are.

    pairs = text_pairs(texts)
    pairs.alike[k]                  # of texts pairs.first[k] and pairs.second[k], 0 to 1

Alike is the share of four letters in a row that both have (Jaccard), in small letters and without punctuation: texts
that differ in nothing else are twins, whose similarity is 1.
"""

import re
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from assay.stats.proportions import Floats
from assay.text import LONGEST
from assay.verdicts.written_texts import WrittenTexts

_LETTERS = 4

# Contractions that are a matter of style, after small letters were made.
_SPELLINGS = {
    "can't": "cannot",
    "won't": "will not",
    "n't": " not",
    "'re": " are",
    "'ve": " have",
    "'ll": " will",
    "'m": " am",
    "ß": "ss",
}
_SPELLING = re.compile("|".join(map(re.escape, _SPELLINGS)))
_NO_WORD = re.compile(r"[^\w\s]+")


@dataclass(frozen=True, slots=True)
class TextPairs:
    """Pairs of texts of the same item that have anything in common, each in both directions."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    alike: Floats


def plain(text: str) -> str:
    """A text without what twins may differ in: case, punctuation, contractions, spaces."""
    spelt = _SPELLING.sub(lambda found: _SPELLINGS[found[0]], text.casefold())
    return " ".join(_NO_WORD.sub(" ", spelt).split())


def text_pairs(texts: WrittenTexts, *, wanted: NDArray[np.bool_] | None = None) -> TextPairs:
    """The pairs of all texts, or only those with a `wanted` text in them."""
    chosen = np.ones(len(texts.texts), bool) if wanted is None else wanted
    first, second, alike = [], [], []
    ends = np.searchsorted(texts.rows, np.arange(len(texts.table.items) + 1)).tolist()
    for start, end in pairwise(ends):
        if end - start < 2 or not chosen[start:end].any():
            continue
        grams = {place: _grams(texts.texts[place]) for place in range(start, end)}
        for one, other in combinations(range(start, end), 2):
            if chosen[one] or chosen[other]:
                shared = len(grams[one] & grams[other])
                if shared:
                    first.append(one)
                    second.append(other)
                    alike.append(shared / (len(grams[one]) + len(grams[other]) - shared))
    forth, back = np.array(first, dtype=np.intp), np.array(second, dtype=np.intp)
    found = np.array(alike, dtype=np.float64)
    return TextPairs(np.concatenate([forth, back]), np.concatenate([back, forth]), np.concatenate([found, found]))


def _grams(text: str) -> set[str]:
    letters = f" {plain(text[:LONGEST])} "
    # A text of punctuation alone has none; it is like those that have none either.
    return {letters[start : start + _LETTERS] for start in range(max(1, len(letters) - _LETTERS + 1))}
