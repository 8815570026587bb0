"""Imports: whole or not at all, again and again, from files that changed outside while people worked here."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from assay.errors import AssayError, NotAllowed
from assay.evaluation import evaluate
from assay.outputs import System
from assay.suites import Rule, Suite
from assay.verdicts.events import EventLine
from assay.verdicts.judgements import Event
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user, change_user, find_user
from assay.workbench.files.importer import Import
from assay.workbench.items.rule_edits import RuleEdit
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.snapshot import Snapshot, Snapshots
from tests.workbench.little import (
    ITEMS,
    NAME,
    PFERDE,
    SCHLOSS,
    STRAUSS,
    SUITE,
    WRITTEN,
    A,
    B,
    C,
    contents,
    counts,
    fill,
    outputs_of,
    text_id,
    with_items,
    with_rules,
    without,
)
from tests.workbench.visits import Visits

BOLT, LATCH = Rule("pass", "contains", "bolt"), Rule("pass", "contains", "latch")

Refused = Callable[[Import], str]


@pytest.fixture
def admin(store: Store) -> User:
    return fill(store)


@pytest.fixture
def refused(store: Store, admin: User) -> Refused:
    """Runs an import that must be refused and leave every table as it was."""

    def run(ready: Import) -> str:
        before = contents(store)
        with pytest.raises(AssayError) as caught:
            ready.run(store, admin)
        assert contents(store) == before
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return run


def board_of(store: Store) -> Snapshot:
    return Snapshots(store).get(NAME)


def edit(store: Store, user: User, item_id: str, *rules: Rule) -> None:
    """Change an item's rules in the workbench."""
    visits = Visits(store)
    base = visits.snapshot(NAME).version_ids[visits.snapshot(NAME).place(item_id)]
    visits.save_rules(user, NAME, RuleEdit(item_id, rules, base))


def verdicts(snapshot: Snapshot, item_id: str) -> list[str]:
    """The verdicts on what A, B and C wrote."""
    return [str(snapshot.texts[text_id(snapshot, item_id, system)].finding.verdict) for system in (A, B, C)]


