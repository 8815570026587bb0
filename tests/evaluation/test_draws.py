"""Who makes the draws of a test, and when: an executor before it is closed, otherwise this process when it has to."""

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

import pytest

from assay.evaluation.comparison import compare
from assay.evaluation.evaluation import evaluate
from assay.evaluation.settings import Choices, Test
from assay.evaluation.years import over_years
from assay.parallel import Progress
from assay.parallel.executor import InProcess
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
        self,
        function: Callable[[B], R],
        blocks: Iterable[B],
        *,
        progress: Progress | None = None,
        one_per_machine: bool = False,
    ) -> Generator[R, None, None]:
        assert not self.closed
        for block in blocks:
            self.blocks.append(getattr(function, "__name__", "draw"))
            yield function(block)


def choices(test: Test) -> Choices:
    return Choices(test=test, draws=DRAWS)


@pytest.mark.parametrize("test", DRAWN)
class TestEvaluate:
    def test_an_engine_draws_before_it_is_closed(self, test: Test) -> None:
        executor, told = Closing(), list[int]()
        found = evaluate(*suite_and_outputs(DRAWING), executor=executor, progress=told.append, **choices(test))
        executor.closed = True
        assert executor.blocks == ["judge_block", "draw", "draw", "draw"]
        assert told == [250, 250, 100]
        assert found.rows() == evaluate(*suite_and_outputs(DRAWING), **choices(test)).rows()
        assert sum(told) == DRAWS  # and nothing was drawn again

    def test_without_one_this_process_draws_when_a_row_is_asked_for(self, test: Test) -> None:
        told = list[int]()
        found = evaluate(*suite_and_outputs(DRAWING), progress=told.append, **choices(test))
        assert told == []
        found.rows()
        found.averages()
        assert told == [250, 250, 100]


def test_a_test_that_does_not_draw_waits_for_the_rows() -> None:
    executor = Closing()
    evaluate(*suite_and_outputs(DRAWING), executor=executor)
    assert executor.blocks == ["judge_block"]


@pytest.mark.parametrize("test", DRAWN)
class TestCompare:
    def test_an_engine_draws_once(self, test: Test) -> None:
        executor = Closing()
        found = compare(*suite_and_outputs(PAIR), executor=executor, **choices(test))
        executor.closed = True
        assert executor.blocks == ["judge_block", "draw", "draw", "draw"]
        assert found.changes("both") == compare(*suite_and_outputs(PAIR), **choices(test)).changes("both")

    def test_progress_is_told_of_every_draw_once(self, test: Test) -> None:
        told = list[int]()
        compare(*suite_and_outputs(PAIR), progress=told.append, **choices(test)).changes("both")
        assert sum(told) == DRAWS


@pytest.mark.parametrize("test", DRAWN)
class TestYears:
    def test_an_engine_draws_the_pairs_that_are_named(self, test: Test) -> None:
        executor, told = Closing(), list[int]()
        found = over_years(*suite_and_outputs(TWO), executor=executor, **choices(test))
        assert executor.blocks == ["judge_block", "draw", "draw", "draw"]  # for the clusters of all
        found.draw(found.consecutive(), executor=executor, progress=told.append)
        executor.closed = True
        assert sum(told) == DRAWS * 3  # Alpha, Beta, and the best of both campaigns
        expected = over_years(*suite_and_outputs(TWO), **choices(test))
        assert found.rows("both") == expected.rows("both")
        assert found.differences("21", "22") == expected.differences("21", "22")

    def test_no_pair_is_drawn_twice(self, test: Test) -> None:
        told = list[int]()
        found = over_years(*suite_and_outputs(TWO), **choices(test))
        for _ in range(2):
            found.draw(found.consecutive(), progress=told.append)
            found.rows()
        assert sum(told) == DRAWS * 3
