"""Score a challenge set with a metric: each distinct segment once, in batches, in several processes.

    scores = score(challenge, "BLEU")
    scores = score(challenge, load_metric("mine=cmd:./mine.py"), journal, jobs=2)

A journal gets the scores of an item as soon as both of its translations have one, in the order of the items. What it
has from an earlier run is not scored again.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Protocol

import numpy as np

from assay.challenge.metric import BATCH, Metric, load_metric
from assay.engine import map_blocks
from assay.model import AssayError, BadOption
from assay.model.challenge import ChallengeItem, ChallengeSet, MetricScores, Segment

Progress = Callable[[int], None]
"""Is told how many more items have got their scores."""

Row = tuple[float, float]


class Journal(Protocol):
    """Keeps the scores of items, in their order, while a metric is at work."""

    @property
    def rows(self) -> Sequence[Row]:
        """The scores of the first items."""
        ...

    def append(self, rows: Sequence[Row]) -> None:
        """Take the scores of the next items, and keep them whatever happens."""
        ...


class Memory:
    """A journal that ends with the run."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def append(self, rows: Sequence[Row]) -> None:
        self.rows += rows


def score(
    challenge: ChallengeSet,
    metric: Metric | str,
    journal: Journal | None = None,
    *,
    jobs: int | None = None,
    batch: int | None = None,
    progress: Progress | None = None,
) -> MetricScores:
    """What a metric says about every item, continuing where the journal ends.

    `jobs` processes score at the same time, None for all usable cores, if the metric allows it; `batch` segments are
    given to the metric at a time, None for as many as it wants.
    """
    if batch is not None and batch < 1:
        raise BadOption(f"a batch of {batch} segments scores nothing; give at least 1")
    chosen = load_metric(metric) if isinstance(metric, str) else metric
    kept = Memory() if journal is None else journal
    pairs = [_pair(item, chosen) for item in challenge.items]
    scores = {
        segment: known
        for pair, row in zip(pairs[: len(kept.rows)], kept.rows, strict=True)
        for segment, known in zip(pair, row, strict=True)
    }
    missing = list(dict.fromkeys(segment for pair in pairs for segment in pair if segment not in scores))
    size: int = getattr(chosen, "batch", BATCH) if batch is None else batch
    blocks = [missing[start : start + size] for start in range(0, len(missing), size)]
    with closing(_scored(chosen, blocks, jobs)) as working:
        for segments, found in working:
            scores.update(zip(segments, found, strict=True))
            rows = _complete(islice(pairs, len(kept.rows), None), scores)
            if rows:
                kept.append(rows)
            if progress is not None:
                progress(len(rows))
    values = np.array(kept.rows, dtype=np.float64).reshape(-1, 2)
    return MetricScores(chosen.name, values, chosen.group, chosen.higher_is_better, chosen.signature)


def _pair(item: ChallengeItem, metric: Metric) -> tuple[Segment, Segment]:
    """Both translations of an item, with no more around them than the metric looks at."""
    for needed, text, what in (
        (metric.needs_reference, item.reference, "reference"),
        (metric.needs_source, item.source, "source"),
    ):
        if needed and not text.strip():
            raise AssayError(
                f"{metric.name} needs a {what}, and the challenge item {item.id!r} has none; "
                f"add it or take a metric that works without"
            )
    source = item.source if metric.needs_source else ""
    reference = item.reference if metric.needs_reference else ""
    return Segment(source, item.first, reference), Segment(source, item.second, reference)


Piece = tuple[Sequence[Segment], Sequence[float]]


def _scored(metric: Metric, blocks: Sequence[Sequence[Segment]], jobs: int | None) -> Generator[Piece, None, None]:
    """Segments and their scores, block by block or, where the metric streams, piece by piece."""
    yield [], []  # items whose translations all occur in earlier ones need no metric
    stream = getattr(metric, "stream", None)
    if stream is None:
        with closing(map_blocks(partial(_score_block, metric), blocks, jobs=jobs if metric.parallel else 1)) as working:
            yield from zip(blocks, working, strict=True)
        return
    for block in blocks:
        done = 0
        with closing(stream(block)) as pieces:
            for piece in pieces:
                before, done = done, done + len(piece)
                if done > len(block):
                    break
                yield block[before:done], _numbers(metric, piece)
        _check_number(metric, done, len(block))


def _score_block(metric: Metric, segments: Sequence[Segment]) -> list[float]:
    found = metric.score(segments)
    if not hasattr(found, "__len__"):
        raise AssayError(
            f"{metric.name} gave no scores but {type(found).__name__}; its function has to return a list of numbers"
        )
    _check_number(metric, len(found), len(segments))
    return _numbers(metric, found)


def _check_number(metric: Metric, found: int, wanted: int) -> None:
    if found != wanted:
        raise AssayError(f"{metric.name} gave {found} scores for {wanted} segments; it has to give one each")


def _numbers(metric: Metric, found: Sequence[float]) -> list[float]:
    try:
        return [float(value) for value in found]
    except (TypeError, ValueError) as error:
        raise AssayError(f"{metric.name} gave a score that is not a number: {error}") from error


def _complete(pairs: Iterable[tuple[Segment, Segment]], scores: Mapping[Segment, float]) -> list[Row]:
    """The scores of items up to the first that lacks one."""
    rows = []
    for first, second in pairs:
        if first not in scores or second not in scores:
            break
        rows.append((scores[first], scores[second]))
    return rows
