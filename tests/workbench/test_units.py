"""What one decision settles: lists of twins, rows of a card, the same text in two items, and taking it back."""

from dataclasses import replace

import pytest

from assay.outputs import Collector, System
from assay.suites import Examples, Item, Rule, Suite
from assay.verdicts.judgements import Event
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import suite_events
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.people.roles import User
from assay.workbench.queue.filters import Filters
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.queue_page import NO_DRAFT, QueuePage, QueueSession
from assay.workbench.queue.unit_card import UnitCard
from assay.workbench.queue.units import index_of
from assay.workbench.reader import EndsBlindness
from assay.workbench.snapshot import Snapshot, Snapshots
from assay.workbench.work.agreement import agreement
from assay.workbench.work.disputes import decide, open_disputes
from assay.workbench.work.effort import pace
from tests.workbench.visits import Visits

NAME = "twins"
TAXONOMY = {"Verbs": {"Modal": "", "Other": ""}, "Punctuation": {"Question tag": ""}}


def item(name: str, source: str, *rules: Rule, phenomenon: tuple[str, str] = ("Verbs", "Modal")) -> Item:
    return Item(f"{name}/x", *phenomenon, source, rules, examples=Examples())


SUITE = Suite(
    NAME,
    "de-en",
    (
        item("rennen", "Du rennst.", Rule("pass", "exact", "You run."), Rule("fail", "exact", "You ran.")),
        item("sollen", "Du sollst nicht rennen.", Rule("pass", "exact", "You should not run.")),
        item("gehen", "Wir gehen jetzt nach Hause."),
        item("gehen-2", "Wir gehen jetzt nach Hause."),
        item(
            "oder",
            "Du rennst, oder?",
            Rule("pass", "exact", "You run, right?"),
            phenomenon=("Punctuation", "Question tag"),
        ),
    ),
    TAXONOMY,
)
WRITTEN = {
    # Lower case and no stop are as this system writes.
    "Low": ("you run", "You shouldn't run.", "We go home.", "We go home.", "you run, right?"),
    "High": ("You run.", "You must not run.", "We'll go home.", "Homewards!", "You run, right?"),
    "Mid": ("You ran.", "you must not run", "We will go home.", "Off we go.", "You run, or?"),
    "Hotel": ("The staff were very friendly.",) * 5,
}


class Desk:
    """A database with the suite above, and Anna, Ben and Ada, who adjudicates."""

    def __init__(self, store: Store, suite: Suite = SUITE) -> None:
        self.store, self.visits = store, Visits(store)
        with store.writing() as db:
            self.anna, self.ben = (add_user(db, name, "annotator") for name in ("Anna", "Ben"))
            self.ada, self.boss = add_user(db, "Ada", "adjudicator"), add_user(db, "boss", "admin")
        collector = Collector(suite)
        for name, texts in WRITTEN.items():
            collector.add(System(name), positions=range(len(texts)), texts=texts)
        Import(suite, collector.outputs(), "import").run(store, self.boss)

    @property
    def snapshot(self) -> Snapshot:
        return self.visits.snapshot(NAME)

    def at(self, user: User, **filters: object) -> QueueSession:
        return QueueSession(self.visits.visit(user, NAME), Filters(**filters))  # type: ignore[arg-type]

    def id(self, value: str, name: str = "") -> int:
        return next(
            text.id
            for text in self.snapshot.texts.values()
            if text.value == value and self.snapshot.items[text.place].id.startswith(name)
        )

    def events(self) -> list[Event]:
        with self.store.reading() as db:
            return suite_events(db, self.snapshot.stored.id)

    def said(self) -> dict[str, tuple[str | None, str]]:
        """Text -> verdict and origin of what was recorded of it last."""
        texts = self.snapshot.texts
        return {texts[event.text_id].value: (event.verdict, event.origin) for event in self.events()}


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


def card(page: QueuePage) -> UnitCard:
    assert page.card
    return page.card


