"""Whatever people do in whatever order, the database keeps its promises."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from assay.errors import BadOption
from assay.outputs import Collector, Outputs, System
from assay.suites import Item, Polarity, Rule, Suite
from assay.text import is_missing
from assay.verdicts import RuleJudge
from assay.verdicts.judgements import Event
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import suite_events
from assay.workbench.db.people import add_user
from assay.workbench.files.export import export, read_export
from assay.workbench.files.history_records import SEEN, Seen
from assay.workbench.files.importer import Import
from assay.workbench.items.item_edits import WrittenItem, remove_item, save_guideline, save_item
from assay.workbench.items.reverted_revision import revert_revision
from assay.workbench.items.rule_edits import RuleEdit, preview_rules
from assay.workbench.items.rule_trial import try_rules
from assay.workbench.items.widened_items import survey_wider, take_wider
from assay.workbench.queue.judgements import AnnotatorAnswer, ask_about, judge_together
from assay.workbench.snapshot import Snapshot, Snapshots
from tests.workbench.visits import Visits

WORDS = ("lock", "castle", "bouquet", "ostrich", "don’t", "")
NAME = "little"
PEOPLE = ("Anna", "Ben", "Vera")

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("  ".join)
rules = st.tuples(
    st.sampled_from(("pass", "fail")),
    st.sampled_from(("regex", "contains", "exact")),
    st.sampled_from(("lock", "castle", "bouquet ostrich", "don't", "ostrich")),
).map(lambda parts: Rule(*parts))  # type: ignore[arg-type]
rule_lists = st.lists(rules, max_size=3).map(
    lambda found: tuple(sorted(found, key=lambda rule: rule.polarity == "fail"))
)


# Few, so that items often share one
told = st.sampled_from(("", "Translate.", "Translate\nthis: {source}\n"))


def suite_of(first: tuple[Rule, ...], prompts: Sequence[str] = ("", "", "")) -> Suite:
    items = [
        # One source, so that a prompt is all that tells some of them apart
        Item(f"words/{name}", "Ambiguity", "Words", "Quelle", prompt=prompt, context=prompt[:9])
        for name, prompt in zip("abc", prompts, strict=True)
    ]
    items[0] = replace(items[0], rules=first)
    return Suite(NAME, "de-en", tuple(items), {"Ambiguity": {"Words": ""}})


def outputs_of(suite: Suite, system: System, written: list[str]) -> Outputs:
    collector = Collector(suite)
    collector.add(system, positions=list(range(len(written))), texts=written)
    return collector.outputs()


class Life(RuleBasedStateMachine):
    """`self.store` is a new database; `self.events` counts what was recorded."""

    new_store: Callable[[ExitStack], Store]

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.store = type(self).new_store(self.stack)
        with self.store.writing() as db:
            self.admin = add_user(db, "boss", "admin")
            self.people = {name: add_user(db, name, "adjudicator") for name in PEOPLE}
        self.visits = Visits(self.store)
        self.written: dict[System, dict[str, str]] = {}
        self.history: list[Event] = []

    def teardown(self) -> None:
        self.stack.close()

    @property
    def snapshot(self) -> Snapshot:
        return self.visits.snapshot(NAME)

    @property
    def judgeable(self) -> list[int]:
        return sorted(text.id for text in self.snapshot.texts.values() if not is_missing(text.value))

    @initialize(first=rule_lists, prompts=st.tuples(told, told, told))
    def import_the_suite(self, first: tuple[Rule, ...], prompts: Sequence[str]) -> None:
        Import(suite_of(first, prompts), None, "first").run(self.store, self.admin)

    @rule(
        name=st.sampled_from("xyz"),
        year=st.sampled_from(("", "2021", "2022")),
        written=st.lists(texts, min_size=1, max_size=2),
    )
    def import_outputs(self, name: str, year: str, written: list[str]) -> None:
        system, suite = System(name, year), self.snapshot.suite
        Import(suite, outputs_of(suite, system, written), "outputs", here=True).run(self.store, self.admin, force=True)
        self.written[system] = {item.id: text for item, text in zip(suite.items, written, strict=False)}

    @rule(first=rule_lists, items=st.sampled_from(("abc", "cba", "ab", "ac")), prompts=st.tuples(told, told, told))
    def import_the_suite_again(self, first: tuple[Rule, ...], items: str, prompts: Sequence[str]) -> None:
        """In another order, or without one of its items: its outputs and events stay, unseen."""
        suite = suite_of(first, prompts)
        chosen = tuple(suite.item(f"words/{name}") for name in items)
        Import(replace(suite, items=chosen), None, "again").run(self.store, self.admin, force=True)

    @precondition(lambda self: self.judgeable)
    @rule(data=st.data(), who=st.sampled_from(PEOPLE), verdict=st.sampled_from(("pass", "fail", None)))
    def judge(self, data: st.DataObject, who: str, verdict: str | None) -> None:
        text_id = data.draw(st.sampled_from(self.judgeable))
        outcome = self.visits.judge(self.people[who], NAME, AnnotatorAnswer(text_id, verdict))  # type: ignore[arg-type]
        self.history.append(outcome.event)

    @precondition(lambda self: self.judgeable)
    @rule(data=st.data(), who=st.sampled_from(PEOPLE), verdict=st.sampled_from(("pass", "fail")))
    def adjudicate(self, data: st.DataObject, who: str, verdict: str) -> None:
        text_id = data.draw(st.sampled_from(self.judgeable))
        outcome = self.visits.adjudicate(self.people[who], NAME, AnnotatorAnswer(text_id, verdict))  # type: ignore[arg-type]
        self.history.append(outcome.event)
        assert str(outcome.text.finding.verdict) == verdict

    @rule(who=st.sampled_from(PEOPLE))
    def undo(self, who: str) -> None:
        undone = self.visits.undo(self.people[who])
        mine = [event for event in self.history if event.by == who]
        taken_back = {event.undoes for event in mine}
        left = [event for event in mine if event.kind != "undo" and event.id not in taken_back]
        assert undone == (left[-1] if left else None)
        if undone:
            # What was decided together is taken back together.
            new = self._events()[len(self.history) :]
            together = [event for event in left if event.created == undone.created]
            assert [event.undoes for event in new] == [event.id for event in together]
            self.history += new

    @precondition(lambda self: self.judgeable)
    @rule(data=st.data(), who=st.sampled_from(PEOPLE), verdict=st.sampled_from(("pass", "fail", None)))
    def decide_together(self, data: st.DataObject, who: str, verdict: str | None) -> None:
        chosen = data.draw(st.lists(st.sampled_from(self.judgeable), min_size=1, max_size=4, unique=True))
        answers = [AnnotatorAnswer(text_id, verdict, origin="with row") for text_id in chosen]  # type: ignore[arg-type]
        outcomes = self.visits.change(self.people[who], NAME, judge_together, answers)
        self.history += [outcome.event for outcome in outcomes]
        assert {outcome.text.id for outcome in outcomes} <= set(chosen)

    @rule(data=st.data(), who=st.sampled_from(PEOPLE))
    def doubt(self, data: st.DataObject, who: str) -> None:
        decided = sorted(text.id for text in self.snapshot.texts.values() if text.decided)
        if decided:
            text_id = data.draw(st.sampled_from(decided))
            self.history.append(self.visits.change(self.people[who], NAME, ask_about, text_id, "sure?"))

    @rule(item=st.sampled_from("abc"), new=rule_lists, who=st.sampled_from(PEOPLE))
    def edit_rules(self, item: str, new: tuple[Rule, ...], who: str) -> None:
        name, snapshot = self._here(item), self.snapshot
        if name is None or snapshot.items[snapshot.place(name)].rules == new:
            return
        place = snapshot.place(name)
        before = {text_id: snapshot.texts[text_id].finding.verdict for text_id in snapshot.by_item[place]}
        foreseen = {
            changed.text.id: changed.finding.verdict
            for changed in preview_rules(try_rules, snapshot, name, new).changed
        }
        self.visits.save_rules(self.people[who], NAME, RuleEdit(name, new, snapshot.version_ids[place]))
        after = {text_id: self.snapshot.texts[text_id].finding.verdict for text_id in before}
        assert after == before | foreseen

    @rule(item=st.sampled_from("abc"), data=st.data())
    def restore_a_version(self, item: str, data: st.DataObject) -> None:
        name = self._here(item)
        if name is None:
            return
        versions = self.visits.versions(NAME, name)
        chosen = data.draw(st.sampled_from(versions))
        if chosen.item.rules != versions[0].item.rules:
            newest = self.visits.restore(self.admin, NAME, name, chosen.id)[0]
            assert newest.item.rules == chosen.item.rules
            assert len(self.visits.versions(NAME, name)) == len(versions) + 1

    @rule(polarity=st.sampled_from(("pass", "fail")), who=st.sampled_from(PEOPLE))
    def widen_all_rules(self, polarity: Polarity, who: str) -> None:
        """What is decided stays so, and texts that waited are decided as the rules have it."""
        before = {text.id: text.finding.verdict for text in self.snapshot.texts.values() if text.decided}
        visit = self.visits.visit(self.people[who], NAME)
        offer = survey_wider(visit, ("case", "stop"), polarity)
        if offer:
            taken = take_wider(visit, offer.change, "suite")
            after = {text.id: text.finding.verdict for text in self.snapshot.texts.values() if text.decided}
            assert before.items() <= after.items()
            assert len(after) == len(before) + taken.effect.texts

    @rule(item=st.sampled_from("abcd"), words=st.sampled_from(("", "Quelle", "Anderes")), who=st.sampled_from(PEOPLE))
    def write_an_item(self, item: str, words: str, who: str) -> None:
        visit, name = self.visits.visit(self.people[who], NAME), self._here(item)
        snapshot = self.snapshot
        base = snapshot.version_ids[snapshot.place(name)] if name else 0
        if name and not words:
            if len(snapshot.items) > 1:
                remove_item(visit, name, base=base)
        elif words:
            written = WrittenItem(f"words/{item}", "Ambiguity", "Words", words, f"tests {words}", passing=("lock",))
            if not name or WrittenItem.of(snapshot.items[snapshot.place(name)]) != written:
                save_item(visit, written, base=base)

    @rule(text=st.sampled_from(("", "Be strict.", "Be strict,\nbut kind.")), who=st.sampled_from(PEOPLE))
    def write_a_guideline(self, text: str, who: str) -> None:
        now, hashed = self.snapshot.stored.suite.guidelines.get(("Ambiguity", "Words"), ""), self.snapshot.suite.hash
        if text != now:
            save_guideline(self.visits.visit(self.people[who], NAME), "Ambiguity", "Words", text, base=now)
            assert self.snapshot.stored.suite.guidelines.get(("Ambiguity", "Words"), "") == text
            assert self.snapshot.suite.hash == hashed

    @rule(data=st.data(), who=st.sampled_from(PEOPLE))
    def revert_a_revision(self, data: st.DataObject, who: str) -> None:
        last = self.snapshot.stored.revision
        if last > 1:
            number = data.draw(st.integers(2, last))
            with suppress(BadOption):  # all of it was changed again since, or there is nothing else
                revert_revision(self.visits.visit(self.people[who], NAME), number)

    @precondition(lambda self: self.judgeable)
    @rule(data=st.data(), who=st.sampled_from(PEOPLE), what=st.sampled_from(SEEN))
    def see(self, data: st.DataObject, who: str, what: Seen) -> None:
        text_id = data.draw(st.sampled_from(self.judgeable))
        self.visits.reveal(self.people[who], [text_id], what)
        assert what in self.visits.revealed(self.people[who], text_id)

    @rule(pseudonyms=st.booleans())
    def export_and_import_elsewhere(self, pseudonyms: bool) -> None:
        """Nothing is lost: another database, which has been empty, writes the very same files."""
        with TemporaryDirectory() as folder, ExitStack() as stack:
            home = Path(folder)
            export(self.store, NAME, home / "out", pseudonyms=pseudonyms)
            other = type(self).new_store(stack)
            with other.writing() as db:
                admin = add_user(db, "somebody", "admin")
            ready = read_export(home / "out")
            ready.run(other, admin)
            export(other, NAME, home / "again")
            assert contents_of(home / "again") == contents_of(home / "out")
            assert Snapshots(other).get(NAME).suite.hash == self.snapshot.suite.hash
            again = ready.run(other, admin)
            assert (again.judgements, again.saved.revision) == (0, None)
            with other.reading() as db:
                assert len(suite_events(db, 1)) == len(self.history)

    @invariant()
    def everything_written_is_there(self) -> None:
        if not self._has_suite():
            return
        snapshot = self.snapshot
        places = {item.id: place for place, item in enumerate(snapshot.items)}
        for column, system in enumerate(snapshot.outputs.systems):
            for item, text in self.written[system].items():
                if item in places:
                    assert snapshot.outputs.text(places[item], column) == text
        assert set(snapshot.outputs.systems) == set(self.written)

    @invariant()
    def verdicts_are_those_of_the_exported_suite(self) -> None:
        if not self._has_suite():
            return
        snapshot = self.snapshot
        judge = RuleJudge(snapshot.suite)
        for text in snapshot.texts.values():
            item = snapshot.suite.items[text.place]
            found = judge.judge(item, text.value)
            assert (found.verdict, found.reason) == (text.finding.verdict, text.finding.reason)

    @invariant()
    def reading_changes_gives_the_same_as_reading_all(self) -> None:
        if not self._has_suite():
            return
        with self.store.reading() as db:
            fresh = Snapshot.read(db, self.snapshot.stored.id)
        assert fresh.texts == self.snapshot.texts
        assert list(fresh.items) == list(self.snapshot.items)
        assert fresh.tasks == self.snapshot.tasks
        assert fresh.suite.hash == self.snapshot.suite.hash

    @invariant()
    def nothing_that_anybody_did_is_lost(self) -> None:
        if self._has_suite():
            assert self._events() == self.history

    def _here(self, item: str) -> str | None:
        """The id of an item that stands, None for one that was removed."""
        return f"words/{item}" if f"words/{item}" in self.snapshot.stored.suite.positions else None

    def _events(self) -> list[Event]:
        with self.store.reading() as db:
            return suite_events(db, self.snapshot.stored.id)

    def _has_suite(self) -> bool:
        from assay.workbench.db.suites import suite_names

        with self.store.reading() as db:
            return NAME in suite_names(db)


def contents_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, as it is."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def _run(new_store: Callable[[ExitStack], Store], examples: int) -> None:
    machine = type("Machine", (Life,), {"new_store": staticmethod(new_store)})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


def test_on_sqlite(tmp_path: Path) -> None:
    blank = tmp_path / "blank.db"
    Store.create(str(blank)).close()

    def new_store(stack: ExitStack) -> Store:
        path = Path(stack.enter_context(TemporaryDirectory())) / "assay.db"
        copy(blank, path)
        store = Store.open(str(path))
        stack.callback(store.close)
        return store

    _run(new_store, examples=15)


def test_on_postgresql(request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("postgresql")

    def new_store(stack: ExitStack) -> Store:
        store = Store.open(stack.enter_context(server.database(server.with_tables)))
        stack.callback(store.close)
        return store

    _run(new_store, examples=4)
