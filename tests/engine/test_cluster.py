"""A real Dask scheduler and real workers: order, faults of all kinds, and what is refused before the start."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")

from assay.engine import BadCluster, map_blocks, open_engine
from assay.engine.local import AHEAD
from assay.model import AssayError, BadFile, BadOption, MissingExtra
from tests.engine.clusters import ROOT, Cluster
from tests.engine.test_local import die_once, divide, fail_at, slow_when_even, square, where


def raise_in(process: int, number: int) -> int:
    if os.getpid() == process:
        raise ValueError("not on this machine")
    return number


def kill(process: int, number: int) -> int:
    if number == 3:
        os.kill(process, signal.SIGKILL)
        threading.Event().wait(60)
    return number


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two workers; only the second has a GPU, or says so."""
    with Cluster(tmp_path_factory.mktemp("cluster")) as made:
        made.start_worker()
        made.start_worker("--resources", "GPU=1")
        made.wait_for(2)
        yield made


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def engine(cluster: Cluster, told: list[str]) -> Iterator[Any]:
    with open_engine(f"dask:{cluster.address}", tell=told.append) as opened:
        yield opened


def test_results_come_in_the_order_of_the_blocks(engine: Any, told: list[str]) -> None:
    steps: list[int] = []
    assert list(engine.map(slow_when_even, range(20), progress=steps.append)) == list(range(20))
    assert list(engine.map(square, range(50))) == list(map_blocks(square, range(50), jobs=2))
    assert list(engine.map(square, [])) == []
    assert steps == [1] * 20
    assert told == []


def test_the_work_is_done_by_the_workers(engine: Any, cluster: Cluster) -> None:
    assert set(engine.map(where, range(50))) <= {worker.pid for worker in cluster.workers}


def test_blocks_are_read_only_a_little_ahead(engine: Any) -> None:
    read = 0

    def blocks() -> Iterator[int]:
        nonlocal read
        while read < 100:
            read += 1
            yield read

    for taken, _ in enumerate(engine.map(square, blocks()), start=1):
        assert read <= taken + AHEAD * 2


def test_a_block_goes_where_its_resources_are(cluster: Cluster) -> None:
    with open_engine(f"dask:{cluster.address}", resources={"GPU": 1}) as engine:
        assert set(engine.map(where, range(10))) == {cluster.workers[1].pid}
    with pytest.raises(BadCluster, match=r"no worker offers GPU=2; start workers with --resources GPU=2"):
        open_engine(f"dask:{cluster.address}", resources={"GPU": 2})


def test_an_error_is_raised_after_the_results_before_it(engine: Any) -> None:
    results = engine.map(partial(fail_at, 3), range(100))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(AssayError, match=r"^scores\.tsv:3: no score; write one$") as caught:
        next(results)
    assert isinstance(caught.value, BadFile)
    assert caught.value.exit_code == 2


def test_a_bug_shows_where_it_was_in_the_worker(engine: Any) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        list(engine.map(divide, [1, 0]))
    assert "in divide" in caught.value.__notes__[0]


def test_a_block_that_raises_on_one_worker_is_done_by_another(engine: Any, cluster: Cluster, told: list[str]) -> None:
    process = cluster.workers[0].pid
    assert list(engine.map(partial(raise_in, process), range(8))) == list(range(8))
    assert told
    assert all("ValueError: not on this machine" in line and "has done it" in line for line in told)


def test_a_worker_that_is_killed_at_work_and_a_scheduler_that_is(tmp_path: Path, told: list[str]) -> None:
    with Cluster(tmp_path) as cluster:
        for _ in range(2):
            cluster.start_worker()
        cluster.wait_for(2)
        with open_engine(f"dask:{cluster.address}", tell=told.append) as engine:
            assert list(engine.map(partial(die_once, tmp_path / "died"), range(20))) == list(range(20))
            (line,) = told
            assert line.startswith("the worker at tcp://127.0.0.1:")
            assert line.endswith("is gone; others do its blocks again")
            results = engine.map(partial(kill, cluster.scheduler.pid), range(20))
            with pytest.raises(BadCluster, match=rf"^{cluster.address}: the scheduler is gone; start it") as caught:
                list(results)
    assert caught.value.exit_code == 3


