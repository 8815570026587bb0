"""Suggestions: what an undecided text may be worth, and rules that would tell texts apart."""

from assay.suggest.likeness import Related, suggest
from assay.suggest.suggester import Known, Question, Suggester, Suggestion

__all__ = [
    "Known",
    "Question",
    "Related",
    "Suggester",
    "Suggestion",
    "exchanges",
    "likeness",
    "llm",
    "predicted",
    "proposals",
    "run",
    "suggest",
    "wider_rules",
]
