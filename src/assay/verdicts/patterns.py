r"""Regular expressions that cannot hang, and most of them without a regular expression engine.

    pattern = Pattern(r"\block\b")
    pattern.search("the lock")  # -> (4, 8)

The engine is `regex`, with a time limit for every search. Compiling with it is slow, so it is avoided where another way
provably gives the same answer, and as surely in time:

- Many rules, such as `(bunch|bouquet) of (roses|flowers)`, stand for a few strings, which `str.find` finds.
- Many others need one of a few strings somewhere, and one of others (`Outline.needed`), which most texts do not hold:
  they are not even compiled.
- Python's own `re` compiles three times as fast. It serves where the pattern is plain (every piece is read alike by
  both engines), the text is made of characters that both class alike, and the steps of a search at worst
  (`Outline.cost`) are few. Where case does not matter, the pattern too is made of these, and of the letters i neither
  Turkish one is among them.
"""

import re
from functools import lru_cache
from threading import Lock
from typing import Any

from assay.suites.kinds import BadArgument, Span
from assay.verdicts.pattern_size import LARGEST, pattern_size
from assay.verdicts.plain_patterns import NotPlain, outline, spell_out

TIME_LIMIT = 0.5
"""Seconds that one rule may search in one text."""

MANY_STEPS = 2**24
"""What `re` may take at worst for one search, about a fifth of a second; beyond it `regex` keeps the time."""


class PatternError(BadArgument):
    """A pattern that does not compile: what is wrong, and the position (from 0) where it is known."""

    def __init__(self, message: str, position: int | None) -> None:
        super().__init__(message, position, cure="correct the regular expression")


class RuleTimeout(Exception):
    """A search that ran past its time limit."""


# Characters that `re` and `regex` class alike for \w, \d and \s (tests/verdicts/test_patterns.py compares them all).
_ALIKE = re.compile(
    "[ -\x7e\xa0-\xb1\xb4-\xb8\xba\xbb\xbf-\u02af\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203e\u20ac]*"
)

# Of these the two engines say differently which are the same letter where case does not matter (the test of `_ALIKE`).
_TURKISH = re.compile("[İı]")

_CASELESS = "(?i)"


class Pattern:
    """A rule's regular expression, compiled when it is first needed. One that does not compile is refused here."""

    __slots__ = ("_limited", "_longest", "_needed", "_plain", "_strings", "flags", "limit", "value")

    def __init__(self, value: str, flags: str = "", *, limit: float = TIME_LIMIT) -> None:
        self.value = value
        self.flags = flags
        self.limit = limit
        self._plain: re.Pattern[str] | None = None
        self._limited: Any = None
        self._longest = -1.0  # the longest text that `re` may search
        self._needed: tuple[tuple[str, ...], ...] = ()
        # Where case does not matter, strings that are spelled out do not serve.
        self._strings = None if self._ignores_case else spell_out(value)
        if self._strings is None:
            self._read()

    def _read(self) -> None:
        """Learn what the pattern says before it is compiled; compile it where it says nothing."""
        body = self._body()
        try:
            found = outline(body) if body is not None else None
        except NotPlain:
            found = None
        if body is None or found is None:
            self._limited = _compile_limited(self.value, self.flags)
            return
        _check_size(self.value)
        self._needed = found.needed
        if self._ignores_case:
            lower = (tuple(map(str.lower, strings)) for strings in found.needed)
            self._needed = tuple(strings for strings in lower if all(map(str.isascii, strings)))
        if found.cost is not None:
            self._longest = found.cost.longest(MANY_STEPS)

    @property
    def _ignores_case(self) -> bool:
        return bool(self.flags) or self.value.startswith(_CASELESS)

    def _body(self) -> str | None:
        """What `re` may look at, without the flag; None where the two engines may fold case differently."""
        if not self._ignores_case:
            return self.value
        body = self.value.removeprefix(_CASELESS)
        return body if _ALIKE.fullmatch(body) and not _TURKISH.search(body) else None

    @property
    def is_quick(self) -> bool:
        """Whether it stands for a few strings, so that no text can make it slow."""
        return self._strings is not None

    def search(self, text: str, limit: float | None = None) -> Span | None:
        """Where the pattern matches first: code points [start, end). `limit` in seconds instead of its own."""
        if self._strings is not None:
            return _find(self._strings, text)
        if self._needed and self._lacks(text):
            return None
        # `re` has no time limit: it gets only texts that are short enough, and whose characters both class alike.
        if len(text) <= self._longest and (text.isascii() or self._is_alike(text)):
            if self._plain is None:
                self._plain = re.compile(self.value, re.IGNORECASE if self._ignores_case else 0)
            found = self._plain.search(text)
            return found.span() if found else None
        if self._limited is None:
            self._limited = _compile_limited(self.value, self.flags)
        try:
            with _alone:
                limited = self._limited.search(text, timeout=self.limit if limit is None else min(limit, self.limit))
        except TimeoutError:
            raise RuleTimeout(self.value) from None
        return limited.span() if limited else None

    def _lacks(self, text: str) -> bool:
        """Whether a text does not hold what every match needs."""
        if self._ignores_case:
            # Of ASCII alone it is certain which letters are the same.
            if not text.isascii():
                return False
            text = text.lower()
        for strings in self._needed:
            for string in strings:
                if string in text:
                    break
            else:
                return True
        return False

    def reason(self, text: str) -> str:
        """The place says it all."""
        return ""

    def _is_alike(self, text: str) -> bool:
        """Whether both engines see the same in a text that is not ASCII."""
        return bool(_ALIKE.fullmatch(text)) and not (self._ignores_case and _TURKISH.search(text))


_alone = Lock()
"""The time limit counts what all threads of the process compute: each search has it for itself."""


def _find(strings: list[str], text: str) -> Span | None:
    """The leftmost of the strings; of those that start there the first, as a regular expression would."""
    start, length = len(text) + 1, 0
    for string in strings:
        place = text.find(string)
        # Strictly smaller: of strings that start at the same place the earlier alternative wins.
        if 0 <= place < start:
            start, length = place, len(string)
    return (start, start + length) if start <= len(text) else None


def _compile_limited(value: str, flags: str) -> Any:
    # Imported here: most suites need it for a few patterns only, and `assay --version` for none.
    import regex

    _check_size(value)
    try:
        return regex.compile(value, regex.IGNORECASE if "i" in flags else 0)
    except regex.error as error:
        raise PatternError(error.msg, error.pos) from None
    except (OverflowError, RecursionError, ValueError) as error:
        raise PatternError(str(error) or type(error).__name__, None) from None


def _check_size(value: str) -> None:
    if "{" in value and pattern_size(value) > LARGEST:
        raise PatternError(f"its counted repeats make it too large (more than {LARGEST:,} pieces)", None)


@lru_cache(maxsize=10_000)
def pattern(value: str, flags: str) -> Pattern:
    """The pattern for a rule, shared by all rules that are written alike."""
    return Pattern(value, flags)
