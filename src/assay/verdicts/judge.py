"""Judging one text of one item: exact evidence first, then the rules of all other kinds together.

    judge = RuleJudge(suite)
    judge.judge(suite.items[0], "The key is still in the lock.")  # -> Finding(PASS, …)

docs/reference/counting.md defines every step.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from assay.errors import BadSuite
from assay.suites import Item, Polarity, Rule
from assay.suites.kinds import BadArgument, Matcher
from assay.text import MISSING_MARKERS, normalise
from assay.verdicts.findings import MISSING_NUMBERS, NO_MATCH, REASONS, Numbers, unpack
from assay.verdicts.match import matcher
from assay.verdicts.patience import Patience
from assay.verdicts.patterns import RuleTimeout, pattern
from assay.verdicts.verdict import Finding, Verdict

_VERDICTS: dict[Polarity, int] = {"pass": Verdict.PASS.value, "fail": Verdict.FAIL.value}
_PASS, _FAIL, _WARNING = Verdict.PASS.value, Verdict.FAIL.value, Verdict.WARNING.value
_CONTRADICTION, _TIMEOUT = REASONS.index("contradiction"), REASONS.index("timeout")

_Searched = tuple[int, Matcher | str]


@dataclass(frozen=True, slots=True)
class _ItemRules:
    """An item's rules, ready to use: texts normalised, patterns checked. Numbers are places in `rules`."""

    rules: tuple[Rule, ...]
    settled: dict[str, list[int]]
    exact: dict[str, list[int]]
    passing: list[_Searched]
    failing: list[_Searched]


class RuleJudge:
    """Judges texts by the rules of their items. A rule that does not compile is an error at once."""

    def __init__(self, items: Iterable[Item], patience: Patience | None = None) -> None:
        self._prepared = {item.id: _prepare(item) for item in items}
        self.patience = patience or Patience()

    def judge(self, item: Item, text: str) -> Finding:
        """The verdict on one text, with its reason and evidence. Changes nothing."""
        return unpack(self.numbers(item.id, text), self._prepared[item.id].rules)

    def numbers(self, item_id: str, text: str) -> Numbers:
        """The finding as numbers (see `findings`), which take less memory than records."""
        text = normalise(text)
        if text in MISSING_MARKERS:
            return MISSING_NUMBERS
        prepared = self._prepared[item_id]
        # A linguist's judgement of this very text outranks the suite's exact rules, and both outrank patterns.
        places = prepared.settled.get(text) or prepared.exact.get(text)
        if places:
            return _exact(prepared.rules, places, text)
        return self._searched(item_id, prepared, text)

    def _searched(self, item_id: str, prepared: _ItemRules, text: str) -> Numbers:
        """The verdict of all rules but exact ones: a match of one polarity, of both, of none, or a timeout."""
        passed, pass_slow = self._first(item_id, prepared.passing, text)
        failed, fail_slow = self._first(item_id, prepared.failing, text)
        if passed and failed:
            return (_WARNING, _CONTRADICTION, *passed, *failed)
        # A timeout matters only where no other rule of its polarity matched: it might have, and changed the verdict.
        slow = None
        if not passed and pass_slow is not None:
            slow = pass_slow
        elif not failed:
            slow = fail_slow
        if slow is not None:
            return _WARNING, _TIMEOUT, slow, 0, 0
        if passed:
            return (_PASS, 0, *passed)
        if failed:
            return (_FAIL, 0, *failed)
        return NO_MATCH

    def _first(
        self, item_id: str, rules: Iterable[_Searched], text: str
    ) -> tuple[tuple[int, int, int] | None, int | None]:
        """(the first rule that matches and where, a rule that ran out of time)."""
        slow = None
        for place, ready in rules:
            if isinstance(ready, str):
                start = text.find(ready)
                span = (start, start + len(ready)) if start >= 0 else None
            elif ready.is_quick:
                span = ready.search(text)
            else:
                try:
                    span = self.patience.search(item_id, place, ready, text)
                except RuleTimeout:
                    slow = place
                    continue
            if span:
                return (place, *span), slow
        return None, slow


def _prepare(item: Item) -> _ItemRules:
    settled: dict[str, list[int]] = {}
    exact: dict[str, list[int]] = {}
    searched: dict[str, list[_Searched]] = {"pass": [], "fail": []}
    for place, rule in enumerate(item.rules):
        kind, value = rule.kind, rule.value
        # Blank rules stand in published files; a blank pattern would match every text.
        if not value.strip():
            continue
        if kind == "exact" and not rule.scope:
            # Several rules may have the same text once it is normalised.
            (settled if rule.by else exact).setdefault(normalise(value), []).append(place)
        elif kind == "contains" and not rule.scope:
            searched[rule.polarity].append((place, normalise(value)))
        else:
            try:
                ready = pattern(value, rule.flags) if kind == "regex" and not rule.scope else matcher(rule, item)
            except BadArgument as error:
                raise bad_rule(item, rule, error) from None
            searched[rule.polarity].append((place, ready))
    return _ItemRules(item.rules, settled, exact, searched["pass"], searched["fail"])


def bad_rule(item: Item, rule: Rule, error: BadArgument) -> BadSuite:
    """The message for a rule that does not compile."""
    place = f" at position {error.position}" if error.position is not None else ""
    kind = "" if rule.kind == "regex" else f"{rule.kind} "
    return BadSuite(
        item.place or f"item {item.id!r}",
        f"item {item.id!r}: the {rule.polarity} rule {kind}{rule.value!r} does not compile: {error}{place}",
        cure=error.cure,
    )


def _exact(rules: tuple[Rule, ...], places: list[int], text: str) -> Numbers:
    # Numbers are verdict, reason, then (place, start, end) for each rule that is evidence.
    verdicts = {_VERDICTS[rules[place].polarity] for place in places}
    if len(verdicts) > 1:
        return (_WARNING, _CONTRADICTION, *(number for place in places for number in (place, 0, len(text))))
    return verdicts.pop(), 0, places[0], 0, len(text)
