"""A server with the little suite, and people who judge."""

from dataclasses import replace

from assay.suites import Polarity
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.people.roles import User
from assay.workbench.queue.filters import NO_FILTERS, Filters, waiting
from assay.workbench.queue.judgements import AnnotatorAnswer, JudgementOutcome
from assay.workbench.queue.next_text import NextText
from assay.workbench.snapshot import Snapshot
from tests.workbench.little import NAME, SUITE, WRITTEN, admin_of, outputs_of
from tests.workbench.visits import Visits

LATCH, POSY = "The key is in the latch.", "She got a posy."


class Room:
    """A server that Anna, Ben and Ada come to, who adjudicates."""

    def __init__(self, store: Store) -> None:
        self.store, self.visits = store, Visits(store)
        self.admin = admin_of(store)
        Import(SUITE, outputs_of(WRITTEN), "first").run(store, self.admin)
        with store.writing() as db:
            self.anna, self.ben = (add_user(db, name, "annotator") for name in ("Anna", "Ben"))
            self.ada = add_user(db, "Ada", "adjudicator")

    @property
    def snapshot(self) -> Snapshot:
        return self.visits.snapshot(NAME)

    def next(self, user: User, filters: Filters = NO_FILTERS, **more: int) -> str | None:
        """The text that somebody is offered."""
        offer = self.offer(user, filters, **more)
        return self.snapshot.texts[offer.task.text_id].value if offer else None

    def offer(self, user: User, filters: Filters = NO_FILTERS, **more: int) -> NextText | None:
        return self.visits.next_text(user, NAME, filters, **more)

    def id(self, value: str) -> int:
        return next(text.id for text in self.snapshot.texts.values() if text.value == value)

    def say(self, user: User, value: str, verdict: Polarity | None, **more: object) -> JudgementOutcome:
        return self.visits.judge(user, NAME, replace(AnnotatorAnswer(self.id(value), verdict), **more))  # type: ignore[arg-type]

    def verdict(self, value: str) -> str:
        return str(self.snapshot.texts[self.id(value)].finding.verdict)

    def queue(self, user: User, filters: Filters = NO_FILTERS) -> list[str]:
        return [self.snapshot.texts[task.text_id].value for task in waiting(self.snapshot, filters, user)]
