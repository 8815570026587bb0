"""The queue: what one decision settles at a time, made for the keyboard."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from pydantic import BaseModel, Field

from assay.suites import Polarity
from assay.workbench.api.shapes import LARGEST
from assay.workbench.files.history_records import SEEN
from assay.workbench.pages.render import render, suite_visitor
from assay.workbench.pages.sent_values import from_form, from_query
from assay.workbench.queue.filters import NO_FILTERS, Filters
from assay.workbench.queue.queue_page import Draft, QueuePage, QueueSession
from assay.workbench.visit import Visit

router = APIRouter()

LONGEST_LIST = 20_000
"""Characters in which a row names its texts."""

TextId = Annotated[int, Form(alias="text")]


class AskedFilters(BaseModel):
    """The filters of an address; `again`: texts that others judged, `sample`: in the order of the draw."""

    category: str = ""
    phenomenon: str = ""
    system: str = ""
    campaign: str = ""
    reason: str = ""
    again: bool = False
    sample: bool = False
    triage: bool = False
    words: Annotated[str, Field(max_length=200)] = ""
    length: str = ""
    doubt: bool = False
    tier: str = ""
    suggestion: str = ""


async def chosen_filters(request: Request) -> Filters:
    """The filters of the address; empty ones filter nothing."""
    if request.query_params.keys() <= {"suite"}:
        return NO_FILTERS
    asked = from_query(AskedFilters, request)
    asked.words = asked.words.strip()
    chosen: dict[str, Any] = {name: None if value == "" else value for name, value in asked}
    return Filters(**chosen)


async def session(
    visit: Annotated[Visit, Depends(suite_visitor("annotator"))], filters: Annotated[Filters, Depends(chosen_filters)]
) -> QueueSession:
    return QueueSession(visit, filters)


class SentDraft(BaseModel):
    """What stands in the form beside the verdict."""

    comment: str = ""
    acceptability: str = ""
    tag: list[str] = []

    @property
    def draft(self) -> Draft:
        said = self.acceptability
        value = int(said) if said.isdecimal() and len(said) < 4 else None
        return Draft(self.comment.strip(), value, tuple(self.tag))


class SentRow(SentDraft):
    """A row and its verdict: its first text, and in `row` what is judged with it."""

    text: int
    verdict: Literal["pass", "fail", "skip"]
    known: int = 0
    seen: list[str] = []
    row: Annotated[str, Field(max_length=LONGEST_LIST)] = ""


class SentRows(SentDraft):
    """All rows that are left of a card, and their verdict."""

    verdict: Polarity
    rows: Annotated[list[str], Field(max_length=1000)]
    known: int = 0


async def written(request: Request) -> Draft:
    return (await from_form(SentDraft, request)).draft


async def sent_row(request: Request) -> SentRow:
    return await from_form(SentRow, request)


async def sent_rows(request: Request) -> SentRows:
    return await from_form(SentRows, request)


Here = Annotated[QueueSession, Depends(session)]
Written = Annotated[Draft, Depends(written)]


@router.get("/queue")
def queue(request: Request, here: Here) -> Response:
    return render(request, "queue.html", page=here.open(), keys_open=False, part=False)


@router.get("/queue/filters")
def filters(request: Request, here: Here) -> Response:
    """What the queue can be narrowed to, when somebody opens the filters."""
    return render(request, "part/queue_filters.html", choices=here.choices(), filters=here.filters)


@router.get("/queue/opinion")
def opinion(request: Request, here: Here, text: Annotated[int, Query(ge=0, le=LARGEST)]) -> Response:
    """What the suggester says of the text on the screen; nothing changes there while it is being asked."""
    found = here.opinion(text)
    if found and found.state == "waiting":
        return Response(status_code=204)
    return render(request, "part/queue_opinion.html", opinion=found)


@router.post("/queue/judge")
def judge(request: Request, here: Here, sent: Annotated[SentRow, Depends(sent_row)]) -> Response:
    """One row: its first text, and what is judged with it."""
    said: Polarity | None = sent.verdict if sent.verdict != "skip" else None
    seen = tuple(name for name in SEEN if name in sent.seen)
    texts = _ids(sent.row) or [sent.text]
    return _part(request, here.judge_rows([texts], said, draft=sent.draft, seen=seen, known=sent.known))


@router.post("/queue/rows")
def judge_rows(request: Request, here: Here, sent: Annotated[SentRows, Depends(sent_rows)]) -> Response:
    """All rows that are left of a card."""
    rows = [_ids(row) for row in sent.rows]
    return _part(request, here.judge_rows(rows, sent.verdict, draft=sent.draft, seen=(), known=sent.known))


@router.post("/queue/list")
def judge_list(
    request: Request,
    here: Here,
    verdict: Annotated[Literal["twin", "pass", "fail"], Form()],
    listed: Annotated[list[int] | None, Form(max_length=1000)] = None,
    out: Annotated[list[int] | None, Form(max_length=1000)] = None,
    known: Annotated[int, Form()] = 0,
) -> Response:
    """A list: each text as its twin, or all with one verdict; those taken out come by themselves."""
    said: Polarity | None = None if verdict == "twin" else verdict
    texts = [text_id for text_id in listed or () if text_id not in (out or ())]
    return _part(request, here.judge_list(texts, said, out=out or (), known=known))


@router.post("/queue/split")
def split(request: Request, here: Here, out: Annotated[list[int], Form(max_length=1000)]) -> Response:
    """Take the other spellings out of a row: each is then judged by itself."""
    return _part(request, here.split(out))


@router.post("/queue/question")
def question(
    request: Request,
    here: Here,
    precedent: Annotated[int, Form()],
    text: TextId,
    draft: Written,
) -> Response:
    """Doubt a precedent; what stands in the comment goes along."""
    return _part(request, here.question(precedent, draft.comment, about=text, draft=draft))


@router.post("/queue/undo-one")
def undo_one(request: Request, here: Here, one: Annotated[int, Form()]) -> Response:
    return _part(request, here.undo_one(one))


@router.post("/queue/draw")
def draw(request: Request, here: Here) -> Response:
    return _part(request, here.draw())


@router.post("/queue/undo")
def undo(request: Request, here: Here) -> Response:
    return _part(request, here.undo())


@router.post("/queue/later")
def later(request: Request, here: Here, text: TextId, lists: Annotated[bool, Form()] = False) -> Response:
    return _part(request, here.leave_phenomenon(text, lists=lists))


@router.post("/queue/back")
def back(request: Request, here: Here, text: TextId = 0) -> Response:
    return _part(request, here.bring_back(text))


@router.post("/queue/show/{what}")
def show(
    request: Request, here: Here, what: str, draft: Written, on: Annotated[bool, Form()], text: TextId = 0
) -> Response:
    return _part(request, here.switch(what, on=on, text_id=text, draft=draft))


@router.post("/queue/keys")
def keys(
    request: Request,
    here: Here,
    draft: Written,
    action: Annotated[list[str], Form()],
    key: Annotated[list[str], Form()],
    text: TextId = 0,
) -> Response:
    chosen = dict(zip(action, key, strict=False))
    return _part(request, here.set_keys(chosen, text_id=text, draft=draft), keys_open=True)


@router.post("/queue/keys/reset")
def keys_reset(request: Request, here: Here, draft: Written, text: TextId = 0) -> Response:
    return _part(request, here.set_keys(None, text_id=text, draft=draft), keys_open=True)


def _ids(row: str) -> list[int]:
    """The texts of a row, as the page has them: `17+18`."""
    return [int(part) for part in row.split("+") if part.isdecimal() and len(part) < 11]


def _part(request: Request, page: QueuePage, *, keys_open: bool = False) -> Response:
    return render(request, "part/queue_work.html", page=page, keys_open=keys_open, part=True)
