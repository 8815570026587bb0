"""Hidden systems and suites: they count nowhere, are kept, come back, and go for good only when asked twice."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from assay.errors import BadOption, NotAllowed, UnknownName
from assay.prediction import Predictor
from assay.verdicts.judgements import Event
from assay.workbench.db.audit import entries
from assay.workbench.db.database import Store
from assay.workbench.db.hidings import hidden_systems
from assay.workbench.db.judgements import record
from assay.workbench.db.suites import suite_names
from assay.workbench.files.export import export, read_export
from assay.workbench.files.hidden import Whole, bring_back, delete_for_good, hide, list_hidden
from assay.workbench.files.importer import Import
from assay.workbench.people.credentials import local_user
from assay.workbench.snapshot import Snapshot
from assay.workbench.work.effort import gains
from assay.workbench.work.history import history
from tests.workbench.little import NAME, SUITE, WRITTEN, C, contents, outputs_of
from tests.workbench.room import LATCH, Room
from tests.workbench.test_life_of_a_database import contents_of
from tests.workbench.visits import NOBODY

THE_THIRD = Whole(NAME, "WMT21", "C")
"""The system whose every text is a warning."""


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


def fair(room: Room) -> int:
    return gains(room.snapshot)[0].now


def test_a_hidden_system_costs_no_fair_items_and_its_texts_wait_no_more(room: Room) -> None:
    """`latch` and `posy` are C's; without them the two words count. Nobody knows the horses of A and B either."""
    assert (fair(room), len(room.queue(room.anna))) == (0, 5)
    before = room.snapshot
    hide(room.store, room.admin, THE_THIRD)
    assert fair(room) == 2
    assert room.queue(room.anna) == ["She is a great sport.", "One can steal horses with her."]
    assert [stored.system.name for stored in room.snapshot.systems] == ["A", "B"]
    assert LATCH not in {text.value for text in room.snapshot.texts.values()}
    bring_back(room.store, room.admin, THE_THIRD)
    assert room.snapshot.texts == before.texts
    assert [stored.system for stored in room.snapshot.systems] == [stored.system for stored in before.systems]


def test_what_was_judged_stays_judged(room: Room) -> None:
    room.say(room.anna, LATCH, "pass")
    hide(room.store, room.admin, THE_THIRD)
    assert room.verdict(LATCH) == "pass"
    assert any(rule.value == LATCH for rule in room.snapshot.suite.items[0].rules)


def test_a_rule_that_is_saved_meanwhile_does_not_bring_its_texts_back(room: Room) -> None:
    from assay.suites import Rule
    from assay.workbench.items.rule_edits import RuleEdit
    from tests.workbench.little import SCHLOSS

    hide(room.store, room.admin, THE_THIRD)
    known = set(room.snapshot.texts)
    base = room.snapshot.version_ids[0]
    room.visits.save_rules(room.anna, NAME, RuleEdit(SCHLOSS, (Rule("pass", "contains", "latch"),), base))
    assert set(room.snapshot.texts) == known
    bring_back(room.store, room.admin, THE_THIRD)
    assert room.verdict(LATCH) == "pass"


def test_a_snapshot_that_is_read_anew_keeps_its_predictor(room: Room) -> None:
    """Somebody judges a text of a system that has just been hidden."""
    judged_there = room.id(LATCH)
    hide(room.store, room.admin, THE_THIRD)
    predictor = Predictor()
    with room.store.reading() as db:
        before = Snapshot.read(db, room.snapshot.stored.id, predictor)
    with room.store.writing() as db:
        record(db, Event(0, judged_there, "", "judgement", "pass"), room.anna)
    with room.store.reading() as db:
        after = before.next(db)
    assert judged_there in after.texts
    assert after.predictor is predictor


def test_a_whole_campaign(room: Room) -> None:
    assert hide(room.store, room.admin, Whole(NAME, "WMT21")) == 3
    assert (room.snapshot.systems, room.snapshot.campaigns, room.queue(room.anna)) == ([], [], [])
    with pytest.raises(BadOption, match="hidden already"):
        hide(room.store, room.admin, Whole(NAME, "WMT21"))
    assert bring_back(room.store, room.admin, Whole(NAME, "WMT21")) == 3
    assert len(room.snapshot.systems) == 3


def test_a_hidden_suite_is_nowhere(room: Room) -> None:
    assert room.snapshot
    hide(room.store, room.admin, Whole(NAME))
    with pytest.raises(UnknownName):
        room.visits.snapshot(NAME)
    with room.store.reading() as db:
        assert suite_names(db) == []
        assert [(found.name, found.by) for found in list_hidden(db).suites] == [(NAME, "boss")]
    with pytest.raises(BadOption, match=f"the suite {NAME} is hidden here; bring it back first"):
        Import(SUITE, None, "again").run(room.store, room.admin)
    bring_back(room.store, room.admin, Whole(NAME))
    assert len(room.snapshot.systems) == 3


def test_history_and_audit_know_who_did_it(room: Room) -> None:
    hide(room.store, room.admin, Whole(NAME, "WMT21"))
    bring_back(room.store, room.admin, THE_THIRD)
    found = room.visits.read(NOBODY, NAME, history, kind="hiding").entries
    told = [
        (entry.deed.by, entry.hidden.hidden, [one.name for one in entry.hidden.systems])
        for entry in found
        if entry.hidden
    ]
    assert told == [("boss", False, ["C"]), ("boss", True, ["A", "B", "C"])]
    with room.store.reading() as db:
        trail = entries(db, kind="hide", limit=10)
    assert [entry.what for entry in trail] == [
        "C (WMT21) of little brought back: C",
        "WMT21 of little hidden: A, B, C",
    ]


