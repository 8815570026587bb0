"""The files that a suite came from, so that an export has the same."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "suite_files",
        sa.Column("suite_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("path", sa.String(length=500), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["suite_id"], ["suites.id"], name=op.f("fk_suite_files_suite_id")),
        sa.PrimaryKeyConstraint("suite_id", "path", name=op.f("pk_suite_files")),
    )
