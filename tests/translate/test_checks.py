"""What looks wrong about translations."""

import pytest

from assay.outputs import Collector, System
from assay.suites import Item, Suite
from assay.translate.checks import (
    ADDED,
    COPY,
    EMPTY,
    LANGUAGE,
    LONG,
    LOOP,
    SHORT,
    UNTRANSLATED,
    check,
    flags,
    usual_ratio,
)
from assay.translate.engine import LanguagePair

DE_EN = LanguagePair("de", "en")
SOURCE = "Der Schlüssel steckt seit gestern Abend noch im Schloss der Haustür."
GOOD = "The key has been in the lock of the front door since last night."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD, ()),
        ("", (EMPTY,)),
        (" \n ", (EMPTY,)),
        ("NO TRANSLATION AVAILABLE", (EMPTY,)),
        (SOURCE, (COPY,)),
        (SOURCE.upper().replace(".", " !"), (COPY,)),
        ("Der Schlüssel ist seit gestern Nacht im Schloss von der Tür.", (LANGUAGE,)),
        ("La clef est restée dans la serrure de la porte d'entrée depuis hier soir.", (LANGUAGE,)),
        ("Ключ со вчерашнего вечера всё ещё торчит в замке входной двери нашего дома.", (LANGUAGE,)),
        (f"{GOOD} {GOOD} {GOOD}", (LONG,)),
        ("The key.", (SHORT,)),
        ("The key has been in the lock of the lock of the lock of the lock of the lock since then.", (LOOP,)),
        ("The keyyyyyyyyyyyyyyyyy has been in the lock of the door since last night.", (LOOP,)),
        (f"Here is the translation: {GOOD}", (ADDED,)),
        (f"Sure, here you go:\n{GOOD}", (ADDED,)),
        (f"{GOOD}\n\n(Note: literally, the key is stuck.)", (ADDED,)),
        ("Well, the key has been seit gestern Abend noch im lock of the front door.", (UNTRANSLATED,)),
    ],
)
def test_flags(text: str, expected: tuple[str, ...]) -> None:
    assert flags(SOURCE, text, DE_EN) == expected


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Ja.", "Yes, of course, naturally."),
        ("Angela Merkel", "Angela Merkel"),
        ("Anna Berg, Ulm, 1984", "Anna Berg, Ulm, 1984"),
        ("Ha ha ha ha ha, rief er.", "Ha ha ha ha ha, he cried."),
        ("Anmerkung (siehe unten): Das Tor bleibt zu.", "Note (see below): The gate stays closed."),
        ("Hier ist die Übersetzung: drei Wörter.", "Here is the translation: three words."),
        ("Datum: ____________________", "Date: ____________________"),
    ],
)
def test_what_only_looks_odd_is_not_flagged(source: str, text: str) -> None:
    assert flags(source, text, DE_EN) == ()


def test_a_short_text_is_not_taken_for_a_far_off_language() -> None:
    """The detector is sure that this is Esperanto."""
    assert flags("I like these yellow apples.", "Me gustan estas manzanas amarillas.", LanguagePair("en", "es")) == ()


def test_lengths_follow_the_scripts() -> None:
    assert usual_ratio("x", LanguagePair("en", "zh-CN")) == pytest.approx(1 / 2.8)
    assert usual_ratio("x", LanguagePair("zh", "ja")) == 1
    chinese = "钥匙从昨天晚上起一直插在大门的锁里。"
    assert flags(GOOD, chinese, LanguagePair("en", "zh")) == ()
    assert flags(chinese, GOOD, LanguagePair("zh", "en")) == ()


def test_a_copy_without_spaces_is_one() -> None:
    chinese = "钥匙从昨天晚上起一直插在大门的锁里。"
    assert COPY in flags(chinese, chinese, LanguagePair("zh", "en"))


def test_reports_per_system() -> None:
    items = tuple(Item(f"i{number}", "C", "P", SOURCE) for number in range(3))
    suite = Suite("little", "de-en", items, {"C": {"P": ""}})
    collector = Collector(suite)
    collector.add(System("good"), positions=[0, 1, 2], texts=[GOOD] * 3)
    collector.add(System("bad"), positions=[0, 2], texts=[SOURCE, f"{GOOD} {GOOD} {GOOD}"])
    good, bad = check(suite, collector.outputs())
    assert (good.outputs, good.counts) == (3, {})
    assert (bad.outputs, bad.counts) == (2, {COPY: 1, LONG: 1})
    assert bad.flagged == {"i0": (COPY,), "i2": (LONG,)}
    assert bad.items(LONG) == ["i2"]


def test_lengths_are_compared_with_the_median_of_all_outputs() -> None:
    """Where all translations are three times as long as their sources, one that is as long is too short."""
    items = tuple(Item(f"i{number}", "C", "P", GOOD) for number in range(40))
    suite = Suite("little", "en-xx", items, {"C": {"P": ""}})
    texts = [f"{GOOD} {GOOD} {GOOD} {number}" for number in range(39)]
    collector = Collector(suite)
    collector.add(System("usual"), positions=range(40), texts=[*texts, "xyz " * (len(GOOD) // 4)])
    counts = check(suite, collector.outputs())[0].counts
    assert counts[SHORT] == 1
    assert LONG not in counts
