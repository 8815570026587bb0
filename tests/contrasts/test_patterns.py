"""Patterns on trees: each operator and attribute, from whichever node is the keyword."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.contrasts.patterns import INVERSE, RELATIONS, Patterns
from assay.contrasts.records import OPERATORS, Condition, Node, Operator, Pattern, Predicate
from assay.contrasts.trees import Token, Tree
from assay.errors import BadOption
from tests.contrasts.building import tree

# 0 The · 1 old · 2 man · 3 often · 4 reads · 5 long · 6 books · 7 .     and a second sentence:  8 He · 9 sleeps
READER = tree("""
    The     the    DET   DT   3  det
    old     old    ADJ   JJ   3  amod    Degree=Pos
    man     man    NOUN  NN   5  nsubj   Number=Sing
    often   often  ADV   RB   5  advmod
    reads   read   VERB  VBZ  0  root    Mood=Ind|Number=Sing|Tense=Pres|VerbForm=Fin
    long    long   ADJ   JJ   7  amod    Degree=Pos
    books   book   NOUN  NNS  5  obj     Number=Plur
    .       .      PUNCT .    5  punct
    He      he     PRON  PRP  10 nsubj   Gender=Masc|Number=Sing
    sleeps  sleep  VERB  VBZ  0  root    Mood=Ind|Number=Sing|Tense=Pres|VerbForm=Fin
