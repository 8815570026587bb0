"""The evaluation: rows of accuracies with intervals, bounds and clusters, derived from the verdict table.

evaluation = evaluate(suite, outputs, policy="fair")
for row in evaluation.rows(by="category"):
    print(row.category, row.count, [cell.accuracy for cell in row.cells])
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

import assay
from assay.evaluation.clusters import macro_clusters, row_clusters
from assay.evaluation.settings import Policy, Settings, Test
from assay.evaluation.tally import Tally, counting, tally
from assay.evaluation.verdicts import Excluded, keep_translated, labels, select, verdict_table
from assay.model import (
    NORMALISATION,
    BadOption,
    Judged,
    Outputs,
    Suite,
    System,
    UnknownName,
    Verdict,
    VerdictTable,
)
from assay.rules import RuleJudge
from assay.stats.proportions import Floats, divide, macro_interval, wilson

Level = Literal["category", "phenomenon", "micro", "category_macro", "phenomenon_macro"]
By = Literal["category", "phenomenon", "both"]
BY: tuple[By, ...] = get_args(By)

COSTLY_SHARE = 0.01
"""Systems that cost more than this share of the items are named."""


class Cell(NamedTuple):
    """One system in one row. `None` is undefined: nothing counted, or not a number that this row has.

    `low` and `high` are the 95 % interval of the accuracy; `lower_bound` and `upper_bound` the accuracy over all
    items found with every warning failed, or passed.
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


class Row(NamedTuple):
    """One line of the table: a category, a phenomenon or an average. `items` is the number of items that count."""

    level: Level
    category: str | None
    phenomenon: str | None
    items: int
    cells: tuple[Cell, ...]
    average: float | None


class SystemSummary(NamedTuple):
    """What a system handed in and what it was worth, over all items found.

    `outputs` counts the items found, `missing` those of them it left empty; `costs` the items that count for
    nobody under `fair` because of this system alone.
    """

    system: System
    outputs: int
    missing: int
    passed: int
    failed: int
    warnings: int
    costs: int

    @property
    def warning_share(self) -> float:
        return self.warnings / self.outputs


