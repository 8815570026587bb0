"""From verdicts to numbers: policies, rows, averages, clusters."""

from assay.evaluation.evaluation import Evaluation, evaluate
from assay.evaluation.files import (
    ageing_of_files,
    compare_files,
    evaluate_files,
    find_draw,
    judge_files,
    write_warnings,
    years_of_files,
)
from assay.evaluation.identical import Likeness
from assay.evaluation.rows import Cell, Row
from assay.evaluation.settings import (
    CORRECTIONS,
    POLICIES,
    TESTS,
    Choices,
    Correction,
    Policy,
    Settings,
    Tails,
    Test,
    Units,
)
from assay.evaluation.summaries import SystemSummary
from assay.result import BY, By

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
    "Row",
    "Settings",
    "SystemSummary",
    "Tails",
    "Test",
    "Units",
    "ageing_of_files",
    "answer",
    "compare_files",
    "comparison",
    "document",
    "estimate",
    "evaluate",
    "evaluate_files",
    "examples",
    "find_draw",
    "gate",
    "groups",
    "item_groups",
    "items",
    "judge_files",
    "label_shares",
    "outside_scores",
    "rows",
    "rule_age",
    "sample",
    "significance",
    "tally",
    "unusable",
    "write_warnings",
    "years",
    "years_of_files",
]
