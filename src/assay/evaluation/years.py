"""Several campaigns: systems that return under the same name, on the items common to all of them.

    years = over_years(suite, outputs)          # outputs of systems of two or more campaigns
    for row in years.rows():
        print(row.category, [cell.accuracy for cell in row.cells])

Shown are the systems that take part in at least two campaigns and the best system of each campaign (by category
macro-average among all systems of that campaign). The items are those found in all campaigns on which none of the
shown systems has a warning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Unpack, cast

import numpy as np

from assay import __version__
from assay.errors import BadOption, UnknownName
from assay.evaluation.evaluation import Evaluation, best_system, evaluate, judge_outputs
from assay.evaluation.rows import KeyedRow, Row, RowKey, mean_of
from assay.evaluation.settings import Choices, Correction, Settings
from assay.evaluation.significance import CORRECT, pair_p, pair_p_of, significance
from assay.evaluation.tally import AVERAGES
from assay.outputs import Outputs, System
from assay.parallel import HERE, Executor
from assay.progress import OpenProgress, Progress, no_progress
from assay.result import By, Note, Signature
from assay.suites import Suite
from assay.verdicts import Finding, judge_texts, keep_translated

if TYPE_CHECKING:
    from assay.evaluation.document import (
        DifferenceDocument,
        DifferencesDocument,
        YearCellDocument,
        YearRowDocument,
        YearsDifferenceDocument,
        YearsDocument,
    )
    from assay.verdicts.draw import Draw

Trend = Literal["gain", "loss", ""]
Pair = tuple[System, System]
PairTest = Mapping[RowKey, float]
"""p of the better of a pair being better, for every row; not corrected."""


@dataclass(frozen=True, slots=True)
class YearCell:
    """A system in one campaign. `change` is the difference to its campaign before; a significant one is a `trend`."""

    system: System
    accuracy: float | None
    low: float | None
    high: float | None
    change: float | None
    trend: Trend

    def to_dict(self, *, best: bool) -> "YearCellDocument":
        """As in the JSON of campaigns; `best` says whether it is there as the best of its campaign."""
        return {
            "system": self.system.name,
            "campaign": self.system.campaign,
            "best": best,
            "accuracy": self.accuracy,
            "low": self.low,
            "high": self.high,
            "change": self.change,
            "trend": self.trend,
        }


@dataclass(frozen=True, slots=True)
class YearRow(KeyedRow):
    """A row or an average over all columns."""

    items: int
    cells: tuple[YearCell, ...]


@dataclass(frozen=True, slots=True)
class DifferenceRow(KeyedRow):
    """Differences between two campaigns, a value per returning system, and their mean."""

    items: int
    differences: tuple[float | None, ...]
    trends: tuple[Trend, ...]
    average: float | None


@dataclass(frozen=True)
class Years:
    """An evaluation of all shown systems, with what belongs together."""

    evaluation: Evaluation
    campaigns: tuple[str, ...]
    best: dict[str, System]
    correction: Correction
    tested: Mapping[Pair, PairTest] = field(default_factory=dict, repr=False)
    """Tests of the pairs that are going to be shown; those of others are made when they are asked for."""

    @property
    def signature(self) -> Signature:
        """The evaluation's, with the correction over the rows of a pair."""
        return self.evaluation.signature.changed({"correction": self.correction})

    @property
    def systems(self) -> tuple[System, ...]:
        """All shown systems as columns of the verdict table."""
        return self.evaluation.table.outputs.systems

    @cached_property
    def returning(self) -> list[str]:
        """Names that stand in two or more campaigns, those of the last campaign first, by category macro-average."""
        names = [system.name for system in self.systems]
        last = {campaign: number for number, campaign in enumerate(self.campaigns)}
        # A stable sort: within a campaign systems stay in the order of their macro-average.
        ranked = sorted(self.evaluation.systems, key=lambda system: -last[system.campaign])
        return [name for name in dict.fromkeys(system.name for system in ranked) if names.count(name) > 1]

    @cached_property
    def columns(self) -> list[System]:
        """Returning systems, each with its campaigns in order; then the best of each campaign."""
        found = [
            system
            for name in self.returning
            for campaign in self.campaigns
            for system in self.systems
            if (system.name, system.campaign) == (name, campaign)
        ]
        return [*found, *(self.best[campaign] for campaign in self.campaigns)]

    @property
    def own(self) -> int:
        """How many columns are of returning systems; the others are the best of each campaign."""
        return len(self.columns) - len(self.campaigns)

    def rows(self, by: By = "category") -> list[YearRow]:
        """Accuracies, and what changed since the campaign before; corrected over the rows of each pair."""
        rows = self.evaluation.rows(by)
        trends = {pair: self._trends(rows, pair) for pair in self.consecutive()}
        return [self._row(number, row, trends) for number, row in enumerate(rows)]

    def differences(self, first: str, second: str, by: By = "category") -> list[DifferenceRow]:
        """What changed between two campaigns, for the systems that are in both."""
        for campaign in (first, second):
            if campaign not in self.campaigns:
                raise UnknownName("campaign", campaign, self.campaigns)
        pairs = self.pairs(first, second)
        if not pairs:
            raise BadOption(f"no system takes part in both {first} and {second}")
        rows = self.evaluation.rows(by)
        changed = [self._trends(rows, pair) for pair in pairs]
        found = []
        for number, row in enumerate(rows):
            values = [changes[number][0] for changes in changed]
            trends = tuple(changes[number][1] for changes in changed)
            found.append(DifferenceRow(*row.key, row.items, tuple(values), trends, mean_of(values)))
        return found

    def averages(self, by: By = "category") -> list[YearRow]:
        """The micro, category macro and phenomenon macro row; `by` says which rows the correction is over."""
        return [row for row in self.rows(by) if row.level in AVERAGES]

    def pairs(self, first: str, second: str) -> list[Pair]:
        """The same system in two campaigns."""
        by_key = {(system.name, system.campaign): system for system in self.systems}
        return [
            (by_key[name, first], by_key[name, second])
            for name in self.returning
            if (name, first) in by_key and (name, second) in by_key
        ]

    def consecutive(self) -> list[Pair]:
        """Each system with its own next campaign; the best of a campaign with the best of the next."""
        continued = zip(self._before, self.columns, strict=True)
        return list(dict.fromkeys((before, system) for before, system in continued if before))

    @cached_property
    def _before(self) -> list[System | None]:
        """The column that each one continues: the same system, or the best, of the campaign before."""
        own, bests = self.columns[: self.own], self.columns[self.own :]
        same = [before if before.name == system.name else None for before, system in pairwise(own)]
        return [*[None, *same][: self.own], None, *bests[:-1]]

    def _trends(self, rows: Sequence[Row], pair: Pair) -> list[tuple[float | None, Trend]]:
        """(difference, significant direction) of every row."""
        p = self.tested[pair] if pair in self.tested else pair_test(self.evaluation, pair)
        adjusted = CORRECT[self.correction](np.array([p[row.key] for row in rows], dtype=np.float64))
        found: list[tuple[float | None, Trend]] = []
        for row, value in zip(rows, adjusted, strict=True):
            cells = {cell.system: cell.accuracy for cell in row.cells}
            first, second = cells[pair[0]], cells[pair[1]]
            difference = None if first is None or second is None else second - first
            trend: Trend = ""
            if difference and value < self.evaluation.settings.alpha:
                trend = "gain" if difference > 0 else "loss"
            found.append((difference, trend))
        return found

    def _row(self, number: int, row: Row, trends: Mapping[Pair, list[tuple[float | None, Trend]]]) -> YearRow:
        cells = {cell.system: cell for cell in row.cells}
        made = []
        for before, system in zip(self._before, self.columns, strict=True):
            change, trend = trends[before, system][number] if before else (None, "")
            cell = cells[system]
            made.append(YearCell(system, cell.accuracy, cell.low, cell.high, change, trend))
        return YearRow(*row.key, row.items, tuple(made))

    def notes(self, by: By = "category", since: str = "since the campaign before") -> tuple[Note, ...]:
        """What a reader of these rows must know, the signature last; `since` says what a change is from."""
        settings, evaluation = self.evaluation.settings, self.evaluation
        best = ", ".join(f"{self.best[campaign].name} ({campaign})" for campaign in self.campaigns)
        return (
            Note(
                f"▲ gain, ▼ loss: significant change {since} ({settings.test_in_words}, "
                f"correction over all rows of a pair: {self.correction})."
            ),
            Note(f"Best of each campaign, by category macro-average among all its systems: {best}."),
            Note(
                f"{evaluation.items_counted:,} of {len(evaluation.suite):,} items count: found in all campaigns, "
                f"policy {settings.policy} over the systems shown."
            ),
            Note.signature(self.signature),
        )

    def to_dict(self, by: By = "category") -> "YearsDocument":
        """The JSON document."""
        return {
            "assay": __version__,
            "signature": self.signature,
            "correction": self.correction,
            "campaigns": list(self.campaigns),
            "best": {campaign: system.name for campaign, system in self.best.items()},
            "returning": self.returning,
            "items": self.evaluation.items_counted,
            "rows": [self._row_document(row) for row in self.rows(by)],
        }

    def to_dict_with_differences(self, first: str, second: str, by: By = "category") -> "YearsDifferenceDocument":
        """The same with the differences between two campaigns."""
        systems = [system.name for system, _ in self.pairs(first, second)]
        rows = [cast("DifferenceDocument", asdict(row)) for row in self.differences(first, second, by)]
        differences: DifferencesDocument = {"first": first, "second": second, "systems": systems, "rows": rows}
        return {**self.to_dict(by), "differences": differences}

    def _row_document(self, row: YearRow) -> "YearRowDocument":
        cells = [cell.to_dict(best=place >= self.own) for place, cell in enumerate(row.cells)]
        return {**row.key_document(), "count": row.items, "cells": cells}


