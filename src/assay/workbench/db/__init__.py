"""The workbench's database: schema, migrations, and all SQL. Every function takes a connection, so that the caller
decides what is one transaction."""

from assay.workbench.db.database import Store, last_change, lock, next_change

__all__ = ["Store", "last_change", "lock", "next_change"]
