"""Parsers and aligners whose packages are too large, or too hard to build, for every day."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from assay.contrasts.aligners.base import ALIGNERS, TextPair, load_aligner
from assay.contrasts.cache import Cache
from assay.contrasts.parsers.base import load_parser
from assay.contrasts.trees import Links, Token, Tree
from assay.errors import BadFile, MissingExtra
from assay.parallel.processes import ProcessExecutor
from tests.contrasts.building import links

ENGLISH = ["the dog", "the cat", "a dog", "a cat", "the dog sleeps", "the cat sleeps", "a dog eats", "a cat eats"]
CZECH = ["ten pes", "ta kočka", "pes", "kočka", "ten pes spí", "ta kočka spí", "pes jí", "kočka jí"]


def flat(text: str) -> Tree:
    return Tree(tuple(Token(word, word, "X", "", {}, -1, "root") for word in text.split()), text)


@pytest.fixture(scope="module")
def pairs() -> list[TextPair]:
    """A language of six words, often enough to be learnt."""
    return [
        TextPair(flat(f"{source} {number}"), flat(f"{target} {number}"), "A", number)
        for number in range(60)
        for source, target in zip(ENGLISH, CZECH, strict=True)
    ]


def linked(pairs: Sequence[TextPair], found: Sequence[Links], source: str, target: str) -> float:
    """The share of pairs with both words in which they are linked."""
    wanted = [
        (pair.source.surface_forms.index(source), pair.target.surface_forms.index(target)) in links
        for pair, links in zip(pairs, found, strict=True)
        if source in pair.source.surface_forms and target in pair.target.surface_forms
    ]
    return sum(wanted) / len(wanted)


# natasha


def test_natasha() -> None:
    pytest.importorskip("natasha")
    parser = load_parser("natasha", language="ru")
    lines = ["Он пришёл домой. Она ушла.", "", " ", "Я видел, что дверь открыта."]
    found = parser.parse(lines)
    assert [tree.text for tree in found] == lines
    assert [token.head for token in found[0].tokens] == [1, -1, 1, 1, 5, -1, 5]
    came = found[0].tokens[1]
    assert (came.form, came.lemma, came.upos, came.deprel) == ("пришёл", "прийти", "VERB", "root")
    assert came.feats["VerbForm"] == "Fin"
    assert found[3].tokens[5].deprel == "ccomp"


def test_natasha_in_two_processes(tmp_path: Path) -> None:
    pytest.importorskip("natasha")
    lines = [f"Он купил {number} книг." for number in range(120)]
    parser = load_parser("natasha")
    with Cache(tmp_path) as cache:
        assert cache.trees(parser, lines, executor=ProcessExecutor(2)).values == parser.parse(lines)


# spaCy: a model that is made here, since none is to be had from PyPI


@pytest.fixture(scope="module")
def spacy_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spacy = pytest.importorskip("spacy")
    example = pytest.importorskip("spacy.training").Example
    nlp = spacy.blank("cs", meta={"name": "tiny", "version": "1.2.3"})
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    notes = {
        "words": ["Přišla", "domů", "."],
        "heads": [0, 0, 0],
        "deps": ["ROOT", "advmod", "punct"],
        "pos": ["VERB", "ADV", "PUNCT"],
        "morphs": ["VerbForm=Part", "", ""],
        "spaces": [True, False, False],
        "sent_starts": [1, -1, -1],
    }
    examples = [example.from_dict(nlp.make_doc("Přišla domů."), notes)]
    nlp.initialize(lambda: examples)
    for _ in range(30):
        nlp.update(examples)
    place = tmp_path_factory.mktemp("spacy") / "model"
    nlp.to_disk(place)
    return place


def test_spacy(spacy_model: Path) -> None:
    parser = load_parser(f"spacy:{spacy_model}", language="cs")
    assert "|model:cs_tiny-1.2.3" in parser.signature
    (found, empty) = parser.parse(["Přišla  domů.", ""])
    assert found.tokens[0] == Token("Přišla", "", "VERB", "", {"VerbForm": "Part"}, -1, "root")
    assert found.surface_forms == ("Přišla", "domů", ".")
    assert all(token.head < 3 for token in found.tokens)
    assert len(empty) == 0


def test_a_spacy_model_that_is_not_installed() -> None:
    pytest.importorskip("spacy")
    with pytest.raises(MissingExtra, match=r"the spaCy model xx_nothing .* run: python -m spacy download xx_nothing"):
        load_parser("spacy:xx_nothing")


# eflomal


@pytest.fixture
def eflomal() -> None:
    if not shutil.which("eflomal-align") and not (Path(sys.executable).parent / "eflomal-align").exists():
        pytest.skip("eflomal is not installed")


def test_eflomal_learns_a_small_language(eflomal: None, pairs: list[TextPair]) -> None:
    found = load_aligner("eflomal").align(pairs)
    assert linked(pairs, found, "dog", "pes") > 0.8
    assert linked(pairs, found, "sleeps", "spí") > 0.8
    assert "eflomal" not in sys.modules


def test_eflomal_with_priors(eflomal: None, pairs: list[TextPair], tmp_path: Path) -> None:
    ALIGNERS.get("eflomal")("").learn(pairs, tmp_path / "priors")  # type: ignore[attr-defined]
    few = [TextPair(flat("a cat sleeps"), flat("kočka spí"))]
    assert (2, 1) in load_aligner(f"eflomal:priors={tmp_path / 'priors'}").align(few)[0]


# systran-align


def test_systran_keeps_a_model(pairs: list[TextPair], tmp_path: Path) -> None:
    pytest.importorskip("systran_align")
    plain = ALIGNERS.get("systran")("")
    assert plain.scope == "pool"
    assert linked(pairs, plain.align(pairs), "dog", "pes") > 0.8
    plain.learn(pairs, tmp_path / "model")  # type: ignore[attr-defined]
    learnt = load_aligner(f"systran:model={tmp_path / 'model'}")
    assert learnt.scope == "pair"
    assert learnt.align([TextPair(flat("the cat"), flat("ta kočka")), TextPair(flat(""), flat("x"))]) == [
        links("0-0 1-1"),
        frozenset(),
    ]


def test_a_systran_model_that_is_none(tmp_path: Path) -> None:
    pytest.importorskip("systran_align")
    with pytest.raises(BadFile, match=r"not a model: there is no forward\.probs"):
        load_aligner(f"systran:model={tmp_path}")
