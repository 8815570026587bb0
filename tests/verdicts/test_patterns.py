"""`Pattern` must answer as `regex` does, whichever of its three ways it takes, and must never hang."""

import re
from contextlib import suppress

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.text import normalise
from assay.verdicts.patterns import _ALIKE, Pattern, PatternError, RuleTimeout, pattern


def by_regex(value: str, text: str) -> tuple[int, int] | None:
    found = regex.search(value, text)
    return found.span() if found else None


# A grammar of patterns: everything that _PIECE knows, and things that it must leave to `regex`.

LITERALS = st.sampled_from(
    ["a", "b", "ab", "xy", " ", "'", "-", ",", "0", "Ж", "да", "ü", "Straße", "é", "№", "€", "&"]
)
ESCAPES = st.sampled_from([r"\.", r"\?", r"\(", r"\)", r"\-", r"\\", r"\w", r"\d", r"\s", r"\W", r"\D", r"\S", "."])
CLASSES = st.sampled_from(
    [
        "[ab]",
        "[^a]",
        "[a-z]",
        "[A-Z0-9]",
        r"[\w-]",
        "[üäö]",
        "[а-я]",
        "[ж]",
        r"[\s,]",
        "[&|~]",
        "[^\\d ]",
        "[-]",
        "[- ]",
        "[^-a]",
        "[-a-z]",
        "[a^]",
    ]
)
EDGES = st.sampled_from(["^", "$", r"\b", r"\B"])
REPEATS = st.sampled_from(["?", "*", "+", "??", "*?", "+?", "{2}", "{0}", "{1,2}", "{2,}", "*+", "?+", "++", "{1,2}+"])
OPENINGS = st.sampled_from(["(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?i:"])


def _branches(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    sequence = st.lists(inner, max_size=4).map("".join)
    alternation = st.lists(sequence, min_size=1, max_size=3).map("|".join)
    group = st.builds("{}{})".format, OPENINGS, alternation)
    return st.one_of(group, st.builds("{}{}".format, group, REPEATS))


ATOMS = st.one_of(LITERALS, ESCAPES, CLASSES)
PIECES = st.recursive(st.one_of(ATOMS, EDGES, st.builds("{}{}".format, ATOMS, REPEATS)), _branches, max_leaves=8)
PATTERNS = st.lists(st.lists(PIECES, max_size=4).map("".join), min_size=1, max_size=3).map("|".join)
TEXTS = st.one_of(
    st.lists(
        st.sampled_from(
            [*"ab xy'-,0.?()\\&|~^", "ab", "да", "Ж", "ü", "Straße", "é", "№", "€", "²", "½", "字", "़", "٣"]
        ),
        max_size=12,
    ).map("".join),
    st.text(max_size=12),
).map(normalise)


def compiles(value: str) -> bool:
    try:
        regex.compile(value)
    except regex.error:
        return False
    return True


@settings(max_examples=600)
@given(PATTERNS, TEXTS.filter(bool))
@example("a|b", "ba")
@example("(a|ab)(c|)", "abc")
@example("b|ab|a", "ab")
@example(r"\w", "²")
def test_search_equals_regex(value: str, text: str) -> None:
    if compiles(value):
        assert Pattern(value).search(text) == by_regex(value, text)
    else:
        with pytest.raises(PatternError):
            Pattern(value)


@given(PATTERNS, TEXTS.filter(bool).flatmap(lambda text: st.sampled_from([text, text.upper(), text.swapcase()])))
def test_flagged_search_equals_regex(value: str, text: str) -> None:
    if compiles(value):
        found = regex.search(value, text, flags=regex.IGNORECASE)
        assert Pattern(value, "i").search(text) == (found.span() if found else None)
        assert Pattern(f"(?i){value}").search(text) == (found.span() if found else None)


@pytest.mark.parametrize(
    ("value", "text", "span"),
    [
        ("a?", "ab", (0, 1)),  # greedy: an engine tries the letter before nothing
        ("(a|)", "abc", (0, 1)),
        ("(colou?r)?s?", "colors", (0, 6)),
        ("(|a)", "abc", (0, 0)),  # nothing stands first here
        ("b?", "ab", (0, 0)),  # nothing at 0 is further left than the letter at 1
        ("a?", "", (0, 0)),
        ("a|ab", "xab", (1, 2)),  # the first alternative wins, not the longest
        ("ab|a", "xab", (1, 3)),
        ("c|ab", "xabc", (1, 3)),  # the leftmost wins
    ],
)
def test_the_leftmost_and_then_the_first_string_is_found(value: str, text: str, span: tuple[int, int]) -> None:
    assert by_regex(value, text) == span
    assert Pattern(value).search(text) == span


CHARACTERS = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000 and _ALIKE.fullmatch(chr(code))]


