"""Many rows at once, straight to the driver: SQLAlchemy's own way costs as much as the database itself."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import JSON, Connection, Table


def insert_rows(db: Connection, table: Table, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows that have a value for every column, in the order of the table."""
    names = table.c.keys()
    ready = _encoded(table, names, rows)
    if ready:
        marks = ", ".join([_mark(db)] * len(names))
        db.exec_driver_sql(f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})", ready)


def update_rows(db: Connection, table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Set the columns `names` of rows; each row ends with the id of the row to change."""
    ready = _encoded(table, names, rows)
    if ready:
        columns = ", ".join(f"{name} = {_mark(db)}" for name in names)
        db.exec_driver_sql(f"UPDATE {table.name} SET {columns} WHERE id = {_mark(db)}", ready)


def _mark(db: Connection) -> str:
    return "?" if db.dialect.name == "sqlite" else "%s"


def _encoded(table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    places = [place for place, name in enumerate(names) if isinstance(table.c[name].type, JSON)]
    if not places:
        return [tuple(row) for row in rows]
    ready = []
    for row in rows:
        values = list(row)
        for place in places:
            values[place] = json.dumps(values[place], ensure_ascii=False)
        ready.append(tuple(values))
    return ready
