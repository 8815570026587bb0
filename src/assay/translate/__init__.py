"""Translations from MT engines and from participants: asked for, checked, kept."""

from assay.translate.collect import collect
from assay.translate.engine import Answer, EngineSpec, Estimate, LanguagePair, told_sentence
from assay.translate.plan import Plan, check_budget, plan_of
from assay.translate.retry import Collected, Limits

__all__ = [
    "Answer",
    "Collected",
    "EngineSpec",
    "Estimate",
    "LanguagePair",
    "Limits",
    "Plan",
    "chat",
    "check_budget",
    "checks",
    "cleanup",
    "collect",
    "engines",
    "journal",
    "options",
    "pace",
    "participants",
    "plan_of",
    "prices",
    "prompt",
    "submission_page",
    "told_sentence",
]
