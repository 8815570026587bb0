r"""Regular expressions that cannot hang, and most of them without a regular expression engine.

    pattern = Pattern(r"\block\b")
    pattern.search("the lock")  # -> (4, 8)

The engine is `regex`, with a time limit for every search. Compiling with it is slow, so it is avoided where another way
provably gives the same answer, and as surely in time:

- Most rules, such as `(bunch|bouquet) of (roses|flowers)`, stand for a few strings, which `str.find` finds.
- Python's own `re` compiles three times as fast. It serves where the pattern is *plain* (no repeat applies to a
  group, every piece is read alike by both engines), the text is made of characters that both class alike, and the
  steps of a search at worst (`plain_cost`) are few. Where case does not matter, the pattern too is made of these, and
  of the letters i neither Turkish one is among them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from threading import Lock
from typing import Any

from assay.verdicts.pattern_size import LARGEST, pattern_size

TIME_LIMIT = 0.5
"""Seconds that one rule may search in one text."""

MANY_STEPS = 2**24
"""What `re` may take at worst for one search, about a fifth of a second; beyond it `regex` keeps the time."""

MANY_STRINGS = 64
"""A pattern that stands for more strings than this is not spelled out."""

DEEP = 50
"""Groups within groups beyond which `re` could run out of stack."""

Span = tuple[int, int]


class PatternError(ValueError):
    """A pattern that does not compile: what is wrong, and the position (from 0) where it is known."""

    def __init__(self, message: str, position: int | None) -> None:
        super().__init__(message)
        self.position = position


class RuleTimeout(Exception):
    """A search that ran past its time limit."""


# Pieces of a plain pattern. A quantifier belongs to the piece before it; escapes are those that both engines read
# alike; groups are capturing, non-capturing or look-ahead. What fits none of these goes to `regex`.
_PIECE = re.compile(
    r"""
    (?P<run> [^\\\[\](){}|?*+.^$]+ (?![*+?{]) )
  | (?P<atom> (?: (?P<one> [^\\\[\](){}|?*+.^$] | \\[.,;:!?'"()\[\]{}|*+/^$\-\\ ] )
                | \\[dDsSwW] | \.
                | \[\^? (?: a-z | A-Z | 0-9 | [^\\\[\]&|~^\-] | [&|~](?![&|~]) | \\[dsw] | -(?=\]) )+ \] )
        (?P<times> [*+?]\?? | \{\d\} )? (?![*+?{]) )
  | (?P<edge> (?: [\^$] | \\[bB] ) (?![*+?{]) )
  | (?P<open> \( (?: \?[:=!] )? (?!\?) )
  | (?P<close> \) (?P<maybe> \? )? (?![*+?{]) )
  | (?P<or> \| )
    """,
    re.VERBOSE,
)

# Characters that `re` and `regex` class alike for \w, \d and \s (tests/verdicts/test_patterns.py compares them all).
_ALIKE = re.compile(
    "[ -\x7e\xa0-\xb1\xb4-\xb8\xba\xbb\xbf-\u02af\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203e\u20ac]*"
)

# Of these the two engines say differently which are the same letter where case does not matter (the test of `_ALIKE`).
_TURKISH = re.compile("[İı]")

_CASELESS = "(?i)"


def _pieces(pattern: str) -> Iterator[re.Match[str]]:
    """The pieces of a plain pattern; ValueError where it is not plain."""
    position = 0
    while position < len(pattern):
        piece = _PIECE.match(pattern, position)
        if piece is None:
            raise ValueError(pattern)
        yield piece
        position = piece.end()


def spell_out(pattern: str) -> list[str] | None:
    """The strings that a pattern stands for, in the order in which an engine tries them; None if there are too many."""
    stack: list[tuple[list[str], list[str]]] = []
    done: list[str] = []  # finished alternatives of the innermost open group
    heads = [""]  # the current alternative, as far as it was read
    for piece in _pieces(pattern):
        kind = piece.lastgroup
        if kind == "run":
            tails = [piece[0]]
        elif kind == "atom":
            # Classes, dots and repeats stand for too many strings; of quantifiers only `?` adds just one.
            if piece["one"] is None or (times := piece["times"]) not in (None, "?"):
                return None
            tails = [piece["one"].removeprefix("\\")]
            if times:
                tails.append("")
        elif kind == "or":
            done += heads
            heads = [""]
            continue
        elif kind == "open" and piece[0] in ("(", "(?:"):
            stack.append((done, heads))
            done, heads = [], [""]
            continue
        elif kind == "close" and stack:
            tails = done + heads
            if piece["maybe"]:
                tails.append("")
            done, heads = stack.pop()
        else:
            return None
        # Heads outside, tails inside: the order in which a backtracking engine would try the combinations.
        heads = [head + tail for head in heads for tail in tails]
        if len(heads) + len(done) > MANY_STRINGS:
            return None
    return None if stack else done + heads


@dataclass(frozen=True, slots=True)
class Cost:
    """What a search costs at worst: 2^doublings · length^unbounded steps from each position of the text."""

    unbounded: int = 0
    doublings: float = 0.0


def plain_cost(pattern: str) -> Cost | None:
    """The cost of a plain pattern with balanced groups, which `re` certainly compiles; otherwise None.

    The costs of pieces in a row multiply. Of alternatives only one matches at a time, so they cost as many times the
    dearest as there are.
    """
    stack: list[tuple[list[Cost], Cost]] = []
    done: list[Cost] = []
    current = Cost()
    for piece in _pieces(pattern):
        kind = piece.lastgroup
        if kind == "open":
            if len(stack) == DEEP:
                return None
            stack.append((done, current))
            done, current = [], Cost()
        elif kind == "close":
            if not stack:
                return None
            group = _alternatives([*done, current])
            done, before = stack.pop()
            maybe = piece["maybe"] is not None
            # `(…)?` is tried with and without the group: one doubling.
            current = Cost(before.unbounded + group.unbounded, before.doublings + group.doublings + maybe)
        elif kind == "or":
            done.append(current)
            current = Cost()
        elif kind == "atom" and (times := piece["times"]):
            current = Cost(current.unbounded + (times[0] in "*+"), current.doublings + (times[0] == "?"))
    return None if stack else _alternatives([*done, current])


def _alternatives(costs: list[Cost]) -> Cost:
    return Cost(max(cost.unbounded for cost in costs), max(cost.doublings for cost in costs) + log2(len(costs)))


class Pattern:
    """A rule's regular expression, compiled when it is first needed. One that does not compile is refused here."""

    __slots__ = ("_limited", "_longest", "_plain", "_strings", "flags", "limit", "value")

    def __init__(self, value: str, flags: str = "", *, limit: float = TIME_LIMIT) -> None:
        self.value = value
        self.flags = flags
        self.limit = limit
        self._strings: list[str] | None = None
        self._plain: re.Pattern[str] | None = None
        self._limited: Any = None
        self._longest = -1.0  # the longest text that `re` may search
        cost = None
        body = self._body()
        if body is not None:
            try:
                # Where case does not matter, looking for strings does not serve.
                self._strings = None if self._ignores_case else spell_out(body)
                cost = plain_cost(body) if self._strings is None else None
            except ValueError:
                pass
        if cost is not None:
            # `Cost` times the number of start positions, solved for the length of the text.
            self._longest = (MANY_STEPS / 2**cost.doublings) ** (1 / (cost.unbounded + 1))
        elif self._strings is None:
            self._limited = _compile_limited(value, flags)

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

    if pattern_size(value) > LARGEST:
        raise PatternError(f"its counted repeats make it too large (more than {LARGEST:,} pieces)", None)
    try:
        return regex.compile(value, regex.IGNORECASE if "i" in flags else 0)
    except regex.error as error:
        raise PatternError(error.msg, error.pos) from None
    except (OverflowError, RecursionError, ValueError) as error:
        raise PatternError(str(error) or type(error).__name__, None) from None


@lru_cache(maxsize=10_000)
def pattern(value: str, flags: str) -> Pattern:
    """The pattern for a rule, shared by all rules that are written alike."""
    return Pattern(value, flags)
