"""What annotators are asked beside the verdict."""

import pytest

from assay.errors import BadOption, NotAllowed
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.people.roles import User
from assay.workbench.queue.questions import ask, known_tags, read_tags, scale
from assay.workbench.snapshot import Snapshots
from tests.starter import SUITE


@pytest.fixture
def admin(store: Store) -> User:
    with store.writing() as db:
        user = add_user(db, "eve", "admin")
    Import(SUITE, None, "test").run(store, user)
    return user


def test_a_scale_and_own_tags_are_asked_from_then_on(store: Store, admin: User) -> None:
    snapshots = Snapshots(store)
    assert scale(snapshots.get(SUITE.name)) is None
    ask(store, admin, SUITE.name, acceptability="5", tags="register: too formal\n\nname: a name is wrong: twice\n")
    snapshot = snapshots.get(SUITE.name)
    assert scale(snapshot) == 5
    assert known_tags(snapshot)["register"] == "too formal"
    assert known_tags(snapshot)["name"] == "a name is wrong: twice"
    ask(store, admin, SUITE.name, acceptability="", tags="")
    snapshot = snapshots.get(SUITE.name)
    assert (scale(snapshot), "register" in known_tags(snapshot)) == (None, False)


@pytest.mark.parametrize("steps", ["1", "8", "five", "-3", "3.5", "²"])
def test_scales_that_are_none(store: Store, admin: User, steps: str) -> None:
    with pytest.raises(BadOption, match="the scale has 2 to 7 steps"):
        ask(store, admin, SUITE.name, acceptability=steps, tags="")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("register", "has no description"),
        ("register:", "has no description"),
        ("too formal: yes", "no name of a tag"),
        ("critical: mine", "every suite has the tag 'critical' already"),
        ("a: x\na: y", "'a' stands twice"),
        ("\n".join(f"t{number}: x" for number in range(31)), "31 tags are too many"),
    ],
)
def test_tags_that_are_none(text: str, problem: str) -> None:
    with pytest.raises(BadOption, match=problem):
        read_tags(text)


def test_only_admins_ask(store: Store, admin: User) -> None:
    with store.writing() as db:
        ben = add_user(db, "ben", "adjudicator")
    with pytest.raises(NotAllowed):
        ask(store, ben, SUITE.name, acceptability="5", tags="")
