"""A second suggester in the queue: asked only for those who want to see it, and kept as seen before it answers."""

import pytest

from assay.errors import BadOption, NotAllowed, UnknownName
from assay.suggest import Known, Suggestion
from assay.verdicts import Verdict
from assay.workbench.db.database import Store
from assay.workbench.files.importer import Import
from assay.workbench.queue.filters import Filters
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.neighbours import ask
from assay.workbench.queue.queue_page import NO_DRAFT, QueuePage, QueueSession
from assay.workbench.queue.suggester_pool import CachedSuggester, Opinion
from assay.workbench.queue.unit_card import CardRow
from tests.browser.workbench import one_text
from tests.suggest.scripted import Scripted
from tests.workbench.senses import Senses

READY = Opinion("ready", Suggestion(Verdict.FAIL, 0.7, "so it seems"))
WAITING = Opinion("waiting")


@pytest.fixture
def senses(store: Store) -> Senses:
    return Senses(store)


def card(page: QueuePage) -> CardRow:
    """The row that is judged next."""
    assert page.card
    return page.card.rows[0]


def switched_on(here: QueueSession) -> QueueSession:
    here.switch("suggestion", on=True, text_id=0, draft=NO_DRAFT)
    return here


def test_nothing_is_asked_while_suggestions_are_hidden(senses: Senses) -> None:
    opinions = Scripted(READY)
    senses.visits.state.opinions = opinions
    here = senses.sitting(senses.anna)
    text = card(here.open()).text
    page = here.judge(AnnotatorAnswer(text.id, "pass"))
    assert (card(page).opinion, here.opinion(card(page).text.id), opinions.questions) == (None, None, [])
    assert [(event.blind, event.seen) for event in senses.events()] == [(True, ())]


def test_the_suggester_gets_what_is_known_but_not_the_verdict_on_the_text(senses: Senses) -> None:
    senses.judge(senses.ben, "The bolt is old.", "pass")
    senses.judge(senses.ben, "The latch is old.", "pass")
    opinions = Scripted(READY)
    text = senses.text("The latch is old.")
    assert ask(senses.snapshot, text, opinions) == READY
    (question,) = opinions.questions
    assert (opinions.langpairs, question.item.id, question.text) == (["de-en"], "senses/schloss", "The latch is old.")
    assert question.description == "A word with several senses, of which the sentence allows one."
    assert set(question.known) == {
        Known("The lock is old.", Verdict.PASS),
        Known("The castle is old.", Verdict.FAIL),
        Known("The bolt is old.", Verdict.PASS, True),
    }


def test_it_is_kept_as_seen_even_before_it_answers(senses: Senses) -> None:
    # Nothing is like this text, so the suggestion from judged texts gives nothing away.
    Import(*one_text("de-en", "A sentence."), "import").run(senses.store, senses.eve)
    opinions = Scripted(WAITING, READY)
    senses.visits.state.opinions = opinions
    here = QueueSession(senses.visits.visit(senses.anna, "single"), Filters())
    text_id = card(here.open()).text.id
    found = card(switched_on(here).open())
    assert (found.suggestion, found.opinion, found.seen) == (None, READY, ("suggestion",))
    assert senses.visits.revealed(senses.anna, text_id) == ("suggestion",)
    outcome = here.judge(AnnotatorAnswer(text_id, "pass")).last
    assert outcome
    assert outcome.event
    assert (outcome.event.verdict, outcome.event.blind, outcome.event.seen) == ("pass", False, ("suggestion",))


def test_what_is_switched_off_again_stays_seen(senses: Senses) -> None:
    senses.visits.state.opinions = Scripted(WAITING)
    here = switched_on(senses.sitting(senses.anna))
    text_id = card(here.open()).text.id
    hidden = card(here.switch("suggestion", on=False, text_id=text_id, draft=NO_DRAFT))
    assert (hidden.opinion, hidden.seen, here.opinion(text_id)) == (None, ("suggestion",), None)


def test_a_judgement_asks_for_the_next_text_only(senses: Senses) -> None:
    opinions = Scripted(READY)
    senses.visits.state.opinions = opinions
    here = switched_on(senses.sitting(senses.anna))
    first = card(here.open()).text
    opinions.questions.clear()
    page = here.judge(AnnotatorAnswer(first.id, "pass"))
    assert [question.text for question in opinions.questions] == [card(page).text.value]
    assert card(page).text.id != first.id
    # The suggester says fail to everything; nobody but anna has decided anything.
    assert [(event.by, event.verdict) for event in senses.events()] == [("anna", "pass")]
    assert not senses.snapshot.texts[card(page).text.id].decided


def test_the_answer_comes_when_the_page_asks_again(senses: Senses) -> None:
    opinions = Scripted(WAITING, WAITING, WAITING, READY)
    senses.visits.state.opinions = opinions
    here = switched_on(senses.sitting(senses.anna))
    page = here.open()
    assert (card(page).opinion, page.suggester) == (WAITING, "sage")
    text_id = card(page).text.id
    assert [here.opinion(text_id) for _ in range(2)] == [WAITING, READY]
    with pytest.raises(UnknownName):
        here.opinion(999_999)
    with pytest.raises(NotAllowed):
        senses.sitting(senses.vera).opinion(text_id)


def test_a_suggester_that_cannot_do_the_languages_keeps_nobody_from_judging(senses: Senses) -> None:
    class Refusing(Scripted):
        def of(self, langpair: str) -> CachedSuggester:
            raise BadOption(f"no model for {langpair}")

    senses.visits.state.opinions = Refusing()
    here = switched_on(senses.sitting(senses.anna))
    assert card(here.open()).opinion == Opinion("failed", reason="no model for de-en")
