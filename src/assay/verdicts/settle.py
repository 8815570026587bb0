"""A linguist's judgements become rules: the only way in which results change a suite."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from assay.suites import Rule, Suite
from assay.text import normalise
from assay.verdicts.judgements import Judgement


@dataclass(frozen=True, slots=True)
class SettledSuite:
    """The suite with judgements in it, and what became of them."""

    suite: Suite
    added: int
    replaced: int


def settle(suite: Suite, judgements: Iterable[Judgement]) -> SettledSuite:
    """Add judgements as exact rules. One that is contrary to an exact rule of the same text replaces it."""
    rules = {item.id: list(item.rules) for item in suite.items}
    added = replaced = 0
    for judgement in judgements:
        # For its error: an unknown item is reported with names that are near.
        suite.item(judgement.item)
        text = normalise(judgement.text)
        kept = [rule for rule in rules[judgement.item] if rule.kind != "exact" or normalise(rule.value) != text]
        replaced += any(rule.polarity != judgement.verdict for rule in rules[judgement.item] if rule not in kept)
        new = Rule(judgement.verdict, "exact", text, "", judgement.comment, judgement.by, judgement.on)
        rules[judgement.item] = [*kept, new]
        added += 1
    items = tuple(replace(item, rules=tuple(rules[item.id])) for item in suite.items)
    return SettledSuite(replace(suite, items=items), added, replaced)
