"""Who did what: nothing is lost, the newest first."""

import pytest

from assay.errors import UnknownName
from assay.outputs import Collector, System
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.workbench.db.database import Store
from assay.workbench.db.history import SampleDrawn
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.items.rule_edits import RuleEdit
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.sample import draw_sample
from assay.workbench.work.history import PAGE, history
from tests.workbench.visits import Visits

ITEMS = tuple(
    Item(f"words/{number}", "Lexis", "Words", f"Wort {number}", (Rule("pass", "contains", "right"),))
    for number in range(60)
)
SUITE = Suite("small", "de-en", ITEMS, taxonomy_of(ITEMS))


class Place:
    def __init__(self, store: Store) -> None:
        self.store, self.visits = store, Visits(store)
        with store.writing() as db:
            self.anna, self.eve = add_user(db, "anna", "annotator"), add_user(db, "eve", "admin")
        collector = Collector(SUITE)
        for name in ("A", "B"):
            texts = [f"word {number} of {name}" for number in range(60)]
            collector.add(System(name, "WMT21"), positions=list(range(60)), texts=texts)
        Import(SUITE, collector.outputs(), "first import").run(store, self.eve)

    def text(self, value: str) -> int:
        return next(text.id for text in self.visits.snapshot("small").texts.values() if text.value == value)

    def judge(self, user: User, value: str, verdict: str) -> None:
        self.visits.judge(user, "small", AnnotatorAnswer(self.text(value), verdict, comment="so it is"))  # type: ignore[arg-type]


@pytest.fixture
def place(store: Store) -> Place:
    return Place(store)


def kinds(place: Place, **filters: str) -> list[str]:
    return [entry.deed.kind for entry in place.visits.read(place.anna, "small", history, **filters).entries]  # type: ignore[arg-type]


def test_everything_is_there_the_newest_first(place: Place) -> None:
    place.judge(place.anna, "word 1 of A", "pass")
    place.visits.judge(place.anna, "small", AnnotatorAnswer(place.text("word 2 of A"), None))
    place.visits.undo(place.anna)
    place.visits.adjudicate(place.eve, "small", AnnotatorAnswer(place.text("word 1 of A"), "fail"))
    snapshot = place.visits.snapshot("small")
    rules = (Rule("pass", "contains", "wonderful"),)
    place.visits.save_rules(place.anna, "small", RuleEdit("words/3", rules, snapshot.version_ids[3], "why"))
    assert kinds(place) == ["edit", "adjudication", "undo", "skip", "judgement", "outputs", "edit"]
    edit, decided, undo, skip, judged, outputs, first = place.visits.read(place.anna, "small", history).entries
    assert edit.edited is not None
    assert (edit.deed.by, edit.edited.number, edit.edited.comment) == ("anna", 2, "why")
    assert (edit.edited.changed, edit.edited.items) == (1, ("words/3",))
    assert decided.judged is not None
    assert (decided.deed.by, decided.judged.event.verdict, decided.judged.item) == ("eve", "fail", "words/1")
    assert undo.undone is not None
    assert (undo.undone.event.kind, undo.undone.text) == ("skip", "word 2 of A")
    assert skip.judged is not None
    assert skip.judged.undone
    assert judged.judged is not None
    assert (judged.judged.event.comment, judged.judged.undone) == ("so it is", False)
    assert outputs.brought is not None
    assert (outputs.brought.campaign, outputs.brought.systems) == ("WMT21", ("A", "B"))
    assert first.edited is not None
    assert (first.edited.comment, first.edited.changed, len(first.edited.items)) == ("first import", 60, 5)


def test_one_person_or_one_kind(place: Place) -> None:
    place.judge(place.anna, "word 1 of A", "pass")
    place.judge(place.eve, "word 1 of A", "fail")
    assert kinds(place, by="anna") == ["judgement"]
    assert kinds(place, by="eve") == ["judgement", "outputs", "edit"]
    assert kinds(place, kind="outputs") == ["outputs"]
    assert kinds(place, by="eve", kind="edit") == ["edit"]
    with pytest.raises(UnknownName, match="kind"):
        place.visits.read(place.anna, "small", history, kind="deletion")
    with pytest.raises(UnknownName, match="user"):
        place.visits.read(place.anna, "small", history, by="nobody")


def test_pages_hold_everything_once(place: Place) -> None:
    for number in range(60):
        place.judge(place.anna, f"word {number} of A", "pass")
    first, second = (place.visits.read(place.anna, "small", history, page=number) for number in (1, 2))
    assert (len(first.entries), first.more) == (PAGE, True)
    assert (len(second.entries), second.more) == (62 - PAGE, False)
    deeds = [entry.deed for entry in (*first.entries, *second.entries)]
    assert len({(deed.kind, deed.id) for deed in deeds}) == 62
    assert [deed.created for deed in deeds] == sorted((deed.created for deed in deeds), reverse=True)


def test_what_the_page_gives_away_is_kept(place: Place) -> None:
    place.judge(place.anna, "word 1 of A", "pass")
    place.judge(place.eve, "word 2 of A", "fail")
    place.visits.judge(place.eve, "small", AnnotatorAnswer(place.text("word 3 of A"), None))
    place.visits.read(place.anna, "small", history)
    told = [place.visits.revealed(place.anna, place.text(f"word {number} of A")) for number in (1, 2, 3)]
    assert told == [("systems", "suggestion"), ("judgements",), ()]


def test_two_people_bring_outputs_in_the_same_minute(place: Place) -> None:
    with place.store.writing() as db:
        other = add_user(db, "ada", "admin")
    collector = Collector(SUITE)
    collector.add(System("C", "WMT21"), positions=[0], texts=["word"])
    Import(SUITE, collector.outputs(), "second import").run(place.store, other)
    brought = [
        entry for entry in place.visits.read(place.anna, "small", history, kind="outputs").entries if entry.brought
    ]
    assert {entry.deed.by: entry.brought.systems for entry in brought if entry.brought} == {
        "eve": ("A", "B"),
        "ada": ("C",),
    }


def test_a_draw_is_in_the_history_with_its_size_and_seed(place: Place) -> None:
    place.visits.change(place.eve, "small", draw_sample)
    (entry,) = place.visits.read(place.anna, "small", history, kind="draw").entries
    assert (entry.deed.kind, entry.deed.by) == ("draw", "eve")
    undecided = len(place.visits.read(place.anna, "small", lambda reader: reader.snapshot.tasks))
    assert entry.drawn == SampleDrawn(seed=1, campaigns=("WMT21",), systems=2, texts=undecided)
    assert kinds(place, by="eve")[0] == "draw"
