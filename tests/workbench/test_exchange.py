"""What goes to others and comes from them: challenge sets and scores, submissions; the same as the commands say."""

from pathlib import Path

import pytest

from assay.challenge import Drawing
from assay.challenge.jobs import load_metrics, score_files
from assay.errors import BadOption, NotAllowed
from assay.outputs.sources import write_sources
from assay.workbench.files.challenge_files import challenge_set, metric_report
from assay.workbench.files.contrast_files import contrast_report
from assay.workbench.files.submission_files import check_submissions
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
    from assay.workbench.people.roles import User

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
