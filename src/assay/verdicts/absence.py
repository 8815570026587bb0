r"""Fail by absence: rules that call a text wrong for want of a word.

    found = absence(tree(r"^(?!.*\b(only|just|alone)\b).*\binvited\b"))
    found.rest(r"^(?!.*\b(only|just|alone)\b).*\binvited\b")  # -> r"^.*\binvited\b"

Such a fail rule turns every right rendering that its author did not think of into a failure. It is no harm where the
rest of the rule shows the error itself, and that can be tried: then right translations do not match the rest.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from assay.verdicts.branches import is_anything
from assay.verdicts.pattern_tree import Choice, Edge, Look, Node, One, Repeat, Series

FEW = 3
"""From so many words on a list is taken for an open one: it could always have another word."""


@dataclass(frozen=True, slots=True)
class Absence:
    """The look-aheads of a rule that forbid words anywhere, as they are written.

    `alone` says that the rule asks for nothing else.
    """

    lists: tuple[str, ...]
    alone: bool

    def rest(self, pattern: str) -> str:
        """The pattern without them."""
        for written in self.lists:
            pattern = pattern.replace(written, "", 1)
        return pattern


def absence(node: Node) -> Absence | None:
    """The words that a pattern forbids; None where it forbids none, or a few that may well be all there are."""
    branches = node.branches if isinstance(node, Choice) else (node,)
    lists: list[str] = []
    alone = False
    for branch in branches:
        parts = branch.parts if isinstance(branch, Series) else (branch,)
        looks = [look for look in _leading(parts) if look.ahead and look.negative]
        words = [_words(look.part) for look in looks]
        # Nothing but words is asked for, and these must not be there: `^(?!.*\bword\b)`.
        if looks and all(words) and all(_asks_nothing(part) or part in looks for part in parts):
            alone = True
            lists += [look.written for look in looks]
        else:
            lists += [look.written for look, number in zip(looks, words, strict=True) if number >= FEW]
    return Absence(tuple(lists), alone) if lists else None


def _leading(parts: tuple[Node, ...]) -> Iterator[Look]:
    """The look-arounds at the beginning."""
    for part in parts:
        if isinstance(part, Look):
            yield part
        elif not isinstance(part, Edge):
            return


def _asks_nothing(node: Node) -> bool:
    return is_anything(node) or (isinstance(node, Edge) and node.sign in "^$")


def _words(node: Node) -> int:
    """The words of a list that is looked for anywhere: 2 for `.*\b(only|just)\b`; 0 for anything else."""
    if not isinstance(node, Series) or not node.parts or not is_anything(node.parts[0]):
        return 0
    return _alternatives(node)


def _alternatives(node: Node) -> int:
    match node:
        case One():
            return int(node.literal.isalpha())
        case Series():
            return max((_alternatives(part) for part in node.parts), default=0)
        case Choice():
            return sum(_alternatives(branch) for branch in node.branches)
        case Repeat() | Look():
            return _alternatives(node.part)
        case _:
            return 0
