"""Checks of a suite: rules, examples and sources that make its verdicts wrong, or prevent them.

for problem in lint(suite, outputs):
    print(problem.place, problem.code, problem.message)
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from assay.outputs import Inputs, Outputs
from assay.progress import OpenProgress, no_progress
from assay.suites import KINDS, Item, Polarity, Rule, Suite, groups
from assay.suites.kinds import BadArgument, get_kind
from assay.suites.prompts import PLACES, unknown_places
from assay.text import normalise, visible
from assay.verdicts.absence import Absence, absence
from assay.verdicts.branches import idle_branches
from assay.verdicts.judge import RuleJudge
from assay.verdicts.kinds.length import Limit
from assay.verdicts.kinds.term import read_terms
from assay.verdicts.label_judge import LabelJudge
from assay.verdicts.match import match, matcher
from assay.verdicts.pattern_tree import Unread, tree
from assay.verdicts.patterns import PatternError, RuleTimeout, pattern
from assay.verdicts.probes import ProbedSuite, ProbeKind
from assay.verdicts.reach import Cause, dead_parts, never
from assay.verdicts.scope import read_scope
from assay.verdicts.verdict import Verdict

Level = Literal["error", "warning", "note"]

SHORT = 4
"""A fixed string with fewer letters and digits than this matches by accident."""

CODES = {
    "no-compile": "a regular expression does not compile",
    "bad-argument": "a rule of another kind has an argument that cannot be used",
    "both-polarities": "the same fixed string is in pass and in fail",
    "contradicting-rules": "two rules contradict each other whatever the text",
    "pass-matches-fail-example": "a pass rule matches an example that must fail",
    "fail-matches-pass-example": "a fail rule matches an example that must pass",
    "control-character": "a rule holds a control character",
    "example-undecided": "no rule decides an example",
    "exact-is-example": "an exact rule equals an example, so the example tests nothing",
    "labels-overlap": "rules of several labels match one text",
    "no-rules": "an item has no rules",
    "group-of-one": "a group has one member",
    "duplicate-source": "two items have the same source, prompt and context",
    "unknown-place": "a prompt has a name in braces that nothing is filled in for",
    "prompt-is-source": "a prompt is the source itself",
    "kind-name": "a regular expression is the name of a kind of rule",
    "empty-scope": "no example has the part of the text that a rule looks at",
    "short-string": "a fixed string is so short that it matches by accident",
    "blank-rule": "a rule is blank and never matches",
    "never-matches": "a regular expression can match no text",
    "dead-branch": "a part of a regular expression can match no text",
    "broad-rule": "a rule matches half of the examples of other phenomena",
    "never-fires": "a rule matches none of the given outputs",
    "contradiction": "both polarities match one of the given outputs",
    "timeout": "a rule ran past its time limit on one of the given outputs",
    "fail-by-absence": "a fail rule fails what lacks its words, other right words too; let it look for the error",
    "shuffled-pass": "right examples with their words shuffled pass",
    "negated-pass": "right examples with a negation put in pass",
    "others-pass": "right examples of other items pass",
    "planted-pass": "a text of probes.yaml passes",
    "pass-matches-source": "a copy of the source passes",
    "idle-branch": "a branch of a regular expression is contained in another",
    "no-examples": "items have no examples",
}
"""What lint looks for: first what makes verdicts wrong, last what may be meant."""

_ERRORS = frozenset(
    [
        "no-compile",
        "bad-argument",
        "both-polarities",
        "contradicting-rules",
        "pass-matches-fail-example",
        "fail-matches-pass-example",
        "control-character",
    ]
)

_NOTES = frozenset(["pass-matches-source", "idle-branch", "no-examples"])

SAMPLE = 100
"""How many examples of a suite a rule is tried on to see whether it matches everything."""

FIRST_TRIES = 16
"""After so many a rule is let go if it has matched fewer than a quarter."""

FEWEST = 10
"""With fewer examples of other phenomena nothing can be said."""


@dataclass(frozen=True, slots=True)
class LintProblem:
    """Something wrong with a suite, and where; `item` is empty where it is the suite as a whole.

    Errors make verdicts wrong, warnings prevent them or are slips, notes may be meant and want a look.
    """

    code: str
    place: str
    item: str
    message: str

    @property
    def level(self) -> Level:
        if self.code in _ERRORS:
            return "error"
        return "note" if self.code in _NOTES else "warning"


def lint(
    suite: Suite, outputs: Outputs | None = None, *, open_progress: OpenProgress = no_progress
) -> list[LintProblem]:
    """All problems of a suite, in the order of its items; with outputs also the rules that do nothing on them."""
    problems: list[LintProblem] = []
    broken: set[str] = set()
    with open_progress("checking", len(suite)) as progress:
        for item in suite.items:
            found = list(_rules(item))
            problems += found
            # An item with a broken rule cannot be judged, so neither examples nor outputs are tried on it.
            if any(problem.code in ("no-compile", "bad-argument") for problem in found):
                broken.add(item.id)
            else:
                problems += [*_examples(item), *_labels(item)]
            if progress:
                progress(1)
    problems += _sources(suite)
    problems += _groups(suite)
    problems += _broad(suite, broken)
    problems += _without_examples(suite)
    if outputs is not None:
        problems += _on_outputs(suite, outputs, broken)
    ranks = suite.positions
    # Stable: the problems of an item stay in the order of the checks; those of the suite come last.
    return sorted(problems, key=lambda problem: ranks.get(problem.item, len(ranks)))


def _problem(code: str, item: Item, message: str) -> LintProblem:
    return LintProblem(code, item.place, item.id, message)


def _rules(item: Item) -> Iterator[LintProblem]:
    if all(rule.is_blank or is_safeguard(rule) for rule in item.rules) and item.is_judged:
        own = "of its own; every translation" if item.rules else "; every output"
        yield _problem("no-rules", item, f"the item has no rules{' ' if item.rules else ''}{own} becomes a warning")
    fixed: dict[tuple[str, bool], Polarity] = {}
    yield from _lengths(item)
    for rule in (*item.rules, *(rule for label in item.labels for rule in label.rules)):
        if rule.is_blank:
            yield _problem("blank-rule", item, f"a {rule.polarity} rule is blank and never matches")
            continue
        control = _CONTROL.search(rule.value)
        try:
            matcher(rule, item)
        except BadArgument as error:
            place = f" at position {error.position}" if error.position is not None else ""
            if isinstance(error, PatternError):
                yield _problem("no-compile", item, f"{_shown(rule)} does not compile: {error}{place}")
            else:
                yield _problem("bad-argument", item, f"{_shown(rule)}: {error}{place}; {error.cure}")
            continue
        if rule.scope:
            yield from _scope(item, rule)
        if control:
            yield _problem("control-character", item, f"{_shown(rule)} holds {_named(control[0])}")
        elif rule.kind == "regex" and rule.value in KINDS:
            # Bare names are kinds among defaults only; here the word itself is looked for.
            yield _problem(
                "kind-name", item, f"{_shown(rule)} looks for this word; write {{{rule.value}: …}} for the kind"
            )
        elif rule.kind == "regex":
            yield from _form(item, rule)
        if rule.kind == "term":
            for name, _ in read_terms(rule.value)[1]:
                if fixed.setdefault((f"term {name} {rule.scope}", False), rule.polarity) != rule.polarity:
                    yield _problem("contradicting-rules", item, f"the term {name!r} is in pass and in fail")
        if rule.kind not in ("exact", "contains"):
            continue
        text = normalise(rule.value)
        if sum(character.isalnum() for character in text) < SHORT:
            yield _problem("short-string", item, f"{rule.kind} {rule.value!r} is so short that it matches by accident")
        # A settled judgement outranks an exact rule, so the two may differ.
        if fixed.setdefault((f"{text}{rule.scope}", bool(rule.by)), rule.polarity) != rule.polarity:
            yield _problem("both-polarities", item, f"{rule.value!r} is in pass and in fail")


def is_safeguard(rule: Rule) -> bool:
    """Whether a rule looks for outputs that should not be, so that it matches none of those that are right."""
    return rule.kind not in ("regex", "exact", "contains") and get_kind(rule.kind).safeguard


def _lengths(item: Item) -> Iterator[LintProblem]:
    """Fail rules that leave no length: longer than 40 fails, and shorter than 50."""
    limits: dict[str, list[tuple[Limit, Rule]]] = {"longer": [], "shorter": []}
    for rule in item.rules:
        if rule.kind in limits and rule.polarity == "fail" and not rule.scope:
            try:
                limits[rule.kind].append((Limit.read(rule.value), rule))
            except BadArgument:
                continue
    for most, longer in limits["longer"]:
        for least, shorter in limits["shorter"]:
            if most.unit == least.unit and least.of(item.source) > most.of(item.source):
                yield _problem("contradicting-rules", item, f"{_shown(longer)} and {_shown(shorter)} fail every text")


def _scope(item: Item, rule: Rule) -> Iterator[LintProblem]:
    texts = [normalise(text) for _, texts in item.examples.by_polarity() for text in texts]
    if texts and not any(read_scope(rule.scope).part(text) for text in texts):
        yield _problem("empty-scope", item, f"{_shown(rule)}: none of the examples has this part")


def _shown(rule: Rule) -> str:
    return visible(str(rule))


# White space is folded in texts and fixed strings; a pattern with a tab or newline never matches, and is told so.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")

_ESCAPES = {
    "\x08": ("a backspace", "\\b"),
    "\x07": ("a bell", "\\a"),
    "\x1b": ("an escape", "\\e"),
    "\0": ("a null", "\\0"),
}
"""What YAML and JSON make of a backslash and a letter in double quotes."""


def _named(character: str) -> str:
    if character not in _ESCAPES:
        return f"the control character U+{ord(character):04X}; take it out"
    name, written = _ESCAPES[character]
    return (
        f'{name}, which is what "{written}" means in double quotes; put the rule in single quotes, or write \\{written}'
    )


_CAUSES: dict[Cause, str] = {
    "apostrophe": "texts have ' for its look-alikes ’ ‘ ´ `; write '",
    "space": "texts have single spaces, none at their ends, and no tabs or line ends; write one space",
    "composition": "texts have a letter and its accent as one character (NFC); write it so",
    "place": "nothing can stand where it looks for it (after $, before ^, beside \\b); take that out",
}


@dataclass(frozen=True, slots=True)
class _Form:
    """What the form of a regular expression tells of it."""

    never: Cause | None = None
    dead: tuple[str, ...] = ()
    idle: tuple[tuple[str, str], ...] = ()
    absence: Absence | None = None


@lru_cache(maxsize=10_000)
def _form_of(value: str, caseless: bool) -> _Form:
    """Templates give many items the same patterns."""
    try:
        node = tree(value)
        cause = never(node)
        if cause:
            return _Form(cause)
        return _Form(None, tuple(dead_parts(node)), tuple(idle_branches(node, caseless=caseless)), absence(node))
    except Unread:
        return _Form()


def _form(item: Item, rule: Rule) -> Iterator[LintProblem]:
    found = _form_of(rule.value, "i" in rule.flags or rule.value.startswith("(?i)"))
    if found.never:
        yield _problem("never-matches", item, f"{_shown(rule)} can match no text: {_CAUSES[found.never]}")
        return
    for part in found.dead:
        yield _problem("dead-branch", item, f"{_shown(rule)}: {_dead(part)}")
    for branch, other in found.idle:
        if branch == other:
            message = f"{branch!r} stands twice"
        else:
            message = f"{branch!r} is idle, since {other!r} matches wherever it does, and more"
        yield _problem("idle-branch", item, f"{_shown(rule)}: {message}")
    if rule.polarity == "fail" and found.absence and not rule.closed:
        yield from _absence(item, rule, found.absence)


def _dead(part: str) -> str:
    """Why a part matches no text, where it is known by itself."""
    try:
        cause = never(tree(part))
    except Unread:
        cause = None
    return f"{visible(part)!r} can match no text{': ' + _CAUSES[cause] if cause else ' where it stands'}"


def _absence(item: Item, rule: Rule, found: Absence) -> Iterator[LintProblem]:
    try:
        rest = pattern(found.rest(rule.value), rule.flags)
        texts = [normalise(text) for text in item.examples.passing]
        # Right translations that only the list keeps from failing: others, with other words, would fail.
        kept = sum(rest.search(text) is not None for text in texts)
    except (PatternError, RuleTimeout):
        return
    if kept:
        message = f"only the words it lists keep {kept} of {len(texts)} pass examples from failing"
        yield _problem("fail-by-absence", item, f"{_shown(rule)}: {message}")
    elif found.alone:
        yield _problem("fail-by-absence", item, f"{_shown(rule)} asks for nothing but words")


def _examples(item: Item) -> Iterator[LintProblem]:
    judge = RuleJudge([item])
    copied = judge.judge(item, item.source)
    if copied.verdict == Verdict.PASS:
        rule = copied.evidence[0].rule
        yield _problem("pass-matches-source", item, f"{_shown(rule)} matches the source {item.source!r}")
    wanted: Iterable[tuple[str, Polarity, Verdict]] = [
        *((text, "pass", Verdict.PASS) for text in item.examples.passing),
        *((text, "fail", Verdict.FAIL) for text in item.examples.failing),
    ]
    exact = {normalise(rule.value) for rule in item.rules if rule.kind == "exact"}
    for text, polarity, verdict in wanted if item.is_judged else ():
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


def _labels(item: Item) -> Iterator[LintProblem]:
    """Labels that cannot be told apart, on the item's examples and on the fixed strings of its labels."""
    if not item.labels:
        return
    judge = LabelJudge([item])
    fixed = (rule.value for label in item.labels for rule in label.rules if rule.kind != "regex")
    for text in dict.fromkeys((*item.examples.passing, *item.examples.failing, *fixed)):
        names = judge.matching(item, text)
        if len(names) > 1:
            yield _problem("labels-overlap", item, f"{' and '.join(names)} both match {text!r}; narrow their rules")


