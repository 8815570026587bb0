"""The first version of the tables."""

from alembic import op
from sqlalchemy import insert, text

from assay.store.schema import APPLICATION_ID, changes, metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"PRAGMA application_id = {APPLICATION_ID}"))
    metadata.create_all(connection)
    connection.execute(insert(changes).values(id=1, number=1))
