"""Two systems, or one before and after a change: what got better, what got worse, and on which items.

comparison = compare(suite, outputs)        # of two systems, the one before first
for change in comparison.changes(by="category"):
    print(change.category, change.difference, change.p)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from assay import __version__
from assay.errors import BadOption
from assay.evaluation.evaluation import Evaluation, evaluate
from assay.evaluation.rows import KeyedRow, Row, RowKey
from assay.evaluation.settings import Choices, Correction
from assay.evaluation.significance import CORRECT, pair_p, pair_p_of
from assay.evaluation.tally import AVERAGES, COUNTED_LEVELS
from assay.outputs import Outputs
from assay.parallel import HERE, Executor
from assay.progress import Progress
from assay.result import By, Note, Signature
from assay.stats.paired import half_tail
from assay.stats.power import items_needed
from assay.suites import Suite
from assay.verdicts import Finding, Judged, Verdict, labels

if TYPE_CHECKING:
    from assay.evaluation.document import ChangedItemDocument, ChangeDocument, ComparisonDocument
    from assay.evaluation.unusable import UnusableKind
    from assay.verdicts.draw import Draw

Outcome = Literal["better", "worse", "same"]


@dataclass(frozen=True, slots=True)
class ComparisonRow(KeyedRow):
    """One row of a comparison. `only_first` and `only_second` count the items that only one got right.

    `p` is one-tailed in the direction of the change, corrected over all rows of the comparison. `needed` is how many
    items of this kind a paired test would need to tell the two apart (power 0.8), had they the same differences.
    """

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

    def to_dict(self) -> "ChangedItemDocument":
        """As in the JSON of a comparison."""
        item = self.first.item
        return {
            "item": item.id,
            "category": item.category,
            "phenomenon": item.phenomenon,
            "source": item.source,
            "first": self.first.text,
            "second": self.second.text,
        }


@dataclass(frozen=True, slots=True)
class ItemMoves:
    """Items that passed, or could at least be judged, and are neither right nor wrong now.

    `undecided` passed before and are a warning now; `unusable` had a usable output and are missing, untranslated,
    refused or looping now, by kind.
    """

    undecided: tuple[ItemChange, ...]
    unusable: "Mapping[UnusableKind, tuple[ItemChange, ...]]"


@dataclass(frozen=True)
class Comparison:
    """Two systems on the items that count for both; columns 0 and 1 of the verdict table.

    `lost` are items that only the first got right, `gained` those that only the second did, in the order of the
    taxonomy.
    """

    evaluation: Evaluation
    correction: Correction
    lost: list[ItemChange] = field(repr=False)
    gained: list[ItemChange] = field(repr=False)
    uncorrected: Mapping[RowKey, ComparisonRow] = field(repr=False)
    """All rows and averages; which of them are shown decides what `changes` corrects over."""

    @property
    def names(self) -> tuple[str, str]:
        """Labels of the two, in the order they were given."""
        first, second = labels(self.evaluation.table.outputs.systems)
        return first, second

    @property
    def columns(self) -> tuple[str, str]:
        """The same."""
        return self.names

    @property
    def p(self) -> float:
        """McNemar's exact test on all items together, one-tailed in the direction of the change; an estimate's own."""
        if self.evaluation.estimate:
            p = self.uncorrected["micro", None, None].p
            return 1.0 if p is None else p
        if self.evaluation.sample.groups is not None:
            return self._group_p
        more, less = sorted((len(self.lost), len(self.gained)), reverse=True)
        return half_tail(more, more + less)

    @cached_property
    def _group_p(self) -> float:
        """The same where a coin decides about whole groups."""
        from assay.evaluation.significance import mcnemars

        sample = self.evaluation.sample
        p = mcnemars(sample, sample.grouping["micro"], sample.shares()["micro"])
        return float(np.nanmin(p, initial=1.0))

    @cached_property
    def moves(self) -> ItemMoves:
        """What became of items that is neither won nor lost."""
        return _moves(self.evaluation)

    @property
    def signature(self) -> Signature:
        """The evaluation's, with the correction over the rows of the pair."""
        return self.evaluation.signature.changed({"correction": self.correction})

    def changes(self, by: By = "category") -> list[ComparisonRow]:
        """Rows and averages with their change; the correction is over all of them."""
        rows = [self.uncorrected[row.key] for row in self.evaluation.rows(by)]
        raw = np.array([np.nan if row.p is None else row.p for row in rows])
        adjusted = CORRECT[self.correction](raw).tolist()
        return [_corrected(row, p, self.evaluation.settings.alpha) for row, p in zip(rows, adjusted, strict=True)]

    def rows(self, by: By = "category") -> list[ComparisonRow]:
        """The same."""
        return self.changes(by)

    def averages(self, by: By = "category") -> list[ComparisonRow]:
        """The micro, category macro and phenomenon macro row; `by` says which rows the correction is over."""
        return [change for change in self.changes(by) if change.level in AVERAGES]

    def worse(self, by: By = "category") -> list[ComparisonRow]:
        """Rows in which the second system is significantly worse."""
        return [change for change in self.changes(by) if change.outcome == "worse"]

    def notes(self, by: By = "category") -> tuple[Note, ...]:
        """What a reader of these rows must know, the signature last."""
        settings, (first, second) = self.evaluation.settings, self.names
        return (
            Note(
                f"▲ better, ▼ worse: significant change ({settings.test_in_words}, "
                f"correction over all {len(self.evaluation.rows(by))} rows: {self.correction})."
            ),
            Note(
                f"only: items that only {first} (−) or only {second} (+) got right. needs: items of this kind that a "
                "paired test would need to tell the two apart (power 0.8)."
            ),
            Note(
                f"{self.evaluation.items_counted:,} of {len(self.evaluation.suite):,} items count "
                f"(policy {settings.policy})."
            ),
            Note.signature(self.signature),
        )

    def to_dict(self, by: By = "category") -> "ComparisonDocument":
        """The JSON document."""
        first, second = self.names
        return {
            "assay": __version__,
            "signature": self.signature,
            "correction": self.correction,
            "first": first,
            "second": second,
            "items": self.evaluation.items_counted,
            "rows": [cast("ChangeDocument", asdict(change)) for change in self.changes(by)],
            "lost": [change.to_dict() for change in self.lost],
            "gained": [change.to_dict() for change in self.gained],
        }


