"""Editing rules: what is foreseen is what happens, and nobody overwrites anybody."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assay.errors import BadOption, NotAllowed, Overtaken, UnknownName
from assay.outputs import System
from assay.suites import Item, Polarity, Rule
from assay.verdicts import TIME_LIMIT, Verdict
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.items import rule_edits
from assay.workbench.items.item_page import Inspection
from assay.workbench.items.rule_edits import (
    BadRule,
    RuleEdit,
    RulePreview,
    make_rule,
    preview_rules,
    siblings,
)
from assay.workbench.items.rule_rows import Typed
from assay.workbench.items.rule_trial import try_rules
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.snapshot import Snapshot
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
    admin_of,
    contents,
    outputs_of,
    text_id,
)
from tests.workbench.starter import World, small_world
from tests.workbench.visits import Visits

LOCK, CASTLE = ITEMS[0].rules
LATCH = Rule("pass", "contains", "latch")
RUNAWAY = Rule("pass", "regex", "(a|aa)+$")
PASS, FAIL, WARNING = Verdict.PASS, Verdict.FAIL, Verdict.WARNING


class Bench:
    """Anna and Ben at the rules of the little suite."""

    def __init__(self, store: Store) -> None:
        self.store, self.visits = store, Visits(store)
        self.admin = admin_of(store)
        Import(SUITE, outputs_of(WRITTEN), "first").run(store, self.admin)
        with store.writing() as db:
            self.anna, self.ben = (add_user(db, name, "annotator") for name in ("Anna", "Ben"))

    @property
    def snapshot(self) -> Snapshot:
        return self.visits.snapshot(NAME)

    def base(self, item_id: str = SCHLOSS) -> int:
        return self.snapshot.version_ids[self.snapshot.place(item_id)]

    def rules(self, item_id: str = SCHLOSS) -> tuple[Rule, ...]:
        return self.snapshot.items[self.snapshot.place(item_id)].rules

    def preview_rules(self, *rules: Rule, item_id: str = SCHLOSS) -> RulePreview:
        return preview_rules(try_rules, self.snapshot, item_id, rules)

    def save(self, *rules: Rule, item_id: str = SCHLOSS, by: User | None = None, **more: object) -> None:
        edit = replace(RuleEdit(item_id, rules, self.base(item_id)), **more)  # type: ignore[arg-type]
        self.visits.save_rules(by or self.anna, NAME, edit)

    def judge(self, system: System, verdict: Polarity, by: User | None = None) -> None:
        self.visits.judge(by or self.anna, NAME, AnnotatorAnswer(text_id(self.snapshot, SCHLOSS, system), verdict))

    def verdicts(self, item_id: str = SCHLOSS) -> list[str]:
        """The verdicts on what A, B and C wrote."""
        snapshot = self.snapshot
        return [str(snapshot.texts[text_id(snapshot, item_id, system)].finding.verdict) for system in (A, B, C)]


@pytest.fixture
def bench(store: Store) -> Bench:
    return Bench(store)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Bench]:
    """The same on SQLite only, where the database does not matter."""
    store = Store.create(str(tmp_path / "assay.db"))
    yield Bench(store)
    store.close()


class TestForesight:
    def test_a_new_rule_decides_a_warning(self, here: Bench) -> None:
        found = here.preview_rules(LOCK, LATCH, CASTLE)
        assert found.moves == {(WARNING, PASS): 1}
        assert [(changed.text.value, changed.systems) for changed in found.changed] == [("The key is in the latch.", 1)]
        assert found.summary == "warning → pass 1 output (1 text)"

    def test_outputs_count_not_texts(self, here: Bench) -> None:
        more = {System(name, "WMT22"): (WRITTEN[C][0],) for name in "ABC"}
        Import(SUITE, outputs_of(more), "").run(here.store, here.admin)
        assert here.preview_rules(LOCK, LATCH, CASTLE).summary == "warning → pass 4 outputs (1 text)"

    def test_without_rules_nothing_is_decided(self, here: Bench) -> None:
        found = here.preview_rules()
        assert found.moves == {(PASS, WARNING): 1, (FAIL, WARNING): 1}
        assert found.broken == ["The key is in the lock.", "The key is in the castle."]
        assert (
            found.summary == "pass → warning 1 output (1 text) · fail → warning 1 output (1 text) · breaks 2 examples"
        )

    def test_judged_texts_keep_their_verdict_and_are_told(self, here: Bench) -> None:
        here.judge(C, "fail")
        found = here.preview_rules(LOCK, LATCH, CASTLE)
        assert found.moves == {}
        assert [changed.text.value for changed in found.contradicted] == ["The key is in the latch."]
        assert found.summary == "contradicts 1 judgement"

    def test_rules_that_agree_with_a_judgement_contradict_nobody(self, here: Bench) -> None:
        here.judge(C, "pass")
        assert here.preview_rules(LOCK, LATCH, CASTLE).summary == "changes no verdict"

    def test_a_disputed_text_stays_disputed(self, here: Bench) -> None:
        here.judge(C, "pass")
        here.judge(C, "fail", here.ben)
        assert here.preview_rules(LOCK, LATCH, CASTLE).summary == "changes no verdict"

    def test_both_polarities_at_once_are_a_warning(self, here: Bench) -> None:
        found = here.preview_rules(LOCK, Rule("fail", "contains", "key"))
        assert found.moves == {(PASS, WARNING): 1, (WARNING, FAIL): 1}

    def test_where_each_rule_matches(self, here: Bench) -> None:
        snapshot = here.snapshot
        first, second = here.preview_rules(LOCK, LATCH).traces
        assert first.spans[text_id(snapshot, SCHLOSS, A)] == (18, 22)
        assert {key for key in second.spans if key > 0} == {text_id(snapshot, SCHLOSS, C)}

    def test_looking_changes_nothing(self, here: Bench) -> None:
        before = contents(here.store)
        here.preview_rules(LATCH)
        assert contents(here.store) == before
        assert here.verdicts() == ["pass", "fail", "warning"]

    def test_an_item_that_is_not_there(self, here: Bench) -> None:
        with pytest.raises(UnknownName, match=f"no item 'words/schlos'; did you mean {SCHLOSS}"):
            here.preview_rules(LATCH, item_id="words/schlos")


class TestSaving:
    def test_what_was_foreseen_happens(self, bench: Bench) -> None:
        bench.save(LOCK, LATCH, CASTLE, comment="latches too")
        assert bench.verdicts() == ["pass", "fail", "pass"]
        newest, oldest = bench.visits.versions(NAME, SCHLOSS)
        assert (newest.by, newest.comment, newest.item.rules) == ("Anna", "latches too", (LOCK, LATCH, CASTLE))
        assert [name for name, _ in newest.authors] == ["boss", "Anna", "boss"]
        assert oldest.item.rules == (LOCK, CASTLE)

    def test_only_this_item_is_judged_again(self, bench: Bench) -> None:
        before = {row["id"]: row for row in contents(bench.store)["texts"]}
        bench.save(LATCH)
        changed = {row["item_id"] for row in contents(bench.store)["texts"] if row != before[row["id"]]}
        assert changed == {bench.snapshot.stored.item_ids[0]}

    def test_other_servers_see_it(self, bench: Bench) -> None:
        """Another server's, which had read everything before."""
        other = Visits(bench.store)
        assert len(other.snapshot(NAME).tasks) == 5
        bench.save(LOCK, LATCH, CASTLE)
        assert len(other.snapshot(NAME).tasks) == 4
        assert other.snapshot(NAME).suite.hash == bench.snapshot.suite.hash

    def test_the_second_to_save_is_told_and_nothing_is_overwritten(self, bench: Bench) -> None:
        base = bench.base()
        bench.save(LATCH)
        before = contents(bench.store)
        with pytest.raises(Overtaken, match=f"Anna changed {SCHLOSS} while you were editing it"):
            bench.save(CASTLE, by=bench.ben, base=base)
        assert contents(bench.store) == before

    def test_a_judgement_meanwhile_is_no_reason_to_refuse(self, bench: Bench) -> None:
        base = bench.base()
        bench.judge(C, "fail", bench.ben)
        bench.save(LATCH, base=base)
        assert bench.verdicts() == ["warning", "warning", "fail"]

    def test_saving_what_is_there_already(self, here: Bench) -> None:
        with pytest.raises(BadOption, match="nothing was changed"):
            here.save(LOCK, CASTLE)

    def test_pass_rules_stand_before_fail_rules(self, here: Bench) -> None:
        """As in files, so that an export that is imported again is the same suite."""
        here.save(CASTLE, LATCH, LOCK)
        assert here.rules() == (LATCH, LOCK, CASTLE)

    def test_viewers_may_not(self, here: Bench) -> None:
        with here.store.writing() as db:
            vera = add_user(db, "Vera", "viewer")
        with pytest.raises(NotAllowed, match="Vera is viewer; this needs the role annotator"):
            here.save(LATCH, by=vera)

    def test_too_many(self, here: Bench) -> None:
        with pytest.raises(BadOption, match="an item has at most 1,000 rules"):
            here.save(*(replace(LATCH, value=str(number)) for number in range(1001)))


