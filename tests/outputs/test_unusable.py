"""Outputs that are no translations are found, and translations are not taken for them."""

from dataclasses import replace

import pytest

from assay.outputs import Collector, System
from assay.outputs.unusable import UNUSABLE, is_copy, loops, unusable_texts
from assay.suites import Item, Suite, taxonomy_of

GERMAN = "Der Zug nach Köln hat heute zwanzig Minuten Verspätung."


def kinds(*pairs: tuple[str, str], categories: int = 1) -> list[str]:
    """What is said of texts for these sources; `categories` of them in turn."""
    items = tuple(
        Item(f"i{number}", f"c{number % categories}", "p", source) for number, (source, _) in enumerate(pairs)
    )
    suite = Suite("s", "de-en", items, taxonomy_of(items))
    collector = Collector(suite)
    collector.add(System("A"), positions=range(len(items)), texts=[text for _, text in pairs])
    outputs = collector.outputs()
    codes = outputs.laid_out(unusable_texts(suite, outputs), outputs.found, missing=unusable_texts(suite, outputs)[0])
    return [("", *UNUSABLE)[code] for code in codes[:, 0].tolist()]


@pytest.mark.parametrize(
    "text",
    [
        GERMAN,
        GERMAN.upper(),
        f"„{GERMAN}“",
        "Der Zug nach Köln hat heute zwanzig Minuten Verspätung",
    ],
)
def test_the_source_once_more(text: str) -> None:
    assert kinds((GERMAN, text)) == ["untranslated"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (GERMAN, "The train to Cologne is twenty minutes late today."),
        ("Peter Müller, Köln, 1984", "Peter Müller, Köln, 1984"),  # names are the same in both languages
        ("Okay!", "Okay!"),
    ],
)
def test_translations_and_names_are_no_copies(source: str, text: str) -> None:
    assert kinds((source, text)) == [""]


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I’m sorry, but I cannot translate this text.",
        "As an AI language model, I do not translate insults.",
        "Es tut mir leid, aber ich kann diesen Satz nicht übersetzen.",
        "Извините, но я не могу помочь с этим запросом.",
        "Omlouvám se, ale s tím nemohu pomoci.",
        "抱歉，我无法翻译这句话。",
    ],
)
def test_a_refusal(text: str) -> None:
    assert kinds((GERMAN, text)) == ["refused"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Es tut mir leid, ich kann heute nicht kommen.", "I'm sorry, I can't come today."),
        ("Als KI wird man leicht unterschätzt.", "As an AI one is easily underestimated."),
        (GERMAN, "I was sorry to hear that the train is late."),
        (GERMAN, "As a rule, the train to Cologne is late."),
    ],
)
def test_an_apology_that_the_source_makes_is_none(source: str, text: str) -> None:
    assert kinds((source, text)) == [""]


def test_the_same_answer_to_items_of_three_categories_is_a_refusal_in_any_language() -> None:
    pairs = [(f"Satz Nummer {number} steht hier.", "Jeg kan ikke hjelpe med det.") for number in range(3)]
    assert kinds(*pairs, categories=3) == ["refused"] * 3
    # Tenses of one verb are often translated alike.
    assert kinds(*pairs, categories=2) == [""] * 3


@pytest.mark.parametrize(
    "text",
    [
        "the the the the the the",
        "The train is late. The train is late. The train is late. The train is late.",
        "The train is laaaaaaaaaaaaaaaate.",
        "No, no, no, no.",
    ],
)
def test_a_loop(text: str) -> None:
    assert kinds((GERMAN, text)) == ["looping"]


def test_a_source_that_repeats_itself_may_be_translated_so() -> None:
    assert kinds(("Nein, nein, nein, nein!", "No, no, no, no!")) == [""]
    assert kinds((GERMAN, "That that that is is.")) == [""]


def test_how_often_words_are_repeated() -> None:
    assert loops("a b a b a b") == 3
    assert loops("one two three") == 1
    assert loops("") == 1


def test_a_copy_needs_words_that_could_be_translated() -> None:
    assert is_copy("Er liest ein Buch.", "er liest ein buch")
    assert not is_copy("NATO EU UNO", "NATO EU UNO")


def test_the_same_texts_are_looked_at_again_where_the_sources_are_others() -> None:
    item = Item("i", "c", "p", "The train is late again today.")
    suite, edited = (
        Suite("s", "en-de", (found,), taxonomy_of((found,))) for found in (item, replace(item, source=GERMAN))
    )
    collector = Collector(suite)
    collector.add(System("A"), positions=[0], texts=[GERMAN])
    outputs = collector.outputs()
    assert unusable_texts(suite, outputs).tolist() == [0]
    assert unusable_texts(edited, outputs).tolist() == [1 + UNUSABLE.index("untranslated")]
    assert unusable_texts(edited, outputs) is unusable_texts(edited, outputs)
