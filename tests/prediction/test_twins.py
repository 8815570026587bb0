"""What makes a text the twin of another, and what does not."""

import pytest

from assay.prediction import TwinForms, about_form, same_rows, twins_agree, twins_of
from assay.verdicts import Verdict

EN, DE = TwinForms("de-en"), TwinForms("en-de")
PASS, FAIL = Verdict.PASS, Verdict.FAIL


def twin(text: str, *decided: tuple[str, Verdict], forms: TwinForms = EN) -> str | None:
    """The decided text that a text is the twin of."""
    known = [(number, forms.of(value), verdict) for number, (value, verdict) in enumerate(decided)]
    found = twins_of({0: forms.of(text)}, known)
    return decided[found[0]][0] if found else None


@pytest.mark.parametrize(
    ("text", "decided"),
    [
        ("I can't come.", "I cannot come."),
        ("I should not come.", "I shouldn't come."),
        ("the neighbor called.", "The neighbour called."),
        ("You realise it.", "You realize it."),
        ("We saw 3 dogs.", "We saw three dogs."),
        ("He said “no”.", 'He said "no".'),
        # A system that writes no capitals writes no stop either.
        ("you run", "You run."),
        ("karl hates beer and otto wine", "Karl hates beer and Otto wine."),
    ],
)
def test_texts_that_differ_in_writing_only_are_twins(text: str, decided: str) -> None:
    assert twin(text, (decided, FAIL)) == decided
    assert twin(decided, (text, PASS)) == text


@pytest.mark.parametrize(
    ("text", "decided"),
    [
        ("I have to say", "I have to say."),  # cut off: it is what?
        ("Do you run?", "Do you run."),
        ("How you solved it, impressed me.", "How you solved it impressed me."),
        ("The President sleeps.", "The president sleeps."),
        ("I re-sent it.", "I resent it."),
        ("We saw 13 dogs.", "We saw three dogs."),
        ("It costs 1.3 euros.", "It costs 1.three euros."),
    ],
)
def test_what_may_matter_is_no_twin(text: str, decided: str) -> None:
    assert twin(text, (decided, PASS)) is None


def test_german_keeps_its_letters_and_commas() -> None:
    assert twin("Ich beisse.", ("Ich beiße.", PASS), forms=DE) is None
    assert twin("Wie geht's dir?", ("Wie geht es dir?", PASS), forms=DE) == "Wie geht es dir?"
    assert twin("Er kommt um 3.", ("Er kommt um drei.", PASS), forms=DE) == "Er kommt um drei."


def test_twins_that_contradict_each_other_decide_nothing() -> None:
    assert twin("you run", ("You run.", PASS), ("You run!", PASS)) == "You run."
    assert twin("you run", ("You run.", PASS), ("You run!", FAIL)) is None


def test_rows_of_undecided_texts() -> None:
    texts = ["You can't.", "You cannot.", "you cannot", "You can.", "You can", "you can"]
    rows = same_rows({number: EN.of(text) for number, text in enumerate(texts)})
    # `you can` could go with the two before it, which are not twins of each other; the first letter tells nothing.
    assert rows == [[0, 1, 2], [3], [4, 5]]


@pytest.mark.parametrize(
    ("category", "phenomenon", "about"),
    [
        ("Punctuation", "Quotation marks", True),
        ("Function word", "Question tag", True),
        ("Ambiguity", "Lexical ambiguity", False),
        ("Subordination", "Relative clause", False),
    ],
)
def test_phenomena_about_form_have_no_twins(category: str, phenomenon: str, about: bool) -> None:
    assert about_form(category, phenomenon) is about


def test_where_decided_twins_disagree_nothing_is_a_twin() -> None:
    # 19 of 20 are expected to agree: (19 + 0) / (20 + 0) is enough, (19 + 0) / (20 + 1) is not.
    assert twins_agree(0, 0)
    assert not twins_agree(0, 1)
    assert twins_agree(19, 1)
