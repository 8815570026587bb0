"""The bundled contrasts on gold trees: 1,000 parallel sentences of PUD, English and Czech."""

from collections import Counter
from pathlib import Path

import pytest

from assay.contrasts import bundled
from assay.contrasts.classes import ClassFinder
from assay.contrasts.expectations import SourceRule
from assay.contrasts.files import conllu
from assay.contrasts.files.definitions import read
from assay.contrasts.judge import find
from assay.contrasts.trees import Tree

CONTRASTS = read(bundled()["en-cs"])


@pytest.fixture(scope="module")
def english(data: Path) -> dict[int, Tree]:
    return dict(conllu.read(data / "pud" / "en_pud-ud-test.conllu"))


@pytest.fixture(scope="module")
def czech(data: Path) -> dict[int, Tree]:
    return dict(conllu.read(data / "pud" / "cs_pud-ud-test.conllu"))


def test_a_known_number_of_sentences_and_words(english: dict[int, Tree], czech: dict[int, Tree]) -> None:
    # grep -cP '^\d+\t' of the two files
    assert (len(english), sum(map(len, english.values()))) == (1000, 21180)
    assert (len(czech), sum(map(len, czech.values()))) == (1000, 18609)
    # 45 multiword tokens (aby, kdyby …) of two words each
    assert sum(len(tree) - len(tree.surface_forms) for tree in czech.values()) == 45


def test_gerunds_are_the_ing_forms_that_head_a_clause(english: dict[int, Tree]) -> None:
    # 203 verbs are VBG with one of the relations asked for; what is missing are progressive tenses and prepositions.
    assert 180 <= len(find(CONTRASTS, english, "gerund")) <= 203


def test_control_is_every_infinitive_with_to_that_depends_on_something(english: dict[int, Tree]) -> None:
    # xcomp 138, advcl 38, acl 36, ccomp 8
    assert len(find(CONTRASTS, english, "control")) == 138 + 38 + 36 + 8


def test_every_contrast_has_instances(english: dict[int, Tree]) -> None:
    counts = Counter(occurrence.contrast.name for occurrence in SourceRule(CONTRASTS).occurrences(english))
    assert set(counts) == set(CONTRASTS.contrasts)
    assert min(counts.values()) >= 10


def test_nearly_every_czech_verb_has_a_class(czech: dict[int, Tree]) -> None:
    finder = ClassFinder(CONTRASTS.classes)
    labels = Counter(
        finder.classify(tree, place).label
        for tree in czech.values()
        for place, token in enumerate(tree.tokens)
        if token.upos == "VERB"
    )
    # VERB: 548 finite, 877 past participles, 291 infinitives and 3 transgressives in the file
    assert labels[""] == 0
    assert labels["nominal"] == 3
    assert labels["finite"] + labels["subjunctive"] > 548 + 877
    assert labels["subjunctive"] > 40
    assert 150 <= labels["infinitive"] <= 291  # the others belong to a modal or to a future
