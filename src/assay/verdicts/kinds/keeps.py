"""The kind `keeps`: what a translation must take over from its source as it is. It matches where something is lost
or added.

    - keeps: [placeholders, tags, numbers]

The rule compares how often each thing stands in source and text; their order is free.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from assay.suites import Item, Rule
from assay.suites.kinds import BadArgument, Matcher, RuleKind, Span
from assay.text import normalise

# Three patterns as what stands behind their first character, each branch of which says which one it is behind: `re`
# jumps to that where a pattern begins with a class, and one search finds all of them (`KeptParts`).

# %s, %1$d, %(name)s, %name%, {}, {0}, {name}, {{name}}, ${name}. "5%ige" and "100% sure" are words.
_PLACEHOLDER = (
    r"(?<=%)(?:\(\w+\)[sdifgx]|\w+%"
    r"|(?<!\d%)(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:l{0,2}[sdifuxXc]|@)(?![A-Za-zÀ-ɏ](?<![sS]))"
    r"|(?:\d+\$)?(?:l{0,2}[sdifu]|@)(?![A-Za-zÀ-ɏ]))|(?<=\{)(?:\{[^{}]*\}\}|[^{}\s\"':,]*\})|(?<=\$)\{[^{}\s\"':,]*\}"
)
_TAG = r"(?<=<)/?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>|(?<=\[)/?[A-Za-z][\w=#\" -]*\](?!\()"
# Digits with the marks between them that part thousands and decimals, which languages write differently.
_NUMBER = r"(?<=\d)\d*(?:(?<!\d{4})(?: \d{3})+(?!\d)|(?:[.,'\u066b\u066c\u2009\u202f\u00a0]\d+)*)"
# The class of all decimal digits, as `re` looks for it twice as quickly as for `\d`: ten behind each zero, and whatever
# stands beyond the first 65,536 characters.
_ZEROS = (
    "\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0de6\u0e50\u0ed0\u0f20"
    "\u1040\u1090\u17e0\u1810\u1946\u19d0\u1a80\u1a90\u1b50\u1bb0\u1c40\u1c50\ua620\ua8d0\ua900\ua9d0"
    "\ua9f0\uaa50\uabf0\uff10"
)
DIGITS = "0-9" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in _ZEROS) + "\U00010000-\U0010ffff"

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


@dataclass(frozen=True, slots=True, eq=False)
class KeptPart:
    """Things that can be kept. A text without one of the characters `marks` has none; `same` makes two alike.

    `begin` is the class of their first character, where no other part has the same, and `rest` what stands behind it.
    """

    pattern: re.Pattern[str]
    marks: str = ""
    same: Callable[[str], str] | None = None
    begin: str = ""
    rest: str = ""

    @classmethod
    def begun(cls, begin: str, rest: str, marks: str = "", same: Callable[[str], str] | None = None) -> "KeptPart":
        return cls(re.compile(f"[{begin}](?:{rest})"), marks, same, begin, rest)

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
    "placeholders": KeptPart.begun("%{$", _PLACEHOLDER, "%{$"),
    "tags": KeptPart.begun(r"<\[", _TAG, "<[", _tag),
    "numbers": KeptPart.begun(DIGITS, _NUMBER, "", _number),
    "urls": KeptPart(_URL, ":."),
    "emails": KeptPart(_EMAIL, "@"),
    "quotes": KeptPart(_QUOTE, '"“”„«»‹›「」『』《》', _quote),
    "json keys": JsonKeys(_KEY, ":"),
}


@dataclass(frozen=True, slots=True)
class KeptParts:
    """The parts of a rule: those that a class of characters begins are looked for `together`, `others` one by one."""

    every: tuple[KeptPart, ...]
    together: re.Pattern[str]
    begin: re.Pattern[str]
    """What begins one of the parts that are looked for together."""
    others: tuple[KeptPart, ...]

    @classmethod
    def of(cls, parts: tuple[KeptPart, ...]) -> "KeptParts":
        begun = [part for part in parts if part.begin]
        begin = "".join(part.begin for part in begun)
        rests = "|".join(part.rest for part in begun)
        # Without any, patterns that find nothing.
        together, any_begin = (rf"[{begin}](?:{rests})", f"[{begin}]") if begun else ("(?!)", "(?!)")
        return cls(parts, re.compile(together), re.compile(any_begin), tuple(p for p in parts if not p.begin))

    def written(self, text: str) -> list[str] | None:
        """What is found together; None where that is not all there is, as with a number in a tag.

        Where two texts have the same of it, each of these parts is the same in both: parts differ in what begins them,
        and behind the first character of what is found none begins. Digits are in one number with those before them.
        """
        found: list[str] = self.together.findall(text)
        for name in found:
            if not name[0].isdecimal() and self.begin.search(name, 1):
                return None
        return found


class Kept:
    """What stands in the source, by part."""

    __slots__ = ("_find", "_others", "_parts", "_source", "_wanted", "_written", "value")
    is_quick = True

    def __init__(self, value: str, parts: KeptParts, source: str) -> None:
        self.value = value
        self._parts, self._source = parts, source
        self._find: Callable[[str], list[str]] = parts.together.findall
        self._written = parts.written(source)
        self._others = bool(parts.others)
        self._wanted: dict[KeptPart, tuple[list[str], list[str]]] | None = None

    def search(self, text: str, limit: float | None = None) -> Span | None:
        # Mostly all is there, in the same order and written in the same way.
        if self._find(text) == self._written:
            return self._first(self._parts.others, text) if self._others else None
        return self._first(self._parts.every, text)

    def _first(self, parts: Iterable[KeptPart], text: str) -> Span | None:
        """Where something stands that the source has not, of these parts; (0, 0) where something of it is missing."""
        for part in parts:
            source, wanted = self._of_source(part)
            if not source and part.marks and not any(mark in text for mark in part.marks):
                continue
            written = part.written(text)
            if written == source:
                continue
            names = part.names(written)
            if len(names) == len(wanted) and sorted(names) == sorted(wanted):
                continue
            # A `Counter` takes longer to make than all of this.
            left: dict[str, int] = {}
            for name in wanted:
                left[name] = left.get(name, 0) + 1
            for name, place in zip(names, part.places(text), strict=False):
                left[name] = left.get(name, 0) - 1
                # One too many can be shown; what is missing stands nowhere.
                if left[name] < 0:
                    return place
            return 0, 0
        return None

    def _of_source(self, part: KeptPart) -> tuple[list[str], list[str]]:
        """What stands of a part in the source: as it is written, and as it is compared."""
        # Few items need it.
        if self._wanted is None:
            self._wanted = {}
        if part not in self._wanted:
            written = part.written(self._source)
            self._wanted[part] = written, part.names(written)
        return self._wanted[part]

    def reason(self, text: str) -> str:
        """`missing %s; added %d`."""
        missing: Counter[str] = Counter()
        added: Counter[str] = Counter()
        for part in self._parts.every:
            found, there = Counter(part.names(part.written(text))), Counter(self._of_source(part)[1])
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
def _parts(value: str) -> KeptParts:
    for name in _names(value):
        if name not in PARTS:
            from difflib import get_close_matches

            near = get_close_matches(name, PARTS, n=1)
            cure = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(PARTS)}, all"
            raise BadArgument(f"{name!r} is nothing that can be kept", value.find(name), cure=cure)
    return KeptParts.of(tuple(PARTS[name] for name in _names(value)))


class _KeepsKind(RuleKind):
    name = "keeps"
    hint = f"some of: {', '.join(PARTS)}; or all"
    is_list = True
    polarities = ("fail",)
    safeguard = True

    def compile(self, rule: Rule, item: Item) -> Matcher:
        return Kept(rule.value, _parts(rule.value), normalise(item.source))

    def describe(self, value: str) -> str:
        names = _names(value)
        return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} not as in the source"


KEEPS = _KeepsKind()
