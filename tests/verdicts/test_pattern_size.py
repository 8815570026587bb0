"""How large a pattern becomes: never underestimated, and not so overestimated that rules of real suites are refused."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from assay.verdicts import Pattern, PatternError
from assay.verdicts.pattern_size import LARGEST, pattern_size


@pytest.mark.parametrize(
    ("pattern", "size"),
    [
        ("", 0),
        ("abc", 3),
        ("a{3}b{4}", 7),
        (r"\({3}", 3),
        ("[abc]{5}", 5),
        ("[]a]{4}", 4),
        ("[(]{4}", 4),
        ("a{2,7}", 7),
        ("a{7,}", 7),
        ("a{,7}", 7),
        ("(ab){10}", 30),
        ("((ab){10}c){10}", 320),
        ("a{}", 3),  # no repeat: braces
        ("{", 1),
        ("a)", 2),
    ],
)
def test_repeats_are_written_out(pattern: str, size: int) -> None:
    assert pattern_size(pattern) == size


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:ab?ab?ab?ab?){1000000}",
        "(((ab?){999}){999}){999}",
        "(?x)(?:ab?){3000000 }",
        "(?x)(?:ab?){300 00 00}",
        "(?x)(?:ab?) # a comment (\n {3000000}",
        "(?x:(?:ab?) {3000000})",
        "(?:ab?)(?#comment){3000000}",
        "(?#[)(?:ab?){3000000}(?#])",
        "[[:alpha:][](?:ab?){3000000}[]]",
        "(?V1)[[a]](?:ab?){3000000}",
        r"(?:ab?){0000003000000}",
        "(?:ab?){" + "9" * 5000 + "}",
    ],
)
def test_what_would_fill_the_memory_is_refused_before_it_is_compiled(pattern: str) -> None:
    assert pattern_size(pattern) > LARGEST
    with pytest.raises(PatternError, match="too large"):
        Pattern(pattern)


@pytest.mark.parametrize(
    "pattern", [r"\bnot\b.{0,40}\b(walk|walked)\b.{0,40}\bhome\b", r"(\w+\s+){0,12}\w+", r"[^.]{0,300}x"]
)
def test_gaps_in_rules_are_not_too_large(pattern: str) -> None:
    assert Pattern(pattern).search("They did not walk all the way home. x") is not None


pieces = st.recursive(
    st.sampled_from(["a", "b?", "[ab]", r"\w", ".", "[(]", r"\)"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.tuples(inner, st.integers(1, 9)).map(lambda pair: f"(?:{pair[0]}){{{pair[1]}}}"),
        st.tuples(inner, st.integers(0, 5), st.integers(5, 9)).map(lambda t: f"({t[0]}){{{t[1]},{t[2]}}}"),
    ),
    max_leaves=8,
)


@given(pieces)
def test_the_size_is_at_least_the_longest_text_that_a_pattern_without_loops_matches(pattern: str) -> None:
    longest = "ab(" * pattern_size(pattern) + "ab("
    assert len(regex.match(f"(?:{pattern})?", longest)[0]) <= pattern_size(pattern)
