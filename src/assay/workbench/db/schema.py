"""Tables of the workbench's database.

A suite is a row of revisions. A revision changes some items; each changed item gets a new version, and `items.version`
points to the one that holds. Rules are written once, with author and date, and versions list them. Distinct texts of an
item are kept once, normalised, with what the rules say of them (`ruled`), for the rules whose hash is `judged_with`,
and what judgements settled (`settled`). Judgements are only ever added.

Times are UTC, ISO 8601 with microseconds, as text: they sort, and both databases keep them the same.
"""

from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

APPLICATION_ID: Final = 0x41535359
"""`ASSY`, in the header of a SQLite file, tells our files from others."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _link(name: str, target: str, *, null: bool = False) -> Column[int]:
    return Column(name, Integer, ForeignKey(target), nullable=null)


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)


users = Table(
    "users",
    metadata,
    _id(),
    Column("name", String(200), nullable=False, unique=True),
    _text("password", null=True),
    Column("role", String(20), nullable=False),
    Column("active", Boolean, nullable=False),
    Column("settings", JSON, nullable=False),
    _text("created"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token", String(64), primary_key=True),
    _link("user_id", "users.id"),
    _text("created"),
    _text("expires"),
)

suites = Table(
    "suites",
    metadata,
    _id(),
    Column("name", String(200), nullable=False, unique=True),
    Column("langpair", String(40), nullable=False),
    Column("questions", JSON, nullable=False),
    Column("imported", JSON, nullable=False),
    Column("revision_id", Integer, nullable=True),
    Column("outputs_changed", Integer, nullable=False),
    _text("created"),
    _text("hidden"),
)
"""`hidden` is when a suite was hidden, blank where it is not; so with systems."""

suite_files = Table(
    "suite_files",
    metadata,
    Column("suite_id", Integer, ForeignKey("suites.id"), primary_key=True, autoincrement=False),
    Column("path", String(500), primary_key=True),
    _text("text"),
)
"""The files of a native suite as they were when it was last imported, so that an export can leave them as they are."""

revisions = Table(
    "revisions",
    metadata,
    _id(),
    _link("suite_id", "suites.id"),
    Column("number", Integer, nullable=False),
    _link("user_id", "users.id"),
    _text("created"),
    _text("comment"),
    Column("heading", JSON, nullable=False),
    UniqueConstraint("suite_id", "number"),
)

items = Table(
    "items",
    metadata,
    _id(),
    _link("suite_id", "suites.id"),
    _text("key"),
    Column("position", Integer, nullable=False),
    Column("version_id", Integer, nullable=True),
    Column("changed", Integer, nullable=False),
    UniqueConstraint("suite_id", "key"),
    Index(None, "changed"),
)

versions = Table(
    "versions",
    metadata,
    _id(),
    _link("item_id", "items.id"),
    _link("revision_id", "revisions.id"),
    _text("category"),
    _text("phenomenon"),
    _text("source"),
    _text("tests"),
    _text("notes"),
    Column("tags", JSON, nullable=False),
    Column("examples", JSON, nullable=False),
    Column("held_out", Boolean, nullable=False),
    Column("removed", Boolean, nullable=False),
    Column("rules_hash", String(40), nullable=False),
    _text("prompt"),
    _text("context"),
    # `group` is a word of SQL.
    _text("group_name"),
    _text("renderings"),
    _text("rubric"),
    Column("independent", Boolean, nullable=False),
    Column("labels", JSON, nullable=False),
    _text("source_of"),
    Column("tier", String(10), nullable=False),
    Index(None, "item_id", "id"),
)

rules = Table(
    "rules",
    metadata,
    _id(),
    _link("item_id", "items.id"),
    Column("polarity", String(4), nullable=False),
    Column("kind", String(10), nullable=False),
    _text("value"),
    Column("flags", String(10), nullable=False),
    _text("note"),
    _link("user_id", "users.id"),
    _text("created"),
    _text("scope"),
    Index(None, "item_id"),
)

version_rules = Table(
    "version_rules",
    metadata,
    Column("version_id", Integer, ForeignKey("versions.id"), primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    _link("rule_id", "rules.id"),
)

campaigns = Table("campaigns", metadata, _id(), Column("name", String(200), nullable=False, unique=True))

systems = Table(
    "systems",
    metadata,
    _id(),
    _link("suite_id", "suites.id"),
    _link("campaign_id", "campaigns.id"),
    _link("user_id", "users.id"),
    Column("name", String(200), nullable=False),
    Column("details", JSON, nullable=False),
    _text("file"),
    _text("imported"),
    _text("hidden"),
    UniqueConstraint("suite_id", "campaign_id", "name"),
)

hidings = Table(
    "hidings",
    metadata,
    _id(),
    _link("suite_id", "suites.id"),
    _link("system_id", "systems.id", null=True),
    _link("user_id", "users.id"),
    _text("created"),
    Column("hidden", Boolean, nullable=False),
    Index(None, "suite_id"),
)
"""Who hid a system, or brought it back; without a system it is the suite itself. Only ever added."""

texts = Table(
    "texts",
    metadata,
    _id(),
    _link("item_id", "items.id"),
    Column("digest", String(40), nullable=False),
    _text("value"),
    Column("first", SmallInteger, nullable=False),
    Column("ruled", SmallInteger, nullable=False),
    Column("reason", String(20), nullable=False),
    Column("evidence", JSON, nullable=False),
    Column("judged_with", String(40), nullable=False),
    Column("settled", SmallInteger, nullable=True),
    Column("disputed", Boolean, nullable=False),
    Column("changed", Integer, nullable=False),
    UniqueConstraint("item_id", "digest"),
    Index(None, "changed"),
)

outputs = Table(
    "outputs",
    metadata,
    Column("system_id", Integer, ForeignKey("systems.id"), primary_key=True, autoincrement=False),
    Column("item_id", Integer, ForeignKey("items.id"), primary_key=True, autoincrement=False),
    _link("text_id", "texts.id"),
    _text("raw", null=True),
    Index(None, "item_id"),
)

judgements = Table(
    "judgements",
    metadata,
    _id(),
    _link("text_id", "texts.id"),
    _link("user_id", "users.id"),
    Column("kind", String(20), nullable=False),
    Column("verdict", String(4), nullable=True),
    _text("comment"),
    Column("acceptability", Integer, nullable=True),
    Column("tags", JSON, nullable=False),
    Column("blind", Boolean, nullable=False),
    Column("seen", JSON, nullable=False),
    Column("undoes", Integer, ForeignKey("judgements.id"), nullable=True),
    _text("dated"),
    _text("created"),
    _text("origin"),
    Index(None, "text_id"),
    Index(None, "user_id", "created"),
)

seen = Table(
    "seen",
    metadata,
    Column("user_id", Integer, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("text_id", Integer, ForeignKey("texts.id"), primary_key=True, autoincrement=False),
    Column("what", SmallInteger, nullable=False),
)
"""What a user got to see of a text before judging it: a bit each, in the order of `SEEN`."""

draws = Table(
    "draws",
    metadata,
    _id(),
    _link("suite_id", "suites.id"),
    _link("user_id", "users.id"),
    _text("created"),
    Column("seed", Integer, nullable=False),
    Column("campaigns", JSON, nullable=False),
    Column("systems", JSON, nullable=False),
    Index(None, "suite_id"),
)
"""Samples of what was undecided: whose outputs, and the seed from which the order of their texts follows."""

draw_texts = Table(
    "draw_texts",
    metadata,
    Column("draw_id", Integer, ForeignKey("draws.id"), primary_key=True, autoincrement=False),
    Column("text_id", Integer, ForeignKey("texts.id"), primary_key=True, autoincrement=False),
    Column("size", Double, nullable=False),
)
"""The texts of a draw, each with its size, which is fixed when it is drawn."""

audit = Table(
    "audit",
    metadata,
    _id(),
    _text("created"),
    Column("by", String(200), nullable=False),
    Column("address", String(100), nullable=False),
    Column("kind", String(20), nullable=False),
    _text("what"),
    Index(None, "by"),
    Index(None, "kind"),
)
"""The audit trail. People stand in it by name: whoever fails to log in may be nobody that the database knows."""

changes = Table(
    "changes",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
)
"""One row: the number of the last change. Whoever changes a verdict takes the next and writes it to `texts.changed`."""
