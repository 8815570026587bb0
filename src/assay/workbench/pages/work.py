"""Pages about the work: what it cost, how far people agree, what they disagree on, who did what."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response

from assay.suites import Polarity
from assay.workbench.pages.render import ChosenSuite, render
from assay.workbench.security import Adjudicator, Me
from assay.workbench.state import State
from assay.workbench.text_view import languages
from assay.workbench.work.agreement import agreement, differences
from assay.workbench.work.disputes import Adjudication, decide, open_disputes, take_back
from assay.workbench.work.effort import effort
from assay.workbench.work.history import KINDS, history

router = APIRouter()


@router.get("/effort")
def effort_page(request: Request, user: Me, suite: ChosenSuite) -> Response:
    state: State = request.app.state.assay
    return render(request, "effort.html", effort=effort(state.store, state.boards, suite))


@router.get("/agreement")
def agreement_page(
    request: Request, user: Me, suite: ChosenSuite, first: str = "", second: str = "", category: str = ""
) -> Response:
    """How far people agree; with two names also the texts on which these two do not."""
    state: State = request.app.state.assay
    found = []
    if first and second:
        found = differences(state.store, state.boards, suite, first=first, second=second, category=category)
        state.desk.reveal(user, [difference.text.id for difference in found], "judgements")
    source, target = languages(state.boards.get(suite))
    return render(
        request,
        "agreement.html",
        agreement=agreement(state.store, state.boards, suite),
        differences=found,
        chosen=(first, second, category) if first and second else None,
        source=source,
        target=target,
    )


@router.get("/disputes")
def disputes_page(
    request: Request,
    user: Me,
    suite: ChosenSuite,
    category: str = "",
    after: Annotated[int, Query(ge=0, description="Go on behind this text")] = 0,
) -> Response:
    state: State = request.app.state.assay
    docket = open_disputes(state.desk, user, suite, category=category, after=after)
    source, target = languages(state.boards.get(suite))
    return render(
        request,
        "disputes.html",
        docket=docket,
        category=category,
        may=user.may("adjudicator"),
        source=source,
        target=target,
    )


@router.post("/disputes")
def decide_dispute(
    request: Request,
    user: Adjudicator,
    suite: ChosenSuite,
    text: Annotated[int, Form()],
    verdict: Annotated[Polarity, Form()],
    comment: Annotated[str, Form()] = "",
    known: Annotated[int, Form()] = 0,
) -> Response:
    state: State = request.app.state.assay
    decided = decide(state.desk, user, suite, Adjudication(text, verdict, comment.strip(), known))
    source, target = languages(state.boards.get(suite))
    return render(request, "part/work_decided.html", decided=decided, source=source, target=target)


@router.post("/disputes/undo")
def undo_dispute(request: Request, user: Adjudicator, suite: ChosenSuite, event: Annotated[int, Form()]) -> Response:
    state: State = request.app.state.assay
    case = take_back(state.desk, user, suite, event)
    source, target = languages(state.boards.get(suite))
    return render(request, "part/work_case.html", case=case, may=True, source=source, target=target)


@router.get("/history")
def history_page(
    request: Request,
    user: Me,
    suite: ChosenSuite,
    by: str = "",
    kind: str = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    state: State = request.app.state.assay
    found = history(state.store, suite, by=by, kind=kind, page=page)
    state.desk.reveal(user, found.texts_of_others(user), "judgements")
    source, target = languages(state.boards.get(suite))
    return render(request, "history.html", page=found, by=by, kind=kind, kinds=KINDS, source=source, target=target)
