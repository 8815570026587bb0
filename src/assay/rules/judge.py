"""Judging one text of one item: exact evidence first, then all `contains` and `regex` rules together.

    judge = RuleJudge(suite)
    judge.judge(suite.items[0], "The key is still in the lock.")  # -> Finding(PASS, …)

docs/reference/counting.md defines every step.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from assay.model import (
    MISSING,
    MISSING_MARKERS,
    BadSuite,
    Evidence,
    Finding,
    Item,
    Outputs,
    Polarity,
    Rule,
    Suite,
    Verdict,
    normalise,
)
from assay.rules.patterns import Pattern, PatternError, RuleTimeout, pattern

_VERDICTS: dict[Polarity, Verdict] = {"pass": Verdict.PASS, "fail": Verdict.FAIL}
_NO_MATCH = Finding(Verdict.WARNING, "no_match")


class _Prepared(NamedTuple):
    """An item's rules made ready: exact texts normalised, patterns checked."""

    settled: dict[str, list[Rule]]
    exact: dict[str, list[Rule]]
    passing: list[tuple[Rule, Pattern | str]]
    failing: list[tuple[Rule, Pattern | str]]


class RuleJudge:
    """Says what a text is worth by the suite's rules. A rule that does not compile is refused at once."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._prepared = {item.id: _prepare(item) for item in items}

    def judge(self, item: Item, text: str) -> Finding:
        """The verdict on one text, with its reason and evidence. Changes nothing."""
        text = normalise(text)
        if text in MISSING_MARKERS:
            return MISSING
        prepared = self._prepared[item.id]
        rules = prepared.settled.get(text) or prepared.exact.get(text)
        if rules:
            return _exact(rules, text)
        return _searched(prepared, text)


def judge_texts(suite: Suite, outputs: Outputs, judge: RuleJudge) -> list[Finding | None]:
    """The finding for each distinct text that a system wrote; None for texts of systems not in `outputs`."""
    findings: list[Finding | None] = [None] * len(outputs.texts)
    items, owners, texts, one = suite.items, outputs.owners.tolist(), outputs.texts, judge.judge
    written = np.zeros(len(texts), dtype=bool)
    written[outputs.codes[outputs.codes >= 0]] = True
    for code in np.flatnonzero(written).tolist():
        findings[code] = one(items[owners[code]], texts[code])
    return findings


def _prepare(item: Item) -> _Prepared:
    settled: dict[str, list[Rule]] = {}
    exact: dict[str, list[Rule]] = {}
    searched: dict[str, list[tuple[Rule, Pattern | str]]] = {"pass": [], "fail": []}
    for rule in item.rules:
        kind, value = rule.kind, rule.value
        if not value.strip():
            continue
        if kind == "exact":
            (settled if rule.by else exact).setdefault(normalise(value), []).append(rule)
        elif kind == "contains":
            searched[rule.polarity].append((rule, normalise(value)))
        else:
            try:
                searched[rule.polarity].append((rule, pattern(value, rule.flags)))
            except PatternError as error:
                raise bad_rule(item, rule, error) from None
    return _Prepared(settled, exact, searched["pass"], searched["fail"])


def bad_rule(item: Item, rule: Rule, error: PatternError) -> BadSuite:
    """The message for a rule that does not compile."""
    place = f" at position {error.position}" if error.position is not None else ""
    return BadSuite(
        item.place or f"item {item.id!r}",
        f"item {item.id!r}: the {rule.polarity} rule {rule.value!r} does not compile: {error}{place}",
        cure="correct the regular expression",
    )


def _exact(rules: Iterable[Rule], text: str) -> Finding:
    evidence = tuple(Evidence(rule, 0, len(text)) for rule in rules)
    verdicts = {_VERDICTS[rule.polarity] for rule in rules}
    if len(verdicts) > 1:
        return Finding(Verdict.WARNING, "contradiction", evidence)
    return Finding(verdicts.pop(), "", evidence[:1])


def _searched(prepared: _Prepared, text: str) -> Finding:
    """Whether each polarity matches, does not match, or could not be found out in time."""
    passed, pass_slow = _first(prepared.passing, text)
    failed, fail_slow = _first(prepared.failing, text)
    if passed and failed:
        return Finding(Verdict.WARNING, "contradiction", (passed, failed))
    slow = pass_slow if not passed and pass_slow else fail_slow if not failed else None
    if slow:
        return Finding(Verdict.WARNING, "timeout", (Evidence(slow, 0, 0),))
    if passed:
        return Finding(Verdict.PASS, "", (passed,))
    if failed:
        return Finding(Verdict.FAIL, "", (failed,))
    return _NO_MATCH


def _first(rules: Iterable[tuple[Rule, Pattern | str]], text: str) -> tuple[Evidence | None, Rule | None]:
    """(the first rule that matches, a rule that ran out of time)."""
    slow = None
    for rule, matcher in rules:
        if isinstance(matcher, str):
            start = text.find(matcher)
            span = (start, start + len(matcher)) if start >= 0 else None
        else:
            try:
                span = matcher.search(text)
            except RuleTimeout:
                slow = rule
                continue
        if span:
            return Evidence(rule, *span), slow
    return None, slow
