"""Kinds of rules: what each makes of its argument, found by name.

    kind = get_kind("keeps")
    kind.describe("placeholders | tags")     # "placeholders, tags are not those of the source"
    kind.compile(rule, item).search(text)    # (start, end), or None

A kind is a plugin of the group `assay.rules`; those of Assay stand in `assay.verdicts.kinds`. They are found without a
search through all installed packages, which takes longer than judging a small suite: only a name that is none of theirs
leads to one.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from assay.errors import BadOption, UnknownName
from assay.suites.suite import KINDS, POLARITIES, Item, Polarity, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.plugins import Plugins

Span = tuple[int, int]

LONGEST_NAME = 10
"""Letters of a kind's name, as databases hold it."""

SEPARATOR = " | "
"""Between the parts of an argument, which may be a list in YAML."""


class BadArgument(ValueError):
    """An argument that a kind cannot use: what is wrong, the cure, and the position (from 0) where it is known."""

    def __init__(self, message: str, position: int | None = None, *, cure: str = "") -> None:
        super().__init__(message)
        self.position = position
        self.cure = cure


class Matcher(Protocol):
    """A rule, ready to use. One that is quick needs no time limit."""

    @property
    def value(self) -> str: ...

    @property
    def is_quick(self) -> bool: ...

    def search(self, text: str, limit: float | None = None) -> Span | None:
        """Where it matches: code points [start, end) of the normalised text; (0, 0) where no place can be named."""
        ...

    def reason(self, text: str) -> str:
        """Why it matches, in a few words; empty where the place says it all."""
        ...


class RuleKind:
    """What a kind of rule is; a plugin is an instance of a class derived from this one."""

    name: str
    hint = ""
    """What to write, in a few words, for editors."""
    default = ""
    """The argument where none is written; without one it must be."""
    is_list = False
    """Whether the argument has parts, which may be a list in YAML."""
    polarities: tuple[Polarity, ...] = POLARITIES
    safeguard = False
    """Whether it looks for outputs that should not be: that it matches none is no sign of a mistake."""

    def compile(self, rule: Rule, item: Item) -> Matcher:
        """The rule of an item, ready to use; `BadArgument` where it cannot be."""
        raise NotImplementedError

    def describe(self, value: str) -> str:
        """What it looks for, in one line for people."""
        return value

    @property
    def schema(self) -> "Mapping[str, Any]":
        """The JSON Schema of its argument as it stands in a file."""
        text: dict[str, Any] = {"type": "string"}
        if self.is_list:
            text = {"type": ["string", "array"], "items": {"type": "string"}}
        if self.default:
            text["type"] = [*([text["type"]] if isinstance(text["type"], str) else text["type"]), "null"]
        said = self.describe(self.default) if self.default else self.hint
        return text | {"description": f"{said[:1].upper()}{said[1:]}."}


_BUILT_IN = {
    "regex": "plain:REGEX",
    "exact": "plain:EXACT",
    "contains": "plain:CONTAINS",
    "term": "term:TERM",
    "keeps": "keeps:KEEPS",
    "longer": "length:LONGER",
    "shorter": "length:SHORTER",
    "language": "language:LANGUAGE",
    "refusal": "answer:REFUSAL",
    "copy": "answer:COPY",
}
_FOLDER = "assay.verdicts.kinds"

_known: dict[str, RuleKind] = {}


@cache
def _plugins() -> "Plugins[RuleKind]":
    # Imported here: to look through packages takes longer to import than the rest of this module.
    from assay.plugins import Plugins

    return Plugins("kind of rule", "assay.rules")


def get_kind(name: str) -> RuleKind:
    """The kind with this name."""
    if name not in _known:
        if name in _BUILT_IN:
            module, _, attribute = _BUILT_IN[name].partition(":")
            _known[name] = getattr(import_module(f"{_FOLDER}.{module}"), attribute)
        else:
            _known[name] = _plugin(name)
    return _known[name]


def _plugin(name: str) -> RuleKind:
    # As it is spelled, unlike options: `Regex` in a file is a mistake, whatever is installed.
    if name not in _plugins().names:
        raise UnknownName("kind of rule", name, kind_names())
    found = _plugins().get(name)
    if not isinstance(found, RuleKind) or len(name) > LONGEST_NAME:
        raise BadOption(
            f"the kind of rule {name!r} is no RuleKind with a name of at most {LONGEST_NAME} letters; "
            "ask whoever made its package"
        )
    return found


def is_kind(name: str) -> bool:
    """Whether there is such a kind."""
    return name in _BUILT_IN or name in _plugins().names


def kind_names() -> list[str]:
    """All kinds that are installed, those of Assay first."""
    return [*KINDS, *(name for name in _plugins().names if name not in _BUILT_IN)]
