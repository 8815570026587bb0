"""Files: what is in the database, uploads, downloads, what is hidden, what annotators are asked beside the verdict."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, File, Form, Request, Response, UploadFile

from assay.text import plural
from assay.workbench.admission.client_watch import WATCHED
from assay.workbench.admission.security import AdminVisit
from assay.workbench.api.request import send
from assay.workbench.files.archives import Upload
from assay.workbench.files.bundled_suites import load_bundled, offered
from assay.workbench.files.hidden import Whole, bring_back, delete_for_good, hide
from assay.workbench.files.inventory import inventory
from assay.workbench.files.sent_files import ReadFiles
from assay.workbench.files.uploads import read_outputs, read_suite, save_upload, show_upload
from assay.workbench.files.zip_files import zip_export, zip_suite
from assay.workbench.pages.render import AnySuiteVisit, SuiteVisit, link, render, suite_visitor
from assay.workbench.queue.questions import SCALES, ask
from assay.workbench.visit import Visit

router = APIRouter()

Files = Annotated[list[UploadFile], File()]
AdminSuiteVisit = Annotated[Visit, Depends(suite_visitor("admin"))]


@router.get("/files")
def files_page(request: Request, visit: AnySuiteVisit) -> Response:
    state = visit.state
    with visit.entering() as (db, _):
        found, more = inventory(db, state.snapshots, visit.suite() or None), offered(db)
    most = state.max_upload // 1024**2
    return render(request, "files.html", inventory=found, bundled=more, scales=SCALES, most=most)


# Uploads, in two steps


@router.post("/files/suite", dependencies=WATCHED)
def send_suite(request: Request, visit: AdminVisit, files: Files, force: Annotated[bool, Form()] = False) -> Response:
    return _preview(request, visit, read_suite(visit, _uploads(files)), force=force)


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
    read = read_outputs(visit, _uploads(files), source=sources[0] if sources else None, campaign=campaign)
    return _preview(request, visit, read, force=force)


def _preview(request: Request, visit: Visit, read: ReadFiles, *, force: bool) -> Response:
    shown, key = show_upload(visit, read, force=force)
    return render(request, "part/files_preview.html", shown=shown, key=key)


@router.post("/files/save")
def save(request: Request, visit: AdminVisit, key: Annotated[str, Form(max_length=100)]) -> Response:
    """Save what was shown, and the list of files anew."""
    report = save_upload(visit, key)
    with visit.entering() as (db, _):
        found = inventory(db, visit.state.snapshots, report.imported.suite)
    return render(request, "part/files_report.html", report=report, inventory=found)


@router.post("/files/cancel")
def cancel(request: Request, visit: AdminVisit) -> Response:
    visit.state.pending.drop(visit.user())
    return render(request, "part/files_cancelled.html")


@router.post("/files/bundled")
def bundled(
    request: Request,
    visit: AdminVisit,
    key: Annotated[str, Form(max_length=100)],
    outputs: Annotated[bool, Form()] = False,
) -> Response:
    """A suite that comes with Assay, and on to it."""
    imported = load_bundled(visit, key, with_outputs=outputs)
    target = link("/queue" if outputs else "/items", suite=imported.suite)
    return Response(status_code=204, headers={"HX-Redirect": target})


def _uploads(files: list[UploadFile]) -> list[Upload]:
    """The files that were chosen; a browser sends an empty one where none was."""
    return [Upload(file.filename, file.file) for file in files if file.filename]


# What is hidden


async def whole(
    suite: Annotated[str, Form(max_length=200)],
    what: Annotated[Literal["suite", "campaign", "system"], Form()],
    campaign: Annotated[str, Form(max_length=200)] = "",
    system: Annotated[str, Form(max_length=200)] = "",
) -> Whole:
    """What is to be hidden, brought back or deleted. No campaign is one too, so `what` has to say what is meant."""
    return Whole(suite, campaign if what != "suite" else None, system if what == "system" else None)


Target = Annotated[Whole, Depends(whole)]


@router.post("/files/hide")
def hide_(request: Request, visit: AdminVisit, target: Target) -> Response:
    number = hide(visit.state.store, visit.user(), target)
    return _turned(request, visit, target, f"{_what(target, number)} hidden. It counts nowhere.", undo="back")


@router.post("/files/back")
def back(request: Request, visit: AdminVisit, target: Target) -> Response:
    number = bring_back(visit.state.store, visit.user(), target)
    return _turned(request, visit, target, f"{_what(target, number)} brought back.", undo="hide")


@router.post("/files/delete")
def delete(
    request: Request, visit: AdminVisit, target: Target, typed: Annotated[str, Form(max_length=200)] = ""
) -> Response:
    number = delete_for_good(visit.state.store, visit.user(), target, typed)
    return _turned(request, visit, target, f"{_what(target, number)} deleted for good.")


def _what(target: Whole, number: int) -> str:
    return f"{target}: {plural(number, 'system')}" if number > 1 else f"{target}:"


def _turned(request: Request, visit: Visit, target: Whole, told: str, undo: str = "") -> Response:
    """The list anew. Where a suite came or went, the whole page: its forms are about another one."""
    if target.is_suite:
        return Response(status_code=204, headers={"HX-Redirect": "/files"})
    with visit.entering() as (db, _):
        found = inventory(db, visit.state.snapshots, target.suite)
    return render(request, "part/files_list.html", inventory=found, told=told, undo=undo, target=target)


# Downloads


@router.get("/files/export.zip")
def export_zip(visit: AdminSuiteVisit, pseudonyms: bool = False, shown: bool = False) -> Response:
    return send(zip_export(visit, pseudonyms=pseudonyms, shown=shown))


@router.get("/files/suite.zip")
def suite_zip(visit: SuiteVisit) -> Response:
    return send(zip_suite(visit))


@router.post("/files/questions")
def set_questions(
    request: Request,
    visit: AdminSuiteVisit,
    acceptability: Annotated[str, Form()] = "",
    tags: Annotated[str, Form(max_length=50_000)] = "",
) -> Response:
    ask(visit.state.store, visit.user(), visit.suite(), acceptability=acceptability, tags=tags)
    return render(request, "part/files_asked.html")
