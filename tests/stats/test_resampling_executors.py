"""Draws by an executor: the same to the bit as by this process, and little travels."""

import pickle
import tracemalloc
from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeVar

import numpy as np
import pytest

from assay.parallel.executor import InProcess
from assay.parallel.processes import ProcessExecutor
from assay.stats.resampling import BLOCK, Layout, bootstrap, percentiles, randomization
from tests.stats.test_resampling import LARGE, UNEVEN, Case, Draw, layout_of, leading

B = TypeVar("B")
R = TypeVar("R")

DRAWS = 2 * BLOCK + 30


class Post(InProcess):
    """An executor to which everything has a way: what travels is what another process would get."""

    def __init__(self) -> None:
        self.function = 0
        self.blocks: list[int] = []
        self.results: list[int] = []
        self.closed = False

    def map(
        self, function: Callable[[B], R], blocks: Iterable[B], *, one_per_machine: bool = False
    ) -> Generator[R, None, None]:
        packed = pickle.dumps(function)
        self.function = len(packed)
        there: Callable[[Any], R] = pickle.loads(packed)
        try:
            for block in blocks:
                sent = pickle.dumps(block)
                answer = pickle.dumps(there(pickle.loads(sent)))
                self.blocks.append(len(sent))
                self.results.append(len(answer))
                yield pickle.loads(answer)
        finally:
            self.closed = True


def large_layout(items: int = 600, systems: int = 50) -> Layout:
    chance = np.random.default_rng(2)
    correct = chance.random((items, systems)) < np.linspace(0.4, 0.6, systems)
    return Layout(correct, np.ones_like(correct), np.arange(items) % 20, np.arange(20) % 4)


@pytest.mark.parametrize("draw", [bootstrap, randomization])
@pytest.mark.parametrize("case", [LARGE, UNEVEN["three systems"]], ids=["even", "uneven"])
def test_the_same_p_by_two_processes(draw: Draw, case: Case) -> None:
    layout, told = layout_of(case), list[int]()
    expected = draw(layout, leading(layout, 0), draws=DRAWS, seed=3)
    found = draw(
        layout, leading(layout, 0), draws=DRAWS, seed=3, executor=ProcessExecutor(jobs=2), progress=told.append
    )
    assert (found == expected).all()
    assert told == [BLOCK, BLOCK, 30]


@pytest.mark.parametrize("within", [True, False])
def test_the_same_percentiles_by_two_processes(within: bool) -> None:
    layout = layout_of(LARGE)
    layout.within = within
    expected = percentiles(layout, (2.5, 97.5), draws=DRAWS, seed=3)
    found = percentiles(layout, (2.5, 97.5), draws=DRAWS, seed=3, executor=ProcessExecutor(jobs=2))
    assert np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize("draw", [bootstrap, randomization])
def test_little_travels(draw: Draw) -> None:
    layout, post = large_layout(), Post()
    leaders = layout.observed >= layout.observed.max(axis=1, keepdims=True)
    found = draw(layout, leaders, draws=DRAWS, seed=3, executor=post)
    assert np.array_equal(found, draw(layout, leaders, draws=DRAWS, seed=3), equal_nan=True)
    assert post.closed
    # The layout is two bytes for each of 600 × 50 cells, not eight; a block is a size and a seed; what comes back is a
    # byte for each of 50 systems and each leader (27 rows, some with several), in part ties of small strata.
    assert post.function < 2 * 600 * 50 + 5_000
    assert max(post.blocks) < 1_000
    assert max(post.results) < 50 * leaders.sum() + 1_000


def test_counts_above_255_survive_the_way() -> None:
    counted = np.array([[300, 2], [70_000, 1], [1, 1]])
    layout = Layout(counted - 1, counted, np.array([0, 0, 1]), np.array([0, 0]))
    copy = pickle.loads(pickle.dumps(layout))
    assert (copy.counted == layout.counted).all()
    assert (copy.correct == layout.correct).all()
    assert (copy.observed == layout.observed).all()


@pytest.mark.parametrize("draw", [bootstrap, randomization])
def test_what_interrupts_a_run_closes_the_engine(draw: Draw) -> None:
    layout, post = layout_of(LARGE), Post()

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        draw(layout, leading(layout, 0), draws=DRAWS, seed=3, executor=post, progress=interrupt)
    assert post.closed
    assert len(post.blocks) == 1


@pytest.mark.parametrize("draw", [bootstrap, randomization])
def test_memory_does_not_grow_with_systems(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    # A block at once would take 250 draws × 27 rows × 1000 systems × 8 bytes = 54 MB, several times over.
    monkeypatch.setattr("assay.stats.resampling.CELLS", 2**17)
    layout = large_layout(systems=1000)
    leaders = layout.observed >= layout.observed.max(axis=1, keepdims=True)
    tracemalloc.start()
    draw(layout, leaders, draws=BLOCK, seed=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 35 * 2**20
