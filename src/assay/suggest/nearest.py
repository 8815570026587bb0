"""The offline suggester as a plugin.

nearest({}, "de-en").suggest(question)      # Suggestion(PASS, 0.86, "nearest judged text differs in: latch | lock")
"""

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from assay.errors import UnknownName
from assay.suggest.likeness import Related, suggest
from assay.suggest.suggester import Question, Relatives, Suggester, Suggestion

VERSION = "1"
"""Changes with what `suggest` weighs, and how."""


def nearest(options: Mapping[str, str], langpair: str) -> Suggester:
    """What judged texts of the item and of the phenomenon tell, without a model and without a network."""
    for name in options:
        raise UnknownName("option of nearest", name, ())
    return Nearest()


class Nearest:
    """Suggests from judged texts alone."""

    name = "nearest"
    parameters: Mapping[str, str] = {"suggester": "nearest", "version": VERSION}
    is_local = True

    def __init__(self) -> None:
        # Questions about one phenomenon share their relatives; counting n-grams of thousands of texts takes longest.
        self._counted: WeakKeyDictionary[Relatives, Related] = WeakKeyDictionary()

    def suggest(self, question: Question) -> Suggestion | None:
        related = self._counted.get(question.related)
        if related is None:
            related = self._counted[question.related] = Related(question.related.known)
        found = suggest(question.text, question.known, related)
        return None if found is None else Suggestion(found.verdict, found.confidence, found.reason)

    def close(self) -> None:
        """There is nothing to let go of."""
