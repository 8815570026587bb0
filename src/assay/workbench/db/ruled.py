"""What the rules of an item say of a text, as the database keeps it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assay.suites import Item, Rule
from assay.verdicts import Evidence, Finding, RuleJudge, Verdict

Spans = list[list[int]]
"""Evidence as it is kept: [number of the rule in the item's version, start, end] each."""

RULED: Final = ("ruled", "reason", "evidence", "judged_with")
"""The columns of `texts` that hold a `Ruled`, in the order of its `cells`."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the rules with the hash `judged_with` say of a text."""

    verdict: int
    reason: str
    evidence: Spans
    judged_with: str

    @property
    def cells(self) -> tuple[int, str, Spans, str]:
        """The values of the columns `RULED`."""
        return self.verdict, self.reason, self.evidence, self.judged_with

    def finding(self, item: Item) -> Finding:
        """The same with the rules themselves, which are those of the item."""
        evidence = tuple(Evidence(item.rules[number], start, end) for number, start, end in self.evidence)
        return Finding(Verdict(self.verdict), self.reason, evidence)  # type: ignore[arg-type]


def rules_hash(found: Iterable[Rule]) -> str:
    """Equal for rules that judge alike: what a text's verdict by rules depends on."""
    return sha256(repr([rule.check for rule in found]).encode()).hexdigest()[:40]


def rule_texts(wanted: Sequence[tuple[Item, str]]) -> list[Ruled]:
    """What the rules of items say of texts."""
    items = {item.id: item for item, _ in wanted}
    judge = RuleJudge(items.values())
    hashes = {name: rules_hash(item.rules) for name, item in items.items()}
    found = []
    for item, text in wanted:
        finding = judge.judge(item, text)
        spans = [[item.rules.index(match.rule), match.start, match.end] for match in finding.evidence]
        found.append(Ruled(int(finding.verdict), finding.reason, spans, hashes[item.id]))
    return found
