"""The evaluation: rows of accuracies with intervals, bounds and clusters, derived from the verdict table.

evaluation = evaluate(suite, outputs, policy="fair")
for row in evaluation.rows(by="category"):
    print(row.category, row.count, [cell.accuracy for cell in row.cells])
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Literal, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

import assay
from assay.errors import BadOption, UnknownName
from assay.evaluation.identical import Likeness, merge_identical, near_identical
from assay.evaluation.provenance import provenance
from assay.evaluation.settings import Choices, Progress, Settings
from assay.evaluation.significance import Sample, Significance, defined, macro_means, significance
from assay.evaluation.summaries import SystemSummary, summarise
from assay.evaluation.tally import COUNTED_LEVELS, Grouping, Level, Tally, counting, groupings, tally
from assay.evaluation.undecided import Standing, standings
from assay.outputs import Outputs, System
from assay.parallel import HERE, Executor
from assay.stats.proportions import Floats, divide, macro_interval, wilson
from assay.suites import Suite
from assay.text import NORMALISATION
from assay.verdicts import (
    Excluded,
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
    verdict_table,
)

By = Literal["category", "phenomenon", "both"]
BY: tuple[By, ...] = get_args(By)

COSTLY_SHARE = 0.01
"""Systems that cost more than this share of the items are named."""


_NUMBERS = ("correct", "total", "accuracy", "low", "high", "lower_bound", "upper_bound")
"""The numbers of a cell that come from counting, as opposed to testing."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One system in one row. `None` is undefined: nothing counted, or not a number that this row has.

    `low` and `high` are the 95 % interval of the accuracy; `lower_bound` and `upper_bound` the accuracy over all
    items found with every warning failed, or passed. `p` is that of the test against the row's best, corrected where
    that was asked for; the best itself has none.
    """

    system: System
    correct: int | None
    total: int | None
    accuracy: float | None
    low: float | None
    high: float | None
    lower_bound: float | None
    upper_bound: float | None
    first_cluster: bool
    p: float | None

    @property
    def numbers(self) -> tuple[float | None, ...]:
        """Everything but the system, in the order that `assets/heatmap.js` reads."""
        counted = (getattr(self, name) for name in _NUMBERS)
        return *counted, self.first_cluster, self.p


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a category, a phenomenon or an average. `items` is the number of items that count."""

    level: Level
    category: str | None
    phenomenon: str | None
    items: int
    cells: tuple[Cell, ...]
    average: float | None


