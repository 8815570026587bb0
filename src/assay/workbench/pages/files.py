"""Files: what is in the database, uploads, and what annotators are asked beside the verdict."""

from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Request, Response, UploadFile

from assay.workbench.admission.client_watch import WATCHED
from assay.workbench.admission.security import AdminVisit
from assay.workbench.files.archives import Upload
from assay.workbench.files.inventory import inventory
from assay.workbench.files.uploads import UploadReport, upload_outputs, upload_suite
from assay.workbench.pages.render import AnySuiteVisit, render, suite_visitor
from assay.workbench.queue.questions import SCALES, ask
from assay.workbench.visit import Visit

router = APIRouter()

Files = Annotated[list[UploadFile], File()]
AdminSuiteVisit = Annotated[Visit, Depends(suite_visitor("admin"))]


@router.get("/files")
def files_page(request: Request, visit: AnySuiteVisit) -> Response:
    state = visit.state
    with visit.entering() as (db, _):
        found = inventory(db, state.snapshots, visit.suite() or None)
    return render(request, "files.html", inventory=found, scales=SCALES, most=state.max_upload // 1024**2)


@router.post("/files/suite", dependencies=WATCHED)
def send_suite(request: Request, visit: AdminVisit, files: Files, force: Annotated[bool, Form()] = False) -> Response:
    report = upload_suite(visit, _uploads(files), force=force)
    return _report(request, visit, report)


@router.post("/files/outputs", dependencies=WATCHED)
def send_outputs(
    request: Request,
    visit: AdminSuiteVisit,
    files: Files,
    source: Annotated[UploadFile | None, File()] = None,
    campaign: Annotated[str, Form(max_length=200)] = "",
    force: Annotated[bool, Form()] = False,
) -> Response:
    sources = _uploads([source]) if source else []
    report = upload_outputs(
        visit, _uploads(files), source=sources[0] if sources else None, campaign=campaign, force=force
    )
    return _report(request, visit, report)


@router.post("/files/questions")
def set_questions(
    request: Request,
    visit: AdminSuiteVisit,
    acceptability: Annotated[str, Form()] = "",
    tags: Annotated[str, Form(max_length=50_000)] = "",
) -> Response:
    ask(visit.state.store, visit.user(), visit.suite(), acceptability=acceptability, tags=tags)
    return render(request, "part/files_asked.html")


def _uploads(files: list[UploadFile]) -> list[Upload]:
    """The files that were chosen; a browser sends an empty one where none was."""
    return [Upload(file.filename, file.file) for file in files if file.filename]


def _report(request: Request, visit: Visit, report: UploadReport) -> Response:
    """What an upload did, and the list of files anew."""
    with visit.entering() as (db, _):
        found = inventory(db, visit.state.snapshots, report.imported.suite)
    return render(request, "part/files_report.html", report=report, inventory=found)
