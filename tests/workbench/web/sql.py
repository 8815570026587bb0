"""How often a request asks the database.

with counted(store) as sql:
    client.get("/queue")
assert (sql.transactions, len(sql.statements)) == (1, 7)
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import event

from assay.workbench.db.database import Store


@dataclass
class Sql:
    """What was sent to the database; a `BEGIN` is a statement too."""

    transactions: int = 0
    statements: list[str] = field(default_factory=list)

    @property
    def writes(self) -> int:
        """Transactions that may write."""
        return self.statements.count("BEGIN IMMEDIATE")


@contextmanager
def counted(store: Store) -> Iterator[Sql]:
    """Count what happens in here. For SQLite."""
    found = Sql()

    def begin(db: Any) -> None:
        found.transactions += 1

    def execute(db: Any, cursor: Any, statement: str, *_: Any) -> None:
        found.statements.append(statement)

    event.listen(store.engine, "begin", begin)
    event.listen(store.engine, "before_cursor_execute", execute)
    try:
        yield found
    finally:
        event.remove(store.engine, "begin", begin)
        event.remove(store.engine, "before_cursor_execute", execute)
