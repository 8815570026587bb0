"""A real Dask scheduler and real workers: order, faults of all kinds, and what is refused before the start."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")

from assay.errors import AssayError, BadFile, BadOption, MissingExtra
from assay.parallel import BadCluster, Misfit, open_executor
from assay.parallel.executor import AHEAD
from assay.parallel.processes import ProcessExecutor
from tests.parallel.clusters import Cluster, Line
from tests.parallel.test_cancel import wait_for, wait_until_cancelled
from tests.parallel.test_processes import breaks_off, die_at, die_once, divide, fail_at, slow_when_even, square, where


def raise_in(process: int, number: int) -> int:
    if os.getpid() == process:
        raise ValueError("not on this machine")
    return number


OTHER = "import assay\nassay.__version__ = '0.0.1'\n"
NONE = "import sys\nsys.modules['assay'] = None\n"


def where_slow(_: int) -> int:
    time.sleep(0.02)
    return os.getpid()


def take_until(results: Iterator[int], condition: Callable[[int], bool]) -> Iterator[int]:
    for result in results:
        yield result
        if condition(result):
            return


class Weights:
    """A function of some size, which notes in a file when a process makes it."""

    def __init__(self, file: Path, size: int) -> None:
        self.file = file
        self.weights = bytes(size)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state
        with self.file.open("a") as made:
            made.write(f"{os.getpid()}\n")

    def __call__(self, number: int) -> int:
        return number + len(self.weights)


def hold(folder: Path, process: int, number: int) -> int:
    """This process works until it is ended; others wait for it to begin."""
    if os.getpid() == process:
        (folder / "held").write_text("")
        wait_until_cancelled()
    wait_for(folder, "held", 1)
    return number


def kill(process: int, number: int) -> int:
    if number == 3:
        os.kill(process, signal.SIGKILL)
        threading.Event().wait(60)
    return number


@pytest.fixture
def executor(cluster: Cluster, told: list[str]) -> Iterator[Any]:
    with open_executor(f"dask:{cluster.address}", tell=told.append) as opened:
        yield opened


def test_results_come_in_the_order_of_the_blocks(executor: Any, told: list[str]) -> None:
    assert list(executor.map(slow_when_even, range(20))) == list(range(20))
    assert list(executor.map(square, range(50))) == list(ProcessExecutor(2).map(square, range(50)))
    assert list(executor.map(square, [])) == []
    assert told == []


def test_the_work_is_done_by_the_workers(executor: Any, cluster: Cluster) -> None:
    assert set(executor.map(where, range(50))) <= {worker.pid for worker in cluster.workers}


def test_blocks_are_read_only_a_little_ahead(executor: Any) -> None:
    read = 0

    def blocks() -> Iterator[int]:
        nonlocal read
        while read < 100:
            read += 1
            yield read

    for taken, _ in enumerate(executor.map(square, blocks()), start=1):
        assert read <= taken + AHEAD * 2


def test_a_function_travels_once_to_a_worker(executor: Any, cluster: Cluster, tmp_path: Path) -> None:
    """Larger than what Dask warns of; the second map uses what the first has brought."""
    size = 11 << 20
    for _ in range(2):
        results = executor.map(Weights(tmp_path / "made", size), range(20))
        assert list(results) == [number + size for number in range(20)]
    made = (tmp_path / "made").read_text().splitlines()
    assert len(made) == len(set(made))
    assert {int(process) for process in made} <= {worker.pid for worker in cluster.workers}


def test_an_executor_serves_one_map_after_another_and_two_at_once(executor: Any, cluster: Cluster) -> None:
    abandoned = executor.map(slow_when_even, range(1000))
    next(abandoned)
    pairs = zip(executor.map(square, range(20)), executor.map(slow_when_even, range(20)), strict=True)
    assert list(pairs) == [(number * number, number) for number in range(20)]
    abandoned.close()
    assert list(executor.map(square, range(5))) == [0, 1, 4, 9, 16]
    cluster.until(lambda client: not any(client.processing().values()))


def test_an_error_in_the_blocks_themselves(executor: Any, cluster: Cluster) -> None:
    def blocks() -> Iterator[int]:
        yield from range(5)
        raise ValueError("cannot read on")

    with pytest.raises(ValueError, match="cannot read on"):
        list(executor.map(square, blocks()))
    cluster.until(lambda client: not any(client.processing().values()))


def test_what_others_say_on_the_cluster_does_not_matter(executor: Any, cluster: Cluster, told: list[str]) -> None:
    cluster.until(lambda client: client.log_event("all", "good morning") is None)
    assert list(executor.map(slow_when_even, range(8))) == list(range(8))
    assert told == []


def test_a_block_goes_where_its_resources_are(cluster: Cluster) -> None:
    with open_executor(f"dask:{cluster.address}", resources={"GPU": 1}) as executor:
        assert set(executor.map(where, range(10))) == {cluster.workers[1].pid}
        with pytest.raises(ZeroDivisionError):  # the other worker is not tried
            list(executor.map(divide, [1, 0]))


def test_nobody_offers_the_resources(cluster: Cluster, told: list[str]) -> None:
    with pytest.raises(
        BadCluster,
        match=r"no worker that offers GPU=2 came in 0\.2 s; start some .*--resources 'GPU=2'.*--wait",
    ):
        open_executor(f"dask:{cluster.address}", resources={"GPU": 2}, wait=0.2, tell=told.append)
    assert told == [f"{cluster.address}: no worker offers GPU=2; waiting 0.2 s for one"]


def test_an_error_is_raised_after_the_results_before_it(executor: Any) -> None:
    results = executor.map(partial(fail_at, 3), range(100))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(AssayError, match=r"^scores\.tsv:3: no score; write one$") as caught:
        next(results)
    assert isinstance(caught.value, BadFile)
    assert caught.value.exit_code == 2


def test_a_bug_shows_where_it_was_in_the_worker(executor: Any) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        list(executor.map(divide, [1, 0]))
    assert "in divide" in caught.value.__notes__[0]


def test_a_block_that_raises_on_one_worker_is_done_by_another(executor: Any, cluster: Cluster, told: list[str]) -> None:
    process = cluster.workers[0].pid
    assert list(executor.map(partial(raise_in, process), range(8))) == list(range(8))
    assert told
    assert all("ValueError: not on this machine" in line and "has done it" in line for line in told)


def test_a_worker_that_is_killed_at_work_and_a_scheduler_that_is(tmp_path: Path, told: list[str]) -> None:
    with Cluster(tmp_path) as cluster:
        for _ in range(2):
            cluster.start_worker()
        cluster.wait_for(2)
        with open_executor(f"dask:{cluster.address}", tell=told.append) as executor:
            assert list(executor.map(partial(die_once, tmp_path / "died"), range(20))) == list(range(20))
            (line,) = told
            assert line.startswith("the worker at tcp://127.0.0.1:")
            assert line.endswith("is gone; others do its blocks again")
            results = executor.map(partial(kill, cluster.scheduler.pid), range(20))
            with pytest.raises(BadCluster, match=rf"^{cluster.address}: the scheduler is gone; start it") as caught:
                list(results)
    assert caught.value.exit_code == 3


def test_a_worker_of_another_version_is_refused(cluster: Cluster) -> None:
    message = r"the worker has assay 0\.0\.1 instead of .*; install the same"
    with cluster.another_worker(OTHER), pytest.raises(BadCluster, match=message) as caught:
        open_executor(f"dask:{cluster.address}")
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    ("first", "problem"),
    [(OTHER, "the worker has assay 0.0.1 instead of"), (NONE, "the worker cannot start Assay (ModuleNotFoundError")],
)
def test_a_worker_that_does_not_fit_and_comes_late_gets_no_blocks(
    executor: Any, cluster: Cluster, told: list[str], *, first: str, problem: str
) -> None:
    with cluster.another_worker(first) as other:
        assert other.pid not in set(take_until(executor.map(where_slow, range(3000)), lambda _: bool(told)))
        assert other.pid not in set(executor.map(where_slow, range(30)))
    (line,) = told
    assert problem in line
    assert line.endswith("; install the same versions on all machines; it gets no blocks")


def unfit(pids: list[int], number: int) -> int:
    time.sleep(0.02)
    if os.getpid() in pids:
        raise Misfit("the model is another one", "copy it")
    return number


def test_a_worker_that_lacks_what_a_block_needs_gets_no_more(executor: Any, cluster: Cluster, told: list[str]) -> None:
    with cluster.another_worker() as other:
        assert list(executor.map(partial(unfit, [other.pid]), range(40))) == list(range(40))
        assert list(executor.map(partial(unfit, [other.pid]), range(10))) == list(range(10))
    (line,) = told
    assert line.startswith("tcp://127.0.0.1:")
    assert line.endswith(": the model is another one; copy it; it gets no blocks")


def test_no_worker_has_what_a_block_needs(executor: Any, cluster: Cluster, told: list[str]) -> None:
    workers = [worker.pid for worker in cluster.workers]
    with pytest.raises(BadCluster, match=r"^tcp://127\.0\.0\.1:\d+: the model is another one; copy it$"):
        list(executor.map(partial(unfit, workers), range(10)))
    assert told == []


def test_blocks_that_cannot_be_read(executor: Any) -> None:
    results = executor.map(square, breaks_off(5))
    assert [next(results) for _ in range(5)] == [0, 1, 4, 9, 16]
    with pytest.raises(ValueError, match="cannot be read"):
        next(results)


def leave(number: int) -> int:
    sys.exit(number)


def test_a_block_that_wants_to_end_its_worker(executor: Any, cluster: Cluster, told: list[str]) -> None:
    with pytest.raises(RuntimeError, match=r"a block raised SystemExit\(4\)"):
        list(executor.map(leave, [4]))
    assert told == []
    cluster.wait_for(2)


@pytest.mark.parametrize(
    ("protocol", "problem"),
    [("tcp", "no scheduler answers there; start one"), ("tls", "cannot be reached")],
)
def test_something_else_answers_at_the_address(protocol: str, problem: str) -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"{protocol}://127.0.0.1:{server.server_port}"
        with pytest.raises(BadCluster, match=rf"^{address}: {problem}"):
            open_executor(f"dask:{address}", wait=0.5)
        server.shutdown()


def test_a_worker_that_comes_late_works_too(executor: Any, cluster: Cluster, told: list[str]) -> None:
    results = executor.map(where_slow, range(3000))
    next(results)
    with cluster.another_worker() as other:
        assert list(take_until(results, other.pid.__eq__))[-1] == other.pid
        results.close()
    assert told == []


def test_a_worker_that_loses_its_connection(executor: Any, cluster: Cluster, told: list[str], tmp_path: Path) -> None:
    line = Line(cluster.address)
    worker = cluster.start_worker(through=line.address)
    cluster.wait_for(3)

    def cut_when_held() -> None:
        wait_for(tmp_path, "held", 1)
        line.cut()

    cutter = threading.Thread(target=cut_when_held)
    cutter.start()
    assert list(executor.map(partial(hold, tmp_path, worker.pid), range(30))) == list(range(30))
    cutter.join()
    (event,) = told
    assert event.startswith("the worker at tcp://127.0.0.1:")
    assert event.endswith("is gone; others do its blocks again")
    worker.wait(timeout=60)
    cluster.workers.remove(worker)
    cluster.wait_for(2)


def test_a_run_that_has_no_worker_left_waits_for_one(tmp_path: Path, told: list[str]) -> None:
    with Cluster(tmp_path) as cluster:
        cluster.start_worker()
        cluster.wait_for(1)

        def tell(line: str) -> None:
            told.append(line)
            if "waiting" in line:
                cluster.start_worker()

        with open_executor(f"dask:{cluster.address}", tell=tell) as executor:
            assert list(executor.map(partial(die_once, tmp_path / "died"), range(20))) == list(range(20))
        assert told[1:] == [f"{cluster.address}: no worker is left; waiting 60 s for one"]
        message = r"no worker is left, and none came in 0\.2 s; start workers and run it again"
        with (
            open_executor(f"dask:{cluster.address}", wait=0.2) as executor,
            pytest.raises(BadCluster, match=message),
        ):
            list(executor.map(partial(die_at, 3, signal.SIGKILL), range(20)))


def test_a_block_that_ends_every_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    with Cluster(tmp_path) as cluster:
        cluster.start_worker()
        cluster.wait_for(1)
        with (
            open_executor(f"dask:{cluster.address}") as executor,
            pytest.raises(BadCluster, match="block 1 ended every worker that it was given to"),
        ):
            list(executor.map(partial(die_at, 0, signal.SIGKILL), [0]))


def test_a_scheduler_without_workers(tmp_path: Path, told: list[str]) -> None:
    with Cluster(tmp_path) as cluster:
        with pytest.raises(BadCluster, match=r"no worker came in 0\.2 s; start some .*--wait") as caught:
            open_executor(f"dask:{tmp_path / 'scheduler.json'}", wait=0.2, tell=told.append)
        assert caught.value.exit_code == 3
        assert told == [f"{cluster.address}: the scheduler has no workers; waiting 0.2 s for one"]
        with pytest.raises(BadCluster, match="no worker came"):
            open_executor(f"dask:{cluster.address}", wait=0.2)


def test_no_scheduler_at_the_address() -> None:
    with pytest.raises(BadCluster, match=r"^tcp://127\.0\.0\.1:1: no scheduler answers there; start one") as caught:
        open_executor("dask:tcp://127.0.0.1:1", wait=0.2)
    assert caught.value.exit_code == 3


def test_scheduler_files_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    with pytest.raises(BadCluster, match=r"scheduler\.json: no scheduler has written this file"):
        open_executor(f"dask:{file}")
    file.write_text("{}")
    with pytest.raises(BadFile, match=r"scheduler\.json: not a scheduler file"):
        open_executor(f"dask:{file}")


@pytest.mark.parametrize(
    ("name", "jobs", "message"),
    [
        ("dask", None, "knows no scheduler; give --executor dask:tcp://HOST:8786"),
        ("dask:nowhere", None, "not an address"),
        ("dask:http://127.0.0.1:8786", None, "not an address"),
        ("dask:tcp://127.0.0.1:1", 2, "--jobs is for --executor local"),
        ("dusk", None, "no executor 'dusk'; did you mean dask?"),
        ("local:8786", None, "no executor 'local:8786'"),
    ],
)
def test_executors_that_there_are_not(name: str, jobs: int | None, message: str) -> None:
    with pytest.raises(BadOption, match=message):
        open_executor(name, jobs=jobs, wait=0.2)


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install 'assay-mt\[dask\]'"):
        open_executor("dask:tcp://127.0.0.1:1")
