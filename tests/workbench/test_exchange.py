"""What goes to others and comes from them: challenge sets and scores, submissions; the same as the commands say."""

from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest

import assay
from assay.challenge import Drawing
from assay.challenge.jobs import load_metrics, score_files
from assay.contrasts.run import profile_contrasts
from assay.contrasts.run_files import copy_sample
from assay.errors import BadOption, NotAllowed, UnknownName
from assay.outputs.sources import write_sources
from assay.workbench.files.archives import LIMITS, Upload
from assay.workbench.files.challenge_files import challenge_set, metric_report
from assay.workbench.files.contrast_files import contrast_report
from assay.workbench.files.contrast_runs import ContrastRuns, SentContrasts, StartedRun
from assay.workbench.files.submission_files import check_submissions
from assay.workbench.people.roles import User
from assay.workbench.results.results import ResultOptions
from tests.workbench.little import NAME, SUITE
from tests.workbench.room import LATCH, POSY, Room
from tests.workbench.uploads import RENDERINGS, upload


@pytest.fixture
def judged(here: Room) -> Room:
    """Both words have two right texts and a wrong one, which makes a challenge item each."""
    here.say(here.anna, LATCH, "pass")
    here.say(here.anna, POSY, "pass")
    return here


def test_a_set_of_a_campaign_and_what_metrics_get_right_on_it(judged: Room, tmp_path: Path) -> None:
    made = judged.visits.read(judged.anna, NAME, challenge_set, ResultOptions(), Drawing(total=10), "tsv")
    assert made.name == "little-challenge.tsv"
    (tmp_path / made.name).write_bytes(made.content)
    (scored,) = score_files(tmp_path / made.name, load_metrics(["chrF"]), tmp_path / "scores")
    uploads = upload(made.name, made.content), upload("chrF.tsv", scored.file.read_bytes())
    found = metric_report(judged.visits.visit(judged.anna, NAME), uploads[0], uploads[1:])
    assert found.items == scored.items > 0
    assert found.table.columns[1:3] == ("sources", "chrF")
    assert sorted(found.files) == ["csv", "json", "md"]


def test_a_wrong_file_is_named_as_the_sender_calls_it(judged: Room) -> None:
    visit = judged.visits.visit(judged.anna, NAME)
    with pytest.raises(BadOption, match=r"^set\.tsv"):
        metric_report(visit, upload("set.tsv", "nonsense\n"), [upload("scores.tsv", "nonsense\n")])


def test_nothing_to_build(here: Room) -> None:
    with pytest.raises(BadOption, match="no item gives a challenge item"):
        here.visits.read(here.anna, NAME, challenge_set, ResultOptions(), Drawing(), "tsv")


def test_submissions_are_checked(here: Room, tmp_path: Path) -> None:
    write_sources(SUITE, tmp_path / "sources.txt")
    lines = (tmp_path / "sources.txt").read_text(encoding="utf-8").splitlines()
    whole, short = "".join(f"A translation, number {at}.\n" for at, _ in enumerate(lines)), "only one line\n"
    visit = here.visits.visit(here.anna, NAME)
    good, bad = check_submissions(visit, [upload("Good.txt", whole), upload("Short.txt", short)], None)
    assert (good.name, bad.name, bad.wrong > 0) == ("Good", "Short", True)
    assert "Short.txt" in bad.report
    assert "the upload" not in bad.report


def test_viewers_start_no_work(here: Room) -> None:
    visit = here.visits.visit(User(99, "vera", "viewer"), NAME)
    with pytest.raises(NotAllowed):
        check_submissions(visit, [upload("a.txt", "x\n")], None)


def test_renderings_are_counted_and_shown(here: Room) -> None:
    (part,) = contrast_report(here.visits.visit(here.anna, NAME), upload("renderings.tsv", RENDERINGS))
    assert [row.label for row in part.construction.rows] == ["refA", "A"]
    assert "A chooses" in part.construction.finding
    assert part.table.columns[:2] == ("finite clause", "noun")
    assert len(part.examples) == 6


def test_what_is_no_file_of_renderings_is_named_as_the_sender_calls_it(here: Room) -> None:
    visit = here.visits.visit(here.anna, NAME)
    with pytest.raises(BadOption, match=r"^r\.tsv:2: there is no column 'construction'"):
        contrast_report(visit, upload("r.tsv", "a\tb\n1\t2\n"))


