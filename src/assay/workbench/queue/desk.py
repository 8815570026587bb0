"""Use cases of the annotator: the next warning, a judgement, undo, adjudication.

desk = Desk(store)
task = desk.next_task(user, "assay-de-en", Filters(category="Ambiguity"))
desk.judge(user, "assay-de-en", Answer(task.text.id, "pass"))
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from threading import Lock
from time import monotonic
from typing import Any, Final, Literal
from weakref import WeakKeyDictionary

from assay.errors import BadOption, Overtaken, UnknownName
from assay.outputs import System
from assay.suites import Polarity
from assay.text import is_missing
from assay.verdicts import Event, EventKind, Verdict
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import events_of, last_event, record, skipped_by
from assay.workbench.db.seen import reveal, revealed, unseen
from assay.workbench.files.history_records import SEEN, Seen
from assay.workbench.people.roles import User
from assay.workbench.snapshot import Snapshot, Snapshots, SnapshotText, WaitingText

TAGS: Final = {
    "critical": "critical error outside the phenomenon",
    "hallucination": "content that the source does not have",
    "repetition": "words or phrases over and over",
    "untranslated": "a part left in the source language",
    "added": "added text, such as notes or explanations",
}
"""Tags of every suite; a suite may have its own beside them."""

LEASE_SECONDS: Final = 300
"""How long a text that one annotator is looking at is not offered to another."""

LONGEST_COMMENT: Final = 5_000

KEPT_COUNTS: Final = 50
"""Of how many choices of filters the texts that ever waited are kept in memory."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which warnings to see. `again`: texts that somebody else judged and this annotator did not."""

    category: str | None = None
    phenomenon: str | None = None
    system: str | None = None
    campaign: str | None = None
    reason: str | None = None
    again: bool = False

    @property
    def narrows(self) -> bool:
        """Whether anything is left out of what there is to judge."""
        return self != Filters(again=self.again)

    def query(self) -> dict[str, Any]:
        """The query of an address with these filters."""
        return asdict(self)


NO_FILTERS: Final = Filters()


@dataclass(frozen=True, slots=True)
class AnnotatorAnswer:
    """What an annotator says of a text, and what was to be seen meanwhile.

    `known` is the last event of the text that the page knew of; later ones are told.
    """

    text_id: int
    verdict: Polarity | None
    comment: str = ""
    acceptability: int | None = None
    tags: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()
    known: int = 0


@dataclass(frozen=True, slots=True)
class JudgementOutcome:
    """What was recorded, and what others said of the same text while it was on the screen.

    `freed` counts the fair comparisons (one per campaign) in which the item counts now and did not before.
    """

    event: Event
    meanwhile: tuple[Event, ...]
    text: SnapshotText
    systems: tuple[System, ...]
    freed: int = 0


Rest = Literal["", "later", "skipped"]


@dataclass(frozen=True, slots=True)
class NextText:
    """A text to judge: how many wait with these filters, how many in all, and the last event that is known.

    `ever` counts the texts that wait or once waited with these filters, None where nobody knows; `rest` says that
    nothing else is left than what this annotator skipped, or left for later.
    """

    task: WaitingText
    waiting: int
    in_all: int
    known: int
    ever: int | None = None
    rest: Rest = ""


