"""Results: the evaluation of the database as it stands, two systems, campaigns, verdicts, files."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from assay.evaluation import By, Correction, Policy, Test, Units
from assay.evaluation.document import ComparisonDocument, EvaluationDocument, YearsDocument
from assay.verdicts import Reason
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, Limit, Name, Names, Offset, SuiteVisit, problems, send
from assay.workbench.results.compare import SystemPair, compare_years, show_comparison
from assay.workbench.results.downloads import MEDIA, download
from assay.workbench.results.results import (
    DRAWS,
    MOST_DRAWS,
    ResultOptions,
    TagCounts,
    TaggedOutputs,
    count_tags,
    evaluation_of,
    show_verdicts,
)
from assay.workbench.work.tags import RatedSystem

router = APIRouter(tags=["results"], responses=problems(401, 403, 404))
shapes.answered(RatedSystem, TagCounts, TaggedOutputs)


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


async def asked_for(
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
    units: Annotated[Units | None, Query(description="One observation in tests: group where there are any")] = None,
) -> ResultOptions:
    """The choices of a request."""
    chosen = tuple(campaign), tuple(system)
    return ResultOptions(*chosen, policy, test or "", alpha, correction, draws, seed, keep_all, merge_identical, units)


Choices = Annotated[ResultOptions, Depends(asked_for)]
Label = Annotated[
    str, Query(min_length=1, max_length=500, description="A system; `NAME (CAMPAIGN)` where several campaigns have it")
]


@router.get(f"{SUITE}/results", summary="Accuracies")
def results(visit: SuiteVisit, asked: Choices, by: By = "both") -> EvaluationDocument:
    """The same JSON as `assay evaluate --format json` on exported files."""
    with visit.reading() as reader:
        return evaluation_of(reader, asked).to_dict(by)


@router.get(f"{SUITE}/comparison", summary="Two systems")
def comparison(
    visit: SuiteVisit, asked: Choices, first: Label, second: Label, by: By = "category"
) -> ComparisonDocument:
    """The same JSON as `assay compare --format json`; the choice of campaigns and systems has no effect here.

    Whoever reads this has seen who wrote the texts: what they judge afterwards is not blind.
    """
    with visit.reading() as reader:
        return show_comparison(reader, SystemPair(first, second), asked).to_dict(by)


@router.get(f"{SUITE}/years", summary="Campaigns beside each other")
def years(visit: SuiteVisit, asked: Choices, by: By = "category") -> YearsDocument:
    """The same JSON as `assay years --format json`; all campaigns where none is named."""
    with visit.reading() as reader:
        return compare_years(reader, asked).to_dict(by)


@router.get(f"{SUITE}/tags", summary="Tags and acceptability")
def tags(visit: SuiteVisit, asked: Choices) -> TagCounts:
    """What judgements say beside their verdicts, by system; a text counts for every system that wrote it."""
    with visit.reading() as reader:
        return count_tags(reader, asked)


@router.get(f"{SUITE}/verdicts", summary="Every output with its verdict")
def verdicts(
    visit: SuiteVisit,
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
    with visit.reading() as reader:
        found = show_verdicts(
            reader, asked, category=category, phenomenon=phenomenon, verdict=verdict, start=offset, number=limit
        )
    lines = [VerdictLine.model_validate(line.record()) for line in found.lines]
    return Verdicts(signature=found.signature, total=found.total, verdicts=lines)


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
    visit: SuiteVisit,
    asked: Choices,
    file: Annotated[
        str,
        Query(max_length=100, description="Like `results.xlsx`, `verdicts.jsonl`, `report.html`, `judgements.tsv`"),
    ],
) -> Response:
    """What the results page offers for download. Whoever reads this has seen who wrote the texts."""
    with visit.reading() as reader:
        return send(download(reader, asked, file))
