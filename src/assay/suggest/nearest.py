"""The offline suggester as a plugin.

nearest({}, "de-en").suggest(question)      # Suggestion(PASS, 0.86, "nearest judged text differs in: latch | lock")
"""

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from assay.errors import UnknownName
from assay.prediction import capitals_tell
from assay.suggest.likeness import Related, suggest
from assay.suggest.suggester import Question, Relatives, Suggester, Suggestion

VERSION = "2"
"""Changes with what `suggest` weighs, and how."""


def nearest(options: Mapping[str, str], langpair: str) -> Suggester:
    """What judged texts of the item and of the phenomenon tell, without a model and without a network."""
    for name in options:
        raise UnknownName("option of nearest", name, ())
    return Nearest(langpair)


class Nearest:
    """Suggests from judged texts alone."""

    name = "nearest"
    parameters: Mapping[str, str] = {"suggester": "nearest", "version": VERSION}
    is_local = True

    def __init__(self, langpair: str = "") -> None:
        self.cased = capitals_tell(langpair)
        # Questions about one phenomenon share their relatives; counting n-grams of thousands of texts takes longest.
        self._counted: WeakKeyDictionary[Relatives, Related] = WeakKeyDictionary()

    def suggest(self, question: Question) -> Suggestion | None:
        found = suggest(question.text, question.known, self.count(question.related))
        return None if found is None else Suggestion(found.verdict, found.confidence, found.reason)

    def count(self, relatives: Relatives) -> Related:
        """The relatives of a question, counted."""
        found = self._counted.get(relatives)
        if found is None:
            if relatives.every is None:
                found = Related(relatives.known, cased=self.cased, share=relatives.share)
            else:
                less = Related(relatives.left_out, cased=self.cased)
                found = self.count(relatives.every).changed(less=less, share=relatives.share)
            self._counted[relatives] = found
        return found

    def close(self) -> None:
        """There is nothing to let go of."""