class TestRestoring:
    def test_an_earlier_version_becomes_the_newest(self, bench: Bench) -> None:
        bench.save(LATCH)
        first = bench.visits.versions(NAME, SCHLOSS)[-1]
        bench.visits.restore(bench.ben, NAME, SCHLOSS, first.id)
        newest, *others = bench.visits.versions(NAME, SCHLOSS)
        assert (newest.by, newest.comment, newest.item.rules) == ("Ben", "revision 1 restored", (LOCK, CASTLE))
        assert newest.authors == first.authors, "rules keep who wrote them"
        assert len(others) == 2
        assert bench.verdicts() == ["pass", "fail", "warning"]

    def test_a_version_of_another_item(self, here: Bench) -> None:
        other = here.base(STRAUSS)
        with pytest.raises(UnknownName, match=f"no version '{other}'"):
            here.visits.restore(here.anna, NAME, SCHLOSS, other)

    def test_the_version_that_holds(self, here: Bench) -> None:
        with pytest.raises(BadOption, match="nothing was changed"):
            here.visits.restore(here.anna, NAME, SCHLOSS, here.base())


class TestSiblings:
    """Items of the same phenomenon that can get the same change."""

    def test_a_new_rule_can_go_to_all(self, here: Bench) -> None:
        found = siblings(here.snapshot, SCHLOSS, (LOCK, LATCH, CASTLE))
        assert [(item.id, rules) for item, rules in found] == [(STRAUSS, (ITEMS[1].rules[0], LATCH, ITEMS[1].rules[1]))]

    def test_a_rule_that_is_taken_away_only_to_those_that_have_it(self, here: Bench) -> None:
        assert siblings(here.snapshot, SCHLOSS, (LOCK,)) == []
        here.save(*ITEMS[1].rules, CASTLE, item_id=STRAUSS)
        assert [item.id for item, _ in siblings(here.snapshot, SCHLOSS, (LOCK,))] == [STRAUSS]

    def test_without_a_change_there_are_none(self, here: Bench) -> None:
        assert siblings(here.snapshot, SCHLOSS, (LOCK, CASTLE)) == []

    def test_they_are_saved_in_one_revision(self, bench: Bench) -> None:
        posy = Rule("pass", "contains", "posy")
        bench.save(LOCK, posy, CASTLE, siblings=(STRAUSS,))
        assert bench.rules(STRAUSS) == (ITEMS[1].rules[0], posy, ITEMS[1].rules[1])
        assert bench.verdicts(STRAUSS) == ["pass", "fail", "pass"]
        assert [revision["comment"] for revision in contents(bench.store)["revisions"]] == [
            "first",
            f"rules of {SCHLOSS}",
        ]

    def test_somebody_who_is_none(self, here: Bench) -> None:
        before = contents(here.store)
        with pytest.raises(UnknownName, match=f"no sibling '{PFERDE}'"):
            here.save(LOCK, LATCH, CASTLE, siblings=(PFERDE,))
        assert contents(here.store) == before


