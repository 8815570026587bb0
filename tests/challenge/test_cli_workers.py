"""`assay challenge score --executor …`: the same bytes whoever scores, models loaded once, and nothing scored twice."""

import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.challenge.files.scores import ScoreHeader, ScoreJournal
from assay.challenge.files.sets import write_challenge
from tests.challenge.test_metrics_command import has_ended
from tests.challenge.test_metrics_models import COMET, FILES
from tests.conftest import Run
from tests.parallel.clusters import Cluster, wait_until

ITEMS, BATCH = 400, 40
"""800 distinct segments: 2 batches of BLEU, 4 of COMET, 20 of the plugin."""

PLUGIN = f"""
import os, signal, time
from pathlib import Path
from assay.challenge.metric import FunctionMetric
from assay.errors import AssayError

def counted(option):
    '''Notes in a folder which process loads it and what it is asked; does what `fault` says there, a program.'''
    folder = Path(option)
    note(folder / "loads", str(os.getpid()))

    def score(segments):
        texts = [segment.hypothesis for segment in segments]
        fault = folder / "fault"
        if fault.exists():
            exec(fault.read_text())
        note(folder / "asked", *texts)
        note(folder / "done", str(os.getpid()))
        return [sum(map(ord, text)) / 7 for text in texts]

    return FunctionMetric("counted", "counted|1", score, needs_reference=False, batch={BATCH}, parallel=True)

def note(file, *lines):
    with file.open("a") as stream:
        stream.write("".join(line + "\\n" for line in lines))
"""

PACKAGES = {
    **FILES,
    "comet.py": COMET.replace(
        "def load_from_checkpoint(path, local_files_only):",
        "def load_from_checkpoint(path, local_files_only):\n"
        "    open(os.path.dirname(path) + '/loads', 'a').write(f'{os.getppid()}\\n')",
    ),
    "counted_metric.py": PLUGIN,
    "counted_metric-1.0.dist-info/METADATA": "Name: counted-metric\nVersion: 1.0\n",
    "counted_metric-1.0.dist-info/entry_points.txt": "[assay.metrics]\ncounted = counted_metric:counted\n",
}

LETTERS = "import sys\nfor line in sys.stdin: print(len(line) / 7)\n"


@pytest.fixture(scope="module", autouse=True)
def _packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A plugin, and a stand-in for COMET, are installed here and on all workers."""
    folder = tmp_path_factory.mktemp("packages")
    for name, text in PACKAGES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.delenv("ASSAY_COMET_PYTHON", raising=False)
        yield


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two workers; the second says that it has a GPU."""
    with Cluster(tmp_path_factory.mktemp("cluster")) as made:
        made.start_worker()
        made.start_worker("--resources", "GPU=1")
        made.wait_for(2)
        yield made


def made_up() -> ChallengeSet:
    chance = random.Random(1)
    words = ["lock", "castle", "bolt", "latch", "gate", "garden"]

    def text(*more: str) -> str:
        return " ".join([*chance.choices(words, k=6), *more])

    items = (
        ChallengeItem(f"c{number}", text(), text(), text(f"{number}a"), text(f"{number}b"), correct=1)
        for number in range(ITEMS)
    )
    return ChallengeSet("many", "de-en", tuple(items))


MANY = made_up()


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A set of made-up sentences."""
    write_challenge(MANY, tmp_path / "set.tsv")
    return tmp_path / "set.tsv"


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The score file of the plugin, computed here."""
    path = tmp_path_factory.mktemp("expected") / "counted.tsv"
    with ScoreJournal(path, MANY, ScoreHeader("counted", "reference-based", True, "counted|1", MANY.hash)) as journal:
        journal.append([(number(item.first), number(item.second)) for item in MANY.items])
    return path.read_bytes()


