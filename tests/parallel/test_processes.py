"""Real processes: order, look-ahead, errors, workers and masters that die."""

import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing import active_children
from multiprocessing.connection import Connection
from pathlib import Path
from unittest.mock import patch

import pytest

from assay.errors import AssayError, BadFile, BadOption
from assay.parallel import open_executor
from assay.parallel.executor import AHEAD, RETRIES
from assay.parallel.processes import ProcessExecutor


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


def die_while_answering(place: int, number: int) -> int:
    """The answer to a block ends with its first byte, and so does the process."""
    if number == place:
        patch.object(Connection, "send_bytes", send_one_byte).start()
    return number


def send_one_byte(pipe: Connection, answer: bytes) -> None:
    os.write(pipe.fileno(), struct.pack("!i", len(answer)) + answer[:1])
    os._exit(4)


def count_and_fail(file: Path, kind: type[Exception], number: int) -> int:
    """Raise at the third block, and note that it was tried."""
    if number == 3:
        with file.open("a") as tries:
            tries.write("x")
        raise kind("not here")
    return number


def fail_once(marker: Path, number: int) -> int:
    if number == 3 and not marker.exists():
        marker.write_text("")
        raise MemoryError("out of memory")
    return number


def repeat(size: int) -> str:
    return "ä" * size


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    assert active_children() == []


@pytest.mark.parametrize("jobs", [1, 2, 3, None])
def test_results_come_in_the_order_of_the_blocks(jobs: int | None) -> None:
    assert list(ProcessExecutor(jobs).map(square, range(20))) == [number * number for number in range(20)]
    assert list(ProcessExecutor(jobs).map(slow_when_even, range(8))) == list(range(8))
    assert list(ProcessExecutor(jobs).map(square, [])) == []


def test_one_job_is_this_process_and_two_are_others() -> None:
    assert set(ProcessExecutor(1).map(where, range(4))) == {os.getpid()}
    others = set(ProcessExecutor(2).map(where, range(50)))
    assert len(others) <= 2
    assert os.getpid() not in others


def test_no_more_processes_than_blocks() -> None:
    results = ProcessExecutor(8).map(where, [1])
    next(results)
    assert len(active_children()) == 1
    assert list(results) == []


def test_blocks_and_results_larger_than_a_pipe() -> None:
    assert list(ProcessExecutor(2).map(len, ["ä" * 3_000_000] * 3)) == [3_000_000] * 3
    assert [len(text) for text in ProcessExecutor(2).map(repeat, [2_000_000] * 3)] == [2_000_000] * 3


def test_none_is_a_block_like_any_other() -> None:
    assert list(ProcessExecutor(2).map(type, [None, 1])) == [type(None), int]


@pytest.mark.parametrize("jobs", [1, 2])
def test_blocks_are_read_only_a_little_ahead(jobs: int) -> None:
    read = 0

    def blocks() -> Iterator[int]:
        nonlocal read
        while read < 1000:
            read += 1
            yield read

    for taken, _ in enumerate(ProcessExecutor(jobs).map(square, blocks()), start=1):
        assert read <= taken + AHEAD * jobs


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_raised_after_the_results_before_it(jobs: int) -> None:
    results = ProcessExecutor(jobs).map(partial(fail_at, 3), range(100))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(AssayError, match=r"^scores\.tsv:3: no score; write one$"):
        next(results)


def test_an_error_stops_what_has_not_been_started() -> None:
    def blocks() -> Iterator[int]:
        for number in range(1000):
            yield number
            assert number < 200, "read on after the error"

    with pytest.raises(AssayError):
        list(ProcessExecutor(2).map(partial(fail_at, 3), blocks()))


def test_a_bug_shows_where_it_was_in_the_worker() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        list(ProcessExecutor(2).map(divide, [1, 0]))
    assert "in divide" in caught.value.__notes__[0]


def test_an_error_in_the_blocks_themselves() -> None:
    def blocks() -> Iterator[int]:
        yield 1
        raise ValueError("cannot read on")

    with pytest.raises(ValueError, match="cannot read on"):
        list(ProcessExecutor(2).map(square, blocks()))


@pytest.mark.parametrize(
    ("function", "how"),
    [
        (partial(die_at, 5, signal.SIGKILL), "was killed by SIGKILL"),
        (partial(die_at, 0, signal.SIGTERM), "was killed by SIGTERM"),
        (partial(leave_at, 5), "ended with exit code 3"),
        (partial(die_while_answering, 5), "ended with exit code 4"),
    ],
)
def test_a_worker_that_dies_is_an_error_and_no_wait(function: "partial[int]", how: str) -> None:
    with pytest.raises(AssayError, match=rf"^a worker process {how}.*fewer jobs"):
        list(ProcessExecutor(2).map(function, range(20)))


