"""A parser made from treebanks: UDPipe's own trainer on CoNLL-U files, and what it is worth on trees it has not seen.

    model = train([Path("de_gsd-ud-train.conllu")], heldout=[Path("de_gsd-ud-dev.conllu")])
    score(model, [Path("de_pud-ud-test.conllu")])   # -> ParserScore(words=21002, upos=0.91, uas=0.79, las=0.73)

Universal Dependencies has treebanks for most languages; their licences hold for the model too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assay.errors import BadFile, MissingExtra
from assay.files import read_text

# Smaller than UDPipe's defaults in what costs most time and gains least on treebanks of some thousand sentences.
TOKENIZER = "dimension=24;epochs={epochs};initialization_range=0.5;batch_size=50;learning_rate=0.005;dropout=0.1"
TAGGER = "models=1;iterations={iterations}"
PARSER = (
    "iterations={iterations};embedding_upostag=20;embedding_feats=20;embedding_xpostag=0;embedding_form=50;"
    "embedding_lemma=0;embedding_deprel=20;learning_rate=0.01;learning_rate_final=0.001;l2=0.5;hidden_layer=200;"
    "batch_size=10;transition_system=projective;transition_oracle=dynamic;structured_interval=8"
)


@dataclass(frozen=True, slots=True)
class ParserScore:
    """On held-out trees with their own words: shares of words with the right part of speech, head, head and relation.

    Subtypes of relations (`aux:pass`) count.
    """

    words: int
    upos: float | None
    uas: float | None
    las: float | None


def train(files: Sequence[Path], *, heldout: Sequence[Path] = (), iterations: int = 10) -> bytes:
    """A model with tokenizer, tagger and parser. `heldout` trees tell the trainer when to stop."""
    udpipe = _udpipe()
    error = udpipe.ProcessingError()
    model = udpipe.Trainer.train(
        "morphodita_parsito",
        _gathered(udpipe, files),
        _gathered(udpipe, heldout),
        TOKENIZER.format(epochs=2 * iterations),
        TAGGER.format(iterations=iterations),
        PARSER.format(iterations=iterations),
        error,
    )
    if error.occurred() or not model:
        raise BadFile(files[0], f"UDPipe cannot learn from this ({error.message.strip() or 'no reason given'})")
    return bytes(model)


def score(model: bytes, files: Sequence[Path]) -> ParserScore:
    """How a model tags and parses the words of trees that it has not seen."""
    udpipe = _udpipe()
    with TemporaryDirectory(prefix="assay-") as folder:
        path = Path(folder) / "model.udpipe"
        path.write_bytes(model)
        loaded = udpipe.Model.load(str(path))
    words = upos = heads = both = 0
    for gold in (sentence for file in files for sentence in _sentences(udpipe, file)):
        expected = [(word.upostag, word.head, word.deprel) for word in list(gold.words)[1:]]
        loaded.tag(gold, loaded.DEFAULT)
        loaded.parse(gold, loaded.DEFAULT)
        for (tag, head, relation), word in zip(expected, list(gold.words)[1:], strict=True):
            words += 1
            upos += tag == word.upostag
            heads += head == word.head
            both += head == word.head and relation == word.deprel
    shares = (number / words if words else None for number in (upos, heads, both))
    return ParserScore(words, *shares)


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
