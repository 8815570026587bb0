"""The small suite of the browser tests in a database, with people: see tests/browser/workbench.py."""

from assay.suites import Polarity
from assay.verdicts import Event
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import suite_events
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.items.item_page import Inspection
from assay.workbench.people.roles import User
from assay.workbench.queue.desk import AnnotatorAnswer, Desk, Filters
from assay.workbench.queue.queue_page import QueueSession
from assay.workbench.snapshot import Snapshot, SnapshotText
from tests.browser.workbench import NAME, senses


class Senses:
    """The suite with 12 items and 24 texts that wait; anna and ben judge, eve is the admin, vera only looks."""

    suite = NAME

    def __init__(self, store: Store) -> None:
        self.store, self.desk = store, Desk(store)
        with store.writing() as db:
            self.anna, self.ben = add_user(db, "anna", "annotator"), add_user(db, "ben", "annotator")
            self.eve, self.vera = add_user(db, "eve", "admin"), add_user(db, "vera", "viewer")
        Import(*senses(), "import of senses").run(store, self.eve)

    @property
    def board(self) -> Snapshot:
        return self.desk.boards.get(NAME)

    def text(self, value: str) -> SnapshotText:
        return next(text for text in self.board.texts.values() if text.value == value)

    def judge(self, user: User, value: str, verdict: Polarity) -> None:
        self.desk.judge(user, NAME, AnnotatorAnswer(self.text(value).id, verdict))

    def events(self) -> list[Event]:
        with self.store.reading() as db:
            return suite_events(db, self.board.stored.id)

    def sitting(self, user: User, **filters: object) -> QueueSession:
        return QueueSession(self.desk, user, NAME, Filters(**filters))  # type: ignore[arg-type]

    def inspection(self, user: User, item: str = "senses/schloss") -> Inspection:
        return Inspection(self.desk, user, NAME, item)
