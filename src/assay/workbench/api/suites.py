"""Suites: what there is, how far it is, what annotators are asked."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, Here, SuiteName, problems
from assay.workbench.queue.desk import known_tags, scale
from assay.workbench.queue.questions import ask
from assay.workbench.security import Admin, Me
from assay.workbench.snapshot import Snapshot
from assay.workbench.work.overview import SuiteProgress, overview

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

    @classmethod
    def of(cls, board: Snapshot) -> "Questions":
        return cls(acceptability=scale(board), tags=known_tags(board))


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
def suites(here: Here, user: Me) -> list[SuiteSummary]:
    """The suites of the database and how far each is."""
    return [_summary(found) for found in overview(here.store, here.boards)]


@router.put(
    f"{SUITE}/questions", response_model=Questions, summary="What annotators are asked", responses=problems(404)
)
def set_questions(here: Here, user: Admin, suite: SuiteName, given: NewQuestions) -> Questions:
    """Set the scale of acceptability and the suite's own tags; what is not named is not asked."""
    scale_ = "" if given.acceptability is None else str(given.acceptability)
    tags = "\n".join(f"{name}: {' '.join(description.split())}" for name, description in given.tags.items())
    ask(here.store, user, suite, acceptability=scale_, tags=tags)
    return Questions.of(here.boards.get(suite))


@last.get(SUITE, response_model=SuiteDetail, summary="A suite")
def suite(here: Here, user: Me, suite: SuiteName) -> SuiteDetail:
    """Taxonomy, questions, and distinct texts by verdict."""
    board = here.boards.get(suite)
    found = board.stored.suite
    texts: Mapping[tuple[str, str], list[Any]] = {names: [] for names in found.phenomena}
    items = dict.fromkeys(found.phenomena, 0)
    for place, item in enumerate(board.items):
        names = (item.category, item.phenomenon)
        items[names] += 1
        texts[names].extend(board.texts[text_id] for text_id in board.by_item[place])
    return SuiteDetail(
        name=found.name,
        langpair=found.langpair,
        revision=board.stored.revision,
        version=found.version,
        licence=found.licence,
        authors=list(found.authors),
        description=found.description,
        hash=board.suite.hash,
        items=len(board.items),
        texts=shapes.Counts.of(board.texts.values()),
        campaigns=board.campaigns,
        taxonomy=[
            Category(
                name=category,
                phenomena=[
                    Phenomenon(
                        name=name,
                        description=description,
                        items=items[category, name],
                        texts=shapes.Counts.of(texts[category, name]),
                    )
                    for name, description in names.items()
                ],
            )
            for category, names in found.taxonomy.items()
        ],
        questions=Questions.of(board),
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
