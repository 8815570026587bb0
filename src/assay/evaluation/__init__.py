"""From verdicts to numbers: policies, rows, averages, clusters."""

from assay.evaluation.evaluation import (
    BY,
    By,
    Cell,
    Evaluation,
    Row,
    evaluate,
)
from assay.evaluation.identical import Likeness
from assay.evaluation.queue import queue
from assay.evaluation.settings import (
    CORRECTIONS,
    POLICIES,
    TESTS,
    Choices,
    Correction,
    Policy,
    Progress,
    Settings,
    Test,
)
from assay.evaluation.summaries import SystemSummary
from assay.evaluation.undecided import Rival, Standing, freed
from assay.evaluation.verdicts import Excluded, labels

__all__ = [
    "BY",
    "CORRECTIONS",
    "POLICIES",
    "TESTS",
    "By",
    "Cell",
    "Choices",
    "Correction",
    "Evaluation",
    "Excluded",
    "Likeness",
    "Policy",
    "Progress",
    "Rival",
    "Row",
    "Settings",
    "Standing",
    "SystemSummary",
    "Test",
    "evaluate",
    "freed",
    "labels",
    "queue",
]
