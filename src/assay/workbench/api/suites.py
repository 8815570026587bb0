"""Suites: what there is, how far it is, what annotators are asked."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, SuiteName, problems
from assay.workbench.queue.questions import ask, asked_questions
from assay.workbench.security import AdminVisit, AnyVisit
from assay.workbench.work.overview import SuiteProgress, contents, overview

router = APIRouter(tags=["suites"], responses=problems(401, 403))
last = APIRouter(tags=["suites"], responses=problems(401, 403, 404))
"""Matches any path below /suites, and so comes behind all others."""


class SuiteSummary(shapes.Shape):
    """A suite: its campaigns, with how many systems each has; `waiting`, `judged` and `disputed` count texts."""

    name: str
    langpair: str
    revision: int
    items: shapes.Count
    campaigns: dict[str, int]
    texts: shapes.Count
    waiting: shapes.Count
    judged: shapes.Count
    disputed: shapes.Count


class Phenomenon(shapes.Shape):
    name: str
    description: str
    items: shapes.Count
    texts: shapes.Counts


class Category(shapes.Shape):
    name: str
    phenomena: list[Phenomenon]


class Questions(shapes.Shape):
    """What annotators are asked beside the verdict.

    `acceptability` is the top of a scale that starts at 1, null where nobody is asked. `tags` are all that a judgement
    may have, with what they mean.
    """

    acceptability: int | None
    tags: dict[str, str]


class NewQuestions(shapes.RequestBody):
    """`tags` are the suite's own, name to description; those that every suite has are not named."""

    acceptability: Annotated[int, Field(ge=2, le=7)] | None = None
    tags: dict[shapes.Short, Annotated[str, Field(max_length=500)]] = Field(default={}, max_length=100)


class SuiteDetail(shapes.Shape):
    """A suite as it stands, in the order in which reports show its categories."""

    name: str
    langpair: str
    revision: int
    version: str
    licence: str
    authors: list[str]
    description: str
    hash: str
    items: shapes.Count
    texts: shapes.Counts
    campaigns: list[str]
    taxonomy: list[Category]
    questions: Questions


@router.get("/suites", response_model=list[SuiteSummary], summary="All suites")
def suites(visit: AnyVisit) -> list[SuiteSummary]:
    """The suites of the database and how far each is."""
    with visit.entering() as (db, _):
        return [_summary(found) for found in overview(db, visit.state.snapshots)]


@router.put(
    f"{SUITE}/questions", response_model=Questions, summary="What annotators are asked", responses=problems(404)
)
def set_questions(visit: AdminVisit, suite: SuiteName, given: NewQuestions) -> Questions:
    """Set the scale of acceptability and the suite's own tags; what is not named is not asked."""
    scale_ = "" if given.acceptability is None else str(given.acceptability)
    tags = "\n".join(f"{name}: {' '.join(description.split())}" for name, description in given.tags.items())
    ask(visit.state.store, visit.user(), suite, acceptability=scale_, tags=tags)
    with visit.reading(suite) as reader:
        return Questions.model_validate(asked_questions(reader))


@last.get(SUITE, response_model=SuiteDetail, summary="A suite")
def suite(visit: AnyVisit, suite: SuiteName) -> SuiteDetail:
    """Taxonomy, questions, and distinct texts by verdict."""
    with visit.reading(suite) as reader:
        counted, questions = contents(reader), asked_questions(reader)
    found = counted.suite
    return SuiteDetail(
        name=found.name,
        langpair=found.langpair,
        revision=counted.revision,
        version=found.version,
        licence=found.licence,
        authors=list(found.authors),
        description=found.description,
        hash=found.hash,
        items=counted.items,
        texts=shapes.Counts.of(counted.texts),
        campaigns=list(counted.campaigns),
        taxonomy=[
            Category(
                name=category,
                phenomena=[
                    Phenomenon(
                        name=name,
                        description=description,
                        items=counted.phenomena[category, name].items,
                        texts=shapes.Counts.of(counted.phenomena[category, name].texts),
                    )
                    for name, description in names.items()
                ],
            )
            for category, names in found.taxonomy.items()
        ],
        questions=Questions.model_validate(questions),
    )


def _summary(found: SuiteProgress) -> SuiteSummary:
    entry = found.entry
    return SuiteSummary(
        name=entry.name,
        langpair=entry.langpair,
        revision=entry.revision,
        items=entry.items,
        campaigns=found.campaigns,
        texts=found.texts,
        waiting=found.waiting,
        judged=found.judged,
        disputed=found.disputed,
    )
