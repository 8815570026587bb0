"""Replay of judging: hide what is known, let somebody judge n texts, compare each policy with the truth.

    result = replay(table, share=0.3, numbers=(100, 200), draws=200)
    for line in result.lines:
        print(line.judged, line.policy, line.level, line.between)

Exact rules are what linguists judged once. They are hidden, all or a random share of them, and n of the hidden texts
are judged again: for the estimate in the order of a new draw, for `fair` in the order of the queue, cheapest items
first. Items with a text that is undecided even now have no truth, and are left out.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.errors import BadOption
from assay.evaluation.estimate import Estimate, estimate_of
from assay.evaluation.tally import Grouping, groupings
from assay.prediction import TextPairs, predict, text_pairs
from assay.progress import Progress
from assay.stats.proportions import Floats, divide
from assay.stats.sampling import HEAVIEST, inclusion
from assay.verdicts import Verdict, VerdictTable
from assay.verdicts.draw import Sampled, sizes_of
from assay.verdicts.written_texts import WrittenTexts, written_texts

Replayed = Literal["estimate", "fair", "suggestions"]
"""Policies: the estimate; items decided for all; predictions counted as if they were verdicts."""

LARGE = 30
"""Items of a category whose intervals are looked at."""


@dataclass(frozen=True, slots=True)
class ReplayLine:
    """A policy after so many judgements; errors are root mean squares over draws and systems, in points.

    `level` is the error that all systems have in common, `between` what is left of it: the error of a comparison.
    `covered` is how often 95 % intervals of the micro-average held the truth, `pairs` those of differences between two
    systems, `categories` those of categories with at least 30 items; None where a policy has no intervals.
    """

    judged: int
    of: int
    policy: Replayed
    level: float
    between: float
    covered: float | None = None
    pairs: float | None = None
    categories: float | None = None


@dataclass(frozen=True)
class Replay:
    """Lines by judgements and policy. `hidden` is the share of the judged texts that was hidden."""

    name: str
    hidden: float
    draws: int
    seed: int
    items: int
    systems: int
    lines: tuple[ReplayLine, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON document."""
        return {**asdict(self), "lines": [asdict(line) for line in self.lines]}


