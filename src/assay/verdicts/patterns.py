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
from itertools import chain
from math import factorial, log2
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


_ONE = r"""[^\\\[\](){}|?*+.^$] | \\[.,;:!?'"()\[\]{}|*+/^$\-\\ ]"""
"""A character that stands for itself; escapes are those that both engines read alike."""

# Pieces of a plain pattern. A quantifier belongs to the piece before it; groups are capturing, non-capturing or
# look-ahead. What fits none of these goes to `regex`.
_PIECE = re.compile(
    rf"""
    (?P<run> [^\\\[\](){{}}|?*+.^$]+ (?![*+?{{]) )
  | (?P<atom> (?: {_ONE}
                | \\[dDsSwW] | \.
                | \[\^? (?: a-z | A-Z | 0-9 | [^\\\[\]&|~^\-] | [&|~](?![&|~]) | \\[dsw] | -(?=\]) )+ \] )
        (?P<times> [*+?]\?? | \{{\d\}} )? (?![*+?{{]) )
  | (?P<edge> (?: [\^$] | \\[bB] ) (?![*+?{{]) )
  | (?P<open> \( (?: \?[:=!] )? (?!\?) )
  | (?P<close> \) (?P<maybe> \? )? (?![*+?{{]) )
  | (?P<or> \| )
    """,
    re.VERBOSE,
)

# Of these, the pieces that stand for a few strings: classes, dots and repeats stand for too many, and of quantifiers
# only `?` adds just one. Read as tuples (run, one character, end of a group, `?`, other sign), which take half the time
# of matches: every pattern of a suite is read.
_STRING_PIECE = re.compile(
    rf"""
    ( [^\\\[\](){{}}|?*+.^$]+ (?![*+?{{]) )
  | (?: ( {_ONE} ) | ( \) ) ) ( \?? ) (?![*+?{{])
  | ( \| | \( (?: \?: )? (?!\?) )
    """,
    re.VERBOSE,
)

_CHARACTER = re.compile(_ONE, re.VERBOSE)
_CHARACTERS = re.compile(rf"(?: {_ONE} ) (?: \| (?: {_ONE} ) )*", re.VERBOSE)

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
    pieces = _STRING_PIECE.findall(pattern)
    # What `findall` skips fits no piece.
    if sum(map(len, chain.from_iterable(pieces))) < len(pattern):
        return None
    stack: list[tuple[list[str], list[str]]] = []
    done: list[str] = []  # finished alternatives of the innermost open group
    heads = [""]  # the current alternative, as far as it was read
    for run, one, _, maybe, sign in pieces:
        if run:
            heads = [head + run for head in heads]
            continue
        if sign == "|":
            done += heads
            heads = [""]
            continue
        if sign:
            stack.append((done, heads))
            done, heads = [], [""]
            continue
        if one:
            tails = [one[-1]]
        elif stack:
            tails = done + heads
            done, heads = stack.pop()
        else:
            return None
        if maybe:
            tails.append("")
        # Heads outside, tails inside: the order in which a backtracking engine would try the combinations.
        heads = [head + tail for head in heads for tail in tails]
        if len(heads) + len(done) > MANY_STRINGS:
            return None
    return None if stack or len(done) + len(heads) > MANY_STRINGS else done + heads


@dataclass(frozen=True, slots=True)
class Cost:
    """What a search costs at worst: 2^doublings steps for each way to place its start and its unbounded repeats."""

    unbounded: int = 0
    doublings: float = 0.0

    def longest(self, steps: int, *, ordered: bool) -> float:
        """The length of the texts in which a search takes at most so many steps.

        Repeats in a row end one after the other, so that of n^k ways to place k ends only one of k! has them in order.
        What a look-ahead repeats ends wherever it likes.
        """
        ends = self.unbounded + 1
        ways = steps * (factorial(ends) if ordered else 1) / 2**self.doublings
        # Ends may also fall together: there are no more ways than to place them, all different, in a text longer by k.
        return float(ways ** (1 / ends)) - (ends if ordered else 0)


def plain_cost(pattern: str) -> Cost | None:
    """The cost of a plain pattern with balanced groups, which `re` certainly compiles; otherwise None.

    The costs of pieces in a row multiply, those of alternatives add up.
    """
    stack: list[tuple[list[Cost], Cost]] = []
    done: list[Cost] = []
    current = Cost()
    begin = 0
    for piece in _pieces(pattern):
        kind = piece.lastgroup
        if kind == "open":
            if len(stack) == DEEP:
                return None
            stack.append((done, current))
            done, current = [], Cost()
            # What begins after the last opening and holds another group is no row of single characters.
            begin = piece.end()
        elif kind == "close":
            if not stack:
                return None
            group = _alternatives([*done, current])
            if _are_different_characters(pattern[begin : piece.start()]):
                group = Cost()
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


def _are_different_characters(alternatives: str) -> bool:
    """Whether they are like those of `(/|-)`, of which only one can match."""
    if not _CHARACTERS.fullmatch(alternatives):
        return False
    # Of `-` and `\\-`, which are the same, the last character.
    found = [one[-1] for one in _CHARACTER.findall(alternatives)]
    return len(set(found)) == len(found)


def _alternatives(costs: list[Cost]) -> Cost:
    return Cost(max(cost.unbounded for cost in costs), log2(sum(2**cost.doublings for cost in costs)))


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
            self._longest = cost.longest(MANY_STEPS, ordered="(?=" not in value and "(?!" not in value)
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
