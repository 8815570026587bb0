"""Opening databases: ours, nobody's, other people's, of other times."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from assay.errors import BadDatabase
from assay.verdicts.judgements import Event
from assay.workbench.db import migrate
from assay.workbench.db.audit import entries
from assay.workbench.db.audit import record as tell
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import record
from assay.workbench.db.people import add_user, get_user, list_users
from assay.workbench.db.schema import metadata
from assay.workbench.db.seen import reveal, text_state
from tests.workbench.little import fill


def test_a_new_database_is_ready(address: str) -> None:
    Store.create(address).close()
    store = Store.open(address)
    with store.reading() as db:
        assert list_users(db) == []
    store.close()


def test_making_it_again_changes_nothing(address: str) -> None:
    store = Store.create(address)
    with store.writing() as db:
        add_user(db, "Anna", "admin")
    store.close()
    again = Store.create(address)
    with again.reading() as db:
        assert [user.name for user in list_users(db)] == ["Anna"]
    again.close()


def test_the_migrations_make_the_tables_of_the_schema(store: Store) -> None:
    with store.reading() as db:
        assert compare_metadata(MigrationContext.configure(db), metadata) == []


def test_an_empty_postgresql_database_is_told_from_a_filled_one(address: str) -> None:
    if "://" not in address:
        pytest.skip("a SQLite file that is not there is another case")
    with pytest.raises(BadDatabase, match="the database is empty; fill it with: assay init"):
        Store.open(address)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadDatabase, match="there is no database; make one with: assay init"):
        Store.open(str(tmp_path / "assay.db"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"hello", b"PK\x03\x04" + bytes(200)])
def test_a_file_that_is_no_database_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    for way in (Store.open, Store.create):
        with pytest.raises(BadDatabase, match="this is not a database; name another file with --db"):
            way(str(path))
    assert path.read_bytes() == content


def test_somebody_elses_database_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE photos (name TEXT)")
    connection.close()
    before = path.read_bytes()
    for way in (Store.open, Store.create):
        with pytest.raises(BadDatabase, match="this database was not made by Assay"):
            way(str(path))
    assert path.read_bytes() == before


def test_somebody_elses_tables_in_postgresql(address: str) -> None:
    if "://" not in address:
        pytest.skip("files have their own test")
    store = Store.connect(address)
    with store.writing() as db:
        db.execute(text("CREATE TABLE photos (name TEXT)"))
    for way in (Store.open, Store.create):
        with pytest.raises(BadDatabase, match="this database was not made by Assay"):
            way(address)
    store.close()


def test_a_newer_database_is_left_alone(store: Store, address: str) -> None:
    with store.writing() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for way in (Store.open, Store.create):
        with pytest.raises(BadDatabase, match="made by a newer Assay; update Assay"):
            way(address)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("postgresql://assay@127.0.0.1:1/assay", "cannot be opened"),
        ("mysql://localhost/x", "this kind of database is not supported"),
        ("no such://thing", "this is no database address"),
        ("missing-folder/assay.db", "does not exist"),
    ],
)
def test_addresses_that_lead_nowhere(
    address: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadDatabase, match=message):
        Store.create(address)


def test_a_password_is_not_in_the_message() -> None:
    with pytest.raises(BadDatabase) as caught:
        Store.open("postgresql://assay:secret@127.0.0.1:1/assay")
    assert "secret" not in str(caught.value)


BROKEN = '''
"""A step that fails in the middle."""
from alembic import op
revision = "broken"
down_revision = "{head}"

def upgrade() -> None:
    op.execute("CREATE TABLE half (id INTEGER)")
    op.execute("INSERT INTO half SELECT * FROM nowhere")
'''


def scripts_in(folder: Path, *names: str) -> Path:
    """A copy of the migrations, of those steps alone whose files begin with these names."""
    for file in migrate.SCRIPTS.rglob("*.py"):
        if file.parent.name != "versions" or file.name.startswith(names):
            copy = folder / file.relative_to(migrate.SCRIPTS)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    return folder


def test_a_failed_migration_leaves_the_old_database_usable(
    store: Store, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.writing() as db:
        add_user(db, "Anna", "admin")
    store.close()
    scripts = scripts_in(tmp_path / "migrations", "")
    (scripts / "versions" / "broken.py").write_text(BROKEN.format(head=migrate.head()))
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "SCRIPTS", scripts)
        with pytest.raises(BadDatabase, match="of an older version; bring it up to date with: assay init"):
            Store.open(address)
        with pytest.raises(BadDatabase, match=r"could not be brought up to date .* it is as before"):
            Store.create(address)
    again = Store.open(address)
    with again.reading() as db:
        assert [user.name for user in list_users(db)] == ["Anna"]
    again.close()


class TestADatabaseOfTheFirstVersion:
    """0001, before what people have seen, the audit trail, the files of suites and draws were kept in it."""

    @pytest.fixture
    def old(self, address: str) -> str:
        """Its address; Anna has judged a text there."""
        store = Store.create(address)
        fill(store)
        with store.writing() as db:
            record(db, Event(0, 1, "Anna", "judgement", "pass"), add_user(db, "Anna", "annotator"))
            for later in ("hidings", "draw_texts", "draws", "suite_files", "audit", "seen"):
                db.execute(text(f"DROP TABLE {later}"))
            for later in ("prompt", "context", "group_name", "renderings", "rubric", "independent", "labels", "tier"):
                db.execute(text(f"ALTER TABLE versions DROP COLUMN {later}"))
            for table in ("suites", "systems"):
                db.execute(text(f"ALTER TABLE {table} DROP COLUMN hidden"))
            for table, column in (("rules", "scope"), ("versions", "source_of"), ("judgements", "origin")):
                db.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
            db.execute(text("UPDATE alembic_version SET version_num = '0001'"))
        store.close()
        return address

    def test_is_brought_up_to_date_with_all_that_is_in_it(self, old: str) -> None:
        with pytest.raises(BadDatabase, match="of an older version; bring it up to date with: assay init"):
            Store.open(old)
        before = self.rows(old)
        store = Store.create(old)
        with store.reading() as db:
            assert compare_metadata(MigrationContext.configure(db), metadata) == []
            anna = get_user(db, "Anna")
        assert self.rows(old) == before
        with store.writing() as db:
            reveal(db, anna, {2: ["judgements"]})
            assert text_state(db, anna, 2).seen == ("judgements",)
            tell(db, "Anna", "export", "all of it")
            assert [entry.what for entry in entries(db, limit=10)] == ["all of it"]
        store.close()

    def test_a_copy_of_the_file_is_kept(self, old: str) -> None:
        Store.create(old).close()
        if "://" not in old:
            with closing(sqlite3.connect(f"{old}.before-0001")) as copy:
                assert copy.execute("SELECT count(*) FROM judgements").fetchone() == (1,)
                assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)

    def test_stays_as_it_is_where_the_step_fails(self, old: str) -> None:
        """Somebody made a table of that name by hand."""
        store = Store.connect(old)
        with store.writing() as db:
            db.execute(text("CREATE TABLE seen (id INTEGER)"))
        before = self.rows(old)
        with pytest.raises(BadDatabase, match=r"could not be brought up to date \(.*seen.*\); it is as before"):
            Store.create(old)
        assert self.rows(old) == before
        with store.writing() as db:
            db.execute(text("DROP TABLE seen"))
        store.close()
        Store.create(old).close()

    def rows(self, address: str) -> dict[str, list[tuple[object, ...]]]:
        """What was in the database before; how judgements came about is said since."""
        store = Store.connect(address)
        with store.reading() as db:
            found = {
                name: db.execute(text(f"SELECT * FROM {name}")).mappings() for name in ("items", "texts", "judgements")
            }
            rows = {
                name: sorted((tuple(row[key] for key in row if key != "origin") for row in result), key=repr)
                for name, result in found.items()
            }
        store.close()
        return rows


def test_a_new_database_is_its_owners_alone(tmp_path: Path) -> None:
    with closing(Store.create(str(tmp_path / "assay.db"))) as store, store.writing():
        # The log that is written beside it while it is in use too.
        assert {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()} == {
            "assay.db": "0o600",
            "assay.db-shm": "0o600",
            "assay.db-wal": "0o600",
        }


def test_a_folder_where_everybody_may_replace_it_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(BadDatabase, match="everybody may write to its folder"):
        Store.create(str(tmp_path / "assay.db"))
    tmp_path.chmod(0o1777)  # as /tmp: others may write, but replace only their own
    Store.create(str(tmp_path / "assay.db")).close()