MASTER = """
import sys, time
from pathlib import Path
from assay.engine import open_engine

with open_engine("dask:" + sys.argv[1]) as engine:
    for number, _ in enumerate(engine.map(time.sleep, [0.05] * 10_000)):
        if number == 3:
            print("at work", flush=True)
"""


def test_ctrl_c_cancels_on_the_cluster(cluster: Cluster) -> None:
    command = [sys.executable, "-c", MASTER, cluster.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as master:
        assert master.stdout
        assert master.stdout.readline() == "at work\n"
        master.send_signal(signal.SIGINT)
        _, errors = master.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
    cluster.until(lambda client: not any(client.processing().values()) and not any(client.has_what().values()))


def test_closing_the_results_cancels_the_rest(engine: Any, cluster: Cluster) -> None:
    results = engine.map(slow_when_even, range(1000))
    next(results)
    results.close()
    cluster.until(lambda client: not any(client.processing().values()))


def test_a_worker_of_another_version_is_refused(cluster: Cluster) -> None:
    other = cluster.start_worker(first="import assay\nassay.__version__ = '0.0.1'\n")
    cluster.wait_for(3)
    with pytest.raises(BadCluster, match=r"the worker has assay 0\.0\.1 instead of .*; install the same") as caught:
        open_engine(f"dask:{cluster.address}")
    assert caught.value.exit_code == 3
    other.kill()
    other.wait()
    cluster.workers.remove(other)
    cluster.wait_for(2)


def test_a_worker_of_another_version_that_comes_late_does_nothing(
    engine: Any, cluster: Cluster, told: list[str]
) -> None:
    other = cluster.start_worker(first="import assay\nassay.__version__ = '0.0.1'\n")
    cluster.wait_for(3)
    assert other.pid not in set(engine.map(where, range(60)))
    assert all("assay 0.0.1 instead of" in line and "has done it" in line for line in told)
    other.kill()
    other.wait()
    cluster.workers.remove(other)
    cluster.wait_for(2)


def test_a_scheduler_without_workers(tmp_path: Path, told: list[str]) -> None:
    with Cluster(tmp_path) as cluster:
        with pytest.raises(BadCluster, match=r"no worker came in 0\.2 s; start some .*--wait") as caught:
            open_engine(f"dask:{tmp_path / 'scheduler.json'}", wait=0.2, tell=told.append)
        assert caught.value.exit_code == 3
        assert told == [f"{cluster.address}: the scheduler has no workers; waiting 0.2 s for one"]
        with pytest.raises(BadCluster, match="no worker came"):
            open_engine(f"dask:{cluster.address}", wait=0.2)


def test_no_scheduler_at_the_address() -> None:
    with pytest.raises(BadCluster, match=r"^tcp://127\.0\.0\.1:1: no scheduler answers there; start one") as caught:
        open_engine("dask:tcp://127.0.0.1:1", wait=0.2)
    assert caught.value.exit_code == 3


def test_scheduler_files_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    with pytest.raises(BadCluster, match=r"scheduler\.json: no scheduler has written this file"):
        open_engine(f"dask:{file}")
    file.write_text("{}")
    with pytest.raises(BadFile, match=r"scheduler\.json: not a scheduler file"):
        open_engine(f"dask:{file}")


@pytest.mark.parametrize(
    ("name", "jobs", "message"),
    [
        ("dask", None, "knows no scheduler; give --engine dask:tcp://HOST:8786"),
        ("dask:nowhere", None, "not an address"),
        ("dask:http://127.0.0.1:8786", None, "not an address"),
        ("dask:tcp://127.0.0.1:1", 2, "--jobs is for --engine local"),
        ("dusk", None, "no engine 'dusk'; did you mean dask?"),
        ("local:8786", None, "no engine 'local:8786'"),
    ],
)
def test_engines_that_there_are_not(name: str, jobs: int | None, message: str) -> None:
    with pytest.raises(BadOption, match=message):
        open_engine(name, jobs=jobs, wait=0.2)


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install 'assay-mt\[dask\]'"):
        open_engine("dask:tcp://127.0.0.1:1")
