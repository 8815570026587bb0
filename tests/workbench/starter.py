"""The small suite of tests/starter in a database: three systems in 2025, and two of them better in 2026."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from assay.outputs import System
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import read
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.reader import Reader
from assay.workbench.results.compare import SystemPair
from assay.workbench.snapshot import Snapshot
from tests.starter import AVERAGE, CAREFUL, LITERAL, STARTER
from tests.workbench.visits import Visits

NAME = "assay-de-en"
FILES = {
    "2025": [str(AVERAGE), str(CAREFUL), str(LITERAL)],
    "2026": [f"average={CAREFUL}", f"literal={AVERAGE}"],
}
PAIR = SystemPair("literal (2025)", "careful")


P = ParamSpec("P")
T = TypeVar("T")


class World:
    """The database, and people who work on it."""

    def __init__(self, path: Path) -> None:
        self.store = Store.create(str(path))
        self.admin = local_user(self.store)
        self.visits = Visits(self.store)
        for campaign, given in FILES.items():
            read(STARTER, given, source=None, campaign=campaign).run(self.store, self.admin)
        with self.store.writing() as db:
            self.anna, self.ben = add_user(db, "anna", "annotator"), add_user(db, "ben", "annotator")
            self.ada = add_user(db, "ada", "adjudicator")

    @property
    def snapshot(self) -> Snapshot:
        return self.visits.snapshot(NAME)

    def text(self, item: str, system: str, campaign: str = "2025") -> int:
        """The id of what a system wrote for an item."""
        snapshot = self.snapshot
        column = [found.system for found in snapshot.systems].index(System(system, campaign))
        return int(snapshot.text_of_code[snapshot.outputs.codes[snapshot.place(item), column]])

    def read(self, look: Callable[Concatenate[Reader, P], T], *given: P.args, **more: P.kwargs) -> T:
        """What somebody sees who looks at the suite."""
        return self.visits.read(self.anna, NAME, look, *given, **more)

    def judge(self, user: User, text_id: int, verdict: Any, **more: Any) -> None:
        self.visits.judge(user, NAME, AnnotatorAnswer(text_id, verdict, **more))


@contextmanager
def small_world(folder: Path) -> Iterator[World]:
    """A new database in a folder."""
    made = World(folder / "assay.db")
    yield made
    made.store.close()
