"""Out of one database and into another: nothing is lost, nothing is doubled, and no name stays where none should."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from assay.errors import BadOption
from assay.outputs import System
from assay.suites import Rule
from assay.workbench.db.database import Store
from assay.workbench.db.history import deeds
from assay.workbench.db.judgements import suite_events
from assay.workbench.db.people import change_user, list_users
from assay.workbench.files.export import export, read_export
from assay.workbench.files.importer import Import
from assay.workbench.items.rule_edits import RuleEdit
from assay.workbench.people.credentials import local_user
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.snapshot import Snapshots
from assay.workbench.work.effort import effort
from tests.workbench.little import NAME, PFERDE, SCHLOSS, SUITE, WRITTEN, outputs_of, with_rules, without
from tests.workbench.room import LATCH, POSY, Room
from tests.workbench.test_life_of_a_database import contents_of
from tests.workbench.visits import NOBODY, Visits

LATCH_RULE = Rule("pass", "contains", "latch")


def live(room: Room) -> Room:
    """People judge, edit, remove an item, and bring an older campaign last."""
    room.say(room.anna, LATCH, "pass", comment="a lock too")
    room.say(room.ben, LATCH, "fail")
    room.say(room.ada, "She is fun.", "pass")
    room.visits.undo(room.ada)
    room.visits.reveal(room.ben, [room.id(POSY)], "systems")
    base = room.snapshot.version_ids[room.snapshot.place(SCHLOSS)]
    rules = (*SUITE.item(SCHLOSS).rules[:1], LATCH_RULE)
    room.visits.save_rules(room.anna, NAME, RuleEdit(SCHLOSS, rules, base, "latches lock"))
    Import(SUITE, outputs_of({System("Old", "WMT20", {"kind": "rbmt"}): WRITTEN[System("C", "WMT21")]}), "").run(
        room.store, room.admin
    )
    Import(without(SUITE, PFERDE), None, "without horses").run(room.store, room.admin)
    return room


@pytest.fixture
def lived(room: Room) -> Room:
    return live(room)


@pytest.fixture
def there(store: Store, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty database of the other kind than `store`."""
    with ExitStack() as stack:
        if store.is_sqlite:
            made = Store.open(stack.enter_context(request.getfixturevalue("postgresql").emptied()))
        else:
            made = Store.create(str(tmp_path / "there.db"))
        stack.callback(made.close)
        yield made


def carried(lived: Room, there: Store, folder: Path, *, pseudonyms: bool = False) -> None:
    export(lived.store, NAME, folder / "out", pseudonyms=pseudonyms)
    read_export(folder / "out").run(there, local_user(there))


def test_the_same_files_again(lived: Room, there: Store, tmp_path: Path) -> None:
    carried(lived, there, tmp_path)
    export(there, NAME, tmp_path / "again")
    assert contents_of(tmp_path / "again") == contents_of(tmp_path / "out")


class Arrived(NamedTuple):
    """Where it came from, and where it is now."""

    lived: Room
    there: Store


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arrived]:
    folder = tmp_path_factory.mktemp("both")
    here, there = Store.create(str(folder / "here.db")), Store.create(str(folder / "there.db"))
    found = Arrived(live(Room(here)), there)
    carried(found.lived, there, folder)
    yield found
    here.close()
    there.close()


class TestWhatArrives:
    @pytest.fixture
    def there(self, both: Arrived) -> Store:
        return both.there

    @pytest.fixture
    def lived(self, both: Arrived) -> Room:
        return both.lived

    def test_versions_and_who_wrote_which_rule_when(self, lived: Room, there: Store) -> None:
        found, wanted = (
            [replace(version, id=0) for version in Visits(store).versions(NAME, SCHLOSS)]
            for store in (there, lived.store)
        )
        assert found == wanted
        assert [(version.by, version.comment) for version in found] == [("Anna", "latches lock"), ("boss", "first")]
        assert [name for name, _ in found[0].authors] == ["boss", "Anna"]

    def test_the_history_of_the_suite(self, lived: Room, there: Store) -> None:
        with lived.store.reading() as here, there.reading() as db:
            found, wanted = (deeds(open_, 1) for open_ in (db, here))
        assert [(deed.kind, deed.by, deed.created) for deed in found] == [
            (deed.kind, deed.by, deed.created) for deed in wanted
        ]

    def test_warnings_at_first(self, lived: Room, there: Store) -> None:
        """The new rule took the warning of `latch` away; at first there was one."""
        found, wanted = (Visits(store).read(NOBODY, NAME, effort) for store in (there, lived.store))
        assert found == wanted
        latch = next(text for text in Snapshots(there).get(NAME).texts.values() if text.value == LATCH)
        assert (str(latch.first), str(latch.ruled.verdict)) == ("warning", "pass")

    def test_people_have_their_roles_and_no_passwords(self, there: Store) -> None:
        with there.reading() as db:
            users = {user.name: user for user in list_users(db)}
        assert {name: users[name].role for name in ("Anna", "Ada", "boss")} == {
            "Anna": "annotator",
            "Ada": "adjudicator",
            "boss": "admin",
        }
        assert not any(user.has_password for user in users.values())

    def test_campaigns_in_the_order_in_which_they_came(self, there: Store) -> None:
        snapshot = Snapshots(there).get(NAME)
        assert snapshot.campaigns == ["WMT21", "WMT20"]
        assert snapshot.outputs.systems[3].metadata == {"kind": "rbmt"}

    def test_what_was_seen(self, lived: Room, there: Store) -> None:
        snapshot = Snapshots(there).get(NAME)
        posy = next(text.id for text in snapshot.texts.values() if text.value == POSY)
        visits = Visits(there)
        assert visits.revealed(lived.ben, posy) == ("systems",)

    def test_a_file_that_did_not_change_still_leaves_the_workbench_alone(self, there: Store) -> None:
        done = Import(without(SUITE, PFERDE), None, "").run(there, local_user(there))
        assert done.saved.revision is None

    def test_events_of_an_item_that_was_removed_and_its_outputs(self, there: Store) -> None:
        Import(SUITE, None, "horses again").run(there, local_user(there))
        snapshot = Snapshots(there).get(NAME)
        with there.reading() as db:
            events = suite_events(db, 1)
        assert [event.kind for event in events if snapshot.texts[event.text_id].value == "She is fun."] == [
            "judgement",
            "undo",
        ]
        assert snapshot.outputs.text(snapshot.place(PFERDE), 2) == "She is fun."


