"""The native suite: what is read, and what is refused with file and line."""

from pathlib import Path

import pytest

from assay.errors import BadFile, BadSuite
from assay.suites import native
from assay.suites.suite import Examples, Item, Rule
from tests.suites.building import KIEFER, MANIFEST, suite_folder

BANK = """\
category: Ambiguity
phenomenon: Lexical ambiguity
items:
  - id: bank-1
    source: Auf der Bank im Park schläft eine Katze.
    tests: Bank is the bench here, not the money house.
    pass:
      - '\\bbench\\b'
      - {exact: "A cat naps on the park seat."}
      - {regex: 'PARK SEAT', flags: i}
    fail:
      - '\\bbank\\b'
      - {contains: "Bank", note: left untranslated}
      - {exact: "A cat.", by: Ada, on: 2024-05-01}
    examples:
      pass: [A cat is sleeping on the bench in the park.]
      fail: [A cat is sleeping on the bank in the park.]
    tags: [noun, no]
    notes: "Seen in a park: once."
    held_out: true
"""


def test_an_item_is_read_with_all_it_says(tmp_path: Path) -> None:
    suite = native.read(suite_folder(tmp_path / "garden", {"ambiguity/bank.yaml": BANK}))
    assert suite.items == (
        Item(
            id="bank/bank-1",
            category="Ambiguity",
            phenomenon="Lexical ambiguity",
            source="Auf der Bank im Park schläft eine Katze.",
            rules=(
                Rule("pass", "regex", r"\bbench\b"),
                Rule("pass", "exact", "A cat naps on the park seat."),
                Rule("pass", "regex", "PARK SEAT", "i"),
                Rule("fail", "regex", r"\bbank\b"),
                Rule("fail", "contains", "Bank", note="left untranslated"),
                Rule("fail", "exact", "A cat.", by="Ada", on="2024-05-01"),
            ),
            tests="Bank is the bench here, not the money house.",
            examples=Examples(
                ("A cat is sleeping on the bench in the park.",), ("A cat is sleeping on the bank in the park.",)
            ),
            tags=("noun", "no"),
            notes="Seen in a park: once.",
            held_out=True,
        ),
    )
    assert suite.items[0].place == f"{tmp_path / 'garden' / 'ambiguity' / 'bank.yaml'}:4"


def test_the_manifest_is_read_as_written(tmp_path: Path) -> None:
    suite = native.read(suite_folder(tmp_path / "garden", {"kiefer.yaml": KIEFER}))
    assert (suite.name, suite.langpair, suite.version, suite.licence) == ("garden", "de-en", "1.10", "CC-BY-4.0")
    assert (suite.authors, suite.canary) == (("Ada", "Ben"), "garden-canary-7")
    assert suite.description == "Sentences from a garden."
    assert suite.phenomena == [
        ("Ambiguity", "Lexical ambiguity"),
        ("Ambiguity", "Structural ambiguity"),
        ("Negation", "Negation"),
    ]


def test_the_manifest_stands_for_its_folder(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {"kiefer.yaml": KIEFER})
    assert native.read(folder / "suite.yaml") == native.read(folder)


def test_items_come_in_the_order_of_the_taxonomy_then_of_their_files(tmp_path: Path) -> None:
    def file(category: str, phenomenon: str, *ids: str) -> str:
        items = "".join(f"  - {{id: {name}, source: Satz {name}.}}\n" for name in ids)
        return f"category: {category}\nphenomenon: {phenomenon}\nitems:\n{items}"

    folder = suite_folder(
        tmp_path / "garden",
        {
            "a/negation.yaml": file("Negation", "Negation", "n"),
            "b/structural.yaml": file("Ambiguity", "Structural ambiguity", "s"),
            "c/words-b.yaml": file("Ambiguity", "Lexical ambiguity", "z", "a"),
            "d/words-a.yaml": file("Ambiguity", "Lexical ambiguity", "y"),
        },
    )
    ids = [item.id for item in native.read(folder)]
    assert ids == ["words-a/y", "words-b/z", "words-b/a", "structural/s", "negation/n"]