def number(text: str) -> float:
    return sum(map(ord, text)) / 7


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The folder of the plugin."""
    (tmp_path / "notes").mkdir()
    return tmp_path / "notes"


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def test_the_same_bytes_whoever_scores(
    assay: Run, many: Path, notes: Path, cluster: Cluster, tmp_path: Path, expected: bytes
) -> None:
    (tmp_path / "letters.py").write_text(LETTERS)
    metrics = ["BLEU", "chrF", "TER", "copy", f"counted:{notes}", f"letters=cmd:{sys.executable} {tmp_path}/letters.py"]
    options = [option for metric in metrics for option in ("-m", metric)]
    executors = {
        "alone": ["--jobs", "1"],
        "local": ["--jobs", "2"],
        "dask": ["--executor", f"dask:{cluster.address}"],
    }
    for folder, executor in executors.items():
        done = assay("challenge", "score", many, *options, *executor, "--group", "letters=qe", "-o", folder)
        assert done.stderr == ""
    for name in ("BLEU", "chrF", "TER", "copy", "counted", "letters"):
        found = {(tmp_path / folder / f"{name}.tsv").read_bytes() for folder in executors}
        assert len(found) == 1, name
        assert found.pop().count(b"\n") == ITEMS + 2
    assert (tmp_path / "dask" / "counted.tsv").read_bytes() == expected
    assert len(lines(notes / "asked")) == 3 * 2 * ITEMS


def test_a_metric_is_loaded_once_by_each_worker(assay: Run, many: Path, notes: Path, cluster: Cluster) -> None:
    (notes / "fault").write_text("time.sleep(0.02)")  # so that each of them gets some
    assay("challenge", "score", many, "-m", f"counted:{notes}", "--executor", f"dask:{cluster.address}", "-o", "s")
    workers = Counter(lines(notes / "done"))
    assert set(workers) <= {str(worker.pid) for worker in cluster.workers}
    assert workers.total() == 2 * ITEMS / BATCH
    caller, *others = lines(notes / "loads")
    assert caller not in workers
    assert sorted(others) == sorted(workers)


def test_a_neural_model_is_loaded_once_where_its_resources_are(
    assay: Run, many: Path, cluster: Cluster, tmp_path: Path
) -> None:
    checkpoint = tmp_path / "da" / "checkpoints" / "model.ckpt"
    checkpoint.parent.mkdir(parents=True)
    checkpoint.write_bytes(b"weights")
    (tmp_path / "da" / "hparams.yaml").touch()
    executor = ["--executor", f"dask:{cluster.address}", "--resources", "GPU=1"]
    assay("challenge", "score", many, "-m", f"COMET:{checkpoint}", *executor, "-o", "scores")
    assert lines(checkpoint.parent / "loads") == [str(cluster.workers[1].pid)]
    found = [line.split("\t")[1:] for line in lines(tmp_path / "scores" / "COMET.tsv")[2:]]
    assert [[float(first), float(second)] for first, second in found] == [
        [len(text) + len(item.reference) / 100 for text in (item.first, item.second)] for item in MANY.items
    ]


KILLED = "if any('123a' in text for text in texts): fault.unlink(); os.kill(os.getpid(), signal.SIGKILL)"


def test_a_worker_that_is_killed(assay: Run, many: Path, notes: Path, tmp_path: Path, expected: bytes) -> None:
    (notes / "fault").write_text(KILLED)
    with Cluster(tmp_path) as cluster:
        for _ in range(2):
            cluster.start_worker()
        cluster.wait_for(2)
        executor = ["--executor", f"dask:{cluster.address}"]
        done = assay("challenge", "score", many, "-m", f"counted:{notes}", *executor, "-o", "scores")
    (line,) = done.stderr.splitlines()
    assert line.startswith("assay: the worker at tcp://127.0.0.1:")
    assert line.endswith("is gone; others do its blocks again")
    assert (tmp_path / "scores" / "counted.tsv").read_bytes() == expected


def test_a_worker_that_raises(
    assay: Run, many: Path, notes: Path, cluster: Cluster, tmp_path: Path, expected: bytes
) -> None:
    (notes / "fault").write_text(f"if os.getpid() == {cluster.workers[0].pid}: raise OSError('disk full')")
    executor = ["--executor", f"dask:{cluster.address}"]
    done = assay("challenge", "score", many, "-m", f"counted:{notes}", *executor, "-o", "scores")
    assert done.stderr
    assert all("(OSError: disk full); " in line and line.endswith(" has done it") for line in done.stderr.splitlines())
    assert (tmp_path / "scores" / "counted.tsv").read_bytes() == expected


def test_a_process_of_this_machine_that_is_killed(
    assay: Run, many: Path, notes: Path, tmp_path: Path, expected: bytes
) -> None:
    (notes / "fault").write_text(KILLED)
    done = assay("challenge", "score", many, "-m", f"counted:{notes}", "--jobs", "2", "-o", "scores")
    # texts 0a 0b 1a 1b …: 123a is number 246, in the seventh batch of 40
    assert done.stderr == "assay: a worker process was killed by SIGKILL; another does its block 7 again\n"
    assert (tmp_path / "scores" / "counted.tsv").read_bytes() == expected


def finish(assay: Run, many: Path, notes: Path, expected: bytes) -> int:
    """Score the rest without what was at fault; how many items had been kept."""
    file = many.parent / "scores" / "counted.tsv"
    kept = file.read_bytes().count(b"\n") - 2
    assert expected.startswith(file.read_bytes())
    (notes / "fault").unlink()
    (notes / "asked").unlink()
    printed = assay("challenge", "score", many, "-m", f"counted:{notes}", "-o", "scores").stdout
    assert f"  {kept} of {ITEMS} scores kept from an earlier run" in printed
    assert file.read_bytes() == expected
    assert sorted(lines(notes / "asked")) == sorted(
        text for item in MANY.items[kept:] for text in (item.first, item.second)
    )
    return kept


def test_a_scheduler_that_dies_and_a_second_run(
    assay: Run, many: Path, notes: Path, tmp_path: Path, expected: bytes
) -> None:
    with Cluster(tmp_path) as cluster:
        for _ in range(2):
            cluster.start_worker()
        cluster.wait_for(2)
        (notes / "fault").write_text(
            "if any('300a' in text for text in texts):\n"
            f"    os.kill({cluster.scheduler.pid}, signal.SIGKILL)\n    time.sleep(60)"
        )
        executor = ["--executor", f"dask:{cluster.address}"]
        done = assay("challenge", "score", many, "-m", f"counted:{notes}", *executor, "-o", "scores", code=3)
    assert done.stderr == (
        f"assay: {cluster.address}: the scheduler is gone; start it and its workers, and run it again\n"
    )
    # 300a is number 600, in the sixteenth batch; with two workers eight batches are on their way at a time
    assert 8 * BATCH / 2 <= finish(assay, many, notes, expected) <= 15 * BATCH / 2


def test_a_block_that_raises_everywhere_and_a_second_run(
    assay: Run, many: Path, notes: Path, cluster: Cluster, expected: bytes
) -> None:
    (notes / "fault").write_text("if any('123a' in text for text in texts): raise AssayError('123a is too long')")
    executor = ["--executor", f"dask:{cluster.address}"]
    done = assay("challenge", "score", many, "-m", f"counted:{notes}", *executor, "-o", "scores", code=2)
    assert done.stderr == "assay: 123a is too long\n"
    assert finish(assay, many, notes, expected) == 6 * BATCH / 2


def test_what_a_command_on_a_worker_wrote_before_it_failed_is_kept(
    assay: Run, many: Path, cluster: Cluster, tmp_path: Path
) -> None:
    script = tmp_path / "mine.py"
    script.write_text("import sys\nfor line in sys.stdin: sys.exit('full') if '99a' in line else print(1)\n")
    mine = ["-m", f"cmd:{sys.executable} {script}", "--executor", f"dask:{cluster.address}"]
    done = assay("challenge", "score", many, *mine, "-o", "scores", code=2)
    assert "mine.py' failed with exit code 1: full; cure that and run this again" in done.stderr
    assert done.stderr.count("\n") == 1
    assert len(lines(tmp_path / "scores" / "mine.tsv")) == 99 + 2


def test_metrics_that_a_worker_does_not_have(
    assay: Run, many: Path, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package is missing, a script has another path, a plugin is not installed: one line each, and no scores."""
    (tmp_path / "mine.py").write_text(LETTERS)
    with Cluster(tmp_path) as cluster:

        def refused(metric: str) -> str:
            executor = ["--executor", f"dask:{cluster.address}"]
            done = assay("challenge", "score", many, "-m", metric, *executor, "-o", "scores", code=3)
            assert not list(tmp_path.glob("scores/*"))
            (line,) = done.stderr.splitlines()
            return line

        cluster.start_worker(first="import sys; sys.modules['rapidfuzz'] = None")
        cluster.wait_for(1)
        said = refused("WER")
        assert ": the worker cannot load the metric WER (the metric WER needs packages that are not installed;" in said
        said = refused(f"cmd:{sys.executable} mine.py")
        assert ": the metric mine is another one on this worker: nothing instead of mine.py:" in said
        with monkeypatch.context() as patch:
            patch.delenv("PYTHONPATH")
            cluster.start_worker()
        cluster.wait_for(2)
        assert "the worker has plugin counted-metric not installed instead of 1.0" in refused(f"counted:{notes}")


def test_ctrl_c_ends_a_command_on_a_worker(many: Path, cluster: Cluster, tmp_path: Path) -> None:
    script, started = tmp_path / "slow.py", tmp_path / "started"
    script.write_text(
        "import os, time\n"
        f"open('{started}.new', 'w').write(str(os.getpid()))\n"
        f"os.rename('{started}.new', '{started}')\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-m", "assay", "challenge", "score", str(many), "-o", str(tmp_path / "scores")]
    command += ["-m", f"cmd:{sys.executable} {script}", "--executor", f"dask:{cluster.address}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        wait_until(started.exists, running)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert "Traceback" not in said
    assert running.returncode == 130
    assert has_ended(started)


def test_no_cluster_and_nothing_is_written(assay: Run, many: Path, tmp_path: Path) -> None:
    executor = ["--executor", "dask:tcp://127.0.0.1:1", "--wait", "0.2"]
    done = assay("challenge", "score", many, "-m", "length", "-o", "scores", *executor, code=3)
    assert "tcp://127.0.0.1:1: no scheduler answers there" in done.stderr
    assert not (tmp_path / "scores").exists()