@dataclass(frozen=True)
class Evaluation:
    """What the systems can and cannot translate."""

    table: VerdictTable
    settings: Settings
    excluded: tuple[Excluded, ...]
    progress: Progress | None = None
    unselected: frozenset[str] = frozenset()
    """Names of systems that were given but not asked for."""

    @property
    def suite(self) -> Suite:
        return self.table.suite

    @cached_property
    def order(self) -> list[int]:
        """Columns of the verdict table in table order: category macro, then micro, descending; then by name."""
        macro, micro = macro_means(self._tallies["category"]), _accuracy(self._tallies["micro"])[0]
        systems = self.table.outputs.systems

        def key(column: int) -> tuple[float, float, str, str]:
            system = systems[column]
            return (
                # Means of the same cells in another order differ by rounding.
                -round(np.nan_to_num(macro[column], nan=-1), 12),
                -round(np.nan_to_num(micro[column], nan=-1), 12),
                system.name,
                system.campaign,
            )

        return sorted(range(len(systems)), key=key)

    @cached_property
    def systems(self) -> list[System]:
        """The kept systems in table order."""
        return [self.table.outputs.systems[column] for column in self.order]

    @cached_property
    def columns(self) -> list[str]:
        """Labels of the systems in table order."""
        return labels(self.systems)

    @cached_property
    def items_counted(self) -> int:
        """Items that count (for at least one system)."""
        return int(self._tallies["micro"].items[0])

    @property
    def items_not_found(self) -> list[str]:
        """Ids of the suite's items that were not paired with any output."""
        found = set(self.table.items.tolist())
        return [item.id for position, item in enumerate(self.suite.items) if position not in found]

    @cached_property
    def summaries(self) -> list[SystemSummary]:
        """One summary per kept system, in table order."""
        return summarise(self.table, self._missing, self.order)

    @cached_property
    def costly(self) -> list[SystemSummary]:
        """Systems that alone cost, or leave untranslated, more than 1 % of the items found."""
        limit = COSTLY_SHARE * len(self.table.items)
        return [summary for summary in self.summaries if max(summary.costs, summary.missing) > limit]

    @cached_property
    def _missing(self) -> NDArray[np.bool_]:
        return missing_outputs(self.table)

    @property
    def signature(self) -> str:
        """Everything that a number of this evaluation depends on; of the outputs, those that `translate` collected."""
        suite = self.suite
        version = f"@{suite.version}" if suite.version else ""
        fields = {
            "assay": assay.__version__,
            "suite": f"{suite.name}{version}#{suite.hash}",
            "norm": NORMALISATION,
            **self.settings.signature,
        }
        if collected := provenance(self.table.outputs.systems):
            fields["outputs"] = collected
        return "|".join(f"{name}:{value}" for name, value in fields.items())

    def rows(self, by: By = "both") -> list[Row]:
        """Rows of categories, phenomena or both, each category before its phenomena, and the three averages."""
        if by not in BY:
            raise UnknownName("level", by, BY)
        return [*self._detail_rows(by), *self.averages()]

    def averages(self) -> list[Row]:
        """The micro, category macro and phenomenon macro row."""
        return [self._rows("micro")[0], self._macro_row("category"), self._macro_row("phenomenon")]

    def row(self, category: str, phenomenon: str | None = None) -> Row:
        """The row of one category or phenomenon."""
        for row in self.rows():
            if (row.category, row.phenomenon) == (category, phenomenon):
                return row
        raise UnknownName("row", f"{category} / {phenomenon}" if phenomenon else category, self.suite.taxonomy)

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
        kept = set(defined(self._tallies[level]).tolist())
        names = self._groupings[level].names
        return [
            (category or "", phenomenon) for number, (category, phenomenon) in enumerate(names) if number not in kept
        ]

    @cached_property
    def likenesses(self) -> list[Likeness]:
        """Groups of systems that wrote nearly the same; they must not be taken for independent."""
        return near_identical(self.table.outputs, self.table.items)

    @cached_property
    def standings(self) -> list[Standing]:
        """Whose lead is certain, whatever becomes of the warnings; on all items found."""
        return standings(self.table, self._groupings, self._missing)

    # Numbers, by level

    @cached_property
    def _groupings(self) -> dict[Level, Grouping]:
        return groupings(self.suite, self.table.items)

    @cached_property
    def _tallies(self) -> dict[Level, Tally]:
        mask = counting(self.table, self.settings.policy)
        return {level: tally(self.table, mask, self._groupings[level]) for level in COUNTED_LEVELS}

    @cached_property
    def tested(self) -> dict[Level, Significance]:
        """The test on all rows and averages; systems as columns of the verdict table."""
        return significance(self.sample, self.settings, progress=self.progress)

    def draw(self, executor: Executor) -> None:
        """Have an executor make the draws of the test now; else this process makes them when a row is asked for."""
        vars(self)["tested"] = significance(self.sample, self.settings, executor=executor, progress=self.progress)

    @cached_property
    def sample(self) -> Sample:
        """What the tests see: which items count, and which of them are right."""
        mask = counting(self.table, self.settings.policy)
        return Sample((self.table.verdicts == Verdict.PASS) & mask, mask, self._groupings)

    # Rows

    def _detail_rows(self, by: By) -> Iterator[Row]:
        categories = iter(self._rows("category") if by in ("category", "both") else ())
        phenomena = iter(self._rows("phenomenon") if by in ("phenomenon", "both") else ())
        for names in self.suite.taxonomy.values():
            yield from islice(categories, 1)
            yield from islice(phenomena, len(names))

    @cached_property
    def _made(self) -> dict[Level, list[Row]]:
        """Rows that were asked for already."""
        return {}

    def _rows(self, level: Level) -> list[Row]:
        if level not in self._made:
            self._made[level] = self._count_rows(level)
        return self._made[level]

    def _count_rows(self, level: Level) -> list[Row]:
        counts = self._tallies[level]
        low, high = wilson(counts.correct, counts.total)
        cells = self._cells(
            level,
            correct=counts.correct,
            total=counts.total,
            accuracy=_accuracy(counts),
            low=low,
            high=high,
            lower_bound=divide(counts.passes, counts.found[:, None]),
            upper_bound=divide(counts.passes + counts.warnings, counts.found[:, None]),
        )
        return [
            Row(level, category, phenomenon, int(items), made, mean_accuracy(made))
            for (category, phenomenon), items, made in zip(
                self._groupings[level].names, counts.items, cells, strict=True
            )
        ]

    def _macro_row(self, level: Literal["category", "phenomenon"]) -> Row:
        macro: Level = "category_macro" if level == "category" else "phenomenon_macro"
        counts = self._tallies[level]
        kept = defined(counts)
        undefined = np.full((1, len(self.order)), np.nan)
        low, high = macro_interval(counts.correct[kept], counts.total[kept]) if len(kept) else (undefined, undefined)
        numbers = {"accuracy": macro_means(counts), "low": low, "high": high}
        cells = self._cells(
            macro,
            **{name: numbers[name].reshape(1, -1) if name in numbers else undefined for name in _NUMBERS},
        )[0]
        return Row(macro, None, None, self.items_counted, cells, mean_accuracy(cells))

    def _cells(self, level: Level, **numbers: NDArray[Any]) -> list[tuple[Cell, ...]]:
        """Cells of every row of a level, systems in table order; the numbers are rows × systems."""
        numbers |= {"first_cluster": self.tested[level].cluster, "p": self.tested[level].p}
        columns = [_plain(numbers[name][:, self.order]) for name in (*_NUMBERS, "first_cluster", "p")]
        return [
            tuple(Cell(*values) for values in zip(self.systems, *row, strict=True))
            for row in zip(*columns, strict=True)
        ]


