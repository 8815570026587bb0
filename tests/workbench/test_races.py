"""Several people at the same moment, each in a thread of their own, on both databases."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest

from assay.errors import Overtaken
from assay.suites import Polarity, Rule
from assay.workbench import visit
from assay.workbench.db.judgements import suite_events
from assay.workbench.items.rule_edits import RuleEdit
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import AnnotatorAnswer, JudgementOutcome
from assay.workbench.state import READERS
from tests.workbench.little import NAME, SCHLOSS
from tests.workbench.room import LATCH, POSY, Room
from tests.workbench.visits import Visits

T = TypeVar("T")


def at_once(deeds: Sequence[Callable[[], T]]) -> list[T]:
    """Do all of it, beginning at the same moment."""
    ready = Barrier(len(deeds))

    def begin(deed: Callable[[], T]) -> T:
        ready.wait(30)
        return deed()

    with ThreadPoolExecutor(len(deeds)) as threads:
        return list(threads.map(begin, deeds))


def test_two_judgements_of_one_text_are_both_kept_and_the_later_one_is_told(room: Room) -> None:
    text, servers = room.id(LATCH), [room.visits, Visits(room.store)]
    said: list[tuple[Visits, User, Polarity]] = [(servers[0], room.anna, "pass"), (servers[1], room.ben, "fail")]

    def judge(visits: Visits, user: User, verdict: Polarity) -> Callable[[], JudgementOutcome]:
        return lambda: visits.judge(user, NAME, AnnotatorAnswer(text, verdict))

    outcomes = at_once([judge(*one) for one in said])
    first, second = sorted(outcomes, key=lambda outcome: outcome.event.id)
    assert first.meanwhile == ()
    assert [event.by for event in second.meanwhile] == [first.event.by]
    with room.store.reading() as db:
        assert [event.by for event in suite_events(db, 1)] == [first.event.by, second.event.by]
    for visits in servers:
        settlement = visits.snapshot(NAME).text(text).settlement
        assert settlement
        assert (settlement.disputed, set(settlement.votes)) == (True, {"Anna", "Ben"})


def test_the_same_person_in_two_windows_has_one_vote(room: Room) -> None:
    text = room.id(POSY)
    at_once([lambda: room.visits.judge(room.anna, NAME, AnnotatorAnswer(text, "pass")) for _ in range(3)])
    settlement = room.snapshot.text(text).settlement
    assert settlement
    assert (settlement.verdict, settlement.disputed, list(settlement.votes)) == ("pass", False, ["Anna"])
    with room.store.reading() as db:
        assert len(suite_events(db, 1)) == 3


def test_one_undo_takes_back_one_thing(room: Room) -> None:
    """Two windows ask for it at once: the last judgement is taken back, and then the one before."""
    for text in (LATCH, POSY):
        room.say(room.anna, text, "pass")
    undone = at_once([lambda: room.visits.undo(room.anna, NAME) for _ in range(3)])
    assert sorted(event.text_id for event in undone if event) == sorted([room.id(LATCH), room.id(POSY)])
    assert undone.count(None) == 1


def test_of_two_edits_one_is_saved_and_the_other_is_told(room: Room) -> None:
    base = room.snapshot.version_ids[room.snapshot.place(SCHLOSS)]

    def save(user: User, word: str) -> Callable[[], str]:
        def attempt() -> str:
            edit = RuleEdit(SCHLOSS, (Rule("pass", "contains", word),), base)
            try:
                return room.visits.save_rules(user, NAME, edit)[0].by
            except Overtaken as told:
                return str(told)

        return attempt

    answers = at_once([save(room.anna, "latch"), save(room.ben, "key")])
    (winner,) = {"Anna", "Ben"} & set(answers)
    assert f"{winner} changed {SCHLOSS} while you were editing it" in answers
    assert len(room.visits.versions(NAME, SCHLOSS)) == 2


def test_who_has_waited_for_other_readers_reads_all_the_same(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some read for seconds; nobody waits for them as long."""
    monkeypatch.setattr(visit, "PATIENCE", 0)
    readers = room.visits.state.readers
    for _ in range(READERS):
        assert readers.acquire(blocking=False)
    assert room.next(room.anna)
    assert not readers.acquire(blocking=False), "a place that nobody had is not given back"
    readers.release()
    assert room.next(room.ben)
    assert readers.acquire(blocking=False), "one that somebody had is"


def test_what_two_people_see_at_once_is_kept_of_both(room: Room) -> None:
    texts = list(room.snapshot.texts)
    at_once([lambda who=who: room.visits.reveal(who, texts, "systems") for who in (room.anna, room.ben, room.anna)])  # type: ignore[misc]
    for who in (room.anna, room.ben):
        assert all(room.visits.revealed(who, text) == ("systems",) for text in texts)
