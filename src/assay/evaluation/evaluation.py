"""The evaluation: rows of accuracies with intervals, bounds and clusters, counted from the verdict table.

evaluation = evaluate(suite, outputs, policy="fair")
for row in evaluation.rows(by="category"):
    print(row.category, row.count, [cell.accuracy for cell in row.cells])
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from assay import __version__
from assay.errors import BadOption, UnknownName
from assay.evaluation import notes
from assay.evaluation.identical import Likeness, merge_identical, near_identical
from assay.evaluation.provenance import provenance
from assay.evaluation.rows import Row, RowsByLevel, rows_by_level, table_order
from assay.evaluation.settings import Choices, Settings
from assay.evaluation.significance import Sample, Significance, defined, significance
from assay.evaluation.summaries import SystemSummary, excluded_documents, summarise
from assay.evaluation.tally import OVER_GROUPS, OVER_TIERS, Level, Tally, counting, freed, groupings, tally_levels
from assay.outputs import Outputs, System
from assay.parallel import HERE, Executor
from assay.progress import OpenProgress, Progress, no_progress
from assay.result import By, Note, Signature
from assay.suites import Suite
from assay.text import NORMALISATION
from assay.verdicts import (
    ExcludedSystem,
    Finding,
    Judged,
    Verdict,
    VerdictTable,
    judge_texts,
    keep_translated,
    labels,
    leave_out,
    missing_outputs,
    select,
    timed_out,
    verdict_table,
)

if TYPE_CHECKING:
    from assay.evaluation.document import DroppedDocument, EvaluationDocument
    from assay.evaluation.estimate import EstimateBasis, EstimatedItems
    from assay.evaluation.label_shares import LabelShares
    from assay.evaluation.row_count import RowCount
    from assay.evaluation.undecided import Standing
    from assay.evaluation.unusable import UnusableOutputs
    from assay.verdicts.draw import Draw

COSTLY_SHARE = 0.01
"""Systems that cost more than this share of the items are named."""

_MACROS: tuple[Literal["category", "phenomenon"], ...] = ("category", "phenomenon")
"""Levels that there is a macro-average of."""


@dataclass(frozen=True)
class Evaluation(RowsByLevel[Row]):
    """What the systems can and cannot translate. `order` are the columns of the verdict table in table order."""

    table: VerdictTable
    settings: Settings
    excluded: tuple[ExcludedSystem, ...]
    given: frozenset[str]
    """Names of all systems, those too that were not asked for."""
    order: list[int]
    summaries: list[SystemSummary]
    """One summary per kept system, in table order."""
    sample: Sample = field(repr=False)
    """What the tests see: which items count, and which of them are right."""
    tallies: Mapping[Level, Tally] = field(repr=False)
    tested: Mapping[Level, Significance] = field(repr=False)
    """The test on all rows and averages; systems as columns of the verdict table."""
    counts: "Sequence[RowCount]" = field(default=(), repr=False)
    """What rows over tiers and over groups of items are counted from; empty where the suite has neither."""
    basis: "EstimateBasis | None" = None
    """What an estimate was made from."""
    estimate: "EstimatedItems | None" = field(default=None, repr=False)
    """The estimate itself, for further tests."""

    @property
    def suite(self) -> Suite:
        return self.table.suite

    @cached_property
    def systems(self) -> list[System]:
        """The kept systems in table order."""
        return [self.table.outputs.systems[column] for column in self.order]

    @cached_property
    def columns(self) -> list[str]:
        """Labels of the systems in table order."""
        return labels(self.systems)

    @property
    def items_counted(self) -> int:
        """Items that count (for at least one system)."""
        return self.levels["micro"][0].items

    @property
    def items_not_found(self) -> list[str]:
        """Ids of the suite's items that were not paired with any output."""
        found = set(self.table.items.tolist())
        return [item.id for position, item in enumerate(self.suite.items) if item.is_judged and position not in found]

    @property
    def items_labelled_only(self) -> int:
        """Items of the suite that have labels and no rules, and count in no row."""
        return sum(not item.is_judged for item in self.suite.items)

    @cached_property
    def costly(self) -> list[SystemSummary]:
        """Systems that alone cost, or leave untranslated, more than 1 % of the items found."""
        limit = COSTLY_SHARE * len(self.table.items)
        return [summary for summary in self.summaries if max(summary.costs, summary.missing) > limit]

    @cached_property
    def signature(self) -> Signature:
        """Everything that a number of this evaluation depends on; of the outputs, those that `translate` collected."""
        collected = provenance(self.table.outputs.systems)
        return Signature.of(
            self.suite.signature_fields
            | {"norm": NORMALISATION}
            | self.settings.signature_fields
            | (self.basis.signature_fields if self.basis else {})
            | ({"outputs": collected} if collected else {})
        )

    def row(self, category: str, phenomenon: str | None = None) -> Row:
        """The row of one category or phenomenon."""
        for row in self.rows():
            if (row.category, row.phenomenon) == (category, phenomenon):
                return row
        raise UnknownName("row", f"{category} / {phenomenon}" if phenomenon else category, self.suite.taxonomy)

    def members(self, row: Row) -> NDArray[np.bool_]:
        """Which of the items found belong to a row; of a row over groups, those in groups."""
        chosen = (self.suite.items[place] for place in self.table.items.tolist())
        if row.level in OVER_GROUPS:
            return np.array([bool(item.group) and item.independent for item in chosen], dtype=bool)
        if row.level in OVER_TIERS:
            return np.array([f"{item.tier}_tier" == row.level for item in chosen], dtype=bool)
        if row.level not in self.sample.grouping:
            return np.ones(len(self.table.items), bool)
        grouping = self.sample.grouping[row.level]
        found: NDArray[np.bool_] = grouping.members == grouping.names.index((row.category, row.phenomenon))
        return found

    def verdicts(
        self,
        *,
        category: str | None = None,
        phenomenon: str | None = None,
        system: str | None = None,
        verdict: str | None = None,
    ) -> Iterator[Judged]:
        """Lines of the verdict table, all or only those asked for."""
        if verdict is not None and verdict not in map(str, Verdict):
            raise UnknownName("verdict", verdict, map(str, Verdict))
        for judged in self.table:
            if (
                category in (None, judged.item.category)
                and phenomenon in (None, judged.item.phenomenon)
                and system in (None, judged.system.name)
                and verdict in (None, str(judged.finding.verdict))
            ):
                yield judged

    def dropped(self, level: Literal["category", "phenomenon"]) -> list[tuple[str, str | None]]:
        """Categories, or (category, phenomenon) pairs, that a macro leaves out: not defined for every system."""
        kept = set(defined(self.tallies[level]).tolist())
        names = self.sample.grouping[level].names
        return [
            (category or "", phenomenon) for number, (category, phenomenon) in enumerate(names) if number not in kept
        ]

    # What only some readers ask for; it takes longer than all rows together

    @cached_property
    def likenesses(self) -> list[Likeness]:
        """Groups of systems that wrote nearly the same; they must not be taken for independent."""
        # Where items have labels only, nothing of the table is there to be alike.
        return near_identical(self.table.outputs, self.table.items) if len(self.table.items) else []

    @cached_property
    def unusable(self) -> "UnusableOutputs":
        """Outputs that are missing or no translations, systems in table order."""
        from assay.evaluation.unusable import UnusableOutputs

        return UnusableOutputs.of(self.table, self.order)

    @cached_property
    def labels(self) -> "LabelShares | None":
        """The shares of labels; None where no item found has any."""
        if not any(item.labels for item in self.suite.items):
            return None
        from assay.evaluation.label_shares import label_shares

        return label_shares(self.table, self.settings, self.order)

    @cached_property
    def standings(self) -> "list[Standing]":
        """Whose lead is certain, whatever becomes of the warnings; on all items found."""
        from assay.evaluation.undecided import standings

        return standings(self.table, self.sample.grouping, missing_outputs(self.table))

    # Words and data

    def notes(self, by: By = "category") -> tuple[Note, ...]:
        """What a reader of these rows must know, the signature last."""
        return (*self.remarks(by), Note.signature(self.signature))

    def remarks(self, by: By = "category") -> Iterator[Note]:
        """The notes without the signature."""
        policy, found = self.settings.policy, len(self.table.items)
        yield from notes.about_test(self.settings, self.detail_rows(by))
        yield notes.BOUNDS
        yield from notes.about_items(
            policy, total=len(self.suite), found=found, counted=self.items_counted, missing=self.items_not_found
        )
        yield from notes.about_tiers(self.suite.tier, self.over_tiers())
        yield from notes.about_groups(self.settings, self.over_groups(), self.items_labelled_only)
        if self.basis:
            yield from notes.about_estimate(self.basis)
        yield from notes.about_equal_sources(self.table.outputs.by_order)
        yield from notes.about_timeouts(timed_out(self.table))
        for level in _MACROS:
            yield from notes.about_dropped(level, self.dropped(level))
        yield from notes.about_excluded(self.excluded)
        yield from notes.about_likenesses(self.likenesses)
        if len(self.systems) > 1:
            yield from notes.about_costly(self.costly, found)
        if policy == "fair":
            yield from notes.about_freed(freed(self.table))
        elif policy != "estimate":
            yield from notes.about_standings(self.standings)

    def to_dict(self, by: By = "both") -> "EvaluationDocument":
        """The JSON document."""
        suite, found = self.suite, len(self.table.items)
        document: EvaluationDocument = {
            "assay": __version__,
            "signature": self.signature,
            "suite": {"name": suite.name, "langpair": suite.langpair, "items": len(suite), "hash": suite.hash},
            "systems": [summary.to_dict() for summary in self.summaries],
            "excluded_systems": excluded_documents(self.excluded),
            "items": {
                "total": len(suite),
                "counted": self.items_counted,
                "excluded": {"not_in_source": len(self.items_not_found), "warning": found - self.items_counted},
            },
            "not_independent": [
                {"systems": [system.name for system in likeness.systems], "share": likeness.share}
                for likeness in self.likenesses
            ],
            "dropped": {
                "category_macro": self._dropped_documents("category"),
                "phenomenon_macro": self._dropped_documents("phenomenon"),
            },
            "columns": self.columns,
            "rows": [row.to_dict() for row in self.rows(by)],
        }
        if self.items_labelled_only:
            document["items"]["excluded"]["labels_only"] = self.items_labelled_only
        if self.labels:
            document["labels"] = [row.to_dict() for row in self.labels.rows]
        if self.basis:
            document["estimate"] = self.basis.to_dict()
        return document

    def _dropped_documents(self, level: Literal["category", "phenomenon"]) -> "list[DroppedDocument]":
        return [{"category": category, "phenomenon": name} for category, name in self.dropped(level)]


