"""The class of the word that stands for a keyword: the first in the file's order that fits.

finder = ClassFinder(contrasts.classes)
finder.find(source, 4, target, links)  # -> FoundClass(word=7, name="fin", label="fin", reason="")
"""

from collections.abc import Iterable
from dataclasses import dataclass

from assay.contrasts.patterns import Patterns
from assay.contrasts.projection import Projection, project
from assay.contrasts.records import ALIGNED, TargetClass
from assay.contrasts.trees import Links, Tree
from assay.verdicts import Reason


@dataclass(frozen=True, slots=True)
class FoundClass:
    """The word in the translation, the name of the class that fits it, the class it counts as, and its rendering.

    Where the class is unknown it is empty, and `reason` says why: no_link, function_word or no_class.
    """

    word: int | None
    name: str = ""
    label: str = ""
    reason: Reason = ""
    rendering: str = ""


class ClassFinder:
    """Finds the class of the word that translates a keyword."""

    def __init__(self, classes: Iterable[TargetClass]) -> None:
        self._classes = [(known, Patterns(known.one_of, known.none_of, keyword=ALIGNED)) for known in classes]
        self._last: tuple[Tree | None, dict[tuple[int, tuple[str, ...]], FoundClass]] = None, {}

    def find(self, source: Tree, keyword: int, target: Tree, links: Links) -> FoundClass:
        """The class of the word that a keyword is linked to."""
        projection = project(source, keyword, target, links)
        if projection.word is None:
            return FoundClass(None, reason=projection.reason)
        skipped = tuple(
            known.name for known, _ in self._classes if not _applies(known, source, keyword, projection, target)
        )
        return self.classify(target, projection.word, skipped)

    def classify(self, target: Tree, word: int, skipped: tuple[str, ...] = ()) -> FoundClass:
        """The class of a word; the skipped classes are not tried."""
        # Two alignments mostly lead to the same word. One assignment, for the sake of threads.
        last = self._last
        if last[0] is not target:
            last = self._last = target, {}
        found = last[1].get((word, skipped))
        if found is None:
            found = last[1][word, skipped] = self._classify(target, word, skipped)
        return found

    def _classify(self, target: Tree, word: int, skipped: tuple[str, ...]) -> FoundClass:
        # The order of the file decides: special classes stand before general ones.
        for known, patterns in self._classes:
            if known.name not in skipped and patterns.matches(target, word):
                return FoundClass(word, known.name, known.label, rendering=known.rendering)
        return FoundClass(word, reason="no_class")


def _applies(known: TargetClass, source: Tree, keyword: int, projection: Projection, target: Tree) -> bool:
    """Whether a class may be tried: a modal that renders the governor ("is able to go", "může jít") is no bridge."""
    if not known.bridge or projection.word is None:
        return True
    if target.tokens[projection.word].head in projection.governor_words:
        return False
    # Where the governor has no link, the modal may well be its translation.
    head = source.tokens[keyword].head
    under = head >= 0 and source.tokens[head].lemma in known.not_under
    return not (known.not_under and (under or not projection.governor_words))
