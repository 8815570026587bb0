"""Pages about the work: what it cost, how far people agree, what they disagree on, who did what."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from markupsafe import Markup

from assay.errors import UnknownName
from assay.suites import Polarity
from assay.workbench.api.request import send
from assay.workbench.pages.render import SuiteVisit, fragment, render, suite_visitor
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.visit import Visit
from assay.workbench.work.agreement import Agreement, differences, show_agreement
from assay.workbench.work.disputes import decide, open_disputes, take_back
from assay.workbench.work.effort import effort
from assay.workbench.work.history import KINDS, history
from assay.workbench.work.tables import TABLES, history_table

router = APIRouter()

AdjudicatorSuiteVisit = Annotated[Visit, Depends(suite_visitor("adjudicator"))]


@router.get("/effort")
def effort_page(request: Request, visit: SuiteVisit) -> Response:
    with visit.reading() as reader:
        return render(request, "effort.html", effort=effort(reader))


@router.get("/agreement")
def agreement_page(
    request: Request, visit: SuiteVisit, first: str = "", second: str = "", category: str = "", shown: bool = False
) -> Response:
    """How far people agree; with two names also the texts on which these two do not."""
    with visit.reading() as reader:
        both = bool(first and second)
        found = differences(reader, first=first, second=second, category=category) if both else []
        reader.ask_first(shown=shown)
        chosen = (first, second, category) if both else None
        agreement, tables = show_agreement(reader, partial(_tables, visit.suite()))
        return render(request, "agreement.html", agreement=agreement, tables=tables, differences=found, chosen=chosen)


def _tables(suite: str, found: Agreement) -> Markup:
    return fragment("part/agreement_tables.html", agreement=found, suite_name=suite)


@router.get("/effort/{key}")
@router.get("/agreement/{key}")
def table_file(visit: SuiteVisit, key: str) -> Response:
    """A table of these pages for a spreadsheet."""
    if key not in TABLES:
        raise UnknownName("download", key, TABLES)
    with visit.reading() as reader:
        return send(TABLES[key](reader))


@router.get("/history/history.tsv")
def history_file(visit: SuiteVisit, by: str = "", kind: str = "", shown: bool = False) -> Response:
    """The whole history as a table. Whoever has it has seen what others said."""
    with visit.reading() as reader:
        table = history_table(reader, by=by, kind=kind)
        reader.ask_first(shown=shown)
        return send(table)


@router.get("/disputes")
def disputes_page(
    request: Request,
    visit: SuiteVisit,
    category: str = "",
    after: Annotated[int, Query(ge=0, description="Go on behind this text")] = 0,
    shown: bool = False,
) -> Response:
    """What waits for an adjudicator, who is not asked: whoever decides has to see what others said."""
    with visit.reading() as reader:
        disputes = open_disputes(reader, category=category, after=after)
        reader.ask_first(shown=shown or visit.user().may("adjudicator"))
    return render(request, "disputes.html", disputes=disputes, category=category)


@router.post("/disputes")
def decide_dispute(
    request: Request,
    visit: AdjudicatorSuiteVisit,
    text: Annotated[int, Form()],
    verdict: Annotated[Polarity, Form()],
    comment: Annotated[str, Form()] = "",
    known: Annotated[int, Form()] = 0,
    category: str = "",
) -> Response:
    with visit.changing() as change:
        decided = decide(change, AnnotatorAnswer(text, verdict, comment.strip(), known=known), category)
    return render(request, "part/work_decided.html", decided=decided, left=decided.left, category=category)


@router.post("/disputes/undo")
def undo_dispute(
    request: Request, visit: AdjudicatorSuiteVisit, event: Annotated[int, Form()], category: str = ""
) -> Response:
    with visit.changing() as change:
        reopened = take_back(change, event, category)
    return render(request, "part/work_reopened.html", case=reopened.case, left=reopened.left, category=category)


@router.get("/history")
def history_page(
    request: Request,
    visit: SuiteVisit,
    by: str = "",
    kind: str = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    shown: bool = False,
) -> Response:
    with visit.reading() as reader:
        found = history(reader, by=by, kind=kind, page=page)
        reader.ask_first(shown=shown)
    return render(request, "history.html", page=found, by=by, kind=kind, event_kinds=KINDS)
