"""A desk with the little suite on it, and people who judge."""

from dataclasses import replace

from assay.suites import Polarity
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.people.roles import User
from assay.workbench.queue import desk
from assay.workbench.queue.desk import AnnotatorAnswer, Desk, Filters, JudgementOutcome, NextText, waiting
from assay.workbench.snapshot import Snapshot
from tests.workbench.little import NAME, SUITE, WRITTEN, admin_of, outputs_of

LATCH, POSY = "The key is in the latch.", "She got a posy."


class Room:
    """A desk with Anna, Ben and Ada, who adjudicates."""

    def __init__(self, store: Store) -> None:
        self.store, self.desk = store, Desk(store)
        self.admin = admin_of(store)
        Import(SUITE, outputs_of(WRITTEN), "first").run(store, self.admin)
        with store.writing() as db:
            self.anna, self.ben = (add_user(db, name, "annotator") for name in ("Anna", "Ben"))
            self.ada = add_user(db, "Ada", "adjudicator")

    @property
    def board(self) -> Snapshot:
        return self.desk.boards.get(NAME)

    def next(self, user: User, filters: Filters = desk.NO_FILTERS, **more: int) -> str | None:
        """The text that somebody is offered."""
        offer = self.offer(user, filters, **more)
        return self.board.texts[offer.task.text_id].value if offer else None

    def offer(self, user: User, filters: Filters = desk.NO_FILTERS, **more: int) -> NextText | None:
        return self.desk.next_task(user, NAME, filters, **more)  # type: ignore[arg-type]

    def id(self, value: str) -> int:
        return next(text.id for text in self.board.texts.values() if text.value == value)

    def say(self, user: User, value: str, verdict: Polarity | None, **more: object) -> JudgementOutcome:
        return self.desk.judge(user, NAME, replace(AnnotatorAnswer(self.id(value), verdict), **more))  # type: ignore[arg-type]

    def verdict(self, value: str) -> str:
        return str(self.board.texts[self.id(value)].finding.verdict)

    def queue(self, user: User, filters: Filters = desk.NO_FILTERS) -> list[str]:
        return [self.board.texts[task.text_id].value for task in waiting(self.board, filters, user)]
