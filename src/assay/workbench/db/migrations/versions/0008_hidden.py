"""Systems and suites that are hidden, and who hid them."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    for table in ("suites", "systems"):
        # Nothing was hidden before.
        op.add_column(table, sa.Column("hidden", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "hidings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("suite_id", sa.Integer(), nullable=False),
        sa.Column("system_id", sa.Integer(), nullable=True),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["suite_id"], ["suites.id"], name=op.f("fk_hidings_suite_id")),
        sa.ForeignKeyConstraint(["system_id"], ["systems.id"], name=op.f("fk_hidings_system_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_hidings_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hidings")),
    )
    op.create_index(op.f("ix_hidings_suite_id"), "hidings", ["suite_id"])
