"""The part of a text that a rule looks at: `in: sentence 2`, `in: after "Dr."`, `in: before ";"`.

    scope = read_scope("sentence 2")
    scope.part("He left. She stayed.")      # (9, 20)

A part that a text does not have is None, and the rule does not match.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from assay.suites.kinds import BadArgument, Matcher, Span
from assay.text import normalise

_SENTENCE = re.compile(r"sentences? (-?[1-9]\d{0,3})(?: ?(?:to|-|–) ?([1-9]\d{0,3}))?")
_BESIDE = re.compile(r"(after|before) (?:\"([^\"]+)\"|'([^']+)'|„([^“”]+)[“”]|“([^”]+)”|([^\"' ]\S*))")

CURE = 'write sentence 2, sentence -1 (the last), sentences 2 to 3, after "words" or before "words"'

# What ends a sentence, with the quotation marks and brackets behind it; in Chinese and Japanese no space need follow.
_END = re.compile(r"[.!?…]+[\"'”“»)\]]*(?= )|[。！？]+[」』”)]*")
# A full stop behind these is part of the word: titles, numbers of months, single letters.
_ABBREVIATION = re.compile(
    r"(?:(?<![\w%])(?:[^\W\d_]|Dr|Mr|Mrs|Ms|Prof|dott|Dott|sig|Sig|Sr|Sra|Mme|St|Jr|No|Nr|art|Art|Abs|bzw|vgl|ca|ecc|etc"
    r"|vs|Hr|Fr|Bd|Mio|Mrd|usw|d\.h|z\.B|i\.e|e\.g|např|tzv|př|гг|стр|ул|им)\.|\b\d{1,2}\.)$"
)


@dataclass(frozen=True, slots=True)
class Scope:
    """Sentences from `first` to `last` (from 1; below 0 from the end), or what stands beside `words`."""

    first: int = 0
    last: int = 0
    words: str = ""
    is_before: bool = False

    def part(self, text: str) -> Span | None:
        """[start, end) of the part in a normalised text; None where it has none."""
        if self.words:
            place = text.find(self.words)
            if place < 0:
                return None
            if self.is_before:
                return 0, len(text[:place].rstrip())
            end = place + len(self.words)
            # Without the space between: `^` is the first word behind.
            return end + (text[end : end + 1] == " "), len(text)
        found = sentences(text)
        first = self.first - 1 if self.first > 0 else len(found) + self.first
        last = self.last - 1 if self.first > 0 else first
        if not 0 <= first < len(found):
            return None
        return found[first][0], found[min(last, len(found) - 1)][1]


@lru_cache(maxsize=256)
def read_scope(written: str) -> Scope:
    """The scope that is written so; `BadArgument` where it is none."""
    written = written.strip()
    if sentence := _SENTENCE.fullmatch(written):
        first = int(sentence[1])
        last = int(sentence[2]) if sentence[2] else first
        if first < 0 < len(sentence[2] or "") or last < first:
            raise BadArgument(f"in: {written!r} names no sentences", cure=CURE)
        return Scope(first, last)
    if beside := _BESIDE.fullmatch(written):
        words = normalise(next(filter(None, beside.groups()[1:])))
        return Scope(words=words, is_before=beside[1] == "before")
    raise BadArgument(f"in: {written!r} is no part of a text", cure=CURE)


@lru_cache(maxsize=16)  # a text is looked at once for each rule with a scope
def sentences(text: str) -> tuple[Span, ...]:
    """[start, end) of the sentences of a normalised text."""
    found, start = [], 0
    for end in _END.finditer(text):
        following = text[end.end() :].lstrip()[:1]
        is_short = end[0].startswith(".") and _ABBREVIATION.search(text[start : end.end()])
        # "Why?" she asked.
        if is_short or following.islower():
            continue
        found.append((start, end.end()))
        start = end.end() + (text[end.end() : end.end() + 1] == " ")
    if start < len(text):
        found.append((start, len(text)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ScopedMatcher:
    """A matcher that sees a part of the text only."""

    inner: Matcher
    scope: Scope

    @property
    def value(self) -> str:
        return self.inner.value

    @property
    def is_quick(self) -> bool:
        return self.inner.is_quick

    def search(self, text: str, limit: float | None = None) -> Span | None:
        part = self.scope.part(text)
        if part is None:
            return None
        found = self.inner.search(text[part[0] : part[1]], limit)
        if found is None or found == (0, 0):
            return found
        return part[0] + found[0], part[0] + found[1]

    def reason(self, text: str) -> str:
        part = self.scope.part(text)
        return self.inner.reason(text[part[0] : part[1]]) if part else ""