class TestRulesThatSomebodyTyped:
    def test_a_rule(self) -> None:
        assert make_rule("pass", "regex", r"\block\b", "i", "why") == Rule("pass", "regex", r"\block\b", "i", "why")

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            (("pass", "contains", " "), "a rule is empty; write something or remove it"),
            (("pass", "exact", "x" * 10_001), "a rule has 10,001 characters; at most 10,000 are allowed"),
            (("pass", "regex", "a", "x"), "a rule has the flags 'x'; a regex may have i"),
            (("pass", "contains", "a", "i"), "a regex may have i .ignore case., other rules have none"),
            (("maybe", "regex", "a"), "no polarity 'maybe'; there are: fail, pass"),
            (("pass", "glob", "a"), "no kind of rule 'glob'; there are: contains, copy, exact"),
        ],
    )
    def test_what_is_wrong_with_it(self, given: tuple[str, ...], message: str) -> None:
        with pytest.raises(BadOption, match=message):
            make_rule(*given)

    @pytest.mark.parametrize(
        ("rule", "message"),
        [
            (Rule("pass", "regex", "(lock"), r"the pass rule '\(lock' does not compile: missing \) at position 5"),
            (Rule("fail", "regex", "lock)"), "does not compile: .* at position 4"),
            (Rule("pass", "regex", "[a"), "does not compile"),
        ],
    )
    def test_whether_it_compiles_is_found_out_when_it_is_tried(self, here: Bench, rule: Rule, message: str) -> None:
        found = here.preview_rules(LOCK, rule)
        assert [str(problem) for problem in found.problems.values()] != []
        assert found.summary == "fail → warning 1 output (1 text) · breaks 1 example", (
            "the other rule is tried without it"
        )
        with pytest.raises(BadRule, match=message):
            here.save(LOCK, rule)


