"""Use case: who logged in, changed accounts, imported and exported, the newest first; for admins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from assay.errors import UnknownName
from assay.workbench.db.audit import AUDIT_KINDS, AuditEntry, entries
from assay.workbench.db.people import list_users

PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class AuditPage:
    """A page of the audit trail, counted from 1; `people` are all who could be asked for."""

    entries: Sequence[AuditEntry]
    people: Sequence[str]
    number: int
    more: bool


def audit_trail(db: Connection, *, by: str = "", kind: str = "", page: int = 1) -> AuditPage:
    """A page of it: of one person, or of one kind."""
    if kind and kind not in AUDIT_KINDS:
        raise UnknownName("kind", kind, AUDIT_KINDS)
    people = [user.name for user in list_users(db)]
    if by and by not in people:
        raise UnknownName("user", by, people)
    number = max(page, 1)
    found = entries(db, by=by, kind=kind, limit=PAGE + 1, skip=(number - 1) * PAGE)
    return AuditPage(found[:PAGE], people, number, len(found) > PAGE)
