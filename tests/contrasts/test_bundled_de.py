"""The bundled English–German contrasts, on sentences of our own with trees made by hand."""

import pytest

from assay.contrasts import bundled
from assay.contrasts.classes import ClassFinder
from assay.contrasts.expectations import SourceRule
from assay.contrasts.files.definitions import read
from assay.contrasts.trees import Tree
from tests.contrasts.building import links, tree

CONTRASTS = read(bundled()["en-de"])
FINDER = ClassFinder(CONTRASTS.classes)

HELPED = tree("""
    He      he    PRON PRP 3 nsubj:pass
    was     be    AUX  VBD 3 aux:pass
    helped  help  VERB VBN 0 root
    at      at    ADP  IN  5 case
    once    once  ADV  RB  3 obl
""")
IHM_WURDE = tree("""
    Ihm       er      PRON _ 4 obj       Case=Dat
    wurde     werden  AUX  _ 4 aux:pass  Mood=Ind|Tense=Past|VerbForm=Fin
    sofort    sofort  ADV  _ 4 advmod
    geholfen  helfen  VERB _ 0 root      VerbForm=Part
""")
ER_WURDE = tree("""
    Er        er      PRON _ 4 nsubj:pass  Case=Nom
    wurde     werden  AUX  _ 4 aux:pass    Mood=Ind|Tense=Past|VerbForm=Fin
    sofort    sofort  ADV  _ 4 advmod
    geholfen  helfen  VERB _ 0 root        VerbForm=Part
""")
MAN_HALF = tree("""
    Man     man     PRON _ 2 nsubj   Case=Nom
    half    helfen  VERB _ 0 root    Mood=Ind|Tense=Past|VerbForm=Fin
    ihm     er      PRON _ 2 obj     Case=Dat
    sofort  sofort  ADV  _ 2 advmod
""")
FOLLOWED = tree("""
    Dinner    dinner  NOUN NN  3 nsubj:pass
    was       be      AUX  VBD 3 aux:pass
    followed  follow  VERB VBN 0 root
    by        by      ADP  IN  6 case
    a         a       DET  DT  6 det
    speech    speech  NOUN NN  3 obl:agent
""")
WURDE_GEFOLGT = tree("""
    Das     der     DET  _ 2 det         Case=Nom
    Essen   Essen   NOUN _ 4 nsubj:pass  Case=Nom
    wurde   werden  AUX  _ 4 aux:pass    Mood=Ind|Tense=Past|VerbForm=Fin
    gefolgt folgen  VERB _ 0 root        VerbForm=Part
    von     von     ADP  _ 7 case
    einer   ein     DET  _ 7 det         Case=Dat
    Rede    Rede    NOUN _ 4 obl         Case=Dat
""")

BUILT = tree("""
    The      the     DET   DT  2 det
    bridge   bridge  NOUN  NN  4 nsubj:pass
    was      be      AUX   VBD 4 aux:pass
    built    build   VERB  VBN 0 root
    by       by      ADP   IN  6 case
    monks    monk    NOUN  NNS 4 obl:agent
""")
WURDE_GEBAUT = tree("""
    Die     der     DET  _ 2 det         Case=Nom
    Brücke  Brücke  NOUN _ 6 nsubj:pass  Case=Nom
    wurde   werden  AUX  _ 6 aux:pass    Mood=Ind|Tense=Past|VerbForm=Fin
    von     von     ADP  _ 5 case
    Mönchen Mönch   NOUN _ 6 obl:agent   Case=Dat
    gebaut  bauen   VERB _ 0 root        VerbForm=Part
""")
IST_WORDEN = tree("""
    Die     der     DET  _ 2 det         Case=Nom
    Brücke  Brücke  NOUN _ 4 nsubj:pass  Case=Nom
    ist     sein    AUX  _ 4 aux         Mood=Ind|Tense=Pres|VerbForm=Fin
    gebaut  bauen   VERB _ 0 root        VerbForm=Part
    worden  werden  AUX  _ 4 aux:pass    VerbForm=Part
""")
IST_GEBAUT = tree("""
    Die     der     DET  _ 2 det         Case=Nom
    Brücke  Brücke  NOUN _ 6 nsubj:pass  Case=Nom
    ist     sein    AUX  _ 6 aux:pass    Mood=Ind|Tense=Pres|VerbForm=Fin
    von     von     ADP  _ 5 case
    Mönchen Mönch   NOUN _ 6 obl         Case=Dat
    gebaut  bauen   VERB _ 0 root        VerbForm=Part
""")
BAUTEN = tree("""
    Mönche  Mönch   NOUN _ 2 nsubj  Case=Nom
    bauten  bauen   VERB _ 0 root   Mood=Ind|Tense=Past|VerbForm=Fin
    die     der     DET  _ 4 det    Case=Acc
    Brücke  Brücke  NOUN _ 2 obj    Case=Acc
""")

