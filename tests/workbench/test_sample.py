"""The sample: what is undecided in an order in which every beginning is a valid sample, and what becomes of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from assay.errors import BadOption, NotAllowed, UnknownName
from assay.outputs import System
from assay.suites import Rule
from assay.verdicts.draw import draw_file, new_draw, read_draw
from assay.workbench.db.database import Store
from assay.workbench.db.draws import all_draws
from assay.workbench.files.export import export, read_export
from assay.workbench.files.importer import Import
from assay.workbench.items.rule_edits import RuleEdit
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import User
from assay.workbench.queue.filters import Filters
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.queue_page import QueueSession
from assay.workbench.queue.sample import SampleState, draw_sample, new_texts, sample_of
from tests.workbench.little import NAME, PFERDE, SCHLOSS, SUITE, WRITTEN, admin_of, outputs_of, without
from tests.workbench.room import LATCH, POSY, Room
from tests.workbench.test_life_of_a_database import contents_of
from tests.workbench.visits import Visits

SAMPLE = Filters(sample=True)
HORSES = ("She is a great sport.", "One can steal horses with her.", "She is fun.")


def draw(room: Room, campaign: str | None = None) -> list[str]:
    """The texts of a new draw, in its order."""
    room.visits.change(room.admin, NAME, draw_sample, campaign)
    (stored, *_) = room.snapshot.written.draws
    return [text.text for text in stored.draw.texts]


def state(room: Room, campaign: str | None = None) -> SampleState:
    found = sample_of(room.snapshot, campaign)
    assert found
    return found


def counts(room: Room) -> tuple[int, int, int, int]:
    """How many are judged in order, skipped, judged ahead, and wait."""
    found = state(room)
    return found.judged, found.skipped, found.ahead, found.waiting


def sitting(room: Room, user: User) -> QueueSession:
    return QueueSession(room.visits.visit(user, NAME), SAMPLE)


def test_texts_come_in_the_order_of_the_draw(room: Room) -> None:
    assert room.next(room.anna, SAMPLE) is None
    order = draw(room)
    assert sorted(order) == sorted([LATCH, POSY, *HORSES])
    assert order == [text.text for text in new_draw(room.snapshot.written_texts(["WMT21"]), seed=1).texts]
    assert room.queue(room.anna, SAMPLE) == order
    for text in order:
        assert room.next(room.anna, SAMPLE) == text
        room.say(room.anna, text, "pass")
    assert room.next(room.anna, SAMPLE) is None
    assert counts(room) == (5, 0, 0, 0)


def test_people_beside_each_other_get_the_next_free_text(room: Room) -> None:
    order = draw(room)
    assert [room.next(user, SAMPLE) for user in (room.anna, room.ben, room.anna)] == [order[0], order[1], order[0]]
    room.say(room.ben, order[1], "pass")
    # Only the beginning counts, and the first text is still on Anna's screen.
    assert counts(room) == (0, 0, 1, 4)
    room.say(room.anna, order[0], "fail")
    assert counts(room) == (2, 0, 0, 3)


def test_a_text_that_somebody_skipped_and_nobody_judged_is_no_answer(room: Room) -> None:
    first, second, *_ = draw(room)
    room.say(room.anna, first, None)
    assert (room.next(room.anna, SAMPLE), room.next(room.ben, SAMPLE)) == (second, first)
    assert counts(room) == (0, 1, 0, 4)
    room.say(room.anna, second, "pass")
    assert counts(room) == (1, 1, 0, 3)
    # As the database has it, and not only this server.
    assert sample_of(Visits(room.store).snapshot(NAME)) == state(room)
    room.say(room.ben, first, "pass")
    assert counts(room) == (2, 0, 0, 3)
    room.visits.undo(room.ben)
    assert counts(room) == (1, 1, 0, 3)
    room.visits.undo(room.anna)
    room.visits.undo(room.anna)
    assert counts(room) == (0, 0, 0, 5)


def test_a_disputed_text_holds_back_what_comes_behind_until_it_is_decided(room: Room) -> None:
    first, second, *_ = draw(room)
    room.say(room.anna, first, "pass")
    room.say(room.ben, first, "fail")
    room.say(room.anna, second, "pass")
    assert (counts(room), state(room).disputed) == ((0, 0, 1, 4), 1)
    assert first not in room.queue(room.ada, SAMPLE)
    room.say(room.ben, second, None)
    room.visits.adjudicate(room.ada, NAME, AnnotatorAnswer(room.id(first), "pass"))
    assert (counts(room), state(room).disputed) == ((2, 0, 0, 3), 0)


def save_rules(room: Room, *rules: Rule) -> None:
    base = room.snapshot.version_ids[room.snapshot.place(SCHLOSS)]
    room.visits.save_rules(room.anna, NAME, RuleEdit(SCHLOSS, rules, base))


def test_a_text_that_a_rule_decides_leaves_the_sample(room: Room) -> None:
    order = draw(room)
    save_rules(room, *SUITE.item(SCHLOSS).rules[:1], Rule("pass", "contains", "latch"), *SUITE.item(SCHLOSS).rules[1:])
    assert room.queue(room.anna, SAMPLE) == [text for text in order if text != LATCH]
    assert (counts(room), new_texts(room.snapshot)) == ((0, 0, 0, 4), 0)


def test_a_text_that_no_rule_decides_any_more_needs_a_new_draw(here: Room) -> None:
    order = draw(here)
    save_rules(here, *SUITE.item(SCHLOSS).rules[:1])
    assert (here.queue(here.anna, SAMPLE), new_texts(here.snapshot)) == (order, 1)
    assert "The key is in the castle." in draw(here)


def test_new_outputs_need_a_new_draw_with_numbers_of_its_own(room: Room) -> None:
    order = draw(room)
    with pytest.raises(BadOption, match="has all undecided texts; go on with it"):
        draw(room)
    room.say(room.anna, order[0], "pass")
    texts = ("The key is in the hasp.", "She got flowers.", "She is fun.")
    Import(SUITE, outputs_of({System("D", "WMT22"): texts}), "more").run(room.store, room.admin)
    assert (new_texts(room.snapshot), new_texts(room.snapshot, "WMT21")) == (2, 0)
    assert room.queue(room.ben, SAMPLE) == order[1:]
    again = draw(room)
    assert sorted(again) == sorted([*order[1:], *texts[:2]])
    assert (state(room).seed, state(room).campaigns, new_texts(room.snapshot)) == (2, ("WMT21", "WMT22"), 0)
    # A campaign of it in the same order.
    assert room.queue(room.ben, Filters(campaign="WMT22", sample=True)) == [
        text for text in again if text in texts and text in room.queue(room.ben)
    ]


def test_one_campaign_alone(room: Room) -> None:
    Import(SUITE, outputs_of({System("D", "WMT22"): ("The key is in the hasp.",)}), "more").run(room.store, room.admin)
    assert draw(room, "WMT22") == ["The key is in the hasp."]
    assert new_texts(room.snapshot, "WMT21") == 5
    assert sample_of(room.snapshot, "WMT21") is None
    with pytest.raises(UnknownName, match="WMT29"):
        draw(room, "WMT29")


def test_who_may_draw_and_what_goes_with_a_sample(here: Room) -> None:
    with pytest.raises(NotAllowed, match="needs the role admin"):
        sitting(here, here.ada).draw()
    for others in (Filters(category="Ambiguity", sample=True), Filters(again=True, sample=True)):
        with pytest.raises(BadOption, match="no filter goes with it but a campaign"):
            here.queue(here.anna, others)
    for text in (LATCH, POSY, *HORSES):
        here.say(here.anna, text, "pass")
    with pytest.raises(BadOption, match="nothing to sample"):
        sitting(here, here.admin).draw()


def test_the_page_says_how_far_it_is_and_gives_nothing_away(here: Room) -> None:
    page = sitting(here, here.admin).open()
    assert (page.card, page.sample, page.new) == (None, None, 5)
    page = sitting(here, here.admin).draw()
    assert page.card
    (row,) = page.card.rows
    assert (row.systems, row.suggestion, row.seen, page.new) == (None, None, (), 0)
    assert page.sample
    assert page.offer
    assert (page.sample.by, page.sample.seed, page.sample.waiting, page.offer.waiting) == ("boss", 1, 5, 5)


def test_a_suite_without_outputs_has_nothing_to_sample(sqlite_store: Store) -> None:
    admin = admin_of(sqlite_store)
    Import(SUITE, None, "").run(sqlite_store, admin)
    session = QueueSession(Visits(sqlite_store).visit(admin, NAME), SAMPLE)
    page = session.open()
    assert (page.card, page.sample, page.new, page.systems) == (None, None, 0, 0)
    with pytest.raises(BadOption, match="nothing to sample"):
        session.draw()


def test_phenomena_left_for_later_come_in_their_turn(here: Room) -> None:
    order = draw(here)
    page = sitting(here, here.anna).leave_phenomenon(here.id(order[0]))
    assert page.card
    assert (page.card.text.value, page.later) == (order[0], ())


class TestFiles:
    @pytest.fixture
    def lived(self, room: Room) -> Room:
        """A draw with a judgement, a skip and an item that was removed, and one of another campaign."""
        Import(SUITE, outputs_of({System("D", "WMT22"): WRITTEN[System("C", "WMT21")]}), "").run(room.store, room.admin)
        draw(room, "WMT22")
        order = draw(room)
        room.say(room.anna, order[0], "pass")
        room.say(room.ben, order[1], None)
        Import(without(SUITE, PFERDE), None, "without horses").run(room.store, room.admin)
        return room

    @pytest.mark.parametrize("pseudonyms", [False, True])
    def test_out_and_in_again(self, lived: Room, tmp_path: Path, pseudonyms: bool) -> None:
        export(lived.store, NAME, tmp_path / "out", pseudonyms=pseudonyms)
        there = Store.create(str(tmp_path / "there.db"))
        read_export(tmp_path / "out").run(there, local_user(there))
        export(there, NAME, tmp_path / "again")
        assert contents_of(tmp_path / "again") == contents_of(tmp_path / "out")
        with lived.store.reading() as here, there.reading() as db:
            found, wanted = all_draws(db, 1), all_draws(here, 1)
        there.close()
        assert [replace(past, by="") for past in found] == [replace(past, by="") for past in wanted]
        assert {past.by for past in found} == {"annotator-3" if pseudonyms else "boss"}

    def test_the_suite_has_the_newest_draw_with_what_was_skipped(self, lived: Room, tmp_path: Path) -> None:
        export(lived.store, NAME, tmp_path / "out")
        (stored, *_) = lived.snapshot.written.draws
        found = read_draw(draw_file(tmp_path / "out" / "suite"))
        assert found == lived.snapshot.with_skips(stored)
        assert (found.name, len(found.texts)) == (stored.draw.name, 5)
