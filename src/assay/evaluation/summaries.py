"""What each system handed in and what that was worth, over all items found.

summarise(table, missing_outputs(table), order=[1, 0])
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.evaluation.tally import Mask
from assay.outputs import System
from assay.verdicts import ExcludedSystem, Verdict, VerdictTable

if TYPE_CHECKING:
    from assay.evaluation.document import ExcludedSystemDocument, SystemDocument


@dataclass(frozen=True, slots=True)
class SystemSummary:
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
    def counts(self) -> tuple[int, int, int, int, int]:
        """The numbers about all its outputs, in the order of tables."""
        return self.outputs, self.missing, self.passed, self.failed, self.warnings

    @property
    def warning_share(self) -> float:
        # Without outputs that are judged, where all items have labels only, there are no warnings either.
        return self.warnings / self.outputs if self.outputs else 0.0

    def to_dict(self) -> "SystemDocument":
        """As in the JSON of an evaluation."""
        return {
            "name": self.system.name,
            "campaign": self.system.campaign,
            "metadata": dict(self.system.metadata),
            "outputs": self.outputs,
            "missing": self.missing,
            "pass": self.passed,
            "fail": self.failed,
            "warning": self.warnings,
            "warning_share": self.warning_share,
            "costs": self.costs,
        }


def summarise(table: VerdictTable, missing: Mask, order: Iterable[int]) -> list[SystemSummary]:
    """One summary per system, columns in this order; `missing` is that of the whole table."""
    warned = table.verdicts == Verdict.WARNING
    alone = np.count_nonzero(warned, axis=1) == 1
    what = missing, table.verdicts == Verdict.PASS, table.verdicts == Verdict.FAIL, warned, warned[alone]
    counts = np.array([np.count_nonzero(found, axis=0) for found in what]).T.tolist()
    return [SystemSummary(table.outputs.systems[column], len(table.items), *counts[column]) for column in order]


def excluded_documents(excluded: Iterable[ExcludedSystem]) -> "list[ExcludedSystemDocument]":
    """Systems that were left out, as in JSON."""
    return [{"name": left.system.name, "campaign": left.system.campaign, "reason": left.reason} for left in excluded]
