"""Files: what is in the database, uploads, and what annotators are asked beside the verdict."""

from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Query, Request, Response, UploadFile

from assay.workbench.db.suites import suite_names
from assay.workbench.files.inventory import inventory
from assay.workbench.files.uploads import Upload, UploadReport, upload_outputs, upload_suite
from assay.workbench.pages.render import ChosenSuite, chosen_suite, render
from assay.workbench.queue.questions import SCALES, ask
from assay.workbench.security import Admin, Me
from assay.workbench.state import State

router = APIRouter()

Files = Annotated[list[UploadFile], File()]


def any_suite(
    request: Request, suite: Annotated[str | None, Query(description="Name of a suite")] = None
) -> str | None:
    """The suite that a page is about, or None where the database has none yet."""
    state: State = request.app.state.assay
    with state.store.reading() as db:
        known = suite_names(db)
    return chosen_suite(request, suite) if known else None


AnySuite = Annotated[str | None, Depends(any_suite)]


@router.get("/files")
def files_page(request: Request, user: Me, suite: AnySuite) -> Response:
    state: State = request.app.state.assay
    found = inventory(state.store, state.boards, suite)
    return render(
        request,
        "files.html",
        inventory=found,
        scales=SCALES,
        may=user.may("admin"),
        most=state.max_upload // 1024**2,
    )


@router.post("/files/suite")
def send_suite(request: Request, user: Admin, files: Files, force: Annotated[bool, Form()] = False) -> Response:
    state: State = request.app.state.assay
    report = upload_suite(state.store, state.boards, user, _uploads(files), force=force)
    return _report(request, report)


@router.post("/files/outputs")
def send_outputs(
    request: Request,
    user: Admin,
    suite: ChosenSuite,
    files: Files,
    source: Annotated[UploadFile | None, File()] = None,
    campaign: Annotated[str, Form(max_length=200)] = "",
    force: Annotated[bool, Form()] = False,
) -> Response:
    state: State = request.app.state.assay
    sources = _uploads([source]) if source else []
    report = upload_outputs(
        state.store,
        state.boards,
        user,
        suite,
        _uploads(files),
        source=sources[0] if sources else None,
        campaign=campaign,
        force=force,
    )
    return _report(request, report)


@router.post("/files/questions")
def set_questions(
    request: Request,
    user: Admin,
    suite: ChosenSuite,
    acceptability: Annotated[str, Form()] = "",
    tags: Annotated[str, Form(max_length=50_000)] = "",
) -> Response:
    state: State = request.app.state.assay
    ask(state.store, user, suite, acceptability=acceptability, tags=tags)
    return render(request, "part/files_asked.html")


def _uploads(files: list[UploadFile]) -> list[Upload]:
    """The files that were chosen; a browser sends an empty one where none was."""
    return [Upload(file.filename, file.file) for file in files if file.filename]


def _report(request: Request, report: UploadReport) -> Response:
    """What an upload did, and the list of files anew."""
    state: State = request.app.state.assay
    found = inventory(state.store, state.boards, report.imported.suite)
    return render(request, "part/files_report.html", report=report, inventory=found)
