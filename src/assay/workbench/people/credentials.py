"""Use cases around people: accounts, passwords, logging in."""

from collections.abc import Mapping
from functools import cache
from getpass import getuser
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from assay.errors import BadOption, MissingExtra
from assay.workbench.db.audit import record
from assay.workbench.db.database import Store
from assay.workbench.db.people import (
    add_user,
    change_user,
    count_accounts,
    find_user,
    password_of,
    set_hash,
    start_session,
)
from assay.workbench.people.roles import Role, User

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST_PASSWORD = 8

_at_once = BoundedSemaphore(2)
"""A check takes a core and 64 MB for a while; whoever guesses waits in line."""


def check_password(password: str) -> None:
    """Refuse what is too short."""
    if len(password) < SHORTEST_PASSWORD:
        raise BadOption(f"the password has {len(password)} characters; use at least {SHORTEST_PASSWORD}")


def hash_password(password: str) -> str:
    """Argon2id, with the library's parameters of today."""
    check_password(password)
    return str(_hasher().hash(password))


def open_session(store: Store, name: str, password: str) -> tuple[User, str] | None:
    """The user with this name and password, and the token of a new session. Whoever fails leaves a trace."""
    user = log_in(store, name, password)
    with store.writing() as db:
        if user is None:
            # What nobody is called may be a password in the wrong field: it is not written down.
            record(db, name if find_user(db, name) else "", "failed log-in")
            return None
        record(db, user.name, "log-in")
        return user, start_session(db, user)


def log_in(store: Store, name: str, password: str) -> User | None:
    """The user with this name and password. Takes as long for a name that nobody has."""
    with store.reading() as db:
        kept, user = password_of(db, name), find_user(db, name)
    with _at_once:
        matches = _verify(kept or _decoy(), password)
    if not matches or kept is None or user is None:
        return None
    if _hasher().check_needs_rehash(kept):
        with store.writing() as db:
            set_hash(db, user, str(_hasher().hash(password)))
    return user


def create_user(store: Store, name: str, role: Role, password: str | None, *, by: str) -> User:
    """A new account, made by somebody. The first one is an admin's: nobody else could look after the others."""
    hashed = hash_password(password) if password is not None else None
    with store.writing() as db:
        if hashed and role != "admin" and not count_accounts(db):
            raise BadOption("the first account has to be an admin's; nobody else could look after the accounts")
        made = add_user(db, name, role, hashed)
        record(db, by, "account", f"{made.name} made, {made.role}")
        return made


def local_name() -> str:
    """What the user of this machine is called."""
    try:
        return getuser()
    except (KeyError, OSError):
        return "local"


def local_user(store: Store) -> User:
    """The user of this machine, made where it is not there yet; without accounts an admin."""
    name = local_name()
    with store.writing() as db, store.fitting():
        found = find_user(db, name) or add_user(db, name, "admin")
        if not found.may("admin") and not count_accounts(db):
            found = change_user(db, name, role="admin", active=True)
    return found


def alter_user(
    store: Store,
    name: str,
    *,
    by: str,
    role: Role | None = None,
    password: str | None = None,
    active: bool | None = None,
) -> User:
    """Change what is given, all of it or nothing."""
    values = given_changes(role=role, password=password, active=active)
    with store.writing() as db:
        return write_changes(db, name, values, by=by)


def write_changes(db: Connection, name: str, values: Mapping[str, object], *, by: str) -> User:
    """Change an account inside of a transaction, and say so in the audit trail."""
    changed = change_user(db, name, **values)
    if "role" in values:
        record(db, by, "role", f"{changed.name} is {changed.role} now")
    if "password" in values:
        record(db, by, "password", f"{changed.name} has a new one; their sessions ended")
    if "active" in values:
        record(db, by, "access", f"{changed.name} {'may log in' if changed.active else 'is kept out'}")
    return changed


def given_changes(*, role: Role | None, password: str | None, active: bool | None) -> dict[str, object]:
    """What is to be changed of an account, a password as its hash."""
    given = {"role": role, "password": hash_password(password) if password is not None else None, "active": active}
    return {key: value for key, value in given.items() if value is not None}


@cache
def _hasher() -> "PasswordHasher":
    try:
        from argon2 import PasswordHasher
    except ImportError as error:
        raise MissingExtra("the workbench", "pip install 'assay-mt[workbench]'") from error
    return PasswordHasher()


@cache
def _decoy() -> str:
    return str(_hasher().hash("nobody's password"))


def _verify(hashed: str, password: str) -> bool:
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return bool(_hasher().verify(hashed, password))
    except (Argon2Error, InvalidHashError):
        return False