def listed(page: QueuePage) -> list[tuple[str, str, str]]:
    """The texts of a list, each with its twin and that one's verdict."""
    return [(row.text.value, row.twin.value, row.twin.verdict) for row in card(page).listed if row.twin]


def rows(page: QueuePage) -> list[list[str]]:
    """The rows of a card, each with its texts."""
    return [[row.text.value, *(other.value for other in row.variants)] for row in card(page).rows]


def accept(desk: Desk, user: User, *, out: tuple[int, ...] = ()) -> QueuePage:
    """Press Enter on the list of twins."""
    here = desk.at(user)
    page = here.open()
    assert card(page).unit.kind == "twins"
    texts = [text_id for text_id in card(page).unit.text_ids if text_id not in out]
    return here.judge_list(texts, None, out=out, known=card(page).known)


def test_twins_of_decided_texts_come_first_as_one_list(desk: Desk) -> None:
    page = desk.at(desk.anna).open()
    assert card(page).unit.kind == "twins"
    # A question tag is about its punctuation: `you run, right?` has no twin.
    assert listed(page) == [
        ("you run", "You run.", "pass"),
        ("You shouldn't run.", "You should not run.", "pass"),
    ]
    assert list(card(page).listed[0].text.marks) == [(0, 1, "differs")]


def test_texts_that_free_an_item_together_are_counted(desk: Desk) -> None:
    here = desk.at(desk.anna)
    place = desk.snapshot.place("rennen/x")
    left = [task.text_id for task in desk.snapshot.waiting_at(place)]
    assert len(left) == 2
    assert desk.snapshot.counts_in(place) == set()
    page = here.judge_rows([[text_id] for text_id in left], "fail", draft=NO_DRAFT, seen=(), known=0)
    assert page.last
    assert page.last.freed_items == 1
    assert desk.snapshot.counts_in(place) == {""}


def test_texts_of_a_triage_list_do_not_become_one_card(desk: Desk) -> None:
    page = desk.at(desk.anna, triage=True).open()
    assert len(card(page).listed) == 5
    accept(desk, desk.ben)
    desk.at(desk.anna, triage=True).open()
    page = desk.at(desk.anna).open()
    assert {panel.item.phenomenon for panel in card(page).panels} == {card(page).panels[0].item.phenomenon}
    assert len({panel.item.source for panel in card(page).panels}) == 1


def test_the_units_of_changed_items_are_those_of_a_fresh_count(desk: Desk) -> None:
    here = desk.at(desk.anna)
    page = accept(desk, desk.anna)
    for step in range(4):
        kept, fresh = index_of(desk.snapshot), index_of(Snapshots(desk.store).get(NAME))
        assert kept.order == fresh.order
        assert kept.number_of_rows == fresh.number_of_rows
        assert kept.by_place == fresh.by_place
        assert kept.twins == fresh.twins
        assert {name: found for name, found in kept.of_phenomenon.items() if found} == fresh.of_phenomenon
        lead = card(page).rows[0].row
        page = here.undo() if step == 2 else here.judge_rows([lead.all], "fail", draft=NO_DRAFT, seen=(), known=0)


def test_one_key_accepts_the_list_and_each_text_is_a_judgement_of_its_own(desk: Desk) -> None:
    page = accept(desk, desk.anna)
    assert desk.said() == {
        "you run": ("pass", "twin of You run."),
        "You shouldn't run.": ("pass", "twin of You should not run."),
    }
    assert len({event.created for event in desk.events()}) == 1
    # A list says what its texts are taken for.
    assert [event.seen for event in desk.events()] == [("suggestion",)] * 2
    assert page.last
    assert page.last.number == 2
    assert card(page).unit.kind == "card"


def test_undo_takes_the_whole_list_back_and_one_text_alone(desk: Desk) -> None:
    accept(desk, desk.anna)
    here = desk.at(desk.anna)
    back = here.undo_one(desk.id("you run"))
    assert [event.kind for event in desk.events()] == ["judgement", "judgement", "undo"]
    assert listed(back) == [("you run", "You run.", "pass")]
    # What is left of the decision.
    again = here.undo()
    assert [event.kind for event in desk.events()][3:] == ["undo"]
    assert {text for text, _, _ in listed(again)} == {"you run", "You shouldn't run."}
    assert here.undo().last == replace(here.undo().last, did="undone", event=None)  # type: ignore[type-var]