def pair_test(
    evaluation: Evaluation, pair: Pair, *, executor: Executor = HERE, progress: Progress | None = None
) -> PairTest:
    """Two systems of an evaluation against each other, on all rows and averages."""
    columns = [evaluation.table.outputs.systems.index(system) for system in pair]
    if evaluation.estimate:
        p = evaluation.estimate.pair_p(evaluation.sample.grouping, *columns)
    else:
        sample = evaluation.sample.only(columns)
        p = pair_p(sample, significance(sample, evaluation.settings, executor=executor, progress=progress))
    for count in evaluation.counts:
        groups = significance(count.sample.only(columns), evaluation.settings, executor=executor)["micro"]
        p[count.level] = pair_p_of(count.accuracy[:, columns], groups.p)
    return {
        row.key: float(value)
        for level, rows in evaluation.levels.items()
        for row, value in zip(rows, p[level], strict=True)
    }


def over_years(
    suite: Suite,
    outputs: Outputs,
    *,
    rows: bool = True,
    diff: tuple[str, str] | None = None,
    findings: Sequence[Finding | None] | None = None,
    executor: Executor = HERE,
    open_progress: OpenProgress = no_progress,
    draw: "Draw | None" = None,
    **choices: Unpack[Choices],
) -> Years:
    """Compare campaigns; in the order of the outputs.

    Pairs of systems are tested at once where they are going to be shown: in `rows`, or as differences between the two
    campaigns of `diff`. `findings`, `executor` and `draw` are those of `evaluate`; `open_progress` is for the draws of
    the pairs.
    """
    if findings is None:
        findings = judge_texts(suite, outputs, executor)
    years = _untested(suite, outputs, findings, executor, draw, choices)
    pairs = dict.fromkeys([*(years.consecutive() if rows else ()), *(years.pairs(*diff) if diff else ())])
    with open_progress("drawing", years.evaluation.settings.draws * len(pairs)) as progress:
        tested = {pair: pair_test(years.evaluation, pair, executor=executor, progress=progress) for pair in pairs}
    return replace(years, tested=tested)


