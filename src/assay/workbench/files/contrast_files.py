"""Use case: a profile of constructions from a file of renderings, which `assay contrasts profile` wrote.

    contrast_report(visit, upload)

Parsing and aligning take models and minutes, so a run is the command's; the page counts what it found. Nothing is kept.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from assay.contrasts.files.renderings import read
from assay.contrasts.renderings_profile import ProfiledConstruction, file_profile
from assay.errors import AssayError, BadOption
from assay.workbench.files.archives import Upload, UploadLimits, safe_name
from assay.workbench.files.put_down import names_of, put_down, unpack_there
from assay.workbench.visit import Visit

UNPACKED = Path("the upload")


@dataclass(frozen=True, slots=True)
class SentRenderings:
    """A file in a folder, called 0 there."""

    folder: str
    names: tuple[str, ...]
    limits: UploadLimits


def contrast_report(visit: Visit, upload: Upload) -> list[ProfiledConstruction]:
    """The profiles of a file of renderings."""
    visit.user().need("annotator")
    with put_down([upload]) as folder:
        sent = SentRenderings(folder, names_of([upload]), UploadLimits(size=visit.state.max_upload))
        return visit.state.uploads.run(profile_sent, sent, departure=visit.departure)


def profile_sent(sent: SentRenderings) -> list[ProfiledConstruction]:
    """The same in a child process; its working folder is then that of the file."""
    os.chdir(sent.folder)
    try:
        unpack_there(sent.names, UNPACKED, sent.limits)
        return file_profile(read(UNPACKED / safe_name(sent.names[0])))
    except AssayError as error:
        raise BadOption(str(error).replace(f"{UNPACKED}/", "")) from None