def _accuracy(counts: Tally) -> Floats:
    return divide(counts.correct, counts.total)


def _plain(array: NDArray[Any]) -> list[Any]:
    """Python numbers, NaN as None."""
    values = array.astype(object)
    if array.dtype.kind == "f":
        values[np.isnan(array)] = None
    return list(values.tolist())


def mean_accuracy(cells: Iterable[Cell]) -> float | None:
    """Unweighted mean of the defined cells."""
    values = [cell.accuracy for cell in cells if cell.accuracy is not None]
    return sum(values) / len(values) if values else None


def evaluate(
    suite: Suite,
    outputs: Outputs,
    *,
    systems: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
    findings: Sequence[Finding | None] | None = None,
    executor: Executor = HERE,
    progress: Progress | None = None,
    **choices: Unpack[Choices],
) -> Evaluation:
    """Judge outputs by a suite's rules and count. docs/reference/counting.md says what each number means.

    `systems` are names or patterns (`Online-*`) of the systems to keep, `exclude` of those to leave out. `findings`
    are what the texts of `outputs` are worth, where that is known already; otherwise the texts are judged by `executor`
    (`assay.parallel.open_executor`), which also makes the draws of the test; without one this process does both, and
    draws when a row is asked for. Further keywords are those of `Settings`: policy, test, alpha, correction, draws,
    seed, keep_all, merge_identical.
    """
    settings = Settings(**choices)
    if not outputs.systems:
        raise BadOption("there are no systems to evaluate")
    found = outputs.found
    if not len(found):
        raise BadOption(f"none of the suite's {len(suite):,} items has an output")
    chosen = leave_out(select(outputs, systems), exclude)
    if not chosen.systems:
        raise BadOption("all systems are excluded")
    kept, excluded = (chosen, []) if settings.keep_all else keep_translated(chosen, found)
    if not kept.systems:
        names = ", ".join(left.system.name for left in excluded)
        raise BadOption(f"no system translated the suite ({names}); --keep-all evaluates them all the same")
    if settings.merge_identical:
        kept = merge_identical(kept, found)
    if findings is None:
        findings = judge_texts(suite, kept, executor)
    table = verdict_table(suite, kept, found, findings)
    unselected = frozenset(system.name for system in outputs.systems) - {system.name for system in chosen.systems}
    evaluation = Evaluation(table, settings, tuple(excluded), progress, unselected)
    if settings.is_drawn and executor is not HERE:  # it may be closed when a row is asked for
        evaluation.draw(executor)
    return evaluation
