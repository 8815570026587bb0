"""Metrics of strangers: libraries that do not survive a fork, loading once, batches by length, scores by content."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, Segment
from assay.challenge.files.sets import write_challenge
from assay.challenge.metric import FunctionMetric, split_option
from assay.challenge.score import score
from assay.challenge.score_store import ScoreStore
from assay.errors import BadFile, BadOption

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "metric"

THREADED = """
import queue, threading
from assay.challenge import FunctionMetric

asked, answers = queue.Queue(), queue.Queue()

def work():
    while True:
        answers.put([float(len(segment.hypothesis)) for segment in asked.get()])

# As in torch: threads that the library has started, and that a forked process does not have.
threading.Thread(target=work, daemon=True).start()
print("loaded")

def score(segments):
    asked.put(segments)
    return answers.get()

def threaded(option):
    return FunctionMetric("threaded", "threaded|1", score, needs_reference=False, batch=10)
"""


def installed(folder: Path, module: str, code: str, entries: Mapping[str, str]) -> dict[str, str]:
    """An environment in which a package with these entry points is installed."""
    information = folder / f"{module}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(
        "[assay.metrics]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
    )
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))}


def assay(*arguments: object, environment: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "assay", "challenge", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=100,
        env=dict(environment),
        check=False,
    )


def some_items(number: int) -> tuple[ChallengeItem, ...]:
    return tuple(
        ChallengeItem(str(place), f"q {place}", "r", "a" * (1 + place % 17) + str(place), f"b{place}", 1)
        for place in range(number)
    )


SET = ChallengeSet("s", "de-en", some_items(60))


def test_a_library_with_threads_works_by_default(tmp_path: Path) -> None:
    environment = installed(tmp_path / "site", "threaded_metric", THREADED, {"threaded": "threaded_metric:threaded"})
    write_challenge(SET, tmp_path / "set.tsv", None)
    done = assay(
        "score", tmp_path / "set.tsv", "-m", "threaded", "-o", tmp_path / "out", "--jobs", 3, environment=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("loaded") == 1
    assert len((tmp_path / "out" / "threaded.tsv").read_text().splitlines()) == 62


def test_the_list_of_metrics_survives_a_plugin_without_a_docstring(tmp_path: Path) -> None:
    environment = installed(tmp_path / "site", "threaded_metric", THREADED, {"threaded": "threaded_metric:threaded"})
    done = assay("metrics", environment=environment)
    assert done.returncode == 0, done.stderr
    assert "\nthreaded\n" in done.stdout


class Recorder:
    """A function that remembers what it was asked."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []

    def __call__(self, segments: Sequence[Segment]) -> list[float]:
        self.batches.append([len(segment.hypothesis) for segment in segments])
        return [float(len(segment.hypothesis)) for segment in segments]


def test_batches_by_length() -> None:
    asked = Recorder()
    found = score(SET, FunctionMetric("m", "m|1", asked, needs_reference=False, batch=10, by_length=True))
    assert [len(batch) for batch in asked.batches] == [10] * 12
    lengths = [length for batch in asked.batches for length in batch]
    assert lengths == sorted(lengths, reverse=True)
    assert found.values.tolist() == [[len(item.first), len(item.second)] for item in SET.items]


def test_scores_by_content(tmp_path: Path) -> None:
    asked = Recorder()
    metric = FunctionMetric("m", "m|1", asked, needs_reference=False)
    half = ChallengeSet("half", "de-en", SET.items[:30])
    with ScoreStore(tmp_path, metric) as store:
        score(half, metric, known=store)
    assert sum(map(len, asked.batches)) == 60
    with ScoreStore(tmp_path, metric) as store:
        found = score(SET, metric, known=store)
    # Only what the first set had not.
    assert sum(map(len, asked.batches)) == 120
    assert found.values.tolist() == [[len(item.first), len(item.second)] for item in SET.items]
    other = FunctionMetric("m", "m|2", asked, needs_reference=False)
    with ScoreStore(tmp_path, other) as store:
        assert store.get(Segment("", SET.items[0].first, "")) is None


def test_a_store_that_was_cut_or_damaged(tmp_path: Path) -> None:
    metric = FunctionMetric("m", "m|1", Recorder())
    segment = Segment("", "a", "r")
    with ScoreStore(tmp_path, metric) as store:
        store.add([segment, Segment("", "b", "r")], [1.5, float("nan")])
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes() + b"0123\t4")
    with ScoreStore(tmp_path, metric) as store:
        assert store.get(segment) == 1.5
        assert store.get(Segment("", "b", "r")) != store.get(Segment("", "b", "r"))  # NaN
    file.write_bytes(file.read_bytes() + b"0123\tx\n")
    with pytest.raises(BadFile, match=r"\.scores:4: 'x' is no score; delete it; it is made anew$"):
        ScoreStore(tmp_path, metric)


def test_options_behind_a_path() -> None:
    assert split_option("a,b.ckpt,device=cuda:1,batch=8", "device", "batch") == (
        "a,b.ckpt",
        {"device": "cuda:1", "batch": "8"},
    )
    assert split_option("device=cpu", "device") == ("", {"device": "cpu"})
    assert split_option("model.ckpt,size=3", "device") == ("model.ckpt,size=3", {})
    with pytest.raises(BadOption, match="device= twice"):
        split_option("m,device=a,device=b", "device")


def test_the_example_is_what_the_page_shows() -> None:
    page = (ROOT / "docs" / "howto" / "own-metric.md").read_text(encoding="utf-8")
    for file in ("charlm_metric.py", "pyproject.toml"):
        assert (EXAMPLE / file).read_text(encoding="utf-8") in page
