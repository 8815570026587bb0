"""A database that an earlier Assay made: today's brings it up to date, and makes the same of it.

`earlier/database.sql` and `earlier/export` were both written by commit e44e91f, the export from that very database.
"""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from assay.workbench.db.database import Store
from assay.workbench.db.people import get_user
from assay.workbench.db.schema import metadata
from assay.workbench.files.importer import Import
from assay.workbench.people.credentials import local_user
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.serve import open_store
from tests.conftest import Run
from tests.workbench.little import NAME, PFERDE, STRAUSS, SUITE, contents, counts, with_items, without
from tests.workbench.room import POSY
from tests.workbench.test_life_of_a_database import contents_of
from tests.workbench.visits import Visits

EARLIER = Path(__file__).parent / "earlier"


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    path = tmp_path / "assay.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((EARLIER / "database.sql").read_text(encoding="utf-8"))
    return path


@pytest.fixture
def renewed(earlier: Path) -> Path:
    """The same after `assay init`."""
    Store.create(str(earlier)).close()
    return earlier


def test_init_brings_it_up_to_date_and_changes_nothing_else(assay: Run, earlier: Path, tmp_path: Path) -> None:
    with closing(Store.connect(str(earlier))) as store:
        before = contents(store)
    assert assay("init").stdout == "assay.db: ready\n"
    assert [path.name for path in tmp_path.glob("*.before-*")] == ["assay.db.before-0002"]
    with closing(Store.open(str(earlier))) as store:
        assert contents(store) == before
        with store.reading() as db:
            assert compare_metadata(MigrationContext.configure(db), metadata) == []


@pytest.mark.usefixtures("renewed")
def test_its_export_is_the_one_of_then(assay: Run, tmp_path: Path) -> None:
    assay("export", NAME, "-o", "out")
    assert contents_of(tmp_path / "out") == contents_of(EARLIER / "export")


def test_the_export_of_then_comes_back_as_it_was(assay: Run, tmp_path: Path) -> None:
    assay("import", str(EARLIER / "export"))
    assay("export", NAME, "-o", "out")
    assert contents_of(tmp_path / "out") == contents_of(EARLIER / "export")


def test_a_file_that_did_not_change_since_then_leaves_the_suite_alone(renewed: Path) -> None:
    """Hashes of items in it are of a time when items had no prompts; its rules were changed in the workbench."""
    with closing(Store.open(str(renewed))) as store:
        assert Import(without(SUITE, PFERDE), None, "").run(store, local_user(store)).saved.revision is None


def test_items_of_then_get_prompts(renewed: Path) -> None:
    told = with_items(SUITE, replace(SUITE.item(STRAUSS), prompt="Of flowers.", context="It is her birthday."))
    with closing(Store.open(str(renewed))) as store:
        done = Import(without(told, PFERDE), None, "prompts").run(store, local_user(store))
        item = Visits(store).snapshot(NAME).suite.item(STRAUSS)
    assert counts(done.saved) == (0, 1, 0)
    assert (item.prompt, item.context) == ("Of flowers.", "It is her birthday.")


def test_judging_goes_on_and_what_was_seen_then_still_counts(renewed: Path) -> None:
    store, local = open_store(str(renewed), "localhost")
    assert local is not None
    with closing(store):
        with store.reading() as db:
            anna, ben = get_user(db, "Anna"), get_user(db, "Ben")
        visits = Visits(store)
        posy = next(text for text in visits.snapshot(NAME).texts.values() if text.value == POSY)
        first, second = (visits.judge(user, NAME, AnnotatorAnswer(posy.id, "pass")).event for user in (anna, ben))
    assert (first.id, first.blind, first.seen) == (5, True, ())
    assert (second.id, second.blind, second.seen) == (6, False, ("systems",))
