"""From verdicts to numbers: policies, rows, averages, clusters."""

from assay.evaluation.evaluation import BY, By, Cell, Evaluation, Row, evaluate
from assay.evaluation.files import analyse_files, compare_files, evaluate_files, write_warnings, years_of_files
from assay.evaluation.identical import Likeness
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
    "Likeness",
    "Policy",
    "Progress",
    "Rival",
    "Row",
    "Settings",
    "Standing",
    "SystemSummary",
    "Test",
    "analyse_files",
    "compare_files",
    "comparison",
    "evaluate",
    "evaluate_files",
    "freed",
    "groups",
    "items",
    "outside_scores",
    "significance",
    "tally",
    "write_warnings",
    "years",
    "years_of_files",
]
