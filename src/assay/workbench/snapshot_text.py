"""A text as a snapshot holds it: what the rules say of it, what judgements make of it, and what holds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.suites import Item, Rule
from assay.verdicts import Evidence, Finding, Verdict
from assay.verdicts.judgements import Event, Settlement
from assay.workbench.db.outputs import TextRow


@dataclass(frozen=True, slots=True)
class SnapshotText:
    """A distinct text of an item, with what it is worth now, by the rules alone, and when it was first seen.

    `skipped` says that somebody looked at it and left it, `questions` doubt what holds of it.
    """

    id: int
    place: int
    value: str
    finding: Finding
    ruled: Finding
    first: Verdict
    settlement: Settlement | None
    skipped: bool = False
    questions: tuple[Event, ...] = ()

    @property
    def decided(self) -> bool:
        return self.finding.verdict != Verdict.WARNING

    @property
    def waits(self) -> bool:
        """Whether a linguist could decide about it."""
        return not self.decided and self.finding.reason != "missing"

    @property
    def disputed(self) -> bool:
        """Whether judgements disagree, so that an adjudicator has to decide."""
        return bool(self.settlement and self.settlement.disputed)

    @property
    def questioned(self) -> bool:
        """Whether an adjudicator has something to say: judgements disagree, or somebody doubts what holds."""
        return self.disputed or bool(self.questions)

    @property
    def unanswered(self) -> bool:
        """Whether somebody was asked about it, and nobody said what it is."""
        return self.skipped and self.waits and not self.disputed

    @property
    def judged(self) -> bool:
        """Whether somebody looked at the very text and decided about it."""
        return self.decided and {evidence.rule.kind for evidence in self.finding.evidence} == {"exact"}

    def settle(self, settlement: Settlement | None) -> "SnapshotText":
        """The same text with what its judgements come to now."""
        # What settles nothing (skips, judgements that were taken back) is as good as no judgement.
        kept = settlement if settlement and (settlement.verdict or settlement.disputed) else None
        finding = _settled_finding(kept, self.value) if kept else None
        skipped = bool(settlement and settlement.skipped)
        questions = settlement.questions if settlement else ()
        return replace(self, finding=finding or self.ruled, settlement=kept, skipped=skipped, questions=questions)


def snapshot_texts(
    rows: Iterable[TextRow], settled: Mapping[int, Settlement], items: Sequence[Item], places: Mapping[int, int]
) -> dict[int, SnapshotText]:
    """Rows of texts as a snapshot holds them, with what their judgements come to; without those of removed items."""
    found = {}
    for row in rows:
        place = places.get(row.item_id)
        if place is not None:
            ruled = row.ruled.finding(items[place])
            text = SnapshotText(row.id, place, row.value, ruled, ruled, Verdict(row.first), None)
            found[row.id] = text.settle(settled[row.id]) if row.id in settled else text
    return found


def settled_rules(settlement: Settlement, text: str) -> list[Rule]:
    """The judgements that hold, as exact rules."""
    return [
        Rule(event.verdict or "pass", "exact", text, "", event.comment, event.by, event.dated)
        for event in settlement.rules
    ]


def _settled_finding(settlement: Settlement, text: str) -> Finding | None:
    """What judgements make of a text; None where they leave it to the rules."""
    evidence = tuple(Evidence(rule, 0, len(text)) for rule in settled_rules(settlement, text))
    if settlement.disputed:
        return Finding(Verdict.WARNING, "contradiction", evidence)
    if settlement.verdict is None:
        return None
    return Finding(Verdict.PASS if settlement.verdict == "pass" else Verdict.FAIL, "", evidence)
