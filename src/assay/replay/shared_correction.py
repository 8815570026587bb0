"""What an estimate would be if systems shared their corrections: the trade-off that `assay replay --own` shows.

    shared = SharedCorrection.of(estimate, predicted, grouping, own=0.5)
    shared.accuracy                         # rows × systems; own=1 is the estimate itself

A system's own correction is noisy where errors are rare; the mean of all systems' corrections is less so, and wrong for
each system that differs from the others. Variances are those of sampling texts. They know nothing of that bias, and
nothing in a sample does: so intervals hold the truth the less often, the less of a correction is a system's own.
"""

from dataclasses import dataclass

import numpy as np

from assay.evaluation.estimate import EstimatedItems, sums
from assay.evaluation.tally import Grouping
from assay.stats.proportions import Floats, divide


@dataclass(frozen=True)
class SharedCorrection:
    """Rows × systems. `parts` are each system's share of what is predicted in a row.

    A text adds to a system's estimate what it corrects times own · (whether the system wrote it) + (1 - own) · part ·
    (how many systems wrote it); variances are sums of squares of these.
    """

    accuracy: Floats
    parts: Floats
    found: Floats
    grouping: Grouping
    own: float

    @classmethod
    def of(cls, estimate: EstimatedItems, predicted: Floats, grouping: Grouping, own: float) -> "SharedCorrection":
        """`predicted` is 1 for each output (items × systems) that is predicted, judged or not."""
        found = sums(np.ones((len(predicted), 1)), grouping)
        corrected, outputs = sums(estimate.corrections, grouping), sums(predicted, grouping)
        parts = np.nan_to_num(divide(outputs, outputs.sum(axis=1, keepdims=True)))
        without = sums(estimate.values, grouping) - corrected
        shared = parts * corrected.sum(axis=1, keepdims=True)
        accuracy = divide(without + own * corrected + (1 - own) * shared, found)
        return cls(accuracy, parts, found, grouping, own)

    def variances(self, estimate: EstimatedItems) -> Floats:
        """Those of accuracies."""
        alone = sums(estimate.variances, self.grouping)
        by_writers = sums(estimate.variances * estimate.writers, self.grouping)
        every = by_writers.sum(axis=1, keepdims=True)
        own, rest = self.own, (1 - self.own) * self.parts
        return divide(own**2 * alone + 2 * own * rest * by_writers + rest**2 * every, self.found**2)

    def pair_variances(self, estimate: EstimatedItems) -> Floats:
        """Those of differences between two systems, systems × systems, for a grouping of one row."""
        by_writers = sums(estimate.variances * estimate.writers, self.grouping)[0]
        own, rest = self.own, (1 - self.own) * (self.parts[0][:, None] - self.parts[0][None, :])
        apart = np.stack([estimate.gain(self.grouping, leader).by_texts[0] for leader in range(len(by_writers))])
        both = by_writers[:, None] - by_writers[None, :]
        total = own**2 * apart + 2 * own * rest * both + rest**2 * by_writers.sum()
        return np.asarray(np.maximum(total, 0.0) / self.found[0, 0] ** 2)
