"""The class of the word that stands for a keyword: the first in the file's order that fits.

looker = Looker(contrasts.classes)
looker.look(source, 4, target, links)  # -> Look(word=7, label="fin", reason="")
"""

from collections.abc import Iterable
from typing import NamedTuple

from assay.contrasts.following import follow
from assay.contrasts.patterns import Patterns
from assay.model.contrasts import ALIGNED, TargetClass
from assay.model.trees import Links, Tree
from assay.model.verdicts import Reason


class Look(NamedTuple):
    """What was seen in the translation: the word, the name of the class that fits it, the class it counts as.

    `reason` is set, and the class empty, where that is unknown: no_link, function_word or no_class.
    """

    word: int | None
    name: str = ""
    label: str = ""
    reason: Reason = ""


class Looker:
    """Looks at the word that stands for a keyword."""

    def __init__(self, classes: Iterable[TargetClass]) -> None:
        self._classes = [(known, Patterns(known.one_of, known.none_of, keyword=ALIGNED)) for known in classes]

    def look(self, source: Tree, keyword: int, target: Tree, links: Links) -> Look:
        """The class of the word that a keyword is linked to."""
        followed = follow(source, keyword, target, links)
        if followed.word is None:
            return Look(None, reason=followed.reason)
        # A modal that renders the governor ("wants to go", "chce jít") is no bridge to a finite clause.
        no_bridge = target.tokens[followed.word].head in followed.governor_words
        return self.classify(target, followed.word, bridges=not no_bridge)

    def classify(self, target: Tree, word: int, *, bridges: bool = True) -> Look:
        """The class of a word; without `bridges` the classes that look at its governor are passed over."""
        for known, patterns in self._classes:
            if (bridges or not known.bridge) and patterns.matches(target, word):
                return Look(word, known.name, known.label)
        return Look(word, reason="no_class")