""")
WORDS = [token.form for token in READER.tokens]


def condition(attribute: str, predicate: str, *values: str) -> Condition:
    return Condition(attribute, predicate, values)  # type: ignore[arg-type]


def words(*conditions: Condition) -> list[str]:
    """The words of the example that fulfil conditions."""
    return [WORDS[place] for place in Patterns([(Node("kw", conditions),)], keyword="kw").places(READER)]


@pytest.mark.parametrize(
    ("word", "operator", "others"),
    [
        ("man", "<", ["reads"]),
        ("reads", "<", []),  # a root has no governor
        ("man", ">", ["The", "old"]),
        ("old", "<<", ["man", "reads"]),
        ("reads", ">>", ["The", "old", "man", "often", "long", "books", "."]),
        ("man", ".", ["often"]),
        (".", ".", []),  # "He" is of the next sentence
        ("long", ".*", ["books", "."]),
        ("man", ";", ["old"]),
        ("He", ";", []),
        ("man", ";*", ["The", "old"]),
        ("man", "$+", ["often"]),
        ("often", "$+", []),  # "reads" is the governor, not a sibling
        ("often", "$-", ["man"]),
        ("man", "$++", ["often", "books", "."]),
        ("books", "$--", ["man", "often"]),
        ("books", ">+", []),
        ("books", ">-", ["long"]),
        ("sleeps", ">-", ["He"]),
        ("reads", ">++", ["books", "."]),
        ("reads", ">--", ["man", "often"]),
        ("often", "<+", ["reads"]),
        ("man", "<+", []),
        (".", "<-", []),
        ("books", "<--", ["reads"]),
        ("man", "<++", ["reads"]),
        ("man", "<--", []),
    ],
)
def test_an_operator_leads_to_these_words(word: str, operator: Operator, others: list[str]) -> None:
    assert sorted(RELATIONS[operator](READER, WORDS.index(word))) == [WORDS.index(other) for other in others]


def test_right_neighbours_that_are_children_and_left_ones_that_are_governors() -> None:
    found = tree("""
        read   read  VERB  VB  0  root
        books  book  NOUN  NNS 1  obj
    """)
    assert list(RELATIONS[">+"](found, 0)) == [1]
    assert list(RELATIONS["<-"](found, 1)) == [0]


@st.composite
def random_trees(draw: st.DrawFn) -> Tree:
    """Trees of any shape: each word, in a random order, hangs on one that came before it."""
    size = draw(st.integers(1, 9))
    order = draw(st.permutations(range(size)))
    heads = {order[0]: -1}
    for place in range(1, size):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    forms = draw(st.lists(st.sampled_from("ab"), min_size=size, max_size=size))
    return Tree(tuple(Token(forms[place], "", "X", "", {}, heads[place], "dep") for place in range(size)))


@given(random_trees(), st.sampled_from(OPERATORS))
def test_an_operator_and_its_inverse_say_the_same(some: Tree, operator: Operator) -> None:
    everything = range(len(some))
    forth = {(left, right) for left in everything for right in RELATIONS[operator](some, left)}
    back = {(left, right) for right in everything for left in RELATIONS[INVERSE[operator]](some, right)}
    assert forth == back


def test_every_operator_has_a_relation_and_an_inverse() -> None:
    assert set(RELATIONS) == set(INVERSE) == set(OPERATORS)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (condition("TEXT", "==", "He"), ["He"]),
        (condition("LOWER", "==", "the"), ["The"]),
        (condition("LEMMA", "==", "book"), ["books"]),
        (condition("POS", "==", "VERB"), ["reads", "sleeps"]),
        (condition("TAG", "==", "NNS"), ["books"]),
        (condition("DEP", "==", "root"), ["reads", "sleeps"]),
        (condition("LEMMA", "IN", "read", "sleep"), ["reads", "sleeps"]),
        (condition("POS", "NOT_IN", "VERB", "ADJ", "DET", "PUNCT", "ADV"), ["man", "books", "He"]),
        (condition("TEXT", "REGEX", "^[a-l].*s$"), ["books"]),
        (condition("LENGTH", "==", "6"), ["sleeps"]),
        (condition("LENGTH", "IN", "1", "2"), [".", "He"]),
        (condition("LENGTH", ">=", "5"), ["often", "reads", "books", "sleeps"]),
        (condition("LENGTH", "<", "2"), ["."]),
        (condition("LENGTH", "!=", "3"), ["often", "reads", "long", "books", ".", "He", "sleeps"]),
        (condition("MORPH", "==", "Number=Sing"), ["man"]),
        (condition("MORPH", "IN", "Degree=Pos", "Number=Sing|Gender=Masc"), ["old", "long", "He"]),
        (condition("MORPH", "IS_SUPERSET", "Number=Sing", "Tense=Pres"), ["reads", "sleeps"]),
        (condition("MORPH", "IS_SUPERSET"), WORDS),
        (condition("MORPH", "IS_SUBSET", "Number=Sing", "Number=Plur"), ["The", "man", "often", "books", "."]),
        (condition("MORPH", "INTERSECTS", "Gender=Masc", "Number=Plur"), ["books", "He"]),
        (condition("MORPH", "REGEX", r"^Gender=Masc\|Number"), ["He"]),
    ],
)
def test_a_condition_is_fulfilled_by_these_words(asked: Condition, found: list[str]) -> None:
    assert words(asked) == found


def test_several_conditions_are_all_to_be_fulfilled() -> None:
    assert words(condition("POS", "==", "NOUN"), condition("DEP", "==", "obj")) == ["books"]


@pytest.mark.parametrize("predicate", ["IS_SUPERSET", "INTERSECTS"])
def test_a_feature_with_several_values_has_each_of_them(predicate: Predicate) -> None:
    napsala = tree("napsala napsat VERB _ 0 root Gender=Fem,Neut|Number=Plur,Sing")
    for gender, there in (("Fem", True), ("Neut", True), ("Masc", False)):
        pattern = (Node("kw", (Condition("MORPH", predicate, (f"Gender={gender}",)),)),)
        assert Patterns([pattern], keyword="kw").matches(napsala, 0) is there


OBJECT: Pattern = (
    Node("verb", (condition("POS", "==", "VERB"),)),
    Node("object", (condition("DEP", "==", "obj"),), "verb", ">"),
    Node("quality", (condition("POS", "==", "ADJ"),), "object", ">"),
)


@pytest.mark.parametrize(("keyword", "word"), [("verb", "reads"), ("object", "books"), ("quality", "long")])
def test_any_node_can_be_the_keyword(keyword: str, word: str) -> None:
    patterns = Patterns([OBJECT], keyword=keyword)
    assert patterns.places(READER) == [WORDS.index(word)]
    assert patterns.bind(READER, WORDS.index(word)) == {"verb": 4, "object": 6, "quality": 5}


def test_none_forbids() -> None:
    verb: Pattern = (Node("kw", (condition("POS", "==", "VERB"),)),)
    with_object: Pattern = (Node("kw"), Node("object", (condition("DEP", "==", "obj"),), "kw", ">"))
    patterns = Patterns([verb], [with_object], keyword="kw")
    assert [WORDS[place] for place in patterns.places(READER)] == ["sleeps"]
    assert patterns.bind(READER, 4) is None


def test_no_pattern_is_no_condition() -> None:
    patterns = Patterns([], keyword="kw")
    assert patterns.places(READER) == list(range(10))
    assert patterns.bind(READER, 3) == {"kw": 3}


def test_the_first_pattern_that_fits_says_which_word_is_which() -> None:
    governed: Pattern = (Node("kw", (condition("POS", "==", "ADJ"),)), Node("gov", (), "kw", "<"))
    alone: Pattern = (Node("kw"),)
    patterns = Patterns([governed, alone], keyword="kw")
    assert patterns.bind(READER, 1) == {"kw": 1, "gov": 2}
    assert patterns.bind(READER, 2) == {"kw": 2}


def test_a_regular_expression_that_takes_too_long_is_stopped() -> None:
    pattern = (Node("kw", (condition("TEXT", "REGEX", "(a|aa)+$"),)),)
    endless = tree(f"{'a' * 5000}b x X _ 0 root")
    with pytest.raises(BadOption, match="takes too long"):
        Patterns([pattern], keyword="kw").places(endless)


def test_a_very_deep_tree_is_walked() -> None:
    deep = Tree(tuple(Token("a", "", "X", "", {}, place - 1, "dep") for place in range(1500)))
    pattern: Pattern = (Node("kw", (condition("LENGTH", "==", "2"),)), Node("below", (), "kw", ">>"))
    assert Patterns([pattern], keyword="below").places(deep) == []
    assert len(list(RELATIONS[">>"](deep, 0))) == 1499


def test_a_chain_through_a_long_sentence_ends() -> None:
    """Without remembering what failed, twelve words out of two hundred are more ways than can be tried."""
    rows = ["    w w VERB V 0 root", *("    w w VERB V 1 dep" for _ in range(199))]
    names = ["kw", *(f"n{number}" for number in range(12))]
    chain = [Node("kw"), *(Node(name, (), left, ".*") for left, name in pairwise(names))]
    chain.append(Node("last", (condition("LEMMA", "==", "missing"),), names[-1], ".*"))
    assert Patterns([tuple(chain)], keyword="kw").places(tree("\n".join(rows))) == []