@dataclass(frozen=True)
class Evaluation:
    """What the systems can and cannot translate."""

    table: VerdictTable
    settings: Settings
    excluded: tuple[Excluded, ...]

    @property
    def suite(self) -> Suite:
        return self.table.suite

    @cached_property
    def order(self) -> list[int]:
        """Columns of the verdict table in table order: category macro, then micro, descending; then by name."""
        macro, micro = self._macro_means("category"), self._accuracy(self._tallies["micro"])[0]
        systems = self.table.outputs.systems

        def key(column: int) -> tuple[float, float, str, str]:
            system = systems[column]
            return (
                -np.nan_to_num(macro[column], nan=-1),
                -np.nan_to_num(micro[column], nan=-1),
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
        verdicts = self.table.verdicts[:, self.order]
        warned = verdicts == Verdict.WARNING
        missing = self._missing
        alone = warned & (warned.sum(axis=1, keepdims=True) == 1)
        return [
            SystemSummary(
                system=self.systems[place],
                outputs=len(self.table.items),
                missing=int(missing[:, column].sum()),
                passed=int((verdicts[:, place] == Verdict.PASS).sum()),
                failed=int((verdicts[:, place] == Verdict.FAIL).sum()),
                warnings=int(warned[:, place].sum()),
                costs=int(alone[:, place].sum()),
            )
            for place, column in enumerate(self.order)
        ]

    @cached_property
    def costly(self) -> list[SystemSummary]:
        """Systems that alone cost, or leave untranslated, more than 1 % of the items found."""
        limit = COSTLY_SHARE * len(self.table.items)
        return [summary for summary in self.summaries if max(summary.costs, summary.missing) > limit]

    @cached_property
    def _missing(self) -> NDArray[np.bool_]:
        """Whether a system has no output for an item; items found × systems in the order of the verdict table."""
        findings = self.table.findings
        reasons = np.fromiter(
            (finding is not None and finding.reason == "missing" for finding in findings), bool, len(findings)
        )
        codes = self.table.outputs.codes[self.table.items]
        missing: NDArray[np.bool_] = (codes < 0) | reasons[codes]
        return missing

    @property
    def signature(self) -> str:
        """Everything that a number of this evaluation depends on, except the outputs."""
        suite = self.suite
        version = f"@{suite.version}" if suite.version else ""
        fields = {
            "assay": assay.__version__,
            "suite": f"{suite.name}{version}#{suite.hash}",
            "norm": NORMALISATION,
            **{name: str(value) for name, value in asdict(self.settings).items() if value is not False},
        }
        return "|".join(f"{name}:{value}" for name, value in fields.items())

    def rows(self, by: By = "both") -> list[Row]:
        """Rows of categories, phenomena or both, each category before its phenomena, and the three averages."""
        if by not in BY:
            raise UnknownName("level", by, BY)
        return [*self._detail_rows(by), *self.averages()]

    def averages(self) -> list[Row]:
        """The micro, category macro and phenomenon macro row."""
        return [self._rows["micro"][0], self._macro_row("category"), self._macro_row("phenomenon")]

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
        kept = set(self._defined(level).tolist())
        keys: list[tuple[str, str | None]] = (
            [(category, None) for category in self.suite.taxonomy] if level == "category" else [*self.suite.phenomena]
        )
        return [key for number, key in enumerate(keys) if number not in kept]

    # Numbers, by level

    @cached_property
    def _tallies(self) -> dict[str, Tally]:
        mask = counting(self.table, self.settings.policy)
        items = [self.suite.items[position] for position in self.table.items.tolist()]
        categories = {name: number for number, name in enumerate(self.suite.taxonomy)}
        phenomena = {pair: number for number, pair in enumerate(self.suite.phenomena)}
        groups = {
            "category": ([categories[item.category] for item in items], len(categories)),
            "phenomenon": ([phenomena[item.category, item.phenomenon] for item in items], len(phenomena)),
            "micro": ([0] * len(items), 1),
        }
        return {
            level: tally(self.table, mask, np.array(numbers, dtype=np.intp), size)
            for level, (numbers, size) in groups.items()
        }

    @staticmethod
    def _accuracy(counts: Tally) -> Floats:
        return divide(counts.correct, counts.total)

    def _defined(self, level: Literal["category", "phenomenon"]) -> NDArray[np.intp]:
        """Groups that are defined for every system."""
        return np.flatnonzero((self._tallies[level].total > 0).all(axis=1))

    def _macro_means(self, level: Literal["category", "phenomenon"]) -> Floats:
        kept = self._defined(level)
        accuracy = self._accuracy(self._tallies[level])[kept]
        return accuracy.mean(axis=0) if len(kept) else np.full(accuracy.shape[1], np.nan)

    # Rows

    def _detail_rows(self, by: By) -> Iterator[Row]:
        categories, phenomena = iter(self._rows["category"]), iter(self._rows["phenomenon"])
        for names in self.suite.taxonomy.values():
            row = next(categories)
            if by in ("category", "both"):
                yield row
            for _ in names:
                row = next(phenomena)
                if by in ("phenomenon", "both"):
                    yield row

    @cached_property
    def _rows(self) -> dict[str, list[Row]]:
        keys: dict[Level, list[tuple[str | None, str | None]]] = {
            "category": [(category, None) for category in self.suite.taxonomy],
            "phenomenon": [*self.suite.phenomena],
            "micro": [(None, None)],
        }
        return {level: self._count_rows(level, names) for level, names in keys.items()}

    def _count_rows(self, level: Level, keys: Iterable[tuple[str | None, str | None]]) -> list[Row]:
        counts = self._tallies[level]
        low, high = wilson(counts.correct, counts.total)
        numbers = {
            "correct": counts.correct,
            "total": counts.total,
            "accuracy": self._accuracy(counts),
            "low": low,
            "high": high,
            "lower_bound": divide(counts.passes, counts.found[:, None]),
            "upper_bound": divide(counts.passes + counts.warnings, counts.found[:, None]),
            "first_cluster": row_clusters(counts.correct, counts.total, self.settings.alpha),
        }
        plain = {name: _plain(array[:, self.order]) for name, array in numbers.items()}
        rows = []
        for number, (category, phenomenon) in enumerate(keys):
            cells = tuple(
                Cell(system=system, **{name: values[number][place] for name, values in plain.items()})
                for place, system in enumerate(self.systems)
            )
            rows.append(Row(level, category, phenomenon, int(counts.items[number]), cells, mean_accuracy(cells)))
        return rows

    def _macro_row(self, level: Literal["category", "phenomenon"]) -> Row:
        kept = self._defined(level)
        counts = self._tallies[level]
        correct, total = counts.correct[kept], counts.total[kept]
        size = len(self.order)
        if len(kept):
            low, high = macro_interval(correct, total)
            cluster = macro_clusters(correct, total, self.settings.alpha)
        else:
            low = high = np.full(size, np.nan)
            cluster = np.zeros(size, dtype=bool)
        plain = {
            name: _plain(array[self.order])
            for name, array in {
                "accuracy": self._macro_means(level),
                "low": low,
                "high": high,
                "first_cluster": cluster,
            }.items()
        }
        cells = tuple(
            Cell(
                system=system,
                correct=None,
                total=None,
                lower_bound=None,
                upper_bound=None,
                **{name: values[place] for name, values in plain.items()},
            )
            for place, system in enumerate(self.systems)
        )
        macro: Level = "category_macro" if level == "category" else "phenomenon_macro"
        return Row(macro, None, None, self.items_counted, cells, mean_accuracy(cells))


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
    policy: Policy = "fair",
    test: Test = "ztest",
    alpha: float = 0.05,
    keep_all: bool = False,
    systems: Iterable[str] | None = None,
    judge: RuleJudge | None = None,
) -> Evaluation:
    """Judge outputs by a suite's rules and count. docs/reference/counting.md says what each number means."""
    settings = Settings(policy=policy, test=test, alpha=alpha, keep_all=keep_all)
    if not outputs.systems:
        raise BadOption("there are no systems to evaluate")
    found = outputs.found
    if not len(found):
        raise BadOption(f"none of the suite's {len(suite):,} items has an output")
    chosen = select(outputs, systems)
    kept, excluded = (chosen, []) if keep_all else keep_translated(chosen, found)
    if not kept.systems:
        names = ", ".join(left.system.name for left in excluded)
        raise BadOption(f"no system translated the suite ({names}); --keep-all evaluates them all the same")
    table = verdict_table(suite, kept, found, judge or RuleJudge(suite))
    return Evaluation(table, settings, tuple(excluded))
