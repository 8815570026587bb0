"""One rule on one normalised text."""

from assay.suites import Rule
from assay.text import normalise
from assay.verdicts.patterns import RuleTimeout, pattern
from assay.verdicts.verdict import Evidence


def match(rule: Rule, text: str) -> Evidence | None:
    """Where the rule matches first; `RuleTimeout` where that takes too long."""
    # A blank pattern would match everywhere.
    if rule.is_blank:
        return None
    if rule.kind == "regex":
        span = pattern(rule.value, rule.flags).search(text)
        return Evidence(rule, *span) if span else None
    value = normalise(rule.value)
    if rule.kind == "exact":
        return Evidence(rule, 0, len(text)) if value == text else None
    start = text.find(value)
    return Evidence(rule, start, start + len(value)) if start >= 0 else None


def matches(rules: tuple[Rule, ...], text: str) -> tuple[list[Evidence], list[Rule]]:
    """(every rule that matches with its first place, the rules that ran out of time)."""
    found, slow = [], []
    for rule in rules:
        try:
            evidence = match(rule, text)
        except RuleTimeout:
            slow.append(rule)
            continue
        if evidence:
            found.append(evidence)
    return found, slow
