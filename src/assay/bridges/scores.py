"""Answers of language models, scored by the rules of a suite: what the tasks of an exported folder call.

    scorer = SuiteScorer(Path("suite"))
    scorer.score("lexical-ambiguity/kiefer", "Sure! His jaw hurts.").value     # 1.0

An answer is cleaned as `assay translate` does it, then judged. The score is the verdict: 1 for a pass, 0 for a fail; a
warning has none, since no rule decides, and is counted apart.
"""

from dataclasses import dataclass
from functools import cached_property
from math import nan
from pathlib import Path

from assay.json_lines import Record, read_fields
from assay.suites import Suite, load_suite
from assay.translate import LanguagePair
from assay.translate.cleanup import clean
from assay.verdicts import Finding, RuleJudge, Verdict


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """The translation in an answer, and the verdict on it."""

    text: str
    finding: Finding

    @property
    def value(self) -> float:
        """1 or 0; not a number for a warning."""
        return nan if self.is_warning else float(self.finding.verdict)

    @property
    def is_warning(self) -> bool:
        return self.finding.verdict == Verdict.WARNING

    @property
    def explanation(self) -> str:
        """`pass (pass:regex:\\bjaw\\b)`, `warning (no_match)`."""
        why = [str(evidence.rule) for evidence in self.finding.evidence] or [self.finding.reason]
        return f"{self.finding.verdict} ({' & '.join(filter(None, why))})"


class SuiteScorer:
    """Scores answers to the items of one suite."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def suite(self) -> Suite:
        return load_suite(self._folder)

    @cached_property
    def _judge(self) -> RuleJudge:
        return RuleJudge(self.suite)

    def score(self, item_id: str, answer: str) -> AnswerScore:
        """The verdict on the translation in an answer."""
        item = self.suite.item(item_id)
        text = clean(answer, item.source, LanguagePair.parse(self.suite.langpair)).text
        return AnswerScore(text, self._judge.judge(item, text))


def read_rows(path: Path) -> list[Record]:
    """The items of a task."""
    return [fields.record for fields in read_fields(path)]
