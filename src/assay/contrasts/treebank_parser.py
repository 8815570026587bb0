"""A parser made from treebanks: UDPipe's own trainer on CoNLL-U files, and what it is worth on trees it has not seen.

    model = train([Path("de_gsd-ud-train.conllu")], heldout=[Path("de_gsd-ud-dev.conllu")])
    score(model, [Path("de_pud-ud-test.conllu")])   # -> ParserScore(words=21002, upos=0.91, uas=0.79, las=0.73)
    class_scores(model, [Path("de_gsd-ud-test.conllu")], contrasts.classes)   # the classes that contrasts ask for

Universal Dependencies has treebanks for most languages; their licences hold for the model too.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assay.contrasts.classes import ClassFinder
from assay.contrasts.parsers.udpipe import tree_of
from assay.contrasts.records import TargetClass
from assay.contrasts.trees import Tree
from assay.errors import BadFile, MissingExtra
from assay.files import read_text

# Smaller than UDPipe's defaults in what costs most time and gains least on treebanks of some thousand sentences.
TOKENIZER = "dimension=24;epochs={epochs};initialization_range=0.5;batch_size=50;learning_rate=0.005;dropout=0.1"
TAGGER = "models=1;iterations={iterations}"
KNOWN_TAGGER = "from_model=file:{path}"
PARSER = (
    "iterations={iterations};embedding_upostag=20;embedding_feats=20;embedding_xpostag=0;embedding_form=50;"
    "embedding_lemma=0;embedding_deprel=20;learning_rate=0.01;learning_rate_final=0.001;l2=0.5;hidden_layer=200;"
    "batch_size=10;transition_system=projective;transition_oracle=dynamic;structured_interval=8"
)


LONGEST = 255
"""Bytes of a word that UDPipe can learn; sentences with a longer one (chains of hashtags) are left out."""

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "AUX", "ADJ"})
"""Parts of speech that a keyword is rendered by, by the gold tree."""


@dataclass(frozen=True, slots=True)
class ParserScore:
    """On held-out trees with their own words: shares of words with the right part of speech, head, head and relation.

    Subtypes of relations (`aux:pass`) count.
    """

    words: int
    upos: float | None
    uas: float | None
    las: float | None


@dataclass(frozen=True, slots=True)
class ClassScore:
    """How often words of held-out trees have a class by the gold tree, by the parser's tree, and by both."""

    name: str
    gold: int
    found: int
    same: int


def train(
    files: Sequence[Path], *, heldout: Sequence[Path] = (), tags: Sequence[Path] = (), iterations: int = 10
) -> bytes:
    """A model with tokenizer, tagger and parser. `heldout` trees tell the trainer when to stop.

    Treebanks of one language have different tags and features. With `tags` the tagger learns from these files only, and
    the parser from the trees of all, with the tags that this tagger gives their words.
    """
    udpipe = _udpipe()
    with TemporaryDirectory(prefix="assay-") as folder:
        tagger = TAGGER.format(iterations=iterations)
        if tags:
            path = Path(folder) / "tagger.udpipe"
            path.write_bytes(_trained(udpipe, tags, (), ("none", tagger, "none")))
            tagger = KNOWN_TAGGER.format(path=path)
        steps = (TOKENIZER.format(epochs=2 * iterations), tagger, PARSER.format(iterations=iterations))
        return _trained(udpipe, files, heldout, steps)


def _trained(udpipe: Any, files: Sequence[Path], heldout: Sequence[Path], steps: tuple[str, str, str]) -> bytes:
    error = udpipe.ProcessingError()
    model = udpipe.Trainer.train(
        "morphodita_parsito", _gathered(udpipe, files), _gathered(udpipe, heldout), *steps, error
    )
    if error.occurred() or not model:
        raise BadFile(files[0], f"UDPipe cannot learn from this ({error.message.strip() or 'no reason given'})")
    return bytes(model)


def score(model: bytes, files: Sequence[Path]) -> ParserScore:
    """How a model tags and parses the words of trees that it has not seen."""
    words = upos = heads = both = 0
    for gold, found in _parsed(model, files):
        for expected, word in zip(gold.tokens, found.tokens, strict=True):
            words += 1
            upos += expected.upos == word.upos
            heads += expected.head == word.head
            both += expected.head == word.head and expected.deprel == word.deprel
    shares = (number / words if words else None for number in (upos, heads, both))
    return ParserScore(words, *shares)


def class_scores(model: bytes, files: Sequence[Path], classes: Sequence[TargetClass]) -> list[ClassScore]:
    """Which words have which class by the gold trees, and by those of the model; classes that nobody has are left out.

    All words but function words are looked at, whether or not one would be the translation of a keyword.
    """
    finder = ClassFinder(classes)
    gold, found, same = Counter[str](), Counter[str](), Counter[str]()
    for expected, tree in _parsed(model, files):
        for place, word in enumerate(expected.tokens):
            if word.upos not in CONTENT:
                continue
            right, own = finder.classify(expected, place).label, finder.classify(tree, place).label
            gold[right] += 1
            found[own] += 1
            same[right] += right == own
    names = dict.fromkeys(known.label for known in classes)
    return [ClassScore(name, gold[name], found[name], same[name]) for name in names if gold[name] or found[name]]


def _parsed(model: bytes, files: Sequence[Path]) -> Iterator[tuple[Tree, Tree]]:
    """Gold trees, and those of the model for the same words."""
    udpipe = _udpipe()
    with TemporaryDirectory(prefix="assay-") as folder:
        path = Path(folder) / "model.udpipe"
        path.write_bytes(model)
        loaded = udpipe.Model.load(str(path))
    for sentence in (sentence for file in files for sentence in _sentences(udpipe, file)):
        gold = tree_of(sentence)
        loaded.tag(sentence, loaded.DEFAULT)
        loaded.parse(sentence, loaded.DEFAULT)
        yield gold, tree_of(sentence)


def _udpipe() -> Any:
    try:
        import ufal.udpipe
    except ImportError as error:
        raise MissingExtra("training a parser", "pip install 'assay-mt[udpipe]'") from error
    return ufal.udpipe


def _gathered(udpipe: Any, files: Sequence[Path]) -> Any:
    found = udpipe.Sentences()
    for file in files:
        before = len(found)
        for sentence in _sentences(udpipe, file):
            if all(len(part.encode()) <= LONGEST for word in sentence.words for part in (word.form, word.lemma)):
                found.push_back(sentence)
        if len(found) == before:
            raise BadFile(file, "there is no tree in it", cure="give CoNLL-U files, for example of a UD treebank")
    return found


def _sentences(udpipe: Any, file: Path) -> Iterator[Any]:
    reader, error = udpipe.InputFormat.newConlluInputFormat(), udpipe.ProcessingError()
    reader.setText(read_text(file))
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        yield sentence
        sentence = udpipe.Sentence()
    if error.occurred():
        raise BadFile(file, f"no CoNLL-U: {error.message.strip()}", cure="give CoNLL-U files")
