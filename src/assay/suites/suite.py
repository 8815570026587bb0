"""Suites, items and rules: frozen records without any file format in them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from assay.errors import BadOption, UnknownName
from assay.result import exact_name

Polarity = Literal["pass", "fail"]
EqualSources = Literal["error", "ids"]
Renderings = Literal["", "same", "differ"]
Tier = Literal["entry", "context"]

# The order of polarities is the order in which rules are read, written and hashed.
POLARITIES: tuple[Polarity, ...] = ("pass", "fail")
TIERS: tuple[Tier, ...] = ("entry", "context")
"""In the order of reports: texts that stand for themselves, and texts of several sentences in which others decide."""
SAID_KEYS = ("twins", "lexical", "negation")
"""What a suite may say of a phenomenon with `true` or `false`; each is a field of `Suite`."""
KINDS = ("regex", "exact", "contains", "term", "keeps", "longer", "shorter", "language", "refusal", "copy")
"""The kinds of rules that come with Assay (`suites/kinds.py`), in the order in which editors offer them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What makes a text right (`pass`) or wrong (`fail`).

    `kind` says what the argument `value` means (`suites/kinds.py`). `flags` is a subset of `i` and only for regex
    rules; `scope` is the part of a text that a rule looks at, all of it where there is none. An exact rule with `by` is
    a settled judgement: a linguist (`by`) decided about exactly this text on a date (`on`), and it outranks the suite's
    own exact rules. `closed` says of a fail rule that the words for want of which it fails a text are all there are; it
    decides nothing, and `assay lint` lets the rule be. The kind `class` is for the evidence of contrasts only: no suite
    has such rules, and no reader takes them.
    """

    polarity: Polarity
    kind: str
    value: str
    flags: str = ""
    note: str = ""
    by: str = ""
    on: str = ""
    scope: str = ""
    closed: bool = False

    @property
    def check(self) -> tuple[str, ...]:
        """What decides a verdict: the hash of a suite is made of it, not of notes, authors and dates."""
        # Named one by one, a scope only where there is one: a field added to Rule must not change the hash of suites.
        decides = self.polarity, self.kind, self.value, self.flags
        return (*decides, f"in:{self.scope}") if self.scope else decides

    @property
    def is_blank(self) -> bool:
        """Blank tokens and patterns occur in published files; they are kept but never match."""
        return not self.value.strip()

    def __str__(self) -> str:
        flags = f"/{self.flags}" if self.flags else ""
        scope = f" in {self.scope}" if self.scope else ""
        return f"{self.polarity}:{self.kind}{flags}:{self.value}{scope}"


@dataclass(frozen=True, slots=True)
class Examples:
    """Translations that the rules must judge as right, and as wrong."""

    passing: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()

    def by_polarity(self) -> tuple[tuple[Polarity, tuple[str, ...]], ...]:
        """Both kinds under the names they have in files."""
        return ("pass", self.passing), ("fail", self.failing)


NO_EXAMPLES = Examples()


@dataclass(frozen=True, slots=True)
class Label:
    """A name for one way to render what an item tests (`feminine`), and the rules by which it is known.

    A label is no verdict: its rules have the polarity `pass`, and nothing of them counts as right or wrong.
    """

    name: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One source text (one or several sentences) with its rules.

    `prompt` is what a language model is told about this very text, `context` what stands around it; two items may have
    the same source and differ in these. `source_of` is the id of another item whose source, prompt and context these
    are: one translation is asked for and judged for both. Items of one `group` are right only together, and the words
    that decide about them are the `same` or `differ` where `renderings` says so; where they are not `independent` they
    have material in common and nothing else. `labels` ask which rendering a text has, `rubric` asks a person or a
    language model. `tier` is the part of the suite that it belongs to, beside its phenomenon.
    """

    id: str
    category: str
    phenomenon: str
    source: str
    rules: tuple[Rule, ...] = ()
    tests: str = ""
    examples: Examples = NO_EXAMPLES
    tags: tuple[str, ...] = ()
    notes: str = ""
    held_out: bool = False
    prompt: str = ""
    context: str = ""
    group: str = ""
    independent: bool = True
    renderings: Renderings = ""
    labels: tuple[Label, ...] = ()
    rubric: str = ""
    source_of: str = ""
    tier: Tier = "entry"
    # Not compared: that of the suite, for rules that ask for it.
    langpair: str = field(default="", compare=False)
    # Not compared: the same item read from another file, or moved within one, is the same item.
    place: str = field(default="", compare=False)
    """`file:line` it was read from, for messages."""

    @property
    def is_judged(self) -> bool:
        """Whether it asks if a text is right; one that has labels and no rules only asks which rendering it is."""
        return bool(self.rules) or not self.labels


