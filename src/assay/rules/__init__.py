"""Rules at work: judging texts, explaining verdicts, checking suites, taking judgements back."""

from assay.rules.judge import RuleJudge, judge_texts

__all__ = ["RuleJudge", "judge_texts"]
