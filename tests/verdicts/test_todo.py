"""The to-do file: out to the linguist and back."""

from pathlib import Path

import pytest

from assay.errors import BadFile
from assay.outputs import System
from assay.tsv import TsvWriter, read_tsv
from assay.verdicts.judgements import Judgement
from assay.verdicts.queue import Task
from assay.verdicts.todo import FIELDS, read_todo, write_todo
from tests.suites.building import an_item

TASKS = [
    Task(an_item("f/a", "Ein\tSatz."), 'He said "no".', "no_match", (System("A"), System("B", "W1")), 1),
    Task(an_item("f/b"), "Two", "contradiction", (System("A"),), None),
]


def filled(file: Path, *verdicts: str, comment: str = "") -> None:
    """Fill in the column `verdict` as a linguist would."""
    rows = [dict(row) for _, row in read_tsv(file)]
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = TsvWriter(stream)
        writer.writerow(FIELDS)
        for row, verdict in zip(rows, verdicts, strict=True):
            writer.writerow((row | {"verdict": verdict, "comment": comment}).values())


def test_a_task_is_a_line_to_fill_in(tmp_path: Path) -> None:
    write_todo(TASKS, tmp_path / "todo.tsv")
    (_, first), (_, second) = read_tsv(tmp_path / "todo.tsv")
    assert first == {
        "item": "f/a",
        "category": "Ambiguity",
        "phenomenon": "Lexical ambiguity",
        "source": "Ein\tSatz.",
        "tests": "",
        "text": 'He said "no".',
        "reason": "no_match",
        "systems": "A, B (W1)",
        "left": "1",
        "verdict": "",
        "comment": "",
    }
    assert second["left"] == ""


@pytest.mark.parametrize(
    ("answer", "verdict"), [("pass", "pass"), ("p", "pass"), (" FAIL ", "fail"), ("f", "fail"), ("Pass", "pass")]
)
def test_what_was_filled_in_comes_back(tmp_path: Path, answer: str, verdict: str) -> None:
    write_todo(TASKS, tmp_path / "todo.tsv")
    filled(tmp_path / "todo.tsv", answer, "", comment=" sure ")
    found = list(read_todo(tmp_path / "todo.tsv", ["f/a", "f/b"]))
    assert found == [Judgement("f/a", 'He said "no".', verdict, comment="sure")]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("item\ttext\tverdict\nf/a\tone\tmaybe\n", ":2: the verdict 'maybe' is unknown"),
        ("item\ttext\tverdict\nf/z\tone\tpass\n", ":2: no item 'f/z' in the suite"),
        ("item\ttext\nf/a\tone\n", ":1: no column 'verdict'"),
        ("item\ttext\tverdict\nf/a\tone\tp\nf/a\tone\tf\n", ":3: this text of item 'f/a' was judged in line 2 too"),
        ("item\ttext\tverdict\nf/a\tone\n", ":2: 2 cells under 3 columns"),
    ],
)
def test_a_slip_is_named_by_line(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "todo.tsv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        list(read_todo(file, ["f/a"]))
    assert str(caught.value).startswith(f"{file}{problem}")


def test_the_same_text_in_two_spellings_cannot_be_judged_both_ways(tmp_path: Path) -> None:
    """They are one text for the rules: white space is folded."""
    file = tmp_path / "todo.tsv"
    file.write_text("item\ttext\tverdict\nf/a\tone  two\tpass\nf/a\tone two\tfail\n", encoding="utf-8")
    with pytest.raises(BadFile, match="judged in line 2 too"):
        list(read_todo(file, ["f/a"]))