class TestRulesThatRunAway:
    """They are told by name, nothing is saved, and nobody waits long."""

    @pytest.fixture
    def long(self, here: Bench) -> Bench:
        """A text on which the rule would take longer than anybody lives."""
        Import(SUITE, outputs_of({System("D"): ("a" * 200 + "!",)}), "").run(here.store, here.admin)
        return here

    def test_foresight_says_which(self, long: Bench) -> None:
        found = long.preview_rules(LOCK, RUNAWAY, CASTLE)
        assert found.slow == [RUNAWAY]
        assert found.summary == "1 rule takes too long"
        assert found.moves == {}

    def test_it_is_not_saved(self, long: Bench) -> None:
        before = contents(long.store)
        with pytest.raises(BadRule) as caught:
            long.save(LOCK, RUNAWAY, CASTLE)
        assert str(caught.value) == (
            f"the pass rule '(a|aa)+$' takes more than {TIME_LIMIT} s on a text of {SCHLOSS}; make it simpler, with "
            "fewer repeats"
        )
        assert contents(long.store) == before

    def test_nor_for_a_sibling(self, long: Bench) -> None:
        with pytest.raises(BadRule, match=f"takes more than {TIME_LIMIT} s on a text of {SCHLOSS}"):
            long.save(*ITEMS[1].rules, RUNAWAY, item_id=STRAUSS, siblings=(SCHLOSS,))

    def test_in_a_file_it_makes_warnings(self, long: Bench) -> None:
        item = replace(ITEMS[0], rules=(RUNAWAY,))
        Import(replace(SUITE, items=(item, *ITEMS[1:])), None, "").run(long.store, long.admin)
        snapshot = long.snapshot
        finding = snapshot.texts[text_id(snapshot, SCHLOSS, System("D"))].finding
        assert (str(finding.verdict), finding.reason) == ("warning", "timeout")

    def test_it_can_be_taken_out_again(self, long: Bench) -> None:
        item = replace(ITEMS[0], rules=(RUNAWAY,))
        Import(replace(SUITE, items=(item, *ITEMS[1:])), None, "").run(long.store, long.admin)
        long.save(LOCK)
        assert long.verdicts() == ["pass", "warning", "warning"]


