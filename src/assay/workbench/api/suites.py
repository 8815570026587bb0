"""Suites: what there is, how far it is, what annotators are asked."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from assay.workbench.admission.security import AnyVisit
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, AdminSuiteVisit, Name, SuiteVisit, problems, send
from assay.workbench.db.hidings import HiddenSuite, HiddenSystem
from assay.workbench.files import hidden
from assay.workbench.files.hidden import Hidden, list_hidden
from assay.workbench.files.zip_files import zip_export
from assay.workbench.queue.questions import AskedQuestions, ask, asked_questions
from assay.workbench.work.overview import (
    CategoryContents,
    PhenomenonContents,
    SuiteContents,
    SuiteProgress,
    VerdictCounts,
    contents,
    overview,
)

router = APIRouter(tags=["suites"], responses=problems(401, 403))
shapes.answered(Hidden, HiddenSuite, HiddenSystem)
shapes.answered(AskedQuestions, CategoryContents, PhenomenonContents, SuiteContents, SuiteProgress, VerdictCounts)
last = APIRouter(tags=["suites"], responses=problems(401, 403, 404))
"""Matches any path below /suites, and so comes behind all others."""


class NewQuestions(shapes.RequestBody):
    """`tags` are the suite's own, name to description; those that every suite has are not named."""

    acceptability: Annotated[int, Field(ge=2, le=7)] | None = None
    tags: dict[shapes.Short, Annotated[str, Field(max_length=500)]] = Field(default={}, max_length=100)


@router.get("/suites", summary="All suites")
def suites(visit: AnyVisit) -> list[SuiteProgress]:
    """The suites of the database and how far each is."""
    with visit.entering() as (db, _):
        return overview(db, visit.state.snapshots)


@router.put(f"{SUITE}/questions", summary="What annotators are asked", responses=problems(404))
def set_questions(visit: AdminSuiteVisit, given: NewQuestions) -> AskedQuestions:
    """Set the scale of acceptability and the suite's own tags; what is not named is not asked."""
    scale_ = "" if given.acceptability is None else str(given.acceptability)
    tags = "\n".join(f"{name}: {' '.join(description.split())}" for name, description in given.tags.items())
    ask(visit.state.store, visit.user(), visit.suite(), acceptability=scale_, tags=tags)
    with visit.reading() as reader:
        return asked_questions(reader)


class Hiding(shapes.RequestBody):
    """What to hide, or to bring back: one system, all of a campaign (`""` has no name), or the suite where neither is
    named."""

    hidden: bool
    campaign: shapes.Short | None = None
    system: shapes.Short | None = None


Typed = Annotated[str, Query(max_length=200, description="The name of what is to be deleted, once more")]


@router.get("/hidden", summary="Hidden suites")
def hidden_suites(visit: AnyVisit) -> Hidden:
    """Suites that are hidden; systems are listed below their suite."""
    with visit.entering() as (db, _):
        return list_hidden(db)


@router.get(f"{SUITE}/hidden", summary="Hidden systems", responses=problems(404))
def hidden_systems(visit: SuiteVisit) -> Hidden:
    """Systems of the suite that are hidden: kept, and counted nowhere."""
    with visit.entering() as (db, _):
        return list_hidden(db, visit.suite())


@router.put(f"{SUITE}/hidden", summary="Hide, or bring back", responses=problems(404))
def hide(visit: AdminSuiteVisit, given: Hiding) -> Hidden:
    """A system, a campaign or the suite. What is hidden counts nowhere, and costs no fair items."""
    turn = hidden.hide if given.hidden else hidden.bring_back
    turn(visit.state.store, visit.user(), hidden.Whole(visit.suite(), given.campaign, given.system))
    with visit.entering() as (db, _):
        return list_hidden(db, visit.suite())


@router.delete(f"{SUITE}/hidden", summary="Delete for good", responses=problems(404))
def delete_hidden(visit: AdminSuiteVisit, typed: Typed, campaign: Name = None, system: Name = None) -> Hidden:
    """What is hidden, and only that: a system, a campaign or the suite. Nobody can bring it back."""
    what = hidden.Whole(visit.suite(), campaign, system)
    hidden.delete_for_good(visit.state.store, visit.user(), what, typed)
    with visit.entering() as (db, _):
        return list_hidden(db, "" if what.is_suite else what.suite)


@router.get(
    f"{SUITE}/export",
    response_class=Response,
    summary="Everything as a zip file",
    responses={
        **problems(404),
        200: {"description": "The file", "content": {"application/zip": {"schema": {"format": "binary"}}}},
    },
)
def export(visit: AdminSuiteVisit, pseudonyms: bool = False) -> Response:
    """The folder that `assay export` writes. Whoever reads this has seen who wrote and judged the texts."""
    return send(zip_export(visit, pseudonyms=pseudonyms))


@last.get(SUITE, summary="A suite")
def suite(visit: SuiteVisit) -> SuiteContents:
    """Taxonomy, questions, and distinct texts by verdict."""
    with visit.reading() as reader:
        return contents(reader)
