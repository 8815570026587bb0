"""A suite that came from files goes back into the same files."""

from contextlib import closing
from pathlib import Path

import pytest

from assay.outputs import Inputs
from assay.suites import Rule, load_suite, save_suite
from assay.suites.native import read_files
from assay.workbench.db.database import Store
from assay.workbench.db.suites import find_suite, suite_files
from assay.workbench.files.export import export, export_revision, read_export
from assay.workbench.files.import_files import import_files
from assay.workbench.files.uploads import upload_suite
from assay.workbench.items.rule_edits import RuleEdit
from assay.workbench.people.credentials import local_user
from tests.suites import test_prompts as prompts
from tests.suites.building import suite_folder
from tests.suites.test_native_layout import FILES, TREES
from tests.workbench.uploads import zipped
from tests.workbench.visits import Visits

NAME = "garden"


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A suite whose folders and files are called as nobody would guess."""
    folder = suite_folder(tmp_path / "garden", FILES)
    # Not part of the suite
    (folder / ".github").mkdir()
    (folder / ".github" / "check.yaml").write_text("on: push\n", "utf-8")
    (folder / "README.md").write_text("Mine.\n", "utf-8")
    return folder


def imported(folder: Path, address: str) -> Store:
    if "://" in address:
        Store.create(address).close()
    import_files(address, Inputs(str(folder), []), force=False)
    return Store.open(address)


def edit(store: Store, rule: Rule) -> None:
    """Another rule for an item, in the place of its second."""
    visits = Visits(store)
    snapshot = visits.snapshot(NAME)
    item = snapshot.suite.item("trees/kiefer")
    rules = (item.rules[0], rule, item.rules[2])
    visits.save_rules(
        local_user(store), NAME, RuleEdit(item.id, rules, snapshot.version_ids[snapshot.place(item.id)], "chins")
    )


def test_nothing_changed_nothing_changes(garden: Path, address: str, tmp_path: Path) -> None:
    with closing(imported(garden, address)) as store:
        export(store, NAME, tmp_path / "out")
    assert read_files(tmp_path / "out" / "suite") == read_files(garden)
    assert not (tmp_path / "out" / "suite" / "README.md").exists()


def test_an_edited_rule_is_the_only_difference(garden: Path, address: str, tmp_path: Path) -> None:
    with closing(imported(garden, address)) as store:
        edit(store, Rule("pass", "contains", "jaws"))
        export(store, NAME, tmp_path / "out")
        export_revision(address, NAME, tmp_path / "before", 1, force=False)
    wanted = TREES.replace("      - chin\n", "      - contains: jaws\n")
    assert read_files(tmp_path / "out" / "suite") == {**read_files(garden), "a b/trees.yaml": wanted}
    assert read_files(tmp_path / "before") == read_files(garden)


def test_the_files_that_were_imported_last_count(garden: Path, address: str, tmp_path: Path) -> None:
    with closing(imported(garden, address)) as store:
        (garden / "a b").rename(garden / "woods")
        text = (garden / "woods" / "trees.yaml").read_text("utf-8")
        (garden / "woods" / "trees.yaml").write_text(text.replace("# Trees", "# Woods"), "utf-8")
        import_files(address, Inputs(str(garden), []), force=False)
        export(store, NAME, tmp_path / "out")
    assert read_files(tmp_path / "out" / "suite") == read_files(garden)


def test_an_exported_folder_takes_them_along(garden: Path, tmp_path: Path) -> None:
    with closing(imported(garden, str(tmp_path / "here.db"))) as store:
        edit(store, Rule("pass", "contains", "jaws"))
        export(store, NAME, tmp_path / "out")
    with closing(Store.create(str(tmp_path / "there.db"))) as there:
        read_export(tmp_path / "out").run(there, local_user(there))
        export(there, NAME, tmp_path / "again")
    assert read_files(tmp_path / "again" / "suite") == read_files(tmp_path / "out" / "suite")


def test_pseudonyms_leave_no_comment(garden: Path, tmp_path: Path) -> None:
    with closing(imported(garden, str(tmp_path / "here.db"))) as store:
        export(store, NAME, tmp_path / "out", pseudonyms=True)
    files = read_files(tmp_path / "out" / "suite")
    assert set(files) == set(read_files(garden))
    assert "#" not in "".join(files.values())
    assert load_suite(tmp_path / "out" / "suite") == load_suite(garden)


def test_a_suite_of_another_format_has_no_files(tmp_path: Path) -> None:
    save_suite(load_suite("en-cs"), tmp_path / "items.json", lossy=True)
    with closing(imported(tmp_path / "items.json", str(tmp_path / "here.db"))) as store, store.reading() as db:
        assert suite_files(db, find_suite(db, "items").id) == {}


def test_an_upload_keeps_the_files_too(garden: Path, tmp_path: Path) -> None:
    sent = zipped("garden.zip", {f"my garden/{name}": text for name, text in read_files(garden).items()})
    with closing(Store.create(str(tmp_path / "here.db"))) as store:
        upload_suite(Visits(store).visit(local_user(store), NAME), [sent])
        export(store, NAME, tmp_path / "out")
    assert read_files(tmp_path / "out" / "suite") == read_files(garden)


def test_prompts_stay_where_they_were_written(address: str, tmp_path: Path) -> None:
    garden = suite_folder(tmp_path / "garden", prompts.FILES, prompts.TOLD)
    with closing(imported(garden, address)) as store:
        export(store, NAME, tmp_path / "out")
        assert prompts.told(Visits(store).snapshot(NAME).suite) == prompts.told(load_suite(garden))
        # A prompt that was changed by hand, and is the only change
        file = garden / "no.yaml"
        file.write_text(file.read_text("utf-8") + "    prompt: Say no.\n", encoding="utf-8")
        done = import_files(address, Inputs(str(garden), []), force=False)
        export(store, NAME, tmp_path / "again")
    assert (done.saved.revision, done.saved.changed) == (2, 1)
    assert read_files(tmp_path / "out" / "suite") == {"suite.yaml": prompts.TOLD, **prompts.FILES}
    assert read_files(tmp_path / "again" / "suite") == read_files(garden)
