"""The bundled contrasts of all language pairs: what every file keeps to."""

import pytest

from assay.contrasts import bundled
from assay.contrasts.classes import ClassFinder
from assay.contrasts.files.definitions import read
from tests.contrasts.building import tree

FILES = bundled()


def test_there_are_three_language_pairs() -> None:
    assert list(FILES) == ["en-cs", "en-de", "en-ru"]


@pytest.mark.parametrize("langpair", FILES)
def test_a_file_says_what_it_is(langpair: str) -> None:
    contrasts = read(FILES[langpair])
    assert contrasts.name == f"contrasts-{langpair}"
    assert contrasts.langpair == langpair
    assert (contrasts.licence, contrasts.version) == ("CC-BY-4.0", "2" if langpair == "en-cs" else "1")
    assert len(contrasts.contrasts) >= 3
    described = [construction.description for construction in contrasts.constructions.values()]
    described += (known.description for known in contrasts.classes)
    assert all(text.endswith(".") for text in described)


@pytest.mark.parametrize("langpair", FILES)
def test_every_contrast_explains_itself_and_can_be_passed_and_failed(langpair: str) -> None:
    contrasts = read(FILES[langpair])
    for contrast in contrasts.contrasts.values():
        assert contrast.category
        assert contrast.tests.endswith(".")
        assert contrast.good
        assert contrast.bad


@pytest.mark.parametrize("langpair", FILES)
def test_nothing_is_left_over(langpair: str) -> None:
    contrasts = read(FILES[langpair])
    assert {contrast.construction for contrast in contrasts.contrasts.values()} == set(contrasts.constructions)
    used = {label for contrast in contrasts.contrasts.values() for label in (*contrast.good, *contrast.bad)}
    neutral = {"en-cs": set[str](), "en-de": set[str](), "en-ru": {"future"}}  # a future is neither good nor bad
    assert {known.label for known in contrasts.classes} - used == neutral[langpair]


def test_a_copula_makes_no_infinitive_finite_in_czech() -> None:
    finder = ClassFinder(read(FILES["en-cs"]).classes)
    goal = tree("""
        Cílem     cíl       NOUN  _  3  obl   Case=Ins
        je        být       AUX   _  3  cop   Mood=Ind|VerbForm=Fin
        pomáhat   pomáhat   VERB  _  0  root  VerbForm=Inf
    """)
    tired = tree("""
        Byla      být       AUX   _  2  cop   Tense=Past|VerbForm=Part
        unavená   unavený   ADJ   _  0  root
    """)
    assert finder.classify(goal, 2).label == "infinitive"
    assert finder.classify(tired, 1).label == "finite"


def test_mit_is_no_modal_with_a_plan_in_czech() -> None:
    finder = ClassFinder(read(FILES["en-cs"]).classes)
    intends = tree("""
        Má        mít       VERB  _  0  root   Mood=Ind|VerbForm=Fin
        v         v         ADP   _  3  case
        úmyslu    úmysl     NOUN  _  1  obl
        odjet     odjet     VERB  _  1  xcomp  VerbForm=Inf
    """)
    # A parser may hang the plan on the infinitive.
    hung = tree("""
        Má        mít       VERB  _  0  root   Mood=Ind|VerbForm=Fin
        v         v         ADP   _  3  case
        úmyslu    úmysl     NOUN  _  4  obl
        odjet     odjet     VERB  _  1  csubj  VerbForm=Inf
    """)
    needs = tree("""
        Má        mít       VERB  _  0  root   Mood=Ind|VerbForm=Fin
        potřebu   potřeba   NOUN  _  1  obj
        odjet     odjet     VERB  _  1  xcomp  VerbForm=Inf
    """)
    ought = tree("""
        Má        mít       VERB  _  0  root   Mood=Ind|VerbForm=Fin
        odjet     odjet     VERB  _  1  xcomp  VerbForm=Inf
    """)
    assert finder.classify(intends, 3).label == "infinitive"
    assert finder.classify(hung, 3).label == "infinitive"
    assert finder.classify(needs, 2).label == "infinitive"
    assert finder.classify(ought, 1).label == "finite"
