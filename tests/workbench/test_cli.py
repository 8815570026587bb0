"""`assay init`, `import`, `export`, `user`: what they do and print, and what they refuse."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from assay.outputs import System
from assay.reports import render
from assay.suites import load_suite
from assay.verdicts.judgements import Event
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import suite_events
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import read
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.questions import ask
from assay.workbench.snapshot import Snapshot, Snapshots
from tests.conftest import Run
from tests.databases import Server
from tests.starter import AVERAGE, CAREFUL, OUTPUTS, STARTER, SUITE
from tests.suites.building import listing
from tests.workbench.little import admin_of, contents
from tests.workbench.visits import Visits

NAME = "assay-de-en"
PASSWORD = "correct horse\n"


def board_of(address: str) -> Snapshot:
    store = Store.open(address)
    try:
        return Snapshots(store).get(NAME)
    finally:
        store.close()


# What they print


@pytest.mark.parametrize("command", ["init", "import", "export", "user add", "user list", "user change", "serve"])
def test_help_has_examples(assay: Run, command: str) -> None:
    said = assay(*command.split(), "--help").stdout
    assert re.search(rf"Examples?:\n +assay {'import' if command == 'serve' else command}", said)
    assert "ASSAY_DB" in said


class TestInit:
    def test_it_makes_a_database_once(self, assay: Run, tmp_path: Path) -> None:
        assert assay("init").stdout == "assay.db: ready\n"
        before = (tmp_path / "assay.db").read_bytes()
        assert assay("init").stdout == "assay.db: ready\n"
        assert (tmp_path / "assay.db").read_bytes() == before

    def test_where_it_is_told(self, assay: Run, tmp_path: Path) -> None:
        assert assay("init", ASSAY_DB="mine.db").stdout == "mine.db: ready\n"
        assert assay("init", "--db", "other.db", ASSAY_DB="mine.db").stdout == "other.db: ready\n"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.db", "other.db"]

    def test_a_password_of_a_database_is_not_shown(self, assay: Run) -> None:
        said = assay("init", "--db", "postgresql://assay:secret@127.0.0.1:1/x", code=2).stderr
        assert "postgresql+psycopg://assay:***@127.0.0.1:1/x: cannot be opened" in said


class TestImport:
    def test_a_suite_and_outputs(self, assay: Run, address: str) -> None:
        assay("init", "--db", address)
        done = assay("import", STARTER, *OUTPUTS, "--campaign", "2025", "--db", address)
        assert done.stdout == (
            "assay-de-en: revision 1: 94 items added, 0 changed, 0 removed\n"
            "systems added: average (2025), careful (2025), literal (2025)\n"
            "outputs: 282, 277 of them new texts\n"
        )
        again = assay("import", STARTER, *OUTPUTS, "--campaign", "2025", ASSAY_DB=address)
        assert again.stdout == (
            "assay-de-en: unchanged\nsystems there already: average (2025), careful (2025), literal (2025)\n"
        )

    def test_it_makes_the_database(self, assay: Run, tmp_path: Path) -> None:
        assay("import", STARTER)
        assert assay("import", NAME, AVERAGE).stdout.startswith("assay-de-en: unchanged\nsystems added: average\n")

    def test_a_campaign_file(self, assay: Run, tmp_path: Path) -> None:
        names = "".join(f"  - {path}\n" for path in OUTPUTS)
        (tmp_path / "c.yaml").write_text(f"campaign: '2025'\noutputs:\n{names}exclude: [literal]\n", encoding="utf-8")
        done = assay("import", STARTER, "--campaign", "c.yaml")
        assert "systems added: average (2025), careful (2025)\n" in done.stdout

    def test_other_outputs_need_force(self, assay: Run) -> None:
        assay("import", STARTER, AVERAGE)
        refused = assay("import", STARTER, f"average={CAREFUL}", code=2)
        assert refused.stderr == (
            "assay: other outputs of average are in the database already; replace them with --force, or name another "
            "campaign with --campaign\n"
        )
        assert "systems replaced: average\n" in assay("import", STARTER, f"average={CAREFUL}", "--force").stdout


class TestUsers:
    def test_add_list_and_change(self, assay: Run, address: str) -> None:
        assay("init", "--db", address)
        assert (
            assay("user", "add", "anna", "--role", "admin", "--db", address, stdin=PASSWORD).stdout == "anna: admin\n"
        )
        assert assay("user", "add", "ben", "--db", address, stdin=PASSWORD).stdout == "ben: annotator\n"
        assert assay("user", "change", "ben", "--inactive", "--db", address).stdout == "ben: annotator, not active\n"
        listed = assay("user", "list", ASSAY_DB=address).stdout
        assert listed == "anna\tadmin\tactive\nben\tannotator\tnot active\n"
        changed = assay("user", "change", "ben", "--active", "--role", "viewer", "--db", address)
        assert changed.stdout == "ben: viewer\n"

    def test_the_first_account_makes_the_database(self, assay: Run) -> None:
        assay("user", "add", "anna", "--role", "admin", stdin=PASSWORD)
        assert assay("user", "list").stdout == "anna\tadmin\tactive\n"

    def test_whoever_imports_is_listed_too(self, assay: Run) -> None:
        assay("import", STARTER, LOGNAME="dora")
        assert assay("user", "list").stdout == "dora\tadmin\tno password\n"

    def test_a_new_password_ends_sessions_and_lets_in(self, assay: Run, tmp_path: Path) -> None:
        from assay.workbench.people.credentials import log_in

        assay("user", "add", "anna", "--role", "admin", stdin=PASSWORD)
        assay("user", "change", "anna", "--password", stdin="battery staple\n")
        store = Store.open(str(tmp_path / "assay.db"))
        assert log_in(store, "anna", "correct horse") is None
        found = log_in(store, "anna", "battery staple")
        assert found is not None
        assert found.name == "anna"
        store.close()


# Out and in again


class Worked(NamedTuple):
    """A database in which people have judged, as it was when they stopped."""

    address: str
    snapshot: Snapshot
    events: list[Event]


def work(address: str) -> Worked:
    """Judgements of every kind: agreement, dispute, adjudication, undo, skip, comment, tags, acceptability."""
    store = Store.create(address)
    admin = admin_of(store)
    for campaign, files in (("2025", OUTPUTS), ("2026", [CAREFUL])):
        read(STARTER, [str(file) for file in files], campaign=campaign).run(store, admin)
    with store.writing() as db:
        anna, bruno = (add_user(db, name, "adjudicator") for name in ("Anna Ärmel", "Bruno"))
    ask(store, admin, NAME, acceptability="5", tags="register: too formal")
    visits = Visits(store)
    waiting = [task.text_id for task in visits.snapshot(NAME).tasks]
    say: Callable[..., Any] = lambda user, number, *said, **more: visits.judge(  # noqa: E731
        user, NAME, AnnotatorAnswer(waiting[number], *said, **more)
    )
    say(anna, 0, "pass", "“gut”, don’t\tworry", 4, ("critical", "register"))
    say(bruno, 0, "pass")
    say(anna, 1, "pass", seen=("systems",))
    say(bruno, 1, "fail", "disputed")
    say(anna, 2, "fail")
    visits.adjudicate(bruno, NAME, AnnotatorAnswer(waiting[2], "pass", "idiomatic"))
    say(anna, 3, "pass")
    visits.undo(anna)
    say(anna, 4, None)
    say(anna, 5, "fail")
    with store.reading() as db:
        found = Worked(address, visits.state.snapshots.get(NAME, db), suite_events(db, 1))
    store.close()
    return found


@pytest.fixture
def worked(address: str) -> Worked:
    return work(address)


def told(address: str) -> list[tuple[object, ...]]:
    """Everything that people did, without ids."""
    store = Store.open(address)
    with store.reading() as db:
        snapshot, events = Snapshots(store).get(NAME, db), suite_events(db, 1)
    store.close()
    numbers = {event.id: number for number, event in enumerate(events)}
    return [
        (
            snapshot.items[snapshot.texts[event.text_id].place].id,
            snapshot.texts[event.text_id].value,
            replace(event, id=numbers[event.id], text_id=0, undoes=numbers[event.undoes] if event.undoes else None),
        )
        for event in events
    ]


def verdict_rows(snapshot: Snapshot) -> list[tuple[object, ...]]:
    table = snapshot.evaluate(keep_all=True).table
    return sorted((*judged.record().values(),) for judged in table)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Worked:
    """One for all tests that only read it."""
    return work(str(tmp_path_factory.mktemp("worked") / "assay.db"))


class TestExport:
    """What is written does not depend on the kind of database; `TestFromOneDatabaseToAnother` has both."""

    @pytest.fixture
    def worked(self, kept: Worked) -> Worked:
        return kept

    def test_what_it_writes_and_says(self, assay: Run, worked: Worked, tmp_path: Path) -> None:
        done = assay("export", "--db", worked.address)
        assert done.stdout == "assay-de-en: 94 items, 4 systems, 4 judged texts\n"
        folder = tmp_path / NAME
        assert sorted(path.name for path in folder.iterdir()) == [
            "history.jsonl",
            "judgements.jsonl",
            "outputs",
            "questions.yaml",
            "suite",
            "verdicts.tsv",
        ]
        assert sorted(path.name for path in (folder / "outputs").glob("*.yaml")) == ["2025.yaml", "2026.yaml"]

    def test_evaluating_the_files_gives_the_same_numbers(self, assay: Run, worked: Worked, tmp_path: Path) -> None:
        assay("export", "-o", "out", "--db", worked.address)
        assay("evaluate", "out/suite", "out/outputs/2025.yaml", "-o", "r.json", "--verdicts", "v.tsv")
        found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
        wanted = json.loads(render(worked.snapshot.evaluate(campaigns=["2025"]), "json"))
        assert found == wanted
        assert found["signature"].count(worked.snapshot.suite.hash) == 1
        both = ("out/outputs/2025.yaml", "out/outputs/2026.yaml")
        assay("evaluate", "out/suite", *both, "--keep-all", "--verdicts", "all.tsv")
        assert (tmp_path / "all.tsv").read_bytes() == (tmp_path / "out" / "verdicts.tsv").read_bytes()

    def test_real_data_after_twenty_judgements(self, assay: Run, data: Path, tmp_path: Path) -> None:
        """WMT21, German to English: twenty judgements, and the exported files give the numbers of the database."""
        files = sorted((data / "wmt21" / "system-outputs").glob("newstest2021.de-en.hyp.*.en"))
        source = next((data / "wmt21" / "sources").glob("*.de-en.src.de"))
        address = str(tmp_path / "assay.db")
        assay("import", data / "dfki/items.de-en.json", *files, "--source", source, "--campaign", "WMT21")
        store = Store.open(address)
        visits, admin = Visits(store), admin_of(store)
        name = "items.de-en"
        before = visits.snapshot(name).evaluate().items_counted
        for _ in range(20):
            offer = visits.next_text(admin, name)
            assert offer
            assert visits.judge(admin, name, AnnotatorAnswer(offer.task.text_id, "pass")).freed == 1
        snapshot = visits.snapshot(name)
        store.close()
        assert snapshot.evaluate().items_counted == before + 20
        assay("export", "-o", "out")
        assay("evaluate", "out/suite", "out/outputs/wmt21.yaml", "-o", "r.json")
        found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
        assert found == json.loads(render(snapshot.evaluate(campaigns=["WMT21"]), "json"))

    def test_a_report(self, assay: Run, worked: Worked, tmp_path: Path) -> None:
        assay("export", "-o", "out", "--report", "--pseudonyms", "--db", worked.address)
        names = {path.name for path in (tmp_path / "out" / "report").rglob("*")}
        assert {"index.html", "results.xlsx"} <= names
        assert_nameless(tmp_path / "out")

    def test_pseudonyms_leave_no_name(self, assay: Run, worked: Worked, tmp_path: Path) -> None:
        assay("export", "-o", "named", "--db", worked.address)
        with pytest.raises(AssertionError):
            assert_nameless(tmp_path / "named")
        assay("export", "-o", "out", "--pseudonyms", "--db", worked.address)
        assert_nameless(tmp_path / "out")
        lines = (tmp_path / "out" / "judgements.jsonl").read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines]
        assert [event["by"] for event in events[:2]] == ["annotator-1", "annotator-2"]
        assert '"name": "annotator-3", "role": "admin"' in (tmp_path / "out" / "history.jsonl").read_text("utf-8")
        by = {event.by for event in worked.events}
        assert len({event["by"] for event in events}) == len(by)

    def test_a_folder_that_is_not_empty_needs_force(self, assay: Run, tmp_path: Path) -> None:
        assay("import", STARTER)
        assay("export", "-o", "out")
        refused = assay("export", "-o", "out", code=2)
        assert refused.stderr == "assay: out: the folder is not empty; choose another name or add --force\n"
        assert assay("export", "-o", "out", "--force").stdout == "out: 94 items, 0 systems, 0 judged texts\n"

    def test_not_over_the_folder_of_the_database(self, assay: Run, tmp_path: Path) -> None:
        (tmp_path / "work" / "data").mkdir(parents=True)
        assay("import", STARTER, "--db", "work/data/assay.db")
        for folder in ("work/data", "work"):
            refused = assay("export", "-o", folder, "--force", "--db", "work/data/assay.db", code=2)
            assert refused.stderr == f"assay: {folder}: the database is in this folder; choose another with -o\n"
        assay("export", "-o", "work/data/out", "--db", "work/data/assay.db")

    def test_which_suite_where_there_are_several(self, assay: Run) -> None:
        assert assay("init").stdout
        assert assay("export", code=2).stderr == "assay: the database has no suite yet\n"
        assay("import", STARTER)
        assay("import", "en-de")
        assert assay("export", code=2).stderr == "assay: name a suite; there are: assay-de-en, assay-en-de\n"
        assert assay("export", "assay-de", code=2).stderr.startswith("assay: no suite 'assay-de'; did you mean")
        assay("export", NAME)

    def test_no_report_without_outputs(self, assay: Run, tmp_path: Path) -> None:
        assay("import", STARTER)
        assert assay("export", "--report", code=2).stderr == "assay: there are no outputs to report on\n"
        assert [path.name for path in tmp_path.iterdir()] == ["assay.db"]


def assert_nameless(folder: Path) -> None:
    """None of the annotators' names is in any file, nor in the name of one; compressed ones are unpacked."""
    from zipfile import ZipFile, is_zipfile

    names = [name.encode() for name in ("Anna Ärmel", "Ärmel", "Bruno")]
    for path in folder.rglob("*"):
        content = str(path).encode()
        if path.is_file():
            content += path.read_bytes()
        if path.is_file() and is_zipfile(path):
            with ZipFile(path) as archive:
                content += b"".join(archive.read(name) for name in archive.namelist())
        for name in names:
            assert name not in content, f"{path} names {name.decode()}"


