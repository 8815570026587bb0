r"""Rules in one readable line, for people who judge and need not read regular expressions.

readable([Rule("pass", "regex", r"\b(lock|padlock)s?\b")])      # ("lock", "locks", "padlock", "padlocks")
"""

from collections.abc import Iterable
from typing import Final

from assay.suites import Rule
from assay.verdicts import spell_out

MOST: Final = 8
"""Words that a line shows; the rules themselves are a key away."""

MOST_OF_ONE: Final = 6
"""What a rule may stand for and still be spelled out."""


def readable(rules: Iterable[Rule]) -> tuple[str, ...]:
    """What these rules look for, each thing once; a rule that stands for too many texts as it is written."""
    found: dict[str, None] = {}
    for rule in rules:
        if rule.kind == "exact":
            continue
        plain = rule.value.replace(r"\b", "").strip("^$")
        words = spell_out(plain) if rule.kind == "regex" else [rule.value]
        if words is None or len(words) > MOST_OF_ONE:
            words = [plain.replace("(?:", "(")]
        found |= dict.fromkeys(filter(None, (word.strip() for word in words)))
    return tuple(found)
