"""The protocol of aligners, and how a user's aligner is loaded.

    aligner = load_aligner("eflomal")
    links = aligner.align([TextPair(english, czech, "Online-B", 0)])

A plugin is a factory under the entry point group `assay.aligners`: it takes the option behind the colon and
returns an `Aligner`. One that links each pair alone (`scope` is `pair`) is a `PairAligner`; it is sent to other
processes and machines, as parsers are (`parsers/base.py`). One that learns from all pairs stays in the calling process.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal, Protocol

from assay.contrasts.trees import Links, Tree
from assay.contrasts.worker_check import SignedTool
from assay.errors import BadOption, UnknownName
from assay.plugins import Plugins

Scope = Literal["file", "pair", "pool"]
"""What the links of a pair depend on: a file that has them, the pair alone, or all pairs that are aligned together."""

Words = tuple[str, ...]

SMALL_POOL = 2000
"""Distinct pairs; from fewer an aligner learns little."""


@dataclass(frozen=True, slots=True)
class TextPair:
    """A sentence and its translation: whose it is, and on which line of the files it stands, from 0."""

    source: Tree
    target: Tree
    system: str = ""
    line: int = 0


class Aligner(SignedTool, Protocol):
    """Links the surface tokens of pairs."""

    @property
    def scope(self) -> Scope: ...

    def seen(self, pair: TextPair) -> tuple[Words, Words]:
        """The words of a pair that it uses, one per surface token; equal words have equal links."""
        ...

    def align(self, pairs: Sequence[TextPair]) -> list[Links]:
        """The links of each pair."""
        ...


class PairAligner(Aligner, Protocol):
    """An aligner that links each pair alone (`scope` is `pair`): it gets words, without the trees they are from."""

    def link(self, seen: Sequence[tuple[Words, Words]]) -> list[Links]:
        """The links of each pair of words."""
        ...


class PriorAligner(Aligner, Protocol):
    """An aligner of pools (`scope` is `pool`) that can link further pairs from what a pool has taught it.

    With it a pair has one alignment in every run: the cache keeps the links of every pair, and what the first large
    pool taught, from which it links the pairs that come later. It draws at random, so that runs differ: profiles have
    two, to know by how much.
    """

    def train(self, pairs: Sequence[TextPair]) -> tuple[list[Links], bytes]:
        """The links of each pair, and what was learnt on the way."""
        ...

    def align_from(self, priors: bytes, pairs: Sequence[TextPair]) -> list[Links]:
        """The links of each pair, from what was learnt before."""
        ...


class Learner(Protocol):
    """An aligner that can learn from a pool of pairs; later runs on single systems start from that."""

    def learn(self, pairs: Sequence[TextPair], path: Path) -> None:
        """Write what was learnt to a file or folder."""
        ...


Factory = Callable[[str], Aligner]

ALIGNERS: Plugins[Factory] = Plugins("aligner", "assay.aligners")


def load_aligner(spec: str) -> Aligner:
    """The aligner that a user names: `eflomal`, `eflomal:priors=FILE,source=0`, `pharaoh:FOLDER`."""
    plugin, _, option = spec.partition(":")
    if not plugin.strip():
        raise BadOption(f"{spec!r} names no aligner; write NAME or NAME:OPTION, for example eflomal")
    return ALIGNERS.get(plugin.strip())(option.strip())


@dataclass(frozen=True)
class WordView:
    """The words that a statistical aligner gets: lower-cased, forms or lemmas, only their first letters (0: all).

    A few thousand sentences are little to learn from, and beginnings repeat where whole forms do not.
    """

    words: Literal["forms", "lemmas"] = "forms"
    source: int = 6
    target: int = 5

    def seen(self, pair: TextPair) -> tuple[Words, Words]:
        """One word per surface token, for both sides."""
        return self._cut(pair.source, self.source), self._cut(pair.target, self.target)

    def _cut(self, tree: Tree, length: int) -> Words:
        words = tree.surface_forms if self.words == "forms" else _lemmas(tree)
        return tuple(map(_beginnings(length).__getitem__, words))

    @property
    def signature(self) -> str:
        return f"words:{self.words}|source:{self.source or 'whole'}|target:{self.target or 'whole'}"


class _Beginnings(dict[str, str]):
    """Words and their beginnings, remembered: a run has thirty times as many tokens as words."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self._length = length or None

    def __missing__(self, word: str) -> str:
        # White space would make two tokens of one, and an empty token would be none.
        plain = "".join(word.lower().split())[: self._length] or "_"
        # `|||` separates the two sides of a pair in systran-align's input.
        self[word] = "¦" if plain == "|||" else plain
        return self[word]


_beginnings = cache(_Beginnings)


def _lemmas(tree: Tree) -> list[str]:
    """The lemmas of each surface token; a token of several words has them all."""
    found = [""] * len(tree.surface_forms)
    for token, place in zip(tree.tokens, tree.surface, strict=True):
        found[place] += token.lemma or token.form
    return found


def options(aligner: str, option: str, known: Sequence[str]) -> dict[str, str]:
    """`priors=FILE,source=0` as a dictionary; a name that the aligner does not know is an error."""
    found: dict[str, str] = {}
    for part in filter(None, option.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in known:
            raise UnknownName(f"option of {aligner}", name, known)
        if not equals or not value:
            raise BadOption(f"{aligner}: the option {name} has no value; write {aligner}:{name}=…")
        found[name] = value
    return found


VIEW_OPTIONS = ("words", "source", "target")


def view(aligner: str, settings: Mapping[str, str]) -> WordView:
    """The view that `words`, `source` and `target` ask for; lemmas are seen whole unless a length is given."""
    words = settings.get("words", "forms")
    if words not in ("forms", "lemmas"):
        raise BadOption(f"{aligner}: words={words} is neither forms nor lemmas")
    usual = WordView() if words == "forms" else WordView("lemmas", 0, 0)
    return replace(
        usual,
        source=_letters(aligner, settings, "source", usual.source),
        target=_letters(aligner, settings, "target", usual.target),
    )


def _letters(aligner: str, settings: Mapping[str, str], side: str, usual: int) -> int:
    if side not in settings:
        return usual
    if not settings[side].isdecimal():
        raise BadOption(f"{aligner}: {side}={settings[side]} is not a number of letters; 0 takes whole words")
    return int(settings[side])
