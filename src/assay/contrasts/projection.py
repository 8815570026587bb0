"""Projection of a keyword along its links to the word that translates it.

    project(source, 4, target, links)  # -> Projection(word=7, reason="", governor_words=frozenset({2}))

Function words are skipped, but an auxiliary or a copula stands for the head of its clause. Where several words
are left, those that translate the keyword's governor come last; then predicates are preferred, then words that are
higher in the tree, then the first in the sentence.

A keyword without a link of its own is found through its dependents: what they are linked to depends on a word of the
target, and where no other word of the source is linked to that one, it is taken. A keyword that is linked to a
conjunction only (`aby`) is found in its clause, on the same condition.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache

from assay.contrasts.trees import Links, Tree
from assay.verdicts import Reason

_CARRIED = frozenset({"aux", "cop"})
"""Relations of words that stand for their head."""

_FUNCTION = frozenset({"case", "mark", "cc", "det", "clf", "expl", "punct", "fixed"})
"""Relations of function words, which translate no content. `aby` (a + by) is one, though `by` is an auxiliary."""


@dataclass(frozen=True, slots=True)
class Projection:
    """The word that stands for a keyword; None with the reason why there is none.

    `governor_words` are the words that are linked to the keyword's governor.
    """

    word: int | None
    reason: Reason
    governor_words: frozenset[int] = frozenset()


def project(source: Tree, keyword: int, target: Tree, links: Links) -> Projection:
    """The word of the target that stands for a keyword of the source."""
    linked = _linked(source, {keyword}, links)
    # Found first, since even a keyword without a content word has them, and classes may ask for them.
    governors = _words(target, _linked(source, _governors(source, keyword), links))
    words = {word for place in linked for word in _content(target, place)}
    if not words:
        free = _Free(source, keyword, target, links)
        found = free.through_conjunction(linked) if linked else free.through_dependents()
        return Projection(found, "" if found is not None else "function_word" if linked else "no_link", governors)

    # False sorts before True, so every "is undesirable" comes first in the tuple.
    def rank(word: int) -> tuple[bool, bool, int, int]:
        return word in governors, not is_predicate(target, word), _depth(target, word), word

    return Projection(min(words, key=rank), "", governors)


@dataclass(frozen=True, slots=True)
class _Free:
    """Looks for the word that stands for a keyword among those that no other word of the source is linked to."""

    source: Tree
    keyword: int
    target: Tree
    links: Links

    def through_dependents(self) -> int | None:
        """The word on which most of what translates the keyword's dependents depends."""
        found: Counter[int] = Counter()
        for child in self.source.children[self.keyword]:
            if _relation(self.source, child) in _FUNCTION | _CARRIED:
                continue
            for place in _linked(self.source, {child}, self.links):
                found.update({self._above(word) for word in _content(self.target, place)})
        return self._best(found)

    def through_conjunction(self, places: set[int]) -> int | None:
        """The head of the clause whose conjunction the keyword is linked to."""
        words = [word for word, place in enumerate(self.target.surface) if place in places]
        return self._best(Counter(self._above(word) for word in words if _relation(self.target, word) == "mark"))

    def _above(self, word: int) -> int:
        head = self.target.tokens[word].head
        return _carrier(self.target, head) if head >= 0 else -1

    def _best(self, found: Counter[int]) -> int | None:
        own = self.source.surface[self.keyword]
        taken = {right for left, right in self.links if left != own}
        free = [word for word in found if word >= 0 and self.target.surface[word] not in taken]
        return min(free, key=lambda word: (-found[word], _depth(self.target, word), word), default=None)


def _governors(tree: Tree, word: int) -> set[int]:
    """The governor of a word, with the auxiliaries and copulas that belong to it."""
    head = tree.tokens[word].head
    if head < 0:
        return set()
    return {head, *(child for child in tree.children[head] if child != word and _relation(tree, child) in _CARRIED)}


def _linked(source: Tree, words: set[int], links: Links) -> set[int]:
    """Surface tokens of the target that are linked to words of the source."""
    places = {source.surface[word] for word in words}
    return {right for left, right in links if left in places}


def _words(tree: Tree, places: set[int]) -> frozenset[int]:
    return frozenset(word for word, place in enumerate(tree.surface) if place in places)


def _content(tree: Tree, place: int) -> list[int]:
    """The words that one surface token stands for."""
    words = [word for word, own in enumerate(tree.surface) if own == place]
    # The whole token is a conjunction (`aby`), whatever its other word is.
    if any(_relation(tree, word) == "mark" for word in words):
        return []
    return [_carrier(tree, word) for word in words if _relation(tree, word) not in _FUNCTION]


def _carrier(tree: Tree, word: int) -> int:
    """The head of the clause for an auxiliary or copula, the word itself for others."""
    while _relation(tree, word) in _CARRIED and tree.tokens[word].head >= 0:
        word = tree.tokens[word].head
    return word


def _relation(tree: Tree, word: int) -> str:
    return _without_subtype(tree.tokens[word].deprel)


@cache
def _without_subtype(relation: str) -> str:
    return relation.partition(":")[0]


def is_predicate(tree: Tree, word: int) -> bool:
    """Whether a word is a verb, or has an auxiliary or copula."""
    token = tree.tokens[word]
    return (
        token.upos in ("VERB", "AUX")
        or "VerbForm" in token.feats
        or any(_relation(tree, child) in _CARRIED for child in tree.children[word])
    )


def _depth(tree: Tree, word: int) -> int:
    depth = 0
    while (word := tree.tokens[word].head) >= 0:
        depth += 1
    return depth