# No slots: `cached_property` needs the instance's dictionary.
@dataclass(frozen=True)
class Suite:
    """A language pair's test items with their taxonomy.

    `taxonomy` maps category -> phenomenon -> description, in the order in which reports show them; every
    item's category and phenomenon are in it. `equal_sources` says what is done where a source stands in several lines
    of a test set with different translations, and nothing tells the lines apart: an error, or (`ids`, as DFKI's suites
    are published) the k-th item in the order of ids gets the k-th line. `guidelines` say how strictly texts of a
    phenomenon are judged, by its category and name, `twins` whether those that differ in case, punctuation or spelling
    only are judged together. `lexical` says of a phenomenon that a word is all it tests, `negation` that a negated text
    may be right: what `assay lint --probe` then does not try. None of these is a part of the hash. `tier` is set where
    these are the items of one tier and there are others.
    """

    name: str
    langpair: str
    items: tuple[Item, ...]
    taxonomy: Mapping[str, Mapping[str, str]]
    version: str = ""
    licence: str = ""
    authors: tuple[str, ...] = ()
    description: str = ""
    canary: str = ""
    equal_sources: EqualSources = "error"
    guidelines: Mapping[tuple[str, str], str] = field(default_factory=dict)
    twins: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    lexical: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    negation: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    tier: Tier | None = None
    path: str = field(default="", compare=False)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    @property
    def phenomena(self) -> list[tuple[str, str]]:
        """All (category, phenomenon) pairs in the order of the taxonomy."""
        return [(category, name) for category, names in self.taxonomy.items() for name in names]

    @cached_property
    def positions(self) -> dict[str, int]:
        """Item id -> its place in `items`."""
        return {item.id: position for position, item in enumerate(self.items)}

    @property
    def asked(self) -> "Suite":
        """The suite without items that share the source of another: each text is to be translated once."""
        if not any(item.source_of for item in self.items):
            return self
        return replace(self, items=tuple(item for item in self.items if not item.source_of))

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """The tiers that there are items of."""
        found = {item.tier for item in self.items}
        return tuple(tier for tier in TIERS if tier in found)

    def places_of(self, tier: Tier) -> list[int]:
        """Where the items of a tier stand in `items`."""
        places = [place for place, item in enumerate(self.items) if item.tier == tier]
        if not places:
            raise BadOption(
                f"{self.name} has no items of the tier {tier}; all are of the tier {' and '.join(self.tiers)}"
            )
        return places

    def of_tier(self, tier: Tier) -> "Suite":
        """The items of one tier and their phenomena; the hash is that of this part. A suite of one tier is its own."""
        places = self.places_of(tier)
        if len(places) == len(self.items):
            return self
        items = _asked_by_themselves([self.items[place] for place in places])
        rows = {(item.category, item.phenomenon) for item in items}
        kept = {
            category: {name: said for name, said in names.items() if (category, name) in rows}
            for category, names in self.taxonomy.items()
        }
        taxonomy = {category: names for category, names in kept.items() if names}
        return replace(self, items=items, taxonomy=taxonomy, tier=tier)

    def item(self, item_id: str) -> Item:
        """The item with this id."""
        if item_id not in self.positions:
            raise UnknownName("item", item_id, self.positions)
        return self.items[self.positions[item_id]]

    @cached_property
    def hash(self) -> str:
        """Twelve hex digits over everything that decides verdicts and rows: equal suites, equal hash.

        Descriptions, notes, examples and the order of items in files don't change a verdict and are left out.
        """
        # Imported here: loading OpenSSL takes longer than the rest of this module, and most commands name no hash.
        from hashlib import sha256

        digest = sha256(self.langpair.encode())
        # By id, since the order of items decides nothing.
        ids = [item.id for item in self.items]
        for place in sorted(range(len(ids)), key=ids.__getitem__):
            digest.update(self._hashed[place])
        return digest.hexdigest()[:12]

    @cached_property
    def _hashed(self) -> list[bytes]:
        """What the hash is made of, item by item."""
        return [_hashed(item) for item in self.items]

    def with_items(self, changed: Mapping[int, Item]) -> "Suite":
        """The suite with others in the place of some items; what was worked out of the rest is taken over."""
        items = list(self.items)
        for place, item in changed.items():
            items[place] = item
        found = replace(self, items=tuple(items))
        if "_hashed" in vars(self):
            hashed = self._hashed.copy()
            for place, item in changed.items():
                hashed[place] = _hashed(item)
            vars(found)["_hashed"] = hashed
        return found

    @property
    def exact_name(self) -> str:
        """Name, version and hash, as signatures have them: `assay-de-en@0.4.0#59de728bd55b`."""
        return exact_name(self.name, self.hash, self.version)

    @property
    def signature_fields(self) -> dict[str, str]:
        """How signatures name it; the tier only where one was chosen."""
        return {"suite": self.exact_name, **({"tier": self.tier} if self.tier else {})}


def _hashed(item: Item) -> bytes:
    """What decides the verdicts on an item, and the row where they count."""
    parts = [item.id, item.category, item.phenomenon, item.source]
    for rule in item.rules:
        parts += rule.check
        parts.append("settled" if rule.by else "")
    # Named, and only where there are any: suites without them keep the hash that they had.
    parts += [f"{name}:{told}" for name, told in (("prompt", item.prompt), ("context", item.context)) if told]
    if item.group:
        parts.append(f"group:{item.group}:{'' if item.independent else 'dependent'}:{item.renderings}")
    for label in item.labels:
        parts.append(f"label:{label.name}")
        for rule in label.rules:
            parts += rule.check
    # The rows of tiers are made of it; items of the entry tier have the hash of before there were tiers.
    if item.tier != "entry":
        parts.append(f"tier:{item.tier}")
    # repr keeps the parts apart whatever characters they hold; with a separator two suites could collide.
    return repr(parts).encode()


def _asked_by_themselves(items: list[Item]) -> tuple[Item, ...]:
    """Items of which some shared the source of one that is not among them: the first of these is asked for now."""
    known = {item.id for item in items}
    first: dict[str, str] = {}
    made = []
    for item in items:
        if item.source_of and item.source_of not in known:
            named = first.setdefault(item.source_of, item.id)
            item = replace(item, source_of="" if named == item.id else named)
        made.append(item)
    return tuple(made)


def taxonomy_of(items: tuple[Item, ...]) -> dict[str, dict[str, str]]:
    """The taxonomy that items imply, in order of first appearance, for formats that have none."""
    taxonomy: dict[str, dict[str, str]] = {}
    for item in items:
        taxonomy.setdefault(item.category, {}).setdefault(item.phenomenon, "")
    return taxonomy
