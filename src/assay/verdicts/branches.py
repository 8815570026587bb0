r"""Branches of a regular expression that change no verdict, since another branch matches wherever they do.

    idle_branches(tree("sun|moon|sunny"))  # -> [("sunny", "sun")]
    idle_branches(tree(r"\b(sun|sunny)\b"))  # -> []

A rule asks only whether there is a match, not where it ends: where nothing has to follow, `sun` is as good as `sunny`.
"""

from collections.abc import Iterator

from assay.verdicts.pattern_tree import ANY, Choice, Look, Node, One, Repeat, Series

_MANY = 300
"""Branches beyond which only equal ones are looked for: all pairs would take too long."""


def idle_branches(node: Node, *, caseless: bool = False) -> list[tuple[str, str]]:
    """Each such branch, and the branch that makes it idle."""
    return list(_idle(node, caseless, left=True, right=True))


def _idle(node: Node, caseless: bool, *, left: bool, right: bool) -> Iterator[tuple[str, str]]:
    """`left` and `right`: whether anything may stand before and after the node."""
    match node:
        case Choice():
            yield from _equal(node)
            yield from _contained(node, caseless, left, right)
            for branch in node.branches:
                yield from _idle(branch, caseless, left=left, right=right)
        case Series():
            last = len(node.parts) - 1
            for number, part in enumerate(node.parts):
                yield from _idle(
                    part,
                    caseless,
                    left=is_anything(node.parts[number - 1]) if number else left,
                    right=is_anything(node.parts[number + 1]) if number < last else right,
                )
        case Repeat():
            yield from _idle(node.part, caseless, left=False, right=False)
        case Look():
            yield from _idle(node.part, caseless, left=not node.ahead, right=node.ahead)


def is_anything(node: Node) -> bool:
    """Whether it is `.*`, which matches whatever stands there."""
    return isinstance(node, Repeat) and node.part == ANY and node.least == 0 and node.most is None


def _equal(choice: Choice) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for written in choice.written:
        # Templates put whole lists side by side, `(?:left)|(?:left)`, and equal ones are no slip of the author.
        if written in seen and "(" not in written:
            yield written, written
        seen.add(written)


def _contained(choice: Choice, caseless: bool, left: bool, right: bool) -> Iterator[tuple[str, str]]:
    if not (left or right) or len(choice.branches) > _MANY:
        return
    texts = [literal(branch) for branch in choice.branches]
    folded = [text.casefold() if caseless else text for text in texts]
    for text, long in zip(texts, folded, strict=True):
        for other, short in zip(texts, folded, strict=True):
            # An empty branch matches everywhere and is meant so: `(ly|)`.
            if not short or short == long or short not in long:
                continue
            if (left and right) or (right and long.startswith(short)) or (left and long.endswith(short)):
                yield text, other
                break


def literal(node: Node) -> str:
    """The text that a node stands for; empty where it may be several."""
    if isinstance(node, One):
        return node.literal
    if isinstance(node, Series) and all(isinstance(part, One) and part.literal for part in node.parts):
        return "".join(part.literal for part in node.parts if isinstance(part, One))
    return ""
