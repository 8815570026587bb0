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
from assay.evaluation.settings import POLICIES, TESTS, Policy, Settings, Test
from assay.evaluation.verdicts import Excluded, labels

__all__ = [
    "BY",
    "POLICIES",
    "TESTS",
    "By",
    "Cell",
    "Evaluation",
    "Excluded",
    "Policy",
    "Row",
    "Settings",
    "SystemSummary",
    "Test",
    "evaluate",
    "labels",
    "queue",
]