class TestOutputs:
    def test_everything_is_there_and_judged(self, store: Store, admin: User) -> None:
        snapshot = board_of(store)
        assert snapshot.outputs.systems == (A, B, C)
        for column, texts in enumerate(WRITTEN.values()):
            assert tuple(snapshot.outputs.text(place, column) for place in range(3)) == texts
        assert verdicts(snapshot, SCHLOSS) == ["pass", "fail", "warning"]
        assert verdicts(snapshot, PFERDE) == ["warning"] * 3

    def test_again_changes_nothing(self, store: Store, admin: User) -> None:
        before = contents(store)
        done = Import(SUITE, outputs_of(WRITTEN), "again").run(store, admin)
        assert (done.saved.revision, done.unchanged, done.outputs) == (None, [A, B, C], 0)
        assert contents(store) == before

    def test_texts_that_are_the_same_are_kept_once(self, store: Store, admin: User) -> None:
        written = {System("D", "WMT22"): ("The  key is in the lock. ", "She got a bouquet.", "She is funny.")}
        done = Import(SUITE, outputs_of(written), "more").run(store, admin)
        assert (done.outputs, done.texts) == (3, 1)
        snapshot = board_of(store)
        assert snapshot.outputs.text(0, 3) == "The  key is in the lock. "
        assert text_id(snapshot, SCHLOSS, System("D", "WMT22")) == text_id(snapshot, SCHLOSS, A)

    def test_other_outputs_of_a_system_are_refused(self, refused: Refused) -> None:
        message = refused(Import(SUITE, outputs_of({A: ("The key is stuck.",), System("D"): ("No.",)}), ""))
        assert message.startswith("other outputs of A are in the database already; replace them with --force, or")

    def test_unless_forced(self, store: Store, admin: User) -> None:
        visits = Visits(store)
        visits.judge(admin, NAME, AnnotatorAnswer(text_id(visits.snapshot(NAME), PFERDE, A), "pass"))
        done = Import(SUITE, outputs_of({A: ("The key is stuck.",)}), "").run(store, admin, force=True)
        assert (done.replaced, done.outputs, done.texts) == ([A], 1, 1)
        snapshot = board_of(store)
        assert [system.name for system in snapshot.outputs.systems] == ["B", "C", "A"]
        assert snapshot.outputs.text(0, 2) == "The key is stuck."
        assert snapshot.outputs.codes[2, 2] == -1
        judged = [text.value for text in snapshot.texts.values() if text.settlement]
        assert judged == ["She is a great sport."], "what people did stays"

    def test_replacing_outputs_leaves_rules_alone(self, store: Store, admin: User) -> None:
        edit(store, admin, SCHLOSS, LATCH)
        Import(SUITE, outputs_of({A: ("The key is stuck.",)}), "").run(store, admin, force=True)
        assert board_of(store).items[0].rules == (LATCH,)

    def test_the_same_system_in_another_campaign_is_another(self, store: Store, admin: User) -> None:
        done = Import(SUITE, outputs_of({System("A", "WMT22"): ("The key is stuck.",)}), "").run(store, admin)
        assert done.systems == [System("A", "WMT22")]

    def test_empty_outputs_are_missing_and_stay_so(self, store: Store, admin: User) -> None:
        Import(SUITE, outputs_of({System("D"): ("", "NO TRANSLATION AVAILABLE", "  ")}), "").run(store, admin)
        snapshot = board_of(store)
        assert [snapshot.outputs.text(place, 3) for place in range(3)] == ["", "NO TRANSLATION AVAILABLE", "  "]
        found = {snapshot.texts[text_id(snapshot, item.id, System("D"))].finding.reason for item in ITEMS}
        assert found == {"missing"}

    def test_whoever_holds_a_board_keeps_what_they_had(self, store: Store, admin: User) -> None:
        """An import while somebody's page is made: the page is that of before, whole."""
        snapshots = Snapshots(store)
        held = snapshots.get(NAME)
        Import(SUITE, outputs_of({System("D"): ("The key is stuck.",)}), "").run(store, admin)
        assert len(snapshots.get(NAME).systems) == 4
        assert (len(held.systems), held.outputs.codes.shape) == (3, (3, 3))
        held = snapshots.get(NAME)
        texts = iter(held.texts.values())
        next(texts)
        judged = Rule("pass", "exact", "The key is somewhere.", by="Anna", on="2026-11-15")
        Import(with_rules(SUITE, SCHLOSS, *ITEMS[0].rules, judged), None, "").run(store, admin)
        assert "The key is somewhere." in [text.value for text in snapshots.get(NAME).texts.values()]
        assert len(list(texts)) == 9

    def test_only_an_admin_imports(self, store: Store, admin: User) -> None:
        with store.writing() as db:
            anna = add_user(db, "Anna", "adjudicator")
        with pytest.raises(NotAllowed, match="Anna is adjudicator; this needs the role admin"):
            Import(SUITE, None, "").run(store, anna)


