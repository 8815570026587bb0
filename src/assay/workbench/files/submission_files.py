"""Use case: what participants handed in, checked as `assay collect check` does it.

    check_submissions(visit, uploads, None)[0].headline

Reports are shown and not kept; whoever is content uploads the files as outputs.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, BadOption
from assay.suites import Suite
from assay.translate.participants import check
from assay.translate.submission_page import headline, render
from assay.workbench.files.archives import Upload, UploadLimits, safe_name
from assay.workbench.files.put_down import names_of, put_down, unpack_there
from assay.workbench.visit import Visit

UNPACKED = Path("the upload")


@dataclass(frozen=True, slots=True)
class SentSubmissions:
    """Submissions in a folder, called 0, 1, … there; with `has_map` the last file is the map of what was sent."""

    folder: str
    names: tuple[str, ...]
    suite: Suite
    has_map: bool
    limits: UploadLimits


@dataclass(frozen=True, slots=True)
class CheckedSubmission:
    """A participant's file: in a line, and in full."""

    name: str
    headline: str
    report: str
    wrong: int


def check_submissions(visit: Visit, uploads: Sequence[Upload], map_file: Upload | None) -> list[CheckedSubmission]:
    """A report for every system in the files."""
    visit.user().need("annotator")
    suite = visit.state.snapshots.get(visit.suite()).stored.suite
    everything = [*uploads, *([map_file] if map_file else [])]
    with put_down(everything) as folder:
        limits = UploadLimits(size=visit.state.max_upload)
        sent = SentSubmissions(folder, names_of(everything), suite, map_file is not None, limits)
        return visit.state.uploads.run(check_sent, sent, departure=visit.departure)


def check_sent(sent: SentSubmissions) -> list[CheckedSubmission]:
    """The same in a child process; its working folder is then that of the files."""
    os.chdir(sent.folder)
    try:
        unpack_there(sent.names, UNPACKED, sent.limits)
        known = UNPACKED / safe_name(sent.names[-1]) if sent.has_map else None
        files = [str(path) for path in sorted(UNPACKED.rglob("*")) if path.is_file() and path != known]
        if not files:
            raise BadOption("no submissions were sent; choose at least one file")
        reports = check(sent.suite, files, map_file=known)
    except AssayError as error:
        raise BadOption(_shown(str(error))) from None
    return [
        CheckedSubmission(report.name, _shown(headline(report)), _shown(render(report, "text")), len(report.wrong))
        for report in reports
    ]


def _shown(text: str) -> str:
    return text.replace(f"{UNPACKED}/", "")
