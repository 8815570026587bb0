"""Judgements: only ever added, settled at once, and none is lost however many people judge at the same time."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pytest

from assay.suites import Polarity
from assay.verdicts.judgements import Event, EventKind, Settlement
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import (
    OwnWork,
    events_of,
    last_event,
    own_work,
    record,
    record_many,
    settlements,
    suite_events,
)
from assay.workbench.db.outputs import load_texts
from assay.workbench.db.people import add_user, find_user
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.snapshot import Snapshots
from tests.workbench.little import NAME, PFERDE, SCHLOSS, STRAUSS, A, C, contents, fill, text_id
from tests.workbench.visits import Visits


class Table:
    """People around a text: `anna("pass")` judges it, `undo(event)` takes an event back."""

    def __init__(self, store: Store) -> None:
        fill(store)
        self.store = store
        with store.writing() as db:
            self.people = {name: add_user(db, name, "adjudicator") for name in ("Anna", "Ben", "Ada")}
        self.text = text_id(Snapshots(store).get(NAME), SCHLOSS, C)

    def say(self, name: str, verdict: Polarity | None, kind: EventKind = "judgement", **more: object) -> Event:
        event = replace(Event(0, self.text, name, kind, verdict), **more)  # type: ignore[arg-type]
        with self.store.writing() as db:
            return record(db, event, self.people[name]).event

    def undo(self, event: Event) -> Event:
        return self.say(event.by, None, "undo", undoes=event.id)

    @property
    def settled(self) -> tuple[Polarity | None, bool]:
        """(verdict, whether it is disputed), which the text's row says too."""
        found = self.settlement
        with self.store.reading() as db:
            row = next(row for row in load_texts(db, 1) if row.id == self.text)
        codes: dict[Polarity | None, int | None] = {"pass": 1, "fail": 0, None: None}
        assert (row.settled, row.disputed) == (codes[found.verdict], found.disputed)
        return found.verdict, found.disputed

    @property
    def settlement(self) -> Settlement:
        with self.store.reading() as db:
            return settlements(db, [self.text])[self.text]


@pytest.fixture
def table(store: Store) -> Table:
    return Table(store)


class TestSettling:
    def test_one_judgement_settles_a_text(self, table: Table) -> None:
        table.say("Anna", "pass")
        assert table.settled == ("pass", False)

    def test_a_skip_does_not(self, table: Table) -> None:
        table.say("Anna", None, "skip")
        assert table.settled == (None, False)

    def test_two_that_agree(self, table: Table) -> None:
        table.say("Anna", "fail")
        table.say("Ben", "fail")
        assert table.settled == ("fail", False)

    def test_two_that_disagree(self, table: Table) -> None:
        table.say("Anna", "pass")
        table.say("Ben", "fail")
        assert table.settled == (None, True)
        assert [event.by for event in table.settlement.rules] == ["Anna", "Ben"]

    def test_the_last_word_of_a_person_holds(self, table: Table) -> None:
        table.say("Anna", "pass")
        table.say("Ben", "fail")
        table.say("Anna", "fail")
        assert table.settled == ("fail", False)

    def test_an_adjudication_outranks_all(self, table: Table) -> None:
        table.say("Anna", "fail")
        ruling = table.say("Ada", "pass", "adjudication")
        table.say("Ben", "fail")
        assert table.settled == ("pass", False)
        assert table.settlement.rules == (ruling,)

    def test_without_the_adjudication_the_judgements_hold_again(self, table: Table) -> None:
        table.say("Anna", "fail")
        table.say("Ben", "pass")
        table.undo(table.say("Ada", "pass", "adjudication"))
        assert table.settled == (None, True)

    def test_undoing_brings_back_what_the_person_said_before(self, table: Table) -> None:
        table.say("Anna", "pass")
        table.undo(table.say("Anna", "fail"))
        assert table.settled == ("pass", False)

    def test_undoing_the_only_judgement_leaves_nothing(self, table: Table) -> None:
        table.undo(table.say("Anna", "pass"))
        assert table.settled == (None, False)


