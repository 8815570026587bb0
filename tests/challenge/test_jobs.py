"""Sets and keys are written together, nothing that is read is replaced, and scores are kept for what they are of."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.challenge.convert import convert_file
from assay.challenge.files.reports import read_report
from assay.challenge.files.sets import read_challenge, unblind, write_challenge
from assay.challenge.jobs import (
    ScoreFile,
    check_report_targets,
    check_set_targets,
    draw_figures,
    evaluate_scores,
    load_metrics,
    score_files,
    write_set,
)
from assay.challenge.metric import METRICS, FunctionMetric, Metric
from assay.challenge.report.figures import challenge_series
from assay.errors import AssayError, BadFile, BadOption
from assay.reports.data import result_json
from tests.challenge.challenges import GARDEN, blinded
from tests.challenge.measured import scored
from tests.suites.building import listing

LENGTHS = "import sys\nfor line in sys.stdin: print(len(line), flush=True)\n"
DYING = "import sys\nfor number, line in enumerate(sys.stdin): print(len(line)) if number < 3 else sys.exit('full')\n"


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    write_challenge(GARDEN, tmp_path / "set.tsv")
    return tmp_path / "set.tsv"


# --- sets and keys


@pytest.mark.parametrize(
    ("output", "format", "key", "problem"),
    [
        ("tree", "mt-metrics-eval", "new.tsv", "tree: the folder is not empty"),
        ("tree", "mt-metrics-eval", "tree/key.tsv", "the key is not for those who get the folder"),
        ("tree", "wmt25", "none/key.tsv", "there is no folder"),
        ("blind.tsv", "aces", "new.tsv", "an ACES file says which translation is right"),
        ("blind.xyz", None, "new.tsv", "the name does not tell the format"),
        ("none/blind.tsv", None, "new.tsv", "there is no folder"),
        ("blind.tsv", None, "key.tsv", "key.tsv: is there already; .*; choose another name or add --force"),
        ("blind.tsv", None, "tree", "tree: is there already; .*; choose another name$"),
    ],
)
def test_a_blind_set_and_its_key_are_written_both_or_not_at_all(
    tmp_path: Path, output: str, format: Any, key: str, problem: str
) -> None:
    write_set(GARDEN, tmp_path / "tree", format="mt-metrics-eval", key=tmp_path / "key.tsv")
    before = listing(tmp_path)
    with pytest.raises(AssayError, match=problem):
        write_set(GARDEN, tmp_path / output, format=format, key=tmp_path / key)
    assert listing(tmp_path) == before


def test_a_key_is_replaced_together_with_its_set(tmp_path: Path) -> None:
    for force in (False, True):
        write_set(GARDEN, tmp_path / "tree", format="mt-metrics-eval", key=tmp_path / "key.tsv", force=force)
        opened = unblind(read_challenge(tmp_path / "tree"), tmp_path / "key.tsv")
        assert {item.right for item in opened.items} == {item.right for item in GARDEN.items}


@pytest.mark.parametrize(
    ("format", "output"),
    [
        ("aces", "set.tsv"),
        ("wmt25", "."),  # the folder that the set is in
        ("mt-metrics-eval", "tree"),
        ("jsonl", "tree/sources/de-en.txt"),
        ("wmt25", "wmt/garden.de-en"),
    ],
)
def test_a_set_is_not_converted_into_itself(tmp_path: Path, garden: Path, format: Any, output: str) -> None:
    write_challenge(GARDEN, tmp_path / "tree", "mt-metrics-eval")
    write_challenge(GARDEN, tmp_path / "wmt", "wmt25")
    before = listing(tmp_path)
    source = {".": garden, "set.tsv": garden, "wmt/garden.de-en": tmp_path / "wmt"}.get(output, tmp_path / "tree")
    with pytest.raises(BadOption, match="is read in this run"):
        convert_file(source, tmp_path / output, format=format, force=True)
    assert listing(tmp_path) == before


def test_the_set_whose_pairs_are_taken_is_not_replaced(garden: Path) -> None:
    with pytest.raises(BadOption, match="is read in this run"):
        check_set_targets(garden, [garden])


# --- metrics


def run(path: Path, *specs: str, again: bool = False, **options: Any) -> list[ScoreFile]:
    metrics = load_metrics(specs, **options)
    return list(score_files(path, metrics, path.parent / "scores", again=again))


def command(folder: Path, code: str, name: str = "mine.py") -> str:
    (folder / name).write_text(code, encoding="utf-8")
    return f"cmd:{sys.executable} {folder / name}"


def test_every_metric_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One may have a model to load."""
    loaded = []

    def factory(option: str) -> Metric:
        loaded.append(option)
        return FunctionMetric(f"m{option}", "m|1", lambda segments: [1.0 for _ in segments])

    monkeypatch.setattr(type(METRICS), "get", lambda self, name: factory)
    first, second = load_metrics(["m:1", "m:2"], groups={"m1": "qe"}, lower_is_better=["m2"])
    assert loaded == ["1", "2"]
    assert (first.group, first.needs_reference, second.higher_is_better) == ("qe", False, False)


