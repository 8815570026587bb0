"""A suite written as a folder is read back as the same suite."""

import re
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, BadFile
from assay.suites import native
from assay.suites.load import load_suite, save_suite
from assay.suites.suite import TIERS, Examples, Item, Rule, Suite
from assay.text import slug
from tests.suites.building import KIEFER, a_suite, an_item, listing, suite_folder

# Everything but lone surrogates, which no UTF-8 file can hold.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
filled = texts.filter(str.strip)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
# Few, so that items share them, and any
told = st.sampled_from(["", "", "Translate the menu.", "Two\nlines,\n\n  - and {source}\n"]) | texts
words = st.from_regex(r"[a-z0-9äß_.]{1,8}", fullmatch=True)


def rules(polarity: str) -> st.SearchStrategy[list[Rule]]:
    written = st.builds(
        lambda kind, value, flags, note, by, on: Rule(
            "pass" if polarity == "pass" else "fail", kind, value, flags if kind == "regex" else "", note, by, on
        ),
        st.sampled_from(["regex", "exact", "contains"]),
        texts,
        st.sampled_from(["", "i"]),
        texts,
        texts,
        texts,
    )
    return st.lists(written, max_size=3)


@st.composite
def suites(draw: st.DrawFn) -> Suite:
    """Suites with any text in any place, ordered as a reader orders them."""
    taxonomy = draw(
        st.dictionaries(names, st.dictionaries(names, texts, min_size=1, max_size=2), min_size=1, max_size=3)
    )
    items: list[Item] = []
    for number, (category, phenomenon) in enumerate((c, p) for c in taxonomy for p in taxonomy[c]):
        for word in draw(st.lists(words, unique=True, min_size=number == 0, max_size=2)):
            items.append(
                Item(
                    id=f"file-{number}/{word}",
                    category=category,
                    phenomenon=phenomenon,
                    source=draw(filled),
                    rules=(*draw(rules("pass")), *draw(rules("fail"))),
                    tests=draw(texts),
                    examples=Examples(
                        tuple(draw(st.lists(texts, max_size=2))), tuple(draw(st.lists(texts, max_size=2)))
                    ),
                    tags=tuple(draw(st.lists(texts, max_size=2))),
                    notes=draw(texts),
                    held_out=draw(st.booleans()),
                    prompt=draw(told),
                    context=draw(told),
                    tier=draw(st.sampled_from(TIERS)),
                )
            )
    return Suite(
        name=draw(filled),
        langpair=draw(st.sampled_from(["de-en", "cs-de", "nds-en"])),
        items=tuple(items),
        taxonomy=taxonomy,
        version=draw(texts),
        licence=draw(texts),
        authors=tuple(draw(st.lists(texts, max_size=2))),
        description=draw(texts),
        canary=draw(texts),
        guidelines={
            (category, name): draw(filled)
            for category in taxonomy
            for name in taxonomy[category]
            if draw(st.booleans())
        },
    )


@given(suites())
def test_a_suite_written_and_read_is_the_same(suite: Suite) -> None:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "copy"
        save_suite(suite, target)
        again = load_suite(target)
    assert again == suite
    assert list(again.taxonomy) == list(suite.taxonomy)
    assert again.hash == suite.hash


@pytest.mark.parametrize(
    "text",
    [
        "on",
        "null",
        "1.10",
        "- a: 'b' \"c\" # d",
        "{slot} [x] & *y !z %w @v",
        "  leading and trailing  ",
        "two\nlines\n\nand  more \n",
        "\ttab",
        "a\x85b",
        "a\u2028b",
        "a\u2029b",
        "\u2028a\u2029",
        "\ufeffa",
        "\r",
        "\x07\x1b\x00",
        "𝔘 🧀 👩‍🔬",
        "x" * 5000,
        "word " * 19_000,
        "? ",
        ": ",
        "---",
        "...",
        "\\b(a|b)\\b",
    ],
)
def test_any_text_survives(tmp_path: Path, text: str) -> None:
    item = an_item("f/a", f".{text}", Rule("pass", "exact", text), Rule("fail", "regex", text, note=text))
    suite = a_suite(item, replace(item, id="f/b", prompt=text, context=f"One.\n{text}"))
    save_suite(suite, tmp_path / "copy")
    assert load_suite(tmp_path / "copy") == suite


