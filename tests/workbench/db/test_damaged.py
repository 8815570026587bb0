"""Databases whose rows are not what Assay wrote there: one line, for every command and page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from assay.errors import BadDatabase
from assay.outputs import Inputs
from assay.workbench.db.database import Store
from assay.workbench.files.export import export
from assay.workbench.files.import_files import import_files
from assay.workbench.snapshot import Snapshots
from assay.workbench.state import State
from tests.starter import STARTER
from tests.workbench.little import NAME, fill
from tests.workbench.web.clients import program

DAMAGE = {
    "evidence by a rule that is not there": "UPDATE texts SET evidence = '[[99, 0, 1]]'",
    "evidence that is none": "UPDATE texts SET evidence = '17'",
    "a verdict that is none": "UPDATE texts SET ruled = 77",
    "broken JSON": "UPDATE systems SET details = '{'",
    "other examples": "UPDATE versions SET examples = '[]'",
    "no heading": "UPDATE revisions SET heading = '{}'",
}


@pytest.fixture(params=DAMAGE)
def store(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Store]:
    made = Store.create(str(tmp_path / "assay.db"))
    fill(made)
    with made.writing() as db:
        assert db.execute(text(DAMAGE[request.param])).rowcount
    yield made
    made.close()


def test_reading_it(store: Store) -> None:
    with pytest.raises(BadDatabase, match=r"assay\.db: damaged \(.*\); nothing was changed; go back to a copy"):
        Snapshots(store).get(NAME)


def test_a_page_and_the_api(store: Store) -> None:
    boss = program(State(store), "boss")
    answer = boss.get(f"/api/v1/suites/{NAME}/systems")
    assert (answer.status_code, ": damaged (" in answer.json()["detail"]) == (503, True)
    page = boss.get("/results", params={"suite": NAME})
    assert (page.status_code, "damaged" in page.text) == (503, True)


def test_exporting_it(store: Store, tmp_path: Path) -> None:
    with pytest.raises(BadDatabase, match="damaged"):
        export(store, NAME, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_importing_more(store: Store) -> None:
    """Another suite is none of its business."""
    assert import_files(store.name, Inputs(STARTER, []), force=False).saved.revision == 1
