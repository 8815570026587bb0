"""The kinds `longer` and `shorter`: a text beyond or below a limit, for subtitles and user interfaces.

- longer: 42 characters
- longer: 1.6 × source
- shorter: 5 words
"""

import re
from dataclasses import dataclass
from typing import Literal

from assay.suites import Item, Rule
from assay.suites.kinds import BadArgument, Matcher, RuleKind, Span
from assay.text import normalise

_LIMIT = re.compile(r"(?:than )?(\d+(?:\.\d+)?)\s*(?:([x×*])\s*(?:the )?source|(characters?|words?))", re.IGNORECASE)

CURE = "write 42 characters, 12 words, or 1.6 × source"

Unit = Literal["characters", "words"]


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a text may be: a number of characters or words, or of times the source's characters."""

    number: float
    unit: Unit
    is_ratio: bool

    @classmethod
    def read(cls, value: str) -> "Limit":
        found = _LIMIT.fullmatch(value.strip())
        if not found:
            raise BadArgument(f"{value!r} is no length", cure=CURE)
        number, ratio, unit = float(found[1]), bool(found[2]), (found[3] or "").lower()
        if not number or (not ratio and number != int(number)):
            raise BadArgument(f"a length of {found[1]} cannot be", cure=CURE)
        return cls(number, "words" if unit.startswith("word") else "characters", ratio)

    def of(self, source: str) -> float:
        """The limit for the translation of a source."""
        return self.number * len(normalise(source)) if self.is_ratio else self.number


@dataclass(frozen=True, slots=True)
class Length:
    """A text on the wrong side of a limit."""

    value: str
    limit: float
    unit: Unit
    is_longer: bool
    is_quick = True

    def _size(self, text: str) -> int:
        return len(text) if self.unit == "characters" else len(text.split())

    def search(self, text: str, limit: float | None = None) -> Span | None:
        size = self._size(text)
        if size <= self.limit if self.is_longer else size >= self.limit:
            return None
        if not self.is_longer:
            return 0, 0
        # What is too much, for the eye.
        start = int(self.limit) if self.unit == "characters" else len(" ".join(text.split(" ")[: int(self.limit)]))
        return min(start, len(text) - 1), len(text)

    def reason(self, text: str) -> str:
        return f"{self._size(text):,} {self.unit}, {'more' if self.is_longer else 'fewer'} than {self.limit:,.4g}"


class _LengthKind(RuleKind):
    hint = "42 characters, 12 words, or 1.6 × source"
    safeguard = True

    def __init__(self, name: str) -> None:
        self.name = name

    def compile(self, rule: Rule, item: Item) -> Matcher:
        limit = Limit.read(rule.value)
        return Length(rule.value, limit.of(item.source), limit.unit, self.name == "longer")

    def describe(self, value: str) -> str:
        return f"{self.name} than {value}"


LONGER, SHORTER = _LengthKind("longer"), _LengthKind("shorter")
