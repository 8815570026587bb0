"""UDPipe 1: a model file by its path.

    udpipe("czech-pdt-ud-2.5-191206.udpipe").parse(["Chce, abych přišel."])

The model also finds the words and the sentences of a line; a sentence has to end with a mark and the next to begin
with a capital (or in a script without), otherwise they are one. Models do not say which language they are for, so that
is taken from the name of the file.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from assay.contrasts.parsers.base import Parser
from assay.contrasts.trees import Token, Tree, features, joined
from assay.contrasts.worker_check import check_here
from assay.errors import BadFile, BadOption, MissingExtra
from assay.languages import language_of

# Latin, ellipsis, Chinese and Japanese, Arabic, Devanagari.
END_MARKS = frozenset(".!?…。！？؟।॥")


@dataclass(frozen=True)
class UDPipe:
    """A model file, by its path; `signature` holds its name and the beginning of its SHA-256."""

    path: Path
    digest: str
    signature: str
    language: str
    name: str = "udpipe"
    computes: bool = True

    def load(self) -> None:
        """Read the model."""
        _load(self.path, self.digest)

    def parse(self, lines: Sequence[str]) -> list[Tree]:
        """One tree per line."""
        check_here(udpipe, str(self.path), self.signature)
        model = _load(self.path, self.digest)
        return [joined(list(_sentences(model, self.path, line)), line) for line in lines]


def udpipe(option: str) -> Parser:
    """The parser of a model file."""
    if not option:
        raise BadOption("udpipe names no model; write udpipe:FILE, and see `assay contrasts models`")
    if find_spec("ufal") is None or find_spec("ufal.udpipe") is None:
        raise MissingExtra("the parser udpipe", "pip install 'assay-mt[udpipe]'")
    path = Path(option).expanduser()
    if not path.is_file():
        raise BadFile(path, "there is no such UDPipe model", cure="`assay contrasts models` lists what can be fetched")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]
    path = path.absolute()  # on another machine it is looked for under the same path
    signature = f"udpipe|ufal.udpipe:{version('ufal.udpipe')}|model:{path.stem}[{digest}]|sentences:marked"
    return UDPipe(path, digest, signature, language_of(path.name))


@cache
def _load(path: Path, digest: str) -> Any:
    """The model of a file with this content, loaded once per process; a process that is forked later inherits it."""
    from ufal.udpipe import Model

    model = Model.load(str(path))
    if model is None:
        raise BadFile(
            path, "not a UDPipe 1 model, or cut short", cure="fetch it again; `assay contrasts models` lists them"
        )
    return model


def _sentences(model: Any, path: Path, line: str) -> Iterator[Tree]:
    # Ranges, to know where in the line the model has cut.
    sentences = list(_tokenized(model, path, line, model.TOKENIZER_RANGES))
    parts = cut(line, [_start(sentence) for sentence in sentences])
    # Some cuts were wrong: tokenised again with the sentences given, since a cut also changes the words around it.
    if len(parts) < len(sentences):
        sentences = list(_tokenized(model, path, "\n".join(parts), model.TOKENIZER_PRESEGMENTED))
    for sentence in sentences:
        if not model.tag(sentence, model.DEFAULT) or not model.parse(sentence, model.DEFAULT):
            raise BadFile(path, "the model has no tagger or no parser", cure="take one that was trained with both")
        yield tree_of(sentence)


def _tokenized(model: Any, path: Path, text: str, how: str) -> Iterator[Any]:
    from ufal.udpipe import Sentence

    tokenizer = model.newTokenizer(how)
    if tokenizer is None:
        raise BadFile(path, "the model has no tokenizer", cure="take one that was trained with a tokenizer")
    tokenizer.setText(text)
    sentence = Sentence()
    while tokenizer.nextSentence(sentence):
        yield sentence
        # A new object for every sentence: UDPipe fills it in place.
        sentence = Sentence()


def _start(sentence: Any) -> int:
    """Where a sentence begins in its line; the words of a multiword token have no place of their own."""
    wholes = sentence.multiwordTokens
    first = wholes[0] if len(wholes) and wholes[0].idFirst == 1 else sentence.words[1]
    return int(first.getTokenRangeStart())


def cut(line: str, starts: Sequence[int]) -> list[str]:
    """The line, cut where a sentence begins that may begin one: models cut after "Ms" and in "21. října", too."""
    cuts = [place for place in starts[1:] if _ends(line, place) and _begins(line, place)]
    return [line[start:end] for start, end in zip([*starts[:1], *cuts], [*cuts, len(line)], strict=False)]


def _ends(line: str, place: int) -> bool:
    """Whether the last thing before a place, apart from quotes and the like, is the mark of an end."""
    last = next((letter for letter in reversed(line[:place]) if letter.isalnum() or letter in END_MARKS), "")
    return last in END_MARKS


def _begins(line: str, place: int) -> bool:
    """Whether the first letter or digit from a place on is a letter, and not a lower-case one."""
    first = next(filter(str.isalnum, islice(line, place, None)), "")
    return first.isalpha() and not first.islower()


def tree_of(sentence: Any) -> Tree:
    """The tree of a sentence of UDPipe's."""
    # Word 0 is UDPipe's artificial root.
    words = list(sentence.words)[1:]
    tokens = tuple(
        Token(word.form, word.lemma, word.upostag, word.xpostag, features(word.feats), word.head - 1, word.deprel)
        for word in words
    )
    starts = {token.idFirst: token for token in sentence.multiwordTokens}
    surface: list[int] = []
    forms: list[str] = []
    until = 0
    for number, word in enumerate(words, start=1):
        if number > until:
            whole = starts.get(number)
            until = whole.idLast if whole else number
            forms.append("".join((whole or word).form.split()))
        surface.append(len(forms) - 1)
    return Tree(tokens, surface=tuple(surface), surface_forms=tuple(forms))
