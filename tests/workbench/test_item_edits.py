"""Writing items and guidelines: what keeps one from being saved, what a revision keeps, and the way back."""

from dataclasses import replace
from pathlib import Path

import pytest

from assay.errors import BadOption, NotAllowed, Overtaken, UnknownName
from assay.suites import Examples, load_suite
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.export import export
from assay.workbench.files.importer import Import
from assay.workbench.items.item_edits import (
    WrittenItem,
    comments_of,
    lint_item,
    read_guideline,
    remove_item,
    save_guideline,
    save_item,
)
from assay.workbench.items.item_page import open_item
from assay.workbench.items.reverted_revision import revert_revision
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.snapshot import Snapshot
from assay.workbench.text_view import guideline_of
from assay.workbench.visit import Visit
from tests.workbench.little import ITEMS, NAME, PFERDE, SCHLOSS, STRAUSS, SUITE, C, fill, text_id
from tests.workbench.visits import Visits

WORDS = ("Ambiguity", "Words")
NEW = WrittenItem(
    "words/ball", *WORDS, "Sie tanzten auf dem Ball.", "Ball is the dance here", passing=("at the dance",)
)


class Desk:
    """Anna and Ben at the little suite."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.admin = fill(store)
        self.visits = Visits(store)
        with store.writing() as db:
            self.anna, self.ben, self.vera = (
                add_user(db, name, role)  # type: ignore[arg-type]
                for name, role in (("Anna", "annotator"), ("Ben", "adjudicator"), ("Vera", "viewer"))
            )

    @property
    def visit(self) -> Visit:
        return self.visits.visit(self.anna, NAME)

    @property
    def snapshot(self) -> Snapshot:
        return self.visits.snapshot(NAME)

    def base(self, name: str) -> int:
        return self.snapshot.version_ids[self.snapshot.place(name)]


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


def test_an_item_is_written_and_its_rules_stay(desk: Desk) -> None:
    hashed = desk.snapshot.suite.hash
    written = replace(WrittenItem.of(ITEMS[0]), tests="the lock of a door", notes="two\nlines", tags=("door",))
    assert save_item(desk.visit, written, base=desk.base(SCHLOSS)) == 2
    item = desk.snapshot.stored.suite.item(SCHLOSS)
    assert (item.tests, item.notes, item.tags, item.rules) == (
        "the lock of a door",
        "two\nlines",
        ("door",),
        ITEMS[0].rules,
    )
    assert desk.snapshot.suite.hash == hashed
    page = desk.visits.read(desk.anna, NAME, open_item, SCHLOSS)
    assert next((version.revision, version.by, version.comment) for version in page.versions) == (
        2,
        "Anna",
        f"{SCHLOSS} edited",
    )


def test_a_new_item_and_what_the_workbench_added_stays_when_the_file_comes_again(desk: Desk) -> None:
    save_item(desk.visit, NEW, base=0)
    assert [item.id for item in desk.snapshot.items] == [SCHLOSS, STRAUSS, PFERDE, "words/ball"]
    assert desk.snapshot.stored.suite.item("words/ball").examples == Examples(("at the dance",))
    Import(SUITE, None, "again").run(desk.store, desk.admin)
    assert "words/ball" in desk.snapshot.stored.suite.positions


def test_an_item_is_taken_out_with_its_texts_and_comes_back_with_them(desk: Desk) -> None:
    before = desk.snapshot
    number = remove_item(desk.visit, STRAUSS, base=desk.base(STRAUSS))
    assert STRAUSS not in desk.snapshot.stored.suite.positions
    assert not any(text.value == "She got a posy." for text in desk.snapshot.texts.values())
    revert_revision(desk.visit, number)
    assert desk.snapshot.stored.suite.items == before.stored.suite.items
    assert desk.snapshot.texts == before.texts


def test_nobody_overwrites_anybody(desk: Desk) -> None:
    base = desk.base(SCHLOSS)
    written = WrittenItem.of(ITEMS[0])
    save_item(desk.visits.visit(desk.ben, NAME), replace(written, tests="Ben's"), base=base)
    with pytest.raises(Overtaken, match="Ben changed words/schloss while you were editing it"):
        save_item(desk.visit, replace(written, tests="Anna's"), base=base)
    with pytest.raises(Overtaken):
        remove_item(desk.visit, SCHLOSS, base=base)
    with pytest.raises(BadOption, match="nothing was changed"):
        save_item(desk.visit, replace(written, tests="Ben's"), base=desk.base(SCHLOSS))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": ""}, "an item needs an id without white space"),
        ({"id": "words/a b"}, "an item needs an id without white space"),
        ({"id": SCHLOSS}, "there is an item 'words/schloss' already"),
        ({"id": "ball"}, "an id of this suite names a file, such as words/schloss"),
        ({"id": "idioms/ball"}, "idioms has items of Idioms"),
        ({"source": " "}, "an item needs a source text"),
        ({"phenomenon": "Idiom"}, "there is no phenomenon 'Idiom' in the category 'Ambiguity'"),
        ({"failing": ("at the dance",)}, "the example 'at the dance' is on both sides"),
        ({"source": "x" * 20_001}, "more than 20,000 characters"),
    ],
)
def test_what_keeps_an_item_from_being_saved(here_desk: Desk, change: dict[str, str], problem: str) -> None:
    written = replace(NEW, **change)  # type: ignore[arg-type]
    assert problem in lint_item(here_desk.visit, written, is_new=True).problems[0]
    with pytest.raises(BadOption, match=problem[:20]):
        save_item(here_desk.visit, written, base=0)
    assert len(here_desk.snapshot.items) == 3


@pytest.fixture
def here_desk(sqlite_store: Store) -> Desk:
    return Desk(sqlite_store)


def test_what_looks_odd_is_told(here_desk: Desk) -> None:
    written = replace(WrittenItem.of(ITEMS[0]), source=ITEMS[1].source, tests="", passing=("The castle.",))
    assert lint_item(here_desk.visit, written, is_new=False).warnings == [
        f"{STRAUSS} has the same source",
        "it does not say what it tests",
        "the rules say fail of the pass example 'The castle.'",
    ]


def test_viewers_write_nothing(here_desk: Desk) -> None:
    vera = here_desk.visits.visit(here_desk.vera, NAME)
    for act in (
        lambda: save_item(vera, NEW, base=0),
        lambda: lint_item(vera, NEW, is_new=True),
        lambda: remove_item(vera, SCHLOSS, base=1),
        lambda: save_guideline(vera, *WORDS, "x", base=""),
    ):
        with pytest.raises(NotAllowed):
            act()


class TestGuidelines:
    def test_versions_with_who_and_when(self, desk: Desk) -> None:
        hashed = desk.snapshot.suite.hash
        save_guideline(desk.visit, *WORDS, "Only the sense counts.", base="")
        ben = desk.visits.visit(desk.ben, NAME)
        save_guideline(ben, *WORDS, "Only the sense counts.\r\nBe kind.", base="Only the sense counts.")
        found = desk.visits.read(desk.anna, NAME, read_guideline, *WORDS)
        assert [(version.revision, version.by, version.text) for version in found.earlier] == [
            (3, "Ben", "Only the sense counts.\nBe kind."),
            (2, "Anna", "Only the sense counts."),
        ]
        assert guideline_of(desk.snapshot, ITEMS[0]) == found.text
        assert guideline_of(desk.snapshot, ITEMS[2]) is None
        assert desk.snapshot.suite.hash == hashed
        with pytest.raises(Overtaken, match="somebody changed the guideline of Words"):
            save_guideline(desk.visit, *WORDS, "Mine.", base="Only the sense counts.")
        revert_revision(desk.visit, 3)
        assert guideline_of(desk.snapshot, ITEMS[0]) == "Only the sense counts."
        save_guideline(desk.visit, *WORDS, "", base="Only the sense counts.")
        assert guideline_of(desk.snapshot, ITEMS[0]) is None

    def test_comments_of_adjudicators_come_first_and_count_as_seen(self, desk: Desk) -> None:
        latch = text_id(desk.snapshot, SCHLOSS, C)
        desk.visits.judge(desk.anna, NAME, AnnotatorAnswer(latch, "fail", "not a lock"))
        desk.visits.adjudicate(desk.ben, NAME, AnnotatorAnswer(latch, "pass", "a latch locks"))
        desk.visits.judge(desk.anna, NAME, AnnotatorAnswer(text_id(desk.snapshot, STRAUSS, C), "pass", "flowers"))
        found = desk.visits.read(desk.admin, NAME, comments_of, *WORDS)
        assert [event.comment for event in found] == ["a latch locks", "flowers", "not a lock"]
        assert "judgements" in desk.visits.revealed(desk.admin, latch)

    def test_out_into_the_suite_and_back(self, here_desk: Desk, tmp_path: Path) -> None:
        told = "Only the sense counts.\n\nBe kind: “posy” is fine."
        save_guideline(here_desk.visit, *WORDS, told, base="")
        export(here_desk.store, NAME, tmp_path / "out")
        suite = load_suite(tmp_path / "out" / "suite")
        assert suite.guidelines == {WORDS: told}
        assert suite.taxonomy["Ambiguity"]["Words"] == "one word, two meanings"
        assert suite.hash == here_desk.snapshot.suite.hash

    def test_of_what_there_is_not(self, here_desk: Desk) -> None:
        with pytest.raises(UnknownName, match="no phenomenon 'Idiom'"):
            save_guideline(here_desk.visit, "Ambiguity", "Idiom", "x", base="")
        with pytest.raises(BadOption, match="nothing was changed"):
            save_guideline(here_desk.visit, *WORDS, " ", base="")
