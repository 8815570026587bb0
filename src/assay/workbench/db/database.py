"""Opening a database: SQLite by default, PostgreSQL by URL.

    store = Store.open("assay.db")
    with store.writing() as db:
        ...

One transaction per `with`: everything in it is kept, or nothing. Readers see the database as it was when they began.
Writers take turns from the first statement on, so that nobody fails in the middle because another has written.
"""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from json import JSONDecodeError
from pathlib import Path
from threading import Lock, Semaphore
from time import monotonic
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, select, text, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    NoResultFound,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as NoConnectionLeft
from sqlalchemy.sql.dml import ReturningUpdate

from assay.errors import BadDatabase, BadOption, MissingExtra
from assay.workbench.db.schema import APPLICATION_ID, changes

BUSY_SECONDS: Final = 10
"""How long a writer waits for another one's transaction. A request that waits keeps a thread from others."""

NEXT: Final = 3
"""Writers who wait for the turn, or have it."""

POOL: Final = 20
RUSH: Final = 28
"""Connections that are kept open, and more at a rush: one for every thread of the server, and those of its door."""

CONNECT_SECONDS: Final = 10
"""How long to wait for a PostgreSQL server that does not answer."""

LOCK: Final = 0x4153_5341
"""Key of the advisory lock that lets one writer at a time into PostgreSQL."""

BUSY_STATES: Final = frozenset({"55P03", "40001", "40P01"})
"""What PostgreSQL says to a writer that others were in the way of: no lock in time, or a clash."""

BUSY: Final = "others are writing to it, try again in a moment"


class DatabaseBusy(BadDatabase):
    """Others were writing for too long; the same may succeed a little later."""


