"""Rules that widen themselves: the offer after a judgement, the same for all rules, taking and leaving it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request, Response

from assay.suggest.wider_rules import How
from assay.suites import Polarity
from assay.workbench.admission.client_watch import WATCHED
from assay.workbench.api.shapes import LARGEST
from assay.workbench.items.reverted_revision import revert_revision
from assay.workbench.items.rule_edits import make_rule
from assay.workbench.items.widened_items import (
    Scope,
    leave_wider,
    loose_change,
    offer_wider,
    read_change,
    survey_wider,
    take_wider,
)
from assay.workbench.pages.render import render, suite_visitor
from assay.workbench.visit import Visit

router = APIRouter()

Annotator = Annotated[Visit, Depends(suite_visitor("annotator"))]
Hows = Annotated[list[How], Form(alias="how")]
Words = Annotated[str, Form()]


@router.get("/widening", dependencies=WATCHED)
def offer(request: Request, visit: Annotator, text: Annotated[int, Query(ge=0, le=LARGEST)]) -> Response:
    """What would have known the text that was just judged; nothing where nothing would."""
    return render(request, "part/widening.html", offer=offer_wider(visit, text), survey=None)


@router.get("/widening/survey", dependencies=WATCHED)
def survey(
    request: Request,
    visit: Annotator,
    how: Annotated[list[How], Query()],
    polarity: Polarity = "pass",
    category: str = "",
    phenomenon: str = "",
) -> Response:
    """What it would do to widen all rules of the suite, a category or a phenomenon."""
    where = {"category": category, "phenomenon": phenomenon}
    found = survey_wider(visit, how, polarity, category=category, phenomenon=phenomenon)
    return render(request, "part/widening.html", offer=found, survey=where)


@router.post("/widening/take", dependencies=WATCHED)
def take(
    request: Request,
    visit: Annotator,
    how: Hows,
    polarity: Annotated[Polarity, Form()],
    scope: Annotated[Scope, Form()],
    item: Words = "",
    old: Annotated[list[str] | None, Form()] = None,
    new: Annotated[list[str] | None, Form()] = None,
    category: Words = "",
    phenomenon: Words = "",
) -> Response:
    change = loose_change(how, polarity)
    if old and new:
        with visit.reading() as reader:
            change = read_change(reader, make_rule(polarity, *old), make_rule(polarity, *new), how)
    taken = take_wider(visit, change, scope, item=item, category=category, phenomenon=phenomenon)
    return render(request, "part/widening_taken.html", taken=taken)


@router.post("/widening/leave")
def leave(
    request: Request,
    visit: Annotator,
    how: Hows,
    polarity: Annotated[Polarity, Form()],
    old: Annotated[list[str] | None, Form()] = None,
    new: Annotated[list[str] | None, Form()] = None,
) -> Response:
    if old and new:
        with visit.reading() as reader:
            change = read_change(reader, make_rule(polarity, *old), make_rule(polarity, *new), how)
        leave_wider(visit, change)
    return render(request, "part/widening.html", offer=None, survey=None)


@router.post("/revisions/revert", dependencies=WATCHED)
def revert(request: Request, visit: Annotator, revision: Annotated[int, Form(ge=0, le=LARGEST)]) -> Response:
    return render(request, "part/reverted.html", done=revert_revision(visit, revision))