def judge_outputs(
    suite: Suite,
    outputs: Outputs,
    *,
    systems: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    findings: Sequence[Finding | None] | None = None,
    executor: Executor = HERE,
    keep_all: bool = False,
    merge: bool = False,
    open_progress: OpenProgress = no_progress,
) -> tuple[VerdictTable, list[ExcludedSystem]]:
    """The verdicts on the outputs of the systems that are kept, and the systems that are not.

    `evaluate` says what the arguments mean, and counts.
    """
    if not outputs.systems:
        raise BadOption("there are no systems to evaluate")
    found = outputs.found
    if not len(found):
        raise BadOption(f"none of the suite's {len(suite):,} items has an output")
    chosen = leave_out(select(outputs, systems), exclude)
    if not chosen.systems:
        raise BadOption("all systems are excluded")
    kept, excluded = (chosen, []) if keep_all else keep_translated(chosen, found)
    if not kept.systems:
        names = ", ".join(left.system.name for left in excluded)
        raise BadOption(f"no system translated the suite ({names}); --keep-all evaluates them all the same")
    if merge:
        kept = merge_identical(kept, found)
    if findings is None:
        with open_progress("judging", len(kept.texts)) as progress:
            findings = judge_texts(suite, kept, executor, progress=progress)
    return verdict_table(suite, kept, found, findings), excluded


