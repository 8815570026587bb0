"""The queue: what comes next, for whom, and what a judgement does."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay.errors import BadOption, NotAllowed, UnknownName
from assay.outputs import System
from assay.suites import Rule
from assay.verdicts import Verdict
from assay.verdicts.queue import Task, queue
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import suite_events
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import, read
from assay.workbench.queue import leases
from assay.workbench.queue.filters import Filters
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.questions import ask
from assay.workbench.snapshot import Snapshot, Snapshots
from tests.starter import OUTPUTS, STARTER
from tests.workbench.little import NAME, SCHLOSS, SUITE, WRITTEN, A, B, C, admin_of, outputs_of, with_rules
from tests.workbench.room import LATCH, POSY, Room
from tests.workbench.starter import World, small_world
from tests.workbench.visits import Visits


def brief(snapshot: Snapshot) -> list[tuple[str, int | None, int, list[str]]]:
    """(item, texts left, systems, texts), equal ranks together: their order is nobody's business."""
    found: dict[tuple[str, int | None, int], list[str]] = {}
    for task in snapshot.tasks:
        key = (snapshot.items[task.place].id, task.left, task.systems)
        found.setdefault(key, []).append(snapshot.texts[task.text_id].value)
    return [(*key, sorted(texts)) for key, texts in found.items()]


def brief_tasks(tasks: Sequence[Task]) -> list[tuple[str, int | None, int, list[str]]]:
    found: dict[tuple[str, int | None, int], list[str]] = {}
    for task in tasks:
        found.setdefault((task.item.id, task.left, len(task.systems)), []).append(task.text)
    return [(*key, sorted(texts)) for key, texts in found.items()]


class TestOrder:
    def test_what_frees_an_item_comes_first(self, here: Room) -> None:
        assert here.queue(here.anna) == [LATCH, POSY, *(WRITTEN[system][2] for system in (A, B, C))]
        frees = [(task.frees, task.left) for task in here.snapshot.tasks]
        assert frees == [(1, 1), (1, 1), (0, 3), (0, 3), (0, 3)]

    def test_what_frees_most_comparisons_comes_first(self, here: Room) -> None:
        """The posy is also the only thing open in the second campaign."""
        written = {System("A", "WMT22"): ("The key is in the lock.", POSY, "")}
        Import(SUITE, outputs_of(written), "").run(here.store, here.admin)
        assert here.queue(here.anna)[:2] == [POSY, LATCH]
        assert here.snapshot.tasks[0].frees == 2

    def test_one_campaign_is_in_the_order_of_the_to_do_file(self, tmp_path: Path) -> None:
        store = Store.create(str(tmp_path / "assay.db"))
        read(STARTER, [str(path) for path in OUTPUTS]).run(store, admin_of(store))
        snapshot = Snapshots(store).get("assay-de-en")
        assert brief(snapshot) == brief_tasks(queue(snapshot.evaluate().table))
        assert len(snapshot.tasks) > 10
        store.close()

    def test_real_data_in_the_same_order(self, data: Path, tmp_path: Path) -> None:
        """WMT21, German to English: 1,000 texts and more."""
        files = sorted((data / "wmt21" / "system-outputs").glob("newstest2021.de-en.hyp.*.en"))
        source = next((data / "wmt21" / "sources").glob("*.de-en.src.de"))
        ready = read(
            str(data / "dfki/items.de-en.json"), [str(file) for file in files], source=str(source), campaign="WMT21"
        )
        store = Store.create(str(tmp_path / "assay.db"))
        snapshot = Snapshots(store).get(ready.run(store, admin_of(store)).suite)
        assert len(snapshot.tasks) > 1000
        assert brief(snapshot) == brief_tasks(queue(snapshot.evaluate().table))
        store.close()