def replay(
    table: VerdictTable,
    *,
    share: float = 1.0,
    numbers: Sequence[int] = (100, 200, 400),
    draws: int = 200,
    seed: int = 1,
    progress: Progress | None = None,
) -> Replay:
    """Hide a share of what was judged and judge it again, `draws` times for each number of judgements."""
    decided = (table.verdicts != Verdict.WARNING).all(axis=1)
    known = replace(table, items=table.items[decided], verdicts=table.verdicts[decided])
    texts = written_texts(known)
    if not texts.judged.any():
        raise BadOption("no text is decided by an exact rule or a judgement; there is nothing to hide")
    bench = _Bench(texts, text_pairs(texts, wanted=texts.judged), groupings(known.suite, known.items)["category"])
    errors: dict[tuple[int, Replayed], list[_Trial]] = defaultdict(list)
    sizes: dict[int, int] = {}
    for turn in range(draws):
        chance = np.random.default_rng([seed, turn])
        hidden = texts.judged & (chance.random(len(texts.texts)) < share)
        for number in numbers:
            if number < np.count_nonzero(hidden):
                sizes[number] = int(np.count_nonzero(hidden))
                for policy, trial in bench.trials(hidden, number, chance):
                    errors[number, policy].append(trial)
        if progress:
            progress(1)
    lines = [_line(number, sizes[number], policy, trials) for (number, policy), trials in errors.items()]
    return Replay(
        known.suite.exact_name, share, draws, seed, len(known.items), len(known.outputs.systems), tuple(lines)
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    """Errors of the systems; whether intervals held the truth, of micro-averages, pairs and categories."""

    errors: Floats
    covered: Sequence[NDArray[np.bool_]] = ()


class _Bench:
    """What stays the same from trial to trial."""

    def __init__(self, texts: WrittenTexts, pairs: TextPairs, categories: Grouping) -> None:
        self.texts, self.pairs = texts, pairs
        self.whole = Grouping(np.zeros(len(categories.members), dtype=np.intp), [(None, None)])
        large = np.bincount(categories.members, minlength=len(categories.names)) >= LARGE
        self.categories, self.large = categories, large
        self.written = texts.numbers >= 0
        self.places = np.where(self.written, texts.numbers, 0)
        self.passes = texts.verdicts == Verdict.PASS
        self.right = np.where(self.written, self.passes[self.places], 0.0)
        self.truth = self.right.mean(axis=0)
        self.sizes = sizes_of(texts)

    def trials(
        self, hidden: NDArray[np.bool_], number: int, chance: np.random.Generator
    ) -> Iterator[tuple[Replayed, _Trial]]:
        found = self._estimate(hidden, number, chance)
        if found is not None:
            estimate, prediction = found
            yield "estimate", self._checked(estimate)
            guessed = np.where(hidden, prediction >= 0.5, self.passes)
            yield "suggestions", _Trial(self._mean(guessed) - self.truth)
        yield "fair", _Trial(self._fair(hidden, number, chance) - self.truth)

    def _estimate(
        self, hidden: NDArray[np.bool_], number: int, chance: np.random.Generator
    ) -> tuple[Estimate, Floats] | None:
        """An estimate from the texts of highest priority; None where some would stand for too many."""
        priorities = np.where(hidden, self.sizes / (1 - chance.random(len(hidden))), 0.0)
        order = np.argsort(-priorities, kind="stable")
        judged = np.zeros(len(hidden), bool)
        judged[order[:number]] = True
        chances = np.where(hidden, inclusion(self.sizes, float(priorities[order[number]])), 1.0)
        if 1 / chances.min() > HEAVIEST:
            return None
        verdicts = np.where(hidden & ~judged, Verdict.WARNING, self.texts.verdicts).astype(np.int8)
        texts = replace(self.texts, verdicts=verdicts)
        prediction = predict(texts, self.pairs, judged)
        estimate = estimate_of(texts, Sampled(order[:number], chances, 0, (), 0), prediction)
        return estimate, np.where(judged, self.passes, prediction.shares)

    def _checked(self, estimate: Estimate) -> _Trial:
        """The errors of an estimate, and whether its intervals for these items held the truth."""
        micro, rows = estimate.rows(self.whole), estimate.rows(self.categories)
        truths = np.zeros(rows.accuracy.shape)
        np.add.at(truths, self.categories.members, self.right)
        truths = divide(truths, np.bincount(self.categories.members, minlength=len(truths))[:, None])
        # Where nothing is uncertain there is nothing to cover.
        asked = self.large[:, None] & (rows.text_variance > 0)
        held = (rows.low_here - 1e-12 <= truths) & (truths <= rows.high_here + 1e-12)
        first, second = np.triu_indices(len(self.truth), 1)
        variance = _pair_variance(estimate, first, second) / len(self.right) ** 2
        error = micro.accuracy[0] - self.truth
        pairs = np.abs(error[first] - error[second]) <= 1.96 * np.sqrt(variance)
        covered = (micro.low_here[0] <= self.truth) & (self.truth <= micro.high_here[0])
        return _Trial(error, (covered, pairs[variance > 0], held[asked]))

    def _fair(self, hidden: NDArray[np.bool_], number: int, chance: np.random.Generator) -> Floats:
        """The accuracies on items that are decided for all, after the cheapest ones were judged."""
        needed = np.bincount(self.texts.rows[hidden], minlength=len(self.right))
        order = chance.permutation(len(needed))
        order = order[np.argsort(needed[order], kind="stable")]
        counted = np.zeros(len(needed), bool)
        counted[order[: np.searchsorted(np.cumsum(needed[order]), number, side="right")]] = True
        return np.asarray(self.right[counted].mean(axis=0))

    def _mean(self, values: NDArray[np.bool_]) -> Floats:
        return np.asarray(np.where(self.written, values[self.places], 0.0).mean(axis=0))


def _pair_variance(estimate: Estimate, first: NDArray[np.intp], second: NDArray[np.intp]) -> Floats:
    """The variance of differences of sums, by the sampling of texts: what both wrote cancels out."""
    differs = estimate.outputs[:, first] != estimate.outputs[:, second]
    both = estimate.variances[:, first] + estimate.variances[:, second]
    return np.asarray(np.where(differs, both, 0.0).sum(axis=0))


def _line(number: int, size: int, policy: Replayed, trials: Sequence[_Trial]) -> ReplayLine:
    errors = 100 * np.stack([trial.errors for trial in trials])
    common = errors.mean(axis=1, keepdims=True)
    level, between = (float(np.sqrt((of**2).mean())) for of in (common, errors - common))
    if not trials[0].covered:
        return ReplayLine(number, size, policy, level, between)
    held = [np.concatenate(kind) for kind in zip(*(trial.covered for trial in trials), strict=True)]
    return ReplayLine(number, size, policy, level, between, *(float(of.mean()) if len(of) else None for of in held))
