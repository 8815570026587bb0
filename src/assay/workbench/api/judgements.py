"""Judging: verdicts, skips, undo, adjudications."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from assay.suites import Polarity
from assay.verdicts.judgements import Event
from assay.workbench.admission.security import AnnotatorVisit
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, AdjudicatorSuiteVisit, AnnotatorSuiteVisit, problems
from assay.workbench.files.history_records import Seen
from assay.workbench.queue import judgements
from assay.workbench.queue.judgements import AnnotatorAnswer, JudgementOutcome
from assay.workbench.queue.queue_page import Draft, judge_unit
from assay.workbench.reader import Reader

router = APIRouter(tags=["judgements"], responses=problems(401, 403))


class NewJudgement(shapes.RequestBody):
    """What an annotator says of a text; `verdict` null skips it.

    `seen` is what was to be seen meanwhile, beside what the server showed itself. `known` is the last event of the
    text that was known: what others did later is told in the answer.
    """

    text_id: shapes.Id
    verdict: Polarity | None
    comment: shapes.Comment = ""
    acceptability: Annotated[int, Field(ge=1, le=100)] | None = None
    tags: list[shapes.Short] = Field(default=[], max_length=100)
    seen: list[Seen] = Field(default=[], max_length=3)
    known: shapes.Id = 0


class Ruling(shapes.RequestBody):
    """What an adjudicator decides about a text."""

    text_id: shapes.Id
    verdict: Polarity
    comment: shapes.Comment = ""
    known: shapes.Id = 0


class Outcome(shapes.Shape):
    """What was recorded, what others did to the text meanwhile, and how many fair comparisons gained its item.

    A skip leaves the text hidden: `text` is null, and `meanwhile` empty.
    """

    event: Event
    meanwhile: Sequence[Event]
    text: shapes.Text | None
    freed: shapes.Count


class NewDecision(shapes.RequestBody):
    """One decision on several texts. Of `rows` the first text is judged, and the others of its row with it.

    `verdict` null judges each text as its decided twin. Texts taken `out` of a list are skipped, and come by
    themselves. `known` is the last event that was known.
    """

    rows: list[Annotated[list[shapes.Id], Field(min_length=1, max_length=1000)]] = Field(max_length=1000)
    verdict: Polarity | None
    out: list[shapes.Id] = Field(default=[], max_length=1000)
    comment: shapes.Comment = ""
    tags: list[shapes.Short] = Field(default=[], max_length=100)
    known: shapes.Id = 0


class Decision(shapes.Shape):
    """The events of a decision, one a text; texts that others decided meanwhile have none."""

    events: Sequence[Event]


class NewQuestion(shapes.RequestBody):
    """A doubt about what holds of a text; an adjudicator answers it."""

    text_id: shapes.Id
    comment: shapes.Comment = ""


class Undone(shapes.Shape):
    """What was taken back; null where there was nothing."""

    event: Event | None


@router.post(f"{SUITE}/judgements", status_code=201, summary="Judge a text, or skip it", responses=problems(404))
def judge(visit: AnnotatorSuiteVisit, given: NewJudgement) -> Outcome:
    """The judgement holds for all systems and campaigns that wrote this text; nobody's judgement is overwritten."""
    tags, seen = tuple(dict.fromkeys(given.tags)), tuple(given.seen)
    answer = AnnotatorAnswer(given.text_id, given.verdict, given.comment, given.acceptability, tags, seen, given.known)
    with visit.changing() as change:
        return _outcome(change, judgements.judge(change, answer))


@router.post(f"{SUITE}/decisions", status_code=201, summary="Judge several texts at once", responses=problems(404))
def decide(visit: AnnotatorSuiteVisit, given: NewDecision) -> Decision:
    """Each text gets a judgement of its own, with how it came about; one undo takes all of them back."""
    draft = Draft(given.comment, None, tuple(dict.fromkeys(given.tags)))
    with visit.changing() as change:
        events = judge_unit(change, given.rows, given.verdict, out=given.out, draft=draft, known=given.known)
        return Decision(events=events)


@router.post(f"{SUITE}/text-questions", status_code=201, summary="Doubt what holds of a text", responses=problems(404))
def ask(visit: AnnotatorSuiteVisit, given: NewQuestion) -> Undone:
    """It stands among the disagreements until an adjudicator has decided."""
    with visit.changing() as change:
        return Undone(event=judgements.ask_about(change, given.text_id, given.comment))


@router.delete(f"{SUITE}/judgements", summary="Take back my judgement of a text", responses=problems(404))
def withdraw(visit: AnnotatorSuiteVisit, text_id: Annotated[int, Query(ge=0, le=shapes.LARGEST)]) -> Undone:
    """Nothing is deleted: the history keeps both."""
    with visit.changing() as change:
        return Undone(event=judgements.withdraw(change, text_id))


@router.post("/undo", summary="Take back what I did last")
def undo(visit: AnnotatorVisit) -> Undone:
    """A judgement, skip or adjudication, in whichever suite. Nothing is deleted: the history keeps both."""
    return Undone(event=judgements.undo_anywhere(visit))


@router.post(f"{SUITE}/adjudications", status_code=201, summary="Decide a text for all", responses=problems(404))
def adjudicate(visit: AdjudicatorSuiteVisit, given: Ruling) -> Outcome:
    """Outranks all judgements of the text."""
    answer = AnnotatorAnswer(given.text_id, given.verdict, given.comment, seen=("judgements",), known=given.known)
    with visit.changing() as change:
        return _outcome(change, judgements.adjudicate(change, answer))


def _outcome(reader: Reader, found: JudgementOutcome) -> Outcome:
    event = found.event
    if event.verdict is None:
        return Outcome(event=event, meanwhile=(), text=None, freed=0)
    reader.reveal([found.text.id], "systems", "judgements")
    text = shapes.Text.of(reader, found.text)
    return Outcome(event=event, meanwhile=found.meanwhile, text=text, freed=found.freed)
