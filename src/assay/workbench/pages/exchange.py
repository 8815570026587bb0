"""Pages for what goes to others and comes from them: challenge sets, scores of metrics, contrasts, submissions."""

from base64 import b64encode
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Query, Request, Response, UploadFile

from assay.challenge import Drawing
from assay.contrasts import bundled
from assay.errors import BadOption, UnknownName
from assay.reports.html_table import table_section
from assay.workbench.admission.client_watch import WATCHED
from assay.workbench.api.request import send
from assay.workbench.files.archives import Upload, UploadLimits
from assay.workbench.files.challenge_files import SetFile, campaigns_of, challenge_set, metric_report
from assay.workbench.files.contrast_files import contrast_report
from assay.workbench.files.contrast_runs import ContrastFindings, SentContrasts, StartedRun
from assay.workbench.files.submission_files import check_submissions
from assay.workbench.pages.render import render, suite_visitor
from assay.workbench.results.downloads import MEDIA, DownloadFile
from assay.workbench.results.results import ResultOptions
from assay.workbench.visit import Visit

router = APIRouter()

Files = Annotated[list[UploadFile], File()]
AnnotatorSuiteVisit = Annotated[Visit, Depends(suite_visitor("annotator"))]


@router.get("/challenge")
def challenge_page(request: Request, visit: AnnotatorSuiteVisit) -> Response:
    with visit.reading() as reader:
        campaigns = campaigns_of(reader)
    return render(request, "challenge.html", campaigns=campaigns)


@router.get("/challenge/set")
def challenge_file(
    visit: AnnotatorSuiteVisit,
    campaign: str = "",
    total: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
    seed: Annotated[int, Query(ge=0, le=2**31)] = 1,
    format: SetFile = "tsv",
    shown: bool = False,
) -> Response:
    """A challenge set of a campaign. It says who wrote the texts."""
    with visit.reading() as reader:
        asked = ResultOptions((campaign,) if campaign else ())
        file = challenge_set(reader, asked, Drawing(total=total, seed=seed), format)
        reader.ask_first(shown=shown)
        return send(file)


@router.post("/challenge/scores", dependencies=WATCHED)
def challenge_scores(
    request: Request, visit: AnnotatorSuiteVisit, challenge: Annotated[UploadFile, File()], scores: Files
) -> Response:
    """What metrics get right on a set."""
    report = metric_report(visit, _chosen([challenge], "a challenge set")[0], _chosen(scores, "score files"))
    files = {
        name: f"data:application/octet-stream;base64,{b64encode(content).decode()}"
        for name, content in report.files.items()
    }
    return render(request, "part/challenge_report.html", report=report, table=table_section(report.table), files=files)


@router.get("/contrasts")
def contrasts_page(request: Request, visit: AnnotatorSuiteVisit) -> Response:
    with visit.reading() as reader:
        campaigns = campaigns_of(reader)
    runs = visit.state.contrast_runs
    started = runs.of(visit.user())
    return render(
        request, "contrasts.html", campaigns=campaigns, names=list(bundled()), lacking=runs.lacking(), run=started
    )


@router.post("/contrasts/profile", dependencies=WATCHED)
def contrasts_profile(
    request: Request, visit: AnnotatorSuiteVisit, renderings: Annotated[UploadFile, File()]
) -> Response:
    """What translations make of constructions, beside people's."""
    found = contrast_report(visit, _chosen([renderings], "a file of renderings")[0])
    parts = [(part, table_section(part.table)) for part in found]
    return render(request, "part/contrasts_report.html", parts=parts, pictures=())


@router.post("/contrasts/run")
def contrasts_run(
    request: Request,
    visit: AnnotatorSuiteVisit,
    contrasts: Annotated[str, Form()],
    source: Annotated[UploadFile, File()],
    outputs: Files,
    references: Annotated[list[UploadFile] | None, File()] = None,
    annotations: Annotated[list[UploadFile] | None, File()] = None,
) -> Response:
    """Start a run; the page asks how far it is."""
    sent = SentContrasts(
        contrasts,
        _chosen([source], "a source text")[0],
        _chosen(outputs, "translations"),
        _given(references or []),
        _given(annotations or []),
    )
    return _run(request, visit.state.contrast_runs.start(visit.user(), sent, UploadLimits(size=visit.state.max_upload)))


@router.get("/contrasts/run")
def contrasts_progress(request: Request, visit: AnnotatorSuiteVisit) -> Response:
    """How far one's run is, or what it found."""
    return _run(request, visit.state.contrast_runs.of(visit.user()))


@router.post("/contrasts/stop")
def contrasts_stop(request: Request, visit: AnnotatorSuiteVisit) -> Response:
    visit.state.contrast_runs.stop(visit.user())
    return _run(request, None)


@router.get("/contrasts/tree")
def contrasts_tree(visit: AnnotatorSuiteVisit, keyword: str, system: str) -> Response:
    """Both trees of an example of one's run, and the links."""
    drawn = _findings(visit).profile.pictures.get((keyword, system))
    if drawn is None:
        raise UnknownName("example", f"{keyword} of {system}", ())
    return Response(drawn, media_type="image/svg+xml")


@router.get("/contrasts/renderings.tsv")
def contrasts_renderings(visit: AnnotatorSuiteVisit) -> Response:
    """The file of one's run that `assay contrasts review` reads."""
    return send(DownloadFile("renderings.tsv", MEDIA[".tsv"], _findings(visit).renderings))


def _findings(visit: Visit) -> ContrastFindings:
    run = visit.state.contrast_runs.of(visit.user())
    if run is None or run.found is None:
        raise BadOption("there is no run of yours any more; start it again")
    return run.found


def _run(request: Request, run: StartedRun | None) -> Response:
    found = run.found if run else None
    parts = [(part, table_section(part.table)) for part in found.profile.parts] if found else ()
    pictures = found.profile.pictures if found else ()
    return render(request, "part/contrasts_run.html", run=run, parts=parts, pictures=pictures)


@router.get("/collect")
def collect_page(request: Request, visit: AnnotatorSuiteVisit) -> Response:
    with visit.entering():
        return render(request, "collect.html")


@router.post("/collect/check", dependencies=WATCHED)
def collect_check(
    request: Request,
    visit: AnnotatorSuiteVisit,
    files: Files,
    map: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """What is wrong with submissions."""
    maps = [Upload(map.filename, map.file)] if map and map.filename else [None]
    checked = check_submissions(visit, _chosen(files, "submissions"), maps[0])
    return render(request, "part/collect_report.html", checked=checked)


def _given(files: list[UploadFile]) -> list[Upload]:
    return [Upload(file.filename, file.file) for file in files if file.filename]


def _chosen(files: list[UploadFile], what: str) -> list[Upload]:
    found = _given(files)
    if not found:
        raise BadOption(f"choose {what}")
    return found
