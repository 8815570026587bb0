"""The kinds `regex`, `contains` and `exact`. `RuleJudge` has shorter ways for those that look at a whole text."""

from dataclasses import dataclass

from assay.suites import Item, Rule
from assay.suites.kinds import BadArgument, Matcher, RuleKind, Span
from assay.text import normalise
from assay.verdicts.patterns import pattern


@dataclass(frozen=True, slots=True)
class FixedString:
    """A string, somewhere in a text."""

    value: str
    is_quick = True

    def search(self, text: str, limit: float | None = None) -> Span | None:
        start = text.find(self.value)
        return (start, start + len(self.value)) if start >= 0 else None

    def reason(self, text: str) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class WholeText:
    """A string that is all of a text."""

    value: str
    is_quick = True

    def search(self, text: str, limit: float | None = None) -> Span | None:
        return (0, len(text)) if text == self.value else None

    def reason(self, text: str) -> str:
        return ""


class _RegexKind(RuleKind):
    name = "regex"
    hint = "a regular expression, searched in the text"

    def compile(self, rule: Rule, item: Item) -> Matcher:
        return pattern(rule.value, rule.flags)


class _ContainsKind(RuleKind):
    name = "contains"
    hint = "a string somewhere in the text"

    def compile(self, rule: Rule, item: Item) -> Matcher:
        return FixedString(normalise(rule.value))


class _ExactKind(RuleKind):
    name = "exact"
    hint = "the whole text"

    def compile(self, rule: Rule, item: Item) -> Matcher:
        if rule.scope:
            raise BadArgument("an exact rule is about the whole text", cure="take in: away, or write contains")
        return WholeText(normalise(rule.value))


REGEX, CONTAINS, EXACT = _RegexKind(), _ContainsKind(), _ExactKind()
