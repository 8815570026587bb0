"""Structural tests: find a construction in the source tree, follow the word links, classify the word they lead to.

contrasts = assay.contrasts.files.definitions.read(bundled()["en-cs"])
judged = judge_contrasts(contrasts, sources, translations)
"""

from pathlib import Path

from assay.contrasts.classes import ClassFinder, FoundClass
from assay.contrasts.expectations import ChosenClass, Expectation, Occurrence, SourceRule, Translation, lines_needed
from assay.contrasts.judge import JudgedContrasts, find, judge_contrasts, judge_occurrence
from assay.contrasts.patterns import Patterns
from assay.contrasts.projection import Projection, project

__all__ = [
    "ChosenClass",
    "ClassFinder",
    "Expectation",
    "FoundClass",
    "JudgedContrasts",
    "Occurrence",
    "Patterns",
    "Projection",
    "SourceRule",
    "Translation",
    "bundled",
    "files",
    "find",
    "judge_contrasts",
    "judge_occurrence",
    "lines_needed",
    "pictured_profile",
    "project",
    "renderings_profile",
]


def bundled() -> dict[str, Path]:
    """Language pair -> the file of contrasts that comes with Assay."""
    return {path.stem: path for path in sorted((Path(__file__).parent / "bundled").glob("*.yaml"))}