class TestSuitesThatChange:
    """The file changes outside, the suite here; both came from the file of the last import."""

    def test_a_file_that_changed(self, store: Store, admin: User) -> None:
        done = Import(with_rules(SUITE, SCHLOSS, LATCH), None, "").run(store, admin)
        assert (done.saved.revision, counts(done.saved)) == (2, (0, 1, 0))
        assert verdicts(board_of(store), SCHLOSS) == ["warning", "warning", "pass"]

    def test_a_file_that_did_not_change_leaves_the_workbench_alone(self, store: Store, admin: User) -> None:
        edit(store, admin, SCHLOSS, LATCH)
        before = contents(store)
        assert Import(SUITE, None, "").run(store, admin).saved.revision is None
        assert contents(store) == before

    def test_different_items_are_merged(self, store: Store, admin: User) -> None:
        edit(store, admin, SCHLOSS, LATCH)
        Import(with_rules(SUITE, STRAUSS, BOLT), None, "").run(store, admin)
        assert [item.rules for item in board_of(store).items] == [(LATCH,), (BOLT,), ()]

    def test_and_again_after_the_next_change(self, store: Store, admin: User) -> None:
        edit(store, admin, SCHLOSS, LATCH)
        Import(with_rules(SUITE, STRAUSS, BOLT), None, "").run(store, admin)
        Import(with_rules(SUITE, STRAUSS, LATCH), None, "").run(store, admin)
        assert [item.rules for item in board_of(store).items] == [(LATCH,), (LATCH,), ()]

    def test_the_same_item_is_refused(self, store: Store, admin: User, refused: Refused) -> None:
        edit(store, admin, SCHLOSS, LATCH)
        message = refused(Import(with_rules(SUITE, SCHLOSS, BOLT), outputs_of({System("D"): ("No.",)}), ""))
        assert message == (
            f"1 items were changed both in the file and in the workbench ({SCHLOSS}); export the suite and merge by "
            "hand, or take the file's with --force"
        )

    def test_unless_both_made_the_same_change(self, store: Store, admin: User) -> None:
        edit(store, admin, SCHLOSS, LATCH)
        assert Import(with_rules(SUITE, SCHLOSS, LATCH), None, "").run(store, admin).saved.revision is None

    def test_by_force_the_file_is_right_where_both_changed(self, store: Store, admin: User) -> None:
        edit(store, admin, SCHLOSS, LATCH)
        edit(store, admin, STRAUSS, LATCH)
        Import(with_rules(SUITE, SCHLOSS, BOLT), None, "").run(store, admin, force=True)
        assert [item.rules for item in board_of(store).items] == [(BOLT,), (LATCH,), ()]
        kept = [version.item.rules for version in Visits(store).versions(NAME, SCHLOSS)]
        assert kept == [(BOLT,), (LATCH,), ITEMS[0].rules], "nothing is lost"

    def test_an_item_removed_in_the_file_and_changed_here_is_refused(
        self, store: Store, admin: User, refused: Refused
    ) -> None:
        edit(store, admin, SCHLOSS, LATCH)
        assert f"({SCHLOSS})" in refused(Import(without(SUITE, SCHLOSS), None, ""))
        Import(without(SUITE, SCHLOSS), None, "").run(store, admin, force=True)
        assert [item.id for item in board_of(store).items] == [STRAUSS, PFERDE]

    def test_items_that_go_and_come_back_bring_their_judgements(self, store: Store, admin: User) -> None:
        visits = Visits(store)
        posy = text_id(visits.snapshot(NAME), STRAUSS, C)
        visits.judge(admin, NAME, AnnotatorAnswer(posy, "pass"))
        assert counts(Import(without(SUITE, STRAUSS), None, "").run(store, admin).saved) == (0, 0, 1)
        assert posy not in visits.snapshot(NAME).texts
        assert len(visits.snapshot(NAME).evaluate(keep_all=True).table.items) == 2
        Import(SUITE, None, "").run(store, admin)
        assert str(visits.snapshot(NAME).texts[posy].finding.verdict) == "pass"
        assert verdicts(visits.snapshot(NAME), STRAUSS) == ["pass", "fail", "pass"]

    def test_rules_that_changed_while_an_item_was_away(self, store: Store, admin: User) -> None:
        Import(without(SUITE, SCHLOSS), None, "").run(store, admin)
        Import(with_rules(SUITE, SCHLOSS, LATCH), None, "").run(store, admin)
        assert verdicts(board_of(store), SCHLOSS) == ["warning", "warning", "pass"]

    def test_outputs_for_an_item_that_is_away_are_left_out(self, store: Store, admin: User) -> None:
        snapshot = board_of(store)
        Import(without(SUITE, PFERDE), None, "").run(store, admin)
        Import(snapshot.suite, outputs_of({System("D"): ("lock", "bouquet", "sport")}), "", here=True).run(store, admin)
        assert board_of(store).outputs.codes.shape == (2, 4)

    def test_a_new_item(self, store: Store, admin: User) -> None:
        item = replace(ITEMS[0], id="words/bank", source="Die Bank ist alt.")
        Import(replace(SUITE, items=(item, *ITEMS)), None, "").run(store, admin)
        assert [found.id for found in board_of(store).items] == ["words/bank", SCHLOSS, STRAUSS, PFERDE]
        assert verdicts(board_of(store), SCHLOSS) == ["pass", "fail", "warning"]

    def test_a_search_rule_with_a_name_judges_as_in_a_file(self, store: Store, admin: User) -> None:
        suite = with_rules(SUITE, SCHLOSS, replace(LATCH, by="Anna", on="2026-11-15"))
        Import(suite, None, "").run(store, admin)
        assert verdicts(board_of(store), SCHLOSS) == ["warning", "warning", "pass"]
        assert Import(suite, None, "").run(store, admin).saved.revision is None

    def test_a_rule_that_does_not_compile(self, refused: Refused) -> None:
        bad = with_rules(SUITE, SCHLOSS, Rule("pass", "regex", "(lock"))
        assert "the pass rule '(lock' does not compile" in refused(Import(bad, None, ""))


