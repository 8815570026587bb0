"""From the keyword along its links to the word that stands for it."""

from assay.contrasts.projection import Projection, project
from tests.contrasts.building import links, tree

# "He wants to read it."; the keyword is "read", 3
WANTS = tree("""
    He     he    PRON  PRP  2  nsubj
    wants  want  VERB  VBZ  0  root
    to     to    PART  TO   4  mark
    read   read  VERB  VB   2  xcomp
    it     it    PRON  PRP  4  obj
    .      .     PUNCT .    2  punct
""")
READ = 3

# "Chce, aby si to mohl přečíst."
MOHL = tree("""
    Chce     chtít    VERB  _  0  root   VerbForm=Fin
    ,        ,        PUNCT _  7  punct
    = aby 2
    aby      aby      SCONJ _  7  mark
    by       být      AUX   _  7  aux    Mood=Cnd|VerbForm=Fin
    si       se       PRON  _  8  expl:pv
    to       ten      DET   _  8  obj
    mohl     moci     VERB  _  1  ccomp  Tense=Past|VerbForm=Part
    přečíst  přečíst  VERB  _  7  xcomp  VerbForm=Inf
    .        .        PUNCT _  1  punct
""")
# Surface tokens: 0 Chce · 1 , · 2 aby · 3 si · 4 to · 5 mohl · 6 přečíst · 7 .
PRECIST = 7  # words are one more after "aby", which is two

# "Byl tam a bude první."
PRVNI = tree("""
    Byl    být    AUX  _  2  cop   Tense=Past|VerbForm=Part
    tam    tam    ADV  _  0  root
    a      a      CCONJ _ 5  cc
    bude   být    AUX  _  5  cop   VerbForm=Fin
    první  první  ADJ  _  2  conj
""")


def test_a_link_leads_to_its_word() -> None:
    projection = project(WANTS, READ, MOHL, links("1-0 3-6"))
    assert (projection.word, projection.reason) == (PRECIST, "")
    assert projection.governor_words == {0}


def test_no_link_leads_nowhere() -> None:
    assert project(WANTS, READ, MOHL, links("0-0")) == Projection(None, "no_link")


def test_a_keyword_without_a_link_is_found_through_what_depends_on_it() -> None:
    # "it" is linked to "to" below "přečíst", which nothing else is linked to.
    found = project(WANTS, READ, MOHL, links("0-0 4-4"))
    assert (found.word, found.reason) == (PRECIST, "")


def test_a_word_that_translates_another_one_is_not_taken_for_it() -> None:
    assert project(WANTS, READ, MOHL, links("1-6 4-4")).reason == "no_link"


def test_a_function_word_alone_stands_for_nothing() -> None:
    assert project(WANTS, READ, MOHL, links("3-1")).reason == "function_word"
    assert project(WANTS, READ, MOHL, links("3-3")).reason == "function_word"  # si


def test_aby_is_a_conjunction_that_stands_for_its_clause() -> None:
    found = project(WANTS, READ, MOHL, links("3-2"))
    assert MOHL.tokens[found.word or 0].form == "mohl"
    # Unless the clause translates something else.
    assert project(WANTS, READ, MOHL, links("3-2 1-5")).reason == "function_word"


def test_function_words_beside_a_content_word_are_passed_over() -> None:
    assert project(WANTS, READ, MOHL, links("3-2 3-3 3-6")).word == PRECIST


def test_an_auxiliary_or_a_copula_stands_for_the_head_of_its_clause() -> None:
    assert project(WANTS, READ, PRVNI, links("3-3")).word == 4
    assert project(WANTS, READ, PRVNI, links("3-0")).word == 1


def test_of_several_words_a_verb_is_preferred_to_others() -> None:
    assert project(WANTS, READ, MOHL, links("3-4 3-6")).word == PRECIST


def test_of_several_verbs_the_higher_one_is_taken() -> None:
    mohl = 6
    assert project(WANTS, READ, MOHL, links("3-5 3-6")).word == mohl


def test_a_word_that_renders_the_governor_too_comes_last() -> None:
    assert project(WANTS, READ, MOHL, links("1-5 3-5 3-6")).word == PRECIST
    assert project(WANTS, READ, MOHL, links("1-6 3-6")).word == PRECIST


def test_auxiliaries_of_the_governor_belong_to_it() -> None:
    supposed = tree("""
        He        he       PRON  PRP  3  nsubj
        is        be       AUX   VBZ  3  aux:pass
        supposed  suppose  VERB  VBN  0  root
        to        to       PART  TO   5  mark
        read      read     VERB  VB   3  xcomp
    """)
    projection = project(supposed, 4, MOHL, links("1-5 4-6"))
    assert projection.governor_words == {6}  # mohl


def test_the_root_of_a_sentence_has_no_governor() -> None:
    assert project(WANTS, 1, MOHL, links("1-0")).governor_words == frozenset()