def test_many_characters_are_known_to_be_alike() -> None:
    assert {*"az09 .,'", *"äöüßéšž", *"дЖё", *"„“–…€"} <= set(CHARACTERS)


@pytest.mark.parametrize("kind", [r"\w", r"\d", r"\s", r"\W", r"\D", r"\S", ".", "[^a]", r"[\w-]"])
def test_both_engines_class_known_characters_alike(kind: str) -> None:
    text = "".join(CHARACTERS)
    assert [found.start() for found in re.finditer(kind, text)] == [
        found.start() for found in regex.finditer(kind, text)
    ]


def test_both_engines_fold_the_case_of_known_characters_alike() -> None:
    text = "".join(character for character in CHARACTERS if character not in "İı")
    for one in text:
        for kind in (re.escape(one), f"[{re.escape(one)}]", f"[^{re.escape(one)}]"):
            assert re.findall(kind, text, re.IGNORECASE) == regex.findall(kind, text, regex.IGNORECASE), one
    for kind in ("[a-z]", "[A-Z]", "[^a-z]", r"[\w-]", r"\w", r"[\dx]"):
        assert re.findall(kind, text, re.IGNORECASE) == regex.findall(kind, text, regex.IGNORECASE), kind


@pytest.mark.parametrize("value", ["İ", "ı", "i", "I", "[iİ]"])
@pytest.mark.parametrize("text", ["İ", "ı", "i", "I", "Kİ"])
def test_letters_whose_case_they_fold_differently_are_left_to_regex(value: str, text: str) -> None:
    found = regex.search(value, text, flags=regex.IGNORECASE)
    assert Pattern(value, "i").search(text) == (found.span() if found else None)
    assert Pattern(f"(?i){value}").search(text) == (found.span() if found else None)


@pytest.mark.parametrize("neighbour", ["a", "ж", " ", "-", "0"])
@pytest.mark.parametrize("edge", [r"\b", r"\B"])
def test_both_engines_see_the_same_word_boundaries(edge: str, neighbour: str) -> None:
    text = neighbour.join(CHARACTERS)
    assert [found.start() for found in re.finditer(edge, text)] == [
        found.start() for found in regex.finditer(edge, text)
    ]


def test_characters_that_the_engines_class_differently_are_left_to_regex() -> None:
    assert re.search(r"^\w+$", "x\u0301") is None  # a combining accent is no letter to `re`
    assert Pattern(r"^\w+$").search("x\u0301") == (0, 2)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("(a|aa)+$", "a" * 80 + "!"),
        ("(a|a)*$", "a" * 80 + "!"),
        ("(x|xx|xxx)+y?$", "x" * 80 + "!"),
        ("a*a*a*a*[bc]", "a" * 3000),  # plain, but too many steps for `re`
        (".*.*.*.*.*[^ -~]", "word " * 600),
    ],
)
def test_runaway_patterns_are_stopped(value: str, text: str) -> None:
    with pytest.raises(RuleTimeout, match=re.escape(value)):
        Pattern(value, limit=0.05).search(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("(x+x+)+y", "x" * 5000),
        ("(a*)*b", "a" * 5000),
        ("a*a*a*a*b", "a" * 5000),
        (r"(\w+\s?)+$", "word " * 500 + "!"),
        ("a?" * 22 + "[bc]", "a" * 5000),
    ],
)
def test_other_runaway_patterns_end_too(value: str, text: str) -> None:
    """Backtracking executors hang on these; `regex` sees that they cannot match or runs out of time."""
    with suppress(RuleTimeout):
        assert Pattern(value, limit=0.05).search(text) is None


@pytest.mark.parametrize(
    ("value", "position"),
    [
        ("(lock", 5),
        ("lock)", 4),
        ("[lock", 5),
        ("*lock", 0),
        ("lock**", 5),
        ("lock\\", 5),
        ("(?<lock", 7),
        ("a{2,1}", 2),
        (r"\p{Unsinn}", 10),
        ("[z-a]", 4),
    ],
)
def test_broken_patterns_are_refused_with_their_position(value: str, position: int) -> None:
    with pytest.raises(PatternError) as raised:
        Pattern(value)
    assert raised.value.position == position
    assert str(raised.value)


@pytest.mark.parametrize("depth", [100, 2000])
def test_deep_nesting_is_searched_or_refused(depth: int) -> None:
    value = "(" * depth + "a*b" + ")" * depth
    try:
        deep = Pattern(value)
    except PatternError:
        return
    assert deep.search("xaab") == (1, 4)


def test_patterns_written_alike_are_shared() -> None:
    assert pattern("shared", "") is pattern("shared", "")
    assert pattern("shared", "") is not pattern("shared", "i")
