"""What `assay import` does with the files it is given."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from assay.errors import BadDatabase, BadFile, BadOption, UnknownName
from assay.evaluation import evaluate
from assay.outputs import Inputs, System, load_outputs
from assay.suites import Rule, load_suite
from assay.workbench.db.database import Store
from assay.workbench.db.people import find_user
from assay.workbench.files.import_files import import_files
from assay.workbench.files.importer import Import, Imported, read
from assay.workbench.snapshot import Snapshots
from tests.starter import AVERAGE, CAREFUL, OUTPUTS, STARTER
from tests.workbench.little import PFERDE, SUITE, admin_of, contents, with_rules


class TestFiles:
    """`import_files`: what the command does."""

    @staticmethod
    def take(address: str, suite: str, outputs: Sequence[object] = (), campaign: str = "") -> Imported:
        inputs = Inputs(suite, [str(path) for path in outputs], campaign=campaign)
        return import_files(address, inputs, force=False)

    def test_numbers_are_those_of_an_evaluation_of_the_files(self, address: str) -> None:
        self.take_into_new(address, STARTER, OUTPUTS, campaign="2025")
        store = Store.open(address)
        suite = load_suite(STARTER)
        files = evaluate(suite, load_outputs(suite, OUTPUTS, campaign="2025"))
        here = Snapshots(store).get("assay-de-en").evaluate(campaigns=["2025"])
        assert here.signature == files.signature
        assert [row.cells for row in here.rows()] == [row.cells for row in files.rows()]
        assert [row.cells for row in here.averages()] == [row.cells for row in files.averages()]
        store.close()

    def take_into_new(self, address: str, suite: str, outputs: Sequence[object], campaign: str = "") -> Imported:
        if "://" in address:
            Store.create(address).close()
        return self.take(address, suite, outputs, campaign)

    def test_outputs_for_a_suite_of_the_database(self, address: str) -> None:
        self.take_into_new(address, STARTER, [AVERAGE])
        done = self.take(address, "assay-de-en", [CAREFUL], campaign="2026")
        assert (done.saved.revision, done.systems) == (None, [System("careful", "2026")])

    def test_a_suite_of_the_database_without_outputs(self, address: str) -> None:
        self.take_into_new(address, STARTER, [])
        with pytest.raises(BadOption, match="assay-de-en is in the database already; name outputs to import"):
            self.take(address, "assay-de-en")

    def test_a_campaign_without_outputs(self, tmp_path: Path) -> None:
        with pytest.raises(BadOption, match="a source or campaign is given without outputs; name their files too"):
            self.take(str(tmp_path / "assay.db"), STARTER, campaign="WMT21")
        assert list(tmp_path.iterdir()) == []

    def test_systems_are_renamed_by_aliases(self, tmp_path: Path) -> None:
        aliases = tmp_path / "aliases.yaml"
        aliases.write_text("systems: {average: Mean}\n", encoding="utf-8")
        address = str(tmp_path / "assay.db")
        ready = Inputs(STARTER, [str(AVERAGE)], aliases=aliases)
        assert import_files(address, ready, force=False).systems == [System("Mean")]
        again = Inputs("assay-de-en", [str(AVERAGE)], campaign="2026", aliases=aliases)
        assert import_files(address, again, force=False).systems == [System("Mean", "2026")]

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"one line\n", r"1 lines for 94 items; give one line per item"),
            (b"", "the file is empty"),
            (b"\xff\n" * 94, "not UTF-8"),
        ],
    )
    def test_misaligned_and_broken_outputs(self, address: str, tmp_path: Path, content: bytes, message: str) -> None:
        self.take_into_new(address, STARTER, [AVERAGE])
        store = Store.open(address)
        before = contents(store)
        (tmp_path / "bad.txt").write_bytes(content)
        with pytest.raises(BadFile, match=message):
            self.take(address, STARTER, [CAREFUL, tmp_path / "bad.txt"])
        assert contents(store) == before
        store.close()

    def test_a_campaign_file_with_a_system_that_is_not_there(self, tmp_path: Path) -> None:
        (tmp_path / "careful.tsv").write_bytes(CAREFUL.read_bytes())
        campaign = tmp_path / "campaign.yaml"
        campaign.write_text("campaign: X\noutputs: [careful.tsv]\nsystems: {Careful: {group: a}}\n", encoding="utf-8")
        with pytest.raises(UnknownName, match="no system 'Careful'; did you mean careful"):
            self.take(str(tmp_path / "assay.db"), STARTER, [campaign])
        assert not (tmp_path / "assay.db").exists()

    def test_items_that_the_suite_does_not_have(self, tmp_path: Path) -> None:
        record = {"item": "nowhere/1", "system": "X", "text": "Yes."}
        (tmp_path / "x.jsonl").write_text(json.dumps(record), encoding="utf-8")
        with pytest.raises(BadFile, match="no item 'nowhere/1' in suite assay-de-en"):
            self.take(str(tmp_path / "assay.db"), STARTER, [tmp_path / "x.jsonl"])
        assert not (tmp_path / "assay.db").exists()

    def test_a_rule_that_does_not_compile_leaves_no_new_database(self, tmp_path: Path) -> None:
        """That is found out when texts are judged, with the database in hand."""
        folder = tmp_path / "files"
        folder.mkdir()
        suite = {"category": "Words", "phenomenon": "Senses", "items": [{"id": "a", "source": "x", "pass": ["(lock"]}]}
        head = "name: tiny\nlangpair: de-en\nversion: '1'\nlicence: CC0\ncategories: {Words: {Senses: x}}\n"
        (folder / "suite.yaml").write_text(head, encoding="utf-8")
        (folder / "senses.yaml").write_text(json.dumps(suite), encoding="utf-8")
        (tmp_path / "out.txt").write_text("a lock\n", encoding="utf-8")
        with pytest.raises(BadFile, match="does not compile"):
            self.take(str(tmp_path / "assay.db"), str(folder), [tmp_path / "out.txt"])
        assert sorted(path.name for path in tmp_path.iterdir()) == ["files", "out.txt"]

    def test_a_new_database_has_nothing_beside_it(self, tmp_path: Path) -> None:
        self.take(str(tmp_path / "assay.db"), STARTER, [CAREFUL])
        assert [path.name for path in tmp_path.iterdir()] == ["assay.db"]

    def test_somebody_else_makes_the_database_meanwhile(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Both imports are in it."""
        address, link = str(tmp_path / "assay.db"), os.link

        def overtaken(*names: Path) -> None:
            Store.create(address).close()
            link(*names)

        monkeypatch.setattr(os, "link", overtaken)
        assert self.take(address, STARTER).saved.revision == 1
        store = Store.open(address)
        assert [row["name"] for row in contents(store)["suites"]] == ["assay-de-en"]
        store.close()

    @pytest.mark.parametrize("name", ["no/assay.db", "file/assay.db"])
    def test_a_folder_that_is_not_there(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(BadDatabase, match=rf"{name}: the folder .* does not exist|Not a directory"):
            self.take(str(tmp_path / name), STARTER)

    def test_an_empty_file_becomes_a_database(self, tmp_path: Path) -> None:
        """A process that was killed while it made the database leaves one."""
        (tmp_path / "assay.db").touch()
        assert self.take(str(tmp_path / "assay.db"), STARTER).saved.revision == 1

    def test_whoever_imports_is_an_admin_even_if_named_in_judgements(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("LOGNAME", "anna")
        address = str(tmp_path / "assay.db")
        store = Store.create(address)
        judged = Rule("pass", "exact", "Yes.", by="anna", on="2026-11-15")
        Import(with_rules(SUITE, PFERDE, judged), None, "").run(store, admin_of(store))
        assert self.take(address, STARTER).saved.revision == 1
        with store.reading() as db:
            anna = find_user(db, "anna")
        assert anna
        assert (anna.role, anna.active) == ("admin", True)
        store.close()


def test_real_data_again_changes_nothing(data: Path, store: Store) -> None:
    """WMT21, German to English: an import that is repeated leaves every row alone."""
    files = sorted((data / "wmt21" / "system-outputs").glob("newstest2021.de-en.hyp.*.en"))[:4]
    source = next((data / "wmt21" / "sources").glob("*.de-en.src.de"))
    ready = read(
        str(data / "dfki/items.de-en.json"), [str(file) for file in files], source=str(source), campaign="WMT21"
    )
    admin = admin_of(store)
    assert ready.run(store, admin).outputs > 1000
    before = contents(store)
    again = ready.run(store, admin)
    assert (again.saved.revision, again.outputs, len(again.unchanged)) == (None, 0, 4)
    assert contents(store) == before
