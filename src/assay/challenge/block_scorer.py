"""A metric as the function that an executor maps over blocks of segments, in this process or in others.

    for scores in executor.map(BlockScorer(metric), blocks):
        ...

In this process, and in processes that are forked from it, it is the metric itself. Elsewhere the metric is loaded again
from what the user wrote (`COMET:/models/da`), with the first block, and kept for the others: a model does not travel,
and is loaded once. It must have the same signature there.
"""

import pickle
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from threading import Lock
from typing import Any

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import BARE, Metric, fitted, load_metric
from assay.errors import AssayError, BadOption
from assay.parallel import Misfit

Block = Sequence[Segment]


class BlockScorer:
    """One score for each segment of a block. Threads of a worker share it; only one at a time scores."""

    def __init__(self, metric: Metric) -> None:
        self._metric: Metric | None = metric
        self._copy: MetricCopy | None = None
        self._lock = Lock()

    def __getstate__(self) -> "MetricCopy":
        if self._copy is not None:
            return self._copy
        assert self._metric is not None
        spec = getattr(self._metric, "spec", "")
        return MetricCopy(
            self._metric.name,
            _bare(self._metric),
            spec,
            b"" if spec else _packed(self._metric),
            getattr(self._metric, "fitted_to", ()),
        )

    def __setstate__(self, copy: "MetricCopy") -> None:
        self._metric, self._copy, self._lock = None, copy, Lock()

    def __call__(self, segments: Block) -> list[float]:
        with self._lock:
            if self._metric is None:
                assert self._copy is not None
                self._metric = _loaded(self._copy)
            try:
                return _score_block(self._metric, segments)
            except BaseException:
                if self._copy is not None:
                    self._metric = None  # its model may have ended; the next block has a new one
                raise


@dataclass(frozen=True, slots=True)
class MetricCopy:
    """What travels of a metric: how it is loaded, and for which target languages, or the metric itself."""

    name: str
    signature: str
    spec: str
    packed: bytes
    languages: tuple[str, ...] = ()


def scored_before(error: BaseException) -> list[float]:
    """The scores of the first segments of a block, if a metric that streams had some before it failed."""
    found: list[float] = getattr(error, "scored", [])
    return found


def _loaded(copy: MetricCopy) -> Metric:
    try:
        metric: Metric = fitted(load_metric(copy.spec), copy.languages) if copy.spec else pickle.loads(copy.packed)
    except Exception as error:
        what = str(error) if isinstance(error, AssayError) else f"{type(error).__name__}: {error}"
        raise Misfit(
            f"the worker cannot load the metric {copy.name} ({what})",
            "install what it needs on all machines, and give paths that all of them have",
        ) from error
    if _bare(metric) != copy.signature:
        raise Misfit(
            f"the metric {copy.name} is another one on this worker: {_differences(_bare(metric), copy.signature)}",
            "its packages and files must be the same on all machines, under the same paths",
        )
    return metric


def _differences(found: str, wanted: str) -> str:
    """Of two signatures what they do not share."""
    there, here = found.split("|"), wanted.split("|")
    other = "|".join(part for part in there if part not in here)
    return f"{other or 'nothing'} instead of {'|'.join(part for part in here if part not in there) or 'nothing'}"


def _bare(metric: Metric) -> str:
    """The signature without what a user has said of the metric since it was loaded."""
    return metric.signature.removesuffix(BARE)


def _packed(metric: Metric) -> bytes:
    try:
        return pickle.dumps(metric)
    except Exception as error:
        raise BadOption(
            f"the metric {metric.name} cannot be sent to other processes ({error}); make it of functions that stand in "
            "a module, or register it under assay.metrics and name it"
        ) from error


def _score_block(metric: Metric, segments: Block) -> list[float]:
    stream = getattr(metric, "stream", None)
    found: Any = metric.score(segments) if stream is None else _streamed(metric, stream(segments), len(segments))
    if not hasattr(found, "__len__"):
        raise AssayError(
            f"{metric.name} gave no scores but {type(found).__name__}; its function has to return a list of numbers"
        )
    if len(found) != len(segments):
        raise AssayError(
            f"{metric.name} gave {len(found)} scores for {len(segments)} segments; it has to give one each"
        )
    return _numbers(metric, found)


def _streamed(metric: Metric, stream: Any, wanted: int) -> list[float]:
    """All pieces of a stream; one that fails says in its error what it had."""
    scores: list[float] = []
    try:
        with closing(stream) as pieces:
            for piece in pieces:
                scores += _numbers(metric, piece)
                if len(scores) > wanted:
                    break
    except BaseException as error:
        # An attribute: whatever ended the stream (a fault, Ctrl-C) goes on as what it is, also to another process.
        error.scored = scores[:wanted]  # type: ignore[attr-defined]
        raise
    return scores


def _numbers(metric: Metric, found: Sequence[float]) -> list[float]:
    try:
        return [float(value) for value in found]
    except (TypeError, ValueError) as error:
        raise AssayError(f"{metric.name} gave a score that is not a number: {error}") from error
