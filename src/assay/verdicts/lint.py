"""Checks of a suite: rules, examples and sources that make its verdicts wrong, or prevent them.

for problem in lint(suite, outputs):
    print(problem.place, problem.code, problem.message)
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from assay.outputs import Inputs, Outputs
from assay.suites import Item, Polarity, Rule, Suite
from assay.text import normalise
from assay.verdicts.judge import RuleJudge, bad_rule
from assay.verdicts.match import match
from assay.verdicts.patterns import PatternError, RuleTimeout, pattern
from assay.verdicts.verdict import Verdict

SHORT = 4
"""A fixed string with fewer letters and digits than this matches by accident."""

CODES = {
    "no-compile": "a regular expression does not compile",
    "both-polarities": "the same fixed string is in pass and in fail",
    "pass-matches-fail-example": "a pass rule matches an example that must fail",
    "fail-matches-pass-example": "a fail rule matches an example that must pass",
    "example-undecided": "no rule decides an example",
    "exact-is-example": "an exact rule equals an example, so the example tests nothing",
    "no-rules": "an item has no rules",
    "duplicate-source": "two items have the same source",
    "short-string": "a fixed string is so short that it matches by accident",
    "blank-rule": "a rule is blank and never matches",
    "never-fires": "a rule matches none of the given outputs",
    "contradiction": "both polarities match one of the given outputs",
    "timeout": "a rule ran past its time limit on one of the given outputs",
}
"""What lint looks for. The first four are errors, the rest warnings."""

_ERRORS = frozenset(list(CODES)[:4])


@dataclass(frozen=True, slots=True)
class LintProblem:
    """Something wrong with a suite, and where."""

    code: str
    place: str
    item: str
    message: str

    @property
    def level(self) -> Literal["error", "warning"]:
        return "error" if self.code in _ERRORS else "warning"


def lint(suite: Suite, outputs: Outputs | None = None) -> list[LintProblem]:
    """All problems of a suite, in the order of its items; with outputs also the rules that do nothing on them."""
    problems: list[LintProblem] = []
    broken: set[str] = set()
    for item in suite.items:
        found = list(_rules(item))
        problems += found
        # An item with a broken rule cannot be judged, so neither examples nor outputs are tried on it.
        if any(problem.code == "no-compile" for problem in found):
            broken.add(item.id)
        else:
            problems += _examples(item)
    problems += _sources(suite)
    if outputs is not None:
        problems += _on_outputs(suite, outputs, broken)
    ranks = suite.positions
    # Stable: the problems of an item stay in the order of the checks.
    return sorted(problems, key=lambda problem: ranks[problem.item])


def _problem(code: str, item: Item, message: str) -> LintProblem:
    return LintProblem(code, item.place, item.id, message)


def _rules(item: Item) -> Iterator[LintProblem]:
    if all(rule.is_blank for rule in item.rules):
        yield _problem("no-rules", item, "the item has no rules; every output becomes a warning")
    fixed: dict[tuple[str, bool], Polarity] = {}
    for rule in item.rules:
        if rule.is_blank:
            yield _problem("blank-rule", item, f"a {rule.polarity} rule is blank and never matches")
            continue
        if rule.kind == "regex":
            try:
                pattern(rule.value, rule.flags)
            except PatternError as error:
                yield _problem("no-compile", item, str(bad_rule(item, rule, error)))
            continue
        text = normalise(rule.value)
        if sum(character.isalnum() for character in text) < SHORT:
            yield _problem("short-string", item, f"{rule.kind} {rule.value!r} is so short that it matches by accident")
        # A settled judgement outranks an exact rule, so the two may differ.
        if fixed.setdefault((text, bool(rule.by)), rule.polarity) != rule.polarity:
            yield _problem("both-polarities", item, f"{rule.value!r} is in pass and in fail")


def _examples(item: Item) -> Iterator[LintProblem]:
    judge = RuleJudge([item])
    wanted: Iterable[tuple[str, Polarity, Verdict]] = [
        *((text, "pass", Verdict.PASS) for text in item.examples.passing),
        *((text, "fail", Verdict.FAIL) for text in item.examples.failing),
    ]
    exact = {normalise(rule.value) for rule in item.rules if rule.kind == "exact"}
    for text, polarity, verdict in wanted:
        if normalise(text) in exact:
            yield _problem("exact-is-example", item, f"an exact rule equals the example {text!r}")
        finding = judge.judge(item, text)
        if finding.verdict == verdict:
            continue
        against = [match for match in finding.evidence if match.rule.polarity != polarity]
        # Undecided, unless a rule of the other polarity has matched: that is the worse problem.
        if finding.reason == "timeout" or not against:
            yield _problem("example-undecided", item, f"no rule decides the {polarity} example {text!r}")
        else:
            other = against[0].rule
            code = f"{other.polarity}-matches-{polarity}-example"
            yield _problem(code, item, f"{other} matches the {polarity} example {text!r}")


def _sources(suite: Suite) -> Iterator[LintProblem]:
    first: dict[str, Item] = {}
    for item in suite.items:
        # Normalised: sources that differ only in spaces or apostrophes test the same thing.
        other = first.setdefault(normalise(item.source), item)
        if other is not item:
            yield _problem("duplicate-source", item, f"the same source as {other.id!r}")


def _on_outputs(suite: Suite, outputs: Outputs, broken: set[str]) -> Iterator[LintProblem]:
    texts: dict[int, list[str]] = {}
    for owner, text in zip(outputs.owners.tolist(), outputs.texts, strict=True):
        texts.setdefault(owner, []).append(normalise(text))
    for position, written in texts.items():
        item = suite.items[position]
        if item.id not in broken:
            distinct = list(dict.fromkeys(written))
            yield from _fires(item, distinct)
            yield from _findings(item, distinct)


def _fires(item: Item, texts: list[str]) -> Iterator[LintProblem]:
    for rule in item.rules:
        if not rule.is_blank and not any(_matches(rule, text) for text in texts):
            yield _problem("never-fires", item, f"{rule} matches none of {len(texts)} outputs")


def _matches(rule: Rule, text: str) -> bool:
    try:
        return match(rule, text) is not None
    except RuleTimeout:
        # Not known; the timeout is reported by itself, and "never fires" might be wrong.
        return True


def _findings(item: Item, texts: list[str]) -> Iterator[LintProblem]:
    judge = RuleJudge([item])
    for text in texts:
        finding = judge.judge(item, text)
        if finding.reason == "timeout":
            yield _problem("timeout", item, f"{finding.evidence[0].rule} ran past its time limit on {text[:80]!r}")
        elif finding.reason == "contradiction":
            rules = " and ".join(str(found.rule) for found in finding.evidence)
            yield _problem("contradiction", item, f"{rules} match {text!r}")


def lint_files(inputs: Inputs) -> list[LintProblem]:
    """Check a suite, with outputs where some are given."""
    if not inputs.outputs:
        return lint(inputs.load_suite())
    return lint(*inputs.load())