def test_another_order_is_a_change(store: Store, admin: User) -> None:
    turned = replace(SUITE, items=SUITE.items[::-1], taxonomy=dict(list(SUITE.taxonomy.items())[::-1]))
    assert Import(turned, None, "").run(store, admin).saved.revision == 2
    snapshot = board_of(store)
    assert [item.id for item in snapshot.items] == [item.id for item in turned.items]
    assert list(snapshot.stored.suite.taxonomy) == ["Idioms", "Ambiguity"]


class TestJudgementsInFiles:
    JUDGED = Rule("fail", "exact", "The key is in the latch.", "", "a latch is no lock", "Anna", "2020-01-31")

    @pytest.fixture
    def judged(self) -> Suite:
        return with_rules(SUITE, SCHLOSS, *ITEMS[0].rules, self.JUDGED)

    def test_they_become_judgements(self, store: Store, admin: User, judged: Suite) -> None:
        assert Import(judged, None, "").run(store, admin).judgements == 1
        snapshot = board_of(store)
        settlement = snapshot.texts[text_id(snapshot, SCHLOSS, C)].settlement
        assert settlement
        vote = settlement.votes["Anna"]
        assert (vote.kind, vote.verdict, vote.dated, vote.comment) == (
            "import",
            "fail",
            "2020-01-31",
            "a latch is no lock",
        )
        assert snapshot.suite.item(SCHLOSS).rules == (*ITEMS[0].rules, self.JUDGED)

    def test_again_takes_none(self, store: Store, admin: User, judged: Suite) -> None:
        Import(judged, None, "").run(store, admin)
        before = contents(store)
        assert Import(judged, None, "").run(store, admin).judgements == 0
        assert contents(store) == before

    def test_again_does_not_bring_back_what_was_taken_back_here(self, store: Store, admin: User, judged: Suite) -> None:
        Import(judged, None, "").run(store, admin)
        with store.writing() as db:
            anna = change_user(db, "Anna", active=True)
        visits = Visits(store)
        latch = text_id(visits.snapshot(NAME), SCHLOSS, C)
        visits.withdraw(anna, NAME, latch)
        assert Import(judged, None, "").run(store, admin).judgements == 0
        assert verdicts(board_of(store), SCHLOSS) == ["pass", "fail", "warning"]
        visits.judge(anna, NAME, AnnotatorAnswer(latch, "pass"))
        assert Import(judged, None, "").run(store, admin).judgements == 0
        assert verdicts(board_of(store), SCHLOSS) == ["pass", "fail", "pass"]

    def test_who_judged_is_somebody_who_cannot_log_in(self, store: Store, admin: User, judged: Suite) -> None:
        Import(judged, None, "").run(store, admin)
        with store.reading() as db:
            anna = find_user(db, "Anna")
        assert anna
        assert (anna.role, anna.active, anna.has_password) == ("annotator", False, False)

    def test_an_opinion_that_differs_from_one_here_is_a_dispute(self, store: Store, admin: User, judged: Suite) -> None:
        visits = Visits(store)
        visits.judge(admin, NAME, AnnotatorAnswer(text_id(visits.snapshot(NAME), SCHLOSS, C), "pass"))
        Import(judged, None, "").run(store, admin)
        assert verdicts(board_of(store), SCHLOSS) == ["pass", "fail", "warning"]

    def test_of_texts_that_nobody_wrote(self, store: Store, admin: User) -> None:
        rule = replace(self.JUDGED, value="The key is in the bolt.")
        Import(with_rules(SUITE, SCHLOSS, *ITEMS[0].rules, rule), None, "").run(store, admin)
        assert board_of(store).suite.item(SCHLOSS).rules[-1] == rule

    def test_of_no_text_they_count_for_nothing(self, store: Store, admin: User) -> None:
        """As in files: an output that is missing is missing, whatever somebody said of it."""
        suite = with_rules(SUITE, SCHLOSS, replace(self.JUDGED, value=" "))
        outputs = outputs_of({System("D"): ("",)})
        Import(suite, outputs, "").run(store, admin)
        snapshot = board_of(store)
        assert snapshot.texts[text_id(snapshot, SCHLOSS, System("D"))].finding.reason == "missing"
        found = evaluate(suite, outputs, keep_all=True).table
        assert found.finding(0, 0).reason == "missing"


