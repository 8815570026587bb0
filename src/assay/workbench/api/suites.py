"""Suites: what there is, how far it is, what annotators are asked."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from assay.workbench.admission.security import AnyVisit
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, AdminSuiteVisit, SuiteVisit, problems
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


@last.get(SUITE, summary="A suite")
def suite(visit: SuiteVisit) -> SuiteContents:
    """Taxonomy, questions, and distinct texts by verdict."""
    with visit.reading() as reader:
        return contents(reader)
