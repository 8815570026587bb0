"""The filters of the queue that are about items."""

from dataclasses import replace

import pytest

from assay.errors import UnknownName
from assay.suites import TIERS
from assay.workbench.db.database import Store
from assay.workbench.files.importer import Import
from assay.workbench.queue.filters import Filters, choices, waiting
from tests.workbench.little import NAME, SUITE, WRITTEN, admin_of, outputs_of
from tests.workbench.visits import Visits


def test_the_queue_can_be_narrowed_to_a_tier(store: Store) -> None:
    admin = admin_of(store)
    tiered = SUITE.with_items({0: replace(SUITE.items[0], tier="context")})
    Import(tiered, outputs_of(WRITTEN), "first").run(store, admin)
    snapshot = Visits(store).snapshot(NAME)
    found = {tier: waiting(snapshot, Filters(tier=tier), admin) for tier in (None, *TIERS)}
    assert {snapshot.items[task.place].tier for task in found["context"]} == {"context"}
    assert len(found["entry"]) + len(found["context"]) == len(found[None])
    assert {choice.value: choice.number for choice in choices(snapshot, Filters(), admin).tiers} == {
        "context": len(found["context"]),
        "entry": len(found["entry"]),
    }
    with pytest.raises(UnknownName, match="no tier 'hard'"):
        waiting(snapshot, Filters(tier="hard"), admin)