class TestFilters:
    @pytest.mark.parametrize(
        ("filters", "number"),
        [
            (Filters(), 5),
            (Filters(category="Ambiguity"), 2),
            (Filters(phenomenon="Idiom"), 3),
            (Filters(system="C"), 3),
            (Filters(system="A", category="Ambiguity"), 0),
            (Filters(campaign="WMT21"), 5),
            (Filters(reason="no_match"), 5),
            (Filters(reason="contradiction"), 0),
        ],
    )
    def test_what_they_let_through(self, here: Room, filters: Filters, number: int) -> None:
        assert len(here.queue(here.anna, filters)) == number

    def test_counts_are_told(self, here: Room) -> None:
        offer = here.offer(here.anna, Filters(category="Ambiguity"))
        assert offer
        assert (offer.waiting, offer.in_all, offer.ever) == (2, 5, 2)
        here.say(here.anna, LATCH, "pass")
        offer = here.offer(here.anna, Filters(category="Ambiguity"))
        assert offer
        assert (offer.waiting, offer.in_all, offer.ever) == (1, 4, 2)

    @pytest.mark.parametrize(
        ("filters", "message"),
        [
            (Filters(category="Ambigity"), "no category 'Ambigity'; did you mean Ambiguity"),
            (Filters(phenomenon="x"), "no phenomenon 'x'; there are: Idiom, Words"),
            (Filters(system="Z"), "no system 'Z'; there are: A, B, C"),
            (Filters(campaign="WMT20"), "no campaign 'WMT20'; did you mean WMT21"),
            (Filters(reason="why"), "no reason 'why'; there are: contradiction, no_match, timeout"),
        ],
    )
    def test_names_that_nobody_has(self, here: Room, filters: Filters, message: str) -> None:
        with pytest.raises(UnknownName, match=message):
            here.next(here.anna, filters)

    def test_nothing_left(self, here: Room) -> None:
        assert here.offer(here.anna, Filters(reason="timeout")) is None


