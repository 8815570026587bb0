"""What people have seen of texts, which was kept in the server's memory before."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "seen",
        sa.Column("user_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("what", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["text_id"], ["texts.id"], name=op.f("fk_seen_text_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_seen_user_id")),
        sa.PrimaryKeyConstraint("user_id", "text_id", name=op.f("pk_seen")),
    )
