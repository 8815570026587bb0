"""Real processes: order, look-ahead, errors, workers and masters that die."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest

from assay.engine import map_blocks, open_engine
from assay.engine.local import AHEAD
from assay.model import AssayError, BadFile, BadOption


def square(number: int) -> int:
    return number * number


def slow_when_even(number: int) -> int:
    time.sleep(0.02 if number % 2 == 0 else 0)
    return number


def where(_: int) -> int:
    return os.getpid()


def fail_at(place: int, number: int) -> int:
    if number == place:
        raise BadFile("scores.tsv", "no score", line=number, cure="write one")
    return number


def divide(number: int) -> float:
    return 1 / number


def die_at(place: int, how: int, number: int) -> int:
    if number == place:
        os.kill(os.getpid(), how)
    return number


def leave_at(place: int, number: int) -> int:
    if number == place:
        os._exit(3)
    return number


def repeat(size: int) -> str:
    return "ä" * size


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    assert active_children() == []


@pytest.mark.parametrize("jobs", [1, 2, 3, None])
def test_results_come_in_the_order_of_the_blocks(jobs: int | None) -> None:
    assert list(map_blocks(square, range(20), jobs=jobs)) == [number * number for number in range(20)]
    assert list(map_blocks(slow_when_even, range(8), jobs=jobs)) == list(range(8))
    assert list(map_blocks(square, [], jobs=jobs)) == []


def test_one_job_is_this_process_and_two_are_others() -> None:
    assert set(map_blocks(where, range(4), jobs=1)) == {os.getpid()}
    others = set(map_blocks(where, range(50), jobs=2))
    assert len(others) <= 2
    assert os.getpid() not in others


def test_no_more_processes_than_blocks() -> None:
    results = map_blocks(where, [1], jobs=8)
    next(results)
    assert len(active_children()) == 1
    assert list(results) == []


def test_blocks_and_results_larger_than_a_pipe() -> None:
    assert list(map_blocks(len, ["ä" * 3_000_000] * 3, jobs=2)) == [3_000_000] * 3
    assert [len(text) for text in map_blocks(repeat, [2_000_000] * 3, jobs=2)] == [2_000_000] * 3


def test_none_is_a_block_like_any_other() -> None:
    assert list(map_blocks(type, [None, 1], jobs=2)) == [type(None), int]


@pytest.mark.parametrize("jobs", [1, 2])
def test_blocks_are_read_only_a_little_ahead(jobs: int) -> None:
    read = 0

    def blocks() -> Iterator[int]:
        nonlocal read
        while read < 1000:
            read += 1
            yield read

    for taken, _ in enumerate(map_blocks(square, blocks(), jobs=jobs), start=1):
        assert read <= taken + AHEAD * jobs


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_raised_after_the_results_before_it(jobs: int) -> None:
    results = map_blocks(partial(fail_at, 3), range(100), jobs=jobs)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(AssayError, match=r"^scores\.tsv:3: no score; write one$"):
        next(results)


def test_an_error_stops_what_has_not_been_started() -> None:
    def blocks() -> Iterator[int]:
        for number in range(1000):
            yield number
            assert number < 200, "read on after the error"

    with pytest.raises(AssayError):
        list(map_blocks(partial(fail_at, 3), blocks(), jobs=2))


def test_a_bug_shows_where_it_was_in_the_worker() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        list(map_blocks(divide, [1, 0], jobs=2))
    assert "in divide" in caught.value.__notes__[0]


def test_an_error_in_the_blocks_themselves() -> None:
    def blocks() -> Iterator[int]:
        yield 1
        raise ValueError("cannot read on")

    with pytest.raises(ValueError, match="cannot read on"):
        list(map_blocks(square, blocks(), jobs=2))


@pytest.mark.parametrize(
    ("function", "how"),
    [
        (partial(die_at, 5, signal.SIGKILL), "was killed by SIGKILL"),
        (partial(die_at, 0, signal.SIGTERM), "was killed by SIGTERM"),
        (partial(leave_at, 5), "ended with exit code 3"),
    ],
)
def test_a_worker_that_dies_is_an_error_and_no_wait(function: "partial[int]", how: str) -> None:
    with pytest.raises(AssayError, match=rf"^a worker process {how}.*fewer jobs"):
        list(map_blocks(function, range(20), jobs=2))


def test_what_came_before_a_death_is_handed_out() -> None:
    got: list[int] = []
    with pytest.raises(AssayError):
        got.extend(map_blocks(partial(die_at, 5, signal.SIGKILL), range(20), jobs=2))
    assert got == [0, 1, 2, 3, 4]


def test_an_iterator_that_is_dropped_ends_its_workers() -> None:
    results = map_blocks(slow_when_even, range(1000), jobs=2)
    next(results)
    assert len(active_children()) == 2
    del results


def die_once(marker: Path, number: int) -> int:
    """The first process that gets the third block dies of it."""
    if number == 3 and not marker.exists():
        marker.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_an_engine_gives_the_block_of_a_worker_that_died_to_another(tmp_path: Path) -> None:
    told: list[str] = []
    steps: list[int] = []
    with open_engine("local", jobs=2, tell=told.append) as engine:
        results = engine.map(partial(die_once, tmp_path / "died"), range(40), progress=steps.append)
        assert list(results) == list(range(40))
    assert told == ["a worker process was killed by SIGKILL; another does its block 4 again"]
    assert steps == [1] * 40


def test_an_engine_gives_up_a_block_that_kills_every_worker() -> None:
    told: list[str] = []
    with open_engine("local", jobs=2, tell=told.append) as engine:
        results = engine.map(partial(die_at, 5, signal.SIGKILL), range(20))
        assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(AssayError, match="was killed by SIGKILL"):
            next(results)
    assert len(told) == 2


@pytest.mark.parametrize("jobs", [0, -1])
def test_no_jobs(jobs: int) -> None:
    with pytest.raises(BadOption, match="at least 1"):
        map_blocks(square, [1], jobs=jobs)


MASTER = r"""
import os, sys, time
from assay.engine import map_blocks

def sleep(seconds):
    os.write(1, b"%d\n" % os.getpid())  # in one go, whoever else writes
    time.sleep(seconds)
    return seconds

def main():
    for _ in map_blocks(sleep, [0.1, 0.1] + [{seconds}] * 8, jobs=2):
        pass

if __name__ == "__main__":
    main()
"""


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
@pytest.mark.parametrize(("how", "seconds"), [(signal.SIGINT, 60), (signal.SIGKILL, 0.3)])
def test_a_master_that_is_stopped_leaves_no_worker(how: signal.Signals, seconds: float, tmp_path: Path) -> None:
    """Ctrl-C ends workers at once; those of a master that was killed end with the block that they are at."""
    script = tmp_path / "master.py"
    script.write_text(MASTER.format(seconds=seconds))
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as master:
        assert master.stdout
        workers = {int(master.stdout.readline()) for _ in range(4)}
        assert all(is_running(worker) for worker in workers)
        master.send_signal(how)
        _, errors = master.communicate(timeout=30)
        assert ("KeyboardInterrupt" in errors) == (how == signal.SIGINT)
    end = time.monotonic() + 30
    while any(is_running(worker) for worker in workers):
        assert time.monotonic() < end, "a worker is still running"
        time.sleep(0.05)
