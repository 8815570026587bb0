"""The small suite of the browser tests in a database, with people: see tests/browser/workbench.py."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from assay.suites import Polarity
from assay.verdicts.judgements import Event
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import suite_events
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.items.item_page import Inspection
from assay.workbench.people.roles import User
from assay.workbench.queue.filters import Filters
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.queue_page import QueueSession
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot, SnapshotText
from tests.browser.workbench import NAME, senses
from tests.workbench.visits import Visits

P = ParamSpec("P")
T = TypeVar("T")


class Senses:
    """The suite with 12 items and 24 texts that wait; anna and ben judge, eve is the admin, vera only looks."""

    suite = NAME

    def __init__(self, store: Store) -> None:
        self.store, self.visits = store, Visits(store)
        with store.writing() as db:
            self.anna, self.ben = add_user(db, "anna", "annotator"), add_user(db, "ben", "annotator")
            self.eve, self.vera = add_user(db, "eve", "admin"), add_user(db, "vera", "viewer")
        Import(*senses(), "import of senses").run(store, self.eve)

    @property
    def snapshot(self) -> Snapshot:
        return self.visits.snapshot(NAME)

    def text(self, value: str) -> SnapshotText:
        return next(text for text in self.snapshot.texts.values() if text.value == value)

    def judge(self, user: User, value: str, verdict: Polarity) -> None:
        self.visits.judge(user, NAME, AnnotatorAnswer(self.text(value).id, verdict))

    def events(self) -> list[Event]:
        with self.store.reading() as db:
            return suite_events(db, self.snapshot.stored.id)

    def sitting(self, user: User, **filters: object) -> QueueSession:
        return QueueSession(self.visits.visit(user, NAME), Filters(**filters))  # type: ignore[arg-type]

    def inspection(self, user: User, item: str = "senses/schloss") -> Inspection:
        return Inspection(self.visits.visit(user, NAME), item)

    def read(self, look: Callable[Concatenate[Reader, P], T], *given: P.args, **more: P.kwargs) -> T:
        """What somebody sees who looks at the suite."""
        return self.visits.read(self.anna, NAME, look, *given, **more)
