"""Challenge sets for tests: a small one by hand, and any that can be."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import strategies as st

from assay.challenge.case import Case, CaseSet, ErrorSpan, Hypothesis, Ladder, Reference
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.text import fold

KIEFER = ChallengeItem(
    id="c1",
    source="Der Kiefer tut ihm weh.",
    reference="His jaw hurts.",
    first="His pine hurts.",
    second='His "jaw" is hurting.',
    correct=2,
    item="kiefer",
    category="Ambiguity",
    phenomenon="Lexical ambiguity",
    reference_systems=("A", "B (wmt21)"),
    first_systems=("C; D",),
    second_systems=("E",),
)
REGEN = ChallengeItem(
    "c2", "Es regnet nicht.", "It does not rain.", "It isn't raining.", "It rains.", 1, "regen", "Negation", "Negation"
)
GARDEN = ChallengeSet("garden", "de-en", (KIEFER, REGEN), "assay:0.1.0|seed:1")


def blinded(challenge: ChallengeSet) -> ChallengeSet:
    """The same set without labels; the order stays."""
    items = tuple(
        ChallengeItem(item.id, item.source, item.reference, item.first, item.second) for item in challenge.items
    )
    return ChallengeSet(challenge.name, challenge.langpair, items)


# Half characters cannot be written, and a file that starts with U+FEFF starts with a byte order mark.
_characters = st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff")
_words = st.one_of(
    st.text(_characters, max_size=6), st.sampled_from(["\\n", '"', '""', '"a""b"', "#", ";", "\\", "NaN"])
)
texts = st.lists(_words, max_size=4).map(" ".join).map(fold)
labels = texts.filter(lambda text: "::" not in text)
names = texts.filter(bool)
systems = st.lists(names, max_size=3).map(tuple)


_items = st.builds(
    ChallengeItem,
    **dict.fromkeys(("id", "source", "reference", "first", "second"), texts),
    correct=st.sampled_from([1, 2]),
    **dict.fromkeys(("item", "category", "phenomenon"), labels),
    **dict.fromkeys(("reference_systems", "first_systems", "second_systems"), systems),
)


@st.composite
def challenge_sets(draw: st.DrawFn) -> ChallengeSet:
    """An open set."""
    ids = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    items = tuple(replace(draw(_items), id=identity) for identity in ids)
    name = draw(st.sampled_from(["garden", "my set", "a.b-c.d", "Ü"]))
    return ChallengeSet(name, draw(st.sampled_from(["de-en", "en-zh_Hant"])), items, draw(labels))


# Sets that are more than pairs

_levels = labels.filter(bool)
_values = st.one_of(texts.filter(bool), st.booleans(), st.integers(-9, 9), st.lists(texts, max_size=2))
_further = st.dictionaries(st.sampled_from(["note", "pert_check", "ID", "Größe"]), _values, max_size=2)
_scores = st.floats(-100, 100, allow_nan=False)


@st.composite
def _spans(draw: st.DrawFn, text: str) -> tuple[ErrorSpan, ...]:
    ends = draw(st.lists(st.integers(0, len(text)), max_size=4).map(sorted))
    severity = draw(st.sampled_from(["", "major"]))
    return tuple(ErrorSpan(*pair, severity) for pair in zip(ends[::2], ends[1::2], strict=False))


@st.composite
def _relations(draw: st.DrawFn, of: tuple[str, ...]) -> tuple[Ladder, ...]:
    """A ladder over some hypotheses, cut into steps."""
    order = draw(st.permutations(of))[: draw(st.integers(0, len(of)))]
    if len(order) < 2:
        return ()
    cuts = draw(st.sets(st.integers(1, len(order) - 1)))
    edges = [0, *sorted(cuts), len(order)]
    return (Ladder(tuple(tuple(order[start:end]) for start, end in pairwise(edges))),)


@st.composite
def _cases(draw: st.DrawFn, identity: str, of: tuple[str, ...], langpair: str) -> Case:
    hypotheses = []
    for name in of:
        text = draw(texts)
        human = draw(st.dictionaries(st.sampled_from(["mqm", "da"]), _scores, max_size=2))
        hypotheses.append(Hypothesis(name, text, draw(systems), tuple(sorted(human.items())), draw(_spans(text))))
    references = tuple(
        Reference(name, draw(texts.filter(bool)), draw(systems))
        for name in ("reference", "refB")[: draw(st.integers(0, 2))]
    )
    return Case(
        identity,
        draw(texts),
        tuple(hypotheses),
        references,
        draw(_relations(of)),
        langpair,
        tuple(draw(st.lists(_levels, max_size=4))),
        draw(texts),
        draw(texts),
        tuple(sorted(draw(_further).items())),
    )


@st.composite
def case_sets(draw: st.DrawFn, *, parallel: bool = False, pairs: bool = False) -> CaseSet:
    """A set of cases; `parallel` ones have the same hypotheses, and a pair says which of its two is better."""
    ids = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    known = ("hyp-1", "hyp-2") if pairs else ("hyp-1", "hyp-2", "sysA", "hyp-4")
    count = draw(st.integers(1, len(known)))
    langpair = draw(st.sampled_from(["de-en", "en-zh_Hant"]))
    cases = []
    for identity in ids:
        number = count if parallel else draw(st.integers(1, len(known)))
        pair = langpair if parallel else draw(st.sampled_from([langpair, "cs-en"]))
        case = draw(_cases(identity, known if pairs else known[:number], pair))
        if pairs:
            better = draw(st.permutations(known))
            case = replace(case, relations=(Ladder(tuple((name,) for name in better)),))
        cases.append(case)
    return CaseSet(draw(st.sampled_from(["garden", "my set", "Ü"])), tuple(cases), draw(labels))