class Desk:
    """Where annotators sit: one per server, shared by all requests."""

    def __init__(self, store: Store, boards: Snapshots | None = None) -> None:
        self.store = store
        self.boards = boards or Snapshots(store)
        self._leases: dict[int, tuple[str, float]] = {}
        self._ever: dict[tuple[int, int, Filters], frozenset[int]] = {}
        self._lock = Lock()

    def next_task(
        self,
        user: User,
        suite: str,
        filters: Filters = NO_FILTERS,
        *,
        after: int = 0,
        first: int = 0,
        later: Sequence[tuple[str, str]] = (),
    ) -> NextText | None:
        """The first text that nobody else is looking at.

        Phenomena that this annotator left for `later` come behind the others, and texts that they skipped last, each
        in the order in which that was done. `after` is a text to leave for later, whatever its place; `first` one to
        show at once, if it waits.
        """
        with self.store.reading() as db:
            board = self.boards.get(suite, db)
            tasks = waiting(board, filters, user)
            ranks = _ranks(board, tasks, skipped=skipped_by(db, user), after=after, later=later)
            put_off = sorted((task for task in tasks if task.text_id in ranks), key=lambda task: ranks[task.text_id])
            at_once = [task for task in tasks if task.text_id == first] if first else []
            fresh = [task for task in tasks if task.text_id not in ranks] if ranks else tasks
            task = self._lease(user, chain(at_once, fresh, put_off), among=tasks)
            if task is None:
                return None
            known = max((event.id for event in events_of(db, task.text_id)), default=0)
        if filters.system:
            self.reveal(user, [task.text_id], "systems")
        rest: Rest = "" if fresh else "skipped" if ranks.get(task.text_id, (0,))[0] else "later"
        return NextText(task, len(tasks), len(undisputed(board)), known, self._ever_waited(board, filters, tasks), rest)

    def reveal(self, user: User, text_ids: Iterable[int], *what: Seen) -> None:
        """Keep what this user gets to see of some texts: it is noted with what they judge from now on."""
        with self.store.reading() as db:
            new = unseen(db, user, text_ids, what)
        if new:
            with self.store.writing() as db:
                reveal(db, user, new, what)

    def revealed(self, user: User, text_id: int) -> tuple[Seen, ...]:
        """What this user has seen of a text."""
        with self.store.reading() as db:
            return revealed(db, user, text_id)

    def judge(self, user: User, suite: str, answer: AnnotatorAnswer) -> JudgementOutcome:
        """Record a judgement, or a skip where there is no verdict."""
        user.need("annotator")
        return self._record(user, suite, answer, "judgement" if answer.verdict else "skip")

    def adjudicate(self, user: User, suite: str, answer: AnnotatorAnswer) -> JudgementOutcome:
        """Decide for all, whatever the judgements say."""
        user.need("adjudicator")
        if answer.verdict is None:
            raise BadOption("an adjudication needs a verdict: pass or fail")
        return self._record(user, suite, answer, "adjudication")

    def undo(self, user: User, suite: str | None = None, *, expected: int | None = None) -> Event | None:
        """Take back what this user did last, in a suite or anywhere; None where there is nothing left to take back.

        Where that is not the `expected` event, nothing is taken back.
        """
        user.need("annotator")
        with self.store.writing() as db:
            last = last_event(db, user, self.boards.get(suite, db).stored.id if suite else None)
            if expected is not None and (last is None or last.id != expected):
                raise Overtaken("you have done something else since; take that back first")
            if last is not None:
                record(db, Event(0, last.text_id, user.name, "undo", undoes=last.id), user)
                self._release(last.text_id)
        return last

    def withdraw(self, user: User, suite: str, text_id: int) -> Event | None:
        """Take back this user's judgement of a text; None where there is none."""
        user.need("annotator")
        with self.store.writing() as db:
            settlement = self.boards.get(suite, db).text(text_id).settlement
            vote = settlement.votes.get(user.name) if settlement else None
            if vote is not None:
                record(db, Event(0, text_id, user.name, "undo", undoes=vote.id), user)
        return vote

    def _record(self, user: User, suite: str, answer: AnnotatorAnswer, kind: EventKind) -> JudgementOutcome:
        with self.store.writing() as db:
            board = self.boards.get(suite, db)
            text = board.text(answer.text_id)
            if is_missing(text.value):
                raise BadOption("an output that is missing cannot be judged")
            check_answer(answer, board)
            frees = _frees(board, text.id)
            later = (event for event in events_of(db, text.id) if event.id > answer.known)
            meanwhile = tuple(event for event in later if event.by != user.name)
            known = {*revealed(db, user, text.id), *answer.seen}
            seen = tuple(name for name in SEEN if name in known)
            event = Event(
                id=0,
                text_id=text.id,
                by=user.name,
                kind=kind,
                verdict=answer.verdict,
                comment=answer.comment,
                acceptability=answer.acceptability,
                tags=answer.tags,
                blind=not seen,
                seen=seen,
            )
            event = record(db, event, user)
        self._release(text.id)
        board = self.boards.get(suite)
        now = board.text(text.id)
        return JudgementOutcome(
            event, meanwhile, now, tuple(board.writers(text.place, text.id)), frees if now.decided else 0
        )

    def _ever_waited(self, board: Snapshot, filters: Filters, tasks: Sequence[WaitingText]) -> int | None:
        """How many texts wait or once waited; the reasons of those that don't wait any more are not known."""
        if filters.reason or filters.again:
            return None
        key = (board.stored.id, board.whole, filters)
        known = self._ever.get(key)
        if known is None:
            codes = board.outputs.codes[:, [column for columns in board.kept().values() for column in columns]]
            written = set(board.text_of_code[codes].ravel().tolist()) - {-1}
            known = frozenset(
                text_id
                for text_id in written
                if (text := board.texts[text_id]).first == Verdict.WARNING and text.ruled.reason != "missing"
                if _fits(board, WaitingText(text_id, text.place, 0, None, 0), filters)
            )
            self._keep_count(key, known)
        return len(known) + sum(task.text_id not in known for task in tasks)

    def _keep_count(self, key: tuple[int, int, Filters], known: frozenset[int]) -> None:
        """Remember it in place of the same of an earlier import, or of what was asked for longest ago."""
        with self._lock:
            kept = [(old, texts) for old, texts in self._ever.items() if old[0] != key[0] or old[1] == key[1]]
            self._ever = dict([*kept, (key, known)][-KEPT_COUNTS:])

    def _release(self, text_id: int) -> None:
        with self._lock:
            self._leases.pop(text_id, None)

    def _lease(self, user: User, tasks: Iterable[WaitingText], *, among: Sequence[WaitingText]) -> WaitingText | None:
        """The first task that is free, which is then this user's for a while; else the first of all."""
        moment = monotonic()
        with self._lock:
            for task in tasks:
                holder, until = self._leases.get(task.text_id, (user.name, 0.0))
                if holder == user.name or until < moment:
                    self._leases = {key: held for key, held in self._leases.items() if held[0] != user.name}
                    self._leases[task.text_id] = (user.name, moment + LEASE_SECONDS)
                    return task
        return among[0] if among else None