@dataclass(frozen=True)
class Store:
    """A database that is ours and up to date."""

    engine: Engine
    name: str
    _turn: Lock = field(default_factory=Lock, compare=False, repr=False)
    """Of the writers of this process. SQLite lets those who wait ask again and again, and prefers nobody: with many of
    them some would wait for seconds."""
    _line: Semaphore = field(default_factory=lambda: Semaphore(NEXT), compare=False, repr=False)
    """Where writers come in their order. Only the first few wait for the turn itself, which prefers nobody: with all of
    them some would wait long, with one it would be nobody's while that one wakes up."""

    @classmethod
    def open(cls, address: str) -> "Store":
        """An existing database; says what to do where there is none, or it is not one of ours, or not of today."""
        from assay.workbench.db.migrate import check

        return cls.connect(address)._after(check)

    @classmethod
    def create(cls, address: str) -> "Store":
        """A new database, or an existing one brought up to date."""
        from assay.workbench.db.migrate import upgrade

        return cls.connect(address, new=True)._after(upgrade)

    @classmethod
    def ready(cls, address: str) -> "Store":
        """An existing database; a file that is not there, or has nothing in it yet, becomes one."""
        from assay.workbench.db.migrate import fill

        return cls.open(address) if "://" in address else cls.connect(address, new=True)._after(fill)

    @classmethod
    def connect(cls, address: str, *, new: bool = False) -> "Store":
        """A connection to whatever is there, checked no further than that it answers."""
        url = _url(address)
        name = url.render_as_string(hide_password=True) if url.get_backend_name() != "sqlite" else str(url.database)
        if url.get_backend_name() == "sqlite":
            _check_file(Path(str(url.database)), new=new)
            engine = create_engine(
                url,
                connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
                pool_size=POOL,
                max_overflow=RUSH,
            )
            event.listen(engine, "connect", _configure)
            event.listen(engine, "begin", _begin)
        else:
            engine = _postgresql(url)
        event.listen(engine, "before_cursor_execute", _check_texts)
        try:
            with engine.connect() as db:
                db.execute(text("SELECT 1"))
        except DBAPIError as error:
            engine.dispose()
            raise BadDatabase(name, f"cannot be opened ({_reason(error)})", _cure(engine)) from None
        return cls(engine, name)

    def _after(self, step: Callable[["Store"], None]) -> "Store":
        """This store after a step, closed where the step fails."""
        try:
            step(self)
        except BaseException:
            self.close()
            raise
        return self

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A consistent view of the database."""
        with self._told(), self.engine.connect() as connection:
            db = connection if self.is_sqlite else connection.execution_options(isolation_level="REPEATABLE READ")
            with db.begin():
                yield db

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is kept whole, or not at all."""
        until = monotonic() + BUSY_SECONDS
        with (
            self._told(),
            self._taking(self._line, until),
            # The connection first: whoever has the turn keeps others from writing, and need not be asking the server
            # whether it is still there.
            self.engine.connect().execution_options(assay_writing=True) as db,
            self._taking(self._turn, until),
            db.begin(),
        ):
            lock(db)
            yield db

    @contextmanager
    def _taking(self, turn: "Lock | Semaphore", until: float) -> Iterator[None]:
        if not turn.acquire(timeout=max(0.0, until - monotonic())):
            raise DatabaseBusy(self.name, "nothing was changed", BUSY)
        try:
            yield
        finally:
            turn.release()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in a line what the database could not do: it is out of reach, full, damaged, or cannot keep a text."""
        try:
            yield
        except UnicodeEncodeError as error:
            raise _unkeepable(error.object, error.start) from None
        except (DataError, OverflowError) as error:
            raise BadOption(f"{self.name} cannot keep this ({_reason(error)}); nothing was changed") from error
        except (JSONDecodeError, NoResultFound, IntegrityError) as error:
            raise damaged(self.name, error) from error
        except NoConnectionLeft:
            raise DatabaseBusy(self.name, "all connections are in use", "try again in a moment") from None
        except DatabaseError as error:
            if not _is_trouble(error):
                raise
            if _is_busy(error):
                raise DatabaseBusy(self.name, f"{_reason(error)}; nothing was changed", BUSY) from error
            cure = "give this user the right to do it" if _is_forbidden(error) else _cure(self.engine)
            raise BadDatabase(self.name, f"{_reason(error)}; nothing was changed", cure) from error

    @contextmanager
    def fitting(self) -> Iterator[None]:
        """Say in a line that rows do not fit together, where whole suites are read and written.

        Evidence by a rule that the item does not have, a verdict that is none, an undo of what is not there: only Assay
        writes these tables, so whatever cannot be read there was damaged.
        """
        try:
            yield
        except UnicodeEncodeError:  # half a character of what is to be written
            raise
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise damaged(self.name, error) from error

    def close(self) -> None:
        self.engine.dispose()


def damaged(name: str, error: Exception) -> BadDatabase:
    """What is in the database cannot be what Assay wrote there."""
    what = f"{type(error).__name__}: {error}"
    return BadDatabase(name, f"damaged ({what}); nothing was changed", "go back to a copy that is whole")


def lock(db: Connection) -> None:
    """Only one transaction at a time gets past this, until it ends. SQLite has one writer anyway."""
    if db.dialect.name == "postgresql":
        # Both in one statement: functions of a list are called in its order.
        wait = text("SELECT set_config('lock_timeout', :wait, true), pg_advisory_xact_lock(:key)")
        db.execute(wait, {"key": LOCK, "wait": f"{BUSY_SECONDS}s"})


def next_change(db: Connection) -> int:
    """The number of this transaction's change. Numbers become visible in their order."""
    return int(db.execute(_next_change()).scalar_one())


@cache
def _next_change() -> ReturningUpdate[Any]:
    return update(changes).values(number=changes.c.number + 1).returning(changes.c.number)


def last_change(db: Connection) -> int:
    """The number of the last change that this transaction can see."""
    return int(db.execute(select(changes.c.number)).scalar_one())


def _url(address: str) -> URL:
    try:
        url = make_url(address) if "://" in address else URL.create("sqlite", database=address or ".")
        backend = url.get_backend_name()
    except (ArgumentError, ValueError):
        raise BadDatabase(address, "this is no database address", "use a file name or postgresql://…") from None
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite" or not url.database or url.database == ":memory:":
        raise BadDatabase(address, "this kind of database is not supported", "use a file name or postgresql://…")
    return url


def _postgresql(url: URL) -> Engine:
    waiting = {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_SECONDS}
    try:
        # The last one used first: it has its statements prepared, and at quiet times the others rest.
        return create_engine(
            url, pool_size=POOL, max_overflow=RUSH, pool_pre_ping=True, pool_use_lifo=True, connect_args=waiting
        )
    except ModuleNotFoundError as error:
        raise MissingExtra("PostgreSQL", "pip install 'psycopg[binary]'") from error


