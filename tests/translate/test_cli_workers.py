"""`assay translate --jobs` and `--executor dask`: the same files whoever asks, and nothing lost where somebody dies."""

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from tests.conftest import Run
from tests.parallel.clusters import Cluster, wait_until
from tests.translate.command_engine import SOURCES, asked, command, journalled, outputs, started
from tests.translate.fakes import wait_for_the_end
from tests.translate.spanish import SPANISH, SUITE
from tests.translate.test_cli import suite_of

MIDDLE = SOURCES[7]

ONCE = """
    if line == {line!r} and not log.with_name("confirmed").exists():
        there, end = b"", time.monotonic() + 60
        while there.count(b"\\n") < 2 and time.monotonic() < end:
            there = b"".join(path.read_bytes() for path in log.parent.glob("out/mine.*.jsonl"))
        log.with_name("confirmed").write_bytes(there)
        log.with_name("pid").write_text(f"{{os.getpid()}}\\n")
        {does}
    print(line.upper())
"""
"""In the middle, when there are some answers in the journal: take it down, and something happens."""


def once(does: str) -> str:
    return ONCE.format(line=MIDDLE, does=does).strip()


def confirmed(folder: Path) -> list[str]:
    """The sentences that were in the journal when it happened."""
    return journalled(folder, "confirmed")


def without_times(folder: Path) -> dict[str, str]:
    """What is in a folder. The campaign file has a digest over what it says, times included."""
    time, digest = r"\d{4}-\d\d-\d\dT[\d:]+\+00:00", r"(?<=collected: )\S+"
    return {
        file.name: re.sub(f"{time}|{digest}", "…", file.read_text("utf-8").replace("\\u", "u"))
        for file in sorted(folder.iterdir())
    }


def test_the_same_files_whoever_asks(assay: Run, cluster: Cluster, tmp_path: Path) -> None:
    engines = {"alone": [], "local": ["--jobs", "2"], "dask": ["--executor", f"dask:{cluster.address}"]}
    arguments = ["translate", SPANISH, "--system", command(tmp_path), "--system", "apertium", "--batch", "4"]
    said = {
        assay(*arguments, *engine, "-o", name).stdout.replace(f"{name}/", "out/") for name, engine in engines.items()
    }
    assert len(said) == 1
    assert "out/mine.tsv: 15 of 15 items, 4 requests\n" in said.pop()
    found = [without_times(tmp_path / name) for name in engines]
    assert len(found[0]) == 5
    assert found[0] == found[1] == found[2]
    assert set(asked(tmp_path).values()) == {3}


@pytest.mark.parametrize("engine", ["local", "dask"])
def test_a_worker_that_is_killed_in_the_middle(assay: Run, tmp_path: Path, engine: str) -> None:
    """Its command kills it. Nothing is lost, and nothing is asked again that was in the journal by then."""
    spec = command(tmp_path, once("os.kill(os.getppid(), signal.SIGKILL)"))
    arguments = ["translate", SPANISH, "--system", spec, "-o", "out", "--batch", "1"]
    if engine == "local":
        done = assay(*arguments, "--jobs", "2")
        event = "assay: a worker process was killed by SIGKILL; another does its block 8 again\n"
    else:
        with Cluster(tmp_path) as cluster:
            for _ in range(2):
                cluster.start_worker()
            cluster.wait_for(2)
            done = assay(*arguments, "--executor", f"dask:{cluster.address}")
        event = "is gone; others do its blocks again\n"
    assert done.stderr.endswith(event)
    assert done.stderr.count("\n") == 1
    assert "15 of 15 items, 15 requests\n" in done.stdout
    assert journalled(tmp_path) == SOURCES
    assert 1 <= len(confirmed(tmp_path)) <= 7
    # Dask does a block again whose worker dies before the scheduler knows that its answer has arrived: the newest two.
    known = confirmed(tmp_path) if engine == "local" else confirmed(tmp_path)[:-2]
    assert all(asked(tmp_path)[sentence] == 1 for sentence in known)
    assert outputs(tmp_path) == [f"{item.id}\tmine\t{item.source.upper()}" for item in SUITE]


def test_a_scheduler_that_dies_and_a_second_run(assay: Run, tmp_path: Path, cluster: Cluster) -> None:
    with Cluster(tmp_path) as dying:
        spec = command(tmp_path, once(f"os.kill({dying.scheduler.pid}, signal.SIGKILL)"))
        arguments = ["translate", SPANISH, "--system", spec, "-o", "out", "--batch", "1"]
        dying.start_worker()
        dying.wait_for(1)
        done = assay(*arguments, "--executor", f"dask:{dying.address}", code=3)
    assert done.stderr == (
        f"assay: mine: {dying.address}: the scheduler is gone; start it and its workers, and run it again\n"
    )
    kept = journalled(tmp_path)
    assert kept[:1] == SOURCES[:1]
    assert kept == SOURCES[: len(kept)]
    assert set(confirmed(tmp_path)) <= set(kept)
    assert f"mine.tsv: {len(kept)} of 15 items" in done.stdout
    assert len(outputs(tmp_path)) == len(kept)
    before = asked(tmp_path)
    again = assay(*arguments, "--executor", f"dask:{cluster.address}")
    assert f"15 of 15 items, {15 - len(kept)} requests" in again.stdout
    assert journalled(tmp_path) == SOURCES
    assert asked(tmp_path) - before == Counter(SOURCES[len(kept) :])


