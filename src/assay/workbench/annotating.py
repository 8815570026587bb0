"""Use cases of the annotator: the next warning, a judgement, undo, adjudication.

desk = Desk(store)
task = desk.next_task(user, "assay-de-en", Filters(category="Ambiguity"))
desk.judge(user, "assay-de-en", Answer(task.text.id, "pass"))
"""

from collections.abc import Mapping, Sequence
from threading import Lock
from time import monotonic
from typing import Final, Literal, NamedTuple

from assay.model import BadOption, Event, EventKind, Polarity, System, UnknownName, User
from assay.store import Store
from assay.store.judging import events_of, last_event, record, skipped_by
from assay.workbench.board import Board, Boards, BoardTask, BoardText

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

Seen = Literal["systems", "suggestion", "judgements"]


class Filters(NamedTuple):
    """Which warnings to see. `again`: texts that somebody else judged and this annotator did not."""

    category: str | None = None
    phenomenon: str | None = None
    system: str | None = None
    campaign: str | None = None
    reason: str | None = None
    again: bool = False


NO_FILTERS: Final = Filters()


class Answer(NamedTuple):
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


class Outcome(NamedTuple):
    """What was recorded, and what others said of the same text while it was on the screen."""

    event: Event
    meanwhile: tuple[Event, ...]
    text: BoardText
    systems: tuple[System, ...]


class Offer(NamedTuple):
    """A text to judge: how many wait with these filters, how many in all, and the last event that is known."""

    task: BoardTask
    waiting: int
    in_all: int
    known: int


class Desk:
    """Where annotators sit: one per server, shared by all requests."""

    def __init__(self, store: Store, boards: Boards | None = None) -> None:
        self.store = store
        self.boards = boards or Boards(store)
        self._leases: dict[int, tuple[str, float]] = {}
        self._lock = Lock()

    def next_task(self, user: User, suite: str, filters: Filters = NO_FILTERS, *, after: int = 0) -> Offer | None:
        """The first text that nobody else is looking at; those that this annotator skipped come last.

        `after` is a text to leave for later, whatever its place.
        """
        with self.store.reading() as db:
            board = self.boards.get(suite, db)
            skipped = skipped_by(db, user)
            tasks = waiting(board, filters, user)
            ordered = sorted(tasks, key=lambda task: (task.text_id == after, task.text_id in skipped))
            task = self._lease(user, ordered)
            if task is None:
                return None
            known = max((event.id for event in events_of(db, task.text_id)), default=0)
        return Offer(task, len(tasks), len(board.tasks()), known)

    def judge(self, user: User, suite: str, answer: Answer) -> Outcome:
        """Record a judgement, or a skip where there is no verdict."""
        user.need("annotator")
        return self._record(user, suite, answer, "judgement" if answer.verdict else "skip")

    def adjudicate(self, user: User, suite: str, answer: Answer) -> Outcome:
        """Decide for all, whatever the judgements say."""
        user.need("adjudicator")
        if answer.verdict is None:
            raise BadOption("an adjudication needs a verdict: pass or fail")
        return self._record(user, suite, answer, "adjudication")

    def undo(self, user: User) -> Event | None:
        """Take back what this user did last; None where there is nothing left to take back."""
        user.need("annotator")
        with self.store.writing() as db:
            last = last_event(db, user)
            if last is not None:
                record(db, Event(0, last.text_id, user.name, "undo", undoes=last.id), user)
                self._leases.pop(last.text_id, None)
        return last

    def _record(self, user: User, suite: str, answer: Answer, kind: EventKind) -> Outcome:
        with self.store.writing() as db:
            board = self.boards.get(suite, db)
            text = board.text(answer.text_id)
            check_answer(answer, board)
            meanwhile = tuple(
                event for event in events_of(db, text.id) if event.id > answer.known and event.by != user.name
            )
            event = Event(
                id=0,
                text_id=text.id,
                by=user.name,
                kind=kind,
                verdict=answer.verdict,
                comment=answer.comment,
                acceptability=answer.acceptability,
                tags=answer.tags,
                blind=not answer.seen,
                seen=answer.seen,
            )
            event = record(db, event, user)
        board = self.boards.get(suite)
        self._leases.pop(text.id, None)
        return Outcome(event, meanwhile, board.text(text.id), tuple(board.writers(text.place, text.id)))

    def _lease(self, user: User, tasks: Sequence[BoardTask]) -> BoardTask | None:
        """The first task that is free, which is then this user's for a while; else the first of all."""
        moment = monotonic()
        with self._lock:
            for task in tasks:
                holder, until = self._leases.get(task.text_id, (user.name, 0.0))
                if holder == user.name or until < moment:
                    self._leases = {key: held for key, held in self._leases.items() if held[0] != user.name}
                    self._leases[task.text_id] = (user.name, moment + LEASE_SECONDS)
                    return task
        return tasks[0] if tasks else None


def waiting(board: Board, filters: Filters, user: User) -> list[BoardTask]:
    """The texts that wait and fit the filters, in the order of the queue."""
    check_filters(board, filters)
    tasks = _seconds(board, user) if filters.again else board.tasks()
    if filters._replace(again=False) == NO_FILTERS:
        return tasks
    return [task for task in tasks if _fits(board, task, filters)]


def known_tags(board: Board) -> dict[str, str]:
    """The tags that a judgement may have: the common ones and the suite's own."""
    own: Mapping[str, str] = board.questions.get("tags", {})
    return TAGS | dict(own)


def scale(board: Board) -> int | None:
    """The highest value on the scale of acceptability, where the suite asks for it; the lowest is 1."""
    found = board.questions.get("acceptability")
    return int(found) if found else None


def check_filters(board: Board, filters: Filters) -> None:
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


def check_answer(answer: Answer, board: Board) -> None:
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


def _fits(board: Board, task: BoardTask, filters: Filters) -> bool:
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


def _seconds(board: Board, user: User) -> list[BoardTask]:
    """Texts that others judged and this user did not, in the order of the suite."""
    found = [
        BoardTask(text.id, text.place, 0, None, 0)
        for text in board.texts.values()
        if text.settlement and text.settlement.votes and not text.settlement.ruling
        if user.name not in text.settlement.votes
    ]
    return sorted(found, key=lambda task: (task.place, task.text_id))
