"""Rules of all kinds, defaults and shared sources in a database: imported, judged, exported, restored."""

from contextlib import closing
from pathlib import Path

from assay.outputs import Inputs
from assay.suites import load_suite
from assay.suites.native import read_files
from assay.workbench.db.database import Store
from assay.workbench.files.export import export, read_export
from assay.workbench.files.import_files import import_files
from assay.workbench.people.credentials import local_user
from assay.workbench.snapshot import Snapshot, Snapshots, SnapshotText
from assay.workbench.text_view import reasons
from tests.suites.building import MANIFEST, suite_folder

DEFAULTS = MANIFEST.replace("categories:", "defaults:\n  fail: [copy, refusal]\ncategories:")

ITEMS = """\
category: Ambiguity
phenomenon: Lexical ambiguity
items:
  - id: text
    source: Die Bank kostet %s. Sie setzte sich.
    pass: [{term: [bench, seat]}]
    fail: [{keeps: [placeholders]}]
  - id: pronoun
    source_of: text
    pass: [{contains: She, in: sentence 2}]
    defaults: none
"""


def test_out_of_one_database_and_into_another(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "suite", {"lex.yaml": ITEMS}, DEFAULTS)
    (tmp_path / "good.txt").write_text("The benches cost %s. She sat down.\n", encoding="utf-8")
    (tmp_path / "lost.txt").write_text("The bank costs ten. She sat down.\n", encoding="utf-8")
    address = str(tmp_path / "one.db")
    import_files(address, Inputs(str(folder), [str(tmp_path / "good.txt"), str(tmp_path / "lost.txt")]), force=False)
    with closing(Store.open(address)) as store:
        snapshot = Snapshots(store).get("garden")
        assert snapshot.items == load_suite(folder).items
        assert {
            (snapshot.items[text.place].id, text.value[:8]): _why(snapshot, text) for text in snapshot.texts.values()
        } == {
            ("lex/text", "The benc"): "pass: term rule (bench)",
            ("lex/text", "The bank"): "fail: keeps rule (missing %s)",
            ("lex/pronoun", "The benc"): "pass: rule, in sentence 2",
            ("lex/pronoun", "The bank"): "pass: rule, in sentence 2",
        }
        export(store, "garden", tmp_path / "out")
    assert read_files(tmp_path / "out" / "suite") == read_files(folder)
    with closing(Store.create(str(tmp_path / "two.db"))) as store:
        read_export(tmp_path / "out").run(store, local_user(store))
        assert Snapshots(store).get("garden").items == load_suite(folder).items
        export(store, "garden", tmp_path / "again")
    for name in ("history.jsonl", "suite/lex.yaml", "suite/suite.yaml"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def _why(snapshot: Snapshot, text: SnapshotText) -> str:
    words = reasons(text.finding, None, (snapshot.items[text.place], text.value))[0].words
    return f"{text.finding.verdict}: {words}"
