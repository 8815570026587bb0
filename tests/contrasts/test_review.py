"""Sheets for readers: drawn blind, filled in, and read back."""

from dataclasses import replace
from pathlib import Path

import pytest

from assay.contrasts.files.renderings import RenderedKeyword
from assay.contrasts.review import agreement, draw, read_sheet, reviewed, write_sheet
from assay.errors import BadFile, BadOption, UnknownName

LINES = [
    RenderedKeyword("gerund", f"{number}:1", system, "system", rendering, "", ">>Reading<<", f">>čte{number}{system}<<")
    for number in range(10)
    for system, rendering in (("A", "noun"), ("B", "finite clause"))
]


def sheet(tmp_path: Path, *, number: int = 6, fill: str = "y\ty\tn\t") -> Path:
    path = tmp_path / "sheet.tsv"
    write_sheet(LINES, draw(LINES, number=number), path)
    path.write_text(path.read_text("utf-8").replace("\t\t\t\t\n", f"\t{fill}\n"), "utf-8")
    return path


def test_the_sheet_does_not_say_whose_it_is(tmp_path: Path) -> None:
    head, *rows = sheet(tmp_path).read_text("utf-8").splitlines()
    assert "system" not in head
    assert len(rows) == 6


def test_the_same_seed_draws_the_same() -> None:
    assert draw(LINES, number=5, seed=3) == draw(LINES, number=5, seed=3)
    assert all(LINES[place - 1].rendering == "noun" for place in draw(LINES, number=5, rendering="noun"))


def test_what_cannot_be_drawn_is_an_error() -> None:
    with pytest.raises(BadOption, match="there are 20 known renderings"):
        draw(LINES, number=21)
    with pytest.raises(UnknownName, match="no rendering 'nuon'"):
        draw(LINES, number=1, rendering="nuon")


def test_answers_come_back_as_shares(tmp_path: Path) -> None:
    rows = reviewed(LINES, [read_sheet(sheet(tmp_path), LINES)])
    assert (rows[0].name, rows[0].read) == ("gerund", 6)
    assert (rows[0].keyword.value, rows[0].fault.value) == (1.0, 0.0)
    assert sum(row.read for row in rows[1:]) == 6


def test_of_two_readers_both_must_say_yes_and_a_line_counts_once(tmp_path: Path) -> None:
    first = read_sheet(sheet(tmp_path), LINES)
    second = read_sheet(sheet(tmp_path, fill="n\ty\tn\t"), LINES)
    (row, *_) = reviewed(LINES, [first, second])
    assert (row.read, row.keyword.value, row.word.value) == (6, 0.0, 1.0)
    found = {question: (both, equal.value, kappa) for question, both, equal, kappa in agreement([first, second])}
    assert found["keyword"] == (6, 0.0, 0.0)
    assert found["word"] == (6, 1.0, None)


def test_a_sheet_of_another_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="not a line of this run"):
        read_sheet(sheet(tmp_path), LINES[:3])


def test_an_answer_that_is_none_names_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r":2: 'maybe' under keyword"):
        read_sheet(sheet(tmp_path, fill="maybe\t\t\t"), LINES)
    with pytest.raises(BadFile, match="no line is answered"):
        read_sheet(sheet(tmp_path, fill="\t\t\t"), LINES)


def test_only_faults_are_drawn_and_counted_apart(tmp_path: Path) -> None:
    lines = [replace(line, fault="bare" if line.rendering == "noun" and line.keyword < "4" else "") for line in LINES]
    numbers = draw(lines, number=3, fault="bare")
    assert all(lines[number - 1].fault == "bare" for number in numbers)
    with pytest.raises(BadOption, match="there are 4 known renderings"):
        draw(lines, number=5, fault="bare")
    answers = {number: {"fault": place > 0} for place, number in enumerate(numbers)}
    row = next(row for row in reviewed(lines, [answers]) if row.name == "gerund, bare")
    assert (row.read, row.fault.good) == (3, 2)
