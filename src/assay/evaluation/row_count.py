"""What a row beside the averages is counted from: some items, or groups of them, apart from the others.

count = RowCount("context_tier", table.verdicts[rows], counted[rows])
count.accuracy, count.tally
significance(count.sample, settings)["micro"]        # the same tests as for all items
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.significance import Sample
from assay.evaluation.tally import Grouping, Level, Mask, Tally
from assay.stats.proportions import Floats, divide
from assay.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class RowCount:
    """Items, or groups, by systems: their verdicts, which of them count, and the group of each item that has one."""

    level: Level
    verdicts: NDArray[np.int8]
    counted: Mask
    groups: NDArray[np.intp] | None = None

    @property
    def sample(self) -> Sample:
        """As the tests of items see it; everything is in the one row of each level."""
        one = Grouping(np.zeros(len(self.verdicts), dtype=np.intp), [(None, None)])
        grouping: dict[Level, Grouping] = {"category": one, "phenomenon": one, "micro": one}
        return Sample((self.verdicts == Verdict.PASS) & self.counted, self.counted, grouping, groups=self.groups)

    @property
    def accuracy(self) -> Floats:
        """The share that is right, of what counts; one row."""
        return divide(self.tally.correct, self.tally.total)

    @property
    def tally(self) -> Tally:
        passes, warnings = self.verdicts == Verdict.PASS, self.verdicts == Verdict.WARNING
        number, found = np.count_nonzero(self.counted.any(axis=1)), len(self.verdicts)
        correct, total, passed, warned = (
            np.count_nonzero(of, axis=0)[None] for of in (passes & self.counted, self.counted, passes, warnings)
        )
        return Tally(correct, total, np.array([number]), np.array([found]), passed, warned)
