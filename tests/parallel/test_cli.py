"""`assay evaluate --executor …`: the same bytes whoever judges, and one line where a cluster cannot."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from tests.conftest import Run
from tests.parallel.clusters import Cluster, until_it_is_given_work, wait_until

ITEMS, SYSTEMS = 1000, 50
"""All texts are distinct: seven blocks."""

DIES = """
import os, signal
from assay.verdicts import blocks

def judge_block(block):
    os.kill(os.getpid(), signal.SIGKILL)

blocks.judge_block = judge_block
"""

RAISES = DIES.replace("os.kill(os.getpid(), signal.SIGKILL)", "raise OSError('no space left on device')")

SLEEPS = """
import pathlib, time
from assay.parallel import end_if_cancelled
from assay.verdicts import blocks

def judge_block(block):
    pathlib.Path("{folder}/begun").touch()
    try:
        for _ in range(3000):
            time.sleep(0.02)
            end_if_cancelled()
    except BaseException as error:
        pathlib.Path("{folder}/ended").write_text(type(error).__name__)
        raise

blocks.judge_block = judge_block
"""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A suite and outputs made from a seed, as arguments."""
    folder, chance = tmp_path_factory.mktemp("campaign"), random.Random(1)
    words = ["lock", "castle", "bolt", "latch"]
    (folder / "suite.yaml").write_text(
        "name: made\nlangpair: de-en\ncategories:\n"
        + "".join(f"  c{place}:\n" + "".join(f"    p{p}: ''\n" for p in range(place, 9, 3)) for place in range(3))
    )
    for phenomenon in range(9):
        items = "".join(
            f"  - id: i{number}\n    source: Schloss {number}\n    pass: ['{right}']\n    fail: ['{wrong}']\n"
            for number in range(phenomenon, ITEMS, 9)
            for right, wrong in [chance.sample(words, 2)]
        )
        (folder / f"p{phenomenon}.yaml").write_text(
            f"category: c{phenomenon % 3}\nphenomenon: p{phenomenon}\nitems:\n{items}"
        )
    outputs = []
    for system in range(SYSTEMS):
        outputs.append(folder.parent / f"{folder.name}-S{system}.txt")
        texts = (" ".join(chance.sample(words, 2)) for _ in range(ITEMS))
        outputs[-1].write_text("".join(f"{text} {system}-{line}\n" for line, text in enumerate(texts)))
    return [str(folder), *map(str, outputs)]


def test_the_same_bytes_whoever_judges(assay: Run, campaign: list[str], cluster: Cluster, tmp_path: Path) -> None:
    executors = {
        "alone.tsv": [],
        "local.tsv": ["--jobs", "2"],
        "dask.tsv": ["--executor", f"dask:{cluster.address}"],
    }
    done = [assay("evaluate", *campaign, "--verdicts", name, *executor) for name, executor in executors.items()]
    assert {one.stdout for one in done} == {done[0].stdout}
    assert {one.stderr for one in done} == {""}
    assert len({(tmp_path / name).read_bytes() for name in executors}) == 1
    from_configuration = assay("evaluate", *campaign, "--executor", "dask", DASK_SCHEDULER_ADDRESS=cluster.address)
    assert from_configuration.stdout == done[0].stdout


@pytest.mark.parametrize(("first", "event"), [(DIES, "is gone; others do its blocks again"), (RAISES, "has done it")])
def test_a_worker_that_fails(assay: Run, campaign: list[str], cluster: Cluster, first: str, event: str) -> None:
    def run() -> "subprocess.CompletedProcess[str]":
        with cluster.another_worker(first):
            return assay("evaluate", *campaign, "--executor", f"dask:{cluster.address}")

    done = until_it_is_given_work(run)
    assert done.stdout == assay("evaluate", *campaign).stdout
    assert done.stderr
    assert all(line.startswith("assay: ") and line.endswith(event) for line in done.stderr.splitlines())


def test_ctrl_c_ends_what_is_under_way_on_a_worker(campaign: list[str], cluster: Cluster, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "assay", "evaluate", *campaign, "--executor", f"dask:{cluster.address}"]
    begun, ended, table = tmp_path / "begun", tmp_path / "ended", tmp_path / "table.json"
    with cluster.another_worker(SLEEPS.format(folder=tmp_path)):
        with subprocess.Popen([*command, "-o", table], stderr=subprocess.PIPE, text=True) as running:
            wait_until(begun.exists, running)
            running.send_signal(signal.SIGINT)
            _, said = running.communicate(timeout=60)
        assert running.returncode == 130
        assert "Traceback" not in said
        cluster.until(lambda client: ended.exists() and not any(client.processing().values()))
    assert ended.read_text() == "BlockCancelled"
    assert not table.exists()


def test_a_scheduler_that_dies(assay: Run, campaign: list[str], tmp_path: Path) -> None:
    with Cluster(tmp_path) as cluster:
        cluster.start_worker(first=DIES.replace("os.getpid()", str(cluster.scheduler.pid)))
        cluster.wait_for(1)
        done = assay("evaluate", *campaign, "--executor", f"dask:{cluster.address}", code=3)
    assert done.stdout == ""
    assert done.stderr == (
        f"assay: {cluster.address}: the scheduler is gone; start it and its workers, and run it again\n"
    )


def test_clusters_that_cannot_work(assay: Run, campaign: list[str], tmp_path: Path) -> None:
    with Cluster(tmp_path) as cluster:
        executor = ["--executor", f"dask:{cluster.address}", "--wait", "0.2"]
        done = assay("evaluate", *campaign, *executor, code=3)
        assert done.stderr.splitlines() == [
            f"assay: {cluster.address}: the scheduler has no workers; waiting 0.2 s for one",
            f"assay: {cluster.address}: no worker came in 0.2 s; start some (dask worker {cluster.address}), "
            "or wait longer with --wait",
        ]
        cluster.start_worker(first="import assay\nassay.__version__ = '0.0.1'\n")
        cluster.wait_for(1)
        done = assay("evaluate", *campaign, *executor, code=3)
        assert len(done.stderr.splitlines()) == 1
        assert "the worker has assay 0.0.1 instead of" in done.stderr
    done = assay("evaluate", *campaign, *executor, code=3)
    assert done.stderr == (
        f"assay: {cluster.address}: no scheduler answers there; start one (dask scheduler), or correct the address\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--executor", "dask"], "knows no scheduler"),
        (["--executor", "dask:nowhere"], "not an address"),
        (["--executor", "dask:tcp://127.0.0.1:1", "--jobs", "2"], "--jobs is for --executor local"),
        (["--executor", "slurm"], "no executor 'slurm'; there are: dask, local"),
        (["--jobs", "0"], "Invalid value for '-j' / '--jobs'"),
        (["--wait", "nan"], "Invalid value for '--wait'"),
        (["--wait", "inf"], "Invalid value for '--wait'"),
        (["--resources", "GPU=1"], "--resources is for --executor dask"),
        *(
            (["--executor", "dask:tcp://127.0.0.1:1", "--resources", wrong], "is not like GPU=1")
            for wrong in ("", "GPU", "GPU=", "=1", "GPU=0", "GPU=inf", "GPU=nan", "GPU=1,")
        ),
        (["--executor", "dask:tcp://127.0.0.1:1", "--resources", "GPU=1,GPU=2"], "GPU stands twice"),
    ],
)
def test_mistakes(assay: Run, campaign: list[str], options: list[str], message: str) -> None:
    assert message in assay("evaluate", *campaign, *options, code=2).stderr
