"""Results: the evaluation of the database as it stands, two systems, campaigns, verdicts, files."""

from collections.abc import Iterable
from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from assay.evaluation import By, Correction, Evaluation, Policy, Test
from assay.evaluation.document import ComparisonDocument, EvaluationDocument, YearsDocument
from assay.outputs import System
from assay.verdicts import Judged, Reason
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, Here, Limit, Name, Names, Offset, SuiteName, problems
from assay.workbench.people.roles import User
from assay.workbench.results.compare import SystemPair, compare_board, years_of_board
from assay.workbench.results.downloads import MEDIA, download
from assay.workbench.results.results import DRAWS, MOST_DRAWS, ResultOptions, evaluate_board
from assay.workbench.security import Me
from assay.workbench.snapshot import Snapshot
from assay.workbench.state import State
from assay.workbench.work.tags import acceptability, tag_counts

router = APIRouter(tags=["results"], responses=problems(401, 403, 404))


class VerdictLine(shapes.Shape):
    """A line of the verdict table: `match` is what the first rule matched, [start, end) of the normalised text."""

    item: str
    system: str
    campaign: str
    verdict: shapes.VerdictWord
    reason: Reason
    rule: str
    match: str
    start: int | None
    end: int | None
    category: str
    phenomenon: str
    source: str
    text: str


class Verdicts(shapes.Shape):
    signature: str
    total: shapes.Count
    verdicts: list[VerdictLine]


class Tagged(shapes.Shape):
    """How many outputs of a system in a category have a tag in a judgement that holds."""

    tag: str
    category: str
    system: System
    outputs: shapes.Count


class RatedSystem(shapes.Shape):
    """Mean acceptability of a system's outputs, and how many of them somebody rated."""

    system: System
    mean: float | None
    outputs: shapes.Count


class Tags(shapes.Shape):
    tags: list[Tagged]
    acceptability: list[RatedSystem]


def asked_for(
    campaign: Annotated[Names, Query(description="Campaigns; the newest where none is named, `*` for all")] = (),
    system: Annotated[Names, Query(description="Names of systems; all where none is named")] = (),
    policy: Policy = "fair",
    test: Annotated[Test | None, Query(description="ztest, and mcnemar for two systems, unless named")] = None,
    alpha: Annotated[float, Query(gt=0, lt=1)] = 0.05,
    correction: Correction = "none",
    draws: Annotated[int, Query(ge=1, le=MOST_DRAWS, description="For tests that draw; 10000 for a paper")] = DRAWS,
    seed: Annotated[int, Query(ge=0, le=shapes.LARGEST)] = 1,
    keep_all: Annotated[bool, Query(description="Keep systems that did not translate the suite")] = False,
    merge_identical: Annotated[bool, Query(description="One column for systems that wrote the very same")] = False,
) -> ResultOptions:
    """The choices of a request."""
    return ResultOptions(
        tuple(campaign),
        tuple(system),
        policy,
        test or "",
        alpha,
        correction,
        draws,
        seed,
        keep_all,
        merge_identical,
    )


Choices = Annotated[ResultOptions, Depends(asked_for)]
Label = Annotated[
    str, Query(min_length=1, max_length=500, description="A system; `NAME (CAMPAIGN)` where several campaigns have it")
]


@router.get(f"{SUITE}/results", summary="Accuracies")
def results(here: Here, user: Me, suite: SuiteName, asked: Choices, by: By = "both") -> EvaluationDocument:
    """The same JSON as `assay evaluate --format json` on exported files."""
    return evaluate_board(here.boards.get(suite), asked).to_dict(by)