def evaluate(
    suite: Suite,
    outputs: Outputs,
    *,
    systems: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    findings: Sequence[Finding | None] | None = None,
    executor: Executor = HERE,
    progress: Progress | None = None,
    open_progress: OpenProgress = no_progress,
    draw: "Draw | None" = None,
    **choices: Unpack[Choices],
) -> Evaluation:
    """Judge outputs by a suite's rules and count. docs/reference/counting.md says what each number means.

    `systems` are names or patterns (`Online-*`) of the systems to keep, `exclude` of those to leave out. `findings`
    are what the texts of `outputs` are worth, where that is known already; otherwise the texts are judged by `executor`
    (`assay.parallel.open_executor`), which also makes the draws of the test and tells `progress` of them; without one
    this process does both. `open_progress` is for judging. Further keywords are those of `Settings`: policy, test,
    alpha, correction, draws, seed, keep_all, merge_identical, units. Policy `estimate` needs the `draw` whose texts
    were judged.
    """
    settings = Settings(**choices)
    table, excluded = judge_outputs(
        suite,
        outputs,
        systems=systems,
        exclude=exclude,
        findings=findings,
        executor=executor,
        keep_all=settings.keep_all,
        merge=settings.merge_identical,
        open_progress=open_progress,
    )
    grouping = groupings(table.suite, table.items)
    mask = counting(table, settings.policy)
    tallies = tally_levels(table, mask, grouping)
    groups, counts = _groups(table, settings)
    settings = settings.for_groups(groups is not None)
    units = groups if settings.units == "group" else None
    sample = Sample((table.verdicts == Verdict.PASS) & mask, mask, grouping, groups=units)
    counts = [*_tiers(sample, table, settings), *counts]
    effects, estimated = sample.effects(), None
    if settings.policy == "estimate":
        from assay.evaluation.estimate import estimate_table

        estimated = estimate_table(table, draw, grouping, settings)
        tested, order = estimated.tested, estimated.order
    else:
        tested = significance(sample, settings, executor=executor, progress=progress)
        order = table_order(tallies, table.outputs.systems)
    names = dict(grouping)
    for of in counts:
        tallies[of.level], names[of.level] = of.tally, of.sample.grouping["micro"]
        effects[of.level] = of.sample.effects()["micro"]
        # The draws of a single row take a moment; progress is that of the items.
        tested = {**tested, of.level: significance(of.sample, settings, executor=executor)["micro"]}
    return Evaluation(
        table=table,
        settings=settings,
        excluded=tuple(excluded),
        given=frozenset(system.name for system in outputs.systems),
        order=order,
        summaries=summarise(table, missing_outputs(table), order),
        sample=sample,
        tallies=tallies,
        tested=tested,
        counts=counts,
        levels=rows_by_level(
            tallies,
            names,
            tested,
            table.outputs.systems,
            order,
            estimated.numbers if estimated else None,
            effects=effects,
        ),
        basis=estimated.basis if estimated else None,
        estimate=estimated.estimate if estimated else None,
    )