class TestLeases:
    def test_two_people_get_different_texts(self, here: Room) -> None:
        assert [here.next(here.anna), here.next(here.ben)] == [LATCH, POSY]

    def test_asking_again_gives_the_same(self, here: Room) -> None:
        assert [here.next(here.anna), here.next(here.anna)] == [LATCH, LATCH]

    def test_a_lease_ends_after_a_while(self, here: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        moment = 1000.0
        monkeypatch.setattr(leases, "monotonic", lambda: moment)
        assert here.next(here.anna) == LATCH
        moment += leases.LEASE_SECONDS - 1
        assert here.next(here.ben) == POSY
        moment += 2
        assert here.next(here.ben) == LATCH

    def test_whoever_moves_on_holds_nothing_back(self, here: Room) -> None:
        here.next(here.anna)
        here.next(here.anna, Filters(category="Idioms"))
        assert here.next(here.ben) == LATCH

    def test_a_judged_text_is_nobodys_any_more(self, here: Room) -> None:
        here.next(here.anna)
        here.say(here.anna, LATCH, "pass")
        here.visits.undo(here.anna)
        assert here.next(here.ben) == LATCH

    def test_where_all_are_taken_two_look_at_one(self, here: Room) -> None:
        only = Filters(category="Ambiguity")
        here.say(here.ada, POSY, "pass")
        assert here.next(here.anna, only) == LATCH
        assert here.next(here.ben, only) == LATCH


class TestJudging:
    def test_a_judgement_holds_for_every_system_that_wrote_the_text(self, room: Room) -> None:
        Import(SUITE, outputs_of({System("D", "WMT22"): (LATCH,)}), "").run(room.store, room.admin)
        outcome = room.say(room.anna, LATCH, "pass", comment="as good as a lock")
        assert room.snapshot.writers(outcome.text.place, outcome.text.id) == [C, System("D", "WMT22")]
        assert room.verdict(LATCH) == "pass"
        assert (outcome.event.by, outcome.event.comment, outcome.event.blind) == ("Anna", "as good as a lock", True)
        assert room.next(room.anna) == POSY

    def test_how_many_comparisons_it_freed(self, here: Room) -> None:
        assert here.say(here.anna, LATCH, "fail").freed == 1
        assert [here.say(here.anna, WRITTEN[system][2], "pass").freed for system in (A, B, C)] == [0, 0, 1]

    def test_accuracies_follow(self, room: Room) -> None:
        def counted() -> int:
            return room.snapshot.evaluate(campaigns=["WMT21"]).items_counted

        assert counted() == 0
        room.say(room.anna, LATCH, "fail")
        assert counted() == 1
        room.visits.undo(room.anna)
        assert counted() == 0

    def test_what_was_seen_is_kept(self, room: Room) -> None:
        outcome = room.say(room.anna, LATCH, "pass", seen=("systems",))
        assert (outcome.event.blind, outcome.event.seen) == (False, ("systems",))
        room.visits.reveal(room.anna, [room.id(POSY)], "suggestion")
        assert room.say(room.anna, POSY, "pass").event.seen == ("suggestion",)
        assert room.say(room.ben, POSY, "pass").event.blind

    def test_what_others_said_meanwhile_is_told(self, room: Room) -> None:
        offer = room.offer(room.anna)
        assert offer
        room.say(room.ben, LATCH, "fail", comment="no")
        outcome = room.say(room.anna, LATCH, "pass", known=offer.known)
        assert [(event.by, event.verdict) for event in outcome.meanwhile] == [("Ben", "fail")]
        assert outcome.text.settlement
        assert outcome.text.settlement.disputed

    def test_what_one_knew_before_is_not_told_again(self, room: Room) -> None:
        known = room.say(room.ben, LATCH, "fail").event.id
        assert room.say(room.anna, LATCH, "pass", known=known).meanwhile == ()

    def test_a_disputed_text_waits_for_an_adjudicator(self, room: Room) -> None:
        room.say(room.anna, LATCH, "pass")
        room.say(room.ben, LATCH, "fail")
        assert (room.verdict(LATCH), LATCH in room.queue(room.anna)) == ("warning", False)
        room.visits.adjudicate(room.ada, NAME, AnnotatorAnswer(room.id(LATCH), "fail"))
        assert room.verdict(LATCH) == "fail"

    def test_a_text_that_rules_decide_can_be_judged_too(self, room: Room) -> None:
        room.say(room.anna, WRITTEN[A][0], "fail", comment="the wrong lock")
        assert room.verdict(WRITTEN[A][0]) == "fail"


class TestWhatIsRefused:
    def test_a_missing_output(self, here: Room) -> None:
        Import(SUITE, outputs_of({System("D"): ("",)}), "").run(here.store, here.admin)
        with pytest.raises(BadOption, match="an output that is missing cannot be judged"):
            here.say(here.anna, "", "pass")

    def test_a_text_that_is_not_there(self, here: Room) -> None:
        with pytest.raises(UnknownName, match="no text '999'"):
            here.visits.judge(here.anna, NAME, AnnotatorAnswer(999, "pass"))

    def test_viewers(self, here: Room) -> None:
        with here.store.writing() as db:
            vera = add_user(db, "Vera", "viewer")
        for deed in (lambda: here.say(vera, LATCH, "pass"), lambda: here.visits.undo(vera)):
            with pytest.raises(NotAllowed, match="Vera is viewer; this needs the role annotator"):
                deed()

    def test_annotators_who_adjudicate(self, here: Room) -> None:
        with pytest.raises(NotAllowed, match="this needs the role adjudicator"):
            here.visits.adjudicate(here.anna, NAME, AnnotatorAnswer(here.id(LATCH), "pass"))

    def test_an_adjudication_without_a_verdict(self, here: Room) -> None:
        with pytest.raises(BadOption, match="an adjudication needs a verdict: pass or fail"):
            here.visits.adjudicate(here.ada, NAME, AnnotatorAnswer(here.id(LATCH), None))

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"comment": "x" * 5001}, "the comment has 5,001 characters; at most 5,000 are kept"),
            ({"comment": "a\0b"}, r"has U\+0000 in it, which a database cannot keep"),
            ({"tags": ("critcal",)}, "no tag 'critcal'; did you mean critical"),
            ({"acceptability": 3}, "acceptability is 3; it is not asked for in this suite"),
        ],
    )
    def test_answers_to_what_was_not_asked(self, room: Room, more: dict[str, object], message: str) -> None:
        with pytest.raises(BadOption, match=message):
            room.say(room.anna, LATCH, "pass", **more)
        with room.store.reading() as db:
            assert suite_events(db, 1) == []

    def test_grades_beyond_the_scale(self, here: Room) -> None:
        ask(here.store, here.admin, NAME, acceptability="5", tags="register: too formal")
        with pytest.raises(BadOption, match="acceptability is 6; it is from 1 to 5"):
            here.say(here.anna, LATCH, "pass", acceptability=6)
        outcome = here.say(here.anna, LATCH, "pass", acceptability=5, tags=("register", "critical"))
        assert (outcome.event.acceptability, outcome.event.tags) == (5, ("register", "critical"))


class TestSkipping:
    def test_a_skipped_text_comes_last(self, room: Room) -> None:
        room.say(room.anna, LATCH, None)
        assert room.next(room.anna) == POSY
        assert room.verdict(LATCH) == "warning"

    def test_others_get_it_first(self, room: Room) -> None:
        room.say(room.anna, LATCH, None)
        assert room.next(room.ben) == LATCH

    def test_what_is_left_is_what_was_skipped(self, here: Room) -> None:
        only = Filters(category="Ambiguity")
        here.say(here.anna, LATCH, None)
        here.say(here.anna, POSY, None)
        offer = here.offer(here.anna, only)
        assert offer
        assert (here.snapshot.texts[offer.task.text_id].value, offer.rest, offer.waiting) == (LATCH, "skipped", 2)
        here.say(here.anna, LATCH, None)
        assert here.next(here.anna, only) == POSY, "in the order in which they were skipped"

    def test_a_server_that_starts_again_remembers_skips(self, room: Room) -> None:
        room.say(room.anna, LATCH, None)
        room.visits = Visits(room.store)
        assert room.next(room.anna) == POSY

    def test_undoing_a_skip(self, room: Room) -> None:
        room.say(room.anna, LATCH, None)
        room.visits.undo(room.anna)
        assert room.next(room.anna) == LATCH


