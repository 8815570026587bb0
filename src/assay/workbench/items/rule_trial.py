"""Rules on the texts of an item: which of them can be used, where they match, what they say of each text; and rules
that are proposed from texts, which are tried on them too.

    tried = try_rules(RuleTrials((RuleTrial(item, texts),), seconds=5.0))[0]

This is what runs in a child process (`assay.workbench.sandbox`), so it imports nothing of the database.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from assay.errors import MissingExtra
from assay.suggest.proposals import NO_SIBLINGS, Proposal, SiblingTexts, propose
from assay.suggest.wider_rules import OpenItem, RuleSpread, WiderRule, spread, widen
from assay.suites import POLARITIES, Item, Polarity, Rule
from assay.suites.kinds import BadArgument
from assay.verdicts import Finding, RuleJudge, Verdict, match, matcher
from assay.verdicts import RuleTimeout as Unfinished


@dataclass(frozen=True, slots=True)
class RuleTrial:
    """An item with the rules that it is to have, and the texts it has (id and text)."""

    item: Item
    texts: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class RuleTrials:
    """What is tried one after the other, within a time for all of it."""

    each: tuple[RuleTrial, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """Why a rule does not compile, and the position (from 0) where that is known."""

    message: str
    position: int | None


@dataclass(frozen=True, slots=True)
class RuleTrace:
    """Where a rule matches first in each text, by its id; `slow` where it ran out of time on one of them."""

    rule: Rule
    spans: Mapping[int, tuple[int, int]]
    slow: bool


@dataclass(frozen=True, slots=True)
class TriedRules:
    """What came of a trial. `problems` are rules that do not compile, by their place; the others were tried.

    Where a trace is slow, or all rules together took too long (`stopped`), there are no findings. `broken` are examples
    that are not judged as they should.
    """

    problems: Mapping[int, RuleProblem] = field(default_factory=dict)
    traces: Sequence[RuleTrace] = ()
    findings: Mapping[int, Finding] = field(default_factory=dict)
    broken: Sequence[str] = ()
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class SortedTexts:
    """Texts of an item that are right, those that are wrong, and the others; and what is known of its siblings."""

    right: tuple[str, ...]
    wrong: tuple[str, ...]
    others: tuple[str, ...]
    contrast: SiblingTexts = NO_SIBLINGS


def propose_rules(texts: SortedTexts) -> list[Proposal]:
    """Rules for pass and for fail that tell right texts from wrong ones."""
    right, wrong, others = texts.right, texts.wrong, texts.others
    return [
        found for polarity in POLARITIES for found in propose(right, wrong, polarity, others, contrast=texts.contrast)
    ]


@dataclass(frozen=True, slots=True)
class WiderTrial:
    """An item of which a text was judged that its rules do not decide."""

    one: OpenItem
    text: str
    polarity: Polarity


@dataclass(frozen=True, slots=True)
class SpreadTrial:
    """A change of a rule, the items that could get it too, and the time for all of them."""

    items: tuple[OpenItem, ...]
    change: WiderRule
    seconds: float


def widen_rule(trial: WiderTrial) -> WiderRule | None:
    """The smallest change of a rule that would have decided a text."""
    one = trial.one
    return widen(one.item, trial.text, trial.polarity, one.decided, loose=one.loose)


def spread_rule(trial: SpreadTrial) -> RuleSpread:
    """What the same change does to other items."""
    return spread(trial.items, trial.change, seconds=trial.seconds)


@dataclass(frozen=True, slots=True)
class ItemTexts:
    """An item as it is to be, and the texts that it has (id and text)."""

    item: Item
    texts: tuple[tuple[int, str], ...]


def judge_items(items: Sequence[ItemTexts]) -> dict[int, Finding]:
    """What the rules of items say of their texts, by the id of the text."""
    judge = RuleJudge([one.item for one in items])
    return {text_id: judge.judge(one.item, text) for one in items for text_id, text in one.texts}


class _Stopped(Exception):
    """All rules together have used up their time."""


def try_rules(trials: RuleTrials) -> list[TriedRules]:
    """What comes of each trial."""
    until = monotonic() + trials.seconds
    return [_try(trial, until) for trial in trials.each]


def _go_on(until: float) -> None:
    if monotonic() >= until:
        raise _Stopped


def _try(trial: RuleTrial, until: float) -> TriedRules:
    problems: dict[int, RuleProblem] = {}
    traces: list[RuleTrace] = []
    examples = [(text, Verdict.PASS) for text in trial.item.examples.passing]
    examples += [(text, Verdict.FAIL) for text in trial.item.examples.failing]
    texts = [*trial.texts, *((-number, text) for number, (text, _) in enumerate(examples, start=1))]
    try:
        for place, rule in enumerate(trial.item.rules):
            _go_on(until)
            problem = _problem(rule, trial.item)
            if problem is None:
                traces.append(_trace(rule, trial.item, texts, until))
            else:
                problems[place] = problem
        if any(found.slow for found in traces):
            return TriedRules(problems, traces)
        item = replace(trial.item, rules=tuple(found.rule for found in traces))
        rule_judge = RuleJudge([item])

        def judge(text: str) -> Finding:
            _go_on(until)
            return rule_judge.judge(item, text)

        findings = {text_id: judge(text) for text_id, text in trial.texts}
        broken = [text for text, wanted in examples if judge(text).verdict != wanted]
    except _Stopped:
        return TriedRules(problems, traces, stopped=True)
    return TriedRules(problems, traces, findings, broken)


def _problem(rule: Rule, item: Item) -> RuleProblem | None:
    if rule.is_blank:
        return None
    try:
        matcher(rule, item)
    except BadArgument as error:
        # Of a regular expression everybody knows the cure.
        cure = f"; {error.cure}" if error.cure and rule.kind != "regex" else ""
        return RuleProblem(f"{error}{cure}", error.position)
    except MissingExtra as error:
        return RuleProblem(str(error), None)
    return None


def _trace(rule: Rule, item: Item, texts: Iterable[tuple[int, str]], until: float) -> RuleTrace:
    """Try a rule on texts; it is given up at the first one on which it runs out of time."""
    spans: dict[int, tuple[int, int]] = {}
    for text_id, text in texts:
        _go_on(until)
        try:
            found = match(rule, text, item)
        except Unfinished:
            return RuleTrace(rule, {}, True)
        if found:
            spans[text_id] = (found.start, found.end)
    return RuleTrace(rule, spans, False)
