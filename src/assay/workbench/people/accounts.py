"""Use cases around accounts: one's own password, and what an admin does for others.

add_account(store, admin, name="anna", role="annotator", password="…")
change_account(store, admin, "anna", role="adjudicator")
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from assay.errors import BadOption, UnknownName
from assay.workbench.db.audit import record
from assay.workbench.db.database import Store
from assay.workbench.db.people import Activity, activity, find_user, list_users, start_session
from assay.workbench.people.credentials import create_user, given_changes, hash_password, log_in, write_changes
from assay.workbench.people.roles import ROLES, Role, User


@dataclass(frozen=True, slots=True)
class Person:
    """A user and what they did."""

    user: User
    activity: Activity


def people(db: Connection) -> list[Person]:
    """Everybody, active accounts first."""
    done = activity(db)
    found = [Person(user, done.get(user.id, Activity())) for user in list_users(db)]
    return sorted(found, key=lambda person: (not person.user.active, person.user.name.casefold()))


def change_own_password(store: Store, user: User, *, current: str, new: str, repeated: str) -> str:
    """Give oneself a new password. All one's sessions end; returns the token of a new one."""
    if new != repeated:
        raise BadOption("the new password is not the same both times; nothing was changed")
    if user.has_password and log_in(store, user.name, current) is None:
        with store.writing() as db:
            record(db, user.name, "failed log-in", "the current password, to change it")
        raise BadOption("the current password is wrong; nothing was changed")
    hashed = hash_password(new)
    with store.writing() as db:
        return start_session(db, write_changes(db, user.name, {"password": hashed}, by=user.name))


def add_account(store: Store, admin: User, *, name: str, role: str, password: str) -> User:
    """A new account."""
    admin.need("admin")
    return create_user(store, name, _role(role), password, by=admin.name)


def change_account(
    store: Store,
    admin: User,
    name: str,
    *,
    role: str | None = None,
    password: str | None = None,
    active: bool | None = None,
) -> User:
    """Change what is given, all of it or nothing. Nobody without a password is let in; the last admin stays one."""
    admin.need("admin")
    values = given_changes(role=None if role is None else _role(role), password=password, active=active)
    with store.writing() as db:
        found = find_user(db, name)
        if active and password is None and found and not found.has_password:
            raise BadOption(f"{name} has no password; give them one first")
        return write_changes(db, name, values, by=admin.name)


def _role(name: str) -> Role:
    for role in ROLES:
        if role == name:
            return role
    raise UnknownName("role", name, ROLES)
