"""What is read from a pattern before it is compiled must be true of what `regex` makes of it."""

import re
from math import inf, log2

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from assay.verdicts.plain_patterns import Cost, NotPlain, outline, pieces, spell_out
from tests.verdicts.test_patterns import PATTERNS, TEXTS


def check_that_it_compiles(value: str) -> None:
    try:
        found = outline(value)
    except NotPlain:
        assert spell_out(value) is None
        return
    regex.compile(value)
    if found.cost is not None:
        re.compile(value)


@given(PATTERNS)
def test_what_is_taken_apart_compiles_with_both_engines(value: str) -> None:
    check_that_it_compiles(value)


@given(st.text(alphabet="ab(|)?*+[]{}12^$\\.-<=!:&dwsbB ,", max_size=12))
def test_any_string_that_is_taken_apart_compiles_with_both_engines(value: str) -> None:
    check_that_it_compiles(value)


@given(PATTERNS)
def test_pieces_put_together_are_the_pattern(value: str) -> None:
    try:
        found = [piece[0] for piece in pieces(value)]
    except NotPlain:
        return
    assert "".join(found) == value


@pytest.mark.parametrize(
    ("value", "strings"),
    [
        ("lock", ["lock"]),
        ("", [""]),
        ("lock|key", ["lock", "key"]),
        ("(lock|key)s", ["locks", "keys"]),
        ("(?:lock|key)s", ["locks", "keys"]),
        ("colou?r", ["colour", "color"]),
        ("keys?", ["keys", "key"]),
        ("(old )?man", ["old man", "man"]),
        ("(a|b)(c|d)", ["ac", "ad", "bc", "bd"]),  # in the order in which an executor tries them
        ("((a|b)c|d)e", ["ace", "bce", "de"]),
        ("a|", ["a", ""]),
        (r"What\?", ["What?"]),
        (r"e\.g\.", ["e.g."]),
        (r"a\\b", ["a\\b"]),
        ("größer|да", ["größer", "да"]),
        # not a few strings
        ("lo+ck", None),
        ("l.ck", None),
        (r"\block\b", None),
        ("^lock", None),
        ("lock(?=s)", None),
        ("[lr]ock", None),
        (r"\d", None),
        ("a??", None),
        ("a{2}", None),
        ("(lock", None),
        ("lock)", None),
        ("(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)", ["".join("ab"[n >> k & 1] for k in range(5, -1, -1)) for n in range(64)]),
        ("(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)", None),  # 128 strings
    ],
)
def test_spell_out(value: str, strings: list[str] | None) -> None:
    assert spell_out(value) == strings


@pytest.mark.parametrize(
    "value",
    [
        "(?i:ab)",
        "a{2,}",
        "a{3,2}",
        "(ab){3,2}",
        "(?=a)+",
        "(a",
        "a)",
        ")(",
        r"\p{L}",
        r"(a)\1",
        "[--a]",
        "[^--a]",
        "[a-f]",
        "[[a]]",
        "a}",
        "*",
    ],
)
def test_what_is_not_plain_is_left_to_regex(value: str) -> None:
    assert spell_out(value) is None
    with pytest.raises(NotPlain):
        outline(value)


