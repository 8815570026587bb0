"""From outputs to the verdict table: which systems take part, which items were found, the verdict on each text."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from assay.errors import UnknownName
from assay.outputs import Outputs, System
from assay.suites import Suite
from assay.text import plural
from assay.verdicts.findings import Findings
from assay.verdicts.verdict import Finding, Reason, Verdict, VerdictTable

Positions = NDArray[np.intp]

DISTINCT_SHARE = 0.05
"""A system with fewer distinct texts than this share of the items found did not translate the suite."""


@dataclass(frozen=True, slots=True)
class ExcludedSystem:
    """A system that was left out, and why."""

    system: System
    reason: str


def select(outputs: Outputs, names: Iterable[str] | None) -> Outputs:
    """The outputs of the systems with these names (or patterns such as `Online-*`); all where none is given."""
    return outputs if names is None else outputs.select(sorted(_columns(outputs, names)))


def leave_out(outputs: Outputs, names: Iterable[str]) -> Outputs:
    """The outputs of all systems but these."""
    gone = _columns(outputs, names)
    return outputs.select([column for column in range(len(outputs.systems)) if column not in gone]) if gone else outputs


def _columns(outputs: Outputs, names: Iterable[str]) -> set[int]:
    known = [system.name for system in outputs.systems]
    found: set[int] = set()
    for name in names:
        # fnmatchcase, since fnmatch ignores case on Windows only.
        columns = [column for column, system in enumerate(known) if fnmatchcase(system, name)]
        if not columns:
            raise UnknownName("system", name, known)
        found.update(columns)
    return found


def keep_translated(outputs: Outputs, found: Positions) -> tuple[Outputs, list[ExcludedSystem]]:
    """The outputs without the systems that did not translate the suite."""
    needed = DISTINCT_SHARE * len(found)
    distinct: list[set[str]] = [set() for _ in outputs.systems]
    waiting = list(range(len(outputs.systems)))
    # Item by item, since a text file has the texts in that order; most systems are done after about 5 % of the items.
    for position in found.tolist():
        codes = outputs.codes[position].tolist()
        for column in waiting:
            distinct[column].add(outputs.texts[codes[column]] if codes[column] >= 0 else "")
        waiting = [column for column in waiting if len(distinct[column]) < needed]
        if not waiting:
            break
    excluded = [
        ExcludedSystem(outputs.systems[column], _untranslated(len(distinct[column]), len(found))) for column in waiting
    ]
    return outputs.select([column for column in range(len(outputs.systems)) if column not in waiting]), excluded


def _untranslated(distinct: int, items: int) -> str:
    return f"{plural(distinct, 'distinct text')} for {items:,} items: it did not translate the suite"


def verdict_table(suite: Suite, outputs: Outputs, found: Positions, findings: Sequence[Finding | None]) -> VerdictTable:
    """The verdicts of all systems on all items found, from the finding on each distinct text.

    Items that only have labels are right or wrong for nobody, and are none of the table.
    """
    if not all(item.is_judged for item in suite.items):
        found = found[[suite.items[place].is_judged for place in found.tolist()]]
    verdicts = outputs.laid_out(_verdict_codes(findings), found, missing=np.int8(Verdict.WARNING))
    return VerdictTable(suite, outputs, found, verdicts, findings)


def _verdict_codes(findings: Sequence[Finding | None]) -> NDArray[np.int8]:
    if isinstance(findings, Findings):
        return findings.verdicts
    verdicts = (Verdict.WARNING if finding is None else finding.verdict for finding in findings)
    return np.fromiter(verdicts, np.int8, len(findings))


def missing_outputs(table: VerdictTable) -> NDArray[np.bool_]:
    """Whether a system has no output for an item; items found × systems in the order of the verdict table."""
    return table.outputs.laid_out(_with_reason(table, "missing"), table.items, missing=np.True_)


def missing_texts(table: VerdictTable) -> NDArray[np.bool_]:
    """Whether each text is no output at all, or was not judged, which no judgement of it changes."""
    findings = table.findings
    if isinstance(findings, Findings):
        return findings.with_reason("missing") | ~findings.found
    return np.fromiter((one is None or one.reason == "missing" for one in findings), bool, len(findings))


def timed_out(table: VerdictTable) -> dict[str, int]:
    """Item id -> how many of its texts are warnings because a rule took too long."""
    owners = table.outputs.owners[np.flatnonzero(_with_reason(table, "timeout"))]
    return {table.suite.items[place].id: number for place, number in sorted(Counter(owners.tolist()).items())}


def _with_reason(table: VerdictTable, reason: Reason) -> NDArray[np.bool_]:
    findings = table.findings
    if isinstance(findings, Findings):
        return findings.with_reason(reason)
    return np.fromiter((one is not None and one.reason == reason for one in findings), bool, len(findings))


def labels(systems: Sequence[System]) -> list[str]:
    """Column labels: NAME, or NAME (CAMPAIGN) only where names collide."""
    names = [system.name for system in systems]
    return [
        f"{system.name} ({system.campaign})" if names.count(system.name) > 1 and system.campaign else system.name
        for system in systems
    ]
