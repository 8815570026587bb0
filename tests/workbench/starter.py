"""The small suite of tests/starter in a database: three systems in 2025, and two of them better in 2026."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.outputs import System
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import read
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import User
from assay.workbench.queue.desk import AnnotatorAnswer, Desk
from assay.workbench.results.compare import SystemPair
from assay.workbench.snapshot import Snapshot
from tests.starter import AVERAGE, CAREFUL, LITERAL, STARTER

NAME = "assay-de-en"
FILES = {
    "2025": [str(AVERAGE), str(CAREFUL), str(LITERAL)],
    "2026": [f"average={CAREFUL}", f"literal={AVERAGE}"],
}
PAIR = SystemPair("literal (2025)", "careful")


class World:
    """The database, and people who work on it."""

    def __init__(self, path: Path) -> None:
        self.store = Store.create(str(path))
        self.admin = local_user(self.store)
        self.desk = Desk(self.store)
        for campaign, given in FILES.items():
            read(STARTER, given, source=None, campaign=campaign).run(self.store, self.admin)
        with self.store.writing() as db:
            self.anna, self.ben = add_user(db, "anna", "annotator"), add_user(db, "ben", "annotator")
            self.ada = add_user(db, "ada", "adjudicator")

    @property
    def board(self) -> Snapshot:
        return self.desk.boards.get(NAME)

    def text(self, item: str, system: str, campaign: str = "2025") -> int:
        """The id of what a system wrote for an item."""
        board = self.board
        column = [found.system for found in board.systems].index(System(system, campaign))
        return int(board.text_of_code[board.outputs.codes[board.place(item), column]])

    def judge(self, user: User, text_id: int, verdict: Any, **more: Any) -> None:
        self.desk.judge(user, NAME, AnnotatorAnswer(text_id, verdict, **more))


@contextmanager
def small_world(folder: Path) -> Iterator[World]:
    """A new database in a folder."""
    made = World(folder / "assay.db")
    yield made
    made.store.close()
