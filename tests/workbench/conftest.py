"""The server of the tests, on both databases or on one."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import pytest

from assay.workbench.db.database import Store
from tests.workbench.room import Room


@pytest.fixture
def room(store: Store) -> Room:
    return Room(store)


@pytest.fixture
def sqlite_store(sqlite_tables: Path, tmp_path: Path) -> Iterator[Store]:
    """A database where it does not matter which: what is written is tested elsewhere, on both."""
    made = Store.open(str(copy(sqlite_tables, tmp_path / "assay.db")))
    yield made
    made.close()


@pytest.fixture
def here(sqlite_store: Store) -> Room:
    """The same on SQLite only."""
    return Room(sqlite_store)
