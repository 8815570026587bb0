"""Who makes the draws of a test, and when: an executor or this process, before there is a result."""

from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import pytest

from assay.evaluation.comparison import compare
from assay.evaluation.evaluation import evaluate
from assay.evaluation.settings import Choices, Test
from assay.evaluation.years import over_years
from assay.parallel.executor import InProcess
from assay.progress import Progress
from tests.evaluation.tables import Drawing, suite_and_outputs
from tests.evaluation.test_years import TWO

B = TypeVar("B")
R = TypeVar("R")

DRAWING: Drawing = {
    "Ambiguity/Word": {"A": "PPPPPPFP", "B": "PFPFPPFF", "C": "FFPPFPFP"},
    "MWE/Idiom": {"A": "PPFF", "B": "PFPP", "C": "FPFF"},
}
PAIR: Drawing = {
    name: {system: marks for system, marks in row.items() if system != "C"} for name, row in DRAWING.items()
}

DRAWS = 600
"""Three blocks."""

DRAWN: list[Test] = ["bootstrap", "randomization", "mcnemar"]


class Closing(InProcess):
    """An executor that counts blocks by the function that they are for, and does nothing once it is closed."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.closed = False

    def map(
        self, function: Callable[[B], R], blocks: Iterable[B], *, one_per_machine: bool = False
    ) -> Generator[R, None, None]:
        assert not self.closed
        for block in blocks:
            self.blocks.append(getattr(function, "__name__", "draw"))
            yield function(block)


class Bars:
    """Progress bars that write down what they are told."""

    def __init__(self) -> None:
        self.opened: list[tuple[str, int]] = []
        self.told: list[int] = []

    def open(self, label: str, length: int) -> AbstractContextManager[Progress | None]:
        self.opened.append((label, length))
        return nullcontext(self.told.append)


def choices(test: Test) -> Choices:
    return Choices(test=test, draws=DRAWS)


@pytest.mark.parametrize("test", DRAWN)
class TestEvaluate:
    def test_an_executor_draws_before_it_is_closed(self, test: Test) -> None:
        executor, told = Closing(), list[int]()
        found = evaluate(*suite_and_outputs(DRAWING), executor=executor, progress=told.append, **choices(test))
        executor.closed = True
        assert executor.blocks == ["judge_block", "draw", "draw", "draw"]
        assert told == [250, 250, 100]
        assert found.rows() == evaluate(*suite_and_outputs(DRAWING), **choices(test)).rows()
        assert sum(told) == DRAWS  # and nothing was drawn again

    def test_without_one_this_process_draws_at_once(self, test: Test) -> None:
        told = list[int]()
        found = evaluate(*suite_and_outputs(DRAWING), progress=told.append, **choices(test))
        assert told == [250, 250, 100]
        found.rows()
        found.averages()
        assert sum(told) == DRAWS


def test_a_test_that_does_not_draw_needs_no_blocks() -> None:
    executor = Closing()
    evaluate(*suite_and_outputs(DRAWING), executor=executor)
    assert executor.blocks == ["judge_block"]


@pytest.mark.parametrize("test", DRAWN)
class TestCompare:
    def test_an_executor_draws_once(self, test: Test) -> None:
        executor = Closing()
        found = compare(*suite_and_outputs(PAIR), executor=executor, **choices(test))
        executor.closed = True
        assert executor.blocks == ["judge_block", "draw", "draw", "draw"]
        assert found.changes("both") == compare(*suite_and_outputs(PAIR), **choices(test)).changes("both")

    def test_progress_is_told_of_every_draw_once(self, test: Test) -> None:
        told = list[int]()
        found = compare(*suite_and_outputs(PAIR), progress=told.append, **choices(test))
        assert sum(told) == DRAWS
        found.changes("both")
        assert sum(told) == DRAWS


@pytest.mark.parametrize("test", DRAWN)
class TestYears:
    def test_an_executor_draws_the_pairs_that_are_shown(self, test: Test) -> None:
        executor, bars = Closing(), Bars()
        found = over_years(*suite_and_outputs(TWO), executor=executor, open_progress=bars.open, **choices(test))
        executor.closed = True
        # Three blocks for the clusters of all; then Alpha, Beta, and the best of both campaigns
        assert executor.blocks == ["judge_block", *["draw"] * 3 * (1 + 3)]
        assert bars.opened == [("drawing", DRAWS * 3)]
        assert sum(bars.told) == DRAWS * 3
        expected = over_years(*suite_and_outputs(TWO), **choices(test))
        assert found.rows("both") == expected.rows("both")
        assert found.differences("21", "22") == expected.differences("21", "22")

    def test_no_pair_is_drawn_that_is_not_shown(self, test: Test) -> None:
        bars = Bars()
        data = suite_and_outputs(TWO)
        found = over_years(*data, rows=False, diff=("21", "22"), open_progress=bars.open, **choices(test))
        assert sum(bars.told) == DRAWS * 2  # Alpha and Beta
        assert found.differences("21", "22") == over_years(*data, **choices(test)).differences("21", "22")

    def test_what_was_not_announced_is_the_same(self, test: Test) -> None:
        found = over_years(*suite_and_outputs(TWO), rows=False, **choices(test))
        expected = over_years(*suite_and_outputs(TWO), **choices(test))
        assert found.rows() == expected.rows()
