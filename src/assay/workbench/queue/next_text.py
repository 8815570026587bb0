"""The next text to judge: the first of the queue that nobody else is looking at.

with visit.reading() as reader:
    offer = next_text(reader, leases, Filters(category="Ambiguity"))
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from assay.verdicts import Reason
from assay.workbench.db.seen import no_longer_blind
from assay.workbench.files.history_records import Seen
from assay.workbench.queue.filters import NO_FILTERS, Filters, ever_waited, waiting
from assay.workbench.queue.leases import Leases
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot, WaitingText
from assay.workbench.work.effort import PACE_OF, pace

Rest = Literal["", "later", "skipped"]


@dataclass(frozen=True, slots=True)
class NextText:
    """A text to judge: how many wait with these filters, how many in all, and the last event that is known.

    `ever` counts the texts that wait or once waited with these filters, None where nobody knows; `rest` says that
    nothing else is left than what this annotator skipped, or left for later. `seen` is what they had seen of the text
    before; `pace` how many seconds a text took them of late, None where nobody knows.
    """

    task: WaitingText
    waiting: int
    in_all: int
    known: int
    ever: int | None = None
    rest: Rest = ""
    seen: tuple[Seen, ...] = ()
    pace: float | None = None


def next_text(
    reader: Reader,
    leases: Leases,
    filters: Filters = NO_FILTERS,
    *,
    after: int = 0,
    first: int = 0,
    later: Sequence[tuple[str, str]] = (),
) -> NextText | None:
    """The first text that nobody else is looking at; where all are taken, the first of all.

    Phenomena that this annotator left for `later` come behind the others, and texts that they skipped last, each in the
    order in which that was done. `after` is a text to leave for later, whatever its place; `first` one to show at once,
    if it waits.
    """
    user, snapshot = reader.user, reader.snapshot
    tasks = waiting(snapshot, filters, user)
    if not tasks:
        return None
    if filters.again:
        # A second opinion counts for agreement only where it is blind.
        known = no_longer_blind(reader.db, user)
        tasks = sorted(tasks, key=lambda task: task.text_id in known)
    own = reader.own_work(PACE_OF)
    # A sample has an order of its own, in which no phenomenon comes last.
    left = () if filters.sample else later
    ranks = _ranks(snapshot, tasks, skipped=own.skipped, after=after, later=left)
    at_once = (task for task in tasks if first and task.text_id == first)
    # Looked at one by one, and put in order only when it comes to that: the first that is free comes early, and a queue
    # may have thousands.
    fresh = (task for task in tasks if task.text_id not in ranks)
    task = leases.take(user, chain(at_once, fresh, _put_off(tasks, ranks))) or tasks[0]
    nothing_else = all(task.text_id in ranks for task in tasks)
    state = reader.state(task.text_id)
    reader.reveal([task.text_id], *filters.tells)
    return NextText(
        task=task,
        waiting=len(tasks),
        in_all=len(snapshot.undisputed),
        known=state.known,
        ever=ever_waited(snapshot, filters, tasks),
        rest="" if not nothing_else else "skipped" if ranks[task.text_id][0] else "later",
        seen=state.seen,
        pace=pace(own.recent, user),
    )


@dataclass(frozen=True, slots=True)
class QueuedText:
    """A text that waits, with its item.

    Judging it frees its item in `frees` fair comparisons; `left` texts must be judged before the item counts in one,
    null where an output is missing. `systems` says how many wrote the text, not which.
    """

    text_id: int
    item: str
    category: str
    phenomenon: str
    source: str
    text: str
    reason: Reason
    frees: int
    left: int | None
    systems: int


def queued_text(reader: Reader, task: WaitingText) -> QueuedText:
    """A text of the queue, without anything that would lead whoever judges it."""
    item, text = reader.snapshot.items[task.place], reader.snapshot.texts[task.text_id]
    return QueuedText(
        text_id=text.id,
        item=item.id,
        category=item.category,
        phenomenon=item.phenomenon,
        source=item.source,
        text=text.value,
        reason=text.ruled.reason,
        frees=task.frees,
        left=task.left,
        systems=task.systems,
    )


def list_texts(reader: Reader, filters: Filters, *, start: int, number: int) -> tuple[int, list[QueuedText]]:
    """How many texts wait and fit the filters, and some of them, in the order of the queue.

    Whoever asks for those of a system knows who wrote them, and for those of a suggestion what that is.
    """
    tasks = waiting(reader.snapshot, filters, reader.user)
    shown = tasks[start : start + number]
    reader.reveal((task.text_id for task in shown), *filters.tells)
    return len(tasks), [queued_text(reader, task) for task in shown]


def _ranks(
    snapshot: Snapshot,
    tasks: Sequence[WaitingText],
    *,
    skipped: Mapping[int, int],
    after: int,
    later: Sequence[tuple[str, str]],
) -> dict[int, tuple[bool, int]]:
    """Text id -> its place among those that come behind the others; also of some texts that no longer wait."""
    left = {phenomenon: place for place, phenomenon in enumerate(later)}
    ranks: dict[int, tuple[bool, int]] = {}
    for task in tasks if left else ():
        item = snapshot.items[task.place]
        if (item.category, item.phenomenon) in left:
            ranks[task.text_id] = (False, left[item.category, item.phenomenon])
    skips = {after: 0, **skipped} if after else skipped
    return ranks | {text_id: (True, place) for text_id, place in skips.items()}


def _put_off(tasks: Sequence[WaitingText], ranks: Mapping[int, tuple[bool, int]]) -> Iterator[WaitingText]:
    """What comes behind the others, in its order."""
    yield from sorted((task for task in tasks if task.text_id in ranks), key=lambda task: ranks[task.text_id])