def _make_private(path: Path) -> None:
    """An empty file that its owner alone may read, for names and passwords. SQLite gives its log the same mode."""
    if path.parent.stat().st_mode & stat.S_IWOTH and not path.parent.stat().st_mode & stat.S_ISVTX:
        raise BadDatabase(
            str(path), "everybody may write to its folder, and could replace it", f"chmod o-w {path.parent}, or another"
        )
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise BadDatabase(str(path), f"cannot be made ({error.strerror})", "check name and permissions") from None


def _check_file(path: Path, *, new: bool) -> None:
    """Tell a missing or foreign file before SQLite makes or touches one."""
    try:
        with path.open("rb") as stream:
            head = stream.read(100)
    except IsADirectoryError:
        raise BadDatabase(str(path), "this is a folder", "name a file, like assay.db") from None
    except FileNotFoundError:
        if not new:
            raise BadDatabase(str(path), "there is no database", "make one with: assay init") from None
        if not path.parent.is_dir():
            raise BadDatabase(str(path), f"the folder {path.parent} does not exist", "make it first") from None
        _make_private(path)
        return
    except OSError as error:
        raise BadDatabase(str(path), f"cannot be read ({error.strerror})", "check name and permissions") from None
    if not head:
        if not new:
            raise BadDatabase(str(path), "the file is empty", "make a database with: assay init")
        return
    if head[:16] != b"SQLite format 3\0":
        raise BadDatabase(str(path), "this is not a database", "name another file with --db")
    if int.from_bytes(head[68:72]) != APPLICATION_ID and not _is_blank(path):
        raise BadDatabase(str(path), "this database was not made by Assay", "name another file with --db")


def _is_blank(path: Path) -> bool:
    """A file without tables; or one whose header is still in its write-ahead log."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
            return True
        return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError:
        return False
    finally:
        connection.close()


def _configure(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None  # SQLAlchemy's `begin` event starts transactions, see _begin
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    # In KB. The default, 2 MB for each connection, would be much of the server's memory; the system has a cache too.
    connection.execute("PRAGMA cache_size = -512")


def _begin(db: Connection) -> None:
    db.exec_driver_sql("BEGIN IMMEDIATE" if db.get_execution_options().get("assay_writing") else "BEGIN")


def _check_texts(db: Connection, cursor: Any, statement: str, given: Any, context: Any, many: bool) -> None:
    """Refuse what PostgreSQL cannot keep in SQLite as well: files go from one to the other."""
    for row in given if many else (given,):
        for value in row.values() if isinstance(row, dict) else row:
            if isinstance(value, str) and "\0" in value:
                raise _unkeepable(value, value.index("\0"))


def _unkeepable(value: str, place: int) -> BadOption:
    near = value[max(place - 30, 0) : place + 30]
    return BadOption(
        f"{near!a} has U+{ord(value[place]):04X} in it, which a database cannot keep; nothing was changed, take it out"
    )


def _is_trouble(error: DatabaseError) -> bool:
    """Whether the database is to blame, and not a statement of ours."""
    if getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        return False
    return isinstance(error, OperationalError) or type(error) is DatabaseError or _is_forbidden(error)


def _is_forbidden(error: DatabaseError) -> bool:
    """Whether PostgreSQL refuses this user a right."""
    return getattr(error.orig, "sqlstate", None) == "42501"


def _reason(error: Any) -> str:
    """The first line of what the driver says."""
    first = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
    return first.rstrip(".")


def _is_busy(error: DatabaseError) -> bool:
    """Whether others were in the way; both databases have waited before they say so."""
    # The lower byte: the others say which kind of busy it is.
    busy = (getattr(error.orig, "sqlite_errorcode", 0) & 0xFF) == sqlite3.SQLITE_BUSY
    return busy or getattr(error.orig, "sqlstate", None) in BUSY_STATES


def _cure(engine: Engine) -> str:
    if engine.dialect.name == "sqlite":
        return "check that it may be written, the disk has room and the file is whole"
    return "check the address, and that the server is running"
