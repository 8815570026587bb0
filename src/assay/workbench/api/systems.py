"""Systems, and files that bring them."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from fastapi import APIRouter, File, Form, UploadFile

from assay.workbench.admission.client_watch import WATCHED
from assay.workbench.admission.security import AdminVisit
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, AdminSuiteVisit, SuiteVisit, problems
from assay.workbench.files import inventory, uploads
from assay.workbench.files.archives import Upload
from assay.workbench.files.importer import Imported
from assay.workbench.files.upload_preview import UploadPreview

router = APIRouter(tags=["systems"], responses=problems(401, 403))
shapes.answered(uploads.UploadReport, UploadPreview, Imported)

Files = Annotated[list[UploadFile], File(max_length=5000)]
Force = Annotated[bool, Form(description="Take the files' version where the database has another")]


class SystemAnswer(shapes.Shape):
    """A system of a suite: what is known about it, outputs and warnings among them; `translated` is false where it
    did not translate the suite, so that comparisons leave it out."""

    name: str
    campaign: str
    metadata: dict[str, str]
    outputs: shapes.Count
    warnings: shapes.Count
    imported: str
    translated: bool


@router.get(f"{SUITE}/systems", summary="Systems of a suite", responses=problems(404))
def systems(visit: SuiteVisit) -> list[SystemAnswer]:
    """In the order of their import."""
    with visit.reading() as reader:
        entries = inventory.list_systems(reader)
    return [
        SystemAnswer.made_of(
            found.system,
            outputs=found.outputs,
            warnings=found.warnings,
            imported=found.imported,
            translated=translated,
        )
        for found, translated in entries
    ]


@router.post(
    f"{SUITE}/outputs",
    status_code=201,
    summary="Upload outputs",
    responses=problems(404, 409, 503),
    dependencies=WATCHED,
)
def upload_outputs(
    visit: AdminSuiteVisit,
    files: Files,
    source: Annotated[UploadFile | None, File(description="The file that plain text is parallel to")] = None,
    campaign: Annotated[str, Form(max_length=200)] = "",
    force: Force = False,
) -> uploads.UploadReport:
    """Files of systems, or campaign files with what they name, zipped or not; checked and paired as by `assay import`.

    Whole or not at all: where one file is wrong, nothing is written.
    """
    return uploads.upload_outputs(
        visit, _uploads(files), source=_upload(source) if source else None, campaign=campaign, force=force
    )


@router.post(
    f"{SUITE}/outputs/preview",
    summary="What an upload of outputs would do",
    responses=problems(404, 409, 503),
    dependencies=WATCHED,
)
def preview_outputs(
    visit: AdminSuiteVisit,
    files: Files,
    source: Annotated[UploadFile | None, File(description="The file that plain text is parallel to")] = None,
    campaign: Annotated[str, Form(max_length=200)] = "",
    force: Force = False,
) -> UploadPreview:
    """The same as an upload, and nothing is written or kept.

    `elsewhere` says that outputs are not like those that other systems wrote for the same items.
    """
    read = uploads.read_outputs(visit, _uploads(files), source=_upload(source) if source else None, campaign=campaign)
    return uploads.preview(visit, read, force=force)


@router.post(
    "/suites",
    status_code=201,
    summary="Upload a suite",
    responses=problems(409, 503),
    tags=["suites"],
    dependencies=WATCHED,
)
def upload_suite(visit: AdminVisit, files: Files, force: Force = False) -> uploads.UploadReport:
    """A new suite, or a new revision of one: a zipped folder or its files, or one file of another format."""
    return uploads.upload_suite(visit, _uploads(files), force=force)


def _uploads(files: Iterable[UploadFile]) -> Sequence[Upload]:
    return [_upload(file) for file in files]


def _upload(file: UploadFile) -> Upload:
    return Upload(file.filename or "", file.file)
