"""About the work: what people disagree on, how far they agree, what it cost, who did what."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query

from assay.verdicts.judgements import Event
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, Name, SuiteVisit, problems
from assay.workbench.db.history import Kind
from assay.workbench.work import agreement, effort, history
from assay.workbench.work.disputes import Disputes, open_disputes

router = APIRouter(tags=["work"], responses=problems(401, 403, 404))
shapes.answered(agreement.Agreement, history.HistoryEntry, history.HistoryPage)


# Disputes


class DisputeAnswer(shapes.Shape):
    """A text of which people say different things; `ruled` is what the rules say, `written` how many systems wrote it.

    `known` goes back with the adjudication.
    """

    text_id: int = shapes.at("text", "id")
    item: str = shapes.at("item", "id")
    category: str = shapes.at("item", "category")
    phenomenon: str = shapes.at("item", "phenomenon")
    source: str = shapes.at("item", "source")
    text: str = shapes.at("text", "value")
    votes: list[Event]
    ruled: shapes.VerdictWord
    written: shapes.Count
    known: int


class DisputesPage(shapes.Shape):
    """Up to 25 cases of `number`; more come with `after`, which is 0 at the end."""

    number: shapes.Count
    categories: dict[str, int]
    after: int
    cases: list[DisputeAnswer]


@router.get(f"{SUITE}/disputes", response_model=DisputesPage, summary="Texts that an adjudicator has to decide")
def disputes(
    visit: SuiteVisit,
    category: Name = None,
    after: Annotated[int, Query(ge=0, le=shapes.LARGEST, description="Go on behind this text")] = 0,
) -> Disputes:
    """In the order of the suite. Whoever reads this has seen how the texts were judged."""
    with visit.reading() as reader:
        return open_disputes(reader, category=category or "", after=after)


# Agreement


class Difference(shapes.Shape):
    """A text of which two people say different things, in the order in which they said them."""

    text_id: int = shapes.at("text", "id")
    item: str = shapes.at("item", "id")
    category: str = shapes.at("item", "category")
    text: str = shapes.at("text", "value")
    votes: list[Event]


Annotator = Annotated[str, Query(min_length=1, max_length=200, description="Name of an annotator")]


@router.get(f"{SUITE}/agreement", summary="How far annotators agree")
def agreement_(visit: SuiteVisit) -> agreement.Agreement:
    """Per category and pair of annotators; of each person the first blind judgement of a text counts."""
    with visit.reading() as reader:
        return agreement.agreement(reader)


@router.get(f"{SUITE}/differences", response_model=list[Difference], summary="Texts on which two annotators differ")
def differences(
    visit: SuiteVisit, first: Annotator, second: Annotator, category: Name = None
) -> list[agreement.Disagreement]:
    """Of the judgements that count for agreement. Whoever reads this has seen how the texts were judged."""
    with visit.reading() as reader:
        return agreement.differences(reader, first=first, second=second, category=category or "")


# Effort


class EffortAnswer(shapes.Shape):
    """`hours` are person-hours of all together."""

    campaigns: Sequence[effort.Gain]
    people: Sequence[effort.Work]
    hours: float | None
    judgements: shapes.Count


@router.get(f"{SUITE}/effort", response_model=EffortAnswer, summary="What judging has cost and gained")
def effort_(visit: SuiteVisit) -> effort.Effort:
    """Warnings on first application and now, items gained for the fair comparison, person-hours."""
    with visit.reading() as reader:
        return effort.effort(reader)


# History


@router.get(f"{SUITE}/history", summary="Who did what")
def history_(
    visit: SuiteVisit,
    by: Name = None,
    kind: Annotated[Kind | None, Query()] = None,
    page: Annotated[int, Query(ge=1, le=1_000_000, description="A page has 50 entries")] = 1,
) -> history.HistoryPage:
    """The newest first. Whoever reads this has seen how the texts were judged."""
    with visit.reading() as reader:
        return history.history(reader, by=by or "", kind=kind or "", page=page)
