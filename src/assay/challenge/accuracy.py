"""What metrics get right: accuracies per phenomenon and category with clusters, ties, intervals.

    evaluation = evaluate_metrics(challenge, [scores, …], test="bootstrap")
    for row in evaluation.rows(by="category"):
        print(row.category, row.size, [cell.accuracy for cell in row.cells])

A metric is right on a challenge item if it scores the correct translation strictly higher (lower, where lower is
better). A tie is wrong, and counted on its own beside it; an item without a score is neither right nor a tie.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from assay import __version__
from assay.challenge import notes
from assay.challenge.analysis import MEASURES, by_language, curve, never_right, redundancies
from assay.challenge.challenge_set import ChallengeSet, MetricScores
from assay.challenge.closeness import Difficulty, difficulty
from assay.challenge.rows import FEWEST_SOURCES, INTERVAL_DRAWS, MetricRow, competing, count_outcomes, source_numbers
from assay.errors import BadOption
from assay.evaluation import Choices, Settings, Tails, Test
from assay.evaluation.rows import RowsByLevel
from assay.evaluation.significance import Sample, resampled_intervals
from assay.evaluation.tally import Mask, groupings_of
from assay.parallel import HERE, Executor
from assay.progress import Progress
from assay.result import By, Note, Signature
from assay.stats.proportions import Floats

if TYPE_CHECKING:
    from assay.challenge.document import (
        ChallengeDocument,
        CurvesDocument,
        DifficultyDocument,
        LanguageDocument,
        MetricDocument,
        RedundancyDocument,
    )


DEFAULT_TEST: Test = "randomization"
CLUSTERED: tuple[Test, ...] = ("randomization", "bootstrap")
"""Tests that take a source with all its challenge items for one observation."""


@dataclass(frozen=True)
class MetricEvaluation(RowsByLevel[MetricRow]):
    """What metrics can and cannot tell apart.

    `metrics` are in table order, and so are the columns of `right` (challenge items × metrics).
    """

    challenge: ChallengeSet
    settings: Settings
    metrics: list[MetricScores]
    right: Mask = field(repr=False)
    sample: Sample = field(repr=False)
    """What the tests see; metrics in table order."""
    known_intervals: dict[bytes, tuple[Floats, Floats]] = field(default_factory=dict, repr=False, compare=False)
    """Intervals of groups that were asked for before; tables, figures and data want the same ones."""

    @property
    def columns(self) -> list[str]:
        """Names of the metrics in table order."""
        return [scores.name for scores in self.metrics]

    @cached_property
    def sources(self) -> NDArray[np.intp]:
        """The source of each challenge item, as a number."""
        return source_numbers(self.challenge)

    @cached_property
    def competing(self) -> list[int]:
        """Columns of the metrics that compete: all but controls."""
        return competing(self.metrics)

    @property
    def signature(self) -> Signature:
        """Everything that a number of this depends on, except the scores."""
        chosen = {name: value for name, value in self.settings.signature_fields.items() if name != "policy"}
        return Signature.of({"set": self.challenge.exact_name, **chosen})

    def intervals_of(self, members: NDArray[np.intp], number: int) -> tuple[Floats, Floats]:
        """95 % intervals of accuracies in groups of challenge items; groups × metrics in table order, else NaN."""
        key = members.tobytes() + bytes(number)
        if key not in self.known_intervals:
            self.known_intervals[key] = self._intervals(members, number)
        return self.known_intervals[key]

    def _intervals(self, members: NDArray[np.intp], number: int) -> tuple[Floats, Floats]:
        groups = groupings_of([("", str(member)) for member in members], {"": map(str, range(number))})
        found = resampled_intervals(
            replace(self.sample, grouping=groups), draws=INTERVAL_DRAWS, seed=self.settings.seed
        )
        low, high = found["phenomenon"]
        places = np.unique(np.stack([members, self.sources]), axis=1)[0]
        few = np.bincount(places, minlength=number) < FEWEST_SOURCES
        low[few], high[few] = np.nan, np.nan
        return low, high

    def notes(self, by: By = "category") -> tuple[Note, ...]:
        """What a reader of these rows must know, signatures last."""
        remarks = (
            *notes.about_counting(self.metrics, self.detail_rows(by), self.averages()[0]),
            *notes.about_controls(self.metrics, self.detail_rows(by)),
            *notes.about_difficulty(self.challenge),
        )
        return (
            *notes.about_test(self.settings, self.averages()[0]),
            *map(Note, remarks),
            *notes.signatures(self.challenge, self.metrics),
            Note.signature(self.signature),
        )

    def to_dict(self, by: By = "both") -> "ChallengeDocument":
        """The JSON document."""
        challenge, micro = self.challenge, self.averages()[0]
        curves = {
            over: [asdict(band) | {"cells": list(map(asdict, band.cells))} for band in curve(self, over)]
            for over in MEASURES
        }
        return {
            "assay": __version__,
            "signature": self.signature,
            "set": {
                "name": challenge.name,
                "langpair": challenge.langpair,
                "hash": challenge.hash,
                "size": micro.size,
                "items": micro.items,
                "sources": micro.sources,
                "signature": challenge.signature,
            },
            "metrics": self._metric_documents(),
            # An empty set cannot be evaluated, so there is one.
            "difficulty": cast("DifficultyDocument", asdict(cast(Difficulty, difficulty(challenge.items)))),
            "columns": self.columns,
            "rows": [row.to_dict() for row in self.rows(by)],
            "redundancy": [
                cast("RedundancyDocument", asdict(pair) | {"shared": pair.shared}) for pair in redundancies(self)
            ],
            "curves": cast("CurvesDocument", curves),
            "never_right": [item.id for item in never_right(self)],
            "languages": [
                cast("LanguageDocument", asdict(part) | {"cells": list(map(asdict, part.cells))})
                for part in by_language(self)
            ],
        }

    def _metric_documents(self) -> "list[MetricDocument]":
        return [
            {
                "name": scores.name,
                "group": scores.group,
                "higher_is_better": scores.higher_is_better,
                "signature": scores.signature,
                # The row over everything has all counts.
                "ties": cell.ties or 0,
                "undefined": cell.undefined or 0,
            }
            for scores, cell in zip(self.metrics, self.averages()[0].cells, strict=True)
        ]


def chosen_settings(**choices: Unpack[Choices]) -> Settings:
    """Settings of an evaluation of metrics; tests that resample sources are two-tailed."""
    test = choices.get("test", DEFAULT_TEST)
    tails: Tails = 2 if test in CLUSTERED else 1
    usual: Choices = {"test": test, "tails": tails}
    return Settings(**(usual | choices))


def evaluate_metrics(
    challenge: ChallengeSet,
    scores: Sequence[MetricScores],
    *,
    executor: Executor = HERE,
    progress: Progress | None = None,
    **choices: Unpack[Choices],
) -> MetricEvaluation:
    """Count what metrics get right. Keywords are those of `Settings`: test, alpha, correction, draws, seed.

    The default, randomization, and bootstrap swap, or draw, all challenge items of a source together, and are
    two-tailed: the data say which of two metrics is the better one. The z-test and McNemar's take challenge items for
    independent, and are one-tailed, as published. `executor` makes the draws and tells `progress` of them.
    """
    if challenge.is_blind:
        raise BadOption("the set is blind: give its key, so that one knows which translation is right")
    if not challenge.items:
        raise BadOption("the challenge set is empty")
    if not scores:
        raise BadOption("there are no metrics to evaluate")
    names = Counter(given.name for given in scores)
    for given in scores:
        if names[given.name] > 1:
            raise BadOption(f"the metric {given.name!r} is given twice; rename one with NAME=FILE")
        if given.values.shape != (len(challenge), 2):
            raise BadOption(f"{given.name} has scores for {len(given.values):,} of {len(challenge):,} challenge items")
        if np.isnan(given.values).all():
            raise BadOption(f"{given.name} has no score that is a number")
    settings = chosen_settings(**choices)
    found = count_outcomes(challenge, scores, settings, executor=executor, progress=progress)
    sample = found.sample.only(found.order)
    return MetricEvaluation(
        challenge=challenge,
        settings=settings,
        metrics=[scores[column] for column in found.order],
        right=sample.correct,
        sample=sample,
        levels=found.rows_by_level(),
    )