def test_undo_takes_back_all_texts_of_one_decision(desk: Desk) -> None:
    accept(desk, desk.anna)
    page = desk.at(desk.anna).undo()
    assert [event.kind for event in desk.events()] == ["judgement"] * 2 + ["undo"] * 2
    assert len(listed(page)) == 2


def test_what_is_taken_out_of_a_list_comes_in_a_row(desk: Desk) -> None:
    out = desk.id("you run")
    accept(desk, desk.anna, out=(out,))
    assert desk.said()["you run"] == (None, "out of a list")
    # Nor does anybody else get it in a list.
    assert card(desk.at(desk.ben).open()).unit.kind == "card"
    assert ["you run"] in rows(desk.at(desk.anna, phenomenon="Modal", words="du rennst.").open())


def test_texts_of_an_item_are_rows_and_twins_among_them_one_row(desk: Desk) -> None:
    accept(desk, desk.anna)
    page = desk.at(desk.anna, words="sollst").open()
    assert rows(page) == [["You must not run.", "you must not run"], ["The staff were very friendly."]]
    here = desk.at(desk.anna, words="sollst")
    page = here.judge_rows([card(page).rows[0].row.all], "fail", draft=NO_DRAFT, seen=(), known=card(page).known)
    assert desk.said()["You must not run."] == ("fail", "")
    assert desk.said()["you must not run"] == ("fail", "twin of You must not run.")
    # The card stays until all its rows are judged.
    assert rows(page) == [["The staff were very friendly."]]


def test_a_row_is_split_where_its_spellings_matter(desk: Desk) -> None:
    here = desk.at(desk.anna, words="sollst must")
    assert rows(here.open()) == [["You must not run.", "you must not run"]]
    page = here.split([desk.id("you must not run")])
    assert rows(page) == [["You must not run."], ["you must not run"]]


def test_all_rows_that_are_left(desk: Desk) -> None:
    accept(desk, desk.anna)
    here = desk.at(desk.anna, words="sollst")
    page = here.open()
    here.judge_rows([row.row.all for row in card(page).rows], "fail", draft=NO_DRAFT, seen=(), known=0)
    assert desk.said()["The staff were very friendly."] == ("fail", "with row")
    assert desk.said()["You must not run."] == ("fail", "with row")
    assert desk.said()["you must not run"] == ("fail", "twin of You must not run.")


def test_the_same_text_in_two_items_that_test_the_same_is_judged_once(desk: Desk) -> None:
    here = desk.at(desk.anna, words="home")
    page = here.open()
    lead = next(row for row in card(page).rows if row.text.value == "We go home.")
    assert lead.also == ["gehen-2/x"]
    here.judge_rows([lead.row.all], "pass", draft=NO_DRAFT, seen=(), known=0)
    assert sorted(event.origin for event in desk.events()) == ["", "same text in gehen/x"]


def test_items_that_test_something_else_are_judged_by_themselves(store: Store) -> None:
    other = replace(SUITE.item("gehen-2/x"), tests="the end of the sentence")
    desk = Desk(store, SUITE.with_items({3: other}))
    page = desk.at(desk.anna, words="home").open()
    assert all(row.also == [] for row in card(page).rows)


def test_a_phenomenon_may_say_that_its_texts_have_twins(store: Store) -> None:
    desk = Desk(store, replace(SUITE, twins={("Punctuation", "Question tag"): True, ("Verbs", "Modal"): False}))
    assert listed(desk.at(desk.anna).open()) == [("you run, right?", "You run, right?", "pass")]


