"""Use case: what a database holds, suite by suite, campaign by campaign.

found = inventory(store, boards, "assay-de-en")
found.campaigns[0].systems[0].outputs
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.outputs import System
from assay.records import INTERNAL
from assay.workbench.db.database import Store
from assay.workbench.db.suites import SuiteEntry, list_suites
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
    """All suites, and the systems of one of them."""

    suites: Sequence[SuiteEntry]
    suite: str | None
    campaigns: Sequence[CampaignEntry]
    texts: int
    questions: Mapping[str, Any]


def inventory(store: Store, boards: Snapshots, suite: str | None) -> Inventory:
    """What is in the database."""
    with store.reading() as db:
        suites = list_suites(db)
        if suite is None:
            return Inventory(suites, None, (), 0, {})
        board = boards.get(suite, db)
    return Inventory(suites, suite, campaigns(board), len(board.texts), board.questions)


def campaigns(board: Snapshot) -> list[CampaignEntry]:
    """The systems of a suite by campaign, with their numbers."""
    found: dict[str, list[SystemEntry]] = {name: [] for name in board.campaigns}
    for entry in entered(board):
        found[entry.system.campaign].append(entry)
    return [CampaignEntry(name, systems) for name, systems in found.items()]


def entered(board: Snapshot) -> list[SystemEntry]:
    """The systems of a suite with their numbers, in the order of their import."""
    texts = (board.texts[text_id] for text_id in board.code_texts)
    warned = np.fromiter((not text.decided for text in texts), np.bool_, len(board.code_texts))
    codes = board.outputs.codes
    there = codes >= 0
    outputs, warnings = there.sum(axis=0), (there & np.append(warned, False)[codes]).sum(axis=0)
    return [
        SystemEntry(stored.system, int(outputs[column]), int(warnings[column]), stored.imported)
        for column, stored in enumerate(board.systems)
    ]