class TestEvents:
    def line(self, item: str = SCHLOSS, by: str = "Anna", **more: object) -> EventLine:
        event = Event(1, 0, by, "judgement", "pass", dated="2026-11-15", created="2026-11-15T10:00:00.000000Z")
        return EventLine(item, "The key is in the latch.", replace(event, **more))  # type: ignore[arg-type]

    def test_they_are_taken_once(self, store: Store, admin: User) -> None:
        ready = Import(SUITE, None, "", [self.line()])
        assert ready.run(store, admin).judgements == 1
        assert ready.run(store, admin).judgements == 0
        assert verdicts(board_of(store), SCHLOSS) == ["pass", "fail", "pass"]

    def test_so_are_those_that_somebody_wrote_without_a_time(self, store: Store, admin: User) -> None:
        ready = Import(SUITE, None, "", [self.line(created=""), self.line(id=2, by="Ben", created="")])
        assert [ready.run(store, admin).judgements for _ in range(2)] == [2, 0]

    def test_an_item_that_is_not_there(self, refused: Refused) -> None:
        message = refused(Import(SUITE, None, "", [self.line(), self.line("words/schlos", id=2)]))
        assert message == f"no item 'words/schlos'; did you mean {SCHLOSS}, {STRAUSS}?"

    @pytest.mark.parametrize("by", ["", " Anna", "x" * 201])
    def test_names_that_nobody_can_have(self, refused: Refused, by: str) -> None:
        assert "is no user name" in refused(Import(SUITE, None, "", [self.line(by=by)]))

    def test_a_number_beyond_all_scales(self, store: Store, refused: Refused) -> None:
        message = refused(Import(SUITE, None, "", [self.line(acceptability=10**20)]))
        assert message.startswith(f"{store.name} cannot keep this (")


class TestWhatCannotBeKept:
    """One line on both databases, and nothing is half written."""

    @pytest.mark.parametrize("text", ["The key\0is", "half \ud83d of it"])
    def test_in_outputs(self, refused: Refused, text: str) -> None:
        good = {System(name): ("The key is stuck.",) for name in "DE"}
        message = refused(Import(SUITE, outputs_of({**good, System("F"): ("Good.", text)}), ""))
        assert "in it, which a database cannot keep; nothing was changed, take it out" in message

    def test_in_rules_and_judgements(self, refused: Refused) -> None:
        for rule in (Rule("pass", "contains", "a\0b"), Rule("pass", "exact", "a\0b", by="Anna", on="2026-11-15")):
            message = refused(Import(with_rules(SUITE, PFERDE, rule), None, ""))
            assert message.startswith(r"'a\x00b' has U+0000 in it")

    def test_in_names(self, refused: Refused) -> None:
        assert "U+0000" in refused(Import(SUITE, outputs_of({System("D\0"): ("Good.",)}), ""))
        assert "U+0000" in refused(Import(with_items(SUITE, replace(ITEMS[2], notes="\0")), None, ""))

    def test_long_texts_can(self, store: Store, admin: User) -> None:
        text = "The key is in the lock. " * 4_166
        Import(SUITE, outputs_of({System("D"): (text,)}), "").run(store, admin)
        snapshot = board_of(store)
        assert snapshot.outputs.text(0, 3) == text
        assert len(text) > 99_900
        assert str(snapshot.texts[text_id(snapshot, SCHLOSS, System("D"))].finding.verdict) == "pass"

    @pytest.mark.parametrize("text", ["tab\there", "line\nline\r\n", "“Don’t”, ‘says’ he", "שלום עולם", "e\u0301", "𝔘"])
    def test_and_all_other_characters(self, store: Store, admin: User, text: str) -> None:
        Import(SUITE, outputs_of({System("D"): (text,)}), "").run(store, admin)
        assert board_of(store).outputs.text(0, 3) == text
