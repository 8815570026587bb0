"""What people have seen of texts."""

import pytest
from sqlalchemy import func, select

from assay.workbench.db import seen as module
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.db.schema import seen, texts
from assay.workbench.db.seen import all_seen, reveal, revealed, unseen
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
        reveal(db, anna, [1, 2], ["judgements"])
        reveal(db, anna, [2], ["systems"])
        reveal(db, anna, [2], ["systems"])
        assert [revealed(db, anna, text) for text in (1, 2, 3)] == [("judgements",), ("systems", "judgements"), ()]
        assert revealed(db, ben, 2) == ()
        assert sorted(all_seen(db, 1)) == [(1, "Anna", ("judgements",)), (2, "Anna", ("systems", "judgements"))]


def test_only_what_is_new_has_to_be_written(store: Store, people: tuple[User, User]) -> None:
    anna, ben = people
    with store.writing() as db:
        reveal(db, anna, [1], ["systems", "judgements"])
        reveal(db, anna, [2], ["systems"])
        assert unseen(db, anna, [3, 2, 1, 1], ["systems", "judgements"]) == [2, 3]
        assert unseen(db, anna, [1, 2], ["systems"]) == []
        assert unseen(db, ben, [1], ["systems"]) == [1]
        assert unseen(db, anna, [], ["systems"]) == []


def test_a_whole_suite_at_once(store: Store, people: tuple[User, User], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = people
    monkeypatch.setattr(module, "AT_ONCE", 2)
    with store.writing() as db:
        every = list(db.execute(select(texts.c.id)).scalars())
        reveal(db, anna, every, ["suggestion"])
        assert db.execute(select(func.count()).select_from(seen)).scalar_one() == len(every) == 9
        assert unseen(db, anna, every, ["suggestion"]) == []
        assert unseen(db, anna, every, ["systems"]) == every
