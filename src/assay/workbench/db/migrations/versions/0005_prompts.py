"""What language models are told about items."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    for name in ("prompt", "context"):
        # Items of before have none.
        op.add_column("versions", sa.Column(name, sa.Text(), nullable=False, server_default=""))
