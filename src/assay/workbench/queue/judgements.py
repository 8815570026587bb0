"""What annotators and adjudicators say of texts: a judgement, a skip, an adjudication, and taking one back.

with visit.changing() as change:
    outcome = judge(change, AnnotatorAnswer(17, "pass"))
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from assay.errors import BadOption, Overtaken, UnknownName
from assay.suites import Polarity
from assay.text import is_missing
from assay.verdicts.judgements import Event, EventKind
from assay.workbench.db.judgements import last_decision, record
from assay.workbench.files.history_records import SEEN, Seen
from assay.workbench.queue.questions import known_tags, scale
from assay.workbench.reader import Change
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.visit import Visit

LONGEST_COMMENT: Final = 5_000


@dataclass(frozen=True, slots=True)
class AnnotatorAnswer:
    """What an annotator says of a text, and what was to be seen meanwhile.

    `known` is the last event of the text that the page knew of; later ones are told. `origin` says how the judgement
    came about, where one decision settles several texts.
    """

    text_id: int
    verdict: Polarity | None
    comment: str = ""
    acceptability: int | None = None
    tags: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()
    known: int = 0
    origin: str = ""


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


def judge_together(change: Change, answers: Sequence[AnnotatorAnswer]) -> list[JudgementOutcome]:
    """Record one decision on several texts: a judgement of each, or a skip where there is no verdict.

    What is decided by now, or was removed, is left out: others were quicker, and nobody overrules them unseen.
    """
    change.user.need("annotator")
    snapshot = change.snapshot
    for answer in answers:
        check_answer(answer, snapshot)
    open_ = {answer.text_id: answer for answer in answers if snapshot.texts.get(answer.text_id)}
    states = change.states(list(open_))
    tasks = {text_id: snapshot.task(text_id) for text_id in open_}
    kept = [answer for text_id, answer in open_.items() if tasks[text_id] and text_id in states]
    if not kept:
        return []
    events = []
    for answer in kept:
        seen = {*states[answer.text_id].seen, *answer.seen}
        events.append(_event(change.user.name, answer, tuple(name for name in SEEN if name in seen)))
    done = change.record_together(events, {text_id: states[text_id].events for text_id in open_ if text_id in states})
    places = {snapshot.texts[event.text_id].place for event in done}
    # Together they may free an item that none of them would free alone.
    freed = {place: change.snapshot.counts_in(place) - snapshot.counts_in(place) for place in places}
    outcomes = []
    for answer, event in zip(kept, done, strict=True):
        change.leases.release(event.text_id)
        before, now = snapshot.text(event.text_id), change.snapshot.text(event.text_id)
        meanwhile = _meanwhile(states[event.text_id].events, answer, event.by)
        outcomes.append(JudgementOutcome(event, meanwhile, before, now, len(freed[now.place])))
    return outcomes


def ask_about(change: Change, text_id: int, comment: str) -> Event:
    """Doubt what holds of a text; an adjudicator answers."""
    change.user.need("annotator")
    text = change.snapshot.text(text_id)
    if not text.decided:
        raise BadOption("nothing holds of this text yet; judge it, or skip it")
    if len(comment) > LONGEST_COMMENT:
        raise BadOption(f"the comment has {len(comment):,} characters; at most {LONGEST_COMMENT:,} are kept")
    return change.record(Event(0, text.id, change.user.name, "question", comment=comment))


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
    done = undo_decision(change, expected=expected)
    return done[-1] if done else None


def undo_decision(change: Change, *, expected: int | None = None) -> list[Event]:
    """The same with everything that was taken back: all texts that one decision settled."""
    change.user.need("annotator")
    done = last_decision(change.db, change.user, change.snapshot.stored.id)
    if expected is not None and expected not in {event.id for event in done}:
        raise Overtaken("you have done something else since; take that back first")
    if len(done) == 1:
        change.record(_undoing(done[0]))
    elif done:
        states = change.states([event.text_id for event in done])
        events = {text_id: state.events for text_id, state in states.items()}
        change.record_together([_undoing(event) for event in done], events)
    for event in done:
        change.leases.release(event.text_id)
    return done


def undo_anywhere(visit: Visit) -> Event | None:
    """Take back what this user did last, in whichever suite."""
    user = visit.user()
    user.need("annotator")
    with visit.state.store.writing() as db:
        done = last_decision(db, user)
        for event in done:
            record(db, _undoing(event), user)
            visit.state.leases.release(event.text_id)
    return done[-1] if done else None


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
    event = change.record(replace(_event(user.name, answer, seen), kind=kind), state.events)
    change.leases.release(text.id)
    meanwhile = _meanwhile(state.events, answer, user.name)
    now = change.snapshot.text(text.id)
    return JudgementOutcome(event, meanwhile, text, now, task.frees if task and now.decided else 0)


def _event(by: str, answer: AnnotatorAnswer, seen: tuple[Seen, ...]) -> Event:
    return Event(
        id=0,
        text_id=answer.text_id,
        by=by,
        kind="judgement" if answer.verdict else "skip",
        verdict=answer.verdict,
        comment=answer.comment,
        acceptability=answer.acceptability,
        tags=answer.tags,
        blind=not seen,
        seen=seen,
        origin=answer.origin,
    )


def _meanwhile(events: Sequence[Event], answer: AnnotatorAnswer, by: str) -> tuple[Event, ...]:
    """What others did to a text that the page did not know of."""
    return tuple(other for other in events if other.id > answer.known and other.by != by)


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
