"""How much the rules of a suite still decide, campaign by campaign, and which items cost most.

    ageing = ageing_of(suite, outputs)          # outputs of systems of one or more campaigns
    for row in ageing.rows():
        print(row.category, [cell.share for cell in row.cells], row.change)

Rules are written from what systems wrote by then. Later systems have other wordings, which no rule knows: they become
warnings, and items drop out of the fair comparison. Each campaign is counted on its own, with all its systems, as
`evaluate` counts it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay import __version__
from assay.errors import BadOption
from assay.evaluation.answer import ResultAnswer, listed, percent
from assay.evaluation.provenance import provenance
from assay.evaluation.rows import KeyedRow, RowsByLevel
from assay.evaluation.summaries import excluded_documents
from assay.evaluation.tally import COUNTED_LEVELS, Grouping, Level, Mask, groupings
from assay.outputs import Outputs, System
from assay.parallel import HERE, Executor
from assay.result import By, Note, Signature
from assay.suites import Item, Suite
from assay.text import NORMALISATION, plural
from assay.verdicts import (
    ExcludedSystem,
    Finding,
    Verdict,
    judge_texts,
    keep_translated,
    missing_outputs,
    verdict_table,
)
from assay.verdicts.queue import queue

if TYPE_CHECKING:
    from assay.evaluation.document import (
        AgeingCellDocument,
        AgeingDocument,
        AgeingRowDocument,
        CampaignDocument,
        ItemCostDocument,
        LostRowDocument,
    )

Numbers = NDArray[np.int64]
"""A number for each item of the suite."""

MOST = 3
"""Categories that the answer names as those that have aged most."""

LOST_LEVELS: tuple[Level, ...] = ("category", "phenomenon")
"""Levels whose rows can be lost."""


@dataclass(frozen=True, slots=True)
class AgeingCell:
    """A row in one campaign.

    `counting` are those of the items `found` on which no system has a warning; `single` those that the judgement of a
    single text would let count. `outputs` are the texts that there are, `missing` those that there are not: no rule
    can decide these, and they cost the item all the same. `common_share` is the share on the items found in all
    campaigns, which can be compared; None where there are none.
    """

    campaign: str
    found: int
    counting: int
    single: int
    outputs: int
    missing: int
    decided: int
    common_share: float | None

    @property
    def share(self) -> float | None:
        """Of the outputs, how many pass or fail; None where there are none."""
        return self.decided / self.outputs if self.outputs else None

    @property
    def is_lost(self) -> bool:
        """Whether no item counts, of some that could."""
        return self.found > 0 and self.counting == 0

    def to_dict(self) -> "AgeingCellDocument":
        """As in the JSON of ageing."""
        return {
            "campaign": self.campaign,
            "found": self.found,
            "counting": self.counting,
            "single": self.single,
            "outputs": self.outputs,
            "missing": self.missing,
            "decided": self.decided,
            "share": self.share,
            "common_share": self.common_share,
        }


@dataclass(frozen=True, slots=True)
class AgeingRow(KeyedRow):
    """A row in all campaigns. `items` are those of the suite, `common` those of them that all campaigns have."""

    items: int
    common: int
    cells: tuple[AgeingCell, ...]

    @property
    def change(self) -> float | None:
        """Of the share on common items, from the first campaign to the last; one campaign has none."""
        first, last = self.cells[0].common_share, self.cells[-1].common_share
        return None if len(self.cells) == 1 or first is None or last is None else last - first

    def to_dict(self) -> "AgeingRowDocument":
        """As in the JSON of ageing."""
        cells = [cell.to_dict() for cell in self.cells]
        return {
            **self.key_document(),
            "items": self.items,
            "common": self.common,
            "change": self.change,
            "cells": cells,
        }


@dataclass(frozen=True, slots=True)
class ItemCost:
    """An item that does not count in some campaign; a number per campaign.

    Of its `outputs` so many are `undecided`; `left` texts must be judged before it counts: 0 where it counts, None
    where no judgement helps, since an output is missing or the item was not found.
    """

    item: Item
    outputs: tuple[int, ...]
    undecided: tuple[int, ...]
    left: tuple[int | None, ...]

    def to_dict(self, campaigns: Sequence[str]) -> "ItemCostDocument":
        """As in the JSON of ageing."""
        numbers = zip(campaigns, self.outputs, self.undecided, self.left, strict=True)
        return {
            "item": self.item.id,
            "category": self.item.category,
            "phenomenon": self.item.phenomenon,
            "source": self.item.source,
            "campaigns": [
                {"campaign": campaign, "outputs": outputs, "undecided": undecided, "left": left}
                for campaign, outputs, undecided, left in numbers
            ],
        }


@dataclass(frozen=True, slots=True)
class LostRow(KeyedRow):
    """A category or phenomenon of which no item counts in these campaigns.

    The numbers are of the last of them: the items found, and `nearest`, the one that brings the row back with the
    fewest judgements, which are `left`; None where none can.
    """

    campaigns: tuple[str, ...]
    found: int
    nearest: Item | None
    left: int | None

    def to_dict(self) -> "LostRowDocument":
        """As in the JSON of ageing."""
        nearest = self.nearest.id if self.nearest else None
        return {
            **self.key_document(),
            "campaigns": list(self.campaigns),
            "found": self.found,
            "nearest": nearest,
            "left": self.left,
        }


@dataclass(frozen=True)
class CampaignState:
    """What became of every item of the suite in one campaign; `left` is -1 where no judgement helps."""

    name: str
    systems: tuple[System, ...]
    excluded: tuple[ExcludedSystem, ...]
    found: Mask = field(repr=False)
    counting: Mask = field(repr=False)
    outputs: Numbers = field(repr=False)
    missing: Numbers = field(repr=False)
    decided: Numbers = field(repr=False)
    left: Numbers = field(repr=False)

    def to_dict(self) -> "CampaignDocument":
        """As in the JSON of ageing."""
        return {
            "name": self.name,
            "systems": [system.name for system in self.systems],
            "excluded_systems": excluded_documents(self.excluded),
        }


@dataclass(frozen=True)
class Ageing(RowsByLevel[AgeingRow]):
    """What the rules decide in each campaign, in the order of the campaigns."""

    suite: Suite
    states: tuple[CampaignState, ...]
    lost: tuple[LostRow, ...]
    """Categories without a counting item, then phenomena; those that have none in the last campaign first."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The campaigns."""
        return tuple(state.name for state in self.states)

    @cached_property
    def signature(self) -> Signature:
        """Everything that a number depends on: the suite, how texts are normalised, what counts."""
        collected = provenance([system for state in self.states for system in state.systems])
        return Signature.of(
            {**self.suite.signature_fields, "norm": NORMALISATION, "policy": "fair"}
            | ({"outputs": collected} if collected else {})
        )

    def averages(self) -> list[AgeingRow]:
        """The row over all items."""
        return self.levels["micro"]

    @cached_property
    def items(self) -> list[ItemCost]:
        """Items with undecided outputs, those with the most first, and of these the easiest to mend.

        Before all others are those that do not count in the last campaign.
        """
        undecided = np.array([state.outputs - state.decided for state in self.states])
        total, left = undecided.sum(axis=0), self.states[-1].left
        # The last key of `lexsort` is the first to sort by; among equals the order is that of the suite.
        order = np.lexsort((np.where(left < 0, np.inf, left), -total, left == 0))
        return [
            ItemCost(
                self.suite.items[place],
                tuple(int(state.outputs[place]) for state in self.states),
                tuple(undecided[:, place].tolist()),
                tuple(None if state.left[place] < 0 else int(state.left[place]) for state in self.states),
            )
            for place in order.tolist()
            if total[place]
        ]

    def notes(self, by: By = "category") -> tuple[Note, ...]:
        """What a reader of these rows must know, the signature last."""
        return (*self._remarks(), Note.signature(self.signature))

    def _remarks(self) -> Iterator[Note]:
        yield Note(
            "items: those found. count: those of them on which no system of the campaign has a warning (policy fair); "
            "bold or *: none is left. rules: per cent of the outputs that pass or fail; missing ones are left aside."
        )
        sizes = [f"{state.name}: {plural(len(state.systems), 'system')}" for state in self.states]
        common = self.levels["micro"][0].common
        if len(self.states) == 1:
            yield Note(f"{sizes[0]}. One campaign shows no trend; give two or more to see what changes.")
        else:
            yield Note(
                f"change: of rules from {self.columns[0]} to {self.columns[-1]}, in points, on the "
                f"{plural(common, 'item')} that all campaigns have. It is not tested: the outputs of an item are not "
                "independent."
            )
            if common:
                yield Note(self._moved())
            yield Note(f"{', '.join(sizes)}. The more systems, the fewer items count.")
        for state, cell in zip(self.states, self.levels["micro"][0].cells, strict=True):
            if cell.found < len(self.suite):
                yield Note(f"{state.name}: {cell.found:,} of {len(self.suite):,} items found.")
            if cell.missing:
                yield Note(f"{state.name}: {plural(cell.missing, 'output')} missing.")
            for left in state.excluded:
                yield Note(f"{state.name}: {left.system.name} was left out: {left.reason}.")

    def _moved(self) -> str:
        """How many items began and ceased to count, of those found in the first and the last campaign."""
        first, last = self.states[0], self.states[-1]
        both = first.found & last.found
        moves = [
            both & ours & theirs
            for ours in (first.counting, ~first.counting)
            for theirs in (last.counting, ~last.counting)
        ]
        stayed, ceased, began, never = moved = [int(np.count_nonzero(move)) for move in moves]
        return (
            f"Of {plural(sum(moved), 'item')} found in {first.name} and {last.name}, {stayed:,} count in both, "
            f"{ceased:,} no longer, {began:,} only now, {never:,} in neither."
        )

    def to_dict(self, by: By = "both") -> "AgeingDocument":
        """The JSON document."""
        return {
            "assay": __version__,
            "signature": self.signature,
            "campaigns": [state.to_dict() for state in self.states],
            "rows": [row.to_dict() for row in self.rows(by)],
            "lost": [row.to_dict() for row in self.lost],
            "items": [cost.to_dict(self.columns) for cost in self.items],
        }


