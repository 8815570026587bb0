"""What waits to be judged: the next text, or all of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import model_validator

from assay.outputs import System
from assay.workbench import text_view
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, AdminSuiteVisit, AnnotatorSuiteVisit, Limit, Name, Offset, problems
from assay.workbench.files.history_records import Seen
from assay.workbench.queue.filters import Filters
from assay.workbench.queue.neighbours import ShownSuggestion
from assay.workbench.queue.next_text import QueuedText, Rest, list_texts, next_text
from assay.workbench.queue.queue_page import open_card
from assay.workbench.queue.sample import SampleState, ShownSample, draw_sample, show_sample
from assay.workbench.queue.unit_card import UnitCard, open_unit
from assay.workbench.queue.units import NextUnit, next_unit

router = APIRouter(tags=["queue"], responses=problems(401, 403, 404))
shapes.answered(QueuedText, SampleState, ShownSample)

Shown = Literal["systems", "suggestion"]


class Tasks(shapes.Shape):
    total: shapes.Count
    tasks: Sequence[QueuedText]


class Mark(shapes.Shape):
    """A range of a text: `pass` and `fail` where rules matched, `differs` where the words are others."""

    start: shapes.Count
    end: shapes.Count
    mark: Literal["pass", "fail", "differs"]

    @model_validator(mode="before")
    @classmethod
    def named(cls, mark: text_view.Mark) -> dict[str, object]:
        return dict(zip(cls.model_fields, mark, strict=True))


class NearText(shapes.Shape):
    """An already judged text of the same item; examples that no system wrote have the `text_id` 0."""

    text_id: int = shapes.at("shown", "id")
    text: str = shapes.at("shown", "value")
    verdict: shapes.VerdictWord = shapes.at("shown", "verdict")
    marks: list[Mark] = shapes.at("shown", "marks")


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

    `prompt` and `context` are what language models were told about the source, `rubric` asks about the text.
    `doubts` are what looks wrong about the text whatever the rules say, in words; they decide nothing.
    `ruled` is what the rules say, null for a second opinion on a text that they decide. `systems` and `suggestion` are
    null unless they were asked for. `opinion` comes with the suggestion, null where the server has no suggester of its
    own. `rest` says that nothing else is left than what this annotator skipped.
    """

    task: QueuedText
    prompt: str = shapes.at("item", "prompt")
    context: str = shapes.at("item", "context")
    rubric: str = shapes.at("item", "rubric")
    tests: str = shapes.at("item", "tests")
    description: str = shapes.at("tested")
    doubts: list[str]
    ruled: shapes.FindingAnswer | None
    near: list[NearText]
    systems: list[System] | None = shapes.at("writers")
    suggestion: ShownSuggestion | None
    opinion: OpinionAnswer | None
    seen: list[Seen]
    known: int = shapes.at("offer", "known")
    waiting: shapes.Count = shapes.at("offer", "waiting")
    in_all: shapes.Count = shapes.at("offer", "in_all")
    ever: int | None = shapes.at("offer", "ever")
    rest: Rest = shapes.at("offer", "rest")


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
    sample: Annotated[
        bool, Query(description="In the order of the newest draw; no filter goes with it but a campaign")
    ] = False,
    words: Annotated[str | None, Query(max_length=200, description="All of them in the source or the text")] = None,
    length: Annotated[Literal["short", "long"] | None, Query(description="Long is over 400 characters")] = None,
    doubt: Annotated[bool, Query(description="Texts that look wrong whatever the rules say")] = False,
    tier: Annotated[Literal["entry", "context"] | None, Query(description="Of items of this tier")] = None,
    suggestion: Annotated[
        Literal["pass", "fail", "none"] | None, Query(description="Of which this is suggested; you will have seen it")
    ] = None,
) -> Filters:
    """The filters of a request."""
    return Filters(
        category,
        phenomenon,
        system,
        campaign,
        reason,
        again,
        sample,
        words=words,
        length=length,
        doubt=doubt,
        tier=tier,
        suggestion=suggestion,
    )


Chosen = Annotated[Filters, Depends(chosen)]


