"""What language models add to translations is cut and recorded; translations are left alone."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.translate.cleanup import Cleaned, clean
from assay.translate.engine import LanguagePair

DE_EN = LanguagePair("de", "en")
SOURCE = "Der Schlüssel steckt noch."
KEY = "The key is still in."


@pytest.mark.parametrize(
    ("raw", "kinds"),
    [
        # quotes and emphasis
        (f'"{KEY}"', "quotes"),
        (f"“{KEY}”", "quotes"),
        (f"„{KEY}“", "quotes"),
        (f"«{KEY}»", "quotes"),
        (f"'{KEY}'", "quotes"),
        (f"**{KEY}**", "quotes"),
        (f"*{KEY}*", "quotes"),
        (f"`{KEY}`", "quotes"),
        (f'**"{KEY}"**', "quotes quotes"),
        # fences
        (f"```\n{KEY}\n```", "code-fence"),
        (f"```text\n{KEY}\n```\n\nLet me know if you need more.", "code-fence"),
        # preambles
        (f"Here is the translation:\n\n{KEY}", "preamble"),
        (f"Here's the English translation of your sentence: {KEY}", "preamble"),
        (f"Sure! Here is the translation:\n{KEY}", "preamble"),
        (f"Certainly, below is the translated text:\n{KEY}", "preamble"),
        (f"Translation: {KEY}", "preamble"),
        (f"**Translation:** {KEY}", "preamble"),
        (f"The English translation is: {KEY}", "preamble"),
        (f"English: {KEY}", "preamble"),
        (f"Sure!\n\n{KEY}", "preamble"),
        (f"Hier ist die Übersetzung ins Englische: {KEY}", "preamble"),
        (f"Natürlich! Hier ist die Übersetzung:\n\n{KEY}", "preamble"),
        (f"Die Übersetzung lautet: {KEY}", "preamble"),
        (f"Übersetzung: {KEY}", "preamble"),
        (f"Вот перевод на английский язык: {KEY}", "preamble"),
        (f"Конечно! Вот перевод:\n{KEY}", "preamble"),
        (f"Перевод: {KEY}", "preamble"),
        (f"Zde je překlad: {KEY}", "preamble"),
        (f"Samozřejmě, tady je překlad do angličtiny:\n{KEY}", "preamble"),
        (f"Překlad: {KEY}", "preamble"),
        (f"Aquí está la traducción: {KEY}", "preamble"),
        (f"Claro, aquí tienes la traducción al inglés:\n{KEY}", "preamble"),
        (f"La traducción es: {KEY}", "preamble"),
        (f"Traducción: {KEY}", "preamble"),
        # notes and alternatives
        (f"{KEY}\n\nNote: “stecken” is hard to render.", "note"),
        (f"{KEY}\n\n**Note:** several\nlines.", "note"),
        (f"{KEY}\n\n*Note (on style):* free.", "note"),
        (f"{KEY}\n(Note: this is literal.)", "note"),
        (f"{KEY} (Note that “stecken” means to be stuck.)", "note"),
        (f"{KEY} Note: this is literal.", "note"),
        (f"{KEY}\n\nAlternatively, you could say “the key is in”.", "note"),
        (f"{KEY}\nor: The key is in.", "note"),
        (f'{KEY} (or "The key is in.")', "note"),
        (f"{KEY}\n\nExplanation:\n- a\n- b", "note"),
        (f"{KEY}\n\nHinweis: frei übersetzt.", "note"),
        (f"{KEY}\nAnmerkung: frei.", "note"),
        (f"{KEY}\nПримечание: вольно.", "note"),
        (f"{KEY}\nPoznámka: volně.", "note"),
        (f"{KEY}\nNota: libre.", "note"),
        (f"{KEY}\n\nThis translates the verb freely.", "note"),
        (f"{KEY}\n\nLet me know if you need anything else!", "note"),
        (f"1. {KEY}\n2. The key is in.", "alternatives"),
        # the source again
        (f"{SOURCE}\n{KEY}", "repeated-source"),
        (f"{SOURCE} → {KEY}", "repeated-source"),
        (f"German: {SOURCE}\nEnglish: {KEY}", "repeated-source preamble"),
        (f'Original: "{SOURCE}"\nTranslation: "{KEY}"', "repeated-source preamble quotes"),
        # reasoning
        (f"<think>Stecken? To be stuck.\n\nOr in.</think>\n\n{KEY}", "reasoning"),
        (f"Stecken? To be stuck.</think>{KEY}", "reasoning"),
        # everything at once
        (
            f'<think>Hm.</think>Sure! Here is the translation:\n\n"{KEY}"\n\nNote: free.\nOr: The key is in.',
            "reasoning preamble note quotes",
        ),
    ],
)
def test_what_was_added_is_cut_and_recorded(raw: str, kinds: str) -> None:
    found = clean(raw, SOURCE, DE_EN)
    assert found.text == KEY
    assert [part.partition(":")[0].replace(" ", "-") for part in found.cut] == kinds.split()


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        ("Er sagte: Komm!", "He said: Come!"),
        ("Hier ist der Schlüssel: Nimm ihn.", "Here is the key: take it."),
        ("Klar! Ich komme.", "Sure! I'm coming."),
        ("Übersetzung: Peter Müller", "Translation: Peter Müller"),
        ("Die Übersetzung lautet: nein.", "The translation is: no."),
        ("Er sagte nur eins, und zwar: Englisch: nie.", "He said one thing: English: never."),
        ("„Komm!“, sagte er.", '"Come!" he said.'),
        ("„Komm!“", '"Come!"'),
        ("Ja und nein sind Wörter.", '"Yes" and "no" are words.'),
        ("Das Wort 'Hund' ist kurz.", "'Dog' is a short 'word'"),
        ("Er kam. Hinweis: Er blieb.", "He came. Note: He stayed."),
        ("Hinweis: Nicht füttern.", "Note: do not feed."),
        ("Er kam (oder: sie kam).", "He came (or: she came)."),
        ("Er kam (wohlgemerkt, zu spät).", "He came (note that he was late)."),
        ("Er ist buchstäblich explodiert.", "He exploded (literally)."),
        ("Sie kam, oder nicht?", "She came, or did she?"),
        ("Entweder oder: das ist die Frage.", "Either or: that is the question."),
        ("1. Januar", "1. January"),
        ("- Ja.", "- Yes."),
        ("Nimm `ls` dafür.", "`ls`"),
        ("Ein *wichtiges* Wort", "*An important word*"),
        ("Sag mir Bescheid, wenn du kommst.", "Let me know if you come."),
        ("Das ist gut.", "It's the dogs' day, isn't it?"),
        ("a = b", "a = b"),
        ("Er nennt es <think>.", "He calls it <think>."),
    ],
)
def test_a_colon_a_quotation_or_a_bracket_of_a_translation_survives(source: str, translation: str) -> None:
    assert clean(translation, source, DE_EN) == Cleaned(translation, ())


def test_a_copy_of_the_source_stays_for_the_checks_to_find() -> None:
    assert clean(SOURCE, SOURCE, DE_EN) == Cleaned(SOURCE, ())


def test_two_lines_for_one_are_joined_and_recorded() -> None:
    found = clean("He came.\nShe left.", "Er kam. Sie ging.", DE_EN)
    assert found == Cleaned("He came. She left.", ("line breaks: 2 lines joined",))


def test_a_second_sentence_on_its_own_line_is_no_note() -> None:
    found = clean("He came.\nNote: He stayed.", "Er kam. Hinweis: Er blieb.", DE_EN)
    assert found.text == "He came. Note: He stayed."


def test_lines_of_a_source_with_lines_stay() -> None:
    assert clean("Yes.\nNo.", "Ja.\nNein.", DE_EN) == Cleaned("Yes.\nNo.", ())


def test_the_stop_behind_a_bracket_belongs_to_the_sentence() -> None:
    assert clean("The key is in (or: inside).", SOURCE, DE_EN).text == "The key is in."


@pytest.mark.parametrize("raw", ["", "  \n", "Here is the translation:", "<think>Stecken", "```\n```"])
def test_nothing_is_left_where_nothing_was(raw: str) -> None:
    assert clean(raw, SOURCE, DE_EN).text == ""


def test_long_cuts_are_shortened_in_the_record() -> None:
    [cut] = clean(f"<think>{'hm ' * 100}</think>{KEY}", SOURCE, DE_EN).cut
    assert len(cut) < 100
    assert cut.endswith("…")


WORDS = st.lists(st.text(st.characters(categories=["Ll", "Lu", "Lo"]), min_size=1, max_size=8), min_size=1, max_size=12)
SENTENCES = st.builds(
    lambda words, comma, stop: " ".join(words[:3]) + comma + " ".join(words[3:]) + stop,
    WORDS,
    st.sampled_from([" ", ", ", " – ", "; "]),
    st.sampled_from([".", "!", "?", "…", ""]),
).map(lambda text: " ".join(text.split()))


@given(SENTENCES, SENTENCES)
def test_a_plain_sentence_is_never_changed(source: str, translation: str) -> None:
    assert clean(translation, source, DE_EN) == Cleaned(translation, ())


@given(st.text(), st.text())
def test_cleaning_what_is_clean_changes_nothing(raw: str, source: str) -> None:
    once = clean(raw, source, DE_EN).text
    assert clean(once, source, DE_EN) == Cleaned(once, ())


@given(st.text(alphabet=" \n\"'*`#:()</think>note or translation", max_size=200))
def test_whatever_a_model_writes_cleaning_ends(raw: str) -> None:
    assert len(clean(raw, SOURCE, DE_EN).text) <= len(raw)


@pytest.mark.parametrize(
    "name", ["references/newstest2021.de-en.ref.A.en", "system-outputs/newstest2021.de-en.hyp.UF.en"]
)
def test_real_translations_are_left_alone(data: Path, name: str) -> None:
    sources = (data / "wmt21/sources/newstest2021.de-en.src.de").read_text(encoding="utf-8").split("\n")
    texts = (data / "wmt21" / name).read_text(encoding="utf-8").split("\n")
    pairs = [(source, " ".join(text.split())) for source, text in zip(sources, texts, strict=True)][:5000]
    assert [clean(text, source, DE_EN) for source, text in pairs] == [Cleaned(text, ()) for _, text in pairs]
