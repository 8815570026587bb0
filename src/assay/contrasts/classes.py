"""The class of the word that stands for a keyword: the first in the file's order that fits.

looker = Looker(contrasts.classes)
looker.look(source, 4, target, links)  # -> Look(word=7, label="fin", reason="")
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from assay.contrasts.patterns import Patterns
from assay.contrasts.projection import Projection, project
from assay.contrasts.records import ALIGNED, TargetClass
from assay.contrasts.trees import Links, Tree
from assay.verdicts import Reason


@dataclass(frozen=True, slots=True)
class FoundClass:
    """What was seen in the translation: the word, the name of the class that fits it, the class it counts as.

    `reason` is set, and the class empty, where that is unknown: no_link, function_word or no_class.
    """

    word: int | None
    name: str = ""
    label: str = ""
    reason: Reason = ""


class ClassFinder:
    """Looks at the word that stands for a keyword."""

    def __init__(self, classes: Iterable[TargetClass]) -> None:
        self._classes = [(known, Patterns(known.one_of, known.none_of, keyword=ALIGNED)) for known in classes]

    def look(self, source: Tree, keyword: int, target: Tree, links: Links) -> FoundClass:
        """The class of the word that a keyword is linked to."""
        followed = project(source, keyword, target, links)
        if followed.word is None:
            return FoundClass(None, reason=followed.reason)
        passed_over = [
            known.name for known, _ in self._classes if not _bridges(known, source, keyword, followed, target)
        ]
        return self.classify(target, followed.word, passed_over)

    def classify(self, target: Tree, word: int, passed_over: Collection[str] = ()) -> FoundClass:
        """The class of a word; some classes may be passed over."""
        for known, patterns in self._classes:
            if known.name not in passed_over and patterns.matches(target, word):
                return FoundClass(word, known.name, known.label)
        return FoundClass(word, reason="no_class")


def _bridges(known: TargetClass, source: Tree, keyword: int, followed: Projection, target: Tree) -> bool:
    """Whether a class may be tried: a modal that renders the governor ("is able to go", "může jít") is no bridge."""
    if not known.bridge or followed.word is None:
        return True
    if target.tokens[followed.word].head in followed.governor_words:
        return False
    # Where the governor has no link nobody knows that it is not this modal.
    head = source.tokens[keyword].head
    under = head >= 0 and source.tokens[head].lemma in known.not_under
    return not (known.not_under and (under or not followed.governor_words))