class TestUndo:
    def test_it_takes_back_what_one_did_last(self, room: Room) -> None:
        room.say(room.anna, LATCH, "pass")
        room.say(room.ben, POSY, "pass")
        undone = room.visits.undo(room.anna)
        assert undone
        assert (undone.text_id, undone.verdict) == (room.id(LATCH), "pass")
        assert (room.verdict(LATCH), room.verdict(POSY)) == ("warning", "pass")

    def test_again_and_again_until_nothing_is_left(self, room: Room) -> None:
        for value in (LATCH, POSY):
            room.say(room.anna, value, "pass")
        undone = [room.visits.undo(room.anna) for _ in range(3)]
        assert [event and event.text_id for event in undone] == [room.id(POSY), room.id(LATCH), None]
        assert room.queue(room.anna)[:2] == [LATCH, POSY]

    def test_a_changed_mind_goes_back_to_the_first_one(self, room: Room) -> None:
        room.say(room.anna, LATCH, "pass")
        room.say(room.anna, LATCH, "fail")
        room.visits.undo(room.anna)
        assert room.verdict(LATCH) == "pass"

    def test_one_judgement_can_be_withdrawn_whatever_came_after(self, room: Room) -> None:
        room.say(room.anna, LATCH, "pass")
        room.say(room.anna, POSY, "pass")
        assert room.visits.withdraw(room.anna, NAME, room.id(LATCH))
        assert (room.verdict(LATCH), room.verdict(POSY)) == ("warning", "pass")
        assert room.visits.withdraw(room.anna, NAME, room.id(LATCH)) is None


class TestSecondOpinions:
    AGAIN = Filters(again=True)

    def test_texts_that_others_judged(self, room: Room) -> None:
        room.say(room.anna, LATCH, "pass")
        assert room.queue(room.ben, self.AGAIN) == [LATCH]
        assert room.queue(room.anna, self.AGAIN) == []

    def test_not_those_that_are_decided_for_all(self, room: Room) -> None:
        room.say(room.anna, LATCH, "pass")
        room.visits.adjudicate(room.ada, NAME, AnnotatorAnswer(room.id(LATCH), "pass"))
        assert room.queue(room.ben, self.AGAIN) == []

    def test_judgements_from_files_too(self, room: Room) -> None:
        judged = Rule("fail", "exact", LATCH, by="Ben", on="2026-11-15")
        Import(with_rules(SUITE, SCHLOSS, judged), None, "").run(room.store, room.admin, force=True)
        assert room.queue(room.anna, self.AGAIN) == [LATCH]
        assert room.queue(room.ben, self.AGAIN) == []

    def test_in_the_order_of_the_suite_and_filtered(self, room: Room) -> None:
        for value in (WRITTEN[B][2], POSY, LATCH):
            room.say(room.anna, value, "pass")
        assert room.queue(room.ben, self.AGAIN) == [LATCH, POSY, WRITTEN[B][2]]
        assert room.queue(room.ben, replace(self.AGAIN, category="Idioms")) == [WRITTEN[B][2]]

    def test_one_who_agrees_and_one_who_does_not(self, room: Room) -> None:
        room.say(room.anna, LATCH, "pass")
        room.say(room.ben, LATCH, "pass")
        assert room.verdict(LATCH) == "pass"
        room.say(room.ada, LATCH, "fail")
        assert room.verdict(LATCH) == "warning"


def test_the_starter_suite_to_the_last_text(tmp_path: Path) -> None:
    """Judge whatever comes until nothing waits: every text once, and every item counts that all systems translated."""
    with small_world(tmp_path) as world:
        number = judge_all(world)
        assert number > 10
        table = world.snapshot.evaluate(campaigns=["2025"]).table
        left = {
            table.finding(int(row), int(column)).reason
            for row, column in np.argwhere(table.verdicts == Verdict.WARNING)
        }
        assert left <= {"missing"}
        assert world.snapshot.tasks == []


def judge_all(world: World) -> int:
    seen: set[int] = set()
    while offer := world.visits.next_text(world.anna, world.snapshot.stored.suite.name):
        assert offer.task.text_id not in seen
        assert offer.waiting == len(world.snapshot.tasks)
        seen.add(offer.task.text_id)
        world.judge(world.anna, offer.task.text_id, "pass" if offer.task.text_id % 3 else "fail")
    return len(seen)
