"""What waits to be judged: the next text, or all of them."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query

from assay.outputs import System
from assay.verdicts import Reason
from assay.workbench import text_view
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, Limit, Name, Offset, SuiteName, problems
from assay.workbench.files.history_records import Seen
from assay.workbench.queue.filters import Filters
from assay.workbench.queue.neighbours import ShownSuggestion
from assay.workbench.queue.next_text import QueuedText, Rest, list_texts, next_text, queued_text
from assay.workbench.queue.queue_page import Card, open_card
from assay.workbench.security import AnnotatorVisit

router = APIRouter(tags=["queue"], responses=problems(401, 403, 404))

Shown = Literal["systems", "suggestion"]


class TaskAnswer(shapes.Shape):
    """A text that waits.

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
    frees: shapes.Count
    left: int | None
    systems: shapes.Count


class Tasks(shapes.Shape):
    total: shapes.Count
    tasks: list[TaskAnswer]


class Mark(shapes.Shape):
    """A range of a text: `pass` and `fail` where rules matched, `differs` where the words are others."""

    start: shapes.Count
    end: shapes.Count
    mark: Literal["pass", "fail", "differs"]


class NearText(shapes.Shape):
    """An already judged text of the same item; examples that no system wrote have the `text_id` 0."""

    text_id: int
    text: str
    verdict: shapes.VerdictWord
    marks: list[Mark]

    @classmethod
    def of(cls, shown: text_view.TextView) -> "NearText":
        marks = [{"start": start, "end": end, "mark": mark} for start, end, mark in shown.marks]
        found = {"text_id": shown.id, "text": shown.value, "verdict": shown.verdict, "marks": marks}
        return cls.model_validate(found)


class OpinionSuggestion(shapes.Shape):
    verdict: shapes.VerdictWord
    confidence: shapes.Share
    reason: str


class OpinionAnswer(shapes.Shape):
    """What the suggester says that the server was started with; never applied by itself.

    While it is `waiting`, ask again in a moment. One that is `ready` may have no suggestion; `reason` says why one
    `failed`. Texts of a held-out item do not leave the server.
    """

    state: Literal["ready", "waiting", "failed", "held_out"]
    suggestion: OpinionSuggestion | None
    reason: str


class NextTextAnswer(shapes.Shape):
    """The next text, with the nearest judged ones; `known` and `seen` go back with the judgement.

    `doubts` are what looks wrong about the text whatever the rules say, in words; they decide nothing.
    `ruled` is what the rules say, null for a second opinion on a text that they decide. `systems` and `suggestion` are
    null unless they were asked for. `opinion` comes with the suggestion, null where the server has no suggester of its
    own. `rest` says that nothing else is left than what this annotator skipped.
    """

    task: TaskAnswer
    tests: str
    description: str
    doubts: list[str]
    ruled: shapes.FindingAnswer | None
    near: list[NearText]
    systems: list[System] | None
    suggestion: ShownSuggestion | None
    opinion: OpinionAnswer | None
    seen: list[Seen]
    known: int
    waiting: shapes.Count
    in_all: shapes.Count
    ever: int | None
    rest: Rest


class Queue(shapes.Shape):
    """`offer` is null where nothing waits."""

    offer: NextTextAnswer | None


async def chosen(
    category: Name = None,
    phenomenon: Name = None,
    system: Name = None,
    campaign: Name = None,
    reason: Annotated[Literal["no_match", "contradiction", "timeout"] | None, Query()] = None,
    again: Annotated[bool, Query(description="Texts that others judged and you did not, for a second opinion")] = False,
) -> Filters:
    """The filters of a request."""
    return Filters(category, phenomenon, system, campaign, reason, again)


Chosen = Annotated[Filters, Depends(chosen)]


@router.get(f"{SUITE}/queue", response_model=Queue, summary="The next text to judge")
def queue(
    visit: AnnotatorVisit,
    suite: SuiteName,
    filters: Chosen,
    show: Annotated[Sequence[Shown], Query(max_length=2, description="What to show before the judgement is made")] = (),
    after: Annotated[int, Query(ge=0, le=shapes.LARGEST, description="A text to leave for later")] = 0,
) -> Queue:
    """What frees most items for a fair comparison comes first. Others are not offered the same text for five minutes.

    Systems and suggestions are hidden unless `show` names them; what was shown is kept with the judgement.
    """
    state = visit.state
    with visit.reading(suite) as reader:
        offer = next_text(reader, state.leases, filters, after=after)
        if offer is None:
            return Queue(offer=None)
        card = open_card(reader, offer, show=show, opinions=state.opinions)
        return Queue(offer=_offer(queued_text(reader, offer.task), card))


@router.get(f"{SUITE}/tasks", response_model=Tasks, summary="All texts that wait")
def tasks(visit: AnnotatorVisit, suite: SuiteName, filters: Chosen, limit: Limit = 100, offset: Offset = 0) -> Tasks:
    """In the order of the queue. Whoever asks for the texts of a system has seen who wrote them."""
    with visit.reading(suite) as reader:
        total, found = list_texts(reader, filters, start=offset, number=limit)
    return Tasks(total=total, tasks=[TaskAnswer.model_validate(text) for text in found])


def _offer(text: QueuedText, card: Card) -> NextTextAnswer:
    item, offer = card.item, card.offer
    return NextTextAnswer(
        task=TaskAnswer.model_validate(text),
        tests=item.tests,
        description=card.tested,
        doubts=list(card.doubts),
        ruled=shapes.FindingAnswer.model_validate(card.ruled) if card.ruled else None,
        near=[NearText.of(near.shown) for near in card.near],
        systems=None if card.writers is None else list(card.writers),
        suggestion=card.suggestion,
        opinion=OpinionAnswer.model_validate(card.opinion) if card.opinion else None,
        seen=list(card.seen),
        known=offer.known,
        waiting=offer.waiting,
        in_all=offer.in_all,
        ever=offer.ever,
        rest=offer.rest,
    )