def test_an_item_may_name_its_own_phenomenon(tmp_path: Path) -> None:
    text = "category: Ambiguity\nitems:\n  - {id: a, phenomenon: Structural ambiguity, source: Ein Satz.}\n"
    suite = native.read(suite_folder(tmp_path / "garden", {"some.yaml": text}))
    assert suite.items[0].phenomenon == "Structural ambiguity"


HEAD = "category: Ambiguity\nphenomenon: Lexical ambiguity\nitems:\n"


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (HEAD + "  - {id: a, source: Eins., passs: [x]}\n", 4, "unknown key 'passs'; did you mean 'pass'?"),
        (HEAD + "  - id: a\n    source: Eins.\n    fial:\n      - x\n", 6, "unknown key 'fial'; did you mean 'fail'?"),
        (HEAD + "  - {id: a, source: Eins., source: Zwei.}\n", 4, "the key 'source' stands twice"),
        (HEAD + "  - {id: a, source: Eins.}\n  - {id: a, source: Zwei.}\n", 5, "the id 'a' stands twice (also line 4)"),
        (HEAD + "  - {source: Eins.}\n", 4, "'id' is missing"),
        (HEAD + "  - {id: a b, source: Eins.}\n", 4, "the id 'a b' is blank or has white space"),
        (HEAD + "  - {id: '', source: Eins.}\n", 4, "the id '' is blank or has white space"),
        (HEAD + "  - {id: a}\n", 4, "item 'a' has no source text"),
        (HEAD + "  - {id: a, source: ' '}\n", 4, "item 'a' has no source text"),
        (HEAD + "  - just a text\n", 4, "a mapping (key: value) is expected here"),
        (HEAD + "  - id: a\n    source: Eins.\n    pass: x\n", 6, "a list (- …) is expected here"),
        (HEAD + "  - id: a\n    source: Eins.\n    pass: [{regex: x, exact: y}]\n", 6, "a rule has exactly one of"),
        (HEAD + "  - id: a\n    source: Eins.\n    pass: [{note: x}]\n", 6, "a rule has exactly one of"),
        (HEAD + "  - id: a\n    source: Eins.\n    pass: [{regex: x, flags: x}]\n", 6, "unknown flags 'x'"),
        (HEAD + "  - id: a\n    source: Eins.\n    pass: [{exact: x, flags: i}]\n", 6, "flags belong to regex rules"),
        (HEAD + "  - id: a\n    source: Eins.\n    pass: [{contain: x}]\n", 6, "unknown key 'contain'; did you mean"),
        (HEAD + "  - id: a\n    source: Eins.\n    examples: {good: [x]}\n", 6, "unknown key 'good'"),
        (HEAD + "  - {id: a, phenomenon: Rhyme, source: Eins.}\n", 4, "unknown phenomenon 'Rhyme'"),
        ("category: Ambigity\nitems: []\n", 1, "unknown category 'Ambigity'"),
        (
            "category: Ambiguity\nphenomenon: Negation\nitems: [{id: a, source: x}]\n",
            2,
            "unknown phenomenon 'Negation'",
        ),
        ("category: Ambiguity\nitems:\n  - {id: a, source: Eins.}\n", 3, "'phenomenon' is missing"),
        ("phenomenon: Negation\nitems: []\n", 1, "'category' is missing"),
        ("category: Ambiguity\n", 1, "the file has no items"),
        ("category: Ambiguity\nitems:\n", 2, "a list (- …) is expected here"),
        (HEAD + "  - {id: a, source: 'Eins.\n", 5, "not valid YAML"),
    ],
)
def test_a_slip_in_an_items_file_is_named_by_file_and_line(tmp_path: Path, text: str, line: int, problem: str) -> None:
    folder = suite_folder(tmp_path / "garden", {"words/slip.yaml": text})
    with pytest.raises(BadSuite) as caught:
        native.read(folder)
    assert str(caught.value).startswith(f"{folder / 'words' / 'slip.yaml'}:{line}: {problem}")


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("langpair: de-en", "langpair: deutsch-english", 2, "'deutsch-english' is not a language pair"),
        ("langpair: de-en", "langpair: deen", 2, "'deen' is not a language pair"),
        ("langpair: de-en\n", "", 1, "'langpair' is missing"),
        ("name: garden\n", "", 1, "'name' is missing"),
        ("licence:", "license:", 4, "unknown key 'license'; did you mean 'licence'?"),
        ("version: 1.10", "name: again", 3, "the key 'name' stands twice"),
        ("[Ada, Ben]", "[Ada, Ben", 6, "not valid YAML"),
        (
            "  Negation:\n    Negation: Something is not the case.\n",
            "  Ambiguity: {}\n",
            12,
            "the key 'Ambiguity' stands",
        ),
    ],
)
def test_a_slip_in_the_manifest_is_named_by_file_and_line(
    tmp_path: Path, old: str, new: str, line: int, problem: str
) -> None:
    folder = suite_folder(tmp_path / "garden", {"kiefer.yaml": KIEFER}, MANIFEST.replace(old, new))
    with pytest.raises(BadSuite) as caught:
        native.read(folder)
    assert str(caught.value).startswith(f"{folder / 'suite.yaml'}:{line}: {problem}")


