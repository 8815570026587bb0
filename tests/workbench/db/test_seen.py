"""What people have seen of texts."""

import pytest
from sqlalchemy import func, select

from assay.verdicts.judgements import Event
from assay.workbench.db import seen as module
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import record
from assay.workbench.db.people import add_user
from assay.workbench.db.schema import seen, texts
from assay.workbench.db.seen import TextState, all_seen, reveal, text_state, unseen
from assay.workbench.files.history_records import Seen
from assay.workbench.people.roles import User
from tests.workbench.little import fill


@pytest.fixture
def people(store: Store) -> tuple[User, User]:
    """Anna and Ben, before nine texts."""
    fill(store)
    with store.writing() as db:
        return add_user(db, "Anna", "annotator"), add_user(db, "Ben", "annotator")


def test_what_was_seen_is_added_up(store: Store, people: tuple[User, User]) -> None:
    anna, ben = people
    with store.writing() as db:
        reveal(db, anna, {1: ["judgements"], 2: ["judgements"]})
        reveal(db, anna, {2: ["systems"]})
        reveal(db, anna, {2: ["systems"]})
        seen = [text_state(db, anna, text).seen for text in (1, 2, 3)]
        assert seen == [("judgements",), ("systems", "judgements"), ()]
        assert text_state(db, ben, 2).seen == ()
        assert sorted(all_seen(db, 1)) == [(1, "Anna", ("judgements",)), (2, "Anna", ("systems", "judgements"))]


def test_only_what_is_new_has_to_be_written(store: Store, people: tuple[User, User]) -> None:
    anna, ben = people
    with store.writing() as db:
        reveal(db, anna, {1: ["systems", "judgements"], 2: ["systems"]})
        both: tuple[Seen, ...] = ("systems", "judgements")
        assert unseen(db, anna, {3: both, 2: both, 1: both}) == {2: ("judgements",), 3: both}
        assert unseen(db, anna, {1: ["systems"], 2: ["systems"]}) == {}
        assert unseen(db, ben, {1: ["systems"]}) == {1: ("systems",)}
        assert unseen(db, anna, {}) == {}


def test_what_happened_to_a_text_and_who_saw_it(store: Store, people: tuple[User, User]) -> None:
    anna, ben = people
    with store.writing() as db:
        assert text_state(db, anna, 1) == TextState([], ())
        judged = record(db, Event(0, 1, "", "judgement", "pass"), anna).event
        skipped = record(db, Event(0, 1, "", "skip"), ben).event
        reveal(db, ben, {1: ["judgements"]})
        assert text_state(db, ben, 1) == TextState([judged, skipped], ("judgements",))
        assert text_state(db, ben, 1).known == skipped.id
        # Whoever judged a text was told who wrote it, and the suggestion.
        assert text_state(db, anna, 1).seen == ("systems", "suggestion")


def test_a_whole_suite_at_once(store: Store, people: tuple[User, User], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = people
    monkeypatch.setattr(module, "AT_ONCE", 2)
    with store.writing() as db:
        every = list(db.execute(select(texts.c.id)).scalars())
        reveal(db, anna, dict.fromkeys(every, ("suggestion",)))
        assert db.execute(select(func.count()).select_from(seen)).scalar_one() == len(every) == 9
        assert unseen(db, anna, dict.fromkeys(every, ("suggestion",))) == {}
        assert list(unseen(db, anna, dict.fromkeys(every, ("systems",)))) == every
