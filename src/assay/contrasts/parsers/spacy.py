"""spaCy: a model by the name of its package or by its folder.

    spacy("ru_core_news_sm").parse(["Он пришёл домой."])

Trees are those of the model. Only models that were trained on Universal Dependencies have UD's relations: the English
ones (ClearNLP labels) and the German ones (TIGER labels) do not, and UD patterns find nothing in their trees.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from assay.contrasts.parsers.base import Parser
from assay.contrasts.trees import Token, Tree
from assay.contrasts.worker_check import check_here
from assay.errors import BadOption, MissingExtra


@dataclass(frozen=True)
class SpaCy:
    """A model, by its name."""

    model: str
    signature: str
    language: str
    name: str = "spacy"
    computes: bool = True

    def parse(self, lines: Sequence[str]) -> list[Tree]:
        """One tree per line."""
        check_here(spacy, self.model, self.signature)
        return [_tree(doc) for doc in _load(self.model).pipe(lines)]


def spacy(option: str) -> Parser:
    """The parser of a model that is installed, or lies in a folder."""
    if not option:
        raise BadOption("spacy names no model; write spacy:MODEL, for example spacy:ru_core_news_sm")
    if find_spec("spacy") is None:
        raise MissingExtra("the parser spacy", "pip install 'assay-mt[spacy]'")
    import spacy

    # On another machine a folder is looked for under the same path, and a package wherever that machine has it.
    model = str(Path(option).absolute()) if Path(option).is_dir() and not spacy.util.is_package(option) else option
    nlp = _load(model)
    if not nlp.has_pipe("parser"):
        raise BadOption(f"the spaCy model {option} has no parser; take another")
    # `xx` is spaCy's code for models of many languages.
    language = "" if nlp.lang == "xx" else nlp.lang
    meta = nlp.meta
    return SpaCy(
        model, f"spacy|spacy:{version('spacy')}|model:{meta['lang']}_{meta['name']}-{meta['version']}", language
    )


@cache
def _load(model: str) -> Any:
    """The model with this name, loaded once per process; a process that is forked later inherits it."""
    import spacy

    try:
        return spacy.load(model, exclude=["ner"])
    except OSError as error:
        # Not `pip install`: models are not on PyPI, and what has their names there is not spaCy's.
        raise MissingExtra(f"the spaCy model {model}", f"python -m spacy download {model}") from error


def _tree(doc: Any) -> Tree:
    # spaCy has tokens for runs of spaces; a tree has not.
    words = [token for token in doc if not token.is_space]
    places = {token.i: place for place, token in enumerate(words)}
    tokens = tuple(
        Token(
            token.text,
            token.lemma_,
            token.pos_,
            token.tag_,
            token.morph.to_dict(),
            _head(token, places),
            "root" if token.dep_ == "ROOT" else token.dep_,
        )
        for token in words
    )
    return Tree(tokens, doc.text)


def _head(token: Any, places: dict[int, int]) -> int:
    """The place of the governor; white space is passed over, and a root has none."""
    head = token
    while head.head.i != head.i:
        head = head.head
        if head.i in places:
            return places[head.i]
    return -1
