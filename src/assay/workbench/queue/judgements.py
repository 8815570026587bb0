"""What annotators and adjudicators say of texts: a judgement, a skip, an adjudication, and taking one back.

with visit.changing() as change:
    outcome = judge(change, AnnotatorAnswer(17, "pass"))
"""

from dataclasses import dataclass
from typing import Final

from assay.errors import BadOption, Overtaken, UnknownName
from assay.suites import Polarity
from assay.text import is_missing
from assay.verdicts.judgements import Event, EventKind
from assay.workbench.db.judgements import last_event, record
from assay.workbench.files.history_records import SEEN, Seen
from assay.workbench.queue.questions import known_tags, scale
from assay.workbench.reader import Change
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.visit import Visit

LONGEST_COMMENT: Final = 5_000


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
    """What was recorded, and what others did to the same text while it was on the screen.

    `before` is the text as it was, `text` as it is now. `freed` counts the fair comparisons (one per campaign) in which
    the item counts now and did not before.
    """

    event: Event
    meanwhile: tuple[Event, ...]
    before: SnapshotText
    text: SnapshotText
    freed: int = 0


def judge(change: Change, answer: AnnotatorAnswer) -> JudgementOutcome:
    """Record a judgement, or a skip where there is no verdict."""
    change.user.need("annotator")
    return _record(change, answer, "judgement" if answer.verdict else "skip")


def adjudicate(change: Change, answer: AnnotatorAnswer) -> JudgementOutcome:
    """Decide for all, whatever the judgements say."""
    change.user.need("adjudicator")
    if answer.verdict is None:
        raise BadOption("an adjudication needs a verdict: pass or fail")
    return _record(change, answer, "adjudication")


def undo(change: Change, *, expected: int | None = None) -> Event | None:
    """Take back what this user did last in the suite; None where there is nothing left to take back.

    Where that is not the `expected` event, nothing is taken back.
    """
    change.user.need("annotator")
    last = last_event(change.db, change.user, change.snapshot.stored.id)
    if expected is not None and (last is None or last.id != expected):
        raise Overtaken("you have done something else since; take that back first")
    if last is not None:
        change.record(_undoing(last))
        change.leases.release(last.text_id)
    return last


def undo_anywhere(visit: Visit) -> Event | None:
    """Take back what this user did last, in whichever suite."""
    user = visit.user()
    user.need("annotator")
    with visit.state.store.writing() as db:
        last = last_event(db, user)
        if last is not None:
            record(db, _undoing(last), user)
            visit.state.leases.release(last.text_id)
    return last


def withdraw(change: Change, text_id: int) -> Event | None:
    """Take back this user's judgement of a text; None where there is none."""
    change.user.need("annotator")
    settlement = change.snapshot.text(text_id).settlement
    vote = settlement.votes.get(change.user.name) if settlement else None
    if vote is not None:
        change.record(_undoing(vote))
    return vote


def _undoing(event: Event) -> Event:
    return Event(0, event.text_id, event.by, "undo", undoes=event.id)


def _record(change: Change, answer: AnnotatorAnswer, kind: EventKind) -> JudgementOutcome:
    user, snapshot = change.user, change.snapshot
    text = snapshot.text(answer.text_id)
    if is_missing(text.value):
        raise BadOption("an output that is missing cannot be judged")
    check_answer(answer, snapshot)
    task, state = snapshot.task(text.id), change.state(text.id)
    known = {*state.seen, *answer.seen}
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
    event = change.record(event, state.events)
    change.leases.release(text.id)
    meanwhile = tuple(other for other in state.events if other.id > answer.known and other.by != user.name)
    now = change.snapshot.text(text.id)
    return JudgementOutcome(event, meanwhile, text, now, task.frees if task and now.decided else 0)


def check_answer(answer: AnnotatorAnswer, snapshot: Snapshot) -> None:
    """Refuse what the suite did not ask for."""
    if len(answer.comment) > LONGEST_COMMENT:
        raise BadOption(f"the comment has {len(answer.comment):,} characters; at most {LONGEST_COMMENT:,} are kept")
    for tag in answer.tags:
        if tag not in known_tags(snapshot):
            raise UnknownName("tag", tag, known_tags(snapshot))
    top = scale(snapshot)
    if answer.acceptability is not None and (top is None or not 1 <= answer.acceptability <= top):
        asked = f"from 1 to {top}" if top else "not asked for in this suite"
        raise BadOption(f"acceptability is {answer.acceptability}; it is {asked}")
