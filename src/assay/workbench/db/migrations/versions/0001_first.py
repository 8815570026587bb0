"""The first version of the tables."""

import sqlalchemy as sa
from alembic import op

from assay.workbench.db.schema import APPLICATION_ID

revision = "0001"
down_revision = None


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        connection.execute(sa.text(f"PRAGMA application_id = {APPLICATION_ID}"))
    op.create_table(
        "campaigns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaigns")),
        sa.UniqueConstraint("name", name=op.f("uq_campaigns_name")),
    )
    op.create_table(
        "changes",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_changes")),
    )
    op.create_table(
        "suites",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("langpair", sa.String(length=40), nullable=False),
        sa.Column("questions", sa.JSON(), nullable=False),
        sa.Column("imported", sa.JSON(), nullable=False),
        sa.Column("revision_id", sa.Integer(), nullable=True),
        sa.Column("outputs_changed", sa.Integer(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_suites")),
        sa.UniqueConstraint("name", name=op.f("uq_suites_name")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name", name=op.f("uq_users_name")),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("suite_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=True),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["suite_id"], ["suites.id"], name=op.f("fk_items_suite_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
        sa.UniqueConstraint("suite_id", "key", name=op.f("uq_items_suite_id_key")),
    )
    op.create_index(op.f("ix_items_changed"), "items", ["changed"], unique=False)
    op.create_table(
        "revisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("suite_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("heading", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["suite_id"], ["suites.id"], name=op.f("fk_revisions_suite_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_revisions_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_revisions")),
        sa.UniqueConstraint("suite_id", "number", name=op.f("uq_revisions_suite_id_number")),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("expires", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sessions_user_id")),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_sessions")),
    )
    op.create_table(
        "systems",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("suite_id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("imported", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_systems_campaign_id")),
        sa.ForeignKeyConstraint(["suite_id"], ["suites.id"], name=op.f("fk_systems_suite_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_systems_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_systems")),
        sa.UniqueConstraint("suite_id", "campaign_id", "name", name=op.f("uq_systems_suite_id_campaign_id_name")),
    )
    op.create_table(
        "rules",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("polarity", sa.String(length=4), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("flags", sa.String(length=10), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_rules_item_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_rules_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rules")),
    )
    op.create_index(op.f("ix_rules_item_id"), "rules", ["item_id"], unique=False)
    op.create_table(
        "texts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("first", sa.SmallInteger(), nullable=False),
        sa.Column("ruled", sa.SmallInteger(), nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("judged_with", sa.String(length=40), nullable=False),
        sa.Column("settled", sa.SmallInteger(), nullable=True),
        sa.Column("disputed", sa.Boolean(), nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_texts_item_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_texts")),
        sa.UniqueConstraint("item_id", "digest", name=op.f("uq_texts_item_id_digest")),
    )
    op.create_index(op.f("ix_texts_changed"), "texts", ["changed"], unique=False)
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("phenomenon", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("tests", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("examples", sa.JSON(), nullable=False),
        sa.Column("held_out", sa.Boolean(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("rules_hash", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_versions_item_id")),
        sa.ForeignKeyConstraint(["revision_id"], ["revisions.id"], name=op.f("fk_versions_revision_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
    )
    op.create_index(op.f("ix_versions_item_id_id"), "versions", ["item_id", "id"], unique=False)
    op.create_table(
        "judgements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("text_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("verdict", sa.String(length=4), nullable=True),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("acceptability", sa.Integer(), nullable=True),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("seen", sa.JSON(), nullable=False),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.Column("dated", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["text_id"], ["texts.id"], name=op.f("fk_judgements_text_id")),
        sa.ForeignKeyConstraint(["undoes"], ["judgements.id"], name=op.f("fk_judgements_undoes")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_judgements_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgements")),
    )
    op.create_index(op.f("ix_judgements_text_id"), "judgements", ["text_id"], unique=False)
    op.create_index(op.f("ix_judgements_user_id_created"), "judgements", ["user_id", "created"], unique=False)
    op.create_table(
        "outputs",
        sa.Column("system_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("item_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text_id", sa.Integer(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_outputs_item_id")),
        sa.ForeignKeyConstraint(["system_id"], ["systems.id"], name=op.f("fk_outputs_system_id")),
        sa.ForeignKeyConstraint(["text_id"], ["texts.id"], name=op.f("fk_outputs_text_id")),
        sa.PrimaryKeyConstraint("system_id", "item_id", name=op.f("pk_outputs")),
    )
    op.create_index(op.f("ix_outputs_item_id"), "outputs", ["item_id"], unique=False)
    op.create_table(
        "version_rules",
        sa.Column("version_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rule_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["rule_id"], ["rules.id"], name=op.f("fk_version_rules_rule_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_version_rules_version_id")),
        sa.PrimaryKeyConstraint("version_id", "position", name=op.f("pk_version_rules")),
    )
    op.execute("INSERT INTO changes (id, number) VALUES (1, 1)")