def ageing_of(
    suite: Suite, outputs: Outputs, *, findings: Sequence[Finding | None] | None = None, executor: Executor = HERE
) -> Ageing:
    """What the rules decide in each campaign; `findings` and `executor` are those of `evaluate`."""
    campaigns = list(dict.fromkeys(system.campaign for system in outputs.systems))
    if not campaigns:
        raise BadOption("there are no systems to evaluate")
    if findings is None:
        findings = judge_texts(suite, outputs, executor)
    states = tuple(_state(suite, outputs, campaign, findings) for campaign in campaigns)
    grouping = groupings(suite, np.arange(len(suite)))
    levels: dict[Level, list[AgeingRow]] = {
        level: list(_rows(level, grouping[level], states)) for level in COUNTED_LEVELS
    }
    lost = [
        _lost_row(suite, states, row, grouping[row.level])
        for level in LOST_LEVELS
        # A stable sort: rows that are lost in the last campaign, in the order of the suite, then the others.
        for row in sorted(levels[level], key=lambda row: not row.cells[-1].is_lost)
        if any(cell.is_lost for cell in row.cells)
    ]
    return Ageing(levels, suite, states, tuple(lost))


def _state(suite: Suite, outputs: Outputs, campaign: str, findings: Sequence[Finding | None]) -> CampaignState:
    """A campaign, its systems chosen and its items found as if it were evaluated alone."""
    chosen = outputs.select([column for column, system in enumerate(outputs.systems) if system.campaign == campaign])
    found = chosen.found
    if not len(found):
        raise BadOption(f"none of the suite's items has an output in campaign {campaign}")
    kept, excluded = keep_translated(chosen, found)
    if not kept.systems:
        raise BadOption(f"no system of campaign {campaign} translated the suite")
    table = verdict_table(suite, kept, found, findings)
    warned, missing = table.verdicts == Verdict.WARNING, missing_outputs(table)

    def laid_out(values: NDArray[np.int64] | NDArray[np.bool_]) -> Numbers:
        """A number for every item of the suite, 0 for those that were not found."""
        everywhere = np.zeros(len(suite), dtype=np.int64)
        everywhere[found] = values
        return everywhere

    left = np.full(len(suite), -1, dtype=np.int64)
    left[found[~warned.any(axis=1)]] = 0
    for task in queue(table):
        left[suite.positions[task.item.id]] = task.left or -1
    return CampaignState(
        name=campaign,
        systems=kept.systems,
        excluded=tuple(excluded),
        found=laid_out(np.ones(len(found), dtype=np.int64)) > 0,
        counting=left == 0,
        outputs=laid_out(np.count_nonzero(~missing, axis=1)),
        missing=laid_out(np.count_nonzero(missing, axis=1)),
        decided=laid_out(np.count_nonzero(~warned, axis=1)),
        left=left,
    )


