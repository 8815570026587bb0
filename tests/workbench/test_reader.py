"""Texts reach people through a reader: pages and the API touch no snapshot, and nobody else shows what one shows."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import assay.workbench
from assay.workbench.reader import Reader
from tests.workbench.little import NAME
from tests.workbench.room import LATCH, POSY, Room

FOLDER = Path(assay.workbench.__file__).parent
FACES = sorted([*FOLDER.glob("pages/*.py"), *FOLDER.glob("api/*.py")])
SHOWN = {"show_text", "hidden_text", "advise", "neighbours"}
"""Functions that make what a person gets to see of a snapshot."""


def names_in(file: Path) -> Iterator[tuple[str, str]]:
    """(kind, name) of what a module imports and of the attributes that it asks for."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (("import", alias.name) for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield "attribute", node.attr


@pytest.mark.parametrize("file", FACES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_pages_and_api_touch_no_snapshot(file: Path) -> None:
    assert not {("import", "Snapshot"), ("attribute", "snapshot"), ("attribute", "settlement")} & set(names_in(file))


def test_only_the_reader_makes_what_is_shown() -> None:
    importers = {
        str(file.relative_to(FOLDER))
        for file in FOLDER.rglob("*.py")
        for kind, name in names_in(file)
        if kind == "import" and name in SHOWN
    }
    # What is near a text is itself made of shown texts.
    assert importers == {"reader.py", "queue/neighbours.py"}


def test_what_is_shown_is_written_down_when_the_reading_ends(room: Room) -> None:
    room.say(room.anna, LATCH, "pass")

    def look(reader: Reader) -> None:
        reader.show(reader.snapshot.text(room.id(LATCH)))
        reader.writers(reader.snapshot.text(room.id(POSY)))
        assert room.visits.revealed(room.ben, room.id(POSY)) == (), "not before"

    room.visits.read(room.ben, NAME, look)
    assert room.visits.revealed(room.ben, room.id(LATCH)) == ("systems", "judgements")
    assert room.visits.revealed(room.ben, room.id(POSY)) == ("systems",)


def test_who_judged_a_text_is_told_without_another_note(room: Room) -> None:
    room.say(room.anna, LATCH, "pass")
    with room.store.reading() as db:
        assert Reader(room.anna, room.snapshot, db).news() == {}
        assert Reader(room.anna, room.snapshot, db).state(room.id(LATCH)).seen == ("systems", "suggestion")


def test_an_answer_that_fails_shows_nothing(here: Room) -> None:
    def look(reader: Reader) -> None:
        reader.everything()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        here.visits.read(here.ben, NAME, look)
    assert here.visits.revealed(here.ben, here.id(LATCH)) == ()
