"""A parser from treebanks, on six sentences that it can learn by heart."""

from pathlib import Path

import pytest

from assay.contrasts import bundled
from assay.contrasts.files import conllu as conllu_file
from assay.contrasts.files.definitions import read
from assay.contrasts.parsers.udpipe import udpipe
from assay.contrasts.treebank_parser import class_scores, score, train
from assay.errors import BadFile
from tests.contrasts.tiny_model import conllu


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("treebank") / "cs.conllu"
    path.write_text(conllu() * 4, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(treebank: Path) -> bytes:
    return train([treebank], iterations=1)


def test_what_it_has_learnt_it_knows(model: bytes, treebank: Path) -> None:
    found = score(model, [treebank])
    words = sum(line.split("\t")[0].isdecimal() for line in conllu().splitlines() if line)
    assert found.words == 4 * words
    assert found.upos is not None
    assert found.upos > 0.9
    assert found.las is not None
    assert found.uas is not None
    assert found.las <= found.uas


def test_the_model_is_a_parser_of_runs(model: bytes, tmp_path: Path) -> None:
    path = tmp_path / "czech-tiny.udpipe"
    path.write_bytes(model)
    parser = udpipe(str(path))
    assert parser.language == "cs"
    (tree,) = parser.parse(["Chce jít domů."])
    assert tree.surface_forms[0].startswith("Chce")


def test_tags_may_come_from_other_treebanks_than_trees(treebank: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.conllu"
    other.write_text(conllu().replace("\tVERB\t", "\tACTION\t"), encoding="utf-8")
    model = train([treebank, other], tags=[treebank], iterations=1)
    path = tmp_path / "czech-tags.udpipe"
    path.write_bytes(model)
    (tree,) = udpipe(str(path)).parse(["Chce jít domů."])
    assert "VERB" in {token.upos for token in tree.tokens}
    assert "ACTION" not in {token.upos for token in tree.tokens}


def test_classes_are_counted_by_gold_trees_and_by_the_parser(model: bytes, treebank: Path) -> None:
    classes = read(bundled()["en-cs"]).classes
    found = {one.name: one for one in class_scores(model, [treebank], classes)}
    trees = [tree for _, tree in conllu_file.read(treebank)]
    infinitives = sum("VerbForm=Inf" in token.morph for tree in trees for token in tree.tokens)
    assert found["infinitive"].gold == infinitives > 0
    assert 0 < found["infinitive"].same <= min(found["infinitive"].found, infinitives)


def test_a_sentence_with_a_word_that_is_too_long_is_left_out(treebank: Path, tmp_path: Path) -> None:
    path = tmp_path / "long.conllu"
    path.write_text(treebank.read_text("utf-8") + conllu().replace("domů", "#" * 300), encoding="utf-8")
    assert train([path], iterations=1)


def test_what_is_no_treebank_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(BadFile, match="there is no tree in it"):
        train([path])
    path.write_text("1\tChce\n", encoding="utf-8")
    with pytest.raises(BadFile, match="no CoNLL-U"):
        train([path])