def test_the_same_files_again_with_hidden_systems(room: Room, there: Store, tmp_path: Path) -> None:
    """What is hidden is in the history alone: the outputs are those that count."""
    room.say(room.anna, LATCH, "pass")
    hide(room.store, room.admin, Whole(NAME, "WMT21", "A"))
    hide(room.store, room.admin, THE_THIRD)
    bring_back(room.store, room.admin, Whole(NAME, "WMT21", "A"))
    export(room.store, NAME, tmp_path / "out")
    assert [path.name for path in sorted((tmp_path / "out/outputs/wmt21").iterdir())] == ["001-a.tsv", "002-b.tsv"]
    read_export(tmp_path / "out").run(there, local_user(there))
    export(there, NAME, tmp_path / "again")
    assert contents_of(tmp_path / "again") == contents_of(tmp_path / "out")
    with there.reading() as db:
        (found,) = hidden_systems(db, 1)
    assert (found.system, found.outputs, found.by) == (C, 3, "boss")
    bring_back(there, local_user(there), THE_THIRD)
    export(there, NAME, tmp_path / "back")
    assert (tmp_path / "back/outputs/wmt21/003-c.tsv").exists()


def test_importing_a_hidden_system_again_leaves_it_hidden_and_says_so(room: Room) -> None:
    hide(room.store, room.admin, THE_THIRD)
    same = Import(SUITE, outputs_of({C: WRITTEN[C]}), "", here=True)
    done = same.run(room.store, room.admin)
    assert list(done.lines())[1:] == ["systems there already, hidden: C (WMT21)"]
    assert len(room.snapshot.systems) == 2
    other = Import(
        SUITE, outputs_of({C: ["The key is in the lock.", "She got a bouquet.", "She is fun."]}), "", here=True
    )
    with pytest.raises(BadOption, match="other outputs of C are in the database already, hidden; replace them"):
        other.run(room.store, room.admin)
    assert other.run(room.store, room.admin, force=True).replaced == [C]
    assert len(room.snapshot.systems) == 3
    assert fair(room) == 2


class TestForGood:
    def test_only_what_is_hidden_and_only_by_its_name(self, room: Room) -> None:
        with pytest.raises(BadOption, match="not hidden; hide it first"):
            delete_for_good(room.store, room.admin, THE_THIRD, "C")
        hide(room.store, room.admin, THE_THIRD)
        with pytest.raises(BadOption, match="type the name 'C' to delete it; nothing was changed"):
            delete_for_good(room.store, room.admin, THE_THIRD, "c")
        room.say(room.anna, "She is a great sport.", "pass")
        delete_for_good(room.store, room.admin, THE_THIRD, "C")
        with room.store.reading() as db:
            assert list_hidden(db, NAME).systems == []
            assert [entry.what for entry in entries(db, kind="delete", limit=10)] == ["C (WMT21) of little: C"]
        with pytest.raises(UnknownName, match="no system 'C'"):
            bring_back(room.store, room.admin, THE_THIRD)
        held = contents(room.store)
        assert LATCH not in {text["value"] for text in held["texts"]}
        assert len(held["outputs"]) == 6

    def test_texts_that_somebody_judged_stay(self, room: Room) -> None:
        room.say(room.anna, LATCH, "pass")
        hide(room.store, room.admin, THE_THIRD)
        delete_for_good(room.store, room.admin, THE_THIRD, "C")
        assert room.verdict(LATCH) == "pass"

    def test_a_suite_with_everything_in_it_and_nothing_else(self, room: Room, tmp_path: Path) -> None:
        """A second suite in the same database is as it was."""
        from dataclasses import replace

        other = replace(SUITE, name="other")
        Import(other, outputs_of(WRITTEN, other), "second").run(room.store, room.admin)
        room.say(room.anna, LATCH, "pass")
        room.visits.undo(room.anna, NAME)
        hide(room.store, room.admin, Whole("other", "WMT21", "B"))
        export(room.store, "other", tmp_path / "before")
        hide(room.store, room.admin, Whole(NAME))
        delete_for_good(room.store, room.admin, Whole(NAME), NAME)
        export(room.store, "other", tmp_path / "after")
        assert contents_of(tmp_path / "after") == contents_of(tmp_path / "before")
        held = contents(room.store)
        assert [suite["name"] for suite in held["suites"]] == ["other"]
        assert (len(held["items"]), len(held["texts"]), held["judgements"], held["seen"]) == (3, 9, [], [])
        Import(SUITE, None, "again").run(room.store, room.admin)
        assert room.snapshot.systems == []


@pytest.mark.parametrize("act", [hide, bring_back])
def test_only_admins(room: Room, act: object) -> None:
    with pytest.raises(NotAllowed):
        act(room.store, room.ada, THE_THIRD)  # type: ignore[operator]
    with pytest.raises(NotAllowed):
        delete_for_good(room.store, room.ada, THE_THIRD, "C")


def test_names_that_are_not_there_are_refused(room: Room) -> None:
    for what in (Whole("litle"), Whole(NAME, "WMT20"), Whole(NAME, "WMT21", "D")):
        with pytest.raises(UnknownName):
            hide(room.store, room.admin, what)