def _rows(level: Level, grouping: Grouping, states: Sequence[CampaignState]) -> Iterator[AgeingRow]:
    def sums(values: NDArray[np.int64] | NDArray[np.bool_]) -> list[int]:
        """The sum over the items of each row."""
        weighed = np.bincount(grouping.members, weights=values, minlength=len(grouping.names))
        return [int(number) for number in weighed]

    common = np.logical_and.reduce([state.found for state in states])
    cells = []
    for state in states:
        shares = zip(sums(state.decided * common), sums(state.outputs * common), strict=True)
        numbers = zip(
            sums(state.found),
            sums(state.counting),
            sums(state.left == 1),
            sums(state.outputs),
            sums(state.missing),
            sums(state.decided),
            (decided / outputs if outputs else None for decided, outputs in shares),
            strict=True,
        )
        cells.append([AgeingCell(state.name, *row) for row in numbers])
    sizes = zip(sums(np.ones(len(grouping.members), dtype=np.int64)), sums(common), strict=True)
    for names, counts, mine in zip(grouping.names, sizes, zip(*cells, strict=True), strict=True):
        yield AgeingRow(level, *names, *counts, mine)


def _lost_row(suite: Suite, states: Sequence[CampaignState], row: AgeingRow, grouping: Grouping) -> LostRow:
    """With the item that needs the fewest judgements, the first of the suite among equals."""
    gone = [state for state, cell in zip(states, row.cells, strict=True) if cell.is_lost]
    names, last = tuple(state.name for state in gone), gone[-1]
    members = np.flatnonzero((grouping.members == grouping.names.index((row.category, row.phenomenon))) & last.found)
    freed = members[last.left[members] > 0]
    if not len(freed):
        return LostRow(*row.key, names, len(members), None, None)
    place = int(freed[np.argmin(last.left[freed])])
    return LostRow(*row.key, names, len(members), suite.items[place], int(last.left[place]))