def test_an_edited_export_is_one_revision_more(lived: Room, there: Store, tmp_path: Path) -> None:
    export(lived.store, NAME, tmp_path / "out")
    ready = read_export(tmp_path / "out")
    changed = with_rules(ready.suite, SCHLOSS, Rule("pass", "contains", "key"))
    done = replace(ready, suite=changed, comment="by hand").run(there, local_user(there))
    assert done.saved.revision == len(ready.history.revisions) + 1 if ready.history else False
    versions = Visits(there).versions(NAME, SCHLOSS)
    assert [version.comment for version in versions] == ["by hand", "latches lock", "first"]
    assert Snapshots(there).get(NAME).items[0].rules == (Rule("pass", "contains", "key"),)


def test_over_a_database_that_has_the_suite_nothing_is_doubled(lived: Room, tmp_path: Path) -> None:
    export(lived.store, NAME, tmp_path / "out")
    with lived.store.reading() as db:
        before = suite_events(db, 1)
    for _ in range(2):
        done = read_export(tmp_path / "out").run(lived.store, lived.admin)
        assert (done.saved.revision, done.judgements, done.systems, done.replaced) == (None, 0, [], [])
    with lived.store.reading() as db:
        assert suite_events(db, 1) == before
    lived.say(lived.ben, POSY, "pass")
    read_export(tmp_path / "out").run(lived.store, lived.admin)
    with lived.store.reading() as db:
        assert len(suite_events(db, 1)) == len(before) + 1


def test_twice_the_same_moment_is_twice(room: Room, there: Store, tmp_path: Path) -> None:
    """One file in which Anna says both of a text: two events with the same name and time."""
    both = (Rule("pass", "exact", LATCH, by="Anna", on="2026-11-15"), Rule("fail", "exact", LATCH, by="Anna", on=""))
    Import(with_rules(SUITE, SCHLOSS, *both), None, "both").run(room.store, room.admin)
    carried(room, there, tmp_path)
    with there.reading() as db:
        assert [(event.verdict, event.dated) for event in suite_events(db, 1)] == [("pass", "2026-11-15"), ("fail", "")]


def test_pseudonyms_are_everywhere_the_same_and_arrive(lived: Room, there: Store, tmp_path: Path) -> None:
    with lived.store.writing() as db:
        change_user(db, "Anna", settings={"note": "Anna"})
    carried(lived, there, tmp_path, pseudonyms=True)
    files = contents_of(tmp_path / "out")
    for name in (b"Anna", b"boss"):  # Ada and Ben are named as authors of the suite
        assert [file for file, content in files.items() if name in content] == []
    assert b'"annotator-1", "role": "annotator"' in files["history.jsonl"]
    export(there, NAME, tmp_path / "again")
    assert contents_of(tmp_path / "again") == files


def test_somebody_who_is_here_already_keeps_their_account(lived: Room, there: Store, tmp_path: Path) -> None:
    from assay.workbench.people.credentials import create_user, log_in

    create_user(there, "Ada", "admin", "correct horse", by="boss")
    carried(lived, there, tmp_path)
    found = log_in(there, "Ada", "correct horse")
    assert found is not None
    assert found.role == "admin"


def test_judging_goes_on(lived: Room, there: Store, tmp_path: Path) -> None:
    """Ids go on where the restored ones end, on both databases."""
    carried(lived, there, tmp_path)
    visits, admin = Visits(there), local_user(there)
    posy = next(text.id for text in visits.snapshot(NAME).texts.values() if text.value == POSY)
    visits.judge(admin, NAME, AnnotatorAnswer(posy, "pass"))
    base = visits.snapshot(NAME).version_ids[0]
    saved = visits.save_rules(admin, NAME, RuleEdit(SCHLOSS, (LATCH_RULE,), base))
    assert len(saved) == 3
    assert str(visits.snapshot(NAME).text(posy).finding.verdict) == "pass"


def test_systems_whose_only_items_were_removed(store: Store, tmp_path: Path) -> None:
    user = local_user(store)
    Import(SUITE, outputs_of({System("A"): ["The key is in the lock."]}), "").run(store, user)
    Import(without(SUITE, SCHLOSS), None, "without the first item").run(store, user)
    export(store, NAME, tmp_path / "out")
    assert not (tmp_path / "out" / "verdicts.tsv").exists()
    with pytest.raises(BadOption, match="there are no outputs to report on"):
        export(store, NAME, tmp_path / "report", report=True)
