"""Items: the list, and the page of one with its rules, texts, versions and history."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request, Response

from assay.errors import BadOption
from assay.suites import Polarity
from assay.workbench.admission.client_watch import WATCHED
from assay.workbench.items.item_list import ItemQuery, list_items
from assay.workbench.items.item_page import EditConflict, Inspection, ItemPage, sum_up
from assay.workbench.items.rule_rows import Typed
from assay.workbench.pages.queue import Written, chosen_filters
from assay.workbench.pages.render import SuiteVisit, render, suite_visitor
from assay.workbench.queue.filters import Filters
from assay.workbench.visit import Visit

router = APIRouter()


async def inspection(visit: SuiteVisit, item: str, shown: bool = False) -> Inspection:
    """Somebody at the item that the address names; what is asked beside the page itself has it in the query."""
    return Inspection(visit, item, shown)


async def trial(
    visit: Annotated[Visit, Depends(suite_visitor("annotator"))], item: str, shown: bool = False
) -> Inspection:
    """Somebody who tries rules at an item. That takes the server's time, and is for those who may save them."""
    return Inspection(visit, item, shown)


async def typed_rules(
    row: Annotated[list[str] | None, Form()] = None,
    polarity: Annotated[list[str] | None, Form()] = None,
    kind: Annotated[list[str] | None, Form()] = None,
    value: Annotated[list[str] | None, Form()] = None,
    flags: Annotated[list[str] | None, Form()] = None,
    note: Annotated[list[str] | None, Form()] = None,
    scope: Annotated[list[str] | None, Form()] = None,
) -> list[Typed]:
    """The rules of the editor, in their order."""
    # A page that was opened before scopes were there has none.
    scopes = scope if scope is not None else [""] * len(row or ())
    columns = [found or [] for found in (row, polarity, kind, value, flags, note, scopes)]
    if len({len(found) for found in columns}) > 1:
        raise BadOption("the rules are not whole; each has row, polarity, kind, value, flags, note and scope")
    rows = [Typed(*cells) for cells in zip(*columns, strict=True)]
    return [replace(typed, value=typed.value.replace("\r\n", "\n")) for typed in rows]


Here = Annotated[Inspection, Depends(inspection)]
Trial = Annotated[Inspection, Depends(trial)]
Rules = Annotated[list[Typed], Depends(typed_rules)]
Back = Annotated[Filters, Depends(chosen_filters)]


@router.get("/items")
def items(
    request: Request,
    visit: SuiteVisit,
    q: Annotated[str, Query(max_length=200)] = "",
    category: str = "",
    phenomenon: str = "",
    waiting: bool = False,
    page: int = 1,
) -> Response:
    with visit.reading() as reader:
        found = list_items(reader, ItemQuery(q, category or None, phenomenon or None, waiting, page))
    return render(request, "items.html", found=found)


@router.get("/item/{item:path}")
def item_page(request: Request, here: Here, back: Back) -> Response:
    return render(request, "item.html", page=here.open(), back=back)


@router.get("/items/history")
def history(request: Request, here: Here) -> Response:
    return render(request, "part/item_history.html", deeds=here.history())


@router.get("/items/versions", dependencies=WATCHED)
def versions(request: Request, here: Here, old: int, new: int) -> Response:
    return render(request, "part/item_compare.html", found=here.compare(old, new))


@router.post("/items/preview", dependencies=WATCHED)
def preview(request: Request, here: Trial, rules: Rules) -> Response:
    return render(request, "part/item_preview.html", preview=here.preview(rules), item=here.item)


@router.post("/items/siblings", dependencies=WATCHED)
def siblings(request: Request, here: Trial, rules: Rules) -> Response:
    found = here.siblings(rules)
    total = sum_up([sibling.foresight for sibling in found])
    return render(request, "part/item_siblings.html", siblings=found, total=total)


@router.post("/items/propose", dependencies=WATCHED)
def propose(request: Request, here: Trial, tick: Annotated[list[str] | None, Form()] = None) -> Response:
    return render(request, "part/item_proposals.html", proposals=here.propose(tick or []))


@router.post("/items/save", dependencies=WATCHED)
def save(
    request: Request,
    here: Here,
    rules: Rules,
    back: Back,
    base: Annotated[int, Form()],
    comment: Annotated[str, Form()] = "",
    sibling: Annotated[list[str] | None, Form()] = None,
) -> Response:
    found = here.save(rules, base=base, comment=comment, also=sibling or [])
    if isinstance(found, EditConflict):
        response = render(request, "part/item_conflict.html", conflict=found)
        response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "#conflict", "innerHTML"
        return response
    return render(request, "part/item_body.html", page=found, back=back)


@router.post("/items/restore", dependencies=WATCHED)
def restore(request: Request, here: Here, back: Back, version: Annotated[int, Form()]) -> Response:
    return render(request, "part/item_body.html", page=here.restore(version), back=back)


@router.post("/items/judge")
def judge(
    request: Request,
    here: Here,
    text: Annotated[int, Form()],
    verdict: Annotated[Polarity, Form()],
    draft: Written,
    known: Annotated[int, Form()] = 0,
) -> Response:
    return _texts(request, here.judge(text, verdict, known=known, draft=draft))


@router.post("/items/withdraw")
def withdraw(request: Request, here: Here, text: Annotated[int, Form()]) -> Response:
    return _texts(request, here.withdraw(text))


def _texts(request: Request, page: ItemPage) -> Response:
    """The texts anew; the editor then looks again at what its rules would do."""
    response = render(request, "part/item_texts.html", page=page)
    response.headers["HX-Trigger-After-Settle"] = "look"
    return response
