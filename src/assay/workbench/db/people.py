"""Users and their sessions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, insert, select, update

from assay.errors import BadOption, UnknownName
from assay.workbench.db.clock import now
from assay.workbench.db.database import lock
from assay.workbench.db.schema import judgements, revisions, sessions, users
from assay.workbench.files.history_records import PastPerson
from assay.workbench.people.roles import ROLES, Role, User

SESSION_DAYS: Final = 30


def _user(row: Row[Any]) -> User:
    return User(row.id, row.name, row.role, row.active, row.password is not None, row.settings, row.created)


def find_user(db: Connection, name: str) -> User | None:
    row = db.execute(select(users).where(users.c.name == name)).first()
    return _user(row) if row else None


def get_user(db: Connection, name: str) -> User:
    user = find_user(db, name)
    if user is None:
        raise UnknownName("user", name, (known.name for known in list_users(db)))
    return user


def settings_of(db: Connection, user: User) -> Mapping[str, object]:
    """What a user has set, read afresh."""
    found: Mapping[str, object] = db.execute(select(users.c.settings).where(users.c.id == user.id)).scalar_one()
    return found


def list_users(db: Connection) -> list[User]:
    return [_user(row) for row in db.execute(select(users).order_by(users.c.name))]


def password_of(db: Connection, name: str) -> str | None:
    """The hash of an active user's password."""
    return db.execute(select(users.c.password).where(users.c.name == name, users.c.active)).scalar()


def add_user(db: Connection, name: str, role: Role, password: str | None = None, *, active: bool = True) -> User:
    """A new user; `password` is its hash."""
    if not name.strip() or name != name.strip() or len(name) > 200:
        raise BadOption(f"{name!r} is no user name; it has 1 to 200 characters and no blanks around it")
    if role not in ROLES:
        raise UnknownName("role", role, ROLES)
    if find_user(db, name):
        raise BadOption(f"there is a user {name!r} already")
    db.execute(insert(users).values(name=name, role=role, password=password, active=active, settings={}, created=now()))
    return get_user(db, name)


def ensure_annotator(db: Connection, name: str) -> User:
    """The user of this name; somebody who is only named in a file becomes one that cannot log in."""
    return find_user(db, name) or add_user(db, name, "annotator", active=False)


def ensure_person(db: Connection, person: PastPerson) -> User:
    """The user of this name, made like somebody of another database where there is none; nobody can log in as them.

    An account that is there stays as it is, but is as old as the older of the two.
    """
    known = find_user(db, person.name)
    if known is None:
        add_user(db, person.name, person.role, active=person.active)
        values: dict[str, object] = {"settings": dict(person.settings), "created": person.created}
    else:
        values = {"created": min(known.created, person.created)}
        if not known.settings:
            values["settings"] = dict(person.settings)
    db.execute(update(users).where(users.c.name == person.name).values(**values))
    return get_user(db, person.name)


def change_user(db: Connection, name: str, **values: object) -> User:
    """Set role, password (its hash), active or settings. The last admin stays one."""
    user = get_user(db, name)
    if values.get("role", user.role) not in ROLES:
        raise UnknownName("role", str(values["role"]), ROLES)
    if user.may("admin") and (values.get("role", "admin") != "admin" or not values.get("active", True)):
        _need_another_admin(db, user)
    db.execute(update(users).where(users.c.id == user.id).values(**values))
    if "password" in values or values.get("active") is False:
        db.execute(delete(sessions).where(sessions.c.user_id == user.id))
    return get_user(db, name)


def _need_another_admin(db: Connection, user: User) -> None:
    """Somebody else has to be able to look after the accounts; where this user can log in, so must they."""
    lock(db)
    query = select(func.count()).where(users.c.role == "admin", users.c.active, users.c.id != user.id)
    if user.has_password:
        query = query.where(users.c.password.is_not(None))
    if not db.execute(query).scalar_one():
        raise BadOption(f"{user.name} is the last admin{' who can log in' * user.has_password}; make another one first")


def set_hash(db: Connection, user: User, password: str) -> None:
    """Another hash of the same password; sessions go on."""
    db.execute(update(users).where(users.c.id == user.id).values(password=password))


def count_accounts(db: Connection) -> int:
    """How many can log in."""
    query = select(func.count()).select_from(users).where(users.c.password.is_not(None), users.c.active)
    return int(db.execute(query).scalar_one())


@dataclass(frozen=True, slots=True)
class Activity:
    """How much a user judged, and when they last did or saw something."""

    judgements: int = 0
    last: str = ""


def activity(db: Connection) -> dict[int, Activity]:
    """User id -> what they did; users who did nothing are left out."""
    judged = judgements.c.kind.in_(("judgement", "adjudication"))
    counts = select(judgements.c.user_id, func.count()).where(judged).group_by(judgements.c.user_id)
    numbers: dict[int, int] = dict(db.execute(counts).all())
    last: dict[int, str] = {}
    for table in (judgements, revisions, sessions):
        query = select(table.c.user_id, func.max(table.c.created)).group_by(table.c.user_id)
        if table is judgements:
            query = query.where(judgements.c.kind != "import")
        for user_id, moment in db.execute(query):
            last[user_id] = max(moment, last.get(user_id, ""))
    return {user_id: Activity(numbers.get(user_id, 0), last.get(user_id, "")) for user_id in numbers.keys() | last}


def start_session(db: Connection, user: User) -> str:
    """A new session's token. The database keeps only its hash."""
    token = token_urlsafe(32)
    until = (datetime.now(UTC) + timedelta(days=SESSION_DAYS)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    db.execute(delete(sessions).where(sessions.c.expires < now()))
    db.execute(insert(sessions).values(token=_hash(token), user_id=user.id, created=now(), expires=until))
    return token


def session_user(db: Connection, token: str) -> User | None:
    """Whose session this is, if it has not ended."""
    row = db.execute(_session_user(), {"token": _hash(token), "now": now()}).first()
    return _user(row) if row else None


@cache
def _session_user() -> Select[Any]:
    """Made once, since every request asks."""
    valid = (sessions.c.token == bindparam("token")) & (sessions.c.expires > bindparam("now"))
    return select(users).join(sessions, sessions.c.user_id == users.c.id).where(valid, users.c.active)


def end_session(db: Connection, token: str) -> None:
    db.execute(delete(sessions).where(sessions.c.token == _hash(token)))


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
