"""The bundled English–Russian contrasts, on sentences of our own with trees made by hand."""

import pytest

from assay.contrasts import bundled
from assay.contrasts.classes import ClassFinder
from assay.contrasts.expectations import SourceRule
from assay.contrasts.files.definitions import read
from assay.contrasts.trees import Tree
from tests.contrasts.building import links, tree

CONTRASTS = read(bundled()["en-ru"])
FINDER = ClassFinder(CONTRASTS.classes)

EYES = tree("""
    Anna    Anna   PROPN NNP  2 nsubj
    closed  close  VERB  VBD  0 root
    her     her    PRON  PRP$ 4 nmod:poss
    eyes    eye    NOUN  NNS  2 obj
""")
GLAZA = tree("""
    Анна     Анна     PROPN _ 2 nsubj
    закрыла  закрыть  VERB  _ 0 root  Aspect=Perf|Tense=Past|VerbForm=Fin
    глаза    глаз     NOUN  _ 2 obj   Case=Acc
""")
SVOI_GLAZA = tree("""
    Анна     Анна     PROPN _ 2 nsubj
    закрыла  закрыть  VERB  _ 0 root  Aspect=Perf|Tense=Past|VerbForm=Fin
    свои     свой     DET   _ 4 det   Case=Acc
    глаза    глаз     NOUN  _ 2 obj   Case=Acc
""")
HOUSE = tree("""
    He     he     PRON PRP  2 nsubj
    sold   sell   VERB VBD  0 root
    his    his    PRON PRP$ 4 nmod:poss
    house  house  NOUN NN   2 obj
""")
MY_HOUSE = tree("""
    I      I      PRON PRP  2 nsubj
    sold   sell   VERB VBD  0 root
    my     my     PRON PRP$ 4 nmod:poss
    house  house  NOUN NN   2 obj
""")
HER_HOUSE = tree("""
    He     he     PRON PRP  2 nsubj
    sold   sell   VERB VBD  0 root
    her    her    PRON PRP$ 4 nmod:poss
    house  house  NOUN NN   2 obj
""")
SVOJ_DOM = tree("""
    Он      он       PRON _ 2 nsubj
    продал  продать  VERB _ 0 root  Aspect=Perf|Tense=Past|VerbForm=Fin
    свой    свой     DET  _ 4 det   Case=Acc
    дом     дом      NOUN _ 2 obj   Case=Acc
""")
EGO_DOM = tree("""
    Он      он       PRON _ 2 nsubj
    продал  продать  VERB _ 0 root  Aspect=Perf|Tense=Past|VerbForm=Fin
    его     он       PRON _ 4 nmod  Case=Gen
    дом     дом      NOUN _ 2 obj   Case=Acc
""")

THERE = tree("""
    There   there   PRON EX  2 expl
    is      be      VERB VBZ 0 root
    a       a       DET  DT  4 det
    book    book    NOUN NN  2 nsubj
    on      on      ADP  IN  7 case
    the     the     DET  DT  7 det
    table   table   NOUN NN  2 obl
""")
LEZHIT = tree("""
    На     на      ADP  _ 2 case
    столе  стол    NOUN _ 3 obl    Case=Loc
    лежит  лежать  VERB _ 0 root   Aspect=Imp|Tense=Pres|VerbForm=Fin
    книга  книга   NOUN _ 3 nsubj  Case=Nom
""")
TAM_JEST = tree("""
    Там    там    ADV  _ 2 advmod
    есть   быть   VERB _ 0 root   Aspect=Imp|Tense=Pres|VerbForm=Fin
    книга  книга  NOUN _ 2 nsubj  Case=Nom
    на     на     ADP  _ 5 case
    столе  стол   NOUN _ 2 obl    Case=Loc
""")

READING = tree("""
    He       he    PRON PRP 3 nsubj
    was      be    AUX  VBD 3 aux
    reading  read  VERB VBG 0 root
""")
GOING = tree("""
    He     he     PRON PRP 3 nsubj
    was    be     AUX  VBD 3 aux
    going  go     VERB VBG 0 root
    to     to     PART TO  5 mark
    leave  leave  VERB VB  3 xcomp
""")
CHITAL = tree("""
    Он     он      PRON _ 2 nsubj
    читал  читать  VERB _ 0 root  Aspect=Imp|Tense=Past|VerbForm=Fin
""")
PROCHITAL = tree("""
    Он        он         PRON _ 2 nsubj
    прочитал  прочитать  VERB _ 0 root  Aspect=Perf|Tense=Past|VerbForm=Fin
""")

