"""Bringing a database up to date. Each step and its record are one transaction: it is made whole or not at all."""

import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, Protocol

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

from assay.errors import BadDatabase


class Database(Protocol):
    """What a migration needs of a `Store`, which is opened through this module."""

    @property
    def name(self) -> str: ...
    @property
    def is_sqlite(self) -> bool: ...
    def reading(self) -> AbstractContextManager[Connection]: ...
    def writing(self) -> AbstractContextManager[Connection]: ...


SCRIPTS: Final = Path(__file__).parent / "migrations"


def check(store: Database) -> None:
    """Refuse a database that is not ours, or of another version."""
    current = _current(store)
    if current is None:
        raise BadDatabase(store.name, "the database is empty", "fill it with: assay init")
    if current != head():
        raise BadDatabase(store.name, "the database is of an older version", "bring it up to date with: assay init")


def fill(store: Database) -> None:
    """Make the tables where there are none; otherwise refuse as `check` does."""
    if _current(store) is None:
        upgrade(store)
    else:
        check(store)


def upgrade(store: Database) -> None:
    """Make the tables, or change them to those of today. A SQLite file is copied first."""
    current = _current(store)
    if current == head():
        return
    if current is not None and store.is_sqlite:
        _back_up(Path(store.name), current)
    config = _config()
    try:
        with store.writing() as db:
            config.attributes["connection"] = db
            command.upgrade(config, "head")
    except DBAPIError as error:
        reason = str(error.orig).splitlines()[0]
        raise BadDatabase(
            store.name, f"the database could not be brought up to date ({reason}); it is as before", "report this"
        ) from error


def head() -> str:
    """The newest version that this Assay knows."""
    return str(ScriptDirectory.from_config(_config()).get_current_head())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    return config


def _current(store: Database) -> str | None:
    """The version of the database; None where there are no tables at all."""
    with store.reading() as db:
        found = tables(db)
        if not found:
            return None
        current = MigrationContext.configure(db).get_current_revision() if "alembic_version" in found else None
    if current is None or not {"suites", "judgements"} <= found:
        raise BadDatabase(store.name, "this database was not made by Assay", "name another with --db")
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if current not in known:
        raise BadDatabase(store.name, "the database was made by a newer Assay", "update Assay: pip install -U assay-mt")
    return current


def _back_up(path: Path, current: str) -> None:
    copy = sqlite3.connect(path.with_name(f"{path.name}.before-{current}"))
    original = sqlite3.connect(path)
    with copy, original:
        original.backup(copy)
    copy.close()
    original.close()


def tables(db: Connection) -> set[str]:
    """Names of the tables that are there."""
    return set(inspect(db).get_table_names())
