"""The audit trail: who logged in, or failed to; what was done to accounts; what left the database and what came in;
who drew a sample.

    record(db, "anna", "role", "ben is adjudicator now")

An entry stands in the transaction of what it tells about, and in the log. The trail is bounded: the newest 10,000
failed log-ins are kept, and the newest 100,000 of all else, so that nobody can push the one out by making the other.
"""

import logging
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from assay.text import one_line
from assay.workbench.db.clock import now
from assay.workbench.db.schema import audit

AuditKind = Literal[
    "log-in", "failed log-in", "log-out", "account", "role", "password", "access", "import", "export", "draw"
]
AUDIT_KINDS: Final[tuple[AuditKind, ...]] = get_args(AuditKind)

FAILED: Final = "failed log-in"
MOST: Final = 100_000
MOST_FAILED: Final = 10_000
TRIMMED_EVERY: Final = 100
"""Entries after which those that are too many go."""

asking_from: ContextVar[str] = ContextVar("asking_from", default="command line")
"""The address that a request comes from. The guard sets it; what no request does comes from the command line."""

log = logging.getLogger("assay.workbench")


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Something that somebody did; `by` is empty where a name was given that nobody has."""

    created: str
    by: str
    address: str
    kind: AuditKind
    what: str


def record(db: Connection, by: str, kind: AuditKind, what: str = "") -> None:
    """Add an entry, in this transaction."""
    address, line = asking_from.get()[:100], one_line(what)
    level = logging.WARNING if kind == FAILED else logging.INFO
    log.log(level, "%s: %s%s (%s)", kind, one_line(by, 100) or "an unknown name", f": {line}" if line else "", address)
    values = {"created": now(), "by": by[:200], "address": address, "kind": kind, "what": line}
    number = db.execute(insert(audit).values(**values).returning(audit.c.id)).scalar_one()
    if number % TRIMMED_EVERY == 0:
        _trim(db, audit.c.kind == FAILED, MOST_FAILED)
        _trim(db, audit.c.kind != FAILED, MOST)


def _trim(db: Connection, those: ColumnElement[bool], most: int) -> None:
    """Delete the oldest of those beyond the newest so many."""
    last = select(audit.c.id).where(those).order_by(audit.c.id.desc()).offset(most).limit(1).scalar_subquery()
    db.execute(delete(audit).where(those, audit.c.id <= last))


def entries(db: Connection, *, by: str = "", kind: str = "", limit: int, skip: int = 0) -> Sequence[AuditEntry]:
    """The newest first; of one person or kind, where these are named."""
    query = select(audit).order_by(audit.c.id.desc()).limit(limit).offset(skip)
    if by:
        query = query.where(audit.c.by == by)
    if kind:
        query = query.where(audit.c.kind == kind)
    return [AuditEntry(row.created, row.by, row.address, row.kind, row.what) for row in db.execute(query)]


def logged_in_from(db: Connection) -> list[tuple[str, str]]:
    """(name, address) of all log-ins that are still in the trail."""
    query = select(audit.c.by, audit.c.address).where(audit.c.kind == "log-in").distinct()
    found: list[Any] = list(db.execute(query))
    return [(row.by, row.address) for row in found]
