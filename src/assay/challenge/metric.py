"""The protocol of metrics, and how a user's metric is loaded.

    metric = load_metric("chrF")
    metric.score([Segment(source, hypothesis, reference)])

A plugin is a factory under the entry point group `assay.metrics`: it takes the option behind the colon
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
"""Seconds after which a metric that waits for another program calls `end_if_cancelled`."""

BARE = "|reference:none"
"""Suffix of the signature of a metric that could use a reference and gets none."""


class Metric(Protocol):
    """Scores translations. `signature` is everything a score depends on (version, options).

    Optional attributes: `batch`, the number of segments per call; `stream`, which yields the scores of a batch piece by
    piece, so that those before a failure are kept; and `spec`, from which `load_metric` makes the metric again in
    another process. A metric without `spec` must be picklable to run there.
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
    """A metric made of one scoring function and its description."""

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
    """The metric that a user names (`NAME`, `NAME:OPTION`, `NAME=cmd:…`), with another group or direction if given."""
    wanted = PluginSpec(spec)
    if not wanted.plugin:
        raise BadOption(f"{spec!r} names no metric; write NAME, NAME:OPTION or NAME=cmd:COMMAND")
    metric = METRICS.get(wanted.plugin)(wanted.rest)
    # Copied into our own record, so that the user's name, group and direction can replace those of the plugin.
    loaded = FunctionMetric(
        name=wanted.given_name or metric.name,
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
    return override(loaded, group=group, higher_is_better=higher_is_better)


def override(metric: FunctionMetric, *, group: MetricGroup | None, higher_is_better: bool | None) -> FunctionMetric:
    """A metric with another group or direction than its own, where one is given.

    A metric that is put into the group `qe` gets no reference, so its scores and its signature change.
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
    """Refuse an option, and missing modules of the extra `metrics`."""
    if option:
        raise BadOption(f"{name} takes no option, not {option!r}; write {name}")
    if any(find_spec(module) is None for module in modules):
        raise MissingExtra(f"the metric {name}", "pip install 'assay-mt[metrics]'")