def test_two_people_get_different_units_and_nobody_overrules_the_other(desk: Desk) -> None:
    anna = desk.at(desk.anna).open()
    ben = desk.at(desk.ben).open()
    assert set(card(anna).unit.text_ids).isdisjoint(card(ben).unit.text_ids)
    # Ben's page is old by now: one of Anna's texts is decided before she accepts her list.
    desk.visits.judge(desk.ben, NAME, AnnotatorAnswer(desk.id("you run"), "fail"))
    desk.at(desk.anna).judge_list(card(anna).unit.text_ids, None, out=(), known=card(anna).known)
    assert desk.said()["you run"] == ("fail", "")
    assert desk.said()["You shouldn't run."] == ("pass", "twin of You should not run.")
    assert not desk.snapshot.disputed


def test_lists_can_be_left_for_later(desk: Desk) -> None:
    here = desk.at(desk.anna)
    page = here.leave_phenomenon(card(here.open()).text.id, lists=True)
    assert card(page).unit.kind == "card"
    assert card(here.bring_back(0)).unit.kind in ("card", "twins")


def test_texts_unrelated_to_the_source_are_one_list_a_system(desk: Desk) -> None:
    page = desk.at(desk.anna, triage=True).open()
    assert (card(page).unit.kind, card(page).unit.system) == ("triage", "Hotel")
    assert {row.text.value for row in card(page).listed} == {"The staff were very friendly."}
    done = desk.at(desk.anna, triage=True).judge_list(card(page).unit.text_ids, "fail", out=(), known=0)
    assert done.card is None
    assert {(event.verdict, event.origin, event.blind) for event in desk.events()} == {("fail", "in a list", False)}


def test_a_decision_counts_once_for_the_pace(desk: Desk) -> None:
    accept(desk, desk.anna)
    assert pace([event for event in desk.events() for _ in range(9)], desk.anna) is None


def test_lists_are_no_agreement(desk: Desk) -> None:
    accept(desk, desk.anna)
    desk.visits.judge(desk.ben, NAME, AnnotatorAnswer(desk.id("you run"), "pass"))
    found = desk.visits.read(desk.ada, NAME, agreement)
    assert (found.texts, found.left_out.seen) == (0, 1)


def test_a_doubt_about_a_judged_text_goes_to_the_adjudicator(desk: Desk) -> None:
    here = desk.at(desk.anna, words="Du rennst.")
    precedent = desk.id("You ran.")
    about = desk.id("The staff were very friendly.", "rennen")
    here.question(precedent, "why wrong?", about=about, draft=NO_DRAFT)
    (case,) = desk.visits.read(desk.ada, NAME, open_disputes).cases
    assert (case.text.value, [event.comment for event in case.questions]) == ("You ran.", ["why wrong?"])
    # The adjudicator sees what an annotator does.
    assert case.panel.item.id == "rennen/x"
    assert [near.shown.verdict for near in case.panel.near] == ["pass"]
    done = desk.visits.change(desk.ada, NAME, decide, AnnotatorAnswer(precedent, "pass"))
    assert done.left == 0
    assert str(desk.snapshot.text(precedent).finding.verdict) == "pass"


def test_what_would_end_blindness_is_asked_first(desk: Desk) -> None:
    desk.visits.judge(desk.ben, NAME, AnnotatorAnswer(desk.id("You run, or?"), "fail"))
    text = desk.snapshot.text(desk.id("You run, or?"))

    def look(*, shown: bool) -> None:
        with desk.visits.visit(desk.anna, NAME).reading() as reader:
            reader.show(text)
            reader.ask_first(shown=shown)

    with pytest.raises(EndsBlindness, match="no longer judge 1 text blind"):
        look(shown=False)
    assert desk.visits.revealed(desk.anna, text.id) == ()
    look(shown=True)
    assert desk.visits.revealed(desk.anna, text.id) == ("systems", "judgements")
    # Nothing new is nothing to ask about.
    look(shown=False)


def test_the_card_says_that_a_judgement_would_not_be_blind(desk: Desk) -> None:
    desk.visits.reveal(desk.anna, [desk.id("You must not run.")], "systems")
    page = desk.at(desk.anna, words="must").open()
    assert card(page).rows[0].seen == ("systems",)