SAMPLE = Path(assay.__file__).parent / "contrasts" / "bundled" / "sample"
SYSTEMS = ("average", "free", "literal")


def sent(*, annotations: bool = True, contrasts: str = "en-cs") -> SentContrasts:
    """The bundled sample as a page sends it."""

    def file(name: str) -> Upload:
        return upload(name, (SAMPLE / name).read_bytes())

    named = ("source", *SYSTEMS, "reference")
    trees = [file(f"{name}.conllu") for name in named] if annotations else []
    links = [file(f"{name}.links") for name in named[1:]] if annotations else []
    outputs = [file(f"{name}.txt") for name in SYSTEMS]
    return SentContrasts(contrasts, file("source.txt"), outputs, [file("reference.txt")], [*trees, *links])


def finished(runs: ContrastRuns, user: User) -> StartedRun:
    until = monotonic() + 60
    while monotonic() < until:
        run = runs.of(user)
        if run is None or run.is_over:
            break
        sleep(0.05)
    assert run
    assert run.is_over
    return run


def test_a_run_of_contrasts_is_that_of_the_command(here: Room, tmp_path: Path) -> None:
    visit = here.visits.visit(here.anna, NAME)
    runs = visit.state.contrast_runs
    runs.start(here.anna, sent(), LIMITS)
    run = finished(runs, here.anna)
    assert run.error == ""
    assert run.found
    known = profile_contrasts(copy_sample(tmp_path / "sample"), cache=None)
    assert [part.construction for part in run.found.profile.parts] == list(known.constructions)
    examples = [line for part in run.found.profile.parts for line in part.examples]
    assert {(line.keyword, line.system) for line in examples} == set(run.found.profile.pictures)
    first = run.found.profile.pictures[examples[0].keyword, examples[0].system]
    assert first.startswith("<svg")
    assert examples[0].system in first
    assert runs.of(here.ben) is None


def test_a_server_without_models_says_so_in_a_line(here: Room) -> None:
    visit = here.visits.visit(here.anna, NAME)
    runs = visit.state.contrast_runs
    assert "assay serve --contrasts-models FOLDER" in runs.lacking()
    with pytest.raises(BadOption, match=r"^this server has no parsers .*; send trees"):
        runs.start(here.anna, sent(annotations=False), LIMITS)
    assert runs.of(here.anna) is None


def test_a_folder_without_the_language_says_so(here: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    visit = here.visits.visit(here.anna, NAME)
    runs = ContrastRuns(visit.state.contrasts, tmp_path)
    monkeypatch.setattr("assay.workbench.files.contrast_runs.find_spec", lambda name: object())
    with pytest.raises(BadOption, match="no parser for en in its models"):
        runs.start(here.anna, sent(annotations=False), LIMITS)


def test_what_is_wrong_with_a_run_is_told_in_a_line(here: Room) -> None:
    visit = here.visits.visit(here.anna, NAME)
    runs = visit.state.contrast_runs
    with pytest.raises(UnknownName, match="en-xx"):
        runs.start(here.anna, sent(contrasts="en-xx"), LIMITS)
    whole = sent()
    runs.start(here.anna, replace(whole, outputs=[upload("free.txt", "one line\n")]), LIMITS)
    run = finished(runs, here.anna)
    assert "free.txt" in run.error
    assert "the upload" not in run.error
    assert not Path(run.folder).exists()
    runs.stop(here.anna)
    assert runs.of(here.anna) is None


def test_who_starts_again_ends_the_run_before(here: Room) -> None:
    runs = here.visits.visit(here.anna, NAME).state.contrast_runs
    before = runs.start(here.anna, sent(), LIMITS)
    after = runs.start(here.anna, sent(), LIMITS)
    assert before.departure.has_left
    assert finished(runs, here.anna) is after
    assert after.error == ""


def test_what_cannot_be_written_down_leaves_nothing(
    here: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = here.visits.visit(here.anna, NAME).state.contrast_runs
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    whole = sent()
    whole.outputs[0].stream.close()
    with pytest.raises(ValueError, match="closed"):
        runs.start(here.anna, whole, LIMITS)
    with pytest.raises(BadOption, match="no file name"):
        runs.start(here.anna, replace(whole, source=upload("..", "x\n")), LIMITS)
    assert list(folder.iterdir()) == []
    assert runs.of(here.anna) is None