class TestEvents:
    def test_an_event_comes_back_as_it_was(self, table: Table) -> None:
        said = table.say(
            "Anna", "pass", comment="“gut”, don’t", acceptability=4, tags=("critical",), blind=True, seen=("systems",)
        )
        assert (said.dated, len(said.created)) == (said.created[:10], len("2026-11-15T10:03:00.000000Z"))
        with table.store.reading() as db:
            assert events_of(db, table.text) == [said]

    def test_nothing_is_ever_changed_or_deleted(self, table: Table) -> None:
        first = table.say("Anna", "pass")
        before = contents(table.store)["judgements"]
        table.undo(first)
        table.say("Ben", "fail")
        assert contents(table.store)["judgements"][: len(before)] == before
        with table.store.reading() as db:
            assert [(event.by, event.kind) for event in suite_events(db, 1)] == [
                ("Anna", "judgement"),
                ("Anna", "undo"),
                ("Ben", "judgement"),
            ]

    def test_many_at_once_settle_as_one_by_one(self, table: Table) -> None:
        anna, ben = table.people["Anna"], table.people["Ben"]
        given = [
            (Event(0, table.text, "Anna", "import", "pass", "why", dated="2020-01-31"), anna.id),
            (Event(0, table.text, "Ben", "import", "fail", dated="2020-02-01"), ben.id),
        ]
        with table.store.writing() as db:
            record_many(db, given)
        assert table.settled == (None, True)
        with table.store.reading() as db:
            assert [(event.by, event.dated, event.comment) for event in events_of(db, table.text)] == [
                ("Anna", "2020-01-31", "why"),
                ("Ben", "2020-02-01", ""),
            ]

    def test_what_a_person_can_take_back(self, table: Table) -> None:
        def last() -> Event | None:
            with table.store.reading() as db:
                return last_event(db, table.people["Anna"])

        assert last() is None
        first, second = table.say("Anna", "pass"), table.say("Anna", None, "skip")
        table.say("Ben", "fail")
        assert last() == second
        table.undo(second)
        assert last() == first
        table.undo(first)
        assert last() is None

    def test_what_came_from_a_file_cannot_be_taken_back(self, table: Table) -> None:
        table.say("Anna", "pass", "import")
        with table.store.reading() as db:
            assert last_event(db, table.people["Anna"]) is None

    def test_skipped_texts(self, table: Table) -> None:
        skip = table.say("Anna", None, "skip")
        with table.store.reading() as db:
            assert own_work(db, 1, table.people["Anna"], 5).skipped == {table.text: skip.id}
            assert own_work(db, 1, table.people["Ben"], 5).skipped == {}
        table.undo(skip)
        with table.store.reading() as db:
            assert own_work(db, 1, table.people["Anna"], 5).skipped == {}

    def test_the_last_deeds_of_a_person_in_their_order(self, table: Table) -> None:
        said = [table.say("Anna", verdict) for verdict in ("pass", "fail", "pass")]
        table.say("Ben", "fail")
        with table.store.reading() as db:
            recent = own_work(db, 1, table.people["Anna"], 2).recent
            assert [(event.id, event.verdict, event.created) for event in recent] == [
                (event.id, event.verdict, event.created) for event in said[1:]
            ]

    def test_skips_of_long_ago_are_still_known(self, table: Table) -> None:
        skip = table.say("Anna", None, "skip")
        said = [table.say("Anna", verdict) for verdict in ("pass", "fail", "pass")]
        with table.store.reading() as db:
            work = own_work(db, 1, table.people["Anna"], 2)
        assert work.skipped == {table.text: skip.id}
        assert [event.id for event in work.recent] == [event.id for event in said[1:]]

    def test_what_is_known_and_what_is_new_is_the_same_as_all_of_it(self, table: Table) -> None:
        known = OwnWork()
        deeds: list[tuple[Polarity | None, EventKind]] = [
            ("pass", "judgement"),
            (None, "skip"),
            (None, "skip"),
            ("fail", "judgement"),
            ("pass", "judgement"),
        ]
        skips = []
        for verdict, kind in deeds:
            said = table.say("Anna", verdict, kind)
            skips += [said] if kind == "skip" else []
            with table.store.reading() as db:
                known = own_work(db, 1, table.people["Anna"], 2, known)
                assert known == own_work(db, 1, table.people["Anna"], 2)
        for skip in reversed(skips):  # the earlier one holds again once the later is taken back
            table.undo(skip)
            with table.store.reading() as db:
                known = own_work(db, 1, table.people["Anna"], 2, known)
                assert known == own_work(db, 1, table.people["Anna"], 2)
        assert known.skipped == {}


# At once

TIMES = 15


def judge_many(address: str, name: str, texts: Sequence[int]) -> list[int]:
    """What one annotator's process does: judge all texts, over and over. Returns the ids of what was recorded."""
    store = Store.open(address)
    with store.reading() as db:
        user = find_user(db, name)
    assert user
    visits, verdicts = Visits(store), ("pass", "fail")
    done = [
        visits.judge(user, NAME, AnnotatorAnswer(text, verdicts[turn % 2], f"{name} {turn}")).event.id  # type: ignore[arg-type]
        for turn in range(TIMES)
        for text in texts
    ]
    store.close()
    return done


def everything_is_there(table: Table, confirmed: Sequence[list[int]]) -> None:
    """Every confirmed judgement is kept, once, and texts are settled as their last events say."""
    with table.store.reading() as db:
        events = suite_events(db, 1)
    numbers = [number for done in confirmed for number in done]
    assert sorted(numbers) == [event.id for event in events]
    assert len({event.comment + str(event.text_id) for event in events}) == len(numbers)
    assert table.settled == ("pass", False)


def texts_of(table: Table) -> list[int]:
    snapshot = Snapshots(table.store).get(NAME)
    return [table.text, text_id(snapshot, STRAUSS, C), text_id(snapshot, PFERDE, A)]


def test_two_processes_judging_the_same_texts(table: Table, address: str) -> None:
    texts = texts_of(table)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        running = [pool.submit(judge_many, address, name, texts) for name in ("Anna", "Ben")]
        everything_is_there(table, [done.result() for done in running])


def test_threads_judging_the_same_texts_at_one_desk(table: Table) -> None:
    texts, visits = texts_of(table), Visits(table.store)
    work: Callable[[User], list[int]] = lambda user: [  # noqa: E731
        visits.judge(
            user, NAME, AnnotatorAnswer(text, "pass" if turn % 2 == 0 else "fail", f"{user.name} {turn}")
        ).event.id
        for turn in range(TIMES)
        for text in texts
    ]
    with ThreadPoolExecutor(3) as pool:
        everything_is_there(table, list(pool.map(work, table.people.values())))
