"""What somebody saw is kept with what they say; undo stays where it was asked for."""

from dataclasses import replace

import pytest

from assay.outputs import System
from assay.workbench import suite_outputs
from assay.workbench.files.importer import Import
from assay.workbench.items.item_page import Inspection
from assay.workbench.queue.filters import Filters
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.preferences import set_shown
from assay.workbench.queue.queue_page import QueueSession
from assay.workbench.reader import Change, EndsBlindness
from assay.workbench.work.history import history
from tests.workbench.little import NAME, SCHLOSS, SUITE, WRITTEN, A, outputs_of
from tests.workbench.room import LATCH, POSY, Room
from tests.workbench.visits import Visits


def show_systems(change: Change, *, on: bool) -> None:
    set_shown(change.db, change.user, "systems", on=on)


class TestBlindness:
    def test_a_judgement_is_blind_where_nothing_was_shown(self, here: Room) -> None:
        here.next(here.anna)
        assert here.say(here.anna, LATCH, "pass").event.blind

    def test_who_filters_by_system_knows_who_wrote_it(self, here: Room) -> None:
        assert here.next(here.anna, Filters(system="C")) == LATCH
        event = here.say(here.anna, LATCH, "pass").event
        assert (event.blind, event.seen) == (False, ("systems",))

    def test_who_judged_before_was_told_then_even_by_another_server(self, here: Room) -> None:
        here.say(here.anna, LATCH, "pass")
        here.visits.undo(here.anna, NAME)
        again = Visits(here.store).judge(here.anna, NAME, AnnotatorAnswer(here.id(LATCH), "fail"))
        assert again.event.seen == ("systems", "suggestion")


class TestAnotherServer:
    """What somebody saw is in the database: a server that starts again knows it."""

    def seen(self, here: Room, text: str = LATCH) -> tuple[bool, tuple[str, ...]]:
        """What a judgement of Ben's, at another server, says he had seen."""
        event = Visits(here.store).judge(here.ben, NAME, AnnotatorAnswer(here.id(text), "pass")).event
        return event.blind, event.seen

    def test_who_saw_nothing_is_blind(self, room: Room) -> None:
        room.say(room.anna, LATCH, "pass")
        room.next(room.ben, Filters(again=True))
        assert self.seen(room) == (True, ())

    def test_the_page_of_an_item(self, room: Room) -> None:
        room.say(room.anna, LATCH, "pass")
        page = Inspection(room.visits.visit(room.ben, NAME), SCHLOSS)
        with pytest.raises(EndsBlindness, match="1 text blind"):
            page.open()
        assert room.visits.revealed(room.ben, room.id(LATCH)) == ()
        replace(page, shown=True).open()
        page.open()  # nobody is asked about what they know
        assert self.seen(room) == (False, ("systems", "judgements"))

    def test_a_ruling_on_the_page_of_an_item(self, here: Room) -> None:
        here.visits.adjudicate(here.ada, NAME, AnnotatorAnswer(here.id(LATCH), "fail"))
        Inspection(here.visits.visit(here.ben, NAME), SCHLOSS, shown=True).open()
        assert self.seen(here) == (False, ("systems", "judgements"))

    def test_the_history_of_an_item_tells_what_others_said_even_if_they_took_it_back(self, here: Room) -> None:
        here.say(here.anna, LATCH, "pass")
        here.visits.undo(here.anna, NAME)
        assert len(Inspection(here.visits.visit(here.ben, NAME), SCHLOSS).history()) == 3
        assert self.seen(here) == (False, ("judgements",))
        assert self.seen(here, POSY) == (True, ())

    def test_the_history_tells_what_was_taken_back(self, here: Room) -> None:
        here.say(here.anna, LATCH, "pass")
        here.visits.undo(here.anna, NAME)
        for user in (here.ben, here.anna):
            here.visits.read(user, NAME, history, kind="undo")
        assert here.visits.revealed(here.ben, here.id(LATCH)) == ("judgements",)
        assert here.visits.revealed(here.anna, here.id(LATCH)) == ("systems", "suggestion")

    def test_systems_shown_in_the_queue(self, here: Room) -> None:
        here.visits.change(here.ben, NAME, show_systems, on=True)
        page = QueueSession(here.visits.visit(here.ben, NAME), Filters()).open()
        assert page.card
        here.visits.change(here.ben, NAME, show_systems, on=False)
        assert self.seen(here, page.card.text.value) == (False, ("systems",))

    def test_what_others_had_said_is_told_after_a_judgement(self, here: Room) -> None:
        here.say(here.anna, LATCH, "pass")
        QueueSession(here.visits.visit(here.ben, NAME), Filters(again=True)).judge(
            AnnotatorAnswer(here.id(LATCH), "pass")
        )
        here.visits.undo(here.ben, NAME)
        assert self.seen(here) == (False, ("systems", "suggestion", "judgements"))


def test_counts_of_what_ever_waited_do_not_pile_up(here: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite_outputs, "MOST_COUNTS", 2)
    for filters in (Filters(), Filters(category="Ambiguity"), Filters(category="Idioms"), Filters()):
        offer = here.offer(here.anna, filters)
        assert offer
        assert offer.ever == len(here.queue(here.anna, filters))
    assert list(here.snapshot.ever_waited) == [Filters(category="Idioms"), Filters()]
    Import(SUITE, outputs_of({System("D", "WMT22"): WRITTEN[A]}), "more").run(here.store, here.admin)
    here.offer(here.anna)
    assert list(here.snapshot.ever_waited) == [Filters()]


def test_undo_stays_in_the_suite(here: Room) -> None:
    other = replace(SUITE, name="other")
    Import(other, outputs_of(WRITTEN), "").run(here.store, here.admin)
    here.say(here.anna, LATCH, "pass")
    posy = next(text.id for text in here.visits.snapshot("other").texts.values() if text.value == POSY)
    here.visits.judge(here.anna, "other", AnnotatorAnswer(posy, "fail"))
    undone = here.visits.undo(here.anna, NAME)
    assert undone
    assert undone.text_id == here.id(LATCH)
    assert here.visits.undo(here.anna, NAME) is None
