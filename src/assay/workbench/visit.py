"""A visit: one request of one person. It reads in one transaction, and changes something in one more.

    with visit.reading() as reader:      # one read transaction, one snapshot
        page = effort(reader)
    with visit.changing() as change:     # one write transaction, which ends with the next snapshot
        outcome = judge(change, answer)

Who is asking is looked up in the first transaction, so that nobody gets anywhere before. No visit has two connections
to the database at a time: as many requests as there are connections could else wait for each other.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from assay.suggest.proposals import Proposal
from assay.workbench.db.audit import record
from assay.workbench.db.seen import reveal
from assay.workbench.departure import Departure
from assay.workbench.items.rule_trial import RuleTrials, SortedTexts, TriedRules, propose_rules, try_rules
from assay.workbench.people.roles import User
from assay.workbench.reader import Change, Reader
from assay.workbench.snapshot import Snapshot
from assay.workbench.state import State
from assay.workbench.text_view import languages

PATIENCE: Final = 0.25
"""Seconds that a reader waits for others."""


@dataclass(frozen=True, slots=True)
class Admission:
    """Who is asking, and which suite the request is about; nothing where it is about none."""

    user: User
    suite: str = ""


class Visit:
    """See the module. `admit` finds out who is asking, or refuses; `departure` tells when they no longer wait."""

    def __init__(
        self, state: State, admit: Callable[[Connection], Admission], departure: Departure | None = None
    ) -> None:
        self.state = state
        self.departure = departure or Departure()
        self._admit = admit
        self._admission: Admission | None = None
        self.tried = False
        """Whether it was found out who is asking."""
        self.languages = ("", "")
        """Source and target language of what was read."""

    def user(self) -> User:
        """Who is asking; for what opens its own transactions."""
        return self._admitted().user

    def suite(self) -> str:
        """The suite that the request is about."""
        return self._admitted().suite

    def try_rules(self, trials: RuleTrials) -> list[TriedRules]:
        """Try rules that this person typed, in another process. Not within a transaction: it may take a while."""
        return self.state.rules.run(try_rules, trials, departure=self.departure)

    def propose_rules(self, texts: SortedTexts) -> list[Proposal]:
        """Rules from texts, likewise: what is proposed was tried, and texts can be anything."""
        return self.state.rules.run(propose_rules, texts, departure=self.departure)

    @contextmanager
    def entering(self) -> Iterator[tuple[Connection, User]]:
        """A read transaction for what shows no text."""
        with self._among_readers(), self.state.store.reading() as db:
            self.tried = True
            self._admission = self._admission or self._admit(db)
            yield db, self._admission.user

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """A read transaction; what is shown in it is written down when it ends."""
        with self.entering() as (db, user):
            reader = Reader(user, self._snapshot(db), db)
            yield reader
            news = reader.news()
        reader.remember()
        if news or reader.handed_out:
            with self.state.store.writing() as db:
                reveal(db, user, news)
                for file in reader.handed_out:
                    record(db, user.name, "export", file)

    @contextmanager
    def changing(self) -> Iterator[Change]:
        """A write transaction. Who is asking is found out before it, so that strangers keep nobody from writing."""
        user = self.user()
        with self.state.store.writing() as db:
            change = Change(user, self._snapshot(db), db, self.state.leases)
            yield change
            change.write_down()
        # Not before the change is committed: until then nobody else may see it.
        self.state.snapshots.keep(change.snapshot)
        change.snapshot.figures.changed(user.id, change.snapshot.change)
        change.remember()

    @contextmanager
    def _among_readers(self) -> Iterator[None]:
        """Wait until few others read; not for long, since some read for seconds."""
        waited = self.state.readers.acquire(timeout=PATIENCE)
        try:
            yield
        finally:
            if waited:
                self.state.readers.release()

    def _snapshot(self, db: Connection) -> Snapshot:
        found = self.state.snapshots.get(self.suite(), db)
        self.languages = languages(found)
        return found

    def _admitted(self) -> Admission:
        if self._admission is None:
            with self.entering():
                pass
        assert self._admission is not None
        return self._admission