def test_what_came_before_a_death_is_handed_out() -> None:
    got: list[int] = []
    with pytest.raises(AssayError):
        got.extend(ProcessExecutor(2).map(partial(die_at, 5, signal.SIGKILL), range(20)))
    assert got == [0, 1, 2, 3, 4]


def test_an_iterator_that_is_dropped_ends_its_workers() -> None:
    results = ProcessExecutor(2).map(slow_when_even, range(1000))
    next(results)
    assert len(active_children()) == 2
    del results


def die_once(marker: Path, number: int) -> int:
    """The first process that gets the third block dies of it."""
    if number == 3 and not marker.exists():
        marker.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_the_block_of_a_worker_that_died_is_done_by_another(tmp_path: Path) -> None:
    told: list[str] = []
    with open_executor("local", jobs=2, tell=told.append) as executor:
        assert list(executor.map(partial(die_once, tmp_path / "died"), range(40))) == list(range(40))
    assert told == ["a worker process was killed by SIGKILL; another does its block 4 again"]


def test_a_block_that_kills_every_worker_is_given_up() -> None:
    told: list[str] = []
    with open_executor("local", jobs=2, tell=told.append) as executor:
        results = executor.map(partial(die_at, 5, signal.SIGKILL), range(20))
        assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(AssayError, match="was killed by SIGKILL"):
            next(results)
    assert told == ["a worker process was killed by SIGKILL; another does its block 6 again"] * RETRIES


def test_a_block_that_raises_in_one_process_is_done_by_another(tmp_path: Path) -> None:
    told: list[str] = []
    with open_executor("local", jobs=2, tell=told.append) as executor:
        assert list(executor.map(partial(fail_once, tmp_path / "failed"), range(20))) == list(range(20))
    assert told == ["block 4 raised in a worker process (MemoryError: out of memory); another has done it"]


@pytest.mark.parametrize(("kind", "tries"), [(OSError, 1 + RETRIES), (AssayError, 1)])
def test_only_what_may_be_due_to_the_process_is_tried_again(kind: type[Exception], tries: int, tmp_path: Path) -> None:
    told: list[str] = []
    with open_executor("local", jobs=2, tell=told.append) as executor, pytest.raises(kind, match="not here"):
        list(executor.map(partial(count_and_fail, tmp_path / "tries", kind), range(20)))
    assert (tmp_path / "tries").read_text() == "x" * tries
    assert told == []


def test_an_executor_serves_one_map_after_another_and_two_at_once() -> None:
    with open_executor("local", jobs=2) as executor:
        abandoned = executor.map(slow_when_even, range(1000))
        next(abandoned)
        pairs = zip(executor.map(square, range(20)), executor.map(slow_when_even, range(20)), strict=True)
        assert list(pairs) == [(number * number, number) for number in range(20)]
        abandoned.close()
        assert list(executor.map(square, range(5))) == [0, 1, 4, 9, 16]


@pytest.mark.parametrize("jobs", [0, -1])
def test_no_jobs(jobs: int) -> None:
    with pytest.raises(BadOption, match="at least 1"):
        ProcessExecutor(jobs)


MASTER = r"""
import os, sys, time
from assay.parallel.processes import ProcessExecutor

def sleep(seconds):
    os.write(1, b"%d\n" % os.getpid())  # in one go, whoever else writes
    time.sleep(seconds)
    return seconds

def main():
    for _ in ProcessExecutor(2).map(sleep, [0.1, 0.1] + [{seconds}] * 8):
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
        assert how == signal.SIGINT or errors == ""
    end = time.monotonic() + 30
    while any(is_running(worker) for worker in workers):
        assert time.monotonic() < end, "a worker is still running"
        time.sleep(0.05)


def breaks_off(at: int) -> Iterator[int]:
    yield from range(at)
    raise ValueError("the blocks cannot be read")


@pytest.mark.parametrize("jobs", [1, 2])
def test_blocks_that_cannot_be_read(jobs: int) -> None:
    results = ProcessExecutor(jobs).map(square, breaks_off(5))
    assert [next(results) for _ in range(5)] == [0, 1, 4, 9, 16]
    with pytest.raises(ValueError, match="cannot be read"):
        next(results)
