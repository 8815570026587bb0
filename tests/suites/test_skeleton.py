"""A new suite can be linted, read and worked with at once, whatever its languages."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from assay.errors import BadFile, BadOption
from assay.suites import load_suite
from assay.suites.skeleton import WORKFLOW, write_skeleton
from assay.verdicts import RuleJudge, Verdict
from assay.verdicts.lint import lint
from tests.suites.building import listing

PAIRS = ("en-fr", "fr-en", "de-en", "en-de", "en-cs", "en-ru", "zh-ja", "ja-sv", "pt-es", "nl-it", "uk-pl")


@pytest.mark.parametrize("langpair", [*PAIRS, "en-ha", "ha-en", "zh-ha", "ha-ja", "hsb-dsb"])
def test_the_worked_items_are_finished_and_lint_finds_nothing(langpair: str, tmp_path: Path) -> None:
    suite = write_skeleton(langpair, tmp_path / "my-suite")
    assert lint(suite) == []
    assert (suite.name, suite.langpair, len(suite)) == ("my-suite", langpair, 2)
    for item in suite.items:
        assert item.tests
        assert item.examples.passing
        assert item.examples.failing
        assert {rule.polarity for rule in item.rules} == {"pass", "fail"}


@pytest.mark.parametrize("langpair", [*PAIRS, "ja-zh", "ha-en", "en-ha"])
def test_a_copy_of_the_source_does_not_pass(langpair: str, tmp_path: Path) -> None:
    suite = write_skeleton(langpair, tmp_path / "my-suite")
    judge = RuleJudge(suite.items)
    assert all(judge.judge(item, item.source).verdict != Verdict.PASS for item in suite.items)


def test_a_pair_that_has_a_bundled_suite_gets_items_of_it(tmp_path: Path) -> None:
    suite = write_skeleton("de-en", tmp_path / "my-suite")
    real = load_suite("de-en")
    for item in suite.items:
        own = tuple(rule for rule in real.item(item.id).rules if rule.kind not in ("copy", "refusal"))
        assert item == replace(real.item(item.id), rules=own)
    assert "From the bundled suite assay-de-en." in text_of(tmp_path)


def test_the_items_are_marked_as_examples(tmp_path: Path) -> None:
    write_skeleton("en-fr", tmp_path / "my-suite")
    assert text_of(tmp_path).count("# EXAMPLE, to be replaced by your own items. Made up.") == 2


def test_what_english_stands_in_for_is_said(tmp_path: Path) -> None:
    write_skeleton("en-ha", tmp_path / "my-suite")
    assert "English stands in for Hausa: translate it." in text_of(tmp_path)


def test_the_files_around_it(tmp_path: Path) -> None:
    write_skeleton("en-fr", tmp_path / "my-suite")
    files = {name for name, content in listing(tmp_path / "my-suite").items() if content is not None}
    items = {"names-numbers/country-name.yaml", "names-numbers/number-word.yaml"}
    assert files == {"suite.yaml", "README.md", ".gitignore", str(WORKFLOW), *items}
    readme = (tmp_path / "my-suite" / "README.md").read_text("utf-8")
    assert "English to French" in readme
    assert len(readme.splitlines()) <= 10
    assert re.search(r"canary: my-suite canary [0-9a-f-]{36}", text_of(tmp_path))


def test_two_suites_have_two_canaries(tmp_path: Path) -> None:
    first, second = (write_skeleton("en-fr", tmp_path / name) for name in ("one", "two"))
    assert first.canary.split()[-1] != second.canary.split()[-1]


def text_of(folder: Path) -> str:
    return "".join(path.read_text("utf-8") for path in sorted(folder.rglob("*.yaml")))


@pytest.mark.parametrize(
    ("langpair", "message"),
    [
        ("en", "'en' is not a language pair; write it like this: de-en"),
        ("english-french", "'english-french' is not a language pair; write it like this: en-fr"),
        ("en-xx", "no language has the code 'xx'; did you mean xh (Xhosa)?"),
        ("fr-fr", "fr-fr: both languages are the same; write it like this: en-fr"),
    ],
)
def test_a_pair_that_is_none_is_refused(langpair: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=re.escape(message)):
        write_skeleton(langpair, tmp_path / "my-suite")
    assert listing(tmp_path) == {}


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BadFile, match="the folder is not empty; choose another name, or add items: assay suite add"):
        write_skeleton("en-fr", tmp_path)
    assert listing(tmp_path) == {"notes.txt": b"mine"}


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "my-suite").mkdir()
    assert len(write_skeleton("en-fr", tmp_path / "my-suite")) == 2