class TestRulesThatTakeTooLongTogether:
    """None of them runs away, but there is no end of them."""

    @pytest.fixture(autouse=True)
    def no_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rule_edits, "FORESIGHT_SECONDS", 0.0)

    def test_foresight_stops_and_says_so(self, here: Bench) -> None:
        found = here.preview_rules(LOCK, CASTLE)
        assert (found.stopped, found.known, found.slow) == (True, False, ())
        assert found.summary == "stopped after 0 s: the rules together take too long"
        assert (found.moves, found.changed, found.findings) == ({}, (), {})

    def test_they_are_not_saved(self, here: Bench) -> None:
        before = contents(here.store)
        with pytest.raises(
            BadOption, match=f"together take more than 0 s on the texts of {SCHLOSS}; make them simpler"
        ):
            here.save(LOCK, LATCH, CASTLE)
        assert contents(here.store) == before

    def test_siblings_share_the_time(self, here: Bench) -> None:
        with pytest.raises(BadOption, match=f"on the texts of {STRAUSS} and 1 siblings; .* or give fewer siblings"):
            here.save(*ITEMS[1].rules, LATCH, item_id=STRAUSS, siblings=(SCHLOSS,))

    def test_the_page_says_so_and_lets_nothing_be_saved(self, here: Bench) -> None:
        page = Inspection(Visits(here.store).visit(here.admin, NAME), SCHLOSS)
        typed = [Typed("r0", "pass", "contains", "latch")]
        preview = page.preview(typed)
        assert (preview.foresight, preview.siblings) == (None, 0)
        assert preview.stopped == "stopped after 0 s: the rules together take too long"
        assert [row.problem for row in preview.rows] == ["not tried on all texts"]
        assert all(sibling.foresight.stopped for sibling in page.siblings(typed))


class TestOnTheStarterSuite:
    @pytest.fixture
    def world(self, tmp_path: Path) -> Iterator[World]:
        with small_world(tmp_path) as made:
            yield made

    def test_foresight_equals_what_happens_for_every_item(self, world: World) -> None:
        """A rule that matches some texts of every item, over two campaigns."""
        new = Rule("fail", "regex", r"\b(the|is)\b")
        for item in world.snapshot.items[::10]:
            self.compare(world, item, new)

    def compare(self, world: World, item: Item, new: Rule) -> None:
        found = preview_rules(try_rules, world.snapshot, item.id, (*item.rules, new))
        before = self.verdicts(world.snapshot, item)
        edit = RuleEdit(item.id, (*item.rules, new), world.snapshot.version_ids[world.snapshot.place(item.id)])
        world.visits.save_rules(world.anna, "assay-de-en", edit)
        moves = Counter(
            pair for pair in zip(before, self.verdicts(world.snapshot, item), strict=True) if len(set(pair)) > 1
        )
        assert dict(found.moves) == moves

    def verdicts(self, snapshot: Snapshot, item: Item) -> list[Verdict]:
        """What every system's output of an item is worth."""
        codes = snapshot.outputs.codes[snapshot.place(item.id)]
        return [snapshot.texts[key].finding.verdict for key in snapshot.text_of_code[codes].tolist()]