def test_a_manifest_without_categories_is_refused(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {"kiefer.yaml": KIEFER}, "name: x\nlangpair: de-en\n")
    with pytest.raises(BadSuite, match=r"suite\.yaml:1: 'categories' is missing"):
        native.read(folder)


def test_two_files_with_the_same_stem_are_refused(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {"a/kiefer.yaml": KIEFER, "b/kiefer.yaml": KIEFER})
    with pytest.raises(BadSuite) as caught:
        native.read(folder)
    assert str(caught.value).startswith(f"{folder / 'b' / 'kiefer.yaml'}: the file name 'kiefer' stands twice")
    assert str(folder / "a" / "kiefer.yaml") in str(caught.value)


def test_a_suite_without_items_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSuite, match="the suite has no items"):
        native.read(suite_folder(tmp_path / "garden", {}))


def test_a_folder_without_a_manifest_is_no_suite(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"suite\.yaml: there is no such file"):
        native.read(tmp_path)


def test_a_file_called_yml_is_not_silently_left_out(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {"kiefer.yaml": KIEFER, "bank.yml": BANK})
    with pytest.raises(BadSuite, match=r"bank\.yml: .*\.yaml"):
        native.read(folder)


class TestGuidelines:
    MANIFEST = (
        "name: garden\nlangpair: de-en\ncategories:\n  Ambiguity:\n    Lexical ambiguity:\n"
        "      description: One word.\n      guideline: |\n        Only the sense counts.\n        Be kind.\n"
    )

    def test_a_phenomenon_may_have_one_beside_its_description(self, tmp_path: Path) -> None:
        folder = suite_folder(tmp_path / "garden", {"ambiguity/bank.yaml": BANK})
        plain = native.read(folder)
        (folder / "suite.yaml").write_text(self.MANIFEST, encoding="utf-8")
        suite = native.read(folder)
        assert suite.taxonomy == {"Ambiguity": {"Lexical ambiguity": "One word."}}
        assert suite.guidelines == {("Ambiguity", "Lexical ambiguity"): "Only the sense counts.\nBe kind.\n"}
        assert suite.hash == plain.hash

    def test_nothing_else(self, tmp_path: Path) -> None:
        folder = suite_folder(tmp_path / "garden", {"ambiguity/bank.yaml": BANK})
        (folder / "suite.yaml").write_text(self.MANIFEST.replace("guideline:", "guidelines:"), encoding="utf-8")
        with pytest.raises(BadFile, match=r"suite\.yaml:7: .*guidelines"):
            native.read(folder)