# What it comes to, in sentences


def answer_of_ageing(ageing: Ageing, mend: str = "assay warnings") -> ResultAnswer:
    """What has aged, what no longer counts, and what to look at first; `mend` is the command that lists it."""
    return ResultAnswer((), (_trend(ageing), _counting(ageing), _first(ageing, mend)), (), 0)


def _trend(ageing: Ageing) -> str:
    [whole] = ageing.averages()
    first, last = whole.cells[0], whole.cells[-1]
    if len(whole.cells) == 1 or whole.change is None:
        why = (
            "one campaign shows no trend"
            if len(whole.cells) == 1
            else "no item is in all campaigns, so none can be compared"
        )
        return f"The rules decide {percent(last.share)} % of the outputs of {last.campaign}; {why}."
    everywhere = all(cell.found == whole.common for cell in whole.cells)
    decide = (
        f"{'' if everywhere else f'on the {whole.common:,} items of all campaigns '}they decide "
        f"{percent(last.common_share)} % of the outputs of {last.campaign}, "
        f"{percent(first.common_share)} % of those of {first.campaign}"
    )
    falling = sorted(
        (row for row in ageing.levels["category"] if row.change is not None and row.change < 0),
        key=lambda row: row.change or 0.0,
    )
    most = listed([f"{row.category} ({_points(row.change)})" for row in falling[:MOST]]) if falling else ""
    if whole.change < 0:
        return f"The rules have aged: {decide} ({_points(whole.change)} points); most in {most}."
    return f"The rules have not aged: {decide}{f'; less than before in {most}' if most else ''}."


def _counting(ageing: Ageing) -> str:
    [whole] = ageing.averages()
    *before, last = whole.cells
    said = f"{last.counting:,} of {plural(last.found, 'item')} count at {last.campaign}"
    if before:
        said += f" ({', '.join(f'{cell.counting:,} of {cell.found:,} at {cell.campaign}' for cell in before)})"
    for level, one, many in (("category", "category", "categories"), ("phenomenon", "phenomenon", "phenomena")):
        rows = [row for row in ageing.lost if row.level == level and last.campaign in row.campaigns]
        if rows:
            names = listed([f"{row.phenomenon or row.category} (0 of {row.found:,})" for row in rows])
            return f"{said}; none is left in {len(rows)} {one if len(rows) == 1 else many}: {names}."
    return f"{said}; every phenomenon that was found has one."


def _first(ageing: Ageing, mend: str) -> str:
    [whole] = ageing.averages()
    last = whole.cells[-1]
    waiting = last.outputs - last.decided
    if not waiting:
        gone = f"; {plural(last.missing, 'output')} missing" if last.missing else ""
        return f"Nothing of {last.campaign} waits for a judgement{gone}."
    back = [row for row in ageing.lost if last.campaign in row.campaigns and row.nearest]
    cheapest = min(back, key=lambda row: (row.level != "category", row.left or 0, -row.found), default=None)
    said = f"{plural(waiting, 'output')} of {last.campaign} {'waits' if waiting == 1 else 'wait'} for a judgement"
    if last.single:
        said += f"; {plural(last.single, 'item')} {'needs' if last.single == 1 else 'need'} a single one to count"
    if cheapest is not None and cheapest.nearest is not None:
        name = cheapest.phenomenon or cheapest.category
        said += f"; {plural(cheapest.left or 0, 'judgement')} on {cheapest.nearest.id} would bring {name} back"
    return f"{said}. To judge them, what frees most first: {mend}"


def _points(change: float | None) -> str:
    return f"{100 * (change or 0):+.1f}".replace("-", "−")
