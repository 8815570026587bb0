"""Groups, labels and rubrics in the database: kept, counted, shown, and written back to the byte."""

from contextlib import closing
from pathlib import Path

import pytest

from assay.evaluation import evaluate_files
from assay.outputs import Inputs
from assay.suites import load_suite
from assay.suites.native import read_files
from assay.workbench.db.database import Store
from assay.workbench.files.export import export
from assay.workbench.files.import_files import import_files
from assay.workbench.items.item_page import open_item
from assay.workbench.people.credentials import local_user
from assay.workbench.results.results import (
    CellPlace,
    ResultOptions,
    Results,
    evaluate_snapshot,
    open_cell,
    show_results,
)
from tests.suites.test_groups import NURSE, folder
from tests.workbench.visits import Visits

NAME = "pairs"
PLAIN = "  - id: doctor\n    source: The doctor came.\n    labels: {feminine: [Ärztin], masculine: ['Arzt']}\n"
WRITTEN = {"noun/she": "Die Schwester kam.", "noun/he": "Die Schwester kam.", "noun/doctor": "Der Arzt kam."}


@pytest.fixture
def files(tmp_path: Path) -> Inputs:
    (tmp_path / "suite").mkdir()
    suite = folder(tmp_path / "suite", NURSE + PLAIN)
    for name, late in (("quick", "Die Schwester kam."), ("careful", "Der Pfleger kam.")):
        lines = [f"{item}\t{text}" for item, text in (WRITTEN | {"noun/he": late}).items()]
        (tmp_path / f"{name}.tsv").write_text("\n".join(["item\ttext", *lines, ""]), "utf-8")
    return Inputs(str(suite), [str(tmp_path / f"{name}.tsv") for name in ("quick", "careful")])


@pytest.fixture
def pairs(files: Inputs, address: str) -> Store:
    if "://" in address:
        Store.create(address).close()
    import_files(address, files, force=False)
    return Store.open(address)


def test_a_suite_goes_through_the_database_as_it_is(pairs: Store, files: Inputs, tmp_path: Path) -> None:
    with closing(pairs) as store:
        assert Visits(store).snapshot(NAME).suite.items == load_suite(files.suite).items
        export(store, NAME, tmp_path / "out")
    assert read_files(tmp_path / "out" / "suite") == read_files(Path(files.suite))


def test_its_numbers_are_those_of_the_files(pairs: Store, files: Inputs) -> None:
    with closing(pairs) as store:
        evaluation = evaluate_snapshot(Visits(store).snapshot(NAME), ResultOptions())
        assert evaluation.to_dict() == evaluate_files(files).to_dict()
        [groups, consistent] = evaluation.over_groups()
        assert {cell.system.name: cell.accuracy for cell in groups.cells} == {"careful": 1.0, "quick": 0.0}
        assert consistent.items == 1


def test_nobody_is_asked_about_an_item_with_labels_only(pairs: Store) -> None:
    with closing(pairs) as store:
        snapshot = Visits(store).snapshot(NAME)
        assert snapshot.tasks == []


def test_pages_show_members_labels_and_rows(pairs: Store) -> None:
    with closing(pairs) as store:
        visits = Visits(store)
        with visits.visit(local_user(store), NAME).reading() as reader:
            page = open_item(reader, "noun/she")
            assert [other.id for other in page.members] == ["noun/he"]
            assert page.item.rubric == "Is the nurse a woman?"
            results = show_results(reader, ResultOptions())
            assert isinstance(results, Results)
            assert "groups wholly right" in [row.label for row in results.table.rows]
            cell = open_cell(reader, ResultOptions(), CellPlace("quick", average="groups"))
            assert cell.where == "groups wholly right"
            assert cell.numbers == {"fail": 1, "warning": 0, "pass": 1}