@pytest.mark.parametrize("engine", ["local", "dask"])
def test_interrupted(tmp_path: Path, cluster: Cluster, engine: str) -> None:
    """Ctrl-C: exit code 130, and what came is written. A command of a local worker ends; that of a cluster goes on to
    its end, and no other is started."""
    spec = command(tmp_path, once("while not log.with_name('go').exists(): time.sleep(0.01)"))
    workers = ["--jobs", "2"] if engine == "local" else ["--executor", f"dask:{cluster.address}"]
    arguments = ["translate", SPANISH, "--system", spec, "-o", "out", "--batch", "1", *workers]
    with subprocess.Popen(
        [sys.executable, "-m", "assay", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as run:
        wait_until((tmp_path / "confirmed").exists, run)
        os.kill(run.pid, signal.SIGINT)
        _, problems = run.communicate(timeout=60)
    assert run.returncode == 130
    assert problems.decode().endswith("assay: interrupted\n")
    assert "Traceback" not in problems.decode()
    # The last answer may have come just before Ctrl-C: then it is in the journal alone, and used when the run goes on.
    assert 1 <= len(outputs(tmp_path)) <= len(journalled(tmp_path)) <= 7
    if engine == "dask":
        (tmp_path / "go").touch()
    wait_for_the_end(started(tmp_path / "pid"))
    cluster.until(lambda client: not any(client.processing().values()))
    assert sum(asked(tmp_path).values()) < 15


def test_a_command_that_workers_do_not_have(assay: Run, cluster: Cluster, tmp_path: Path) -> None:
    """Their folder is another, and there is no such script in it."""
    spec = command(tmp_path).replace(f"{tmp_path}/", "")
    assay("translate", SPANISH, "--system", spec, "-o", "here", "--jobs", "2")
    done = assay("translate", SPANISH, "--system", spec, "-o", "out", "--executor", f"dask:{cluster.address}", code=3)
    assert done.stderr.startswith("assay: mine: tcp://127.0.0.1:")
    assert "; install the same on all machines, and give paths that all of them know\n" in done.stderr
    assert done.stderr.count("\n") == 1
    assert journalled(tmp_path) == []


def test_held_out_items_go_to_no_cluster_without_permission(assay: Run, cluster: Cluster, tmp_path: Path) -> None:
    """Apertium runs on this machine, and on workers of this machine; where those of a cluster are, nobody knows."""
    held = "id: b, source: Two cats., held_out: true, pass: [y]"
    suite = suite_of(tmp_path, "id: a, source: One cat., pass: [x]", held)
    arguments = ["translate", suite, "--system", "apertium", "-o", "out"]
    dask = ["--executor", f"dask:{cluster.address}"]
    assert "leave this machine\n  1 held-out sentence not sent" in assay(*arguments, *dask, "--dry-run").stdout
    assert "apertium.tsv: 1 of 2 items" in assay(*arguments, *dask).stdout
    assert "stay on this machine\n" in assay(*arguments, "--jobs", "2", "--dry-run").stdout
    assert "apertium.tsv: 2 of 2 items, 1 request, 1 sentence known" in assay(*arguments, "--jobs", "2").stdout
    assert "2 of 2 items" in assay(*arguments[:-1], "sent", *dask, "--send-held-out").stdout


def test_ready_outputs_beside_workers(assay: Run, tmp_path: Path) -> None:
    (tmp_path / "ready.txt").write_text("".join(f"{source}\n" for source in SOURCES), encoding="utf-8")
    both = ["--system", command(tmp_path), "--system", "theirs=file:ready.txt"]
    said = assay("translate", SPANISH, *both, "-o", "out", "--jobs", "2").stdout
    assert "out/mine.tsv: 15 of 15 items, 1 request\n" in said
    assert "out/theirs.tsv: 15 of 15 items, 0 requests\n" in said


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["libretranslate:base_url=http://localhost:1", "--jobs", "2"], 2, "workers cannot have copies of this engine"),
        (["libretranslate:base_url=http://localhost:1", "--executor", "dask"], 2, "workers cannot have copies"),
        (["cmd:cat", "--jobs", "2", "--per-minute", "3"], 2, "several workers cannot keep to --per-minute; leave that"),
        (["cmd:cat", "--jobs", "2", "--executor", "dask:tcp://127.0.0.1:1"], 2, "--jobs is for --executor local"),
        (["cmd:cat", "--resources", "GPU=1"], 2, "--resources is for --executor dask"),
        (["cmd:cat", "--executor", "dusk"], 2, "no executor 'dusk'; did you mean dask?"),
        (["cmd:cat", "--executor", "dask:tcp://127.0.0.1:1", "--wait", "0.2"], 3, "no scheduler answers there"),
    ],
)
def test_mistakes_are_one_line(assay: Run, tmp_path: Path, arguments: list[str], code: int, message: str) -> None:
    done = assay("translate", SPANISH, "--system", *arguments, "-o", "out", code=code)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
