"""Rules of more kinds and for a part of the text, and items with the source of another."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    # Rules of before are about whole texts, and items of before have sources of their own.
    op.add_column("rules", sa.Column("scope", sa.Text(), nullable=False, server_default=""))
    op.add_column("versions", sa.Column("source_of", sa.Text(), nullable=False, server_default=""))
