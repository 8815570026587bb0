"""The matcher finds what spaCy's `DependencyMatcher` finds. Runs where spaCy is installed; no model is needed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.contrasts import Patterns, bundled
from assay.contrasts.files import conllu
from assay.contrasts.files.definitions import read
from assay.contrasts.records import OPERATORS, Condition, Contrasts, Node, Pattern
from assay.contrasts.trees import Token, Tree

spacy = pytest.importorskip("spacy")
VOCAB = spacy.blank("en").vocab


def spacy_doc(tree: Tree) -> Any:
    return spacy.tokens.Doc(
        VOCAB,
        words=[token.form for token in tree.tokens],
        lemmas=[token.lemma for token in tree.tokens],
        pos=[token.upos for token in tree.tokens],
        tags=[token.xpos for token in tree.tokens],
        deps=[token.deprel for token in tree.tokens],
        heads=[token.head if token.head >= 0 else place for place, token in enumerate(tree.tokens)],
        morphs=["|".join(f"{name}={value}" for name, value in token.feats.items()) for token in tree.tokens],
    )


def spacy_condition(condition: Condition) -> Any:
    attribute, predicate, values = condition.attribute, condition.predicate, condition.values
    if predicate == "==":
        return int(values[0]) if attribute == "LENGTH" else "|".join(values)
    if predicate in ("REGEX", "!=", ">=", "<=", ">", "<"):
        return {predicate: int(values[0]) if attribute == "LENGTH" else values[0]}
    return {predicate: list(values)}


def spacy_pattern(pattern: Pattern) -> list[dict[str, Any]]:
    nodes = []
    for node in pattern:
        entry: dict[str, Any] = {"RIGHT_ID": node.id, "RIGHT_ATTRS": {}}
        for condition in node.conditions:
            entry["RIGHT_ATTRS"][condition.attribute] = spacy_condition(condition)
        if node.operator:
            entry |= {"LEFT_ID": node.left, "REL_OP": node.operator}
        nodes.append(entry)
    return nodes


def by_spacy(pattern: Pattern, tree: Tree) -> dict[str, set[int]]:
    """Node -> the words that it is in some match."""
    matcher = spacy.matcher.DependencyMatcher(VOCAB)
    matcher.add("pattern", [spacy_pattern(pattern)])
    found: dict[str, set[int]] = {node.id: set() for node in pattern}
    for _, places in matcher(spacy_doc(tree)):
        for node, place in zip(pattern, places, strict=True):
            found[node.id].add(place)
    return found


def by_assay(pattern: Pattern, tree: Tree) -> dict[str, set[int]]:
    return {node.id: set(Patterns([pattern], keyword=node.id).places(tree)) for node in pattern}


def all_patterns(contrasts: Contrasts) -> tuple[set[Pattern], set[Pattern]]:
    """(patterns of the source, patterns of the target)."""
    source = [(entry.one_of, entry.none_of) for entry in contrasts.constructions.values()]
    source += [(entry.one_of, entry.none_of) for entry in contrasts.contrasts.values()]
    target = [(known.one_of, known.none_of) for known in contrasts.classes]
    return (
        {pattern for both in source for some in both for pattern in some},
        {pattern for both in target for some in both for pattern in some},
    )


# Random trees and patterns

CONDITIONS = st.one_of(
    st.builds(Condition, st.sampled_from(["TEXT", "LOWER", "LEMMA"]), st.just("=="), st.tuples(st.sampled_from("aAb"))),
    st.builds(
        Condition, st.just("POS"), st.sampled_from(["IN", "NOT_IN"]), st.tuples(st.sampled_from(["NOUN", "VERB"]))
    ),
    st.builds(Condition, st.just("DEP"), st.just("REGEX"), st.tuples(st.sampled_from(["^x", "y$", "."]))),
    st.builds(Condition, st.just("LENGTH"), st.sampled_from(["==", "!=", ">=", "<"]), st.tuples(st.sampled_from("12"))),
    st.builds(
        Condition,
        st.just("MORPH"),
        st.sampled_from(["IS_SUPERSET", "IS_SUBSET", "INTERSECTS"]),
        st.lists(st.sampled_from(["Case=Nom", "Case=Acc", "Mood=Ind"]), min_size=1, max_size=2, unique=True).map(tuple),
    ),
)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """One or two sentences after each other."""
    tokens: list[Token] = []
    for _ in range(draw(st.integers(1, 2))):
        start, size = len(tokens), draw(st.integers(1, 6))
        order = draw(st.permutations(range(size)))
        heads = {order[0]: -1}
        for place in range(1, size):
            heads[order[place]] = start + order[draw(st.integers(0, place - 1))]
        for place in range(size):
            case = draw(st.sampled_from([{}, {"Case": "Nom"}, {"Case": "Acc,Nom"}, {"Case": "Acc", "Mood": "Ind"}]))
            form, lemma = draw(st.sampled_from(["a", "A", "bb"])), draw(st.sampled_from("ab"))
            # spaCy takes a root for its own sibling; no sibling operator leaves from a root in these patterns.
            deprel = draw(st.sampled_from(["x", "y", "xy"])) if heads[place] >= 0 else "ROOT"
            tokens.append(Token(form, lemma, draw(st.sampled_from(["NOUN", "VERB"])), "T", case, heads[place], deprel))
    return Tree(tuple(tokens))


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    def conditions() -> tuple[Condition, ...]:
        found = draw(st.lists(CONDITIONS, max_size=1 if nodes else 2, unique_by=lambda condition: condition.attribute))
        return tuple(found)

    nodes: list[Node] = []
    nodes.append(Node("n0", conditions()))
    for number in range(1, draw(st.integers(1, 4))):
        left = draw(st.integers(0, number - 1))
        operator = draw(st.sampled_from(OPERATORS))
        if operator.startswith("$"):
            others = tuple(entry for entry in nodes[left].conditions if entry.attribute != "DEP")
            nodes[left] = replace(nodes[left], conditions=(*others, Condition("DEP", "NOT_IN", ("ROOT",))))
        nodes.append(Node(f"n{number}", conditions(), f"n{left}", operator))
    return tuple(nodes)


def crosses(tree: Tree) -> bool:
    """Whether two dependencies of a tree cross each other, or one passes over a root."""
    arcs = [sorted((place, token.head)) for place, token in enumerate(tree.tokens)]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


@settings(max_examples=3000)
@given(patterns(), trees())
def test_random_patterns_find_the_same_words(pattern: Pattern, tree: Tree) -> None:
    # For precedence spaCy asks for the edges of a sentence, which it gets wrong where dependencies cross.
    assume(not crosses(tree) or not any(node.operator in (".", ".*", ";", ";*") for node in pattern))
    assert by_assay(pattern, tree) == by_spacy(pattern, tree)


# Real trees


@pytest.mark.parametrize("side", ["source", "target"])
def test_the_bundled_patterns_find_the_same_words_in_real_sentences(data: Path, side: str) -> None:
    chosen = all_patterns(read(bundled()["en-cs"]))[side == "target"]
    file = "en_pud-ud-test.conllu" if side == "source" else "cs_pud-ud-test.conllu"
    matches = 0
    matchers = []
    for pattern in sorted(chosen, key=str):
        matcher = spacy.matcher.DependencyMatcher(VOCAB)
        matcher.add("pattern", [spacy_pattern(pattern)])
        matchers.append((pattern, matcher, {node.id: Patterns([pattern], keyword=node.id) for node in pattern}))
    for line, tree in conllu.read(data / "pud" / file):
        doc = spacy_doc(tree)
        for pattern, matcher, own in matchers:
            theirs: dict[str, set[int]] = {node.id: set() for node in pattern}
            for _, places in matcher(doc):
                for node, place in zip(pattern, places, strict=True):
                    theirs[node.id].add(place)
            ours = {name: set(found.places(tree)) for name, found in own.items()}
            assert ours == theirs, f"sentence {line + 1}: {pattern}"
            matches += len(ours[pattern[0].id])
    assert matches > 1000
