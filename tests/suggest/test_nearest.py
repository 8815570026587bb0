"""The offline suggester as a plugin says what `suggest` says."""

from assay.suggest.likeness import Related, suggest
from assay.suggest.suggester import SUGGESTERS, Known, Question, Relatives, Suggestion
from assay.suites import Item
from assay.verdicts import Verdict

ITEM = Item("lock", "Ambiguity", "Lexical ambiguity", "Das Schloss klemmt.")
KNOWN = (Known("The lock is stuck.", Verdict.PASS), Known("The castle is stuck.", Verdict.FAIL))
OTHERS = Relatives((Known("The lock is old.", Verdict.PASS), Known("The castle is jammed.", Verdict.FAIL)))


def test_it_weighs_what_is_known_of_the_item_and_of_the_phenomenon() -> None:
    nearest = SUGGESTERS.get("nearest")({}, "de-en")
    for text in ("The lock is jammed.", "The castle is jammed."):
        expected = suggest(text, KNOWN, Related(OTHERS.known))
        assert expected is not None
        found = nearest.suggest(Question(ITEM, text, KNOWN, related=OTHERS))
        assert found == Suggestion(expected.verdict, expected.confidence, expected.reason)
    nearest.close()


def test_without_judged_texts_nothing_is_said() -> None:
    nearest = SUGGESTERS.get("nearest")({}, "de-en")
    assert nearest.suggest(Question(ITEM, "The lock is jammed.", related=OTHERS)) is None
    assert nearest.suggest(Question(ITEM, "", KNOWN)) is None
