"""One rule on one normalised text."""

from assay.suites import Item, Rule
from assay.suites.kinds import BadArgument, Matcher, get_kind
from assay.text import normalise
from assay.verdicts.patterns import RuleTimeout, pattern
from assay.verdicts.verdict import Evidence


def matcher(rule: Rule, item: Item) -> Matcher:
    """A rule of an item, ready to use; `BadArgument` says why it cannot be used."""
    kind = get_kind(rule.kind)
    if rule.polarity not in kind.polarities:
        raise BadArgument(
            f"a {rule.kind} rule says what is wrong with a text", cure=f"write it under {' or '.join(kind.polarities)}:"
        )
    found = kind.compile(rule, item)
    if not rule.scope:
        return found
    # Few suites have scopes, and their patterns take longer to compile than this module to load.
    from assay.verdicts.scope import ScopedMatcher, read_scope

    return ScopedMatcher(found, read_scope(rule.scope))


PLAIN = ("regex", "exact", "contains")
"""Kinds that look at nothing but the text."""


def match(rule: Rule, text: str, item: Item) -> Evidence | None:
    """Where the rule of an item matches first; `RuleTimeout` where that takes too long."""
    if rule.is_blank or (rule.kind in PLAIN and not rule.scope):
        return plain_match(rule, text)
    span = matcher(rule, item).search(text)
    return Evidence(rule, *span) if span else None


def plain_match(rule: Rule, text: str) -> Evidence | None:
    """The same for a rule of a plain kind and without a scope, whatever its item."""
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


def matches(item: Item, text: str) -> tuple[list[Evidence], list[Rule]]:
    """(every rule of an item that matches with its first place, the rules that ran out of time)."""
    found, slow = [], []
    for rule in item.rules:
        try:
            evidence = match(rule, text, item)
        except RuleTimeout:
            slow.append(rule)
            continue
        if evidence:
            found.append(evidence)
    return found, slow


def reason(rule: Rule, text: str, item: Item) -> str:
    """Why a rule of an item matches a normalised text, in words; empty where the place says it all."""
    if rule.is_blank or rule.kind in (*PLAIN, "class"):
        return ""
    return matcher(rule, item).reason(text)
