"""Databases whose rows are not what Assay wrote there: one line, for every command and page."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import text

from assay.errors import BadDatabase, BadFile, BadOption
from assay.outputs import Inputs
from assay.workbench.db.database import Store
from assay.workbench.files.export import export, export_suite
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


# An undo of what is not there.
UNDO = {
    **{"text_id": "id", "user_id": "1", "kind": "'undo'", "undoes": "99", "blind": "0", "tags": "'[]'", "seen": "'[]'"},
    **{"comment": "''", "dated": "'2026-01-31'", "created": "'2026-01-31'"},
}


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE suites SET imported = '1.5'",
        "UPDATE suites SET questions = '7'",
        "UPDATE versions SET category = 'elsewhere'",
        f"INSERT INTO judgements ({', '.join(UNDO)}) SELECT {', '.join(UNDO.values())} FROM texts LIMIT 1",
        "UPDATE revisions SET comment = x'fffe'",
    ],
)
def test_damage_that_only_whole_suites_show(tmp_path: Path, damage: str) -> None:
    """Exporting and importing it again end well or in a line, and never in a trace."""
    store = Store.create(str(tmp_path / "assay.db"))
    fill(store)
    store.close()
    with sqlite3.connect(store.name) as db:
        assert db.execute(damage).rowcount
    db.close()
    for attempt in (
        lambda: export_suite(store.name, NAME, tmp_path / "out", pseudonyms=False, report=False, force=True, tell=None),
        lambda: import_files(store.name, Inputs(NAME, []), force=False),
    ):
        with suppress(BadDatabase, BadOption, BadFile):
            attempt()


def test_importing_more(store: Store) -> None:
    """Another suite is none of its business."""
    assert import_files(store.name, Inputs(STARTER, []), force=False).saved.revision == 1
