"""What counts as the same text, and as no text."""

from unicodedata import is_normalized

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text import is_missing, normalise, one_line, plural, visible


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("", ""),
        (" \t\n ", ""),
        ("  one \t two\nthree ", "one two three"),
        ("one\u00a0two\u2003three\u2028four", "one two three four"),
        ("one\x0btwo\x1cthree\x85four", "one two three four"),
        ("don’t don‘t don´t don`t don't", "don't don't don't don't don't"),
        ("Käse ‘n’ Brot", "Käse 'n' Brot"),
        ("e\u0301", "é"),
        ("\u1fef", "'"),
        ("\u212b", "Å"),
        ("ﬁ ½ Ⅳ", "ﬁ ½ Ⅳ"),
        ("“quoted” „so“", "“quoted” „so“"),
        ("zero\u200bwidth", "zero\u200bwidth"),
        ("MiXed", "MiXed"),
    ],
)
def test_a_text_in_the_form_that_rules_see(text: str, same: str) -> None:
    assert normalise(text) == same


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text())
def test_a_normalised_text_is_composed_and_has_single_inner_spaces(text: str) -> None:
    result = normalise(text)
    assert result.split() == result.split(" ") or not result
    assert is_normalized("NFC", result)
    assert not set(result) & set("\u2019\u2018\u00b4\u0060")


@given(st.text(st.characters(max_codepoint=127)))
def test_the_quick_way_for_ascii_is_the_same_way(text: str) -> None:
    assert normalise(text) == normalise(text + " é").removesuffix("é").rstrip()


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("", True),
        ("  ", True),
        (" NO TRANSLATION AVAILABLE\n", True),
        ("NO  TRANSLATION  AVAILABLE", True),
        ("####", True),
        ("FAILED", True),
        ("failed", False),
        ("#####", False),
        ("FAILED.", False),
        ("No translation available", False),
    ],
)
def test_markers_stand_for_an_output_that_was_never_made(text: str, missing: bool) -> None:
    assert is_missing(normalise(text)) is missing


def test_nouns_are_counted() -> None:
    counted = [plural(0, "text"), plural(1, "system"), plural(1870, "item"), plural(14, "category")]
    assert counted == ["0 texts", "1 system", "1,870 items", "14 categories"]


def test_what_would_move_a_terminal_is_shown() -> None:
    assert visible("a\x1b[2Jb\u202ec\td\n") == r"a\x1b[2Jb\u202ec" + "\td\n"
    assert visible("\ufeffname") == r"\ufeffname"
    assert visible("plain Straße") == "plain Straße"


@given(st.text(max_size=400))
def test_a_message_is_one_short_line(text: str) -> None:
    line = one_line(text, 60)
    assert len(line) <= 60
    assert "\n" not in line
    assert visible(line) == line


def test_the_cure_at_the_end_of_a_message_is_kept() -> None:
    message = one_line("file.tsv: the value " + "x" * 10_000 + " is no number; write a number")
    assert message.startswith("file.tsv: the value xxx")
    assert message.endswith("xxx is no number; write a number")
    assert len(message) == 300