class TestFromOneDatabaseToAnother:
    @pytest.fixture
    def other(self, address: str, postgresql: Server, tmp_path: Path) -> Iterator[str]:
        """An empty database of the other kind."""
        if "://" in address:
            yield str(tmp_path / "other.db")
            return
        with postgresql.database() as found:
            yield found

    def test_nothing_is_lost(self, assay: Run, worked: Worked, other: str, tmp_path: Path) -> None:
        assay("export", "-o", "out", "--db", worked.address)
        assay("init", "--db", other)
        done = assay("import", "out", "--db", other)
        assert done.stdout.splitlines()[1] == f"judgements: {len(worked.events)} taken"
        there = board_of(other)
        assert there.suite.hash == worked.snapshot.suite.hash
        assert there.suite == worked.snapshot.suite
        assert there.questions == worked.snapshot.questions == {"acceptability": 5, "tags": {"register": "too formal"}}
        assert verdict_rows(there) == verdict_rows(worked.snapshot)
        assert told(other) == told(worked.address)
        assert render(there.evaluate(campaigns=["2025"]), "json") == render(
            worked.snapshot.evaluate(campaigns=["2025"]), "json"
        )
        assay("export", "-o", "again", "--db", other)
        assert listing(tmp_path / "again") == listing(tmp_path / "out")

    def test_again_changes_nothing(self, assay: Run, worked: Worked, other: str) -> None:
        assay("export", "-o", "out", "--db", worked.address)
        store = Store.create(other)
        assay("import", "out", "--db", other)
        before = contents(store)
        done = assay("import", "out", "--db", other)
        assert done.stdout.startswith("assay-de-en: unchanged\nsystems there already: ")
        assert contents(store) == before
        store.close()

    def test_back_where_it_came_from_changes_nothing(self, assay: Run, worked: Worked) -> None:
        assay("export", "-o", "out", "--db", worked.address)
        store = Store.open(worked.address)
        before = contents(store)["judgements"]
        assert "judgements" not in assay("import", "out", "--db", worked.address).stdout
        assert contents(store)["judgements"] == before
        store.close()

    def test_texts_with_every_character_that_a_table_has_trouble_with(self, assay: Run, tmp_path: Path) -> None:
        texts = ["tab\there", "line\nline", "a\rb", '"quoted" "', " blanks ", "", "“Don’t”", "\u2028", "=1+1", "\ufeff"]
        (tmp_path / "x.jsonl").write_text(
            "".join(
                json.dumps({"item": item.id, "system": "S = 1/2", "text": text}) + "\n"
                for item, text in zip(SUITE.items, texts, strict=False)
            ),
            encoding="utf-8",
        )
        assay("import", STARTER, "x.jsonl", "--campaign", "a/b: c")
        assay("export", "-o", "out")
        assay("import", "out", "--db", "other.db")
        there = board_of(str(tmp_path / "other.db"))
        assert there.outputs.systems == (System("S = 1/2", "a/b: c"),)
        assert [there.outputs.text(place, 0) for place in range(len(texts))] == texts


def test_a_suite_as_it_stood_at_a_revision(assay: Run, tmp_path: Path) -> None:
    assay("import", STARTER)
    assay("suite", "convert", STARTER, "-o", "mine")
    changed = tmp_path / "mine" / "suite.yaml"
    changed.write_text(changed.read_text("utf-8").replace("version: 0.1.0", "version: 0.2.0"), "utf-8")
    assert "revision 2" in assay("import", "mine").stdout
    assert assay("export", "--revision", "1", "-o", "old").stdout == "old: 94 items of revision 1\n"
    assert load_suite(tmp_path / "old") == load_suite(STARTER)
    assert load_suite(tmp_path / "old").version == "0.1.0"
    assert "no revision '3'; there are: 1, 2" in assay("export", "--revision", "3", code=2).stderr
    assert "--revision writes the suite alone" in assay("export", "--revision", "1", "--report", code=2).stderr
