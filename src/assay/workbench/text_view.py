"""What pages show of texts: marks, what decided a verdict, who wrote it, in words.

shown = show_text(snapshot, snapshot.text(17))
shown.why[0].words      # "no rule matched"
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from assay.languages import bcp47, split_pair
from assay.outputs import System
from assay.suites import Item, Rule
from assay.verdicts import Evidence, Finding, reason
from assay.verdicts.judgements import Event, Settlement
from assay.workbench.snapshot import Snapshot, SnapshotText

Mark = tuple[int, int, str]
"""[start, end) of a normalised text, and why it is marked: `pass`, `fail` or `differs`."""

WORDS: Final = {
    "no_match": "no rule matched",
    "contradiction": "rules for pass and for fail matched",
    "timeout": "a rule took too long",
    "missing": "there is no output",
    "no_link": "the word is linked to no word",
    "function_word": "the word is linked to function words only",
    "no_class": "the linked word is of no class",
}
"""Reasons of warnings, in words."""


@dataclass(frozen=True, slots=True)
class VerdictReason:
    """A part of the reason for a verdict, with the rule it is about."""

    words: str
    rule: Rule | None = None


@dataclass(frozen=True, slots=True)
class TextView:
    """A text as a page shows it. `systems` are names, with their campaigns where there are several."""

    id: int
    value: str
    marks: Sequence[Mark]
    verdict: str
    why: Sequence[VerdictReason]
    systems: Sequence[str]
    written: int
    settlement: Settlement | None

    @property
    def votes(self) -> list[Event]:
        """The judgements that hold, and the ruling."""
        return holding(self.settlement) if self.settlement else []


def holding(settlement: Settlement) -> list[Event]:
    """The judgements of a text that hold, and the ruling."""
    return [*settlement.votes.values(), *([settlement.ruling] if settlement.ruling else [])]


def show_text(snapshot: Snapshot, text: SnapshotText) -> TextView:
    """A text with its verdict as it stands. Only `Reader` calls this: it writes down what is shown."""
    writers = snapshot.writers(text.place, text.id)
    return TextView(
        id=text.id,
        value=text.value,
        marks=marks(text.ruled, text.value),
        verdict=str(text.finding.verdict),
        why=reasons(text.finding, text.settlement, (snapshot.items[text.place], text.value)),
        systems=system_names(snapshot, writers),
        written=len(writers),
        settlement=text.settlement,
    )


def hidden_text(snapshot: Snapshot, text: SnapshotText) -> TextView:
    """A text with what the rules say of it; nobody learns who wrote it, or that it was judged."""
    return TextView(
        id=text.id,
        value=text.value,
        marks=marks(text.ruled, text.value),
        verdict=str(text.ruled.verdict),
        why=reasons(text.ruled, None, (snapshot.items[text.place], text.value)),
        systems=(),
        written=len(snapshot.writers(text.place, text.id)),
        settlement=None,
    )


def marks(finding: Finding, text: str) -> list[Mark]:
    """Where rules matched; a rule that is the whole text marks nothing."""
    return [
        (found.start, found.end, found.rule.polarity)
        for found in finding.evidence
        if found.rule.kind != "exact" and found.start < found.end <= len(text)
    ]


def reasons(
    finding: Finding, settlement: Settlement | None, judged: tuple[Item, str] | None = None
) -> list[VerdictReason]:
    """Why a text has its verdict; `judged` are its item and the text, for rules that have more to say than a place."""
    if settlement and settlement.disputed:
        said = ", ".join(f"{event.by} says {event.verdict}" for event in settlement.votes.values())
        return [VerdictReason(f"judgements disagree: {said}")]
    if settlement and settlement.verdict:
        ruling = settlement.ruling
        if ruling:
            return [VerdictReason(f"decided by {ruling.by}, {ruling.dated}")]
        return [VerdictReason(f"judged by {event.by}, {event.dated}") for event in settlement.votes.values()]
    if finding.reason == "contradiction":
        return [
            VerdictReason(f"{found.rule.polarity} rule matched{_more(found.rule, judged)}", found.rule)
            for found in finding.evidence
        ]
    if finding.reason:
        return [VerdictReason(WORDS[finding.reason], _first_rule(finding.evidence))]
    rule = _first_rule(finding.evidence)
    return [VerdictReason(f"{_named(rule)}{_more(rule, judged)}", rule)]


def _named(rule: Rule | None) -> str:
    return "rule" if rule is None or rule.kind in ("regex", "contains", "class") else f"{rule.kind} rule"


def _more(rule: Rule | None, judged: tuple[Item, str] | None) -> str:
    """What a rule says beside its place: ` (missing %s)`."""
    said = reason(rule, judged[1], judged[0]) if rule and judged else ""
    scope = f", in {rule.scope}" if rule and rule.scope else ""
    return scope + (f" ({said})" if said else "")


def system_names(snapshot: Snapshot, systems: Iterable[System]) -> list[str]:
    """Each name once, with the campaigns where the suite has several: `Online-A (WMT21, WMT22)`."""
    campaigns: dict[str, list[str]] = {}
    for system in systems:
        campaigns.setdefault(system.name, []).append(system.campaign)
    if len(snapshot.campaigns) < 2:
        return list(campaigns)
    return [f"{name} ({', '.join(found)})" if any(found) else name for name, found in campaigns.items()]


def tested(snapshot: Snapshot, item: Item) -> str:
    """What the phenomenon of an item is."""
    return snapshot.stored.suite.taxonomy.get(item.category, {}).get(item.phenomenon, "")


def guideline_of(snapshot: Snapshot, item: Item) -> str | None:
    """How strictly texts of an item's phenomenon are judged, where somebody wrote that down."""
    return snapshot.stored.suite.guidelines.get((item.category, item.phenomenon))


def languages(snapshot: Snapshot) -> tuple[str, str]:
    """Source and target language, as the attribute `lang` has them."""
    source, target = map(bcp47, split_pair(snapshot.stored.suite.langpair))
    return source, target


def duration(seconds: float | None) -> str:
    """A time as one says it: `about 38 min`."""
    if seconds is None:
        return "no estimate yet"
    minutes = seconds / 60
    if minutes < 1:
        return "under a minute"
    if minutes < 90:
        return f"about {round(minutes)} min"
    hours = minutes / 60
    return f"about {hours:.1f} h" if hours < 10 else f"about {round(hours)} h"


def _first_rule(evidence: Sequence[Evidence]) -> Rule | None:
    return evidence[0].rule if evidence else None
