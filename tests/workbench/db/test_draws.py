"""Draws in a database: one that was made before there were any, and what is kept of them."""

from contextlib import closing
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from assay.workbench.db.database import Store
from assay.workbench.db.draws import newest_draws, next_seed
from assay.workbench.db.people import get_user
from assay.workbench.db.schema import metadata
from assay.workbench.queue.sample import draw_sample, sample_of
from tests.workbench.little import NAME, contents, fill
from tests.workbench.room import Room
from tests.workbench.visits import Visits


@pytest.fixture
def before(address: str) -> dict[str, list[dict[str, Any]]]:
    """What a filled database of 0005 holds at that address."""
    with closing(Store.create(address)) as store:
        fill(store)
        held = contents(store)
        with store.writing() as db:
            for later in ("hidings", "draw_texts", "draws"):
                db.execute(text(f"DROP TABLE {later}"))
            for table in ("suites", "systems"):
                db.execute(text(f"ALTER TABLE {table} DROP COLUMN hidden"))
            for later in ("group_name", "renderings", "rubric", "independent", "labels", "tier"):
                db.execute(text(f"ALTER TABLE versions DROP COLUMN {later}"))
            for table, column in (("rules", "scope"), ("versions", "source_of"), ("judgements", "origin")):
                db.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
            db.execute(text("UPDATE alembic_version SET version_num = '0005'"))
    return held


def test_a_database_of_before_gets_the_tables_and_can_be_sampled(
    address: str, before: dict[str, list[dict[str, Any]]]
) -> None:
    with closing(Store.create(address)) as store:
        assert contents(store) == before
        with store.reading() as db:
            assert compare_metadata(MigrationContext.configure(db), metadata) == []
        visits = Visits(store)
        assert sample_of(visits.snapshot(NAME)) is None
        with store.reading() as db:
            boss = get_user(db, "boss")
        visits.change(boss, NAME, draw_sample)
        found = sample_of(visits.snapshot(NAME))
        assert found
        assert (found.seed, found.by, found.waiting) == (1, "boss", 5)


def test_sizes_and_order_are_kept_to_the_last_bit(room: Room) -> None:
    room.visits.change(room.admin, NAME, draw_sample)
    (stored,) = room.snapshot.written.draws
    with room.store.reading() as db:
        assert newest_draws(db, 1) == [stored]
        assert next_seed(db, 1) == 2
    texts = stored.draw.texts
    assert len({drawn.size for drawn in texts}) == 1
    assert texts[0].size == pytest.approx((1 - 0.9 / 3) ** 0.5, abs=1e-15)
    assert sorted(texts, key=lambda drawn: -drawn.priority) == list(texts)