def _tiers(sample: Sample, table: VerdictTable, settings: Settings) -> "Sequence[RowCount]":
    """What is counted of tiers; nothing is imported where there is one. Estimates are made of all items."""
    if settings.policy == "estimate" or len(table.suite.tiers) < 2:
        return ()
    from assay.evaluation.tiers import count_tiers

    return count_tiers(table, sample)


def _groups(table: VerdictTable, settings: Settings) -> "tuple[NDArray[np.intp] | None, Sequence[RowCount]]":
    """The group of each item found, and what is counted of groups; nothing is imported where there are none."""
    if not any(item.group for item in table.suite.items):
        return None, ()
    from assay.evaluation.item_groups import count_groups, group_numbers

    return group_numbers(table.suite, table.items), count_groups(table, settings.policy)


def best_system(table: VerdictTable, settings: Settings, draw: "Draw | None" = None) -> System:
    """The system that leads the table; nothing is tested for that, but where it is estimated."""
    grouping = groupings(table.suite, table.items)
    if settings.policy == "estimate":
        from assay.evaluation.estimate import estimate_table

        return table.outputs.systems[estimate_table(table, draw, grouping, settings).order[0]]
    tallies = tally_levels(table, counting(table, settings.policy), grouping)
    return table.outputs.systems[table_order(tallies, table.outputs.systems)[0]]