WORKING = tree("""
    She      she   PRON PRP 4 nsubj
    has      have  AUX  VBZ 4 aux
    been     be    AUX  VBN 4 aux
    working  work  VERB VBG 0 root
    here     here  ADV  RB  4 advmod
    for      for   ADP  IN  8 case
    ten      ten   NUM  CD  8 nummod
    years    year  NOUN NNS 4 obl
""")
RABOTAJET = tree("""
    Она       она       PRON _ 2 nsubj
    работает  работать  VERB _ 0 root  Aspect=Imp|Tense=Pres|VerbForm=Fin
    здесь     здесь     ADV  _ 2 advmod
    уже       уже       ADV  _ 5 advmod
    десять    десять    NUM  _ 6 nummod:gov
    лет       год       NOUN _ 2 obl   Case=Gen
""")
RABOTALA = tree("""
    Она       она       PRON _ 2 nsubj
    работала  работать  VERB _ 0 root  Aspect=Imp|Tense=Past|VerbForm=Fin
    здесь     здесь     ADV  _ 2 advmod
""")

WANT = tree("""
    I     I     PRON PRP 2 nsubj
    want  want  VERB VBP 0 root
    you   you   PRON PRP 2 obj
    to    to    PART TO  5 mark
    come  come  VERB VB  2 xcomp
""")
CHTOBY = tree("""
    Я       я       PRON  _ 2 nsubj
    хочу    хотеть  VERB  _ 0 root   Aspect=Imp|Tense=Pres|VerbForm=Fin
    ,       ,       PUNCT _ 6 punct
    чтобы   чтобы   SCONJ _ 6 mark
    ты      ты      PRON  _ 6 nsubj
    пришёл  прийти  VERB  _ 2 ccomp  Aspect=Perf|Tense=Past|VerbForm=Fin
""")
PRIJTI = tree("""
    Я       я       PRON _ 2 nsubj
    хочу    хотеть  VERB _ 0 root   Aspect=Imp|Tense=Pres|VerbForm=Fin
    тебя    ты      PRON _ 2 obj    Case=Acc
    прийти  прийти  VERB _ 2 xcomp  Aspect=Perf|VerbForm=Inf
""")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (EYES, [("eyes", "possessive-body")]),
        (HOUSE, [("house", "possessive-own")]),
        (MY_HOUSE, []),  # мой says the same
        (HER_HOUSE, []),  # not his
        (THERE, [("book", "existential")]),
        (READING, [("reading", "progressive-imperfective")]),
        (GOING, []),  # a future
        (WORKING, [("working", "perfect-present")]),
        (WANT, [("come", "want-clause")]),
    ],
)
def test_an_english_sentence_has_these_keywords(source: Tree, found: list[tuple[str, str]]) -> None:
    occurrences = SourceRule(CONTRASTS).occurrences({0: source})
    assert [(source.tokens[one.word].form, one.contrast.name) for one in occurrences] == found


@pytest.mark.parametrize(
    ("source", "target", "pharaoh", "label", "good"),
    [
        (EYES, GLAZA, "3-2", "noun", True),
        (EYES, SVOI_GLAZA, "3-3", "own", False),
        (HOUSE, SVOJ_DOM, "3-3", "own", True),
        (HOUSE, EGO_DOM, "3-3", "possessive", False),
        (THERE, LEZHIT, "3-3", "noun", True),
        (THERE, TAM_JEST, "3-2", "literal-there", False),
        (READING, CHITAL, "2-1", "past-imperfective", True),
        (READING, PROCHITAL, "2-1", "past-perfective", False),
        (WORKING, RABOTAJET, "3-1", "present", True),
        (WORKING, RABOTALA, "3-1", "past-imperfective", False),
        (WANT, CHTOBY, "1-1 4-5", "chtoby", True),
        (WANT, PRIJTI, "1-1 4-3", "infinitive", False),
    ],
)
def test_a_russian_translation_is_good_or_bad(source: Tree, target: Tree, pharaoh: str, label: str, good: bool) -> None:
    (found,) = SourceRule(CONTRASTS).occurrences({0: source})
    found_class = FINDER.find(source, found.word, target, links(pharaoh))
    assert found_class.label == label
    assert (label in found.contrast.good, label in found.contrast.bad) == (good, not good)


@pytest.mark.parametrize(
    ("word", "label"), [("будем", "future"), ("ждать", "future"), ("придём", "future"), ("читая", "nonfinite")]
)
def test_other_forms_of_verbs(word: str, label: str) -> None:
    target = tree("""
        Мы      мы      PRON  _ 3 nsubj
        будем   быть    AUX   _ 3 aux    Tense=Fut|VerbForm=Fin
        ждать   ждать   VERB  _ 0 root   Aspect=Imp|VerbForm=Inf
        читая   читать  VERB  _ 3 advcl  Aspect=Imp|VerbForm=Conv
        придём  прийти  VERB  _ 3 conj   Aspect=Perf|Tense=Fut|VerbForm=Fin
    """)
    place = [token.form for token in target.tokens].index(word)
    assert FINDER.classify(target, place).label == label
