"""The server of the tests, on both databases or on one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.workbench.db.database import Store
from tests.workbench.room import Room


@pytest.fixture
def room(store: Store) -> Room:
    return Room(store)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Room]:
    """The same on SQLite only, where the database does not matter."""
    store = Store.create(str(tmp_path / "assay.db"))
    yield Room(store)
    store.close()
