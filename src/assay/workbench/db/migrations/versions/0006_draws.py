"""Samples of the texts that are undecided."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "draws",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("suite_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("campaigns", sa.JSON(), nullable=False),
        sa.Column("systems", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["suite_id"], ["suites.id"], name=op.f("fk_draws_suite_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_draws_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draws")),
    )
    op.create_index(op.f("ix_draws_suite_id"), "draws", ["suite_id"])
    op.create_table(
        "draw_texts",
        sa.Column("draw_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("size", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["draw_id"], ["draws.id"], name=op.f("fk_draw_texts_draw_id")),
        sa.ForeignKeyConstraint(["text_id"], ["texts.id"], name=op.f("fk_draw_texts_text_id")),
        sa.PrimaryKeyConstraint("draw_id", "text_id", name=op.f("pk_draw_texts")),
    )
