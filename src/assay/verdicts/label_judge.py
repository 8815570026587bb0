"""Which rendering a text has: the label of its item whose rules match it, where it is a single one.

    judge = LabelJudge(suite)
    judge.judge(item, "Die Ärztin kam zu spät.")    # LabelFinding("feminine", "")

Labels are no verdicts: what is found here is right or wrong only where rules of the item say so.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from assay.suites import Item
from assay.text import MISSING_MARKERS, normalise
from assay.verdicts.judge import RuleJudge
from assay.verdicts.verdict import Verdict

LabelReason = Literal["", "no_match", "overlap", "missing", "timeout"]


@dataclass(frozen=True, slots=True)
class LabelFinding:
    """The label of a text, or why it has none."""

    name: str
    reason: LabelReason = ""


class LabelJudge:
    """Finds labels by the rules of items. Rules that do not compile are errors at once."""

    def __init__(self, items: Iterable[Item]) -> None:
        # Each label as an item that it passes: whatever rules can do, labels can.
        self._asked = {
            item.id: {
                label.name: replace(item, id=f"{item.id}\0{label.name}", rules=label.rules, labels=())
                for label in item.labels
            }
            for item in items
            if item.labels
        }
        self._judge = RuleJudge(asked for one in self._asked.values() for asked in one.values())

    def judge(self, item: Item, text: str) -> LabelFinding:
        """The label of one text; none where the rules of several match, or of none."""
        if normalise(text) in MISSING_MARKERS:
            return LabelFinding("", "missing")
        findings = {name: self._judge.judge(asked, text) for name, asked in self._asked[item.id].items()}
        names = [name for name, finding in findings.items() if finding.verdict == Verdict.PASS]
        if any(finding.reason == "timeout" for finding in findings.values()):
            return LabelFinding("", "timeout")
        if len(names) == 1:
            return LabelFinding(names[0])
        return LabelFinding("", "overlap" if names else "no_match")

    def matching(self, item: Item, text: str) -> list[str]:
        """The names of all labels whose rules match."""
        asked = self._asked[item.id].items()
        return [name for name, one in asked if self._judge.judge(one, text).verdict == Verdict.PASS]