@router.get(f"{SUITE}/comparison", summary="Two systems")
def comparison(
    here: Here, user: Me, suite: SuiteName, asked: Choices, first: Label, second: Label, by: By = "category"
) -> ComparisonDocument:
    """The same JSON as `assay compare --format json`; the choice of campaigns and systems has no effect here.

    Whoever reads this has seen who wrote the texts: what they judge afterwards is not blind.
    """
    board = here.boards.get(suite)
    found = compare_board(board, SystemPair(first, second), asked)
    items = {change.first.item.id for change in (*found.lost, *found.gained)}
    texts = (text_id for item in items for text_id in board.by_item[board.place(item)])
    here.desk.reveal(user, texts, "systems", "judgements")
    return found.to_dict(by)


@router.get(f"{SUITE}/years", summary="Campaigns beside each other")
def years(here: Here, user: Me, suite: SuiteName, asked: Choices, by: By = "category") -> YearsDocument:
    """The same JSON as `assay years --format json`; all campaigns where none is named."""
    return years_of_board(here.boards.get(suite), asked).to_dict(by)


@router.get(f"{SUITE}/tags", response_model=Tags, summary="Tags and acceptability")
def tags(here: Here, user: Me, suite: SuiteName, asked: Choices) -> Tags:
    """What judgements say beside their verdicts, by system; a text counts for every system that wrote it."""
    board = here.boards.get(suite)
    evaluation = evaluate_board(board, asked)
    systems = evaluation.systems
    found = tag_counts(board, evaluation)
    return Tags(
        tags=[
            Tagged(tag=tag, category=category, system=systems[place], outputs=number)
            for (tag, category, place), number in sorted(found.items())
        ],
        acceptability=[
            RatedSystem(system=system, mean=rated.mean, outputs=rated.outputs)
            for system, rated in zip(systems, acceptability(board, evaluation), strict=True)
        ],
    )


@router.get(f"{SUITE}/verdicts", response_model=Verdicts, summary="Every output with its verdict")
def verdicts(
    here: Here,
    user: Me,
    suite: SuiteName,
    asked: Choices,
    category: Name = None,
    phenomenon: Name = None,
    verdict: Annotated[str | None, Query(pattern="^(pass|fail|warning)$")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Verdicts:
    """Item by item. All at once: `GET …/download?file=verdicts.jsonl`.

    Whoever reads this has seen who wrote the texts: what they judge afterwards is not blind.
    """
    board = here.boards.get(suite)
    evaluation = evaluate_board(board, asked)
    lines = list(evaluation.verdicts(category=category, phenomenon=phenomenon, verdict=verdict))
    shown = list(islice(lines, offset, offset + limit))
    _reveal(here, user, board, evaluation, shown)
    found = [VerdictLine.model_validate(line.record()) for line in shown]
    return Verdicts(signature=evaluation.signature, total=len(lines), verdicts=found)


@router.get(
    f"{SUITE}/download",
    response_class=Response,
    summary="Results as a file",
    responses={
        200: {
            "description": "The file",
            "content": {media.partition(";")[0]: {"schema": {"format": "binary"}} for media in MEDIA.values()},
        }
    },
)
def file(
    here: Here,
    user: Me,
    suite: SuiteName,
    asked: Choices,
    file: Annotated[
        str,
        Query(max_length=100, description="Like `results.xlsx`, `verdicts.jsonl`, `report.html`, `judgements.tsv`"),
    ],
) -> Response:
    """What the results page offers for download. Whoever reads this has seen who wrote the texts."""
    board = here.boards.get(suite)
    made = download(board, asked, file)
    here.desk.reveal(user, board.texts, "systems", "judgements")
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
    return Response(made.content, media_type=made.media, headers=headers)


def _reveal(here: State, user: User, board: Snapshot, evaluation: Evaluation, lines: Iterable[Judged]) -> None:
    """Remember that this user has seen who wrote these texts, and how they were judged."""
    outputs = evaluation.table.outputs
    columns = {system: column for column, system in enumerate(outputs.systems)}
    places = evaluation.suite.positions
    codes = (int(outputs.codes[places[line.item.id], columns[line.system]]) for line in lines)
    here.desk.reveal(user, (board.code_texts[code] for code in codes if code >= 0), "systems", "judgements")