def _corrected(row: ComparisonRow, p: float, alpha: float) -> ComparisonRow:
    """The row with its corrected p, which decides whether it is better or worse."""
    if np.isnan(p):
        return row
    outcome: Outcome = "same"
    if p < alpha and row.difference:
        outcome = "better" if row.difference > 0 else "worse"
    return replace(row, p=p, outcome=outcome)


def compare(
    suite: Suite,
    outputs: Outputs,
    *,
    findings: Sequence[Finding | None] | None = None,
    executor: Executor = HERE,
    progress: Progress | None = None,
    draw: "Draw | None" = None,
    **choices: Unpack[Choices],
) -> Comparison:
    """Compare two systems. The outputs must be of exactly two, the one before first.

    `findings`, `executor`, `draw`: see `evaluate`.
    """
    if len(outputs.systems) != 2:
        names = ", ".join(system.name for system in outputs.systems)
        raise BadOption(f"a comparison needs exactly two systems, not {len(outputs.systems)} ({names})")
    # The correction is over the rows of the pair, so the evaluation itself must not correct.
    correction = choices.pop("correction", "none")
    choices.setdefault("test", "ztest" if choices.get("policy") == "estimate" else "mcnemar")
    evaluation = evaluate(suite, outputs, findings=findings, executor=executor, progress=progress, draw=draw, **choices)
    if evaluation.excluded:
        left = evaluation.excluded[0]
        raise BadOption(f"{left.system.name} cannot be compared: {left.reason}")
    # With `keep_all` nobody is asked whether that can be meant: a gate must say what became of the outputs.
    if not evaluation.settings.keep_all and not evaluation.sample.counted.all(axis=1).any():
        raise BadOption("the two systems share no items that count; check that they are outputs for the same items")
    lost, gained = (list(_only(evaluation, column)) for column in (0, 1))
    return Comparison(evaluation, correction, lost, gained, _uncorrected(evaluation))


