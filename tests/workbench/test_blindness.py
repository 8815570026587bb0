"""What somebody saw is kept with what they say; undo stays where it was asked for."""

from dataclasses import replace

from assay.workbench.annotating import Answer, Desk, Filters
from assay.workbench.importing import Import
from tests.workbench.little import (
    NAME,
    SUITE,
    WRITTEN,
    outputs_of,
)
from tests.workbench.room import LATCH, POSY, Room


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
        here.desk.undo(here.anna, NAME)
        again = Desk(here.store).judge(here.anna, NAME, Answer(here.id(LATCH), "fail"))
        assert again.event.seen == ("systems", "suggestion")


def test_undo_stays_in_the_suite(here: Room) -> None:
    other = replace(SUITE, name="other")
    Import(other, outputs_of(WRITTEN), "").run(here.store, here.admin)
    here.say(here.anna, LATCH, "pass")
    posy = next(text.id for text in here.desk.boards.get("other").texts.values() if text.value == POSY)
    here.desk.judge(here.anna, "other", Answer(posy, "fail"))
    undone = here.desk.undo(here.anna, NAME)
    assert undone
    assert undone.text_id == here.id(LATCH)
    assert here.desk.undo(here.anna, NAME) is None