def test_two_metrics_of_one_name(tmp_path: Path) -> None:
    mine = command(tmp_path, LENGTHS)
    with pytest.raises(BadOption, match=r"the metric 'mine' is given twice; rename one: -m 'NAME=cmd:.*mine\.py'$"):
        load_metrics([mine, mine])
    assert [metric.name for metric in load_metrics([mine, f"other={mine}"])] == ["mine", "other"]


def test_two_metrics_that_would_share_a_file(tmp_path: Path, garden: Path) -> None:
    with pytest.raises(BadOption, match=r"'a/b' and 'a_b' would share the file .*a_b\.tsv; rename one"):
        run(garden, "a/b=length", "a_b=copy")
    assert not (tmp_path / "scores").exists()


# --- scores


def test_a_first_run_that_fails_is_not_in_the_way(tmp_path: Path, garden: Path) -> None:
    mine = "mine=" + command(tmp_path, "raise SystemExit('no model')")
    with pytest.raises(AssayError, match="no model"):
        run(garden, mine)
    assert list((tmp_path / "scores").iterdir()) == []
    command(tmp_path, LENGTHS)
    assert run(garden, mine, groups={"mine": "qe"})[0].kept == 0


def test_another_group_does_not_cost_the_scores(tmp_path: Path, garden: Path) -> None:
    mine = "mine=" + command(tmp_path, LENGTHS)
    run(garden, mine)
    assert run(garden, mine, groups={"mine": "baseline"}, lower_is_better=["mine"])[0].kept == 2
    (row,) = evaluate_scores(garden, [str(tmp_path / "scores")]).metrics
    assert (row.group, row.higher_is_better) == ("baseline", False)
    with pytest.raises(BadFile, match=r"another signature: .*reference:none; score anew with --again"):
        run(garden, mine, groups={"mine": "qe"})  # without references the command scores something else


def test_scores_of_a_script_that_was_changed_are_not_kept_silently(tmp_path: Path, garden: Path) -> None:
    mine = "mine=" + command(tmp_path, LENGTHS)
    assert run(garden, mine)[0].kept == 0
    assert run(garden, mine)[0].kept == 2
    before = (tmp_path / "scores" / "mine.tsv").read_text("utf-8")
    command(tmp_path, LENGTHS.replace("len(line)", "-len(line)"))
    with pytest.raises(BadFile, match=r"mine\.tsv: scores with another signature: .*; score anew with --again"):
        run(garden, mine)
    assert run(garden, mine, again=True)[0].kept == 0
    after = (tmp_path / "scores" / "mine.tsv").read_text("utf-8")
    first, second = (text.splitlines()[2].split("\t") for text in (before, after))
    assert [float(score) for score in first[1:]] == [-float(score) for score in second[1:]]


def test_what_a_command_scored_before_it_died_is_kept(tmp_path: Path, garden: Path) -> None:
    """Three of four segments: the first challenge item is complete."""
    mine = "mine=" + command(tmp_path, DYING)
    with pytest.raises(AssayError, match="full; cure that and run this again: what was scored before is kept"):
        run(garden, mine)
    assert (tmp_path / "scores" / "mine.tsv").read_text("utf-8").count("\n") == 3
    assert run(garden, mine)[0].kept == 1
    assert (tmp_path / "scores" / "mine.tsv").read_text("utf-8").count("\n") == 4


# --- reports


def test_a_report_does_not_replace_what_it_reads(tmp_path: Path, garden: Path) -> None:
    run(garden, "length")
    for output in (garden, tmp_path / "scores" / "length.tsv", tmp_path / "key.tsv"):
        (tmp_path / "key.tsv").touch()
        with pytest.raises(BadOption, match="is read in this run"):
            check_report_targets(output, garden, [str(tmp_path / "scores")], others=[tmp_path / "key.tsv", None])
    check_report_targets(tmp_path / "scores" / "report.md", garden, [str(tmp_path / "scores")])


def test_a_blind_set_needs_its_key(tmp_path: Path) -> None:
    write_challenge(blinded(GARDEN), tmp_path / "blind.tsv")
    with pytest.raises(BadOption, match="the set is blind: name its key with --key FILE"):
        evaluate_scores(tmp_path / "blind.tsv", [])


def test_sets_of_one_direction_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figure has a line for each of them."""
    own = scored({"A/x": {"chrF": "+++--"}, "B/y": {"chrF": "+----"}})
    french = replace(own, challenge=replace(own.challenge, langpair="de-fr"))
    for name, evaluation in {"test": own, "other": own, "french": french}.items():
        (tmp_path / f"{name}.json").write_text(result_json(evaluation, "both"), encoding="utf-8")
    reports = {path: read_report(path) for path in tmp_path.iterdir()}
    drawn: list[dict[str, Any]] = []

    def series(results: dict[str, Any]) -> dict[str, list[float]]:
        drawn.append(results)
        return challenge_series(results)

    monkeypatch.setattr("assay.challenge.report.figures.challenge_series", series)
    monkeypatch.setattr("assay.reports.figures.figure.render", lambda figure, kind: b"")
    beside = {path: report for path, report in reports.items() if path.stem != "test"}
    draw_figures(own, tmp_path / "figures", beside)
    assert sorted(drawn[0]) == ["de-en (other)", "de-en (test)", "de-fr"]
    with pytest.raises(BadFile, match=r"test\.json: de-en \(test\) is drawn already; rename the file"):
        draw_figures(own, tmp_path / "figures", reports)
