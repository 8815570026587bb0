"""Contrasts: structural tests as frozen records, without any file format or matcher in them.

    kw = Node("kw", (Condition("TAG", "==", ("VBG",)),))
    gerund = Construction("gerund", one_of=((kw,),))

A pattern is a small tree of nodes in the language of spaCy's `DependencyMatcher`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Literal, get_args

Attribute = Literal["TEXT", "LOWER", "LEMMA", "POS", "TAG", "DEP", "MORPH", "LENGTH"]
Predicate = Literal["==", "!=", ">=", "<=", ">", "<", "IN", "NOT_IN", "REGEX", "IS_SUPERSET", "IS_SUBSET", "INTERSECTS"]
# The operators of spaCy's DependencyMatcher; `.` and `;` are precedence, `$` siblings, `+` and `-` the side.
Operator = Literal[
    "<", ">", "<<", ">>", ".", ".*", ";", ";*", "$+", "$-", "$++", "$--",
    ">+", ">-", ">++", ">--", "<+", "<-", "<++", "<--",
]  # fmt: skip

ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
PREDICATES: tuple[Predicate, ...] = get_args(Predicate)
OPERATORS: tuple[Operator, ...] = get_args(Operator)

KEYWORD = "kw"
"""Id of the keyword's node, unless a construction says otherwise."""

ALIGNED = "a"
"""Id of the node of the aligned word in the patterns of a class."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What one attribute of a word must be. Features are pairs, `Mood=Cnd`; `==` has one value, except of features."""

    attribute: Attribute
    predicate: Predicate
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A word of a pattern: `left operator this`, where `left` is an earlier node; the first has neither."""

    id: str
    conditions: tuple[Condition, ...] = ()
    left: str = ""
    operator: Operator | None = None


Pattern = tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Subtype:
    """Some of the instances of a construction, for instance those with one kind of governor."""

    name: str
    one_of: tuple[Pattern, ...]
    none_of: tuple[Pattern, ...] = ()
    description: str = ""


OTHER = "other"
"""The subtype of instances that fit none."""


@dataclass(frozen=True, slots=True)
class Construction:
    """A construction of the source: words that fit one of `one_of`, and none of `none_of`, as the node `keyword`.

    An instance is of the first of the `subtypes` that it fits.
    """

    name: str
    one_of: tuple[Pattern, ...]
    none_of: tuple[Pattern, ...] = ()
    keyword: str = KEYWORD
    description: str = ""
    subtypes: tuple[Subtype, ...] = ()


@dataclass(frozen=True, slots=True)
class TargetClass:
    """A form that the aligned word can have.

    A class with `bridge` depends on the governor of the word, a modal; it is skipped where that modal is itself
    linked to the keyword's governor. With `not_under`, lemmas of the keyword's governor, it is skipped under those,
    and where that governor has no link. `stands_for` names the class that it counts as, `shown_as` the rendering that
    profiles show, where that is not the same.
    """

    name: str
    one_of: tuple[Pattern, ...]
    none_of: tuple[Pattern, ...] = ()
    bridge: bool = False
    stands_for: str = ""
    not_under: tuple[str, ...] = ()
    shown_as: str = ""
    description: str = ""

    @property
    def label(self) -> str:
        """The class that verdicts speak of."""
        return self.stands_for or self.name

    @property
    def rendering(self) -> str:
        """What profiles call it."""
        return self.shown_as or self.label


@dataclass(frozen=True, slots=True)
class Contrast:
    """A construction and the classes that are good and bad for it; none are where it is only described.

    The patterns are the *source rule*: they say of which instances of the construction this is expected; without any,
    of all.
    """

    name: str
    construction: str
    good: tuple[str, ...]
    bad: tuple[str, ...]
    one_of: tuple[Pattern, ...] = ()
    none_of: tuple[Pattern, ...] = ()
    category: str = ""
    tests: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A rendering that is rarely right: one of `renderings`, where at least `share` of all other translations of the
    same keyword have one of `most`. The patterns narrow down the word that has it, as those of a class do. `read` is a
    file with verdicts of people who have read some."""

    name: str
    construction: str
    renderings: tuple[str, ...]
    most: tuple[str, ...]
    share: float
    one_of: tuple[Pattern, ...] = ()
    none_of: tuple[Pattern, ...] = ()
    description: str = ""
    read: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True)
class Contrasts:
    """The contrasts of a language pair, with the constructions they look for and the classes they tell apart.

    The order counts: the first class that fits a word wins, and the first contrast that fits an instance.
    """

    name: str
    langpair: str
    constructions: Mapping[str, Construction]
    classes: tuple[TargetClass, ...]
    contrasts: Mapping[str, Contrast]
    faults: tuple[Fault, ...] = ()
    version: str = ""
    licence: str = ""
    description: str = ""
    path: str = field(default="", compare=False)

    @cached_property
    def subtypes_hash(self) -> str:
        """Twelve hex digits over all subtypes; no verdict depends on them, so they are not in `hash`."""
        parts = [
            (construction.name, [(one.name, one.one_of, one.none_of) for one in construction.subtypes])
            for construction in self.constructions.values()
        ]
        return sha256(repr(parts).encode()).hexdigest()[:12]

    @cached_property
    def hash(self) -> str:
        """Twelve hex digits over everything that decides verdicts: equal contrasts, equal hash."""
        # Nodes and conditions go in as they are printed: their names, and the order of fields, belong to the hash.
        parts = (
            self.langpair,
            [(one.name, one.one_of, one.none_of, one.keyword) for one in self.constructions.values()],
            [(one.name, one.one_of, one.none_of, one.bridge, one.stands_for, one.not_under) for one in self.classes],
            [
                (one.name, one.construction, one.good, one.bad, one.one_of, one.none_of, one.category)
                for one in self.contrasts.values()
            ],
            # Files without faults keep their hash.
            *([self.faults] if self.faults else []),
        )
        return sha256(repr(parts).encode()).hexdigest()[:12]
