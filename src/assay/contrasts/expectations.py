"""Which contrast a keyword belongs to, and on whose authority.

    expect = SourceRule(contrasts)
    expect.occurrences({0: tree})  # -> [Occurrence(line=0, word=4, contrast=…)]

Four choices, named in the result: a *source rule* (the contrast's own patterns), the class that a *reference*
chose, any class that one of the *references* chose, or a *gold* tree. An instance belongs to one contrast only. By
source rule it is the first in the file whose patterns fit. By a reference, or gold, it is the contrast of its
construction whose good classes have the class that was chosen; of several the one with the fewest good classes, then
the first in the file. By all references, too, and good is then what one of them chose.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from assay.contrasts.classes import ClassFinder
from assay.contrasts.patterns import Patterns
from assay.contrasts.records import Contrast, Contrasts
from assay.contrasts.trees import Links, Tree
from assay.outputs import System


@dataclass(frozen=True, slots=True)
class Translation:
    """The output of one system, or a reference: texts of all lines, and trees and links of those that are needed.

    Lines count from 0. `links` are between surface tokens of the source and of this translation.
    """

    system: System
    texts: Sequence[str]
    trees: Mapping[int, Tree]
    links: Mapping[int, Links] | Sequence[Links]
    again: Mapping[int, Links] | None = None
    """Links of a second alignment, where they were asked for and the aligner draws at random."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A keyword: word `word` of line `line`, both from 0, and the contrast that it tests."""

    line: int
    word: int
    contrast: Contrast

    @property
    def id(self) -> str:
        """`sentence:token`, both from 1."""
        return f"{self.line + 1}:{self.word + 1}"


class Expectation(Protocol):
    """Says which keywords are tested, and by which contrast."""

    name: str

    def occurrences(self, sources: Mapping[int, Tree]) -> list[Occurrence]: ...


class Instances:
    """Finds the instances of all constructions."""

    def __init__(self, contrasts: Contrasts) -> None:
        self._patterns = {name: Patterns.of(found) for name, found in contrasts.constructions.items()}

    def __call__(self, tree: Tree) -> Iterator[tuple[int, list[str]]]:
        """(word, the constructions it is a keyword of) for the keywords of a tree."""
        for word in range(len(tree)):
            names = [name for name, patterns in self._patterns.items() if patterns.matches(tree, word)]
            if names:
                yield word, names


class SourceRule:
    """The expectation by the contrasts' own patterns."""

    name = "source"

    def __init__(self, contrasts: Contrasts) -> None:
        self._instances = Instances(contrasts)
        self._rules = [
            (
                contrast,
                Patterns(
                    contrast.one_of, contrast.none_of, keyword=contrasts.constructions[contrast.construction].keyword
                ),
            )
            for contrast in contrasts.contrasts.values()
        ]

    def occurrences(self, sources: Mapping[int, Tree]) -> list[Occurrence]:
        """Every instance that fits the patterns of a contrast, which is the first in the file."""
        found = []
        for line, tree in sources.items():
            for word, names in self._instances(tree):
                for contrast, patterns in self._rules:
                    if contrast.construction in names and patterns.matches(tree, word):
                        found.append(Occurrence(line, word, contrast))
                        break
        return found


class ChosenClass:
    """The expectation by the class that a reference chose, or that a gold tree has: `kind` is `reference` or `gold`."""

    def __init__(self, contrasts: Contrasts, chosen: Translation, *, kind: str = "reference") -> None:
        self.name = f"{kind}:{chosen.system.name}"
        self._chosen = chosen
        self._instances = Instances(contrasts)
        self._finder = ClassFinder(contrasts.classes)
        # The contrast with the fewest good classes is the most specific; of equal ones the first in the file wins.
        self._contrasts = sorted(contrasts.contrasts.values(), key=lambda contrast: len(contrast.good))

    def occurrences(self, sources: Mapping[int, Tree]) -> list[Occurrence]:
        """Every instance whose class is known and good for some contrast."""
        found = []
        for line, tree in sources.items():
            # Gold trees may exist for a part of the source only.
            if line not in self._chosen.trees:
                continue
            for word, names in self._instances(tree):
                chosen = self._finder.find(tree, word, self._chosen.trees[line], self._chosen.links[line])
                for contrast in self._contrasts:
                    if contrast.construction in names and chosen.label in contrast.good:
                        found.append(Occurrence(line, word, contrast))
                        break
        return found


class AnyChosenClass:
    """The expectation by all references: what one of them chose is good, all else is bad. Lines that one lacks are left
    out, so that all translations are held to the same."""

    name = "references"

    def __init__(self, contrasts: Contrasts, chosen: Sequence[Translation]) -> None:
        self._chosen = chosen
        self._instances = Instances(contrasts)
        self._finder = ClassFinder(contrasts.classes)
        self._labels = tuple(dict.fromkeys(known.label for known in contrasts.classes))
        self._contrasts = sorted(contrasts.contrasts.values(), key=lambda contrast: len(contrast.good))

    def occurrences(self, sources: Mapping[int, Tree]) -> list[Occurrence]:
        """Every instance whose class is known of some reference, in lines that all of them have."""
        found = []
        for line, tree in sources.items():
            if any(line not in one.trees for one in self._chosen):
                continue
            for word, names in self._instances(tree):
                classes = [self._finder.find(tree, word, one.trees[line], one.links[line]) for one in self._chosen]
                good = tuple(label for label in self._labels if label in {known.label for known in classes})
                for contrast in self._contrasts:
                    if contrast.construction in names and not set(good).isdisjoint(contrast.good):
                        bad = tuple(label for label in self._labels if label not in good)
                        found.append(Occurrence(line, word, replace(contrast, good=good, bad=bad)))
                        break
        return found


def keyword_places(contrasts: Contrasts, sources: Mapping[int, Tree]) -> dict[str, list[tuple[int, int]]]:
    """Construction -> line and word of its keywords, in the order of the text."""
    return {
        name: [(line, word) for line, tree in sorted(sources.items()) for word in patterns.places(tree)]
        for name, patterns in ((name, Patterns.of(found)) for name, found in contrasts.constructions.items())
    }


def lines_needed(contrasts: Contrasts, sources: Mapping[int, Tree]) -> list[int]:
    """Lines whose translations have to be parsed: those with an instance of any construction."""
    instances = Instances(contrasts)
    return [line for line, tree in sources.items() if any(instances(tree))]
