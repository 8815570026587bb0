"""A snapshot never changes; the next one shares with it what is still so."""

from dataclasses import replace

import pytest

from assay.errors import BadOption
from assay.outputs import System
from assay.suites import Rule
from assay.workbench.files.importer import Import
from assay.workbench.items.rule_edits import RuleEdit
from assay.workbench.queue.judgements import AnnotatorAnswer, judge
from assay.workbench.reader import Change
from assay.workbench.results.results import ResultOptions, evaluate_snapshot
from assay.workbench.snapshot import Snapshot
from tests.workbench.little import NAME, SCHLOSS, SUITE, WRITTEN, A, outputs_of
from tests.workbench.room import LATCH, POSY, Room
from tests.workbench.visits import Visits


def state_of(snapshot: Snapshot) -> object:
    """What somebody sees who reads it."""
    return (
        {text.value: (str(text.finding.verdict), text.settlement) for text in snapshot.texts.values()},
        snapshot.tasks,
        snapshot.undisputed,
        snapshot.voted,
        snapshot.votes_of,
        snapshot.late,
        {key: number for key, number in snapshot.judged_of_category.items() if number},
        snapshot.suite,
        snapshot.suite.hash,
        [item.rules for item in snapshot.items],
        evaluate_snapshot(snapshot, ResultOptions()).items_counted,
    )


def test_whoever_holds_one_goes_on_reading_it(here: Room) -> None:
    held = here.snapshot
    before = state_of(held)
    here.say(here.anna, LATCH, "pass")
    rules = (*held.items[0].rules, Rule("pass", "contains", "posy"))
    here.visits.save_rules(here.anna, NAME, RuleEdit(SCHLOSS, rules, held.version_ids[0]))
    Import(SUITE, outputs_of({System("D", "WMT22"): WRITTEN[A]}), "more").run(here.store, here.admin)
    assert state_of(held) == before
    assert state_of(here.snapshot) != before


def test_without_a_change_it_is_the_same_one(here: Room) -> None:
    held = here.snapshot
    assert here.snapshot is held
    with here.store.reading() as db:
        assert held.next(db) is held


def test_what_a_judgement_does_not_touch_is_shared(here: Room) -> None:
    held = here.snapshot
    here.say(here.anna, LATCH, "pass")
    after = here.snapshot
    latch = here.id(LATCH)
    assert after is not held
    assert (after.change, after.outputs) == (held.change + 1, held.outputs)
    assert [key for key, text in after.texts.items() if text is not held.texts[key]] == [latch]


def test_the_next_one_is_what_reading_everything_gives(room: Room) -> None:
    room.snapshot.tasks  # noqa: B018  the queue is worked out, and then changed with every step
    for step in (
        lambda: room.say(room.anna, LATCH, "pass"),
        lambda: room.say(room.ben, LATCH, "fail"),
        lambda: room.say(room.ben, POSY, None),
        lambda: room.visits.adjudicate(room.ada, NAME, AnnotatorAnswer(room.id(LATCH), "fail")),
        lambda: room.visits.undo(room.ada, NAME),
        lambda: room.visits.withdraw(room.ben, NAME, room.id(LATCH)),
    ):
        step()
        with room.store.reading() as db:
            fresh = Snapshot.read(db, room.snapshot.stored.id)
        assert state_of(fresh) == state_of(room.snapshot) == state_of(Visits(room.store).snapshot(NAME))


def test_a_change_of_another_suite_leaves_everything_where_it_is(here: Room) -> None:
    Import(replace(SUITE, name="other"), outputs_of(WRITTEN), "").run(here.store, here.admin)
    held = here.snapshot
    evaluation = evaluate_snapshot(held, ResultOptions())
    text = next(iter(here.visits.snapshot("other").texts))
    here.visits.judge(here.anna, "other", AnnotatorAnswer(text, "fail"))
    after = here.snapshot
    assert (after.change, after.texts) == (held.change + 1, held.texts)
    assert evaluate_snapshot(after, ResultOptions()) is evaluation


def test_a_change_that_fails_is_nobodys_snapshot(here: Room) -> None:
    def fail(change: Change) -> None:
        judge(change, AnnotatorAnswer(here.id(LATCH), "pass"))
        assert change.snapshot.text(here.id(LATCH)).decided
        raise BadOption("no")

    held = here.snapshot
    with pytest.raises(BadOption):
        here.visits.change(here.anna, NAME, fail)
    assert here.snapshot is held
    here.say(here.anna, POSY, "pass")
    assert (here.verdict(LATCH), here.verdict(POSY)) == ("warning", "pass")
