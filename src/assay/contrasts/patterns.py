"""Matching patterns on trees, in the language of spaCy's `DependencyMatcher` but without spaCy.

    finder = Patterns(construction.one_of, construction.none_of, keyword="kw")
    finder.matches(tree, 4)  # whether word 4 is such a keyword
    finder.bind(tree, 4)  # -> {"kw": 4, "gov": 1}

A pattern is a tree of nodes whose relations are looked up from the keyword outwards, whichever node is written first.
The branches don't depend on each other (two nodes may be the same word, as in spaCy), and what was found out about a
node and a word is remembered, so that nothing is tried twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, eq, ge, gt, le, lt, ne
from typing import Any

from assay.contrasts.records import OTHER, Attribute, Condition, Construction, Node, Operator, Pattern, Predicate
from assay.contrasts.trees import Token, Tree
from assay.errors import BadOption
from assay.verdicts import RuleTimeout
from assay.verdicts import pattern as compiled_pattern

Test = Callable[[Token], bool]
Related = Callable[[Tree, int], Iterable[int]]


# Relations: from a word A to the words B for which `A operator B` holds


def _head(tree: Tree, place: int) -> tuple[int, ...]:
    head = tree.tokens[place].head
    return (head,) if head >= 0 else ()


def _children(tree: Tree, place: int) -> tuple[int, ...]:
    return tree.children[place]


def _ancestors(tree: Tree, place: int) -> Iterable[int]:
    head = tree.tokens[place].head
    while head >= 0:
        yield head
        head = tree.tokens[head].head


def _descendants(tree: Tree, place: int) -> Iterable[int]:
    found = list(tree.children[place])
    for child in found:  # the list grows while it is iterated: breadth first
        found += tree.children[child]
    return found


def _siblings(tree: Tree, place: int) -> Iterable[int]:
    head = tree.tokens[place].head
    return (sibling for sibling in tree.children[head] if sibling != place) if head >= 0 else ()


def _root(tree: Tree, place: int) -> int:
    while (head := tree.tokens[place].head) >= 0:
        place = head
    return place


def _among(words: Callable[[Tree, int], range]) -> Related:
    """Only words of the same sentence: a line may hold several, and precedence does not reach across."""

    def found(tree: Tree, place: int) -> list[int]:
        own = _root(tree, place)
        return [word for word in words(tree, place) if _root(tree, word) == own]

    return found


def _where(related: Related, side: Callable[[int, int], bool]) -> Related:
    """Only the words on one side: `side(A, B)`."""

    def found(tree: Tree, place: int) -> list[int]:
        return [word for word in related(tree, place) if side(place, word)]

    return found


def _just_before(left: int, right: int) -> bool:
    return left == right - 1


def _just_after(left: int, right: int) -> bool:
    return left == right + 1


RELATIONS: Mapping[Operator, Related] = {
    "<": _head,
    ">": _children,
    "<<": _ancestors,
    ">>": _descendants,
    ".": _among(lambda tree, place: range(place + 1, min(place + 2, len(tree)))),
    ".*": _among(lambda tree, place: range(place + 1, len(tree))),
    ";": _among(lambda _, place: range(max(place - 1, 0), place)),
    ";*": _among(lambda _, place: range(place)),
    # `A $+ B`: B is the sibling right after A; `A >- B`: B is the child right before A.
    "$+": _where(_siblings, _just_before),
    "$-": _where(_siblings, _just_after),
    "$++": _where(_siblings, lt),
    "$--": _where(_siblings, gt),
    ">+": _where(_children, _just_before),
    ">-": _where(_children, _just_after),
    ">++": _where(_children, lt),
    ">--": _where(_children, gt),
    "<+": _where(_head, _just_before),
    "<-": _where(_head, _just_after),
    "<++": _where(_head, lt),
    "<--": _where(_head, gt),
}

_PAIRS: tuple[tuple[Operator, Operator], ...] = (
    ("<", ">"), ("<<", ">>"), (".", ";"), (".*", ";*"), ("$+", "$-"), ("$++", "$--"),
    # Turned round, head and side change both: `A >+ B` (B is a child, just after A) is `B <- A`.
    (">+", "<-"), (">-", "<+"), (">++", "<--"), (">--", "<++"),
)  # fmt: skip

INVERSE: Mapping[Operator, Operator] = dict(_PAIRS) | {right: left for left, right in _PAIRS}
"""`A operator B` holds where `B INVERSE[operator] A` does."""


# Conditions on one word


_VALUES: Mapping[Attribute, Callable[[Token], Any]] = {
    "TEXT": attrgetter("form"),
    "LEMMA": attrgetter("lemma"),
    "POS": attrgetter("upos"),
    "TAG": attrgetter("xpos"),
    "DEP": attrgetter("deprel"),
    "LOWER": lambda token: token.form.lower(),
    "LENGTH": lambda token: len(token.form),
    "MORPH": lambda token: token.feature_pairs,
}

_COMPARE: Mapping[Predicate, Callable[[Any, Any], bool]] = {"==": eq, "!=": ne, ">=": ge, "<=": le, ">": gt, "<": lt}


def _test(condition: Condition) -> Test:
    attribute, predicate, values = condition.attribute, condition.predicate, condition.values
    value = _VALUES[attribute]
    if predicate == "REGEX":
        return _regex_test(attribute, values[0])
    if attribute == "MORPH":
        return _feature_test(predicate, values)
    wanted: Sequence[Any] = [int(number) for number in values] if attribute == "LENGTH" else values
    # `==` for any attribute; the others are for LENGTH only, as the reader makes sure.
    if predicate in _COMPARE:
        compare, one = _COMPARE[predicate], wanted[0]
        return lambda token: compare(value(token), one)
    known = frozenset(wanted)
    return (lambda token: value(token) in known) if predicate == "IN" else (lambda token: value(token) not in known)


def _feature_test(predicate: Predicate, values: tuple[str, ...]) -> Test:
    if predicate in ("IN", "NOT_IN"):
        sets = {_pairs(value) for value in values}
        return lambda token: (token.feature_pairs in sets) is (predicate == "IN")
    wanted = frozenset(values)
    if predicate == "IS_SUPERSET":
        # Asked of most words and true of few, so no set of pairs is built for it.
        pairs = [(name, value) for name, _, value in (pair.partition("=") for pair in values)]
        if len(pairs) == 1:
            ((only, wanted_value),) = pairs
            return lambda token: wanted_value in token.feats.get(only, "").split(",")
        return lambda token: all(value in token.feats.get(name, "").split(",") for name, value in pairs)
    if predicate == "IS_SUBSET":
        return lambda token: token.feature_pairs <= wanted
    if predicate == "INTERSECTS":
        return lambda token: not wanted.isdisjoint(token.feature_pairs)
    return lambda token: token.feature_pairs == wanted


def _pairs(features: str) -> frozenset[str]:
    named = (pair.partition("=") for pair in features.split("|") if pair)
    return frozenset(f"{name}={value}" for name, _, values in named for value in values.split(","))


def _regex_test(attribute: Attribute, pattern: str) -> Test:
    # As in suites, with their limits: a pattern that comes with a file must neither hang the run nor fill the memory.
    compiled, value = compiled_pattern(pattern, ""), _VALUES[attribute]

    def test(token: Token) -> bool:
        text = token.morph if attribute == "MORPH" else value(token)
        try:
            return compiled.search(text) is not None
        except RuleTimeout:
            raise BadOption(f"the REGEX {pattern!r} takes too long on {text[:80]!r}; simplify it") from None

    return test


# Patterns


@dataclass(frozen=True, slots=True)
class _Branch:
    """A node of a pattern with the nodes behind it, seen from the keyword."""

    id: str
    tests: tuple[Test, ...]
    branches: tuple[tuple[Related, "_Branch"], ...]

    def matches(self, tree: Tree, place: int, known: "Known") -> bool:
        if not self.branches:
            return self.fits(tree.tokens[place])
        key = id(self), place
        found = known.get(key)
        if found is None:
            # Without remembering, a chain of nodes would try every way through the sentence.
            found = known[key] = self.fits(tree.tokens[place]) and self._has_branches(tree, place, known)
        return found

    # Plain loops instead of `all` and `any`: these run for every word of every tree.

    def fits(self, token: Token) -> bool:
        for test in self.tests:  # noqa: SIM110
            if not test(token):
                return False
        return True

    def _has_branches(self, tree: Tree, place: int, known: "Known") -> bool:
        for related, branch in self.branches:
            for word in related(tree, place):
                if branch.matches(tree, word, known):
                    break
            else:
                return False
        return True

    def bind(self, tree: Tree, place: int, known: "Known") -> dict[str, int]:
        """The first word of each node, given that this one matches."""
        found = {self.id: place}
        for related, branch in self.branches:
            first = next(word for word in related(tree, place) if branch.matches(tree, word, known))
            found |= branch.bind(tree, first, known)
        return found


Known = dict[tuple[int, int], bool]
"""(identity of a branch, word) -> whether it matches there."""


def _compile(pattern: Pattern, keyword: str) -> _Branch:
    nodes = {node.id: node for node in pattern}
    edges: dict[str, list[tuple[Operator, str]]] = {name: [] for name in nodes}
    for node in pattern:
        if node.operator is not None:
            edges[node.left].append((node.operator, node.id))
            # Both ways, so that the search can start at the keyword, wherever it stands in the pattern.
            edges[node.id].append((INVERSE[node.operator], node.left))

    def branch(node: Node, came_from: str | None) -> _Branch:
        return _Branch(
            node.id,
            tuple(map(_test, node.conditions)),
            tuple(
                (RELATIONS[operator], branch(nodes[other], node.id))
                for operator, other in edges[node.id]
                if other != came_from
            ),
        )

    return branch(nodes[keyword], None)


class Patterns:
    """Words that fit one of `one_of`, and none of `none_of`, as the keyword; an empty `one_of` fits every word."""

    def __init__(self, one_of: Iterable[Pattern], none_of: Iterable[Pattern] = (), *, keyword: str) -> None:
        self._keyword = keyword
        self._one_of = [_compile(pattern, keyword) for pattern in one_of]
        self._none_of = [_compile(pattern, keyword) for pattern in none_of]
        self._last: tuple[Tree | None, Known] = None, {}

    @classmethod
    def of(cls, construction: Construction) -> "Patterns":
        """The patterns of a construction, ready to be matched."""
        return cls(construction.one_of, construction.none_of, keyword=construction.keyword)

    def matches(self, tree: Tree, place: int) -> bool:
        """Whether a word is a keyword of these patterns."""
        return (not self._one_of or self._fits_one(self._one_of, tree, place)) and not self._fits_one(
            self._none_of, tree, place
        )

    def _fits_one(self, patterns: Sequence[_Branch], tree: Tree, place: int) -> bool:
        # Most words are none of these by what they are themselves, and nothing is to be remembered of them.
        token = tree.tokens[place]
        for pattern in patterns:  # noqa: SIM110
            if pattern.fits(token) and pattern.matches(tree, place, self._known(tree)):
                return True
        return False

    def _known(self, tree: Tree) -> Known:
        """What was found in this tree; of the trees before nothing is kept. One assignment, for the sake of threads."""
        last = self._last
        if last[0] is not tree:
            last = self._last = tree, {}
        return last[1]

    def bind(self, tree: Tree, place: int) -> dict[str, int] | None:
        """Node -> word for the first pattern that matches; None where `matches` is false."""
        if not self.matches(tree, place):
            return None
        known = self._known(tree)
        fitting = (pattern.bind(tree, place, known) for pattern in self._one_of if pattern.matches(tree, place, known))
        return next(fitting, {self._keyword: place})

    def places(self, tree: Tree) -> list[int]:
        """All words of a tree that are keywords of these patterns."""
        return [place for place in range(len(tree)) if self.matches(tree, place)]


class SubtypeFinder:
    """Finds the subtype of an instance of a construction: the first in the file's order that it fits."""

    def __init__(self, construction: Construction) -> None:
        self._subtypes = [
            (known.name, Patterns(known.one_of, known.none_of, keyword=construction.keyword))
            for known in construction.subtypes
        ]

    def find(self, tree: Tree, place: int) -> str:
        """Its name; empty where the construction has no subtypes."""
        fitting = (name for name, patterns in self._subtypes if patterns.matches(tree, place))
        return next(fitting, OTHER) if self._subtypes else ""