WORKING = tree("""
    She      she    PRON PRP 3 nsubj
    is       be     AUX  VBZ 3 aux
    working  work   VERB VBG 0 root
    today    today  NOUN NN  3 obl:tmod
""")
ARBEITET = tree("""
    Sie       sie       PRON _ 2 nsubj  Case=Nom
    arbeitet  arbeiten  VERB _ 0 root   Mood=Ind|Tense=Pres|VerbForm=Fin
    heute     heute     ADV  _ 2 advmod
""")
AM_ARBEITEN = tree("""
    Sie       sie       PRON _ 6 nsubj  Case=Nom
    ist       sein      AUX  _ 6 cop    Mood=Ind|Tense=Pres|VerbForm=Fin
    heute     heute     ADV  _ 6 advmod
    = am 2
    an        an        ADP  _ 6 case
    dem       der       DET  _ 6 det    Case=Dat
    Arbeiten  Arbeiten  NOUN _ 0 root   Case=Dat
""")
ARBEITEND = tree("""
    Sie        sie        PRON _ 3 nsubj  Case=Nom
    ist        sein       AUX  _ 3 cop    Mood=Ind|Tense=Pres|VerbForm=Fin
    arbeitend  arbeitend  ADJ  _ 0 root
    heute      heute      ADV  _ 3 advmod
""")
GOING = tree("""
    It     it    PRON PRP 3 nsubj
    is     be    AUX  VBZ 3 aux
    going  go    VERB VBG 0 root
    to     to    PART TO  5 mark
    rain   rain  VERB VB  3 xcomp
""")

LIVED = tree("""
    We     we    PRON PRP 3 nsubj
    have   have  AUX  VBP 3 aux
    lived  live  VERB VBN 0 root
    here   here  ADV  RB  3 advmod
    for    for   ADP  IN  7 case
    ten    ten   NUM  CD  7 nummod
    years  year  NOUN NNS 3 obl
""")
NOT_SEEN = tree("""
    I      I     PRON PRP 4 nsubj
    have   have  AUX  VBP 4 aux
    not    not   PART RB  4 advmod
    seen   see   VERB VBN 0 root
    her    she   PRON PRP 4 obj
    for    for   ADP  IN  7 case
    years  year  NOUN NNS 4 obl
""")
WOHNEN = tree("""
    Wir     wir     PRON _ 2 nsubj  Case=Nom
    wohnen  wohnen  VERB _ 0 root   Mood=Ind|Tense=Pres|VerbForm=Fin
    seit    seit    ADP  _ 5 case
    zehn    zehn    NUM  _ 5 nummod
    Jahren  Jahr    NOUN _ 2 obl    Case=Dat
    hier    hier    ADV  _ 2 advmod
""")
GEWOHNT = tree("""
    Wir      wir     PRON _ 6 nsubj  Case=Nom
    haben    haben   AUX  _ 6 aux    Mood=Ind|Tense=Pres|VerbForm=Fin
    hier     hier    ADV  _ 6 advmod
    zehn     zehn    NUM  _ 5 nummod
    Jahre    Jahr    NOUN _ 6 obl    Case=Acc
    gewohnt  wohnen  VERB _ 0 root   VerbForm=Part
""")

LEARNING = tree("""
    Learning  learn   VERB  VBG 3 csubj
    German    German  PROPN NNP 1 obj
    takes     take    VERB  VBZ 0 root
    years     year    NOUN  NNS 3 obj
""")
ZU_LERNEN = tree("""
    Deutsch  Deutsch  NOUN _ 3 obj    Case=Acc
    zu       zu       PART _ 3 mark
    lernen   lernen   VERB _ 4 csubj  VerbForm=Inf
    dauert   dauern   VERB _ 0 root   Mood=Ind|Tense=Pres|VerbForm=Fin
    Jahre    Jahr     NOUN _ 4 obl    Case=Acc
""")
LERNEND = tree("""
    Lernend  lernend  ADJ  _ 3 advcl
    Deutsch  Deutsch  NOUN _ 1 obj    Case=Acc
    dauert   dauern   VERB _ 0 root   Mood=Ind|Tense=Pres|VerbForm=Fin
    Jahre    Jahr     NOUN _ 3 obl    Case=Acc
""")

WANT = tree("""
    I       I     PRON PRP 2 nsubj
    want    want  VERB VBP 0 root
    him     he    PRON PRP 2 obj
    to      to    PART TO  5 mark
    come    come  VERB VB  2 xcomp
    along   along ADV  RB  5 advmod
""")
DASS = tree("""
    Ich       ich        PRON  _ 2 nsubj  Case=Nom
    will      wollen     VERB  _ 0 root   Mood=Ind|Tense=Pres|VerbForm=Fin
    ,         ,          PUNCT _ 6 punct
    dass      dass       SCONJ _ 6 mark
    er        er         PRON  _ 6 nsubj  Case=Nom
    mitkommt  mitkommen  VERB  _ 2 ccomp  Mood=Ind|Tense=Pres|VerbForm=Fin
""")
IHN_MITZUKOMMEN = tree("""
    Ich           ich        PRON _ 2 nsubj  Case=Nom
    will          wollen     VERB _ 0 root   Mood=Ind|Tense=Pres|VerbForm=Fin
    ihn           er         PRON _ 2 obj    Case=Acc
    mitzukommen   mitkommen  VERB _ 2 xcomp  VerbForm=Inf
""")
IHN_MITKOMMEN = tree("""
    Ich        ich        PRON _ 4 nsubj  Case=Nom
    will       wollen     AUX  _ 0 root   Mood=Ind|Tense=Pres|VerbForm=Fin
    ihn        er         PRON _ 4 obj    Case=Acc
    mitkommen  mitkommen  VERB _ 2 xcomp  VerbForm=Inf
""")

