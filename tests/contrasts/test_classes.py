"""The classes of the bundled English–Czech contrasts, on sentences of our own."""

import pytest

from assay.contrasts import bundled
from assay.contrasts.classes import ClassFinder, FoundClass
from assay.contrasts.expectations import SourceRule
from assay.contrasts.files.definitions import read
from assay.contrasts.judge import find
from assay.contrasts.trees import Tree
from tests.contrasts.building import links, tree

CONTRASTS = read(bundled()["en-cs"])
FINDER = ClassFinder(CONTRASTS.classes)

VECER = tree("""
    Večer  večer  ADV   _  2  advmod
    čte    číst   VERB  _  0  root  Mood=Ind|VerbForm=Fin
    noviny noviny NOUN  _  2  obj
""")
CETLA = tree("""
    Babička  babička  NOUN  _  2  nsubj
    četla    číst     VERB  _  0  root  Gender=Fem,Neut|Tense=Past|VerbForm=Part
""")
BUDE = tree("""
    Bude  být   AUX   _  2  aux   Tense=Fut|VerbForm=Fin
    číst  číst  VERB  _  0  root  VerbForm=Inf
""")
CETL_BY = tree("""
    Četl  číst  VERB  _  0  root  Tense=Past|VerbForm=Part
    by    být   AUX   _  1  aux   Mood=Cnd|VerbForm=Fin
""")
ZATCEN = tree("""
    Byl       být       AUX  _  2  aux:pass  Tense=Past|VerbForm=Part
    zatčen    zatčený   ADJ  _  0  root      Variant=Short|VerbForm=Part|Voice=Pass
    a         a         CCONJ _ 4  cc
    odsouzen  odsouzený ADJ  _  2  conj      Variant=Short|VerbForm=Part|Voice=Pass
""")
ABY = tree("""
    Přišla   přijít   VERB  _  0  root   Tense=Past|VerbForm=Part
    ,        ,        PUNCT _  6  punct
    = aby 2
    aby      aby      SCONJ _  6  mark
    by       být      AUX   _  6  aux    Mood=Cnd|VerbForm=Fin
    nám      já       PRON  _  6  obl:arg
    četla    číst     VERB  _  1  advcl  Tense=Past|VerbForm=Part
    a        a        CCONJ _  8  cc
    zpívala  zpívat   VERB  _  6  conj   Tense=Past|VerbForm=Part
""")
ABY_MOHLA = tree("""
    Přišla  přijít  VERB  _  0  root   Tense=Past|VerbForm=Part
    ,       ,       PUNCT _  5  punct
    = aby 2
    aby     aby     SCONJ _  5  mark
    by      být     AUX   _  5  aux    Mood=Cnd|VerbForm=Fin
    mohla   moci    VERB  _  1  advcl  Tense=Past|VerbForm=Part
    číst    číst    VERB  _  5  xcomp  VerbForm=Inf
    a       a       CCONJ _  8  cc
    uměla   umět    VERB  _  5  conj   Tense=Past|VerbForm=Part
    zpívat  zpívat  VERB  _  8  xcomp  VerbForm=Inf
""")
MUZE = tree("""
    Může  moci  VERB  _  0  root   Mood=Ind|VerbForm=Fin
    číst  číst  VERB  _  1  xcomp  VerbForm=Inf
""")
CHCE = tree("""
    Chce  chtít  VERB  _  0  root   Mood=Ind|VerbForm=Fin
    číst  číst   VERB  _  1  xcomp  VerbForm=Inf
    a     a      CCONJ _  5  cc
    být   být    AUX   _  5  cop    VerbForm=Inf
    první první  ADJ   _  2  conj
""")
CTENI = tree("""
    Baví     bavit    VERB  _  0  root   Mood=Ind|VerbForm=Fin
    ji       on       PRON  _  1  obj
    čtení    čtení    NOUN  _  1  nsubj  VerbForm=Vnoun
    čtoucí   čtoucí   ADJ   _  3  amod   VerbForm=Part
    sedíc    sedět    VERB  _  1  advcl  VerbForm=Conv
    rychle   rychle   ADV   _  1  advmod
""")


@pytest.mark.parametrize(
    ("target", "word", "label"),
    [
        (VECER, "čte", "finite"),
        (CETLA, "četla", "finite"),  # no auxiliary in the third person
        (BUDE, "číst", "finite"),
        (CETL_BY, "Četl", "finite"),
        (ZATCEN, "zatčen", "finite"),
        (ZATCEN, "odsouzen", "finite"),  # shares the auxiliary
        (ABY, "četla", "subjunctive"),
        (ABY, "zpívala", "subjunctive"),  # shares the conjunction
        (ABY, "Přišla", "finite"),
        (ABY_MOHLA, "mohla", "subjunctive"),
        (ABY_MOHLA, "číst", "subjunctive"),
        (ABY_MOHLA, "zpívat", "subjunctive"),
        (MUZE, "číst", "finite"),
        (CHCE, "číst", "infinitive"),
        (CHCE, "první", "infinitive"),
        (CTENI, "čtení", "nominal"),
        (CTENI, "čtoucí", "nominal"),
        (CTENI, "sedíc", "nominal"),
        (CTENI, "rychle", ""),
    ],
)
def test_a_czech_word_has_this_class(target: Tree, word: str, label: str) -> None:
    place = [token.form for token in target.tokens].index(word)
    found_class = FINDER.classify(target, place)
    assert (found_class.label, found_class.reason) == (label, "" if label else "no_class")


CAN = tree("""
    She    she   PRON  PRP  3  nsubj
    is     be    AUX   VBZ  3  cop
    able   able  ADJ   JJ   0  root
    to     to    PART  TO   5  mark
    read   read  VERB  VB   3  xcomp
""")


