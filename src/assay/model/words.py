"""Words of a text, and where two texts differ.

word_diff("the old lock", "the latch")  # ((4, 12),), ((4, 9),)
"""

import re
from difflib import SequenceMatcher
from typing import Final

LONGEST: Final = 5_000
"""How many characters of a text are compared; a longer one is a loop or a mistake, and comparing it takes for ever."""

WORD: Final = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
"""A word with its hyphens and apostrophes, or one punctuation mark."""

Marks = tuple[tuple[int, int], ...]
"""Code points [start, end) of a text."""


def word_diff(a: str, b: str) -> tuple[Marks, Marks]:
    """Where two texts differ, in whole words; neighbouring words make one range."""
    words_a, words_b = ([(word[0], *word.span()) for word in WORD.finditer(text, 0, LONGEST)] for text in (a, b))
    matcher = SequenceMatcher(None, [word for word, *_ in words_a], [word for word, *_ in words_b], autojunk=False)
    marks_a, marks_b = [], []
    for kind, start_a, end_a, start_b, end_b in matcher.get_opcodes():
        if kind == "equal":
            continue
        if end_a > start_a:
            marks_a.append((words_a[start_a][1], words_a[end_a - 1][2]))
        if end_b > start_b:
            marks_b.append((words_b[start_b][1], words_b[end_b - 1][2]))
    return tuple(marks_a), tuple(marks_b)
