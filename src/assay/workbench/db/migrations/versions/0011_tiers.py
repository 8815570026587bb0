"""Tiers of items."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    # There was one tier before.
    op.add_column("versions", sa.Column("tier", sa.String(10), nullable=False, server_default="entry"))
