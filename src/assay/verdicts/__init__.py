"""Verdicts: rules on texts, the table of what they say, the queue of what they leave open, and judgements."""

from assay.verdicts.blocks import judge_texts
from assay.verdicts.judge import RuleJudge
from assay.verdicts.judgements import Event, EventKind, Settlement, Task, settle_events
from assay.verdicts.match import match, matches
from assay.verdicts.patterns import TIME_LIMIT, Pattern, PatternError, RuleTimeout, pattern
from assay.verdicts.queue import Priority, Rank, judgements_needed, priorities, queue
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
    "Event",
    "EventKind",
    "Evidence",
    "ExcludedSystem",
    "Finding",
    "Judged",
    "Pattern",
    "PatternError",
    "Priority",
    "Rank",
    "Reason",
    "RuleJudge",
    "RuleTimeout",
    "Settlement",
    "Task",
    "Verdict",
    "VerdictTable",
    "events",
    "explain",
    "files",
    "judge_texts",
    "judgements_file",
    "judgements_needed",
    "keep_translated",
    "labels",
    "leave_out",
    "lint",
    "match",
    "matches",
    "missing_outputs",
    "parquet",
    "pattern",
    "priorities",
    "queue",
    "select",
    "settle_events",
    "timed_out",
    "todo",
    "verdict_table",
]
