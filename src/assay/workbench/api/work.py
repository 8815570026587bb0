"""About the work: what people disagree on, how far they agree, what it cost, who did what."""

from typing import Annotated

from fastapi import APIRouter, Query

from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, Here, Name, SuiteName, problems
from assay.workbench.security import Me
from assay.workbench.work import agreement, effort, history
from assay.workbench.work.disputes import open_disputes

router = APIRouter(tags=["work"], responses=problems(401, 403, 404))


# Disputes


class Case(shapes.Shape):
    """A text of which people say different things; `ruled` is what the rules say, `written` how many systems wrote it.

    `known` goes back with the adjudication.
    """

    text_id: int
    item: str
    category: str
    phenomenon: str
    source: str
    text: str
    votes: list[shapes.Event]
    ruled: shapes.Verdict
    written: shapes.Count
    known: int


class DisputesPage(shapes.Shape):
    """Up to 25 cases of `number`; more come with `after`, which is 0 at the end."""

    number: shapes.Count
    categories: dict[str, int]
    after: int
    cases: list[Case]


@router.get(f"{SUITE}/disputes", response_model=DisputesPage, summary="Texts that an adjudicator has to decide")
def disputes(
    here: Here,
    user: Me,
    suite: SuiteName,
    category: Name = None,
    after: Annotated[int, Query(ge=0, le=shapes.LARGEST, description="Go on behind this text")] = 0,
) -> DisputesPage:
    """In the order of the suite. Whoever reads this has seen how the texts were judged."""
    docket = open_disputes(here.desk, user, suite, category=category or "", after=after)
    cases = [
        Case.model_validate(
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
        for case in docket.cases
    ]
    return DisputesPage(number=docket.number, categories=docket.categories, after=docket.after, cases=cases)


# Agreement


class Overall(shapes.Shape):
    """On `units` texts: raw agreement, Fleiss' kappa on `fleiss_units` of them, Krippendorff's alpha."""

    units: shapes.Count
    raw: float | None
    fleiss_units: shapes.Count
    fleiss: float | None
    alpha: float | None


class Row(shapes.Shape):
    """All annotators on one category, or on all (`category` is empty); `acceptability` is its ordinal alpha."""

    category: str
    overall: Overall
    acceptability: float | None


class Pair(shapes.Shape):
    """On `units` texts: raw agreement and Cohen's kappa."""

    units: shapes.Count
    raw: float | None
    kappa: float | None


class PairRow(shapes.Shape):
    """Two annotators on one category, or on all; they say different things of `differ` texts."""

    category: str
    pair: Pair
    differ: shapes.Count


class Couple(shapes.Shape):
    first: str
    second: str
    rows: list[PairRow]


class LeftOut(shapes.Shape):
    """Judgements that do not count, by reason: read from files, taken back, not blind, not the first."""

    imported: shapes.Count
    undone: shapes.Count
    seen: shapes.Count
    later: shapes.Count


class Agreement(shapes.Shape):
    """`texts` have two or more blind judgements; `asked` says whether the suite asks for acceptability."""

    people: list[str]
    texts: shapes.Count
    rows: list[Row]
    couples: list[Couple]
    left_out: LeftOut
    asked: bool


class Difference(shapes.Shape):
    """A text of which two people say different things, in the order in which they said them."""

    text_id: int
    item: str
    category: str
    text: str
    votes: list[shapes.Event]


Annotator = Annotated[str, Query(min_length=1, max_length=200, description="Name of an annotator")]


@router.get(f"{SUITE}/agreement", response_model=Agreement, summary="How far annotators agree")
def agreement_(here: Here, user: Me, suite: SuiteName) -> agreement.Agreement:
    """Per category and pair of annotators; of each person the first blind judgement of a text counts."""
    return agreement.agreement(here.store, here.boards, suite)


@router.get(f"{SUITE}/differences", response_model=list[Difference], summary="Texts on which two annotators differ")
def differences(
    here: Here, user: Me, suite: SuiteName, first: Annotator, second: Annotator, category: Name = None
) -> list[Difference]:
    """Of the judgements that count for agreement. Whoever reads this has seen how the texts were judged."""
    found = agreement.differences(here.store, here.boards, suite, first=first, second=second, category=category or "")
    here.desk.reveal(user, [difference.text.id for difference in found], "judgements")
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


class Warned(shapes.Shape):
    """A system's warnings among `items`: when its outputs were first judged by the rules, and now."""

    system: shapes.System
    items: shapes.Count
    first: shapes.Count
    now: shapes.Count


class Gain(shapes.Shape):
    """A campaign: items found, those that counted in the fair comparison at first, and now."""

    name: str
    items: shapes.Count
    first: shapes.Count
    now: shapes.Count
    systems: list[Warned]
    left_out: list[shapes.System]


class Work(shapes.Shape):
    """What one person did; `seconds` without pauses; `pace` is seconds from one judgement to the next."""

    by: str
    judgements: shapes.Count
    adjudications: shapes.Count
    skips: shapes.Count
    undone: shapes.Count
    sittings: shapes.Count
    seconds: float | None
    pace: float | None
    last: str


class Effort(shapes.Shape):
    """`hours` are person-hours of all together."""

    campaigns: list[Gain]
    people: list[Work]
    hours: float | None
    judgements: shapes.Count


@router.get(f"{SUITE}/effort", response_model=Effort, summary="What judging has cost and gained")
def effort_(here: Here, user: Me, suite: SuiteName) -> effort.Effort:
    """Warnings on first application and now, items gained for the fair comparison, person-hours."""
    return effort.effort(here.store, here.boards, suite)


# History


class Judged(shapes.Shape):
    """An event with the text and the item that it belongs to, and whether it was taken back."""

    event: shapes.Event
    item: str
    text: str
    undone: bool


class Edited(shapes.Shape):
    """A revision: its number, what its author wrote, how many items it changed, and the first of them."""

    number: int
    comment: str
    changed: shapes.Count
    items: list[str]


class Brought(shapes.Shape):
    """Systems of one campaign whose outputs were imported together."""

    campaign: str
    systems: list[str]


class Deed(shapes.Shape):
    kind: history.Kind
    id: int
    by: str
    created: str


class Entry(shapes.Shape):
    """One deed, with what it was done to: an event of a text (and the one it takes back), a revision, or systems."""

    deed: Deed
    judged: Judged | None
    undone: Judged | None
    edited: Edited | None
    brought: Brought | None


class History(shapes.Shape):
    """A page of the history, counted from 1; `people` are all who could be asked for."""

    entries: list[Entry]
    people: list[str]
    number: int
    more: bool


@router.get(f"{SUITE}/history", response_model=History, summary="Who did what")
def history_(
    here: Here,
    user: Me,
    suite: SuiteName,
    by: Name = None,
    kind: Annotated[history.Kind | None, Query()] = None,
    page: Annotated[int, Query(ge=1, le=1_000_000, description="A page has 50 entries")] = 1,
) -> history.HistoryPage:
    """The newest first. Whoever reads this has seen how the texts were judged."""
    found = history.history(here.store, suite, by=by or "", kind=kind or "", page=page)
    here.desk.reveal(user, found.texts_of_others(user), "judgements")
    return found
