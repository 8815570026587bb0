"""What twins may differ in is lost, and nothing else."""

import pytest

from assay.prediction import capitals_tell, plain


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("You run.", "you run"),
        ("He's gone, I can't!", "he is gone i can not"),
        ("They would've organised it.", "They would have organized it"),
        ("We won't. I'm here; you'd go.", "We will not I am here you would go"),
        ("The colour of honour", "the color of honor"),
        ("Die Straße", "die strasse"),
    ],
)
def test_twins_are_the_same(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("You run?", "You run."), ("250 km/h", "250 km / h"), ("Tim-Gemüse", "Tim Gemüse"), ("I had", "I would")],
)
def test_what_tells_texts_apart_stays(one: str, other: str) -> None:
    assert plain(one) != plain(other)


@pytest.mark.parametrize(("langpair", "cased"), [("en-de", True), ("en-de_CH", True), ("de-en", False), ("", False)])
def test_capitals_tell_in_german(langpair: str, cased: bool) -> None:
    assert capitals_tell(langpair) == cased
    assert (plain("Ich werfe den Ball.", cased=cased) == plain("ich werfe den ball", cased=cased)) != cased
