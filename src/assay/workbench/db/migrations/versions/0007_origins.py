"""How judgements came about: of many texts with one decision."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    # Those of before are by themselves.
    op.add_column("judgements", sa.Column("origin", sa.Text(), nullable=False, server_default=""))
