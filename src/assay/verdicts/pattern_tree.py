r"""A regular expression as a tree, for those who ask what it can match.

    tree(r"\b(sun|moon)$")  # -> Series((Edge("b"), Choice(…), Edge("$")))

Only what stands in rules is read, and only where both engines read it alike. `Unread` says that a pattern has something
else: then nothing is known about it. A tree may stand for more texts than the pattern matches, never for fewer.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal
from unicodedata import category, normalize

from assay.text import normalise

SPACE, WORD, OTHER, EDGE = 1, 2, 4, 8
"""What can stand beside a place in a text, as bits: a space, a character of a word, another one, nothing."""

Trouble = Literal["apostrophe", "space", "composition"]
"""Why a character is in no normalised text."""


class Unread(ValueError):
    """A pattern with a piece that is not read here."""


@dataclass(frozen=True, slots=True)
class One:
    """A character: the `kinds` that it may be of, and of which kinds it is any (`whole`).

    `lost` has the kinds of those that no text has, by the trouble with them.
    """

    kinds: int
    whole: int = 0
    lost: tuple[tuple[Trouble, int], ...] = ()
    literal: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    r"""A place: `^`, `$`, `b` for `\b`, `B` for `\B`."""

    sign: Literal["^", "$", "b", "B"]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any text, or none: what an earlier group matched."""


