"""Verdicts with their evidence, and the table of them that everything else is derived from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.outputs import Outputs, System
from assay.suites import Item, Rule, Suite
from assay.text import normalise

Reason = Literal["", "no_match", "contradiction", "missing", "timeout", "no_link", "function_word", "no_class"]
"""Why there is a warning; the last three are of contrasts."""


class Verdict(IntEnum):
    """The verdict on a text; its value is the code in the verdict table."""

    # Below zero, so that `verdicts >= 0` are the decided ones.
    WARNING = -1
    FAIL = 0
    PASS = 1

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A rule and where it matched: code points [start, end) of the normalised text."""

    rule: Rule
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one text of one item, and why. `reason` is set for warnings only."""

    verdict: Verdict
    reason: Reason = ""
    evidence: tuple[Evidence, ...] = ()

    @property
    def is_judged(self) -> bool:
        """Whether exact rules alone decide it: somebody looked at the very text."""
        return self.verdict != Verdict.WARNING and {found.rule.kind for found in self.evidence} == {"exact"}


VERDICT_FIELDS = (
    "item",
    "system",
    "campaign",
    "verdict",
    "reason",
    "rule",
    "match",
    "start",
    "end",
    "category",
    "phenomenon",
    "source",
    "text",
)
"""Columns of a verdict file."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One line of the verdict table."""

    item: Item
    system: System
    text: str
    finding: Finding

    def record(self) -> dict[str, str | int | None]:
        """The fields of a verdict file, by name.

        `match` is what the first rule matched, `start` and `end` its code points in the normalised text.
        """
        item, finding = self.item, self.finding
        first = finding.evidence[0] if finding.evidence else None
        return {
            "item": item.id,
            "system": self.system.name,
            "campaign": self.system.campaign,
            "verdict": str(finding.verdict),
            "reason": finding.reason,
            "rule": " & ".join(str(evidence.rule) for evidence in finding.evidence),
            "match": normalise(self.text)[first.start : first.end] if first else "",
            "start": first.start if first else None,
            "end": first.end if first else None,
            "category": item.category,
            "phenomenon": item.phenomenon,
            "source": item.source,
            "text": self.text,
        }


@dataclass(frozen=True)
class VerdictTable:
    """Verdicts of items (down) by systems (across).

    `items` are the positions in the suite of the items found, ascending; `verdicts[i, s]` is the code of
    `Verdict` for item `items[i]` and system s of `outputs`; `findings[c]` belongs to text c of `outputs`.
    """

    suite: Suite
    outputs: Outputs
    items: NDArray[np.intp]
    verdicts: NDArray[np.int8]
    findings: Sequence[Finding | None]

    def finding(self, item: int, system: int) -> Finding:
        """The finding for a suite position and a column; `MISSING` where nothing was paired."""
        code = self.outputs.codes[item, system]
        found = self.findings[code] if code >= 0 else None
        return found if found is not None else MISSING

    def __iter__(self) -> Iterator[Judged]:
        """Every system of every item found, item by item."""
        for position in self.items.tolist():
            item = self.suite.items[position]
            for column, system in enumerate(self.outputs.systems):
                yield Judged(item, system, self.outputs.text(position, column), self.finding(position, column))


MISSING = Finding(Verdict.WARNING, "missing")
