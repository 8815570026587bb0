"""What each system handed in and what that was worth, over all items found.

summarise(table, missing_outputs(table), order=[1, 0])
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.evaluation.tally import Mask
from assay.outputs import System
from assay.verdicts import Verdict, VerdictTable

if TYPE_CHECKING:
    from assay.evaluation.document import SystemDocument


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
        return self.warnings / self.outputs

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
    alone = np.count_nonzero(table.verdicts == Verdict.WARNING, axis=1) == 1
    return [
        SystemSummary(
            system=table.outputs.systems[column],
            outputs=len(table.items),
            missing=int(missing[:, column].sum()),
            passed=int((verdicts == Verdict.PASS).sum()),
            failed=int((verdicts == Verdict.FAIL).sum()),
            warnings=int((verdicts == Verdict.WARNING).sum()),
            costs=int((verdicts[alone] == Verdict.WARNING).sum()),
        )
        for column in order
        for verdicts in [table.verdicts[:, column]]
    ]
