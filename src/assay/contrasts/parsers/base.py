"""The protocol of parsers, and how a user's parser is loaded.

    parser = load_parser("udpipe:czech-pdt-ud-2.5-191206.udpipe", language="cs")
    trees = parser.parse(["Chce jít domů.", "Přišla. Odešla."])

A plugin is a factory under the entry point group `assay.parsers`: it takes the option behind the colon and
returns a `Parser`. A parser is sent to other processes and machines, so it holds names, options and absolute paths, and
loads its model when it parses, once per process; `check_here` makes sure that the model there is the same. One with a
`load` is a `ModelParser`: its model is read before the first line that the cache does not know, and never for nothing.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, cast

from assay.contrasts.trees import Tree
from assay.contrasts.worker_check import SignedTool
from assay.errors import BadOption
from assay.languages import fits
from assay.plugins import Plugins


class Parser(SignedTool, Protocol):
    """Turns lines into trees, which depend on versions and a model."""

    @property
    def language(self) -> str:
        """The code of its language; empty where that is not known."""
        ...

    @property
    def computes(self) -> bool:
        """False if the trees are read from a file: they are not cached, and the calling process reads them."""
        ...

    def parse(self, lines: Sequence[str]) -> list[Tree]:
        """One tree per line; a line of several sentences has several roots, an empty line no words."""
        ...


class ModelParser(Parser, Protocol):
    """A parser whose model takes time to read."""

    def load(self) -> None:
        """Read the model, so that a damaged one is an error now, and processes that are forked later inherit it."""
        ...


def load_model(parser: Parser) -> None:
    """Have a parser read its model, if that is not done when it parses."""
    if hasattr(parser, "load"):
        cast(ModelParser, parser).load()


Factory = Callable[[str], Parser]

PARSERS: Plugins[Factory] = Plugins("parser", "assay.parsers")


def load_parser(spec: str, *, language: str = "", any_language: bool = False) -> Parser:
    """The parser that a user names: `natasha`, `udpipe:FILE`, `spacy:MODEL`, `conllu:FILE`.

    One that is known to be for another language than the text is refused, unless with `any_language`.
    """
    plugin, _, option = spec.partition(":")
    if not plugin.strip():
        raise BadOption(f"{spec!r} names no parser; write NAME or NAME:OPTION, for example udpipe:czech.udpipe")
    parser = PARSERS.get(plugin.strip())(option.strip())
    if language and parser.language and not any_language and not fits(language, parser.language):
        raise BadOption(
            f"{spec} is for the language {parser.language}, but the text is in {language}; "
            f"name a parser for {language}, or use this one all the same with --any-language"
        )
    return parser
