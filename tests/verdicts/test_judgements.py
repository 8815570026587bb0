"""Judgements in a native suite: beside the hand-written files, which stay as they are."""

from pathlib import Path

import pytest

from assay.errors import BadOption, BadSuite
from assay.suites import load_suite
from assay.verdicts.judge import RuleJudge
from assay.verdicts.judgements import Judgement
from assay.verdicts.judgements_file import write_judged
from assay.verdicts.verdict import Verdict

MANIFEST = "name: tools\nlangpair: de-en\ncategories:\n  Ambiguity:\n    Word: A word.\n"
ITEMS = r"""category: Ambiguity
phenomenon: Word
items:
  # the bird or the machine
  - id: kran
    source: Der Kran steht still.
    pass: ['\bcrane\b']
    fail:
      - '\btap\b'
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    suite = tmp_path / "tools"
    suite.mkdir()
    (suite / "suite.yaml").write_text(MANIFEST, encoding="utf-8")
    (suite / "word.yaml").write_text(ITEMS, encoding="utf-8")
    return suite


def judged(verdict: str, text: str = "The hoist is idle.", by: str = "Anna") -> Judgement:
    return Judgement("word/kran", text, verdict, by, "2026-11-15", "fine")  # type: ignore[arg-type]


def verdict(folder: Path, text: str) -> Verdict:
    suite = load_suite(folder)
    return RuleJudge(suite).judge(suite.items[0], text).verdict


def test_a_judgement_decides_its_text_and_leaves_the_other_files_alone(folder: Path, tmp_path: Path) -> None:
    assert verdict(folder, "The hoist is idle.") == Verdict.WARNING
    replaced = write_judged(load_suite(folder), folder, tmp_path / "new", [judged("pass")], force=False)
    assert replaced == 0
    assert verdict(tmp_path / "new", "The hoist is idle.") == Verdict.PASS
    assert (tmp_path / "new" / "word.yaml").read_text("utf-8") == ITEMS
    assert not (folder / "judgements.yaml").exists()


def test_in_its_own_folder_only_judgements_are_written(folder: Path) -> None:
    write_judged(load_suite(folder), folder, folder, [judged("fail")], force=False)
    assert verdict(folder, "The hoist is idle.") == Verdict.FAIL
    assert sorted(path.name for path in folder.iterdir()) == ["judgements.yaml", "suite.yaml", "word.yaml"]
    rule = load_suite(folder).items[0].rules[-1]
    assert (rule.by, rule.on, rule.note) == ("Anna", "2026-11-15", "fine")


def test_a_later_judgement_takes_the_place_of_a_contrary_one(folder: Path) -> None:
    write_judged(load_suite(folder), folder, folder, [judged("fail")], force=False)
    assert write_judged(load_suite(folder), folder, folder, [judged("pass", by="Ben")], force=False) == 1
    assert verdict(folder, "The hoist is idle.") == Verdict.PASS
    assert len(load_suite(folder).items[0].rules) == 3


def test_a_contrary_judgement_in_the_items_own_file_is_named(folder: Path) -> None:
    own = ITEMS + "      - {exact: 'The hoist is idle.', by: Eva}\n"
    (folder / "word.yaml").write_text(own, encoding="utf-8")
    with pytest.raises(BadOption, match=r"Eva judged 'The hoist is idle\.' as fail in the item's own file"):
        write_judged(load_suite(folder), folder, folder, [judged("pass")], force=False)


def test_a_judgement_of_an_item_that_is_not_there_is_named_with_its_line(folder: Path) -> None:
    (folder / "judgements.yaml").write_text("- item: word/kran\n- item: word/hahn\n", encoding="utf-8")
    with pytest.raises(BadSuite, match=r"judgements\.yaml:2: no item 'word/hahn'"):
        load_suite(folder)
