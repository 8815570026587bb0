"""What is called dead is dead: no normalised text has a match of it."""

from itertools import product

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from assay.text import normalise
from assay.verdicts.branches import idle_branches
from assay.verdicts.pattern_tree import Look, Unread, tree
from assay.verdicts.reach import dead_parts, never

# All short texts of a word, a sign and a space, as rules see them.
TEXTS = sorted(
    {normalise("".join(signs)) for length in range(1, 6) for signs in product("ab ,'", repeat=length)} - {""}
)

_ATOMS = st.sampled_from(
    [
        "a",
        "b",
        " ",
        ",",
        "’",
        "'",
        ".",
        r"\s",
        r"\w",
        r"\W",
        r"\S",
        "[ab]",
        "[’']",
        "[^a]",
        r"[^\w]",
        "  ",
        "^",
        "$",
        r"\b",
        r"\B",
    ]
)


def _larger(patterns: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(patterns, min_size=2, max_size=3).map("".join),
        st.lists(patterns, min_size=2, max_size=3).map(lambda branches: f"({'|'.join(branches)})"),
        st.tuples(patterns, st.sampled_from(["*", "+", "?", "{2}", "{0,2}"])).map(
            lambda both: f"(?:{both[0]}){both[1]}"
        ),
        st.tuples(st.sampled_from(["(?=", "(?!", "(?<=", "(?<!"]), patterns).map(lambda both: f"{both[0]}{both[1]})"),
    )


PATTERNS = st.recursive(_ATOMS, _larger, max_leaves=8)


def found(pattern: str) -> list[str]:
    return [text for text in TEXTS if regex.search(pattern, text)]


@given(PATTERNS)
def test_a_pattern_that_never_matches_matches_no_text(pattern: str) -> None:
    if never(tree(pattern)) is not None:
        assert found(pattern) == []


@given(PATTERNS)
def test_without_its_dead_parts_a_pattern_matches_the_same_texts(pattern: str) -> None:
    for part in dead_parts(tree(pattern)):
        node = tree(part)
        # A negative look-around for what is nowhere is always right.
        instead = "" if isinstance(node, Look) and node.negative else "(?!)"
        # As it is written it may stand at several places; then it is not known which of them is dead.
        if pattern.count(part) == 1:
            assert found(pattern.replace(part, instead)) == found(pattern)


WORDS = st.sampled_from(["a", "b", "ab", "ba", "aab", "b a", "a b"])


@given(
    st.lists(WORDS, min_size=2, max_size=4, unique=True),
    st.sampled_from(["({})", r"\b({})", r"({})\b", "({}) a", "a.*({})", "({}).*b", "(?={})b", "^(?!.*({}))", "({})?,"]),
)
def test_without_its_idle_branches_a_pattern_matches_the_same_texts(branches: list[str], frame: str) -> None:
    pattern = frame.format("|".join(branches))
    for branch, _ in idle_branches(tree(pattern)):
        left = "|".join(other for other in branches if other != branch)
        assert found(frame.format(left)) == found(pattern)


@pytest.mark.parametrize(
    ("pattern", "cause"),
    [
        ("don’t|can’t", "apostrophe"),
        ("[’]", "apostrophe"),
        (r"\s{2}", "space"),
        (r" \s", "space"),
        ("^ a", "space"),
        (r"a\n", "space"),
        ("e\u0301", "composition"),
        ("\u212b", "composition"),  # the sign for Ångström is the letter in texts
        ("it’s  me", "apostrophe"),  # several troubles: one of them
        ("a$b", "place"),
        ("b(?<=a)$(?=,)", "place"),
        ("x[^\\s\\S]", "place"),
    ],
)
def test_why_a_pattern_never_matches(pattern: str, cause: str) -> None:
    assert never(tree(pattern)) == cause


@pytest.mark.parametrize(
    "pattern",
    [
        "don['’]t",
        "a +b",
        r"a\s*\s*b",
        "(a$|b)?c",
        "^(?!.*’)a",
        "(^|\\W)a",
        r"[^\d]",
        r"[^\D]",
        r"(?i)\bA\b",
        r"\p{Lu}",
        r"(a)\1",
        "",
        "(?:)",
        "²\\b",  # a digit to one engine, a sign to the other
    ],
)
def test_what_may_match_is_left_alone(pattern: str) -> None:
    assert never(tree(pattern)) is None


@pytest.mark.parametrize(
    ("pattern", "dead"),
    [
        (r"x \b(and|,)", [","]),
        (r"\b(and|,)", []),
        ("foo\\b(s)?", ["(s)"]),
        ("(a$|b) c", ["a$"]),
        ("(a |b) c", ["a "]),
        ("a(?!.*don’t)", ["(?!.*don’t)"]),
        ("(?<!’)a", ["(?<!’)"]),
        (r"\bcat\b(?!s)", []),  # idle, but it says what is meant
        ("( |b)+ c", []),
    ],
)
def test_dead_parts_are_those_as_written(pattern: str, dead: list[str]) -> None:
    assert dead_parts(tree(pattern)) == dead


@pytest.mark.parametrize(
    "pattern", ["(?x)a b", "(?P>a)", r"\Ka", "a{e<=1}", "[[:alpha:]]", "(?|a|b)", "(?#no)", "(" * 50 + ")" * 50]
)
def test_what_is_not_known_is_not_read(pattern: str) -> None:
    with pytest.raises(Unread):
        tree(pattern)


def test_repeats_within_repeats_are_given_up() -> None:
    with pytest.raises(Unread):
        never(tree("^" + "(?:" * 30 + "a" + " ){2}" * 30))