# As parsers do it.
IST_AUX = tree("""
    Sie            sie          PRON _ 3 nsubj  Case=Nom
    ist            sein         AUX  _ 3 aux    Mood=Ind|Tense=Pres|VerbForm=Fin
    abgeschlossen  abschließen  VERB _ 0 root   VerbForm=Part
""")
IST_GEKOMMEN = tree("""
    Sie       sie     PRON _ 3 nsubj  Case=Nom
    ist       sein    AUX  _ 3 aux    Mood=Ind|Tense=Pres|VerbForm=Fin
    gekommen  kommen  VERB _ 0 root   VerbForm=Part
""")
WIR_SEHEN = tree("""
    Was    was    PRON _ 3 obj
    wir    wir    PRON _ 3 nsubj  Case=Nom
    sehen  sehen  VERB _ 0 root   VerbForm=Inf
""")


def keywords(source: Tree) -> list[tuple[str, str]]:
    found = SourceRule(CONTRASTS).occurrences({0: source})
    return [(source.tokens[one.word].form, one.contrast.name) for one in found]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (HELPED, [("helped", "passive-dative")]),
        (FOLLOWED, [("followed", "passive-dative")]),
        (BUILT, [("built", "passive-event")]),
        (WORKING, [("working", "progressive-simple")]),
        (GOING, []),  # a future
        (LIVED, [("lived", "perfect-present")]),
        (NOT_SEEN, []),  # a perfect in German too
        (LEARNING, [("Learning", "gerund-subject")]),
        (WANT, [("come", "want-clause")]),
    ],
)
def test_an_english_sentence_has_these_keywords(source: Tree, found: list[tuple[str, str]]) -> None:
    assert keywords(source) == found


@pytest.mark.parametrize(
    ("source", "target", "pharaoh", "label", "good"),
    [
        (HELPED, IHM_WURDE, "2-3", "werden-passive", True),
        (HELPED, ER_WURDE, "2-3", "nominative-passive", False),
        (HELPED, MAN_HALF, "2-1", "man", True),
        (FOLLOWED, WURDE_GEFOLGT, "2-3", "nominative-passive", False),
        (BUILT, WURDE_GEBAUT, "3-5", "werden-passive", True),
        (BUILT, IST_WORDEN, "3-3", "werden-passive", True),
        (BUILT, IST_GEBAUT, "3-5", "sein-passive", False),
        (BUILT, BAUTEN, "3-1", "preterite", True),
        (BUILT, IST_AUX, "3-2", "sein-passive", False),
        (BUILT, IST_GEKOMMEN, "3-2", "perfect", True),
        (WORKING, WIR_SEHEN, "2-2", "present", True),
        (WORKING, ARBEITET, "2-1", "present", True),
        (WORKING, AM_ARBEITEN, "2-4", "am-progressive", False),  # am is one place for links
        (WORKING, ARBEITEND, "2-2", "present-participle", False),
        (LIVED, WOHNEN, "2-1", "present", True),
        (LIVED, GEWOHNT, "2-5", "perfect", False),
        (LEARNING, ZU_LERNEN, "0-2", "zu-infinitive", True),
        (LEARNING, LERNEND, "0-0", "present-participle", False),
        (WANT, DASS, "1-1 4-5", "dass-clause", True),
        (WANT, IHN_MITZUKOMMEN, "1-1 4-3", "zu-infinitive", False),
        (WANT, IHN_MITKOMMEN, "1-1 4-3", "infinitive", False),
    ],
)
def test_a_german_translation_is_good_or_bad(source: Tree, target: Tree, pharaoh: str, label: str, good: bool) -> None:
    (found,) = SourceRule(CONTRASTS).occurrences({0: source})
    found_class = FINDER.find(source, found.word, target, links(pharaoh))
    assert found_class.label == label
    assert (label in found.contrast.good, label in found.contrast.bad) == (good, not good)


def test_a_dative_stays_right_where_it_looks_like_a_subject() -> None:
    ihr = Tree(tuple(token._replace(form="Ihr") if token.form == "Er" else token for token in ER_WURDE.tokens))
    assert FINDER.classify(ihr, 3).label == "werden-passive"  # "Ihr wurde geholfen", a parser's nsubj:pass