@pytest.mark.parametrize(
    ("value", "cost"),
    [
        ("lock", Cost(0, 0)),
        ("lo*ck+", Cost(2, 0)),
        ("lo*?ck+?", Cost(2, 0)),
        ("a?b|c", Cost(0, log2(2 + 1))),  # what the alternatives cost, added up
        ("(ab|bc|ca)?", Cost(0, 1 + log2(3))),  # one of three, or nothing
        ("(a|b|c)?", Cost(0, 1)),  # different characters: at most one of them matches
        (r"(-|\-)(\||\|)(-|/)", Cost(0, 2)),  # the first two are twice the same
        ("(a*|b)(c*|d)", Cost(2, 2)),  # a row of two: both repeats, and twice one of two
        ("a*b|c*d", Cost(1, 1)),  # only one of the alternatives is matched at a time
        ("(a?b?|c)d?", Cost(0, log2(4 + 1) + 1)),
        (r"\b[a-z]{3}\b", Cost(0, 0)),
        # each look-ahead once, and what follows: never one in all ways of another
        ("(?=.*a)(?!.*b)", Cost(1, log2(1 + 1 + 1))),
        ("a*(?!b*c)d*", Cost(2, log2(1 + 1))),
        ("a*((?!b|c)[abc]){0,2}", Cost(1, 2 * log2(1 + 1) + log2(3))),
        ("^(?!.*not).*lock", Cost(1, log2(1 + 1), anchored=True)),
        ("^a|b", Cost(0, 1)),
        ("[^,.]{2,40}", Cost(0, log2(39))),
        ("(a*b){1,3}", Cost(3, log2(3))),  # as often as it may come
        ("(a|bc){2}", Cost(0, 2)),
        # too many ways to count them
        ("(ab)+", None),
        ("( (already|just))* done", None),
        # `re` looks behind over a fixed width only
        (r"(?<=a)(?<!\bof |[Aa]t )b", Cost(0, log2(1 + 2 + 1))),
        ("(?<!of|off)b", None),
        ("(?<!a*)b", None),
        # `re` is not asked what is kept
        ("a++b", None),
        ("(ab|c){2}+", None),
        ("[-a]?[^-b]", Cost(0, 1)),
    ],
)
def test_the_cost_of_a_search(value: str, cost: Cost | None) -> None:
    found = outline(value).cost
    assert (found and (found.unbounded, found.doublings, found.anchored)) == (
        cost and (cost.unbounded, pytest.approx(cost.doublings), cost.anchored)
    )


@pytest.mark.parametrize(
    ("cost", "longest"),
    [
        (Cost(0, 0), 2**24 - 1),  # a start at each place
        (Cost(1, 0, anchored=True), 2**24 - 1),
        (Cost(1, 0), (2 * 2**24) ** 0.5 - 2),  # n starts and n ends, in order
        (Cost(1, 3), (2 * 2**21) ** 0.5 - 2),
        (Cost(0, 24, anchored=True), inf),  # no more ways in a longer text
        (Cost(0, 25, anchored=True), 0),
    ],
)
def test_the_longest_text_for_re(cost: Cost, longest: float) -> None:
    assert cost.longest(2**24) == pytest.approx(longest)


def test_a_pattern_of_hundreds_of_repeats_has_a_cost() -> None:
    cost = outline("a*b" * 1000).cost
    assert cost is not None
    assert cost.longest(2**24) < 0


@pytest.mark.parametrize(
    ("value", "needed"),
    [
        (r"\block\b", [("lock",)]),
        # The longer are the rarer, and looked for first.
        (r"\b(?:is|was) (?:locked|closed)\b", [("locked", "closed"), ("is", "was")]),
        (r"\w+ (?:was|is)", [("was", "is")]),
        ("colou?r[ab]", [("colo",), ("r",)]),
        ("(lock|key).*", [("lock", "key")]),
        ("(lock|k.y).*", [("lock", "k")]),
        ("(a.*lock|k.*bolt).*", [("lock", "bolt")]),
        ("(a.*lock|k.*bolt|.)", []),
        ("(a.*lock)(b)", [("lock",), ("a",), ("b",)]),
        ("(lock|.*)x*", []),
        ("(lock)?.*", []),
        ("(lock){0,2}.*", []),
        ("(lock){1,2}.*", [("lock",)]),
        ("(lock)+", [("lock",)]),
        ("(lock)?+key(s)++", [("key",), ("s",)]),
        (".*(?=lock)", []),
        ("[ab](?!lock)", []),
        ("(?<!locked )door", [("door",)]),
        (r"(?<!\b(?:[Ii]f|[Ww]hen) (?:the )?)\bI(?: \w+)*+ will[- ]", [(" will",), ("I",)]),
        ("lock.*|.*key", [("lock", "key")]),
        (" [ab] ", []),  # blanks are in nearly every text
    ],
)
def test_what_every_match_needs(value: str, needed: list[tuple[str, ...]]) -> None:
    assert list(outline(value).needed) == needed


@given(PATTERNS, TEXTS)
def test_a_text_that_matches_holds_one_of_the_needed_strings(value: str, text: str) -> None:
    try:
        needed = outline(value).needed
    except NotPlain:
        return
    if regex.search(value, text):
        assert all(any(string in text for string in strings) for strings in needed)
