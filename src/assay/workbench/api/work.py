"""About the work: what people disagree on, how far they agree, what it cost, who did what."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query

from assay.verdicts import Event
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, Name, SuiteName, problems
from assay.workbench.security import AnyVisit
from assay.workbench.work import agreement, effort, history
from assay.workbench.work.disputes import open_disputes

router = APIRouter(tags=["work"], responses=problems(401, 403, 404))
shapes.answered(agreement.Agreement, history.HistoryEntry, history.HistoryPage)


# Disputes


class DisputeAnswer(shapes.Shape):
    """A text of which people say different things; `ruled` is what the rules say, `written` how many systems wrote it.

    `known` goes back with the adjudication.
    """

    text_id: int
    item: str
    category: str
    phenomenon: str
    source: str
    text: str
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
    visit: AnyVisit,
    suite: SuiteName,
    category: Name = None,
    after: Annotated[int, Query(ge=0, le=shapes.LARGEST, description="Go on behind this text")] = 0,
) -> DisputesPage:
    """In the order of the suite. Whoever reads this has seen how the texts were judged."""
    with visit.reading(suite) as reader:
        found = open_disputes(reader, category=category or "", after=after)
    cases = [
        DisputeAnswer.model_validate(
            {
                "text_id": case.text.id,
                "item": case.item.id,
                "category": case.item.category,
                "phenomenon": case.item.phenomenon,
                "source": case.item.source,
                "text": case.text.value,
                "votes": case.votes,
                "ruled": case.ruled,
                "written": case.written,
                "known": case.known,
            }
        )
        for case in found.cases
    ]
    return DisputesPage(number=found.number, categories=found.categories, after=found.after, cases=cases)


# Agreement


class Difference(shapes.Shape):
    """A text of which two people say different things, in the order in which they said them."""

    text_id: int
    item: str
    category: str
    text: str
    votes: list[Event]


Annotator = Annotated[str, Query(min_length=1, max_length=200, description="Name of an annotator")]


@router.get(f"{SUITE}/agreement", response_model=agreement.Agreement, summary="How far annotators agree")
def agreement_(visit: AnyVisit, suite: SuiteName) -> agreement.Agreement:
    """Per category and pair of annotators; of each person the first blind judgement of a text counts."""
    with visit.reading(suite) as reader:
        return agreement.agreement(reader)


@router.get(f"{SUITE}/differences", response_model=list[Difference], summary="Texts on which two annotators differ")
def differences(
    visit: AnyVisit, suite: SuiteName, first: Annotator, second: Annotator, category: Name = None
) -> list[Difference]:
    """Of the judgements that count for agreement. Whoever reads this has seen how the texts were judged."""
    with visit.reading(suite) as reader:
        found = agreement.differences(reader, first=first, second=second, category=category or "")
    return [
        Difference.model_validate(
            {
                "text_id": difference.text.id,
                "item": difference.item.id,
                "category": difference.item.category,
                "text": difference.text.value,
                "votes": difference.votes,
            }
        )
        for difference in found
    ]


# Effort


class EffortAnswer(shapes.Shape):
    """`hours` are person-hours of all together."""

    campaigns: Sequence[effort.Gain]
    people: Sequence[effort.Work]
    hours: float | None
    judgements: shapes.Count


@router.get(f"{SUITE}/effort", response_model=EffortAnswer, summary="What judging has cost and gained")
def effort_(visit: AnyVisit, suite: SuiteName) -> effort.Effort:
    """Warnings on first application and now, items gained for the fair comparison, person-hours."""
    with visit.reading(suite) as reader:
        return effort.effort(reader)


# History


@router.get(f"{SUITE}/history", response_model=history.HistoryPage, summary="Who did what")
def history_(
    visit: AnyVisit,
    suite: SuiteName,
    by: Name = None,
    kind: Annotated[history.Kind | None, Query()] = None,
    page: Annotated[int, Query(ge=1, le=1_000_000, description="A page has 50 entries")] = 1,
) -> history.HistoryPage:
    """The newest first. Whoever reads this has seen how the texts were judged."""
    with visit.reading(suite) as reader:
        return history.history(reader, by=by or "", kind=kind or "", page=page)
