"""Two systems, or one before and after a change: what got better, what got worse, and on which items.

comparison = compare(suite, outputs)        # of two systems, the one before first
for change in comparison.changes(by="category"):
    print(change.category, change.difference, change.p)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Unpack

import numpy as np

from assay.errors import BadOption
from assay.evaluation.evaluation import By, Evaluation, Row, evaluate
from assay.evaluation.settings import Choices, Correction, Progress
from assay.evaluation.significance import CORRECT, pair_p
from assay.evaluation.tally import Level
from assay.outputs import Outputs
from assay.parallel import HERE, Executor
from assay.stats.power import items_needed
from assay.suites import Suite
from assay.verdicts import Finding, Judged

Outcome = Literal["better", "worse", "same"]


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One row of a comparison. `only_first` and `only_second` count the items that only one got right.

    `p` is one-tailed in the direction of the change, corrected over all rows of the comparison. `needed` is how many
    items of this kind a paired test would need to tell the two apart (power 0.8), had they the same differences.
    """

    level: Level
    category: str | None
    phenomenon: str | None
    items: int
    first: float | None
    second: float | None
    difference: float | None
    only_first: int | None
    only_second: int | None
    p: float | None
    outcome: Outcome
    needed: int | None


@dataclass(frozen=True, slots=True)
class ItemChange:
    """An item that only one of the two got right."""

    first: Judged
    second: Judged


@dataclass(frozen=True)
class Comparison:
    """Two systems on the items that count for both; columns 0 and 1 of the verdict table."""

    evaluation: Evaluation
    correction: Correction

    @property
    def names(self) -> tuple[str, str]:
        """Labels of the two, in the order they were given."""
        from assay.verdicts import labels

        first, second = labels(self.evaluation.table.outputs.systems)
        return first, second

    @property
    def signature(self) -> str:
        """The evaluation's, with the correction over the rows of the pair."""
        return self.evaluation.signature.replace("correction:none", f"correction:{self.correction}")

    def changes(self, by: By = "category") -> list[ComparisonRow]:
        """Rows and averages with their change; the correction is over all of them."""
        rows = self.evaluation.rows(by)
        raw = [self._p[row.level][self._number(row)] for row in rows]
        adjusted = CORRECT[self.correction](np.array(raw, dtype=np.float64))
        return [self._change(row, float(p)) for row, p in zip(rows, adjusted, strict=True)]

    def worse(self, by: By = "category") -> list[ComparisonRow]:
        """Rows in which the second system is significantly worse."""
        return [change for change in self.changes(by) if change.outcome == "worse"]

    @cached_property
    def lost(self) -> list[ItemChange]:
        """Items that only the first got right, in the order of the taxonomy."""
        return list(self._only(0))

    @cached_property
    def gained(self) -> list[ItemChange]:
        """Items that only the second got right."""
        return list(self._only(1))

    @cached_property
    def _p(self) -> dict[Level, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
        return pair_p(self.evaluation.sample, self.evaluation.tested)

    def _number(self, row: Row) -> int:
        if row.category is None:
            return 0
        names = self.evaluation.sample.grouping[row.level].names
        return names.index((row.category, row.phenomenon))

    def _change(self, row: Row, p: float) -> ComparisonRow:
        cells = {cell.system: cell for cell in row.cells}
        first, second = (cells[system].accuracy for system in self.evaluation.table.outputs.systems)
        difference = None if first is None or second is None else second - first
        significant = not np.isnan(p) and p < self.evaluation.settings.alpha
        outcome: Outcome = "same"
        if significant and difference:
            outcome = "better" if difference > 0 else "worse"
        only_first, only_second, both = self._discordant(row)
        needed = None
        if only_first is not None and only_second is not None and both:
            needed = items_needed(only_first / both, only_second / both, alpha=self.evaluation.settings.alpha)
        return ComparisonRow(
            row.level,
            row.category,
            row.phenomenon,
            row.items,
            first,
            second,
            difference,
            only_first,
            only_second,
            None if np.isnan(p) else p,
            outcome,
            needed,
        )

    def _discordant(self, row: Row) -> tuple[int | None, int | None, int]:
        """Items that only one of the two got right, of how many that count for both; a mean over rows has none."""
        if row.level in ("category_macro", "phenomenon_macro"):
            return None, None, 0
        sample = self.evaluation.sample
        members = (sample.grouping[row.level].members == self._number(row)) & sample.counted.all(axis=1)
        first, second = sample.correct[members].T
        return int((first & ~second).sum()), int((second & ~first).sum()), int(members.sum())

    def _only(self, column: int) -> Iterator[ItemChange]:
        table = self.evaluation.table
        sample = self.evaluation.sample
        both = sample.counted.all(axis=1)
        rows = np.flatnonzero(both & sample.correct[:, column] & ~sample.correct[:, 1 - column])
        ranks = {pair: rank for rank, pair in enumerate(table.suite.phenomena)}
        found = [(table.suite.items[position], position) for position in table.items[rows].tolist()]
        for item, position in sorted(found, key=lambda pair: ranks[pair[0].category, pair[0].phenomenon]):
            first, second = (
                Judged(item, system, table.outputs.text(position, number), table.finding(position, number))
                for number, system in enumerate(table.outputs.systems)
            )
            yield ItemChange(first, second)


def compare(
    suite: Suite,
    outputs: Outputs,
    *,
    findings: Sequence[Finding | None] | None = None,
    executor: Executor = HERE,
    progress: Progress | None = None,
    **choices: Unpack[Choices],
) -> Comparison:
    """Compare two systems. The outputs must be of exactly two, the one before first.

    `findings`, `executor`: see `evaluate`.
    """
    if len(outputs.systems) != 2:
        names = ", ".join(system.name for system in outputs.systems)
        raise BadOption(f"a comparison needs exactly two systems, not {len(outputs.systems)} ({names})")
    # The correction is over the rows of the pair, so the evaluation itself must not correct.
    correction = choices.pop("correction", "none")
    choices.setdefault("test", "mcnemar")
    evaluation = evaluate(suite, outputs, findings=findings, executor=executor, progress=progress, **choices)
    if evaluation.excluded:
        left = evaluation.excluded[0]
        raise BadOption(f"{left.system.name} cannot be compared: {left.reason}")
    if not evaluation.sample.counted.all(axis=1).any():
        raise BadOption("the two systems share no items that count; check that they are outputs for the same items")
    return Comparison(evaluation, correction)
