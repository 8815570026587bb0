"""How every translation renders the keywords of a construction.
    found = renderings(contrasts, annotations.sources, annotations.translations, keywords=annotations.keywords)
    for table in found.tables:
        table.codes         # keywords × translations: places in `table.names`, below 0 where unknown

All instances of a construction are looked at, and nobody says what is good. A line that a human translation lacks is
left out for all: systems are compared with people on the same sentences.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from assay.contrasts.classes import ClassFinder, FoundClass
from assay.contrasts.expectations import Translation, keyword_places
from assay.contrasts.patterns import SubtypeFinder
from assay.contrasts.records import OTHER, Construction, Contrasts, Subtype
from assay.contrasts.spans import Span, surface_spans
from assay.contrasts.trees import Tree
from assay.errors import BadOption
from assay.outputs import System
from assay.text import is_missing, normalise
from assay.verdicts import Reason

FUNCTION_WORD = "function word"
"""The rendering of a keyword that is linked to nothing but prepositions, conjunctions and the like."""

UNKNOWN: tuple[Reason, ...] = ("no_link", "no_class", "missing")
"""Why a rendering is unknown; its code is -1 for the first, and so on."""


ENOUGH = 30
"""Keywords that a subtype must have for a table of its own."""


def is_reference(system: System) -> bool:
    """Whether a translation was made by people."""
    return system.metadata.get("group") == "reference"


@dataclass(frozen=True, slots=True)
class RenderedWord:
    """One keyword in one translation: both texts, and where the two words stand in them (no place: nowhere)."""

    line: int
    source: str
    keyword: Span | None
    text: str
    word: Span | None


@dataclass(frozen=True, slots=True)
class RenderingTable:
    """Keywords of one construction by translations. `lines` and `words` say which word of which line a keyword is."""

    construction: Construction
    names: tuple[str, ...]
    """The renderings, in the order of the file."""
    lines: NDArray[np.int64]
    words: NDArray[np.int64]
    codes: NDArray[np.int8]
    """Keywords × translations: the place of the rendering in `names`; below 0 it is unknown."""
    targets: NDArray[np.int32]
    """The same: the word of the translation that has it, -1 where there is none."""
    again: NDArray[np.int8] | None = None
    """The codes by a second alignment, where there is one."""

    whole: str = ""
    """The construction that this is a subtype of, where it is one."""

    def __len__(self) -> int:
        return len(self.lines)

    def part(self, subtype: Subtype, rows: NDArray[np.bool_]) -> "RenderingTable":
        """Some of the keywords, those of a subtype."""
        return RenderingTable(
            Construction(f"{self.construction.name}: {subtype.name}", (), description=subtype.description),
            self.names,
            self.lines[rows],
            self.words[rows],
            self.codes[rows],
            self.targets[rows],
            self.again[rows] if self.again is not None else None,
            self.construction.name,
        )


@dataclass(frozen=True)
class Renderings:
    """The tables of all constructions; translations are the columns, people first."""

    contrasts: Contrasts
    sources: Mapping[int, Tree]
    translations: Sequence[Translation]
    tables: tuple[RenderingTable, ...]
    absent: Mapping[str, int]
    """Human translation -> how many lines with a keyword it lacks; these are left out for all."""
    subtypes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Construction -> subtype -> keywords, where there is a table for each subtype with enough of them."""

    @property
    def systems(self) -> list[System]:
        return [translation.system for translation in self.translations]

    def show(self, table: RenderingTable, row: int, column: int) -> RenderedWord:
        """A keyword and what became of it, with the places of both words in their texts."""
        line, translation = int(table.lines[row]), self.translations[column]
        source = self.sources[line]
        target, word = translation.trees.get(line), int(table.targets[row, column])
        text = normalise(translation.texts[line])
        return RenderedWord(
            line,
            source.text or " ".join(source.surface_forms),
            _span(source, int(table.words[row]), source.text or " ".join(source.surface_forms)),
            text,
            _span(target, word, text) if target is not None and word >= 0 else None,
        )


