"""Patterns that are plain enough to be understood before they are compiled.

    >>> spell_out("(lock|key)s?")
    ['locks', 'lock', 'keys', 'key']
    >>> outline(r"\\b(?:is|was) (?:locked|closed)\\b").needed
    (('locked', 'closed'), ('is', 'was'))

Compiling takes most of the time of a small evaluation, and most rules of a suite never come near a match. What is read
here in a twentieth of the time says which strings a text must hold, and how long a search can take at worst. Lint asks
more of a pattern and has time: `pattern_tree` reads all of it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial, inf, log2

MANY_STRINGS = 64
"""A pattern that stands for more strings than this is not spelled out."""

DEEP = 50
"""Groups within groups beyond which an engine could run out of stack."""


class NotPlain(ValueError):
    """A pattern that has to be compiled to be understood, or that does not compile."""


_ONE = r"""[^\\\[\](){}|?*+.^$] | \\[.,;:!?'"()\[\]{}|*+/^$\-\\ ]"""
"""A character that stands for itself; escapes are those that both engines read alike."""

_TIMES = r"(?: [*+?] | \{\d\d?(?:,\d\d?)?\} ) [?+]? "
"""A quantifier: greedy, lazy or possessive."""

# Pieces of a plain pattern. A quantifier belongs to the piece before it.
_PIECE = re.compile(
    rf"""
    (?P<run> [^\\\[\](){{}}|?*+.^$]+ (?![*+?{{]) )
  | (?P<atom> (?: {_ONE}
                | \\[dDsSwW] | \.
                | \[\^? (?: -(?![\]\-]) )?
                  (?: a-z | A-Z | 0-9 | [^\\\[\]&|~^\-] | [&|~](?![&|~]) | \\[dsw"'.,;:!?] | -(?=\]) )+ \] )
        (?P<times> {_TIMES} )? (?![*+?{{]) )
  | (?P<edge> (?: [\^$] | \\[bB] ) (?![*+?{{]) )
  | (?P<open> \( (?: \?(?: : | <?[=!] ) )? (?!\?) )
  | (?P<close> \) (?P<again> {_TIMES} )? (?![*+?{{]) )
  | (?P<or> \| )
    """,
    re.VERBOSE,
)

# Of these, the pieces that stand for a few strings: classes, dots and repeats stand for too many, and of quantifiers
# only `?` adds just one. Read as strings, without groups: matches take four times as long.
_STRING_PIECE = re.compile(
    rf"""
    [^\\\[\](){{}}|?*+.^$]+ (?![*+?{{])
  | (?: {_ONE} | \) ) \?? (?![*+?{{])
  | \| | \( (?: \?: )? (?!\?)
    """,
    re.VERBOSE,
)

# A character of any kind, as look-behinds have them.
_SINGLE = re.compile(rf"{_ONE} | \\[dDsSwW] | \. | \[ [^\\\[\]|]+ \]", re.VERBOSE)
_SINGLES = re.compile(rf"(?: {_SINGLE.pattern} )+", re.VERBOSE)

_CHARACTER = re.compile(_ONE, re.VERBOSE)
_CHARACTERS = re.compile(rf"(?: {_ONE} ) (?: \| (?: {_ONE} ) )*", re.VERBOSE)


def pieces(pattern: str) -> Iterator[re.Match[str]]:
    """The pieces of a plain pattern; NotPlain where it is not plain."""
    end = 0
    for piece in _PIECE.finditer(pattern):
        if piece.start() != end:
            break
        yield piece
        end = piece.end()
    if end != len(pattern):
        raise NotPlain(pattern)


def spell_out(pattern: str) -> list[str] | None:
    """The strings that a pattern stands for, in the order in which an engine tries them; None if there are too many."""
    found = _STRING_PIECE.findall(pattern)
    # What `findall` skips fits no piece.
    if sum(map(len, found)) < len(pattern):
        return None
    stack: list[tuple[list[str], list[str]]] = []
    done: list[str] = []  # finished alternatives of the innermost open group
    heads = [""]  # the current alternative, as far as it was read
    for piece in found:
        sign = piece[0]
        if sign == "|":
            done += heads
            heads = [""]
            continue
        if sign == "(":
            stack.append((done, heads))
            done, heads = [], [""]
            continue
        if sign == ")":
            if not stack:
                return None
            tails = done + heads
            done, heads = stack.pop()
            if len(piece) > 1:
                tails.append("")
        elif sign == "\\":
            tails = [piece[1]] if len(piece) == 2 else [piece[1], ""]
        elif piece[-1] == "?":
            tails = [sign, ""]
        else:
            heads = [head + piece for head in heads]
            continue
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
    anchored: bool = False
    """Whether a match can only start where the text does."""

    def longest(self, steps: int) -> float:
        """The length of the texts in which a search takes at most so many steps.

        Repeats in a row end one after the other, so that of n^k ways to place k ends only one of k! has them in order.
        """
        ends = self.unbounded + (not self.anchored)
        # As a logarithm: a pattern of hundreds of repeats has more ways than a float holds.
        ways = log2(steps * factorial(ends)) - self.doublings
        if not ends:
            return inf if ways >= 0 else 0.0
        # Ends may also fall together: there are no more ways than to place them, all different, in a text longer by k.
        return float(2 ** (ways / ends)) - ends


@dataclass(frozen=True, slots=True)
class Outline:
    """What a plain pattern says before it is compiled."""

    cost: Cost | None
    """None where the ways are too many to be counted, or where `re` does not know what `regex` knows."""
    needed: tuple[tuple[str, ...], ...]
    """Of each of these every text that matches holds a string, the longest first: they are the rarest."""


_Needed = tuple[tuple[int, tuple[str, ...]], ...]
"""The length of the shortest string, without blanks, and strings of which one is needed; of pieces in a row."""

_Ways = tuple[int, float]
"""Unbounded repeats and doublings."""

_Row = tuple[int, float, _Needed]
"""The same of a finished alternative, and what it needs."""


def outline(pattern: str) -> Outline:
    """What a plain pattern with balanced groups says, which certainly compiles; NotPlain where it is not plain.

    The costs of pieces in a row multiply, those of alternatives add up. All is needed of what pieces in a row need; of
    what an alternative needs, the longest is put together with that of the others. What a look-ahead found is never
    looked for again in another way: after what stands before it, it costs something and what follows costs something.
    """
    # Of each open group: how it was opened, its finished alternatives, and the current one of the group around it.
    stack: list[tuple[str, list[_Row], int, float, _Needed, list[_Ways]]] = []
    done: list[_Row] = []
    unbounded, doublings = 0, 0.0
    needed: _Needed = ()
    looked: list[_Ways] = []  # the ways of the row so far with those of a look-ahead, for each that stands in it
    counted = True
    begin = 0
    for piece in pieces(pattern):
        kind = piece.lastgroup
        if kind == "run":
            length = len(piece[0].strip())
            if length:
                needed = (*needed, (length, (piece[0],)))
        elif kind == "atom":
            if times := piece["times"]:
                least, most = _bounds(times)
                counted = counted and not _is_possessive(times)
                if most is None:
                    unbounded += 1
                else:
                    doublings += log2(most - least + 1)
        elif kind == "or":
            done.append((*_added(unbounded, doublings, looked), needed))
            unbounded, doublings, needed, looked = 0, 0.0, (), []
        elif kind == "open":
            if len(stack) == DEEP:
                raise NotPlain(pattern)
            stack.append((piece[0], done, unbounded, doublings, needed, looked))
            done, unbounded, doublings, needed, looked = [], 0, 0.0, (), []
            # What begins after the last opening and holds another group is no row of single characters.
            begin = piece.end()
        elif kind == "close":
            if not stack:
                raise NotPlain(pattern)
            done.append((*_added(unbounded, doublings, looked), needed))
            inside, more, found = _alternatives(done)
            if len(done) > 1 and _are_different_characters(pattern[begin : piece.start()]):
                more = 0.0
            opening, done, unbounded, doublings, needed, looked = stack.pop()
            least, most = _bounds(piece["again"]) if piece["again"] else (1, 1)
            if opening not in ("(", "(?:"):
                if piece["again"]:
                    raise NotPlain(pattern)
                # `re` looks behind over a fixed width only.
                counted = counted and not (opening.startswith("(?<") and not _is_wide(pattern[begin : piece.start()]))
                looked.append((unbounded + inside, doublings + more))
                continue
            # A group again and again has too many ways to be counted.
            if most is None or _is_possessive(piece["again"]):
                counted = False
            else:
                unbounded += most * inside
                doublings += most * more + log2(most - least + 1)
            if least:
                needed += found
    if stack:
        raise NotPlain(pattern)
    is_anchored = pattern.startswith("^") and not done
    done.append((*_added(unbounded, doublings, looked), needed))
    unbounded, doublings, needed = _alternatives(done)
    longest_first = sorted(needed, key=lambda one: -one[0])
    cost = Cost(unbounded, doublings, is_anchored) if counted and doublings < 1000 else None
    return Outline(cost, tuple(strings for _, strings in longest_first))


def _is_possessive(times: str | None) -> bool:
    """Whether it keeps what it took; that is left to `regex`."""
    return times is not None and len(times) > 1 and times[-1] == "+"


def _bounds(times: str) -> tuple[int, int | None]:
    """How often at least and at most."""
    if times[0] != "{":
        return (1 if times[0] == "+" else 0), (1 if times[0] == "?" else None)
    least, _, most = times.rstrip("?+")[1:-1].partition(",")
    if int(most or least) < int(least):
        raise NotPlain(times)
    return int(least), int(most or least)


def _are_different_characters(alternatives: str) -> bool:
    """Whether they are like those of `(/|-)`, of which only one can match."""
    if not _CHARACTERS.fullmatch(alternatives):
        return False
    # Of `-` and `\\-`, which are the same, the last character.
    found = [one[-1] for one in _CHARACTER.findall(alternatives)]
    return len(set(found)) == len(found)


def _is_wide(pattern: str) -> bool:
    """Whether alternatives without groups and repeats are as long as each other, as `(?<!at|by)` has them."""
    found = [one.removeprefix(r"\b").removesuffix(r"\b") for one in pattern.split("|")]
    return all(map(_SINGLES.fullmatch, found)) and len({len(_SINGLE.findall(one)) for one in found}) == 1


def _added(unbounded: int, doublings: float, looked: list[_Ways]) -> _Ways:
    """The ways of a row, and those of its look-aheads."""
    if not looked:
        return unbounded, doublings
    ways = sum(2.0 ** min(more, 1000.0) for _, more in looked) + 2.0 ** min(doublings, 1000.0)
    return max(unbounded, *(inside for inside, _ in looked)), log2(ways)


def _alternatives(found: list[_Row]) -> _Row:
    if len(found) == 1:
        return found[0]
    ways = sum(2.0 ** min(doublings, 1000.0) for _, doublings, _ in found)
    # One alternative that needs nothing, and nothing is needed.
    rarest = [max(needed, key=lambda one: one[0], default=(0, ())) for _, _, needed in found]
    strings = tuple(string for _, alternative in rarest for string in alternative)
    shortest = min(length for length, _ in rarest)
    kept: _Needed = ((shortest, strings),) if shortest and len(strings) <= MANY_STRINGS else ()
    return max(unbounded for unbounded, _, _ in found), log2(ways), kept
