"""Use cases: a challenge set from a campaign of the database, and what metrics get right on one, from files.

    challenge_set(reader, ("WMT21",), Drawing(total=500), "tsv").content
    metric_report(visit, uploads).table

Nothing of it is kept: a set is as the database and its seed make it, scores are the user's own files. So there is
nothing that a restart could lose, or that another server would not have.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from assay.challenge import Drawing, build
from assay.challenge.jobs import described, evaluate_scores, write_set
from assay.challenge.report import challenge_table, render
from assay.errors import AssayError, BadOption
from assay.reports.table import Table
from assay.workbench.files.archives import Upload, UploadLimits, safe_name
from assay.workbench.files.put_down import names_of, put_down, unpack_there
from assay.workbench.reader import Reader
from assay.workbench.results.downloads import MEDIA, DownloadFile
from assay.workbench.results.results import ResultOptions, evaluate_snapshot, named
from assay.workbench.visit import Visit

UNPACKED = Path("the upload")

FORMATS = {"md": "markdown", "json": "json", "csv": "csv"}
"""Suffix -> format of a report."""

SetFile = Literal["tsv", "jsonl"]


def campaigns_of(reader: Reader) -> Sequence[str]:
    """The campaigns of which a set can be built."""
    return reader.snapshot.campaigns


def challenge_set(reader: Reader, asked: ResultOptions, drawing: Drawing, format: SetFile) -> DownloadFile:
    """A set of the campaign in view, as `assay challenge build` draws it. It says which systems wrote what."""
    snapshot = reader.everything()
    asked = named(snapshot, asked)
    built = build(evaluate_snapshot(snapshot, asked).table, drawing)
    if not built.challenge.items:
        raise BadOption(f"no item gives a challenge item ({described(built)})")
    name = f"{snapshot.stored.suite.name}-challenge.{format}"
    reader.handed_out.append(name)
    with TemporaryDirectory(prefix="assay-download-") as folder:
        (file,) = write_set(built.challenge, Path(folder) / name)
        return DownloadFile(name, MEDIA[f".{format}"], file.read_bytes())


@dataclass(frozen=True, slots=True)
class SentScores:
    """A set and score files in a folder, called 0, 1, … there; the set is the first."""

    folder: str
    names: tuple[str, ...]
    limits: UploadLimits


@dataclass(frozen=True, slots=True)
class MetricReport:
    """What metrics get right: a table, and whole reports by format."""

    items: int
    table: Table
    files: dict[str, bytes]


def metric_report(visit: Visit, challenge: Upload, scores: Sequence[Upload]) -> MetricReport:
    """What metrics get right on a set, from their score files, as `assay challenge report` tells it."""
    visit.user().need("annotator")
    uploads = [challenge, *scores]
    with put_down(uploads) as folder:
        sent = SentScores(folder, names_of(uploads), UploadLimits(size=visit.state.max_upload))
        return visit.state.uploads.run(report_sent, sent, departure=visit.departure)


def report_sent(sent: SentScores) -> MetricReport:
    """The same in a child process; its working folder is then that of the files."""
    os.chdir(sent.folder)
    try:
        unpack_there(sent.names, UNPACKED, sent.limits)
        known = UNPACKED / safe_name(sent.names[0])
        scores = [str(path) for path in sorted(UNPACKED.rglob("*")) if path.is_file() and path != known]
        if not scores:
            raise BadOption("no score files were sent; choose at least one")
        evaluation = evaluate_scores(known, scores)
    except AssayError as error:
        raise BadOption(str(error).replace(f"{UNPACKED}/", "")) from None
    # No HTML: its figures are drawn by an engine that wants more address space than a child has.
    files = {suffix: _bytes(render(evaluation, name)) for suffix, name in FORMATS.items()}
    return MetricReport(len(evaluation.challenge), challenge_table(evaluation, "both"), files)


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()
