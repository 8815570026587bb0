"""Negations put into sentences, by crude rules."""

import pytest

from assay.verdicts.negation import LANGUAGES, is_negated, put_in


@pytest.mark.parametrize(
    ("language", "sentence", "wanted"),
    [
        ("en", "She bought the car.", "She never bought the car."),
        ("en", "My aunt walked home.", "My aunt never walked home."),
        ("en", "The tea is too hot.", "The tea is not too hot."),
        ("en", "I'm late.", "I'm not late."),
        ("en", "He's late.", "He's not late."),
        ("de", "Sie hat das Auto gekauft.", "Sie hat das Auto nicht gekauft."),
        ("de", "Das Auto steht im Hof.", "Das Auto steht im Hof nicht."),
        ("de", "Der Tee ist heiß.", "Der Tee ist nicht heiß."),
        ("de", "Er ruft morgen an.", "Er ruft morgen nicht an."),
        ("ru", "Мария сломала руку.", "Мария не сломала руку."),
        ("ru", "Он скучает по школе.", "Он не скучает по школе."),
        ("cs", "Děti přišly domů.", "Děti nepřišly domů."),
        ("cs", "Kouření je zakázáno.", "Kouření není zakázáno."),
        ("cs", "Přišla domů.", "Nepřišla domů."),
    ],
)
def test_a_negation_stands_at_the_verb(language: str, sentence: str, wanted: str) -> None:
    assert put_in(sentence, language, near=0) == wanted
    assert is_negated(wanted, language)
    assert not is_negated(sentence, language)


def test_the_place_is_the_nearest() -> None:
    sentence = "She was tired and he was late."
    assert put_in(sentence, "en", near=5) == "She was not tired and he was late."
    assert put_in(sentence, "en", near=25) == "She was tired and he was not late."


def test_a_subordinate_clause_ends_in_its_verb() -> None:
    sentence = "Sie sagt, dass er das Buch liest."
    assert put_in(sentence, "de", near=27) == "Sie sagt, dass er das Buch nicht liest."


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_verb_nothing_is_put_in(language: str) -> None:
    assert put_in("1, 2, 3.", language, near=0) is None


def test_of_other_languages_nothing_is_known() -> None:
    assert not is_negated("Ce n'est pas vrai.", "fr")