def waiting(board: Snapshot, filters: Filters, user: User) -> list[WaitingText]:
    """The texts that wait and fit the filters, in the order of the queue."""
    check_filters(board, filters)
    tasks = _seconds(board, user) if filters.again else undisputed(board)
    return [task for task in tasks if _fits(board, task, filters)] if filters.narrows else tasks


def undisputed(board: Snapshot) -> list[WaitingText]:
    """The texts that an annotator can decide; where judgements disagree, an adjudicator must."""
    change, tasks = _undisputed.get(board, (-1, []))
    if change != board.change:
        change = board.change
        tasks = [task for task in board.tasks() if not task.disputed]
        _undisputed[board] = (change, tasks)
    return tasks


_undisputed: WeakKeyDictionary[Snapshot, tuple[int, list[WaitingText]]] = WeakKeyDictionary()
"""Board -> the change of the database at which its tasks were put in order, and these."""


def known_tags(board: Snapshot) -> dict[str, str]:
    """The tags that a judgement may have: the common ones and the suite's own."""
    own: Mapping[str, str] = board.questions.get("tags", {})
    return TAGS | dict(own)


def scale(board: Snapshot) -> int | None:
    """The highest value on the scale of acceptability, where the suite asks for it; the lowest is 1."""
    found = board.questions.get("acceptability")
    return int(found) if found else None


def check_filters(board: Snapshot, filters: Filters) -> None:
    """Refuse names that nobody has."""
    taxonomy = board.stored.suite.taxonomy
    for kind, name, known in (
        ("category", filters.category, list(taxonomy)),
        ("phenomenon", filters.phenomenon, [name for names in taxonomy.values() for name in names]),
        ("system", filters.system, [stored.system.name for stored in board.systems]),
        ("campaign", filters.campaign, board.campaigns),
        ("reason", filters.reason, ["no_match", "contradiction", "timeout"]),
    ):
        if name is not None and name not in known:
            raise UnknownName(kind, name, known)


def check_answer(answer: AnnotatorAnswer, board: Snapshot) -> None:
    """Refuse what the suite did not ask for."""
    if len(answer.comment) > LONGEST_COMMENT:
        raise BadOption(f"the comment has {len(answer.comment):,} characters; at most {LONGEST_COMMENT:,} are kept")
    for tag in answer.tags:
        if tag not in known_tags(board):
            raise UnknownName("tag", tag, known_tags(board))
    top = scale(board)
    if answer.acceptability is not None and (top is None or not 1 <= answer.acceptability <= top):
        asked = f"from 1 to {top}" if top else "not asked for in this suite"
        raise BadOption(f"acceptability is {answer.acceptability}; it is {asked}")


def _ranks(
    board: Snapshot,
    tasks: Sequence[WaitingText],
    *,
    skipped: Mapping[int, int],
    after: int,
    later: Sequence[tuple[str, str]],
) -> dict[int, tuple[bool, int]]:
    """Text id -> its place among those that come behind the others."""
    left = {phenomenon: place for place, phenomenon in enumerate(later)}
    ranks: dict[int, tuple[bool, int]] = {}
    if not skipped and not after and not left:
        return ranks
    for task in tasks:
        item = board.items[task.place]
        if task.text_id in skipped or task.text_id == after:
            ranks[task.text_id] = (True, skipped.get(task.text_id, 0))
        elif left and (item.category, item.phenomenon) in left:
            ranks[task.text_id] = (False, left[item.category, item.phenomenon])
    return ranks


def _fits(board: Snapshot, task: WaitingText, filters: Filters) -> bool:
    item, text = board.items[task.place], board.texts[task.text_id]
    if filters.category not in (None, item.category) or filters.phenomenon not in (None, item.phenomenon):
        return False
    if filters.reason not in (None, text.finding.reason):
        return False
    if filters.system is None and filters.campaign is None:
        return True
    return any(
        filters.system in (None, system.name) and filters.campaign in (None, system.campaign)
        for system in board.writers(task.place, task.text_id)
    )


def _frees(board: Snapshot, text_id: int) -> int:
    """In how many fair comparisons a judgement of this text makes its item count."""
    return next((task.frees for task in undisputed(board) if task.text_id == text_id), 0)


def _seconds(board: Snapshot, user: User) -> list[WaitingText]:
    """Texts that others judged and this user did not, in the order of the suite."""
    found = [
        WaitingText(text.id, text.place, 0, None, 0)
        for text in board.texts.values()
        if text.settlement and text.settlement.votes and not text.settlement.ruling
        if user.name not in text.settlement.votes
    ]
    return sorted(found, key=lambda task: (task.place, task.text_id))
