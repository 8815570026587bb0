r"""Whether a rule's regular expression can match at all, and which of its parts cannot.

    never(tree(r"two  spaces"))  # -> "space"
    dead_parts(tree(r"\b(and|–) I"))  # -> []
    dead_parts(tree(r" \b(and|–) I"))  # -> ["–"]

Rules see normalised texts: single spaces, none at the ends, `'` for its look-alikes, composed characters. A place in
such a text is described by what stands before it and what may stand after it; a part of a pattern leads from some
places to others, and what leads to none never matches. There are more places than in any text, so that what is called
dead is dead; what is not may be dead all the same.
"""

from collections.abc import Collection, Iterator
from functools import cache
from itertools import count
from typing import Literal

from assay.verdicts.pattern_tree import (
    EDGE,
    OTHER,
    SPACE,
    WORD,
    Choice,
    Edge,
    Look,
    Node,
    One,
    Repeat,
    Series,
    Trouble,
    Unknown,
    Unread,
)

Cause = Trouble | Literal["place"]
"""Why a pattern never matches: a character that no text has, or a place that is none (after `$`)."""

_TROUBLES: tuple[Trouble, ...] = ("apostrophe", "space", "composition")

_Place = tuple[int, int]
"""What stands before (one bit), what may stand after (bits)."""

_Places = frozenset[_Place]

_ROUNDS = 20
"""Repeats that are followed one by one; places are the same long before."""

MANY_STEPS = 200_000
"""Nodes that are visited at most. Repeats within repeats within repeats take more: nothing is known about those."""


@cache
def _after(before: int, loose: bool) -> int:
    """What may follow: no second space, and none at the ends, where texts are not `loose`."""
    return WORD | OTHER if before in (SPACE, EDGE) and not loose else SPACE | WORD | OTHER | EDGE


@cache
def _everywhere(loose: bool) -> _Places:
    return frozenset((before, _after(before, loose)) for before in (SPACE, WORD, OTHER, EDGE))


@cache
def _taken(places: _Places, kinds: int, loose: bool) -> _Places:
    """The places behind a character of these kinds."""
    follow = 0
    for _, after in places:
        follow |= after
    return frozenset((kind, _after(kind, loose)) for kind in (SPACE, WORD, OTHER) if kinds & follow & kind)


@cache
def _at_edge(places: _Places, sign: str) -> _Places:
    if sign == "^":
        return frozenset(place for place in places if place[0] == EDGE)
    kept = set()
    for before, after in places:
        # A boundary has a word on one side only.
        beside = ~WORD if (before == WORD) == (sign == "b") else WORD
        left = after & (EDGE if sign == "$" else beside)
        if left:
            kept.add((before, left))
    return frozenset(kept)


class _Walk:
    """Follows a pattern from places to places, forwards or backwards, and marks the parts that lead somewhere."""

    def __init__(
        self, excused: Collection[Trouble] = (), *, backwards: bool = False, steps: Iterator[int] | None = None
    ) -> None:
        self._excused = excused
        self._loose = "space" in excused
        self._backwards = backwards
        self._steps = count() if steps is None else steps
        self.alive: dict[tuple[int, int], bool] = {}

    @property
    def everywhere(self) -> _Places:
        return _everywhere(self._loose)

    def follow(self, node: Node, places: _Places) -> _Places:
        """The places where a match of the node that begins at one of these can end."""
        if next(self._steps) > MANY_STEPS:
            raise Unread("too many steps")
        if not places:
            return places
        match node:
            case One():
                kinds = node.kinds
                for trouble, some in node.lost:
                    if trouble in self._excused:
                        kinds |= some
                return _taken(places, kinds, self._loose)
            case Edge():
                sign = {"^": "$", "$": "^"}.get(node.sign, node.sign) if self._backwards else node.sign
                return _at_edge(places, sign)
            case Series():
                for part in reversed(node.parts) if self._backwards else node.parts:
                    places = self.follow(part, places)
                return places
            case Choice():
                ends: set[_Place] = set()
                for number, branch in enumerate(node.branches):
                    ends |= self._mark((node.place, number), self.follow(branch, places))
                return frozenset(ends)
            case Repeat():
                return self._repeated(node, places)
            case Look():
                return self._looked(node, places)
            case Unknown():
                return places | self.everywhere

    def _mark(self, part: tuple[int, int], ends: _Places) -> _Places:
        self.alive[part] = self.alive.get(part, False) or bool(ends)
        return ends

    def _repeated(self, node: Repeat, places: _Places) -> _Places:
        for _ in range(min(node.least, _ROUNDS)):
            places = self.follow(node.part, places)
        found = places
        rounds = _ROUNDS if node.most is None else min(node.most - node.least, _ROUNDS)
        for _ in range(rounds):
            places = self.follow(node.part, places)
            if node.least == 0:
                self._mark((node.place, -1), places)
            if places <= found:
                break
            found |= places
        return found

    def _looked(self, node: Look, places: _Places) -> _Places:
        # What is looked for is judged by itself: after `\b` a look-ahead for a letter is idle, but no mistake.
        inner = _Walk(self._excused, backwards=not node.ahead, steps=self._steps)
        self._mark((node.place, -1), inner.follow(node.part, inner.everywhere))
        self.alive |= inner.alive
        if node.negative or node.ahead == self._backwards:
            return places
        return frozenset(place for place in places if inner.follow(node.part, frozenset([place])))


def never(node: Node) -> Cause | None:
    """Why a pattern matches no normalised text; None where it may match one. `Unread` where that takes too long."""
    if _ends(node, ()):
        return None
    for trouble in _TROUBLES:
        if _ends(node, (trouble,)):
            return trouble
    # Several at once, or none of them.
    return "place" if not _ends(node, _TROUBLES) else next(_lost(node), "space")


def _ends(node: Node, excused: Collection[Trouble]) -> bool:
    walk = _Walk(excused)
    return bool(walk.follow(node, walk.everywhere))


def _lost(node: Node) -> Iterator[Trouble]:
    """The troubles with the characters of a pattern."""
    match node:
        case One():
            yield from (trouble for trouble, _ in node.lost)
        case Series():
            for part in node.parts:
                yield from _lost(part)
        case Choice():
            for branch in node.branches:
                yield from _lost(branch)
        case Repeat() | Look():
            yield from _lost(node.part)


def dead_parts(node: Node) -> list[str]:
    """Branches, optional parts and look-arounds of a pattern that can never match, as they are written."""
    dead: set[tuple[int, int]] = set()
    for backwards in (False, True):
        walk = _Walk(backwards=backwards)
        walk.follow(node, walk.everywhere)
        dead |= {part for part, alive in walk.alive.items() if not alive}
    return [written for part, written in _parts(node) if part in dead]


def _parts(node: Node) -> Iterator[tuple[tuple[int, int], str]]:
    match node:
        case Series():
            for part in node.parts:
                yield from _parts(part)
        case Choice():
            for number, branch in enumerate(node.branches):
                yield (node.place, number), node.written[number]
                yield from _parts(branch)
        case Repeat() | Look():
            yield (node.place, -1), node.written
            yield from _parts(node.part)
