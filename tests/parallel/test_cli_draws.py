"""Draws of the tests by processes and by a Dask cluster: the same bytes, whoever draws and whatever happens."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from tests.challenge.test_metrics_command import is_running
from tests.cli.campaigns import two_campaigns
from tests.conftest import Run
from tests.parallel.clusters import Cluster, until_it_is_given_work, wait_until
from tests.starter import AVERAGE, CAREFUL, LITERAL, STARTER
from tests.suites.building import listing

DRAWS = ["--draws", "600"]
"""Three blocks, the last shorter."""

DIES = """
import os, signal
from assay.stats import resampling

def die(layout, pairs, block):
    os.kill(os.getpid(), signal.SIGKILL)

resampling._not_better = die
"""


@pytest.fixture
def executors(cluster: Cluster) -> list[list[str]]:
    """Options: this process, two, two workers of a cluster."""
    return [[], ["--jobs", "2"], ["--executor", f"dask:{cluster.address}"]]


class TestTheSameBytes:
    @pytest.mark.parametrize("test", ["bootstrap", "randomization", "mcnemar"])
    def test_of_an_evaluation(self, assay: Run, executors: list[list[str]], test: str) -> None:
        three = [AVERAGE, CAREFUL, LITERAL, "--policy", "own", "--test", test, *DRAWS]
        done = [assay("evaluate", STARTER, *three, "-f", "json", *executor) for executor in executors]
        assert {(one.stdout, one.stderr) for one in done} == {(done[0].stdout, "")}

    def test_of_a_comparison(self, assay: Run, executors: list[list[str]]) -> None:
        two = [AVERAGE, CAREFUL, "--test", "randomization", *DRAWS]
        done = [assay("compare", STARTER, *two, *executor) for executor in executors]
        assert {(one.stdout, one.stderr) for one in done} == {(done[0].stdout, "")}

    def test_of_campaigns(self, assay: Run, executors: list[list[str]], tmp_path: Path) -> None:
        given = [*two_campaigns(tmp_path), "--diff", "W24", "W25", "-f", "json", "--test", "bootstrap", *DRAWS]
        done = [assay("years", STARTER, *given, *executor) for executor in executors]
        assert {(one.stdout, one.stderr) for one in done} == {(done[0].stdout, "")}

    def test_of_a_report(self, assay: Run, executors: list[list[str]], tmp_path: Path) -> None:
        given = [*two_campaigns(tmp_path), "--no-figures", "--test", "bootstrap", *DRAWS]
        found = []
        for name, executor in zip(("alone", "local", "dask"), executors, strict=True):
            assert assay("report", STARTER, *given, "-o", name, *executor).stderr == ""
            files = listing(tmp_path / name)
            found.append({path: files[path] for path in files if not path.endswith(".xlsx")})  # a spreadsheet is dated
        assert found[0] == found[1] == found[2]

    @pytest.mark.parametrize("command", ["items", "warnings"])
    def test_of_commands_that_only_judge(
        self, assay: Run, executors: list[list[str]], tmp_path: Path, command: str
    ) -> None:
        found = set()
        for executor in (executors[0], executors[2]):
            assay(command, STARTER, AVERAGE, CAREFUL, LITERAL, *executor, "-o", f"{command}.csv")
            found.add((tmp_path / f"{command}.csv").read_bytes())
        assert len(found) == 1


def test_a_worker_that_is_killed_while_it_draws(assay: Run, cluster: Cluster) -> None:
    arguments = [STARTER, AVERAGE, CAREFUL, "--test", "bootstrap", "--draws", "2500"]

    def run() -> "subprocess.CompletedProcess[str]":
        with cluster.another_worker(first=DIES):
            return assay("evaluate", *arguments, "--executor", f"dask:{cluster.address}")

    done = until_it_is_given_work(run)
    assert done.stdout == assay("evaluate", *arguments).stdout
    assert done.stderr.endswith(" is gone; others do its blocks again\n")


def start(folder: Path, *executor: str) -> "subprocess.Popen[str]":
    """A run that would take minutes."""
    arguments = ["evaluate", STARTER, AVERAGE, CAREFUL, "--test", "bootstrap", "--draws", "10000000", *executor]
    command = [sys.executable, "-m", "assay", *map(str, arguments), "-o", "results.json"]
    return subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, encoding="utf-8")


def interrupt(running: "subprocess.Popen[str]") -> None:
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in said


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
def test_ctrl_c_ends_the_processes_that_draw(tmp_path: Path) -> None:
    running = start(tmp_path, "--jobs", "2")
    file = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    wait_until(lambda: len(file.read_text().split()) == 2, running)
    children = file.read_text().split()
    interrupt(running)
    # One that was being started ends by itself, when it finds nobody to work for.
    wait_until(lambda: not any(is_running(int(child)) for child in children))
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_cancels_the_draws_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    running = start(tmp_path, "--executor", f"dask:{cluster.address}")
    cluster.until(lambda client: running.poll() is not None or any(client.processing().values()))
    assert running.poll() is None, running.communicate()
    interrupt(running)
    cluster.until(lambda client: not any(client.processing().values()))
    assert list(tmp_path.iterdir()) == []
