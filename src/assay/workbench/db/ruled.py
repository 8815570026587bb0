"""What the rules of an item say of a text, as the database keeps it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assay.suites import Item
from assay.verdicts import Evidence, Finding, Reason, RuleJudge, Verdict

Spans = list[list[int]]
"""Evidence as it is kept: [number of the rule in the item's version, start, end] each."""

RULED: Final = ("ruled", "reason", "evidence", "judged_with")
"""The columns of `texts` that hold a `Ruled`, in the order of its `cells`."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the rules with the hash `judged_with` say of a text."""

    verdict: int
    reason: Reason
    evidence: Spans
    judged_with: str

    @property
    def cells(self) -> tuple[int, Reason, Spans, str]:
        """The values of the columns `RULED`."""
        return self.verdict, self.reason, self.evidence, self.judged_with

    def finding(self, item: Item) -> Finding:
        """The same with the rules themselves, which are those of the item."""
        evidence = tuple(Evidence(item.rules[number], start, end) for number, start, end in self.evidence)
        return Finding(Verdict(self.verdict), self.reason, evidence)


def rules_hash(item: Item) -> str:
    """Equal for items whose rules judge alike: what a text's verdict by rules depends on."""
    parts: list[object] = [rule.check for rule in item.rules]
    # Other kinds compare a text with its source, and with what was told about it.
    if any(rule.kind not in ("regex", "exact", "contains") for rule in item.rules):
        parts += [item.source, item.prompt, item.context]
    return sha256(repr(parts).encode()).hexdigest()[:40]


def ruled_as(item: Item, finding: Finding, hashed: str) -> Ruled:
    """A finding as it is kept; `hashed` is the hash of the item's rules."""
    spans = [[item.rules.index(match.rule), match.start, match.end] for match in finding.evidence]
    return Ruled(int(finding.verdict), finding.reason, spans, hashed)


def rule_texts(wanted: Sequence[tuple[Item, str]]) -> list[Ruled]:
    """What the rules of items say of texts."""
    items = {item.id: item for item, _ in wanted}
    judge = RuleJudge(items.values())
    hashes = {name: rules_hash(item) for name, item in items.items()}
    return [ruled_as(item, judge.judge(item, text), hashes[item.id]) for item, text in wanted]


RuleTexts = Callable[[Sequence[tuple[Item, str]]], list[Ruled]]
"""Judges texts by the rules of their items, as `rule_texts` does in this process."""


class Rulings:
    """What rules say of texts, as far as it was found out beforehand, by (hash of the rules, text).

    Asked like `rule_texts`; what is not known yet is asked of `others`.
    """

    def __init__(self, known: Mapping[tuple[str, str], Ruled], others: RuleTexts = rule_texts) -> None:
        self._known, self._others = known, others

    def __call__(self, wanted: Sequence[tuple[Item, str]]) -> list[Ruled]:
        hashes = {id(item): rules_hash(item) for item, _ in wanted}
        found = [self._known.get((hashes[id(item)], text)) for item, text in wanted]
        missing = [pair for pair, ruled in zip(wanted, found, strict=True) if ruled is None]
        rest = iter(self._others(missing) if missing else ())
        return [ruled or next(rest) for ruled in found]
