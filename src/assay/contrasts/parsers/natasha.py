"""natasha: Russian, with models that come with the packages.

natasha("").parse(["Он пришёл домой."])

Its tags are those of Universal Dependencies (SynTagRus); there is no XPOS.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from assay.contrasts.parsers.base import Parser
from assay.contrasts.trees import Token, Tree, joined
from assay.contrasts.worker_check import check_here
from assay.errors import BadOption, MissingExtra


@dataclass(frozen=True)
class Natasha:
    """The Russian parser."""

    signature: str
    name: str = "natasha"
    language: str = "ru"
    computes: bool = True

    def parse(self, lines: Sequence[str]) -> list[Tree]:
        """One tree per line."""
        check_here(natasha, "", self.signature)
        return list(_parse(_load(), lines))


@dataclass(frozen=True, slots=True)
class _Models:
    segmenter: Any
    tagger: Any
    parser: Any
    vocabulary: Any


def natasha(option: str) -> Parser:
    """The parser; it takes no option."""
    if option:
        raise BadOption(f"natasha takes no option, not {option!r}; write natasha")
    if find_spec("natasha") is None:
        raise MissingExtra("the parser natasha", "pip install 'assay-mt[natasha]'")
    return Natasha(f"natasha|natasha:{version('natasha')}|slovnet:{version('slovnet')}")


@cache
def _load() -> _Models:
    """The models, loaded once per process; a process that is forked later inherits them."""
    from natasha import MorphVocab, NewsEmbedding, NewsMorphTagger, NewsSyntaxParser, Segmenter

    embedding = NewsEmbedding()
    return _Models(Segmenter(), NewsMorphTagger(embedding), NewsSyntaxParser(embedding), MorphVocab())


def _parse(models: _Models, lines: Sequence[str]) -> Iterator[Tree]:
    sentences = [
        [[token.text for token in models.segmenter.tokenize(part.text)] for part in models.segmenter.sentenize(line)]
        for line in lines
    ]
    # All sentences at once: tagger and parser work in batches.
    words = [sentence for line in sentences for sentence in line if sentence]
    trees = map(partial(_tree, models.vocabulary), models.tagger.map(words), models.parser.map(words))
    for line, parts in zip(lines, sentences, strict=True):
        yield joined([next(trees) for part in parts if part], line)


def _tree(vocabulary: Any, tagged: Any, parsed: Any) -> Tree:
    # The head of a root has an id that no token has, so it falls to −1.
    places = {token.id: place for place, token in enumerate(parsed.tokens)}
    tokens = [
        Token(
            word.text,
            vocabulary.lemmatize(word.text, word.pos, word.feats),
            word.pos,
            "",
            dict(word.feats or {}),
            places.get(node.head_id, -1),
            node.rel,
        )
        for word, node in zip(tagged.tokens, parsed.tokens, strict=True)
    ]
    return Tree(tuple(mend(tokens)))


def mend(tokens: Sequence[Token]) -> list[Token]:
    """The words as a proper tree: natasha chooses each head alone, and one in eight sentences has a cycle.

    A sentence without a root gets one: the first verb of the first cycle, or its first word. The first word of any
    other cycle is attached to the root, with the relation `dep`, since its real one is not known.
    """
    mended = list(tokens)
    root = next((place for place, token in enumerate(mended) if token.head < 0), None)
    while (cycle := _cycle(mended)) is not None:
        first = cycle[0]
        if root is None:
            root = first = next((place for place in cycle if mended[place].upos == "VERB"), first)
            mended[first] = mended[first]._replace(head=-1, deprel="root")
        else:
            mended[first] = mended[first]._replace(head=root, deprel="dep")
    return mended


def _cycle(tokens: Sequence[Token]) -> list[int] | None:
    """The words of the first cycle, in the order of the sentence."""
    safe = {-1}
    for place in range(len(tokens)):
        path: list[int] = []
        while place not in safe:
            if place in path:
                return sorted(path[path.index(place) :])
            path.append(place)
            place = tokens[place].head
        safe.update(path)
    return None
