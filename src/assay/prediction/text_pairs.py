"""How alike the texts of an item are.

    pairs = text_pairs(texts)
    pairs.alike[k]                  # of texts pairs.first[k] and pairs.second[k], 0 to 1

Alike is the share of four letters in a row that both have (Jaccard), in small letters and without punctuation: texts
that differ in nothing else are twins, whose similarity is 1.
"""

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from assay.prediction.plain import capitals_tell, letters, plain
from assay.stats.proportions import Floats
from assay.verdicts.written_texts import WrittenTexts


@dataclass(frozen=True, slots=True)
class TextPairs:
    """Pairs of texts of the same item that have anything in common, each in both directions."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    alike: Floats


def text_pairs(texts: WrittenTexts, *, wanted: NDArray[np.bool_] | None = None) -> TextPairs:
    """The pairs of all texts, or only those with a `wanted` text in them."""
    chosen = np.ones(len(texts.texts), bool) if wanted is None else wanted
    cased = capitals_tell(texts.table.suite.langpair)
    first, second, alike = [], [], []
    ends = np.searchsorted(texts.rows, np.arange(len(texts.table.items) + 1)).tolist()
    for start, end in pairwise(ends):
        if end - start < 2 or not chosen[start:end].any():
            continue
        grams = {place: letters(plain(texts.texts[place], cased=cased)) for place in range(start, end)}
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