def _groups(suite: Suite) -> Iterator[LintProblem]:
    for name, places in groups.members(suite.items, independent=True).items():
        if len(places) == 1:
            item = suite.items[places[0]]
            yield _problem("group-of-one", item, f"the only item of the group {name!r}; write another, or take it out")


def _sources(suite: Suite) -> Iterator[LintProblem]:
    first: dict[tuple[str, ...], Item] = {}
    for item in suite.items:
        # Normalised: sources that differ only in spaces or apostrophes test the same thing.
        source = normalise(item.source)
        other = first.setdefault((source, item.prompt, item.context), item)
        if other is not item and not item.source_of:
            yield _problem("duplicate-source", item, f"the same source as {other.id!r}")
        for place in unknown_places(item.prompt):
            # What stands in the source too is its own: "Keep {name} as it is."
            if place not in item.source:
                known = ", ".join(f"{{{name}}}" for name in PLACES)
                yield _problem(
                    "unknown-place", item, f"nothing is filled in for {place} in the prompt; there are {known}"
                )
        if item.prompt and normalise(item.prompt) == source:
            yield _problem(
                "prompt-is-source", item, "the prompt is the source; write what to do with it, or leave it out"
            )


def _broad(suite: Suite, broken: set[str]) -> Iterator[LintProblem]:
    """Rules that match whatever a system writes, measured on the examples of other phenomena."""
    examples = [
        (item.phenomenon, normalise(text))
        for item in suite.items
        for _, texts in item.examples.by_polarity()
        for text in texts
    ]
    # Spread over the suite, the same in every run.
    sample = examples[:: max(1, len(examples) // SAMPLE)]
    for item in suite.items:
        if item.id in broken:
            continue
        others = [text for phenomenon, text in sample if phenomenon != item.phenomenon]
        if len(others) < FEWEST:
            continue
        for rule in item.rules:
            found = _found(rule, item, others)
            if 2 * found >= len(others):
                message = f"{_shown(rule)} matches {found} of {len(others)} examples of other phenomena"
                yield _problem("broad-rule", item, message)


# A rule that asks what must not be there matches most texts, and rightly so where these are quotation marks.
_NEGATIVE = re.compile(r"\(\?<?!|\[\^")


def _found(rule: Rule, item: Item, texts: Sequence[str]) -> int:
    """In how many texts a rule matches; 0 where the first ones show that it is not in many."""
    if rule.kind == "exact" or rule.is_blank or is_safeguard(rule) or _NEGATIVE.search(rule.value):
        return 0
    found = 0
    try:
        for number, text in enumerate(texts, start=1):
            found += match(rule, text, item) is not None
            if number == FIRST_TRIES and 4 * found < number:
                return 0
    except RuleTimeout:
        return 0
    return found


def _without_examples(suite: Suite) -> Iterator[LintProblem]:
    bare = [item for item in suite.items if not item.examples.passing and not item.examples.failing]
    if bare:
        named = ", ".join(item.id for item in bare[:3]) + (f" and {len(bare) - 3:,} more" if len(bare) > 3 else "")
        message = f"no examples test the rules of {len(bare):,} of {len(suite):,} items: {named}"
        yield LintProblem("no-examples", suite.path or suite.name, "", message)


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
        if not rule.is_blank and not is_safeguard(rule) and not any(_matches(rule, text, item) for text in texts):
            yield _problem("never-fires", item, f"{rule} matches none of {len(texts)} outputs")


def _matches(rule: Rule, text: str, item: Item) -> bool:
    try:
        return match(rule, text, item) is not None
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


def lint_files(inputs: Inputs, *, open_progress: OpenProgress = no_progress) -> list[LintProblem]:
    """Check a suite, with outputs where some are given."""
    if not inputs.outputs:
        return lint(inputs.load_suite(), open_progress=open_progress)
    return lint(*inputs.load(), open_progress=open_progress)


def probe_problems(suite: Suite, probed: ProbedSuite, limits: Mapping[ProbeKind, float]) -> Iterator[LintProblem]:
    """What probes of which more pass than may say of a suite; of planted texts, each."""
    for kind in limits:
        found = probed.count(kind)
        if not probed.exceeds(kind, limits):
            continue
        if kind == "planted":
            yield from (_problem("planted-pass", one.item, f"{one.text!r} passes") for one in found.passed)
        else:
            share = f"{len(found.passed):,} of {found.tried:,} ({100 * (found.share or 0):.1f} %)"
            message = f"{share} pass, at most {100 * limits[kind]:g} % may"
            yield LintProblem(f"{kind}-pass", suite.path or suite.name, "", message)