@dataclass(frozen=True, slots=True)
class Series:
    """Parts one after the other; none is the empty text."""

    parts: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Choice:
    """Branches, with how each is written; `place` tells choices of a pattern apart."""

    branches: "tuple[Node, ...]"
    written: tuple[str, ...]
    place: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part several times; `most` is None where there is no limit."""

    part: "Node"
    least: int
    most: int | None
    written: str
    place: int


@dataclass(frozen=True, slots=True)
class Look:
    """A look-around."""

    part: "Node"
    ahead: bool
    negative: bool
    written: str
    place: int


Node = One | Edge | Unknown | Series | Choice | Repeat | Look

_GROUP = re.compile(r"\((?P<sort>\?(?:[:>=!]|<[=!]|i:|P?<[A-Za-z_]\w*>))?(?!\?)")
_TIMES = re.compile(r"(?:(?P<sign>[*+?])|\{(?P<least>\d{0,4})(?P<range>,(?P<most>\d{0,4}))?\})[?+]?")
_TIMES_BEGIN = frozenset("*+?{")
_SPECIAL = frozenset(r"\([.^$*+?{")
_SIGNS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_ESCAPE = re.compile(
    r"\\(?:x(?P<x>[0-9A-Fa-f]{2})|u(?P<u>[0-9A-Fa-f]{4})|(?P<property>[pP])\{[^{}]*\}|(?P<sign>.))", re.S
)
ANY = One(SPACE | WORD | OTHER, SPACE | WORD | OTHER)
"""The dot."""

_CLASSES = {
    "d": One(WORD),
    "w": One(WORD, WORD),
    "s": One(SPACE, SPACE),
    "D": One(SPACE | WORD | OTHER, SPACE | OTHER),
    "W": One(SPACE | OTHER, SPACE | OTHER),
    "S": One(WORD | OTHER, WORD | OTHER),
}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_EDGES = {"b": Edge("b"), "B": Edge("B"), "A": Edge("^"), "Z": Edge("$")}
_WIDEST = 1_000
"""Characters of a range that are looked at one by one."""


def tree(pattern: str) -> Node:
    """The tree of a pattern that compiles; `Unread` where a piece of it is not known here."""
    reader = _PatternReader(pattern.removeprefix("(?i)"))
    found = reader.choice()
    if not reader.is_done:
        raise Unread(pattern)
    return found


@cache
def character(sign: str) -> One:
    """A character that stands for itself."""
    if sign == " ":
        return One(SPACE, SPACE, literal=sign)
    if sign.isspace():
        return _lost("space", SPACE, sign)
    if normalize("NFC", sign) != sign:
        return _lost("composition", _kind(sign), sign)
    if normalise(sign) != sign:
        return _lost("apostrophe", OTHER, sign)
    return One(_kind(sign), literal=sign)


def _lost(trouble: Trouble, kinds: int, sign: str) -> One:
    return One(0, lost=((trouble, kinds),), literal=sign)


def _kind(sign: str) -> int:
    if sign.isalpha() or sign.isdecimal() or sign == "_":
        return WORD
    # What the two engines, or their versions, may class differently is both.
    return OTHER if category(sign)[0] in "PSZ" and sign != "\u2040" else WORD | OTHER


class _PatternReader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0

    @property
    def is_done(self) -> bool:
        return self.at == len(self.pattern)

    @property
    def _next(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def choice(self) -> Node:
        """Up to the end of the group or pattern."""
        place, start = self.at, self.at
        branches, written = [self._row()], [self.pattern[start : self.at]]
        while self._next == "|":
            self.at += 1
            start = self.at
            branches.append(self._row())
            written.append(self.pattern[start : self.at])
        return branches[0] if len(branches) == 1 else Choice(tuple(branches), tuple(written), place)

    def _row(self) -> Node:
        parts: list[Node] = []
        while (sign := self._next) and sign not in "|)":
            start = self.at
            part = self._part(sign)
            times = _TIMES.match(self.pattern, self.at) if self._next in _TIMES_BEGIN else None
            if times:
                part = self._repeat(part, times, start)
            elif self._next == "{":
                # Fuzzy matching, or a brace that stands for itself.
                raise Unread(self.pattern)
            elif isinstance(part, One) and parts and isinstance(parts[-1], One):
                part = _composed(parts[-1], part)
            parts.append(part)
        return parts[0] if len(parts) == 1 else Series(tuple(parts))

    def _repeat(self, part: Node, times: re.Match[str], start: int) -> Node:
        if times["sign"]:
            least, most = _SIGNS[times["sign"]]
        elif not times["least"] and not times["most"]:
            raise Unread(self.pattern)
        else:
            least = int(times["least"] or 0)
            most = (int(times["most"]) if times["most"] else None) if times["range"] else least
        written = self.pattern[start : self.at]
        self.at = times.end()
        if _TIMES.match(self.pattern, self.at):
            raise Unread(self.pattern)
        return Repeat(part, least, most, written, start)

    def _part(self, sign: str) -> Node:
        if sign not in _SPECIAL:
            self.at += 1
            return character(sign)
        if sign == "(":
            return self._group()
        if sign == "[":
            return self._set()
        if sign == "\\":
            return self._escape()
        if sign in "*+?{":
            raise Unread(self.pattern)
        self.at += 1
        if sign in "^$":
            return Edge("^" if sign == "^" else "$")
        return ANY

    def _group(self) -> Node:
        start = self.at
        opening = _GROUP.match(self.pattern, start)
        self.depth += 1
        if opening is None or self.depth > 40:
            raise Unread(self.pattern)
        self.at = opening.end()
        inner = self.choice()
        if self._next != ")":
            raise Unread(self.pattern)
        self.at += 1
        self.depth -= 1
        sort = (opening["sort"] or "")[1:]
        if sort in ("=", "!", "<=", "<!"):
            return Look(inner, "<" not in sort, sort.endswith("!"), self.pattern[start : self.at], start)
        return inner

    def _escape(self) -> Node:
        found = _ESCAPE.match(self.pattern, self.at)
        if found is None:
            raise Unread(self.pattern)
        sign = found["sign"] or ""
        if sign in _EDGES:
            self.at = found.end()
            return _EDGES[sign]
        if sign.isdecimal() and sign != "0":
            self.at = found.end()
            return Unknown()
        return self._escaped()

    def _escaped(self) -> One:
        """An escape that stands for a character."""
        found = _ESCAPE.match(self.pattern, self.at)
        if found is None:
            raise Unread(self.pattern)
        self.at = found.end()
        if found["property"]:
            return One(SPACE | WORD | OTHER)
        code = found["x"] or found["u"]
        if code:
            return character(chr(int(code, 16)))
        sign = found["sign"]
        if sign in _CLASSES:
            return _CLASSES[sign]
        if sign in _CONTROLS:
            return character(_CONTROLS[sign])
        if sign.isalnum():
            raise Unread(self.pattern)
        return character(sign)

    def _set(self) -> One:
        self.at += 1
        negative = self._next == "^"
        self.at += negative
        members: list[One] = []
        first = True
        while first or self._next != "]":
            first = False
            members += self._member()
        self.at += 1
        if negative:
            whole = 0
            for one in members:
                whole |= one.whole
            return One((SPACE | WORD | OTHER) & ~whole)
        kinds = 0
        lost: dict[Trouble, int] = {}
        for one in members:
            kinds |= one.kinds
            for trouble, some in one.lost:
                lost[trouble] = lost.get(trouble, 0) | some
        return One(kinds, lost=tuple(lost.items()))

    def _member(self) -> list[One]:
        """A character, class or range of a set."""
        if self._next == "" or self.pattern.startswith(("[:", "--", "&&", "||", "~~"), self.at):
            raise Unread(self.pattern)
        start = self._single()
        if self._next != "-" or self.pattern[self.at + 1 : self.at + 2] in ("]", ""):
            return [start]
        self.at += 1
        if self._next == "[":
            raise Unread(self.pattern)
        end = self._single()
        if not start.literal or not end.literal:
            raise Unread(self.pattern)
        low, high = ord(start.literal), ord(end.literal)
        if high - low > _WIDEST:
            return [One(SPACE | WORD | OTHER)]
        return [character(chr(code)) for code in range(low, high + 1)]

    def _single(self) -> One:
        if self._next == "\\":
            if self.pattern[self.at + 1 : self.at + 2] == "b":
                # In a set it is a backspace.
                self.at += 2
                return character("\b")
            return self._escaped()
        sign = self._next
        self.at += 1
        return character(sign)


def _composed(before: One, one: One) -> One:
    """A mark after its letter: texts have both as one character, where there is one."""
    if not one.literal or not before.literal or category(one.literal)[0] != "M":
        return one
    both = before.literal + one.literal
    return one if normalize("NFC", both) == both else _lost("composition", one.kinds, one.literal)
