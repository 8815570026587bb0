"""The protocol of metrics, and how a user's metric is loaded.

    metric = load_metric("chrF")
    metric.score([Segment(source, hypothesis, reference)])

A plugin is a factory under the entry point group `assay.metrics`: it takes the option behind the colon
(`COMET:model.ckpt`) and returns a `Metric`; a `FunctionMetric` will do for most.

    def mine(option: str) -> Metric:
        return FunctionMetric("mine", "mine|version:1.0", score_segments, group="qe", needs_reference=False)

A metric runs in this process alone, unless it says with `parallel=True` that processes may be forked with a copy of it.
Libraries with threads of their own, torch among them, do not survive that.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, fields, replace
from math import nan
from typing import Any, Protocol

from assay.challenge.challenge_set import MetricGroup, Segment
from assay.errors import BadOption
from assay.languages import fits, language_name
from assay.plugins import Plugins, PluginSpec

BATCH = 500
"""Segments that are scored at a time where a metric has no `batch` of its own."""

WAKE = 0.5
"""Seconds after which a metric that waits for another program calls `end_if_cancelled`."""

BARE = "|reference:none"
"""Suffix of the signature of a metric that could use a reference and gets none."""


class Metric(Protocol):
    """Scores translations. `signature` is everything a score depends on (version, options).

    The other fields of `FunctionMetric` are optional attributes, with the same meaning and the same defaults.
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
        """Whether several processes may each have a copy of it; False where one model fills the machine, or where a
        library with threads would not survive a fork."""
        ...

    def score(self, segments: Sequence[Segment]) -> Sequence[float]:
        """One score per segment; NaN where there is none."""
        ...


@dataclass(frozen=True)
class FunctionMetric:
    """A metric made of one scoring function and its description.

    `group` is `baseline`, `reference-based`, `qe` or `control`. A source or reference that is not needed is empty in
    the segments; so is the target language, unless `needs_language`. `parallel` allows copies in forked processes;
    without it the metric stays in one. `batch` is the number of segments per call, `by_length` puts segments of like
    length into a batch, which spares padding. `languages` are the target languages it is for (without any: all);
    elsewhere it has no score. `for_languages` makes the metric for the target languages of a set, where it depends on
    them; `note` is what a user has to know of it then. `stream` yields the scores of a batch piece by piece, so that
    those before a failure are kept. From `spec` the metric is loaded again in another process; one without must be
    picklable to run there.
    """

    name: str
    signature: str
    function: Callable[[Sequence[Segment]], Sequence[float]]
    group: MetricGroup = "reference-based"
    needs_source: bool = False
    needs_reference: bool = True
    higher_is_better: bool = True
    parallel: bool = False
    batch: int = BATCH
    stream: Callable[[Sequence[Segment]], Generator[Sequence[float], None, None]] | None = None
    spec: str = ""
    languages: tuple[str, ...] = ()
    needs_language: bool = False
    by_length: bool = False
    for_languages: "Callable[[tuple[str, ...]], Metric] | None" = None
    note: str = ""
    fitted_to: tuple[str, ...] = ()

    def score(self, segments: Sequence[Segment]) -> Sequence[float]:
        """One score per segment; NaN where there is none."""
        return self.function(segments)


OPTIONAL: dict[str, Any] = {
    field.name: field.default
    for field in fields(FunctionMetric)
    if field.name in ("batch", "stream", "languages", "needs_language", "by_length", "for_languages", "note")
}
"""Fields that a metric of one's own class need not have -> what they are then."""


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
        spec=spec,
        **{name: getattr(metric, name, default) for name, default in OPTIONAL.items()},
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


def split_option(option: str, *names: str) -> tuple[str, dict[str, str]]:
    """What stands behind the colon, and the settings with these names at its end.

    split_option("models/da.ckpt,device=cuda", "device", "batch")      ("models/da.ckpt", {"device": "cuda"})
    """
    settings: dict[str, str] = {}
    rest = option
    while True:
        # From the end: a path may have commas of its own.
        head, comma, last = rest.rpartition(",")
        name, equals, value = last.partition("=")
        if not equals or name.strip() not in names:
            return rest, settings
        if name.strip() in settings:
            raise BadOption(f"{option!r} has {name.strip()}= twice; leave one out")
        settings[name.strip()] = value.strip()
        rest = head
        if not comma:
            return "", settings


def fitted(metric: Metric, languages: Sequence[str]) -> Metric:
    """The metric for the target languages of a set; refused where it is for none of them."""
    wanted = tuple(sorted({language for language in languages if language}))
    if wanted and not any(covers(metric, language) for language in wanted):
        known = ", ".join(map(language_name, getattr(metric, "languages", ())))
        raise BadOption(
            f"{metric.name} is for {known}, and the set is of {', '.join(map(language_name, wanted))}; "
            "take a metric that knows the language"
        )
    refit = getattr(metric, "for_languages", None)
    if refit is None or not wanted:
        return metric
    made = refit(wanted)
    if not isinstance(metric, FunctionMetric):
        return made  # type: ignore[no-any-return]
    return replace(
        metric,
        function=made.score,
        signature=made.signature + (BARE if metric.signature.endswith(BARE) else ""),
        needs_language=getattr(made, "needs_language", False),
        note=getattr(made, "note", ""),
        fitted_to=wanted,
    )


def covers(metric: Metric, language: str) -> bool:
    """Whether a metric is for a target language; an unknown one is nobody's business."""
    known = getattr(metric, "languages", ())
    return not known or not language or any(fits(language, each) for each in known)


NO_SCORE = nan
"""Of a segment in a language that a metric is not for."""
