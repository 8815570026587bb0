"""A run that is stopped leaves nothing running on the cluster, and its workers fit for the next."""

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("distributed")

from assay.parallel import open_executor, worker
from tests.parallel.clusters import ROOT, Cluster
from tests.parallel.test_processes import square


def sleep_until_ended(folder: Path, number: int) -> int:
    """A minute of work in Python, with a file when it begins and one that says how it ended."""
    (folder / f"{number}.begun").write_text("")
    how = "by itself"
    try:
        for _ in range(3000):
            time.sleep(0.02)
    except BaseException as error:
        how = type(error).__name__
        raise
    finally:
        (folder / f"{number}.new").write_text(how)
        (folder / f"{number}.new").replace(folder / f"{number}.ended")
    return number


def wait_for(folder: Path, pattern: str, number: int) -> list[Path]:
    end = time.monotonic() + 60
    while len(found := list(folder.glob(pattern))) < number:
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


MASTER = """
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from assay.parallel import open_executor
from tests.parallel.test_cancel import sleep_until_ended

with open_executor("dask:" + sys.argv[1]) as executor:
    list(executor.map(partial(sleep_until_ended, Path(sys.argv[2])), range(10)))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_master_that_is_stopped_leaves_nothing_running(how: signal.Signals, cluster: Cluster, tmp_path: Path) -> None:
    command = [sys.executable, "-c", MASTER, cluster.address, str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as master:
        wait_for(tmp_path, "*.begun", 2)
        master.send_signal(how)
        _, errors = master.communicate(timeout=30)
    assert ("KeyboardInterrupt" in errors) == (how == signal.SIGINT)
    assert [file.read_text() for file in wait_for(tmp_path, "*.ended", 2)] == ["Ended", "Ended"]
    cluster.until(lambda client: not any(client.processing().values()) and not any(client.has_what().values()))
    assert len(list(tmp_path.glob("*.begun"))) == 2, "more blocks were begun"
    with open_executor(f"dask:{cluster.address}") as executor:
        assert list(executor.map(square, range(5))) == [0, 1, 4, 9, 16]


def test_a_map_that_cannot_go_on_ends_the_blocks_under_way(cluster: Cluster, tmp_path: Path) -> None:
    def blocks() -> Iterator[int]:
        yield from range(5)
        wait_for(tmp_path, "*.begun", 2)
        raise KeyboardInterrupt

    with open_executor(f"dask:{cluster.address}") as executor:
        with pytest.raises(KeyboardInterrupt):
            list(executor.map(partial(sleep_until_ended, tmp_path), blocks()))
        assert [file.read_text() for file in wait_for(tmp_path, "*.ended", 2)] == ["Ended", "Ended"]
        assert list(executor.map(square, range(5))) == [0, 1, 4, 9, 16]


@pytest.fixture
def unwanted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """What a worker knows of a task that has been cancelled; it looks all the time."""
    monkeypatch.setattr(worker, "LOOK", 0)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield SimpleNamespace(
        get_current_task=lambda: "block",
        state=SimpleNamespace(tasks={"block": SimpleNamespace(state="cancelled")}),
        status=SimpleNamespace(name="running"),
        loop=SimpleNamespace(asyncio_loop=loop),
    )
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_nothing_is_raised_after_the_end(unwanted: Any) -> None:
    """Whatever moment the exception chooses: while the function runs, at its end, or while the watch is ended."""
    ended = 0
    for length in range(2000):
        watch = worker._Watch(unwanted)
        try:
            try:
                watch.start()
                for _ in range(length % 100):
                    pass
            finally:
                watch.end()
        except worker.Ended:
            watch.end()
            ended += 1
        for _ in range(100):
            pass
    assert ended


def test_a_function_that_goes_on_gets_the_exception_again(unwanted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "AGAIN", 0.2)
    caught = 0
    watch = worker._Watch(unwanted)
    while caught < 3:
        try:
            if not caught:
                watch.start()
            while True:
                time.sleep(0.001)
        except worker.Ended:
            caught += 1
    watch.end()


SLOW = """
import sys, time
sys.watch.start()
for _ in range(20):
    time.sleep(0.01)
whole = True
"""


def test_an_import_is_not_torn(unwanted: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_import.py").write_text(SLOW)
    monkeypatch.syspath_prepend(str(tmp_path))
    watch = worker._Watch(unwanted)
    monkeypatch.setattr(sys, "watch", watch, raising=False)

    def work() -> None:
        import_module("slow_to_import")
        while True:
            time.sleep(0.001)

    with pytest.raises(worker.Ended):
        work()
    watch.end()
    assert sys.modules["slow_to_import"].whole
