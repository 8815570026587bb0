"""Assay finds out what a machine translation system can and cannot translate.

    suite = assay.load_suite("de-en")
    outputs = assay.load_outputs(suite, ["careful.tsv", "literal.tsv"])
    evaluation = assay.evaluate(suite, outputs)
    for row in evaluation.rows(by="category"):
        print(row.category, [cell.accuracy for cell in row.cells])

Importing this module costs nothing: each name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "AssayError": "assay.errors",
    "Evaluation": "assay.evaluation",
    "Item": "assay.suites",
    "Outputs": "assay.outputs",
    "Rule": "assay.suites",
    "Settings": "assay.evaluation",
    "Suite": "assay.suites",
    "System": "assay.outputs",
    "compare": "assay.evaluation.comparison",
    "evaluate": "assay.evaluation",
    "load_outputs": "assay.outputs",
    "load_suite": "assay.suites",
    "over_years": "assay.evaluation.years",
    "save_suite": "assay.suites",
}

__all__ = ["__version__", *sorted(_HOMES)]

if TYPE_CHECKING:
    from assay.errors import AssayError as AssayError
    from assay.evaluation import Evaluation as Evaluation
    from assay.evaluation import Settings as Settings
    from assay.evaluation import evaluate as evaluate
    from assay.evaluation.comparison import compare as compare
    from assay.evaluation.years import over_years as over_years
    from assay.outputs import Outputs as Outputs
    from assay.outputs import System as System
    from assay.outputs import load_outputs as load_outputs
    from assay.suites import Item as Item
    from assay.suites import Rule as Rule
    from assay.suites import Suite as Suite
    from assay.suites import load_suite as load_suite
    from assay.suites import save_suite as save_suite


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