CLAIMS = tree("""
    She     she    PRON  PRP  2  nsubj
    claims  claim  VERB  VBZ  0  root
    to      to     PART  TO   4  mark
    read    read   VERB  VB   2  xcomp
""")


TVRDI = tree("""
    Tvrdí  tvrdit VERB  _  0  root  Mood=Ind|VerbForm=Fin
    ,      ,      PUNCT _  4  punct
    že     že     SCONJ _  4  mark
    může   moci   VERB  _  1  ccomp Mood=Ind|VerbForm=Fin
    číst   číst   VERB  _  4  xcomp VerbForm=Inf
""")


def test_a_modal_bridges_unless_it_renders_the_governor() -> None:
    bridged = FINDER.find(CLAIMS, 3, TVRDI, links("1-0 3-4"))
    assert (bridged.name, bridged.label) == ("finite-modal", "finite")
    assert FINDER.find(CLAIMS, 3, MUZE, links("1-0 3-1")).label == "infinitive"


def test_where_the_governor_has_no_link_a_finite_modal_may_render_it() -> None:
    assert FINDER.find(CLAIMS, 3, TVRDI, links("3-4")).label == "infinitive"
    assert FINDER.find(CLAIMS, 3, ABY_MOHLA, links(f"3-{ABY_MOHLA.surface_forms.index('číst')}")).label == "subjunctive"


def test_under_able_a_finite_modal_never_bridges() -> None:
    assert FINDER.find(CAN, 4, TVRDI, links("2-0 4-4")).label == "infinitive"


def test_what_is_unknown_has_a_reason() -> None:
    assert FINDER.find(CAN, 4, CTENI, links("0-0")) == FoundClass(None, reason="no_link")
    assert FINDER.find(CAN, 4, ABY, links("4-1")) == FoundClass(None, reason="function_word")
    assert FINDER.find(CAN, 4, CTENI, links("4-5")) == FoundClass(5, reason="no_class")


READING = tree("""
    She      she    PRON  PRP  2  nsubj
    sat      sit    VERB  VBD  0  root
    reading  read   VERB  VBG  2  advcl
    ,        ,      PUNCT ,    6  punct
    was      be     AUX   VBD  6  aux
    singing  sing   VERB  VBG  2  parataxis
    and      and    CCONJ CC   8  cc
    began    begin  VERB  VBD  6  conj
    to       to     PART  TO   10 mark
    hum      hum    VERB  VB   8  xcomp
    by       by     SCONJ IN   12 mark
    closing  close  VERB  VBG  10 advcl
    eyes     eye    NOUN  NNS  12 obj
    to       to     PART  TO   15 mark
    rest     rest   VERB  VB   12 advcl
""")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gerund", ["reading", "closing"]),  # "was singing" is a progressive
        ("control", ["hum", "rest"]),
        ("gerund-finite", ["reading"]),
        ("gerund-nonfinite", []),  # after "by" Czech has both
        ("control-nonfinite", ["hum"]),
        ("control-subjunctive", ["rest"]),
        ("control-finite", []),
    ],
)
def test_an_english_sentence_has_these_keywords(name: str, words: list[str]) -> None:
    found = find(CONTRASTS, {0: READING}, name)
    assert [READING.tokens[int(item.id.split(":")[1]) - 1].form for item in found] == words


def contrast_of(table: str) -> str:
    """The contrast that claims the only keyword of a sentence by its source rule; nothing where there is none."""
    found = SourceRule(CONTRASTS).occurrences({0: tree(table)})
    return "".join(occurrence.contrast.name for occurrence in found)


def test_what_is_to_happen_is_no_control() -> None:
    is_to = """
        Trial    trial   NOUN  NN   4  nsubj
        is       be      AUX   VBZ  4  cop
        to       to      PART  TO   4  mark
        take     take    VERB  VB   6  {relation}
        he       he      PRON  PRP  6  nsubj
        decided  decide  VERB  VBD  0  root
    """
    assert contrast_of(is_to.format(relation="ccomp")) == contrast_of(is_to.format(relation="xcomp")) == ""
    # In "to be saved" the auxiliary stands behind `to`.
    assert (
        contrast_of("""
        They     they    PRON  PRP  2  nsubj
        wanted   want    VERB  VBD  0  root
        to       to      PART  TO   5  mark
        be       be      AUX   VB   5  aux
        helping  help    VERB  VB   2  xcomp
    """)
        == "control-nonfinite"
    )


@pytest.mark.parametrize(
    ("governor", "relation", "contrast"),
    [
        ("refuse", "xcomp", "control-nonfinite"),
        ("promise", "xcomp", ""),  # "slíbil, že přijde" is as good as "slíbil přijít"
        ("hope", "xcomp", ""),
        ("fail", "advcl", ""),  # a complement that a parser took for an adjunct
        ("decline", "advcl", ""),
        ("travel", "advcl", "control-subjunctive"),
    ],
)
def test_the_governor_says_which_contrast_an_infinitive_belongs_to(governor: str, relation: str, contrast: str) -> None:
    sentence = f"""
        They       they       PRON  PRP  2  nsubj
        {governor} {governor} VERB  VBP  0  root
        to         to         PART  TO   4  mark
        come       come       VERB  VB   2  {relation}
    """
    assert contrast_of(sentence) == contrast


def test_what_someone_keeps_doing_is_a_finite_clause_in_czech() -> None:
    sentence = """
        They  they  PRON  PRP  2  nsubj
        {0}   {0}   VERB  VBP  0  root
        reading  read  VERB  VBG  2  xcomp
    """
    assert contrast_of(sentence.format("stop")) == "gerund-nonfinite"
    assert contrast_of(sentence.format("keep")) == ""
