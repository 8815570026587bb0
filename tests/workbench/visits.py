"""Visits of people to a server, as their requests would make them, without any request: each call is one visit.

visits = Visits(store)
visits.judge(anna, "little", AnnotatorAnswer(17, "pass"))
visits.read(anna, "little", effort)
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

from assay.verdicts.judgements import Event
from assay.workbench.db.database import Store
from assay.workbench.db.people import find_user
from assay.workbench.db.seen import reveal, text_state
from assay.workbench.db.suites import ItemVersion
from assay.workbench.files.history_records import Seen
from assay.workbench.items.rule_edits import RuleEdit, restore_rules, save_rules, versions_of
from assay.workbench.people.roles import User
from assay.workbench.queue import judgements
from assay.workbench.queue.filters import NO_FILTERS, Filters
from assay.workbench.queue.judgements import AnnotatorAnswer, JudgementOutcome
from assay.workbench.queue.next_text import NextText, next_text
from assay.workbench.reader import Change, Reader
from assay.workbench.snapshot import Snapshot
from assay.workbench.state import State
from assay.workbench.visit import Admission, Visit

NOBODY = User(0, "nobody", "viewer")
"""Whoever looks where it does not matter who does."""

P = ParamSpec("P")
T = TypeVar("T")


class Regular(Visit):
    """Somebody who comes again and again: what they have set is looked up every time."""

    def __init__(self, state: State, user: User, suite: str) -> None:
        super().__init__(state, lambda db: Admission(find_user(db, user.name) or user, suite))

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        self._admission = None
        with super().reading() as reader:
            yield reader

    @contextmanager
    def changing(self) -> Iterator[Change]:
        self._admission = None
        with super().changing() as change:
            yield change


class Visits:
    """A server on a database, and everybody who comes."""

    def __init__(self, store: Store, state: State | None = None) -> None:
        self.state = state or State(store)

    def visit(self, user: User, suite: str) -> Visit:
        return Regular(self.state, user, suite)

    def snapshot(self, suite: str) -> Snapshot:
        return self.state.snapshots.get(suite)

    def read(
        self, user: User, suite: str, look: Callable[Concatenate[Reader, P], T], *given: P.args, **more: P.kwargs
    ) -> T:
        """Look at something."""
        with self.visit(user, suite).reading() as reader:
            return look(reader, *given, **more)

    def change(
        self, user: User, suite: str, act: Callable[Concatenate[Change, P], T], *given: P.args, **more: P.kwargs
    ) -> T:
        """Change something."""
        with self.visit(user, suite).changing() as change:
            return act(change, *given, **more)

    # The queue

    def next_text(self, user: User, suite: str, filters: Filters = NO_FILTERS, **more: Any) -> NextText | None:
        return self.read(user, suite, next_text, self.state.leases, filters, **more)

    def judge(self, user: User, suite: str, answer: AnnotatorAnswer) -> JudgementOutcome:
        return self.change(user, suite, judgements.judge, answer)

    def adjudicate(self, user: User, suite: str, answer: AnnotatorAnswer) -> JudgementOutcome:
        return self.change(user, suite, judgements.adjudicate, answer)

    def undo(self, user: User, suite: str | None = None) -> Event | None:
        """In a suite, or anywhere."""
        if suite is None:
            return judgements.undo_anywhere(self.visit(user, ""))
        return self.change(user, suite, judgements.undo)

    def withdraw(self, user: User, suite: str, text_id: int) -> Event | None:
        return self.change(user, suite, judgements.withdraw, text_id)

    # What was seen

    def reveal(self, user: User, text_ids: list[int], *what: Seen) -> None:
        with self.state.store.writing() as db:
            reveal(db, user, dict.fromkeys(text_ids, what))

    def revealed(self, user: User, text_id: int) -> tuple[Seen, ...]:
        with self.state.store.reading() as db:
            return text_state(db, user, text_id).seen

    # Rules

    def save_rules(self, user: User, suite: str, edit: RuleEdit) -> list[ItemVersion]:
        return save_rules(self.visit(user, suite), edit)

    def restore(self, user: User, suite: str, item: str, version: int) -> list[ItemVersion]:
        return restore_rules(self.visit(user, suite), item, version)

    def versions(self, suite: str, item: str) -> list[ItemVersion]:
        return self.read(NOBODY, suite, versions_of, item)
