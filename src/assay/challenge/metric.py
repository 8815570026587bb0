"""What a metric is, and how one is found.

    metric = load_metric("chrF")
    metric.score([Segment(source, hypothesis, reference)])

A plugin is a factory under the entry point group `assay.metrics`: it takes what the user wrote behind the colon
(`COMET:model.ckpt`) and returns a `Metric`; a `FunctionMetric` will do for most.

    def mine(option: str) -> Metric:
        return FunctionMetric("mine", "mine|version:1.0", score_segments, group="qe", needs_reference=False)
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Protocol

from assay.challenge.challenge_set import MetricGroup, Segment
from assay.errors import BadOption, MissingExtra
from assay.plugins import Plugins, PluginSpec

BATCH = 500
"""Segments that are scored at a time where a metric has no `batch` of its own."""

WAKE = 0.5
"""Seconds after which a metric that waits for another program looks up: a cluster may have cancelled it since."""

BARE = "|reference:none"
"""What the signature of a metric ends in that could have a reference and gets none."""


class Metric(Protocol):
    """Scores translations. `signature` is everything a score depends on (version, options).

    It may also have a `batch`: how many segments it is given at a time; a `stream`, which yields the scores of a batch
    piece by piece: what it has yielded is kept when it fails afterwards; and a `spec`, with which `load_metric` makes
    it again in another process. Without that it has to be picklable to get there.
    """

    @property
    def name(self) -> str: ...

    @property
    def group(self) -> MetricGroup: ...

    @property
    def needs_source(self) -> bool: ...

    @property
    def needs_reference(self) -> bool: ...

    @property
    def higher_is_better(self) -> bool: ...

    @property
    def signature(self) -> str: ...

    @property
    def parallel(self) -> bool:
        """Whether several processes may each have a copy of it; False where one model fills the machine."""
        ...

    def score(self, segments: Sequence[Segment]) -> Sequence[float]:
        """One score per segment; NaN where there is none."""
        ...


@dataclass(frozen=True)
class FunctionMetric:
    """A metric that is one function and what there is to say about it."""

    name: str
    signature: str
    function: Callable[[Sequence[Segment]], Sequence[float]]
    group: MetricGroup = "reference-based"
    needs_source: bool = False
    needs_reference: bool = True
    higher_is_better: bool = True
    parallel: bool = True
    batch: int = BATCH
    stream: Callable[[Sequence[Segment]], Generator[Sequence[float], None, None]] | None = None
    spec: str = ""

    def score(self, segments: Sequence[Segment]) -> Sequence[float]:
        """One score per segment; NaN where there is none."""
        return self.function(segments)


Factory = Callable[[str], Metric]

METRICS: Plugins[Factory] = Plugins("metric", "assay.metrics")


def load_metric(spec: str, *, group: MetricGroup | None = None, higher_is_better: bool | None = None) -> FunctionMetric:
    """The metric that a user names, with the name that he gives it, and what he says of it."""
    asked = PluginSpec(spec)
    if not asked.plugin:
        raise BadOption(f"{spec!r} names no metric; write NAME, NAME:OPTION or NAME=cmd:COMMAND")
    metric = METRICS.get(asked.plugin)(asked.rest)
    loaded = FunctionMetric(
        name=asked.given_name or metric.name,
        signature=metric.signature,
        function=metric.score,
        group=metric.group,
        needs_source=metric.needs_source,
        needs_reference=metric.needs_reference,
        higher_is_better=metric.higher_is_better,
        parallel=metric.parallel,
        batch=getattr(metric, "batch", BATCH),
        stream=getattr(metric, "stream", None),
        spec=spec,
    )
    return told(loaded, group=group, higher_is_better=higher_is_better)


def told(metric: FunctionMetric, *, group: MetricGroup | None, higher_is_better: bool | None) -> FunctionMetric:
    """A metric with another group or direction than it says itself, where one is given.

    One that is called `qe` gets no reference, and then its scores are others.
    """
    bare = group == "qe" and metric.needs_reference
    return replace(
        metric,
        group=group or metric.group,
        higher_is_better=metric.higher_is_better if higher_is_better is None else higher_is_better,
        needs_reference=metric.needs_reference and not bare,
        signature=metric.signature + BARE if bare else metric.signature,
    )


def check_plain(name: str, option: str, *modules: str) -> None:
    """For metrics of the extra `metrics`: no option was given, and the modules are installed."""
    if option:
        raise BadOption(f"{name} takes no option, not {option!r}; write {name}")
    check_installed(name, *modules)


def check_installed(name: str, *modules: str) -> None:
    """For metrics of the extra `metrics`: their modules are installed."""
    if any(find_spec(module) is None for module in modules):
        raise MissingExtra(f"the metric {name}", "pip install 'assay-mt[metrics]'")