@router.get(f"{SUITE}/queue", summary="The next text to judge")
def queue(
    visit: AnnotatorSuiteVisit,
    filters: Chosen,
    show: Annotated[Sequence[Shown], Query(max_length=2, description="What to show before the judgement is made")] = (),
    after: Annotated[int, Query(ge=0, le=shapes.LARGEST, description="A text to leave for later")] = 0,
) -> Queue:
    """What frees most items for a fair comparison comes first. Others are not offered the same text for five minutes.

    Systems and suggestions are hidden unless `show` names them; what was shown is kept with the judgement.
    """
    state = visit.state
    with visit.reading() as reader:
        offer = next_text(reader, state.leases, filters, after=after)
        card = open_card(reader, offer, show=show, opinions=state.opinions) if offer else None
    return Queue.model_validate({"offer": card})


class UnitRowAnswer(shapes.Shape):
    """Texts of one item that a judgement decides together, the first for all; `also` are the same text of other items.

    In a list of twins `twin` is the decided text that it equals but for its writing, and `verdict` what that is worth.
    """

    item: str
    source: str
    text: str
    text_ids: list[int]
    also: list[int]
    twin: str | None = None
    verdict: shapes.VerdictWord | None = None


class UnitAnswer(shapes.Shape):
    """What one decision settles; `known` goes back with it, to `decisions`. `system` is whose texts a triage has."""

    kind: Literal["card", "twins", "triage"]
    system: str
    rows: list[UnitRowAnswer]
    known: int
    waiting: shapes.Count
    decisions: shapes.Count


class UnitOffer(shapes.Shape):
    """`unit` is null where nothing waits."""

    unit: UnitAnswer | None


@router.get(f"{SUITE}/unit", summary="What one decision settles next")
def unit(
    visit: AnnotatorSuiteVisit,
    filters: Chosen,
    triage: Annotated[bool, Query(description="A list of texts that look wrong whatever the rules say")] = False,
) -> UnitOffer:
    """Lists of twins of decided texts first, then cards of an item's texts.

    Others are not offered the same for a while.
    """
    with visit.reading() as reader:
        offer = next_unit(reader, visit.state.leases, replace(filters, triage=triage))
        if offer is None:
            return UnitOffer(unit=None)
        card = open_unit(reader, offer.unit, show=())
        return UnitOffer(unit=_unit(card, offer))


def _unit(card: UnitCard, offer: NextUnit) -> UnitAnswer:
    rows = [
        UnitRowAnswer(
            item=card.panel_of[row.row.place].item.id,
            source=card.panel_of[row.row.place].item.source,
            text=row.text.value,
            text_ids=list(row.row.texts),
            also=list(row.row.also),
        )
        for row in card.rows
    ]
    rows += [
        UnitRowAnswer(
            item=row.item.id,
            source=row.item.source,
            text=row.text.value,
            text_ids=[row.text.id],
            also=[],
            twin=row.twin.value if row.twin else None,
            verdict=row.decided.verdict if row.decided else None,  # type: ignore[arg-type]
        )
        for row in card.listed
    ]
    found = card.unit
    return UnitAnswer(
        kind=found.kind,
        system=found.system,
        rows=rows,
        known=card.known,
        waiting=offer.waiting,
        decisions=offer.decisions,
    )


@router.get(f"{SUITE}/tasks", summary="All texts that wait")
def tasks(visit: AnnotatorSuiteVisit, filters: Chosen, limit: Limit = 100, offset: Offset = 0) -> Tasks:
    """In the order of the queue. Whoever asks for the texts of a system has seen who wrote them."""
    with visit.reading() as reader:
        total, found = list_texts(reader, filters, start=offset, number=limit)
    return Tasks(total=total, tasks=found)


@router.get(f"{SUITE}/sample", summary="How far the sample is judged")
def sample(visit: AnnotatorSuiteVisit, campaign: Name = None) -> ShownSample:
    """Only the beginning of the draw in which all is judged, or skipped, carries weight in an estimate."""
    with visit.reading() as reader:
        return show_sample(reader, campaign)


@router.post(f"{SUITE}/sample", summary="Draw a sample")
def draw(visit: AdminSuiteVisit, campaign: Name = None) -> ShownSample:
    """Put what is undecided (in a campaign) into an order in which every beginning is a valid sample."""
    with visit.changing() as change:
        draw_sample(change, campaign)
        return show_sample(change, campaign)