def _untested(
    suite: Suite,
    outputs: Outputs,
    findings: Sequence[Finding | None],
    executor: Executor,
    draw: "Draw | None",
    choices: Choices,
) -> Years:
    """The systems that are shown, on the items that they have in common."""
    campaigns = tuple(dict.fromkeys(system.campaign for system in outputs.systems))
    if len(campaigns) < 2:
        raise BadOption(f"years needs at least two campaigns; there is only {', '.join(campaigns) or 'none'}")
    kept = outputs if choices.get("keep_all") else keep_translated(outputs, outputs.found)[0]
    names = [system.name for system in kept.systems]
    if not any(names.count(name) > 1 for name in names):
        raise BadOption("no system takes part in two campaigns under the same name; rename some with --aliases")
    best = {campaign: _best_of(suite, kept, campaign, findings, draw, choices) for campaign in campaigns}
    kept = _common(kept, campaigns)
    shown = [
        column for column, system in enumerate(kept.systems) if names.count(system.name) > 1 or system in best.values()
    ]
    correction = choices.get("correction", "none")
    plain = Choices(**choices)
    # The correction is over the rows of a pair, so the evaluation itself must not correct.
    plain["correction"] = "none"
    plain["merge_identical"] = False  # a system stays what it is called, whoever else wrote the same
    evaluation = evaluate(suite, kept.select(shown), findings=findings, executor=executor, draw=draw, **plain)
    if not evaluation.items_counted:
        raise BadOption(
            f"no item is common to all campaigns ({', '.join(campaigns)}) without a warning; "
            "check their source files, or try --policy own"
        )
    return Years(evaluation, campaigns, best, correction)


def _common(outputs: Outputs, campaigns: tuple[str, ...]) -> Outputs:
    """The outputs of the items that were found in every campaign."""
    common = np.ones(len(outputs.codes), dtype=bool)
    for campaign in campaigns:
        columns = [column for column, system in enumerate(outputs.systems) if system.campaign == campaign]
        common &= (outputs.codes[:, columns] >= 0).any(axis=1)
    if not common.any():
        raise BadOption(f"no item is common to all campaigns ({', '.join(campaigns)}); check their source files")
    return replace(outputs, codes=np.where(common[:, None], outputs.codes, np.int32(-1)))


def _best_of(
    suite: Suite,
    outputs: Outputs,
    campaign: str,
    findings: Sequence[Finding | None],
    draw: "Draw | None",
    choices: Choices,
) -> System:
    """The best system of a campaign on its own items."""
    columns = [column for column, system in enumerate(outputs.systems) if system.campaign == campaign]
    if not columns:
        raise BadOption(f"no system of campaign {campaign} translated the suite")
    chosen = outputs.select(columns)
    if not len(chosen.found):
        raise BadOption(f"none of the suite's items has an output in campaign {campaign}")
    settings = Settings(policy=choices.get("policy", "fair"), predictor=choices.get("predictor"))
    return best_system(judge_outputs(suite, chosen, findings=findings, keep_all=True)[0], settings, draw)
