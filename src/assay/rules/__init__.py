"""Rules at work: judging texts, explaining verdicts, checking suites, taking judgements back."""

from assay.rules.blocks import judge_texts
from assay.rules.judge import RuleJudge

__all__ = ["RuleJudge", "judge_texts"]
