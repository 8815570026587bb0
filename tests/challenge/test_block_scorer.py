"""A metric that is pickled is loaded again elsewhere: once, as the same metric, or with one clear line why not.

Unpickling in this process stands for the other one; tests/cli/test_scale_challenge.py has real ones.
"""

import pickle
import platform
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.challenge.block_scorer import BlockScorer
from assay.challenge.challenge_set import Segment
from assay.challenge.metric import METRICS, FunctionMetric, Metric, load_metric
from assay.errors import BadOption
from assay.parallel import Misfit

SEGMENTS = [Segment("Haus", "house", "the house"), Segment("Maus", "mice", "mouse")]


class Factory:
    """What is registered for a metric here; counts how often the metric is loaded."""

    def __init__(self) -> None:
        self.loads = 0
        self.version = 1
        self.problem: Exception | None = None

    def __call__(self, option: str) -> Metric:
        self.loads += 1
        model = object()

        def score(segments: Sequence[Segment]) -> list[float]:
            assert model  # a closure, which cannot be pickled
            if self.problem:
                raise self.problem
            return [float(len(segment.hypothesis)) for segment in segments]

        return FunctionMetric("m", f"m|version:{self.version}", score)


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Factory:
    made = Factory()
    monkeypatch.setattr(type(METRICS), "get", lambda self, name: made)
    return made


def sent(metric: Metric) -> bytes:
    return pickle.dumps(BlockScorer(metric))


def arrived(packed: bytes) -> Any:
    return pickle.loads(packed)


def lengths(segments: Sequence[Segment]) -> list[float]:
    return [float(len(segment.hypothesis)) for segment in segments]


@pytest.mark.parametrize("spec", ["BLEU", "chrF", "TER", "length:reference", "mine=CER"])
def test_the_same_scores_elsewhere(spec: str) -> None:
    metric = load_metric(spec)
    assert arrived(sent(metric))(SEGMENTS) == BlockScorer(metric)(SEGMENTS) == list(metric.score(SEGMENTS))


def test_a_metric_is_loaded_with_its_first_block_and_once(factory: Factory) -> None:
    there = arrived(sent(load_metric("m")))
    assert factory.loads == 1
    assert [there(SEGMENTS), there(SEGMENTS), there(SEGMENTS[:1])] == [[5, 4], [5, 4], [5]]
    assert factory.loads == 2


def test_the_metric_of_this_process_is_not_loaded_again(factory: Factory) -> None:
    scorer = BlockScorer(load_metric("m"))
    assert [scorer(SEGMENTS), scorer(SEGMENTS)] == [[5, 4], [5, 4]]
    assert factory.loads == 1


def test_threads_of_a_worker_share_a_metric_that_is_used_by_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    loads, inside, most = [], [], []

    def score(segments: Sequence[Segment]) -> list[float]:
        inside.append(1)
        most.append(len(inside))
        threading.Event().wait(0.01)
        inside.pop()
        return lengths(segments)

    def factory(option: str) -> Metric:
        loads.append(option)
        return FunctionMetric("m", "m|1", score)

    monkeypatch.setattr(type(METRICS), "get", lambda self, name: factory)
    there = arrived(sent(load_metric("m")))
    threads = [threading.Thread(target=there, args=(SEGMENTS,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 2
    assert most == [1] * 4


def test_a_metric_that_failed_is_loaded_anew(factory: Factory) -> None:
    """Its model may have died."""
    there = arrived(sent(load_metric("m")))
    factory.problem = RuntimeError("out of memory")
    with pytest.raises(RuntimeError, match="out of memory"):
        there(SEGMENTS)
    factory.problem = None
    assert there(SEGMENTS) == [5, 4]
    assert factory.loads == 3


def test_what_a_user_says_of_a_metric_does_not_make_it_another(factory: Factory) -> None:
    metric = load_metric("m", group="qe", higher_is_better=False)
    assert metric.signature == "m|version:1|reference:none"
    assert arrived(sent(metric))(SEGMENTS) == [5, 4]


def test_another_version_elsewhere(factory: Factory) -> None:
    there = arrived(sent(load_metric("mine=m")))
    factory.version = 2
    with pytest.raises(Misfit) as caught:
        there(SEGMENTS)
    assert str(caught.value) == (
        f"{platform.node()}: the metric mine is another one on this worker: version:2 instead of version:1; "
        "its packages and files must be the same on all machines, under the same paths"
    )
    assert caught.value.exit_code == 3


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text("x")
    there = arrived(sent(load_metric(f"cmd:{script}")))
    script.unlink()
    with pytest.raises(Misfit, match=r"the metric mine is another one .*: nothing instead of mine\.py:[0-9a-f]{12}"):
        there(SEGMENTS)


def test_a_metric_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    there = arrived(sent(load_metric("BLEU")))
    monkeypatch.setattr("assay.challenge.metrics.options.find_spec", lambda module: None)
    with pytest.raises(Misfit, match=r"^[^;]*: the worker cannot load the metric BLEU \(the metric BLEU needs") as e:
        there(SEGMENTS)
    assert "\n" not in str(e.value)


def test_a_metric_of_your_own_travels_if_it_can_be_pickled() -> None:
    metric = FunctionMetric("own", "own|1", lengths)
    assert arrived(sent(metric))(SEGMENTS) == [5, 4]
    with pytest.raises(
        BadOption, match=r"^the metric own cannot be sent to other processes \(.*lambda.*\); make it of"
    ):
        sent(replace(metric, function=lambda segments: [1.0] * len(segments)))


def test_a_metric_of_your_own_whose_module_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    there = arrived(sent(FunctionMetric("own", "own|2", lengths)))
    monkeypatch.delitem(globals(), "lengths")
    with pytest.raises(Misfit, match=r"the worker cannot load the metric own \(AttributeError: .*lengths.*\);"):
        there(SEGMENTS)