def with_subtypes(found: Renderings) -> Renderings:
    """The same with a table for each subtype of a construction that has enough keywords, behind that of the whole."""
    tables: list[RenderingTable] = []
    counts: dict[str, dict[str, int]] = {}
    for table in found.tables:
        tables.append(table)
        if not table.construction.subtypes:
            continue
        finder = SubtypeFinder(table.construction)
        places = zip(table.lines.tolist(), table.words.tolist(), strict=True)
        own = np.array([finder.find(found.sources[line], word) for line, word in places])
        kinds = (*table.construction.subtypes, Subtype(OTHER, (), description="What is of no other kind."))
        parts = [(kind, own == kind.name) for kind in kinds]
        counts[table.construction.name] = {kind.name: int(rows.sum()) for kind, rows in parts}
        tables += (table.part(kind, rows) for kind, rows in parts if rows.sum() >= ENOUGH)
    if not counts:
        raise BadOption(f"{found.contrasts.name} names no subtypes; leave --subtypes out")
    return replace(found, tables=tuple(tables), subtypes=counts)


def _span(tree: Tree, word: int, text: str) -> Span | None:
    forms = [normalise(form) for form in tree.surface_forms]
    return surface_spans(forms, text)[tree.surface[word]]


def renderings(
    contrasts: Contrasts,
    sources: Mapping[int, Tree],
    translations: Sequence[Translation],
    *,
    keywords: Mapping[str, Sequence[tuple[int, int]]] | None = None,
) -> Renderings:
    """The renderings of all constructions in lines that every human translation has.

    Without `keywords`, which are those of `keyword_places`, they are looked for.
    """
    ordered = sorted(translations, key=lambda one: not is_reference(one.system))
    absent: Counter[str] = Counter()
    left_out = set()
    finder = ClassFinder(contrasts.classes)
    places = keyword_places(contrasts, sources) if keywords is None else keywords
    for line in sorted({line for found in places.values() for line, _ in found}):
        for translation in ordered:
            if is_reference(translation.system) and is_missing(normalise(translation.texts[line])):
                absent[translation.system.name] += 1
                left_out.add(line)
    names = _names(contrasts)
    tables = []
    for name, found in places.items():
        kept = [(line, word) for line, word in found if line not in left_out]
        if kept:
            tables.append(_table(contrasts.constructions[name], names, kept, sources, ordered, finder))
    if not tables:
        raise BadOption("no sentence has one of the constructions" if not left_out else _nothing_left(absent))
    return Renderings(contrasts, sources, ordered, tuple(tables), absent)


def _nothing_left(absent: Mapping[str, int]) -> str:
    most = max(absent, key=lambda name: absent[name])
    return f"no line with a construction is in all human translations; {most} lacks the most: leave it out"


def _names(contrasts: Contrasts) -> tuple[str, ...]:
    return (*dict.fromkeys(known.rendering for known in contrasts.classes), FUNCTION_WORD)


def _table(
    construction: Construction,
    names: tuple[str, ...],
    places: Sequence[tuple[int, int]],
    sources: Mapping[int, Tree],
    translations: Sequence[Translation],
    finder: ClassFinder,
) -> RenderingTable:
    codes = np.full((len(places), len(translations)), -1 - UNKNOWN.index("missing"), np.int8)
    targets = np.full(codes.shape, -1, np.int32)
    again = codes.copy() if all(translation.again is not None for translation in translations) else None
    for row, (line, word) in enumerate(places):
        # Systems repeat each other: a text is looked at once, with the tree and links of the first who wrote it.
        known: dict[str, tuple[int, int, int]] = {}
        for column, translation in enumerate(translations):
            text = normalise(translation.texts[line])
            if is_missing(text):
                continue
            if text not in known:
                found = finder.find(sources[line], word, translation.trees[line], translation.links[line])
                other = _again(found, sources[line], word, translation, line, finder)
                known[text] = _code(found, names), -1 if found.word is None else found.word, _code(other, names)
            codes[row, column], targets[row, column], other_code = known[text]
            if again is not None:
                again[row, column] = other_code
    lines, words = np.array(places, np.int64).T
    return RenderingTable(construction, names, lines, words, codes, targets, again)


def _again(
    found: FoundClass, source: Tree, word: int, translation: Translation, line: int, finder: ClassFinder
) -> FoundClass:
    """What is found by the second alignment; most links are the same in both."""
    if translation.again is None or translation.again[line] == translation.links[line]:
        return found
    return finder.find(source, word, translation.trees[line], translation.again[line])


def _code(found: FoundClass, names: tuple[str, ...]) -> int:
    if found.reason == "function_word":
        return names.index(FUNCTION_WORD)
    return -1 - UNKNOWN.index(found.reason) if found.reason else names.index(found.rendering)
