"""Dependency trees and word links, the input of contrasts.

tree = Tree((Token("He", "he", "PRON", "PRP", {}, 1, "nsubj"), Token("left", "leave", "VERB", "VBD", {}, -1, "root")))
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple


class Token(NamedTuple):
    """A syntactic word. `head` is the place of its governor in the tree, from 0; -1 for a root.

    A tuple, since a run reads half a million of them from the cache.
    """

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: Mapping[str, str]
    head: int
    deprel: str

    @property
    def feature_pairs(self) -> frozenset[str]:
        """`{"Mood=Cnd", …}`; a feature with several values (`Case=Acc,Dat`) gives one pair for each."""
        return frozenset(f"{name}={value}" for name, values in self.feats.items() for value in values.split(","))

    @property
    def morph(self) -> str:
        """`Case=Nom|Number=Sing`, as CoNLL-U writes it."""
        return "|".join(f"{name}={self.feats[name]}" for name in sorted(self.feats, key=str.lower))


@lru_cache(maxsize=100_000)
def features(column: str) -> Mapping[str, str]:
    """`Case=Nom|Number=Sing` by name; there are few different ones, so that words share them."""
    return dict(feature.split("=", 1) for feature in column.split("|")) if column not in ("", "_") else {}


@dataclass(frozen=True)
class Tree:
    """The words of one line of a file: one sentence, or several after each other, each with a root of its own.

    `surface[k]` is the place in white-space-free surface tokens of word k: words of a multiword token (aby = a + by)
    share one, and `surface_forms` are those tokens as they are written. Links are between surface tokens.
    """

    tokens: tuple[Token, ...]
    text: str = ""
    surface: tuple[int, ...] = ()
    surface_forms: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.surface:
            # Frozen, but not yet handed out: without multiword tokens the surface follows from the words.
            object.__setattr__(self, "surface", tuple(range(len(self.tokens))))
            object.__setattr__(self, "surface_forms", tuple(token.form for token in self.tokens))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Dependents of each word, in order."""
        found: list[list[int]] = [[] for _ in self.tokens]
        for place, token in enumerate(self.tokens):
            if token.head >= 0:
                found[token.head].append(place)
        return tuple(map(tuple, found))

    def __len__(self) -> int:
        return len(self.tokens)


def joined(sentences: Sequence[Tree], text: str) -> Tree:
    """The sentences of a line after each other as one tree, each with its own root."""
    tokens: list[Token] = []
    surface: list[int] = []
    forms: list[str] = []
    for sentence in sentences:
        first, start = len(tokens), len(forms)
        # Heads are places in the whole line, so those of later sentences move by the words before them.
        tokens += [
            token._replace(head=token.head + first) if first and token.head >= 0 else token for token in sentence.tokens
        ]
        surface += [place + start for place in sentence.surface]
        forms += sentence.surface_forms
    return Tree(tuple(tokens), text, tuple(surface), tuple(forms))


Link = tuple[int, int]
"""(source, target) surface tokens, from 0, as in Pharaoh's format."""

Links = frozenset[Link]
