"""The kind `keeps`: what a translation must take over from its source as it is. It matches where something is lost.

    - keeps: [placeholders, tags, numbers]

The rule compares how often each thing stands in source and text; their order is free.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from assay.suites import Item, Rule
from assay.suites.kinds import BadArgument, Matcher, RuleKind, Span
from assay.text import normalise

# %s, %1$d, %(name)s, %name%, {}, {0}, {name}, {{name}}, ${name}. "5%ige" and "100% sure" are words.
_PLACEHOLDER = re.compile(
    r"\{\{[^{}]*\}\}|\$?\{[^{}\s\"':,]*\}|%\(\w+\)[sdifgx]|%\w+%"
    r"|(?:(?<!\d)%(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:l{0,2}[sdifuxXc]|@)(?![A-Za-zÀ-ɏ](?<![sS]))"
    r"|%(?:\d+\$)?(?:l{0,2}[sdifu]|@)(?![A-Za-zÀ-ɏ]))"
)
_TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>|\[/?[A-Za-z][\w=#\" -]*\](?!\()")
# Digits with the marks between them that part thousands and decimals, which languages write differently.
_NUMBER = re.compile(r"\d{1,3}(?: \d{3})+(?![\d])|\d+(?:[.,'\u066b\u066c\u2009\u202f\u00a0]\d+)*")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"“”«»]*[^\s<>\"“”«».,;:!?)\]']")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_QUOTE = re.compile('["“”„«»‹›「」『』《》]')
_KEY = re.compile(r"\"([^\"]+)\"\s*:")

Found = tuple[str, Span]
"""A thing as it is compared, and where it stands."""


def _plainly(pattern: re.Pattern[str]) -> Callable[[str], Iterator[Found]]:
    def find(text: str) -> Iterator[Found]:
        for found in pattern.finditer(text):
            yield found[0], found.span()

    return find


def _numbers(text: str) -> Iterator[Found]:
    # Not those of placeholders, addresses and tags, which are things of their own.
    taken = [found.span() for other in (_PLACEHOLDER, _URL, _EMAIL, _TAG) for found in other.finditer(text)]
    for found in _NUMBER.finditer(text):
        if not any(start <= found.start() < end for start, end in taken):
            # 1,880 is 1.880 in German and 1 880 in French; "5" in Devanagari is a five.
            yield "".join(str(int(digit)) for digit in found[0] if digit.isdecimal()), found.span()


def _tags(text: str) -> Iterator[Found]:
    for found in _TAG.finditer(text):
        yield " ".join(found[0].split()).replace(" />", "/>"), found.span()


def _quotes(text: str) -> Iterator[Found]:
    # Languages have their own marks, so they are counted only.
    for found in _QUOTE.finditer(text):
        yield "quotation mark", found.span()


def _keys(text: str) -> Iterator[Found]:
    try:
        names = list(_names(json.loads(text)))
    except (ValueError, RecursionError):
        names = [found[1] for found in _KEY.finditer(text)]
    start = 0
    for name in names:
        place = max(text.find(json.dumps(name, ensure_ascii=False), start), 0)
        yield name, (place, place + len(name) + 2)


def _names(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, below in value.items():
            yield name
            yield from _names(below)
    elif isinstance(value, list):
        for below in value:
            yield from _names(below)


PARTS: dict[str, tuple[Callable[[str], Iterator[Found]], str]] = {
    "placeholders": (_plainly(_PLACEHOLDER), "%{$"),
    "tags": (_tags, "<["),
    "numbers": (_numbers, ""),
    "urls": (_plainly(_URL), ":."),
    "emails": (_plainly(_EMAIL), "@"),
    "quotes": (_quotes, '"“”„«»‹›「」『』《》'),
    "json keys": (_keys, ":"),
}
"""What can be kept -> who finds it, and characters of which one is in each; none means that all texts are looked at."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What stands in the source, by part."""

    value: str
    source: tuple[tuple[str, Counter[str]], ...]
    is_quick = True

    def search(self, text: str, limit: float | None = None) -> Span | None:
        for part, wanted in self.source:
            find, marks = PARTS[part]
            if not wanted and marks and not any(mark in text for mark in marks):
                continue
            found = list(find(text))
            if len(found) == sum(wanted.values()) and Counter(name for name, _ in found) == wanted:
                continue
            left = wanted.copy()
            for name, span in found:
                left[name] -= 1
                # One too many can be shown; what is missing stands nowhere.
                if left[name] < 0:
                    return span
            return 0, 0
        return None

    def reason(self, text: str) -> str:
        """`missing %s; added %d`."""
        missing: Counter[str] = Counter()
        added: Counter[str] = Counter()
        for part, wanted in self.source:
            found = Counter(name for name, _ in PARTS[part][0](text))
            missing += wanted - found
            added += found - wanted
        said = [f"{what} {_listed(names)}" for what, names in (("missing", missing), ("added", added)) if names]
        return "; ".join(said)


def _listed(names: Counter[str]) -> str:
    shown = [name if number == 1 else f"{number} × {name}" for name, number in list(names.items())[:5]]
    return ", ".join(shown) + (" …" if len(names) > 5 else "")


def _parts(value: str) -> list[str]:
    names = [name.strip().lower() for name in value.split("|")]
    return list(PARTS) if names == ["all"] else names


class _KeepsKind(RuleKind):
    name = "keeps"
    hint = f"some of: {', '.join(PARTS)}; or all"
    is_list = True
    polarities = ("fail",)
    safeguard = True

    def compile(self, rule: Rule, item: Item) -> Matcher:
        names = _parts(rule.value)
        for name in names:
            if name not in PARTS:
                from difflib import get_close_matches

                near = get_close_matches(name, PARTS, n=1)
                cure = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(PARTS)}, all"
                raise BadArgument(f"{name!r} is nothing that can be kept", rule.value.find(name), cure=cure)
        source = normalise(item.source)
        return Kept(rule.value, tuple((name, Counter(thing for thing, _ in PARTS[name][0](source))) for name in names))

    def describe(self, value: str) -> str:
        return f"{', '.join(_parts(value))} {'is' if len(_parts(value)) == 1 else 'are'} not as in the source"


KEEPS = _KeepsKind()
