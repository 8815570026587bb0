"""The kind `keeps`: what a translation must take over from its source as it is. It matches where something is lost
or added.

    - keeps: [placeholders, tags, numbers]

The rule compares how often each thing stands in source and text; their order is free.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from assay.suites import Item, Rule
from assay.suites.kinds import BadArgument, Matcher, RuleKind, Span
from assay.text import normalise

# %s, %1$d, %(name)s, %name%, {}, {0}, {name}, {{name}}, ${name}. "5%ige" and "100% sure" are words. Every branch begins
# with one of three characters, at which `re` can jump.
_PLACEHOLDER = re.compile(
    r"[%{$](?:(?<=\{)(?:\{[^{}]*\}\}|[^{}\s\"':,]*\})|(?<=\$)\{[^{}\s\"':,]*\}|(?<=%)(?:\(\w+\)[sdifgx]|\w+%"
    r"|(?<!\d%)(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:l{0,2}[sdifuxXc]|@)(?![A-Za-zÀ-ɏ](?<![sS]))"
    r"|(?:\d+\$)?(?:l{0,2}[sdifu]|@)(?![A-Za-zÀ-ɏ])))"
)
_TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>|\[/?[A-Za-z][\w=#\" -]*\](?!\()")
# Digits with the marks between them that part thousands and decimals, which languages write differently.
_NUMBER = re.compile(r"\d+(?:(?<!\d{4})(?: \d{3})+(?!\d)|(?:[.,'\u066b\u066c\u2009\u202f\u00a0]\d+)*)")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"“”«»]*[^\s<>\"“”«».,;:!?)\]']")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_QUOTE = re.compile('["“”„«»‹›「」『』《》]')
_BETWEEN_DIGITS = str.maketrans("", "", " .,'\u066b\u066c\u2009\u202f\u00a0")
_KEY = re.compile(r"\"[^\"]+\"(?=\s*:)")


def _number(written: str) -> str:
    """1,880 is 1.880 in German and 1 880 in French; a five in Devanagari is a five."""
    bare = written.translate(_BETWEEN_DIGITS)
    return bare if bare.isascii() else "".join(str(int(digit)) for digit in bare)


def _tag(written: str) -> str:
    return " ".join(written.split()).replace(" />", "/>")


def _quote(written: str) -> str:
    # Languages have their own marks, so they are counted only.
    return "quotation mark"


@dataclass(frozen=True, slots=True)
class KeptPart:
    """Things that can be kept. A text without one of the characters `marks` has none; `same` makes two alike."""

    pattern: re.Pattern[str]
    marks: str = ""
    same: Callable[[str], str] | None = None

    def written(self, text: str) -> list[str]:
        """What there is of it in a text, as it stands there."""
        return self.pattern.findall(text)

    def names(self, written: list[str]) -> list[str]:
        """The same, as it is compared."""
        return list(map(self.same, written)) if self.same else written

    def places(self, text: str) -> list[Span]:
        """Where each of the names stands."""
        return [found.span() for found in self.pattern.finditer(text)]


class JsonKeys(KeptPart):
    """The names of fields in JSON; in what is no JSON, whatever looks like them."""

    def written(self, text: str) -> list[str]:
        try:
            return [json.dumps(name, ensure_ascii=False) for name in _fields(json.loads(text))]
        except (ValueError, RecursionError):
            return self.pattern.findall(text)


def _fields(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, below in value.items():
            yield name
            yield from _fields(below)
    elif isinstance(value, list):
        for below in value:
            yield from _fields(below)


PARTS = {
    "placeholders": KeptPart(_PLACEHOLDER, "%{$"),
    "tags": KeptPart(_TAG, "<[", _tag),
    "numbers": KeptPart(_NUMBER, "", _number),
    "urls": KeptPart(_URL, ":."),
    "emails": KeptPart(_EMAIL, "@"),
    "quotes": KeptPart(_QUOTE, '"“”„«»‹›「」『』《》', _quote),
    "json keys": JsonKeys(_KEY, ":"),
}


@dataclass(frozen=True, slots=True)
class Kept:
    """What stands in the source, by part: as it is written, and as it is compared."""

    value: str
    source: tuple[tuple[KeptPart, list[str], list[str]], ...]
    is_quick = True

    def search(self, text: str, limit: float | None = None) -> Span | None:
        for part, source, wanted in self.source:
            if not source and part.marks and not any(mark in text for mark in part.marks):
                continue
            # Mostly all is there, in the same order and written in the same way.
            written = part.written(text)
            if written == source:
                continue
            names = part.names(written)
            if len(names) == len(wanted) and sorted(names) == sorted(wanted):
                continue
            left = Counter(wanted)
            for name, place in zip(names, part.places(text), strict=False):
                left[name] -= 1
                # One too many can be shown; what is missing stands nowhere.
                if left[name] < 0:
                    return place
            return 0, 0
        return None

    def reason(self, text: str) -> str:
        """`missing %s; added %d`."""
        missing: Counter[str] = Counter()
        added: Counter[str] = Counter()
        for part, _, wanted in self.source:
            found, there = Counter(part.names(part.written(text))), Counter(wanted)
            missing += there - found
            added += found - there
        said = [f"{what} {_listed(names)}" for what, names in (("missing", missing), ("added", added)) if names]
        return "; ".join(said)


def _listed(names: Counter[str]) -> str:
    shown = [name if number == 1 else f"{number} × {name}" for name, number in list(names.items())[:5]]
    return ", ".join(shown) + (" …" if len(names) > 5 else "")


def _names(value: str) -> list[str]:
    names = [name.strip().lower() for name in value.split("|")]
    return list(PARTS) if names == ["all"] else names


@lru_cache(maxsize=100)  # thousands of items have the same few
def _parts(value: str) -> tuple[KeptPart, ...]:
    for name in _names(value):
        if name not in PARTS:
            from difflib import get_close_matches

            near = get_close_matches(name, PARTS, n=1)
            cure = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(PARTS)}, all"
            raise BadArgument(f"{name!r} is nothing that can be kept", value.find(name), cure=cure)
    return tuple(PARTS[name] for name in _names(value))


class _KeepsKind(RuleKind):
    name = "keeps"
    hint = f"some of: {', '.join(PARTS)}; or all"
    is_list = True
    polarities = ("fail",)
    safeguard = True

    def compile(self, rule: Rule, item: Item) -> Matcher:
        text = normalise(item.source)
        found = [(part, part.written(text)) for part in _parts(rule.value)]
        return Kept(rule.value, tuple((part, written, part.names(written)) for part, written in found))

    def describe(self, value: str) -> str:
        names = _names(value)
        return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} not as in the source"


KEEPS = _KeepsKind()
