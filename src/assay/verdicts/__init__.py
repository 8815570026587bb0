"""Verdicts: rules on texts, the table of what they say, the queue of what they leave open, and judgements."""

from assay.verdicts.blocks import judge_texts
from assay.verdicts.judge import RuleJudge
from assay.verdicts.match import match, matcher, matches, plain_match, reason
from assay.verdicts.patterns import TIME_LIMIT, Pattern, PatternError, RuleTimeout, pattern
from assay.verdicts.plain_patterns import spell_out
from assay.verdicts.table import (
    ExcludedSystem,
    keep_translated,
    labels,
    leave_out,
    missing_outputs,
    select,
    timed_out,
    verdict_table,
)
from assay.verdicts.verdict import MISSING, VERDICT_FIELDS, Evidence, Finding, Judged, Reason, Verdict, VerdictTable

__all__ = [
    "MISSING",
    "TIME_LIMIT",
    "VERDICT_FIELDS",
    "Evidence",
    "ExcludedSystem",
    "Finding",
    "Judged",
    "Pattern",
    "PatternError",
    "Reason",
    "RuleJudge",
    "RuleTimeout",
    "Verdict",
    "VerdictTable",
    "draw",
    "events",
    "explain",
    "files",
    "judge_texts",
    "judgements",
    "judgements_file",
    "keep_translated",
    "label_judge",
    "labels",
    "leave_out",
    "lint",
    "match",
    "matcher",
    "matches",
    "missing_outputs",
    "parquet",
    "pattern",
    "pearmut",
    "plain_match",
    "probes",
    "probes_file",
    "queue",
    "reason",
    "select",
    "spell_out",
    "timed_out",
    "todo",
    "verdict_table",
    "written_texts",
]
