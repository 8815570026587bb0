"""Use case: what a database holds, suite by suite, campaign by campaign.

found = inventory(db, snapshots, "assay-de-en")
found.campaigns[0].systems[0].outputs
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import Connection

from assay.outputs import System
from assay.records import INTERNAL
from assay.workbench.db.suites import SuiteEntry, list_suites
from assay.workbench.files.hidden import Hidden, list_hidden
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot, Snapshots


@dataclass(frozen=True, slots=True)
class SystemEntry:
    """A system of the database: of how many items it has outputs, how many are warnings, and when it was imported."""

    system: System
    outputs: int
    warnings: int
    imported: str = field(metadata=INTERNAL)


@dataclass(frozen=True, slots=True)
class CampaignEntry:
    name: str
    systems: Sequence[SystemEntry]


@dataclass(frozen=True, slots=True)
class Inventory:
    """All suites, and the systems of one of them; and what is hidden."""

    suites: Sequence[SuiteEntry]
    suite: str | None
    campaigns: Sequence[CampaignEntry]
    texts: int
    questions: Mapping[str, Any]
    hidden: Hidden


def inventory(db: Connection, snapshots: Snapshots, suite: str | None) -> Inventory:
    """What is in the database."""
    suites = list_suites(db)
    if suite is None:
        return Inventory(suites, None, (), 0, {}, list_hidden(db))
    snapshot, hidden = snapshots.get(suite, db), list_hidden(db, suite)
    return Inventory(suites, suite, campaigns(snapshot), len(snapshot.texts), snapshot.questions, hidden)


def list_systems(reader: Reader) -> list[tuple[SystemEntry, bool]]:
    """The systems of a suite in the order of their import, and whether each translated it."""
    snapshot = reader.snapshot
    translated = {snapshot.outputs.systems[column] for columns in snapshot.kept.values() for column in columns}
    return [(entry, entry.system in translated) for entry in entered(snapshot)]


def campaigns(snapshot: Snapshot) -> list[CampaignEntry]:
    """The systems of a suite by campaign, with their numbers."""
    found: dict[str, list[SystemEntry]] = {name: [] for name in snapshot.campaigns}
    for entry in entered(snapshot):
        found[entry.system.campaign].append(entry)
    return [CampaignEntry(name, systems) for name, systems in found.items()]


def entered(snapshot: Snapshot) -> list[SystemEntry]:
    """The systems of a suite with their numbers, in the order of their import."""
    texts = (snapshot.texts[text_id] for text_id in snapshot.code_texts)
    warned = np.fromiter((not text.decided for text in texts), np.bool_, len(snapshot.code_texts))
    codes = snapshot.outputs.codes
    there = codes >= 0
    outputs, warnings = there.sum(axis=0), (there & np.append(warned, False)[codes]).sum(axis=0)
    return [
        SystemEntry(stored.system, int(outputs[column]), int(warnings[column]), stored.imported)
        for column, stored in enumerate(snapshot.systems)
    ]
