"""A run that is stopped leaves nothing running on the cluster, and its workers fit for the next."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")

from assay.parallel import end_if_cancelled, open_executor
from assay.parallel.executor import BlockCancelled, cancelled_unless
from tests.parallel.clusters import ROOT, Cluster, wait_until
from tests.parallel.test_processes import square


def wait_until_cancelled() -> None:
    """A minute at most, in small steps, with a look after each."""
    for _ in range(3000):
        time.sleep(0.02)
        end_if_cancelled()


def work_until_cancelled(folder: Path, number: int) -> int:
    """A file when it begins, and one that says how it ended."""
    (folder / f"{number}.begun").write_text("")
    how = "by itself"
    try:
        wait_until_cancelled()
    except BaseException as error:
        how = type(error).__name__
        raise
    finally:
        (folder / f"{number}.new").write_text(how)
        (folder / f"{number}.new").replace(folder / f"{number}.ended")
    return number


def wait_for_go(folder: Path, number: int) -> int:
    """Goes on until there is a file that lets it go, and does not look whether it is wanted."""
    (folder / f"{number}.begun").write_text("")
    wait_until(lambda: (folder / f"{number}.go").exists() or (folder / "go").exists())
    (folder / f"{number}.ended").write_text("")
    return number


def wait_for(folder: Path, pattern: str, number: int) -> list[Path]:
    wait_until(lambda: len(list(folder.glob(pattern))) >= number)
    return list(folder.glob(pattern))


MASTER = """
import sys
from functools import partial
from pathlib import Path
from assay.parallel import open_executor
from tests.parallel.test_cancel import work_until_cancelled

with open_executor("dask:" + sys.argv[1]) as executor:
    list(executor.map(partial(work_until_cancelled, Path(sys.argv[2])), range(10)))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_master_that_is_stopped_leaves_nothing_running(how: signal.Signals, cluster: Cluster, tmp_path: Path) -> None:
    command = [sys.executable, "-c", MASTER, cluster.address, str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as master:
        wait_for(tmp_path, "*.begun", 2)
        master.send_signal(how)
        _, errors = master.communicate(timeout=60)
    assert ("KeyboardInterrupt" in errors) == (how == signal.SIGINT)
    assert [file.read_text() for file in wait_for(tmp_path, "*.ended", 2)] == ["BlockCancelled", "BlockCancelled"]
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
            list(executor.map(partial(work_until_cancelled, tmp_path), blocks()))
        assert [file.read_text() for file in wait_for(tmp_path, "*.ended", 2)] == ["BlockCancelled", "BlockCancelled"]
        assert list(executor.map(square, range(5))) == [0, 1, 4, 9, 16]


def blocks_in_line(dask_worker: Any) -> int:
    """On a worker: how many blocks it has not begun."""
    return len([task for task in dask_worker.state.tasks.values() if task.state == "ready"])


def test_a_block_that_does_not_look_runs_to_its_end(cluster: Cluster, tmp_path: Path) -> None:
    """And no other is begun; its worker is fit for the next run."""
    with open_executor(f"dask:{cluster.address}") as executor:
        results = executor.map(partial(wait_for_go, tmp_path), range(10))
        begin = threading.Thread(target=next, args=(results, None))
        begin.start()
        wait_for(tmp_path, "*.begun", 2)
        (tmp_path / "0.go").touch()
        begin.join()
        wait_for(tmp_path, "*.begun", 3)
        results.close()
        cluster.until(lambda client: not any(client.run(blocks_in_line).values()))
        (tmp_path / "go").touch()
        assert len(wait_for(tmp_path, "*.ended", 3)) == 3
        assert list(executor.map(square, range(5))) == [0, 1, 4, 9, 16]
    assert len(list(tmp_path.glob("*.begun"))) == 3


def test_only_a_block_that_nobody_wants_is_cancelled() -> None:
    end_if_cancelled()
    with cancelled_unless(lambda: True):
        end_if_cancelled()
    with cancelled_unless(lambda: False):
        others = threading.Thread(target=end_if_cancelled)  # nothing is raised in other threads
        others.start()
        others.join()
        with pytest.raises(BlockCancelled):
            end_if_cancelled()
    end_if_cancelled()
