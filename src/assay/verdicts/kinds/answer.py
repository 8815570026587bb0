"""The kinds `copy` and `refusal`: the source once more, or an answer of a language model, in place of a translation.

The same detectors count such outputs before a table and at the gate (`assay.outputs.unusable`).
"""

from dataclasses import dataclass

from assay.outputs.unusable import first_word, is_copy, is_introduced, is_refusal, may_refuse, words
from assay.suites import Item, Rule
from assay.suites.kinds import BadArgument, Matcher, RuleKind, Span
from assay.text import normalise

FEWEST = 5
"""Words of a prompt that a text must begin with to repeat it."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The source, but for case and punctuation."""

    value: str
    source: str
    begin: str
    is_quick = True

    def search(self, text: str, limit: float | None = None) -> Span | None:
        # Most texts differ from their source in the first word.
        return (0, len(text)) if first_word(text) == self.begin and is_copy(self.source, text) else None

    def reason(self, text: str) -> str:
        return "the source, untranslated"


@dataclass(frozen=True, slots=True)
class DeclinedAnswer:
    """An answer in place of a translation."""

    value: str
    source: str
    prompt: tuple[str, ...]
    is_quick = True

    def search(self, text: str, limit: float | None = None) -> Span | None:
        return (0, len(text)) if self.reason(text) else None

    def reason(self, text: str) -> str:
        begin = first_word(text)
        if may_refuse(begin) and is_refusal(self.source, text, begin):
            return "an answer that declines"
        # Only what is followed by a colon introduces a translation.
        if ":" in text and is_introduced(self.source, text):
            return "an introduction before the translation"
        if self.prompt and begin == self.prompt[0] and tuple(words(text)[:FEWEST]) == self.prompt:
            return "the prompt, repeated"
        return ""


class _CopyKind(RuleKind):
    name = "copy"
    hint = "source"
    default = "source"
    safeguard = True

    def compile(self, rule: Rule, item: Item) -> Matcher:
        _need(rule, self)
        source = normalise(item.source)
        return Copied(rule.value, source, first_word(source))

    def describe(self, value: str) -> str:
        return "the source, but for case and punctuation"


class _RefusalKind(RuleKind):
    name = "refusal"
    hint = "any"
    default = "any"
    polarities = ("fail",)
    safeguard = True

    def compile(self, rule: Rule, item: Item) -> Matcher:
        _need(rule, self)
        source = normalise(item.source)
        prompt = tuple(words(item.prompt)[:FEWEST])
        # A prompt that the source begins with is the text itself.
        is_told = len(prompt) == FEWEST and tuple(words(source)[:FEWEST]) != prompt
        return DeclinedAnswer(rule.value, source, prompt if is_told else ())

    def describe(self, value: str) -> str:
        return "an answer in place of a translation"


def _need(rule: Rule, kind: RuleKind) -> None:
    if rule.value.strip() != kind.default:
        problem = f"{kind.name} has no argument {rule.value!r}"
        raise BadArgument(problem, cure=f"write {kind.name}: {kind.default}, or {kind.name}: with nothing behind it")


COPY, REFUSAL = _CopyKind(), _RefusalKind()
