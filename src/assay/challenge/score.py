"""Score a challenge set with a metric: each distinct segment once, in batches, on any executor.

    scores = score(challenge, "BLEU")
    with open_executor("local", jobs=2) as executor:
        scores = score(challenge, load_metric("mine=cmd:./mine.py"), journal, executor=executor)

A journal gets the scores of an item as soon as both of its translations have one, in the order of the items. What it
has from an earlier run is not scored again. Nor is what a store of known scores has: that goes by content, so that
another set with the same segments is served too.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from itertools import islice
from typing import Protocol

import numpy as np

from assay.challenge.block_scorer import BlockScorer, scored_before
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, MetricScores, Segment
from assay.challenge.metric import BATCH, NO_SCORE, Metric, covers, fitted, load_metric
from assay.errors import AssayError, BadOption
from assay.languages import split_pair
from assay.parallel import HERE, Executor
from assay.progress import Progress

Row = tuple[float, float]

WINDOW = 16
"""Batches among which segments are sorted by length. Scores are in the journal when all of a window are there, so it
must not grow with the set."""


class Journal(Protocol):
    """Keeps the scores of items, in their order, while a metric is running."""

    @property
    def rows(self) -> Sequence[Row]:
        """The scores of the first items."""
        ...

    def append(self, rows: Sequence[Row]) -> None:
        """Keep the scores of the next items, durably if the journal is a file."""
        ...


class KnownScores(Protocol):
    """Scores by content, from whichever run."""

    def get(self, segment: Segment) -> float | None:
        """The score of a segment, if there is one."""
        ...

    def add(self, segments: Sequence[Segment], scores: Sequence[float]) -> None:
        """Keep the scores of segments."""
        ...


class MemoryJournal:
    """A journal that lasts as long as the run."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def append(self, rows: Sequence[Row]) -> None:
        self.rows += rows


def score(
    challenge: ChallengeSet,
    metric: Metric | str,
    journal: Journal | None = None,
    *,
    executor: Executor = HERE,
    batch: int | None = None,
    progress: Progress | None = None,
    known: KnownScores | None = None,
) -> MetricScores:
    """The scores of a metric for every item, continuing where the journal ends.

    `executor` runs the metric (`assay.parallel.open_executor`), in several processes only if the metric allows it.
    `batch` is the number of segments per call; None leaves that to the metric. `known` has scores by content.
    """
    if batch is not None and batch < 1:
        raise BadOption(f"a batch of {batch} segments scores nothing; give at least 1")
    chosen = fitted(load_metric(metric) if isinstance(metric, str) else metric, target_languages(challenge))
    kept = MemoryJournal() if journal is None else journal
    by_language = getattr(chosen, "needs_language", False)
    pairs = [_pair(item, chosen, _target(item, challenge) if by_language else "") for item in challenge.items]
    scores = {
        segment: there
        for pair, row in zip(pairs[: len(kept.rows)], kept.rows, strict=True)
        for segment, there in zip(pair, row, strict=True)
    }
    scores |= _known_before(chosen, challenge, pairs, known)
    # Distinct and in order of appearance, so that items are complete, and in the journal, as early as possible.
    missing = list(dict.fromkeys(segment for pair in pairs for segment in pair if segment not in scores))
    size: int = getattr(chosen, "batch", BATCH) if batch is None else batch
    blocks = _blocks(missing, size, by_length=getattr(chosen, "by_length", False))
    # closing: after an error here the executor must not go on scoring.
    with closing(_scored(chosen, blocks, executor)) as working:
        for segments, found in working:
            scores.update(zip(segments, found, strict=True))
            if known is not None and segments:
                known.add(segments, found)
            rows = _complete(islice(pairs, len(kept.rows), None), scores)
            if rows:
                kept.append(rows)
            if progress is not None:
                progress(len(rows))
    values = np.array(kept.rows, dtype=np.float64).reshape(-1, 2)
    return MetricScores(chosen.name, values, chosen.group, chosen.higher_is_better, chosen.signature)


