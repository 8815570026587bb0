"""From verdicts to numbers: policies, rows, averages, clusters."""

from assay.evaluation.evaluation import (
    BY,
    By,
    Cell,
    Evaluation,
    Row,
    SystemSummary,
    evaluate,
)
from assay.evaluation.queue import queue
from assay.evaluation.settings import CORRECTIONS, POLICIES, TESTS, Correction, Policy, Progress, Settings, Test
from assay.evaluation.verdicts import Excluded, labels

__all__ = [
    "BY",
    "CORRECTIONS",
    "POLICIES",
    "TESTS",
    "By",
    "Cell",
    "Correction",
    "Evaluation",
    "Excluded",
    "Policy",
    "Progress",
    "Row",
    "Settings",
    "SystemSummary",
    "Test",
    "evaluate",
    "labels",
    "queue",
]
