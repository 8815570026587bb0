"""What operations of the API share: how they read a request, and how their errors look.

Characters that no database keeps (NUL, halves of surrogate pairs) are refused here, for every operation.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Annotated, Any, Final

from fastapi import Depends, HTTPException, Path, Query, Request, Response
from fastapi.security import HTTPBearer
from starlette.datastructures import UploadFile

from assay.workbench.admission.security import visitor
from assay.workbench.api.shapes import LARGEST, ErrorAnswer
from assay.workbench.people.roles import Role
from assay.workbench.results.downloads import DownloadFile
from assay.workbench.visit import Visit

_UNKEEPABLE: Final = re.compile("[\0\ud800-\udfff]")

WITH_BODY: Final = ("POST", "PUT", "PATCH")

_MEANING: Final = {
    400: "What was asked cannot be done; `detail` says why",
    401: "Nobody is logged in, or name and password are wrong",
    403: "The role does not allow this",
    404: "There is nothing of that name",
    409: "Somebody else was quicker; nothing was changed",
    413: "More was sent than the server takes",
    422: "A parameter or field is not as it should be",
    429: "Too many ask at once; `Retry-After` says how many seconds to wait",
    503: "Others are at it just now; try again in a moment",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Error answers of an operation, for its description."""
    return {status: {"model": ErrorAnswer, "description": _MEANING[status]} for status in statuses}


bearer: Final = HTTPBearer(
    auto_error=False,
    bearerFormat="token",
    description="The token that `POST /api/v1/session` answers with, or that `assay serve` prints.",
)
"""Only for the description: `workbench.security` reads the token."""


async def keepable(request: Request) -> None:
    """Refuse strings that no database keeps, wherever they stand in a request."""
    given: list[Any] = [*request.path_params.values(), *request.query_params.multi_items()]
    if request.method in WITH_BODY:
        given.append(await _body(request))
    if any(_UNKEEPABLE.search(text) for text in _strings(given)):
        raise HTTPException(422, "a text has a NUL or half of a surrogate pair in it; send Unicode characters only")


async def _body(request: Request) -> Any:
    """What was sent, as FastAPI has read it; None where it is broken and the operation takes nothing."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == "multipart/form-data":
            return (await request.form()).multi_items()
        return await request.json() if kind.endswith("json") and await request.body() else None
    except (ValueError, RecursionError):
        return None


def _strings(given: Any) -> Iterator[str]:
    """Every string in it, names of files included. No recursion: what is sent may be nested deeply."""
    waiting = [given]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            yield found
        elif isinstance(found, dict):
            waiting += [*found, *found.values()]
        elif isinstance(found, list | tuple):
            waiting += found
        elif isinstance(found, UploadFile):
            yield found.filename or ""


SUITE: Final = "/suites/{suite:path}"
"""Paths below a suite; its name may contain slashes."""

SuiteName = Annotated[str, Path(min_length=1, max_length=200, description="Name of a suite")]


def _suite_visitor(needed: Role | None = None) -> Callable[[Visit, str], Awaitable[Visit]]:
    """A dependency of what is below a suite: a visit to it."""

    # Two steps, so that a stranger is refused as such whatever name they send.
    async def visit(visit: Annotated[Visit, Depends(visitor(needed))], suite: SuiteName) -> Visit:
        return visit

    return visit


SuiteVisit = Annotated[Visit, Depends(_suite_visitor())]
AnnotatorSuiteVisit = Annotated[Visit, Depends(_suite_visitor("annotator"))]
AdjudicatorSuiteVisit = Annotated[Visit, Depends(_suite_visitor("adjudicator"))]
AdminSuiteVisit = Annotated[Visit, Depends(_suite_visitor("admin"))]

ItemId = Annotated[
    str, Query(alias="id", min_length=1, max_length=1000, description="Id of an item, like `idiom/pferde-stehlen`")
]
Name = Annotated[str | None, Query(max_length=200)]
Names = Annotated[Sequence[Annotated[str, Query(max_length=200)]], Query(max_length=200)]
Limit = Annotated[int, Query(ge=1, le=1000, description="How many at most")]
Offset = Annotated[int, Query(ge=0, le=LARGEST, description="How many to leave out from the start")]


def send(file: DownloadFile) -> Response:
    """A file to be saved."""
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(file.content, media_type=file.media, headers=headers)