def target_languages(challenge: ChallengeSet) -> list[str]:
    """The target languages of a set, each once; none where it does not say."""
    return [*filter(None, dict.fromkeys(_target(item, challenge) for item in challenge.items))]


def _target(item: ChallengeItem, challenge: ChallengeSet) -> str:
    """The item's own target language, else the set's; empty where it is not known, or not one."""
    pair = getattr(item, "langpair", "") or challenge.langpair
    return _target_of(pair)


@cache
def _target_of(pair: str) -> str:
    target = split_pair(pair)[1] if "-" in pair else ""
    return "" if target in ("mul", "und", "xx") else target


def _known_before(
    metric: Metric,
    challenge: ChallengeSet,
    pairs: Sequence[tuple[Segment, Segment]],
    known: KnownScores | None,
) -> dict[Segment, float]:
    """Scores that need no metric: none for languages that it is not for, and those that are known by content."""
    found: dict[Segment, float] = {}
    if known is None and not getattr(metric, "languages", ()):
        return found
    for item, pair in zip(challenge.items, pairs, strict=True):
        foreign = not covers(metric, _target(item, challenge))
        for segment in pair:
            score = NO_SCORE if foreign else known.get(segment) if known is not None else None
            if score is not None:
                found[segment] = score
    return found


def _blocks(segments: Sequence[Segment], size: int, *, by_length: bool) -> list[Sequence[Segment]]:
    """Batches; with `by_length` each of segments that are about as long, within a window of batches."""
    step = size * WINDOW
    ordered = list(segments)
    if by_length:
        ordered = [
            segment
            for start in range(0, len(segments), step)
            for segment in sorted(segments[start : start + step], key=_length, reverse=True)
        ]
    return [ordered[start : start + size] for start in range(0, len(ordered), size)]


def _length(segment: Segment) -> int:
    return len(segment.source) + len(segment.hypothesis) + len(segment.reference)


def _pair(item: ChallengeItem, metric: Metric, language: str) -> tuple[Segment, Segment]:
    """Both translations of an item; a source or reference that the metric does not use is left empty."""
    for needed, text, what in (
        (metric.needs_reference, item.reference, "reference"),
        (metric.needs_source, item.source, "source"),
    ):
        if needed and not text.strip():
            raise AssayError(
                f"{metric.name} needs a {what}, and the challenge item {item.id!r} has none; "
                f"add it or take a metric that works without"
            )
    # Left empty, equal translations beside different references are one segment, and scored once.
    source = item.source if metric.needs_source else ""
    reference = item.reference if metric.needs_reference else ""
    return Segment(source, item.first, reference, language), Segment(source, item.second, reference, language)


Piece = tuple[Sequence[Segment], Sequence[float]]


def _scored(metric: Metric, blocks: Sequence[Sequence[Segment]], executor: Executor) -> Generator[Piece, None, None]:
    """Segments and their scores, block by block; of a block that fails, the scores it had before."""
    yield [], []  # items whose translations all occur in earlier ones need no metric
    if not blocks:
        return
    done = 0
    try:
        with closing(executor.map(BlockScorer(metric), blocks, one_per_machine=not metric.parallel)) as working:
            for scores in working:
                done += 1
                yield blocks[done - 1], scores
    # Also Ctrl-C: what was paid for is handed over before the error goes on.
    except BaseException as error:
        scores = scored_before(error)
        if scores:
            yield blocks[done][: len(scores)], scores
        raise


def _complete(pairs: Iterable[tuple[Segment, Segment]], scores: Mapping[Segment, float]) -> list[Row]:
    """The scores of items up to the first that lacks one."""
    rows = []
    for first, second in pairs:
        if first not in scores or second not in scores:
            break
        rows.append((scores[first], scores[second]))
    return rows
