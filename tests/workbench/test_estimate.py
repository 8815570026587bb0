"""The estimate on the results page: from what was judged of the sample, the same as from exported files."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from assay.errors import BadOption
from assay.evaluation import evaluate
from assay.evaluation.estimate import MORE, outlook_of
from assay.outputs import Collector, System, load_campaigns
from assay.prediction import Predictor
from assay.suites import load_suite
from assay.verdicts.draw import draw_file, read_draw
from assay.workbench.files.export import export
from assay.workbench.files.importer import Import
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.sample import draw_sample, drawn_of, sample_of, sample_tasks
from assay.workbench.results.compare import compare_systems, show_years
from assay.workbench.results.downloads import download, offered
from assay.workbench.results.results import (
    CellPlace,
    NoResults,
    ResultOptions,
    Results,
    evaluate_snapshot,
    open_cell,
    show_results,
)
from tests.workbench.little import NAME as LITTLE
from tests.workbench.little import SUITE, outputs_of
from tests.workbench.room import Room
from tests.workbench.starter import NAME, PAIR, World, small_world

ASKED = ResultOptions(("2025",), policy="estimate")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with small_world(tmp_path) as made:
        yield made


def judge(world: World, number: int) -> None:
    """Judge the next texts of the sample; every third is wrong, and the second is skipped by Anna."""
    for _ in range(number):
        state = sample_of(world.snapshot)
        assert state
        done = state.judged + state.skipped
        task = next(task for task in sample_tasks(world.snapshot) if not world.snapshot.texts[task.text_id].skipped)
        world.judge(world.anna, task.text_id, None if done == 1 else "fail" if done % 3 == 0 else "pass")


@pytest.fixture
def sampled(world: World) -> World:
    """A sample of all campaigns of which ten texts were looked at."""
    world.visits.change(world.admin, NAME, draw_sample)
    judge(world, 10)
    return world


def problem(world: World, asked: ResultOptions = ASKED) -> str:
    found = world.read(show_results, asked)
    assert isinstance(found, NoResults)
    assert found.campaigns == ["2025", "2026"]
    return found.problem


def test_the_same_numbers_from_files_and_from_the_database(sampled: World, tmp_path: Path) -> None:
    export(sampled.store, NAME, tmp_path / "out")
    suite = load_suite(str(tmp_path / "out" / "suite"))
    draw = read_draw(draw_file(tmp_path / "out" / "suite"))
    for campaign in ("2025", "2026"):
        outputs = load_campaigns(suite, [tmp_path / "out" / "outputs" / f"{campaign}.yaml"])
        files = evaluate(suite, outputs, policy="estimate", draw=draw)
        here = evaluate_snapshot(sampled.snapshot, ResultOptions((campaign,), policy="estimate"))
        assert here.to_dict("both") == files.to_dict("both")
        assert here.signature == files.signature
        assert here.basis == files.basis
        assert here.basis
        assert here.basis.skipped in (0, 1)


def test_the_page_has_intervals_and_what_was_judged(sampled: World) -> None:
    found = sampled.read(show_results, ResultOptions(("*",), policy="estimate", test="mcnemar"))
    assert isinstance(found, Results)
    basis = found.evaluation.basis
    assert basis
    state = sample_of(sampled.snapshot)
    assert state
    assert (basis.judged, basis.skipped) == (state.judged, state.skipped) == (9, 1)
    assert basis.population == 10 + state.waiting
    assert any("9 of" in sentence and "were judged" in sentence for sentence in found.answer.sentences)
    for cell in found.evaluation.averages()[0].cells:
        assert cell.low is not None
        assert cell.low_here is not None
        assert cell.accuracy is not None
        assert cell.low <= cell.low_here <= cell.accuracy


def test_what_more_judgements_would_buy(sampled: World) -> None:
    texts = sampled.snapshot.written_texts(sampled.snapshot.campaigns)
    draw = drawn_of(sampled.snapshot, None)
    now = draw.sampled(texts)
    outlook = outlook_of(texts, draw, now, Predictor()(texts, now.is_judged))
    widths = [outlook.widest(outlook.judged + number)[0] for number in range(len(now.next) + 1)]
    # No interval of the table is wider than today's, more judgements widen none, with all judged only skips are left.
    basis = evaluate_snapshot(sampled.snapshot, ResultOptions(("*",), policy="estimate")).basis
    assert basis
    assert basis.widest <= widths[0] + 1e-12
    assert all(after <= before + 1e-12 for before, after in pairwise(widths))
    assert basis.more == min(MORE, len(now.next))
    assert basis.later == pytest.approx(min(basis.widest, widths[basis.more]))
    assert widths[-1] < widths[0]


def test_too_little_is_one_line_and_no_number(world: World) -> None:
    assert problem(world).startswith("there is no sample of ")
    assert problem(world).endswith("an admin draws it: Queue, Sample")
    world.visits.change(world.admin, NAME, draw_sample)
    assert "too little is judged for an estimate: 0 of" in problem(world)
    with pytest.raises(BadOption, match="too little is judged"):
        world.read(open_cell, ASKED, CellPlace("careful"))


def test_new_outputs_end_the_estimate_until_a_new_draw(sampled: World) -> None:
    suite = sampled.snapshot.stored.suite
    collector = Collector(suite)
    collector.add(System("new", "2025"), positions=range(len(suite)), texts=[f"Text {n}." for n in range(len(suite))])
    Import(suite, collector.outputs(), "new", here=True).run(sampled.store, sampled.admin)
    assert "not in the sample, from new outputs or changed rules" in problem(sampled)
    assert isinstance(sampled.read(show_results, ResultOptions(("2026",), policy="estimate")), Results)


def test_cells_open_and_files_are_written(sampled: World) -> None:
    cell = sampled.read(open_cell, ASKED, CellPlace("careful"))
    assert all(group.counted == group.number for group in cell.groups)
    for key in (kind.key for group in offered() for kind in group.kinds if kind.key != "tags.csv"):
        assert sampled.read(download, ASKED, key).content, key


def test_pairs_and_years(sampled: World) -> None:
    asked = ResultOptions(policy="estimate")
    pair = sampled.read(compare_systems, PAIR, asked, by="category", category=None)
    assert (pair.problem, pair.table is not None) == ("", True)
    years = sampled.read(show_years, asked, by="category")
    assert (years.problem, len(years.tables)) == ("", 2)


def test_pairs_and_years_of_too_little(world: World) -> None:
    asked = ResultOptions(policy="estimate")
    pair = world.read(compare_systems, PAIR, asked, by="category", category=None)
    assert pair.problem.startswith("there is no sample of ")
    assert world.read(show_years, asked, by="category").problem == pair.problem


def test_a_system_that_returns_with_other_texts(here: Room) -> None:
    texts = ("The key is in the hasp.", "She got flowers.", "She is a rock.")
    Import(SUITE, outputs_of({System(name, "WMT22"): texts for name in "ABC"}), "").run(here.store, here.admin)
    here.visits.change(here.admin, LITTLE, draw_sample)
    for task in sample_tasks(here.snapshot):
        here.visits.judge(here.anna, LITTLE, AnnotatorAnswer(task.text_id, "pass"))
    for campaign, judged in (("WMT21", 5), ("WMT22", 3), ("*", 8)):
        basis = evaluate_snapshot(here.snapshot, ResultOptions((campaign,), policy="estimate")).basis
        assert basis
        assert (basis.judged, basis.population, basis.more) == (judged, judged, 0)