def test_a_bundled_suite_written_and_read_is_the_same(tmp_path: Path) -> None:
    suite = load_suite("de-en")
    save_suite(suite, tmp_path / "copy")
    assert load_suite(tmp_path / "copy") == suite


def test_several_phenomena_stay_in_one_file(tmp_path: Path) -> None:
    first, second = an_item("words/a"), replace(an_item("words/b"), phenomenon="Structural ambiguity")
    save_suite(a_suite(first, second), tmp_path / "copy")
    assert [path for path in listing(tmp_path / "copy") if path.endswith(".yaml")] == [
        "ambiguity/words.yaml",
        "suite.yaml",
    ]
    assert load_suite(tmp_path / "copy").items == (first, second)


def test_ids_that_name_no_file_stay_as_they_are(tmp_path: Path) -> None:
    save_suite(a_suite(an_item("00001"), replace(an_item("00002"), phenomenon="Überraschung!")), tmp_path / "copy")
    assert [item.id for item in load_suite(tmp_path / "copy")] == ["00001", "00002"]


def test_phenomena_of_one_name_in_two_categories_get_two_files(tmp_path: Path) -> None:
    items = an_item("1"), replace(an_item("2"), category="Other"), replace(an_item("3"), category="other")
    save_suite(a_suite(*items), tmp_path / "copy")
    again = load_suite(tmp_path / "copy")
    assert len({item.id for item in again}) == 3
    assert [item.category for item in again] == ["Ambiguity", "Other", "other"]


@pytest.mark.parametrize(
    ("suite", "why"),
    [
        (a_suite(an_item("a"), langpair=""), "a table without a direction"),
        (a_suite(an_item("a"), langpair="german-english"), "a pair that the format does not know"),
        (a_suite(an_item("item 1")), "an id with white space"),
        (a_suite(an_item("/a")), "an id with an empty file name"),
        (a_suite(an_item("a/")), "an id with nothing after its file name"),
        (a_suite(an_item("a\\b:*?/x"), an_item("../y")), "a file name that leads elsewhere"),
        (a_suite(an_item("x"), an_item("lexical-ambiguity/x")), "ids that become equal"),
        (a_suite(an_item("x" * 300 + "/y")), "a file name that is too long"),
    ],
)
def test_what_is_written_can_be_read_or_is_refused(tmp_path: Path, suite: Suite, why: str) -> None:
    try:
        save_suite(suite, tmp_path / "copy")
    except AssayError:
        assert listing(tmp_path) == {}
    else:
        assert len(load_suite(tmp_path / "copy")) == len(suite), why


def test_a_folder_with_something_in_it_needs_force(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {"kiefer.yaml": KIEFER})
    before = listing(tmp_path)
    with pytest.raises(BadFile, match="--force"):
        save_suite(load_suite("de-en"), folder)
    assert listing(tmp_path) == before
    save_suite(a_suite(an_item("f/a")), folder, force=True)
    assert [item.id for item in native.read(folder)] == ["f/a"]


def test_a_suite_may_be_written_over_itself(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {"kiefer.yaml": KIEFER})
    suite = native.read(folder)
    save_suite(suite, folder, force=True)
    assert native.read(folder) == suite


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Verb tense/aspect/mood", "verb-tense-aspect-mood"),
        ("LDD & interrogatives", "ldd-interrogatives"),
        ("Groß- und Überschreibung", "gross-und-uberschreibung"),
        ("日本語", "x"),
        ("  ", "x"),
        ("../..", "x"),
    ],
)
def test_a_slug_is_plain_ascii(text: str, name: str) -> None:
    assert slug(text) == name


@given(texts)
def test_a_slug_is_safe_in_a_path(text: str) -> None:
    assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", slug(text))
