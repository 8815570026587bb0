"""Suites, versions, systems and texts in the database; transactions; what a database cannot keep."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Semaphore, Thread

import pytest
from sqlalchemy import text
from sqlalchemy.pool import QueuePool

from assay.errors import BadDatabase, BadOption, Overtaken, UnknownName
from assay.outputs import System
from assay.suites import Item, Rule, Suite
from assay.workbench.db import database
from assay.workbench.db.database import DatabaseBusy, Store, last_change
from assay.workbench.db.outputs import add_outputs, add_system, add_texts, list_systems, load_outputs, load_texts
from assay.workbench.db.outputs import remove_system as take_out
from assay.workbench.db.people import add_user, list_users
from assay.workbench.db.revisions import Saved, save_items, save_suite
from assay.workbench.db.ruled import Ruled
from assay.workbench.db.suites import find_suite, item_versions, list_suites, load_suite, revision_of, set_questions
from assay.workbench.people.roles import User
from tests.databases import Server
from tests.workbench.little import (
    ITEMS,
    NAME,
    PFERDE,
    SCHLOSS,
    STRAUSS,
    SUITE,
    contents,
    counts,
    with_items,
    with_rules,
    without,
)

BOLT = Rule("pass", "contains", "bolt")


@pytest.fixture
def anna(store: Store) -> User:
    with store.writing() as db:
        return add_user(db, "Anna", "admin")


def save(store: Store, suite: Suite, user: User, comment: str = "") -> Saved:
    with store.writing() as db:
        return save_suite(db, suite, user, comment)


def load(store: Store, revision: int | None = None) -> Suite:
    with store.reading() as db:
        return load_suite(db, find_suite(db, NAME).id, revision).suite


class TestSuites:
    def test_a_suite_comes_back_as_it_was(self, store: Store, anna: User) -> None:
        saved = save(store, SUITE, anna)
        assert (saved.revision, counts(saved)) == (1, (3, 0, 0))
        assert load(store) == SUITE

    def test_saving_it_again_changes_nothing(self, store: Store, anna: User) -> None:
        save(store, SUITE, anna)
        before = contents(store)
        assert save(store, SUITE, anna).revision is None
        assert contents(store) == before

    def test_tiers_and_what_is_said_of_phenomena_come_back(self, store: Store, anna: User) -> None:
        row = (ITEMS[0].category, ITEMS[0].phenomenon)
        suite = replace(SUITE, items=(replace(ITEMS[0], tier="context"), *ITEMS[1:]), lexical={row: True})
        save(store, suite, anna)
        assert load(store) == suite
        save(store, SUITE, anna)
        assert load(store) == SUITE
        assert load(store, 1) == suite

    def test_judgements_are_not_rules_here(self, store: Store, anna: User) -> None:
        judged = Rule("pass", "exact", "The key is in the latch.", by="Ben", on="2026-11-15")
        save(store, with_rules(SUITE, SCHLOSS, BOLT, judged), anna)
        assert load(store).item(SCHLOSS).rules == (BOLT,)

    def test_a_search_rule_with_a_name_stays_a_rule(self, store: Store, anna: User) -> None:
        save(store, with_rules(SUITE, SCHLOSS, replace(BOLT, by="Ben", on="2026-11-15")), anna)
        assert load(store).item(SCHLOSS).rules == (BOLT,)

    def test_a_changed_heading_is_a_revision_without_items(self, store: Store, anna: User) -> None:
        save(store, SUITE, anna)
        saved = save(store, replace(SUITE, version="2"), anna)
        assert (saved.revision, counts(saved)) == (2, (0, 0, 0))
        assert load(store).version == "2"
        assert load(store, 1).version == "1.10"

    def test_earlier_revisions_can_be_read(self, store: Store, anna: User) -> None:
        changed = with_rules(SUITE, SCHLOSS, BOLT)
        for suite in (SUITE, changed, without(changed, PFERDE)):
            save(store, suite, anna)
        assert load(store, 1) == SUITE
        assert load(store, 2) == changed
        assert load(store, 3) == load(store) == without(changed, PFERDE)

    def test_a_revision_that_nobody_made(self, store: Store, anna: User) -> None:
        save(store, SUITE, anna)
        with pytest.raises(UnknownName, match="no revision '7'; there are: 1"):
            load(store, 7)

    def test_a_suite_that_is_not_there(self, store: Store, anna: User) -> None:
        save(store, SUITE, anna)
        with pytest.raises(UnknownName, match="no suite 'litle'; did you mean little"), store.reading() as db:
            find_suite(db, "litle")

    def test_an_item_that_comes_back_is_the_same_item(self, store: Store, anna: User) -> None:
        def id_of_pferde() -> int:
            with store.reading() as db:
                stored = load_suite(db, find_suite(db, NAME).id)
                return stored.item_ids[stored.suite.positions[PFERDE]]

        save(store, SUITE, anna)
        first = id_of_pferde()
        assert counts(save(store, without(SUITE, PFERDE), anna)) == (0, 0, 1)
        assert PFERDE not in load(store).positions
        assert counts(save(store, SUITE, anna)) == (0, 1, 0)
        assert id_of_pferde() == first

    def test_the_order_is_that_of_the_last_save(self, store: Store, anna: User) -> None:
        save(store, SUITE, anna)
        save(store, replace(SUITE, items=ITEMS[::-1], version="2"), anna)
        assert [item.id for item in load(store)] == [PFERDE, STRAUSS, SCHLOSS]

    def test_the_list_of_suites_counts_what_stands(self, store: Store, anna: User) -> None:
        save(store, SUITE, anna)
        save(store, without(SUITE, PFERDE), anna)
        save(store, replace(SUITE, name="another"), anna)
        with store.reading() as db:
            found = [(entry.name, entry.langpair, entry.revision, entry.items) for entry in list_suites(db)]
        assert found == [("another", "de-en", 1, 3), (NAME, "de-en", 2, 2)]

    def test_questions_are_kept(self, store: Store, anna: User) -> None:
        suite_id = save(store, SUITE, anna).suite_id
        with store.writing() as db:
            set_questions(db, suite_id, {"acceptability": 5, "tags": {"register": "too formal"}})
        with store.reading() as db:
            assert load_suite(db, suite_id).questions == {"acceptability": 5, "tags": {"register": "too formal"}}


class TestVersions:
    def test_rules_keep_their_author_and_date(self, store: Store, anna: User) -> None:
        with store.writing() as db:
            ben = add_user(db, "Ben", "annotator")
        save(store, SUITE, anna, "first")
        save(store, with_rules(SUITE, SCHLOSS, *ITEMS[0].rules, BOLT), ben, "bolts too")
        with store.reading() as db:
            newest, oldest = item_versions(db, load_suite(db, find_suite(db, NAME).id).item_ids[0])
        assert [(version.by, version.comment) for version in (oldest, newest)] == [
            ("Anna", "first"),
            ("Ben", "bolts too"),
        ]
        assert newest.item.rules == (*ITEMS[0].rules, BOLT)
        assert newest.authors[:2] == oldest.authors
        assert [name for name, _ in newest.authors] == ["Anna", "Anna", "Ben"]

    def test_only_changed_items_get_a_version(self, store: Store, anna: User) -> None:
        save(store, SUITE, anna)
        assert counts(save(store, with_rules(SUITE, SCHLOSS, BOLT), anna)) == (0, 1, 0)
        with store.reading() as db:
            stored = load_suite(db, find_suite(db, NAME).id)
            assert [len(item_versions(db, item_id)) for item_id in stored.item_ids] == [2, 1, 1]
            assert revision_of(db, stored.id) == 2

    def test_a_removal_is_a_version_too(self, store: Store, anna: User) -> None:
        save(store, SUITE, anna)
        with store.reading() as db:
            item_id = load_suite(db, find_suite(db, NAME).id).item_ids[2]
        save(store, without(SUITE, PFERDE), anna)
        with store.reading() as db:
            assert [version.removed for version in item_versions(db, item_id)] == [True, False]

    def test_whoever_edits_an_old_version_is_told_who_was_quicker(self, store: Store, anna: User) -> None:
        with store.writing() as db:
            ben = add_user(db, "Ben", "annotator")
        suite_id = save(store, SUITE, anna).suite_id
        with store.reading() as db:
            stored = load_suite(db, suite_id)
        edits = {
            stored.item_ids[place]: (replace(ITEMS[place], rules=(BOLT,)), stored.version_ids[place])
            for place in (0, 1)
        }
        with store.writing() as db:
            save_items(db, suite_id, {key: edits[key] for key in stored.item_ids[:1]}, ben, "quick")
        before = contents(store)
        with pytest.raises(Overtaken, match=f"Ben changed {SCHLOSS} while you were editing it"), store.writing() as db:
            save_items(db, suite_id, edits, anna, "slow")
        assert contents(store) == before


class TestOutputs:
    @pytest.fixture
    def item_ids(self, store: Store, anna: User) -> list[int]:
        suite_id = save(store, SUITE, anna).suite_id
        with store.reading() as db:
            return list(load_suite(db, suite_id).item_ids)

    def test_outputs_and_texts_come_back(self, store: Store, anna: User, item_ids: list[int]) -> None:
        ruled = Ruled(1, "", [[0, 15, 19]], "hash")
        system = System("A", "WMT21", {"group": "online"}, "a.txt")
        with store.writing() as db:
            texts = add_texts(db, [(item_ids[0], "in the lock", ruled)])
            system_id = add_system(db, 1, system, anna)
            add_outputs(db, 1, [(system_id, item_ids[0], texts[0], "in  the lock ")])
        with store.reading() as db:
            found = list_systems(db, 1)
            assert [(stored.system, stored.system.metadata) for stored in found] == [(system, {"group": "online"})]
            assert load_outputs(db, [system_id]) == [(system_id, item_ids[0], texts[0], "in  the lock ")]
            (row,) = load_texts(db, 1)
            assert (row.value, row.first, row.ruled, row.settled) == ("in the lock", 1, ruled, None)

    def test_texts_stay_where_a_system_goes(self, store: Store, anna: User, item_ids: list[int]) -> None:
        with store.writing() as db:
            texts = add_texts(db, [(item_ids[0], "in the lock", Ruled(1, "", [], ""))])
            system_id = add_system(db, 1, System("A"), anna)
            add_outputs(db, 1, [(system_id, item_ids[0], texts[0], None)])
        with store.writing() as db:
            take_out(db, 1, system_id)
        with store.reading() as db:
            assert list_systems(db, 1) == []
            assert [row.value for row in load_texts(db, 1)] == ["in the lock"]

    @pytest.mark.parametrize("system", [System("A" * 201), System("A", "W" * 201)])
    def test_names_that_are_too_long(self, store: Store, anna: User, item_ids: list[int], system: System) -> None:
        with pytest.raises(BadOption, match="has 201 characters; at most 200 are kept"), store.writing() as db:
            add_system(db, 1, system, anna)


class TestTransactions:
    def test_all_or_nothing(self, store: Store) -> None:
        with pytest.raises(BadOption, match="there is a user 'Anna' already"), store.writing() as db:
            [add_user(db, name, "admin") for name in ("Anna", "Ben", "Anna")]
        with store.reading() as db:
            assert list_users(db) == []

    def test_a_reader_sees_one_state(self, store: Store, anna: User) -> None:
        with store.reading() as db:
            before = last_change(db), list_users(db)
            save(store, SUITE, anna)
            with store.writing() as other:
                add_user(other, "Ben", "viewer")
            assert (last_change(db), list_users(db)) == before
        with store.reading() as db:
            assert last_change(db) > before[0]

    def test_writers_take_turns_from_their_first_statement(self, store: Store) -> None:
        """Whoever comes second sees all that the first has done, and nobody in between."""
        inside = Event()
        seen: list[str] = []

        def second() -> None:
            inside.set()
            with store.writing() as db:
                seen.extend(user.name for user in list_users(db))

        thread = Thread(target=second)
        with store.writing() as db:
            thread.start()
            inside.wait()
            thread.join(0.2)
            assert seen == []
            add_user(db, "Anna", "admin")
        thread.join()
        assert seen == ["Anna"]


class TestWhatCannotBeKept:
    """The same on both databases: files go from one to the other."""

    @pytest.mark.parametrize(
        ("source", "message"),
        [
            ("Der\0Schlüssel", r"'Der\\x00Schl\\xfcssel' has U\+0000 in it, which a database cannot keep"),
            ("halb \ud83d ganz", r"'halb \\ud83d ganz' has U\+D83D in it, which a database cannot keep"),
        ],
    )
    def test_characters(self, store: Store, anna: User, source: str, message: str) -> None:
        before = contents(store)
        with pytest.raises(BadOption, match=message):
            save(store, with_items(SUITE, replace(ITEMS[1], source=source)), anna)
        assert contents(store) == before

    def test_names(self, store: Store, anna: User) -> None:
        with pytest.raises(BadOption, match="name has 300 characters; at most 200 are kept"):
            save(store, replace(SUITE, name="n" * 300), anna)
        with pytest.raises(BadOption, match="has 3,000 characters; at most 500 are kept"):
            save(store, replace(SUITE, items=(Item("i" * 3000, "Idioms", "Idiom", "Ja."),)), anna)

    def test_long_names_and_texts_are_kept(self, store: Store, anna: User) -> None:
        """As long as they may be, in characters that need most bytes."""
        item = Item(
            "\U00010348" * 500, "Idioms", "Idiom", "Wort " * 200_000, (Rule("pass", "exact", "word " * 200_000),)
        )
        save(store, replace(SUITE, items=(item,)), anna)
        assert load(store).items == (item,)


@contextmanager
def a_server_that_does_not_answer() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


class TestTrouble:
    """One line that says what is the matter, and nothing is changed."""

    def test_a_postgresql_that_does_not_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(database, "CONNECT_SECONDS", 2)
        with (
            a_server_that_does_not_answer() as port,
            pytest.raises(BadDatabase, match=r"cannot be opened .*timeout.*check the address"),
        ):
            Store.open(f"postgresql://assay@127.0.0.1:{port}/assay")

    def test_a_port_that_is_no_number(self) -> None:
        with pytest.raises(BadDatabase, match="this is no database address; use a file name or postgresql://"):
            Store.open("postgresql://localhost:many/assay")

    def test_a_file_that_somebody_else_keeps_locked(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        store = Store.create(str(tmp_path / "assay.db"))
        monkeypatch.setattr(database, "BUSY_SECONDS", 0)
        other = Store.open(str(tmp_path / "assay.db"))
        with store.writing():
            with (
                pytest.raises(BadDatabase, match="database is locked; nothing was changed; others are writing"),
                other.writing(),
            ):
                pass
            with other.reading() as db:
                assert list_users(db) == []
        store.close()
        other.close()

    def test_many_writers_of_one_server(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """They take turns; one whose turn does not come is told so, and has changed nothing."""
        monkeypatch.setattr(database, "BUSY_SECONDS", 0)
        with (
            store.writing(),
            pytest.raises(DatabaseBusy, match="nothing was changed; others are writing to it, try again in a moment"),
            store.writing(),
        ):
            pass
        with store.writing() as db:
            assert list_users(db) == []

    def test_writers_who_are_not_next_take_no_connection(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(database, "BUSY_SECONDS", 0)
        pool = store.engine.pool
        assert isinstance(pool, QueuePool)
        in_line = replace(store, _line=Semaphore(1))
        with in_line.writing():
            with pytest.raises(DatabaseBusy, match="nothing was changed; others are writing"), in_line.writing():
                pass
            assert pool.checkedout() == 1
        with in_line.writing() as db:
            assert list_users(db) == []

    def test_a_postgresql_that_somebody_else_keeps_locked(
        self, postgresql: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(database, "BUSY_SECONDS", 1)
        with postgresql.database(postgresql.with_tables) as address:
            store, other = Store.open(address), Store.open(address)
            with (
                store.writing(),
                pytest.raises(DatabaseBusy, match="lock timeout; nothing was changed"),
                other.writing(),
            ):
                pass
            store.close()
            other.close()

    def test_a_file_that_is_damaged(self, tmp_path: Path) -> None:
        path = tmp_path / "assay.db"
        store = Store.create(str(path))
        with store.writing() as db:
            anna = add_user(db, "Anna", "admin")
        save(store, SUITE, anna)
        store.close()
        content = path.read_bytes()
        path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
        with pytest.raises(
            BadDatabase,
            match=r"assay\.db: .*malformed.*check that it may be written, the disk has room and the file is whole",
        ):
            Store.open(str(path))

    def test_a_connection_that_breaks(self, store: Store, address: str) -> None:
        if "://" not in address:
            pytest.skip("a file has no connection")
        with pytest.raises(BadDatabase, match="nothing was changed; check the address"):
            self._lose_the_connection(store, address)
        with store.reading() as db:
            assert list_users(db) == []

    def _lose_the_connection(self, store: Store, address: str) -> None:
        killer = Store.open(address)
        with store.writing() as db:
            add_user(db, "Anna", "admin")
            number = db.execute(text("SELECT pg_backend_pid()")).scalar_one()
            with killer.reading() as other:
                other.execute(text("SELECT pg_terminate_backend(:number)"), {"number": number})
            killer.close()
            list_users(db)

    def test_a_database_that_one_may_only_read(self, store: Store, address: str) -> None:
        if "://" not in address:
            pytest.skip("a file has permissions of its own")
        with pytest.raises(BadDatabase, match="permission denied for table users; nothing was changed; give this user"):
            self._write_as_a_guest(store)

    def _write_as_a_guest(self, store: Store) -> None:
        with store.writing() as db:
            db.execute(text("CREATE ROLE guest"))
            db.execute(text("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest"))
            db.execute(text("SET LOCAL ROLE guest"))
            add_user(db, "Anna", "admin")

    def test_a_database_in_memory_would_be_gone_at_once(self) -> None:
        with pytest.raises(BadDatabase, match="not supported; use a file name or postgresql://"):
            Store.create(":memory:")

    def test_our_own_mistakes_show_their_trace(self, store: Store) -> None:
        with pytest.raises(Exception, match="nowhere") as caught, store.reading() as db:
            db.execute(text("SELECT * FROM nowhere"))
        assert not isinstance(caught.value, BadDatabase)
