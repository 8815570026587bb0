r"""Rules in one readable line, for people who judge and need not read regular expressions.

readable([Rule("pass", "regex", r"\b(lock|padlock)s?\b")])      # ("lock", "locks", "padlock", "padlocks")
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from assay.suites import Rule
from assay.verdicts import spell_out

MOST: Final = 8
"""Words that a line shows; the rules themselves are a key away."""

_READABLE: Final = re.compile(r"[\w\s|()?,;:!'…-]{1,80}")
"""Words, alternatives and what may be left out: what somebody reads who knows no regular expressions."""

MOST_OF_ONE: Final = 6
"""What a rule may stand for and still be spelled out."""


def readable(rules: Iterable[Rule]) -> tuple[str, ...]:
    """What these rules look for, each thing once.

    A rule that stands for too many texts as it is written, if it can be read.
    """
    kinds = ((rule.kind, rule.value) for rule in rules if rule.kind != "exact")
    return tuple(dict.fromkeys(word for kind, value in kinds for word in _words(kind, value)))


@lru_cache(2000)
def _words(kind: str, value: str) -> tuple[str, ...]:
    plain = value.replace(r"\b", "").strip("^$")
    words = spell_out(plain) if kind == "regex" else [value]
    if words is None or len(words) > MOST_OF_ONE:
        plain = plain.replace("(?:", "(").replace(".*", " … ")
        words = [plain] if _READABLE.fullmatch(plain) else []
    return tuple(word.strip() for word in words if word.strip())
