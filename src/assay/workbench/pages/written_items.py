"""Writing items and guidelines: their forms, what is wrong while one types, saving, taking out."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response

from assay.errors import BadOption
from assay.workbench.admission.client_watch import WATCHED
from assay.workbench.items.item_edits import (
    WrittenItem,
    blank_form,
    comments_of,
    item_form,
    lint_item,
    read_guideline,
    remove_item,
    save_guideline,
    save_item,
)
from assay.workbench.pages.render import link, render, suite_visitor
from assay.workbench.visit import Visit

router = APIRouter()

Annotator = Annotated[Visit, Depends(suite_visitor("annotator"))]
Words = Annotated[str, Form()]


async def written_item(
    item: Words = "",
    row: Words = "",
    source: Words = "",
    tests: Words = "",
    notes: Words = "",
    tags: Words = "",
    passing: Words = "",
    failing: Words = "",
    held_out: Annotated[bool, Form()] = False,
) -> WrittenItem:
    """The item of the form: `row` is its category and phenomenon, lists have a line each."""
    category, _, phenomenon = row.partition("\t")
    return WrittenItem(
        item.strip(),
        category,
        phenomenon,
        source.replace("\r\n", "\n").strip(),
        tests.strip(),
        notes.replace("\r\n", "\n").strip(),
        _distinct(tags.split(",")),
        _distinct(passing.splitlines()),
        _distinct(failing.splitlines()),
        held_out,
    )


def _distinct(parts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for part in parts if (text := part.strip())))


Written = Annotated[WrittenItem, Depends(written_item)]
Base = Annotated[int, Form(ge=0)]


@router.get("/items/new")
def new_item(request: Request, visit: Annotator, category: str = "", phenomenon: str = "") -> Response:
    with visit.reading() as reader:
        form = blank_form(reader, category, phenomenon)
    return render(request, "item_form.html", written=form.written, base=form.base, taxonomy=form.taxonomy)


@router.get("/items/edit")
def edit_item(request: Request, visit: Annotator, item: str) -> Response:
    with visit.reading() as reader:
        form = item_form(reader, item)
    return render(request, "item_form.html", written=form.written, base=form.base, taxonomy=form.taxonomy)


@router.post("/items/lint", dependencies=WATCHED)
def lint(request: Request, visit: Annotator, written: Written, base: Base = 0) -> Response:
    return render(request, "part/item_lint.html", found=lint_item(visit, written, is_new=not base))


@router.post("/items/write", dependencies=WATCHED)
def write(request: Request, visit: Annotator, written: Written, base: Base = 0, comment: Words = "") -> Response:
    save_item(visit, written, base=base, comment=comment.strip()[:500])
    return _go(request, f"/item/{written.id}")


@router.post("/items/remove")
def remove(request: Request, visit: Annotator, item: Words, base: Base, comment: Words = "") -> Response:
    if not base:
        raise BadOption("an item that was not saved cannot be removed")
    remove_item(visit, item, base=base, comment=comment.strip()[:500])
    return _go(request, "/history")


@router.get("/guideline")
def guideline(request: Request, visit: Annotator, category: str, phenomenon: str) -> Response:
    with visit.reading() as reader:
        found = read_guideline(reader, category, phenomenon)
    return render(request, "guideline.html", found=found)


@router.get("/guideline/comments")
def guideline_comments(
    request: Request, visit: Annotator, category: str, phenomenon: str, shown: bool = False
) -> Response:
    """What was said of texts of the phenomenon, to take into the guideline."""
    with visit.reading() as reader:
        found = comments_of(reader, category, phenomenon)
        reader.ask_first(shown=shown)
    return render(request, "part/guideline_comments.html", comments=found)


@router.post("/guideline")
def write_guideline(
    request: Request, visit: Annotator, category: str, phenomenon: str, text: Words = "", base: Words = ""
) -> Response:
    save_guideline(visit, category, phenomenon, text, base=base)
    return _go(request, "/guideline", category=category, phenomenon=phenomenon)


def _go(request: Request, path: str, **query: str) -> Response:
    """Have the browser open another page."""
    return Response(headers={"HX-Redirect": link(path, suite=request.state.suite, **query)})
