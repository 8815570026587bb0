"""Challenge sets for tests: a small one by hand, and any that can be."""

from dataclasses import replace

from hypothesis import strategies as st

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
