"""Where the tokens of a tree stand in a text."""

from hypothesis import given
from hypothesis import strategies as st

from assay.contrasts.spans import surface_spans


def test_tokens_are_found_in_order() -> None:
    text = "to to je to."
    assert surface_spans(["to", "to", "je", "to", "."], text) == [(0, 2), (3, 5), (6, 8), (9, 11), (11, 12)]


def test_white_space_inside_a_token_does_not_matter() -> None:
    assert surface_spans(["10000", "Kč"], "10 000 Kč") == [(0, 6), (7, 9)]


def test_a_token_that_is_written_otherwise_is_not_found_and_the_next_ones_are() -> None:
    assert surface_spans(["``", "ano", "''"], '"ano"') == [None, (1, 4), None]
    assert surface_spans(["", "a"], "a") == [None, (0, 1)]


@given(st.lists(st.text("abč.", min_size=1, max_size=4), max_size=6), st.lists(st.sampled_from(["", " "]), min_size=6))
def test_spans_of_the_tokens_of_a_text_are_the_tokens(forms: list[str], gaps: list[str]) -> None:
    text = "".join(form + gap for form, gap in zip(forms, gaps, strict=False))
    spans = surface_spans(forms, text)
    assert [text[span[0] : span[1]] for span in spans if span] == forms
