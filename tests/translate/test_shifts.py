"""Lines that were lost, added or mixed up are found without knowing the language."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.files import read_lines
from assay.translate.shifts import Shift, find_shifts, fits

CHANCE = Random(5)
SOURCES = [
    f"{CHANCE.choice(['Wer', 'Peter', 'Heute'])} {'sehr ' * CHANCE.randrange(12)}alt {CHANCE.choice('.?!')}"
    for _ in range(80)
]
LINES = [source.replace("sehr", "very").replace("alt", "old").replace("Wer", "Who") for source in SOURCES]


def test_lines_in_their_place() -> None:
    assert find_shifts(SOURCES, LINES) == []
    assert fits(SOURCES, LINES)


@pytest.mark.parametrize("place", [0, 10, 40, 70])
def test_a_lost_line(place: int) -> None:
    [shift] = find_shifts(SOURCES, LINES[:place] + LINES[place + 1 :])
    assert shift.offset == -1
    assert abs(shift.line - 1 - place) <= 5
    assert shift.line + shift.lines - 1 == len(SOURCES)


@pytest.mark.parametrize("place", [0, 10, 40, 70])
def test_an_added_line(place: int) -> None:
    [shift] = find_shifts(SOURCES, [*LINES[:place], "Note.", *LINES[place:]])
    assert shift.offset == 1
    assert abs(shift.line - 1 - place) <= 5


def test_a_line_that_was_moved_shifts_those_between() -> None:
    moved = LINES[:20] + LINES[21:60] + [LINES[20]] + LINES[60:]
    [shift] = find_shifts(SOURCES, moved)
    assert shift.offset == -1
    assert abs(shift.line - 21) <= 5
    assert abs(shift.line + shift.lines - 61) <= 5


def test_another_order_does_not_fit() -> None:
    shuffled = Random(1).sample(LINES, len(LINES))
    assert not fits(SOURCES, shuffled)
    assert not fits(SOURCES, sorted(LINES))


def test_too_few_lines_or_none_say_nothing() -> None:
    assert fits(SOURCES[:5], LINES[5:10])
    assert find_shifts(SOURCES, []) == find_shifts([], LINES) == []
    assert find_shifts(["Ja."], ["Yes."]) == []
    assert find_shifts(SOURCES, [""] * len(SOURCES)) == []


def test_a_file_without_its_head_or_its_tail() -> None:
    """Where the tail is missing nothing stands in a wrong place."""
    assert find_shifts(SOURCES, LINES[30:]) == [Shift(1, -30, 80)]
    assert find_shifts(SOURCES, LINES[:50]) == []
    assert fits(SOURCES, LINES[30:])
    assert fits(SOURCES, LINES[:50])


def test_lines_of_something_else_do_not_fit() -> None:
    assert not fits(SOURCES, [f"{number} {'x' * (number * 37 % 90)}" for number in range(300)])


@given(
    sources=st.lists(st.text(max_size=30), max_size=40),
    lines=st.lists(st.text(max_size=30), max_size=40),
)
def test_no_lines_break_it(sources: list[str], lines: list[str]) -> None:
    fits(sources, lines)
    assert all(1 <= shift.line <= len(sources) and shift.lines for shift in find_shifts(sources, lines))


def test_one_text_again_and_again_has_no_order() -> None:
    assert fits(SOURCES, ["No."] * 80)


def test_outputs_of_wmt_stand_in_their_place(data: Path) -> None:
    """No false alarm on a hundred lines of each system, and a lost line is found in each."""
    source = read_lines(data / "wmt21" / "sources" / "newstest2021.de-en.src.de")
    numbers = Random(2).sample(range(1000), 100)
    sources = [source[number] for number in numbers]
    for path in sorted((data / "wmt21" / "system-outputs").glob("newstest2021.de-en.hyp.*.en")):
        whole = read_lines(path)
        lines = [whole[number] for number in numbers]
        if len(set(lines)) < 50:  # it did not translate these lines
            continue
        assert find_shifts(sources, lines) == [], path.name
        assert fits(sources, lines), path.name
        assert not fits(sources, Random(3).sample(lines, len(lines))), path.name
        [shift] = find_shifts(sources, lines[:50] + lines[51:])
        assert abs(shift.line - 51) <= 8, path.name