def _uncorrected(evaluation: Evaluation) -> dict[RowKey, ComparisonRow]:
    """All rows with the p of the better of the two being better, not corrected."""
    if evaluation.estimate:
        p = evaluation.estimate.pair_p(evaluation.sample.grouping, 0, 1)
    else:
        p = pair_p(evaluation.sample, evaluation.tested)
    for count in evaluation.counts:
        p[count.level] = pair_p_of(count.accuracy, evaluation.tested[count.level].p)
    return {
        row.key: _change(evaluation, row, number, float(p[level][number]))
        for level, rows in evaluation.levels.items()
        for number, row in enumerate(rows)
    }


def _change(evaluation: Evaluation, row: Row, number: int, p: float) -> ComparisonRow:
    """A row, the `number`-th of its level; nothing is said about its outcome yet."""
    cells = {cell.system: cell for cell in row.cells}
    first, second = (cells[system].accuracy for system in evaluation.table.outputs.systems)
    only_first, only_second, both = _discordant(evaluation, row, number)
    needed = None
    # How many items an estimate would need depends on how many of them are judged.
    if only_first is not None and only_second is not None and both and not evaluation.estimate:
        needed = items_needed(only_first / both, only_second / both, alpha=evaluation.settings.alpha)
    return ComparisonRow(
        *row.key,
        items=row.items,
        first=first,
        second=second,
        difference=None if first is None or second is None else second - first,
        only_first=only_first,
        only_second=only_second,
        p=None if np.isnan(p) else p,
        outcome="same",
        needed=needed,
    )


def _discordant(evaluation: Evaluation, row: Row, number: int) -> tuple[int | None, int | None, int]:
    """Items that only one of the two got right, of how many that count for both; a mean over rows has none."""
    if count := next((count for count in evaluation.counts if count.level == row.level), None):
        both, correct = count.counted.all(axis=1), count.sample.correct
        first, second = correct[both].T
        return int((first & ~second).sum()), int((second & ~first).sum()), int(both.sum())
    if row.level not in COUNTED_LEVELS:
        return None, None, 0
    sample = evaluation.sample
    members = (sample.grouping[row.level].members == number) & _for_both(evaluation)
    first, second = sample.correct[members].T
    return int((first & ~second).sum()), int((second & ~first).sum()), int(members.sum())


def _for_both(evaluation: Evaluation) -> NDArray[np.bool_]:
    """Items that count for both; of an estimate, where all count, those that are decided for both."""
    counts = evaluation.table.verdicts != Verdict.WARNING if evaluation.estimate else evaluation.sample.counted
    return np.asarray(counts.all(axis=1))


def _only(evaluation: Evaluation, column: int) -> Iterator[ItemChange]:
    """Items that only one of the two got right, in the order of the taxonomy."""
    sample = evaluation.sample
    return _changed(evaluation, _for_both(evaluation) & sample.correct[:, column] & ~sample.correct[:, 1 - column])


def _moves(evaluation: Evaluation) -> ItemMoves:
    from assay.evaluation.unusable import KINDS, UnusableOutputs

    verdicts = evaluation.table.verdicts
    before, now = UnusableOutputs.of(evaluation.table).codes.T
    passed = (verdicts[:, 0] == Verdict.PASS) & (before == 0)
    return ItemMoves(
        tuple(_changed(evaluation, passed & (verdicts[:, 1] == Verdict.WARNING) & (now == 0))),
        {
            kind: tuple(_changed(evaluation, (before == 0) & (now == code)))
            for code, kind in enumerate(KINDS, start=1)
            if ((before == 0) & (now == code)).any()
        },
    )


def _changed(evaluation: Evaluation, chosen: NDArray[np.bool_]) -> Iterator[ItemChange]:
    """The chosen ones of the items found, in the order of the taxonomy."""
    table, rows = evaluation.table, np.flatnonzero(chosen)
    ranks = {pair: rank for rank, pair in enumerate(table.suite.phenomena)}
    found = [(table.suite.items[position], position) for position in table.items[rows].tolist()]
    for item, position in sorted(found, key=lambda pair: ranks[pair[0].category, pair[0].phenomenon]):
        first, second = (
            Judged(item, system, table.outputs.text(position, number), table.finding(position, number))
            for number, system in enumerate(table.outputs.systems)
        )
        yield ItemChange(first, second)
