"""Groups, labels and rubrics of items."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0006"


def upgrade() -> None:
    # Items of before have none, and are independent.
    for name in ("group_name", "renderings", "rubric"):
        op.add_column("versions", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("versions", sa.Column("independent", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("versions", sa.Column("labels", sa.JSON(), nullable=False, server_default="[]"))
