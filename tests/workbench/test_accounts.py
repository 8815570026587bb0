"""Accounts: passwords, roles, and that there is always an admin."""

import pytest

from assay.errors import BadOption, NotAllowed, UnknownName
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user, find_user, session_user, start_session
from assay.workbench.people.accounts import add_account, change_account, change_own_password, people
from assay.workbench.people.credentials import local_user, log_in
from assay.workbench.people.roles import User

SECRET = "correct horse"


@pytest.fixture
def admin(store: Store) -> User:
    return add_account(store, local_user(store), name="eve", role="admin", password=SECRET)


def token(store: Store, user: User) -> str:
    with store.writing() as db:
        return start_session(db, user)


def is_alive(store: Store, session: str) -> bool:
    with store.reading() as db:
        return session_user(db, session) is not None


def test_a_new_account_can_log_in(store: Store, admin: User) -> None:
    add_account(store, admin, name="anna", role="annotator", password="battery staple")
    user = log_in(store, "anna", "battery staple")
    assert user is not None
    assert user.role == "annotator"
    assert log_in(store, "anna", "battery stable") is None


def test_the_first_account_is_an_admins(store: Store) -> None:
    with pytest.raises(BadOption, match="first account has to be an admin's"):
        add_account(store, local_user(store), name="anna", role="annotator", password=SECRET)


@pytest.mark.parametrize(
    ("name", "role", "password", "problem"),
    [
        ("", "viewer", SECRET, "no user name"),
        ("eve", "viewer", SECRET, "there is a user 'eve' already"),
        ("anna", "boss", SECRET, "no role 'boss'"),
        ("anna", "viewer", "short", "use at least 8"),
    ],
)
def test_accounts_that_are_none(store: Store, admin: User, name: str, role: str, password: str, problem: str) -> None:
    with pytest.raises(BadOption, match=problem):
        add_account(store, admin, name=name, role=role, password=password)


def test_a_changed_password_ends_all_sessions_and_starts_a_new_one(store: Store, admin: User) -> None:
    old = token(store, admin)
    new = change_own_password(store, admin, current=SECRET, new="tr0ub4dor&3", repeated="tr0ub4dor&3")
    assert (is_alive(store, old), is_alive(store, new)) == (False, True)
    assert log_in(store, "eve", SECRET) is None


@pytest.mark.parametrize(
    ("current", "new", "repeated", "problem"),
    [
        ("wrong", "long enough", "long enough", "current password is wrong"),
        (SECRET, "long enough", "long enouhg", "not the same both times"),
        (SECRET, "short", "short", "use at least 8"),
    ],
)
def test_passwords_that_are_not_changed(
    store: Store, admin: User, current: str, new: str, repeated: str, problem: str
) -> None:
    session = token(store, admin)
    with pytest.raises(BadOption, match=problem):
        change_own_password(store, admin, current=current, new=new, repeated=repeated)
    assert is_alive(store, session)
    assert log_in(store, "eve", SECRET)


def test_a_new_password_from_an_admin_ends_sessions_too(store: Store, admin: User) -> None:
    anna = add_account(store, admin, name="anna", role="annotator", password=SECRET)
    session = token(store, anna)
    change_account(store, admin, "anna", password="something else")
    assert not is_alive(store, session)
    assert log_in(store, "anna", "something else")


def test_who_is_kept_out_cannot_log_in_until_let_in(store: Store, admin: User) -> None:
    anna = add_account(store, admin, name="anna", role="annotator", password=SECRET)
    session = token(store, anna)
    change_account(store, admin, "anna", active=False)
    assert (is_alive(store, session), log_in(store, "anna", SECRET)) == (False, None)
    change_account(store, admin, "anna", active=True)
    assert log_in(store, "anna", SECRET)


def test_nobody_is_let_in_without_a_password(store: Store, admin: User) -> None:
    with store.writing() as db:
        add_user(db, "from a file", "annotator", active=False)
    with pytest.raises(BadOption, match="has no password"):
        change_account(store, admin, "from a file", active=True)


def test_the_last_admin_stays_admin_and_active(store: Store, admin: User) -> None:
    # The local user is an admin too, but cannot log in.
    with pytest.raises(BadOption, match="eve is the last admin who can log in"):
        change_account(store, admin, "eve", role="viewer")
    with pytest.raises(BadOption, match="eve is the last admin who can log in"):
        change_account(store, admin, "eve", active=False)
    add_account(store, admin, name="anna", role="admin", password=SECRET)
    assert change_account(store, admin, "eve", role="viewer").role == "viewer"


def test_without_accounts_the_local_admin_stays_one(store: Store) -> None:
    local = local_user(store)
    with pytest.raises(BadOption, match="is the last admin"):
        change_account(store, local, local.name, role="viewer")


def test_the_list_has_active_people_first_with_what_they_did(store: Store, admin: User) -> None:
    add_account(store, admin, name="Zoe", role="viewer", password=SECRET)
    add_account(store, admin, name="anna", role="viewer", password=SECRET)
    change_account(store, admin, "anna", active=False)
    token(store, admin)
    with store.reading() as db:
        everybody = people(db)
    found = [person for person in everybody if person.user.has_password]
    assert [person.user.name for person in found] == ["eve", "Zoe", "anna"]
    assert found[0].activity.last
    assert (found[1].activity.judgements, found[1].activity.last) == (0, "")


def test_only_admins_look_after_accounts(store: Store, admin: User) -> None:
    anna = add_account(store, admin, name="anna", role="adjudicator", password=SECRET)
    with pytest.raises(NotAllowed):
        add_account(store, anna, name="ben", role="viewer", password=SECRET)
    with pytest.raises(NotAllowed):
        change_account(store, anna, "anna", role="admin")
    with pytest.raises(NotAllowed):
        change_account(store, anna, "eve", password="something else")
    with pytest.raises(NotAllowed):
        change_account(store, anna, "eve", active=False)
    with store.reading() as db:
        assert find_user(db, "ben") is None


def test_nobody_of_that_name(store: Store, admin: User) -> None:
    with pytest.raises(UnknownName, match="did you mean eve"):
        change_account(store, admin, "eva", role="viewer")
