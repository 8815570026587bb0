"""`assay replay`, as users run it."""

import csv
import json
from pathlib import Path

import pytest

from assay.suites import load_suite, native_writer
from tests.conftest import Run
from tests.replay.campaigns import made_campaign

FEW = ("--judged", "30,60", "--draws", "4")


@pytest.fixture
def made(tmp_path: Path) -> list[str]:
    """A suite and the outputs of five systems."""
    suite, outputs = made_campaign(80)
    native_writer.write(suite, tmp_path / "in" / "suite")
    # In a folder items stand by category.
    places = {item.id: place for place, item in enumerate(suite.items)}
    order = [places[item.id] for item in load_suite(tmp_path / "in" / "suite").items]
    files = []
    for column, system in enumerate(outputs.systems):
        lines = [f"{outputs.text(item, column)}\n" for item in order]
        (tmp_path / "in" / f"{system.name}.txt").write_text("".join(lines), encoding="utf-8")
        files.append(f"in/{system.name}.txt")
    return ["in/suite", *files]


def test_the_table_has_a_row_for_each_policy_and_number(assay: Run, made: list[str]) -> None:
    shown = assay("replay", *made, "--hide", "exact", *FEW).stdout
    rows = [line.split()[:2] for line in shown.splitlines() if line.startswith(("estimate ", "fair ", "suggestions "))]
    assert rows == [[policy, judged] for judged in ("30", "60") for policy in ("estimate", "fair", "suggestions")]
    assert "Signature: assay:" in shown


@pytest.mark.parametrize("suffix", ["txt", "md", "tex", "csv", "json", "svg", "png", "pdf"])
def test_every_format(assay: Run, made: list[str], tmp_path: Path, suffix: str) -> None:
    said = assay("replay", *made, *FEW, "-o", f"replay.{suffix}").stdout
    assert said.startswith(f"replay.{suffix}: ")
    assert said.endswith(" texts hidden and judged again, 4 times\n")
    assert (tmp_path / f"replay.{suffix}").stat().st_size > 200


def test_json_and_csv_say_the_same(assay: Run, made: list[str]) -> None:
    document = json.loads(assay("replay", *made, *FEW, "-f", "json").stdout)
    lines = list(csv.DictReader(assay("replay", *made, *FEW, "-f", "csv").stdout.splitlines()))
    assert [line["policy"] for line in lines] == [line["policy"] for line in document["lines"]]
    assert [float(line["between"]) for line in lines] == [line["between"] for line in document["lines"]]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--share", "0"], "assay: the share to hide must be above 0 and at most 1, not 0\n"),
        (["--judged", "9000"], "assay: 9,000 texts cannot be judged: "),
        (["--judged", "many"], "'many' is not like 100,200,400"),
        (["-f", "png"], "assay: a picture needs a file: -o replay.png\n"),
        (["-o", "replay.docx"], "assay: replay.docx: the suffix names no format"),
    ],
)
def test_mistakes_are_one_line(assay: Run, made: list[str], options: list[str], said: str) -> None:
    assert said in assay("replay", *made, *options, code=2).stderr


def test_a_suite_of_patterns_has_nothing_to_hide(assay: Run, tmp_path: Path) -> None:
    assay("demo")
    files = sorted(str(path.relative_to(tmp_path)) for path in (tmp_path / "assay-demo").glob("*.tsv"))
    said = assay("replay", "de-en", *files, code=2).stderr
    assert said.startswith("assay: there is nothing to hide: no text is decided by exact rules or judgements alone")


def test_what_sharing_corrections_costs(assay: Run, made: list[str], tmp_path: Path) -> None:
    """As if every system had the same correction: the level stays, intervals of pairs hold less."""
    given = ("replay", *made, *FEW, "--order", "sample", "--own", "0.5,0")
    lines = [line for line in json.loads(assay(*given, "-f", "json").stdout)["lines"] if line["policy"] == "estimate"]
    assert [(line["judged"], line["own"]) for line in lines] == [(n, own) for n in (30, 60) for own in (1, 0.5, 0)]
    assert lines[5]["pairs"] < lines[3]["pairs"]
    shown = assay(*given).stdout
    assert "estimate, own 0.5" in shown
    assert "|own:1,0.5,0" in shown.replace("\n", "")
    assay(*given, "-o", "trade-off.svg")
    assert "hold the truth" in (tmp_path / "trade-off.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (("--own", "2"), "assay: the own share of corrections must lie between 0 and 1, not 2\n"),
        (("--predictor", "neerest"), "assay: no suggester 'neerest'; did you mean nearest?\n"),
    ],
)
def test_bad_choices_of_the_estimate(assay: Run, made: list[str], given: tuple[str, ...], problem: str) -> None:
    assert assay("replay", *made, *given, code=2).stderr == problem


def test_a_suggester_has_a_say(assay: Run, made: list[str]) -> None:
    given = ("replay", *made, *FEW, "--order", "sample", "-f", "json")
    with_it, without = (json.loads(assay(*given, *more).stdout) for more in (("--predictor", "nearest"), ()))
    assert with_it["predictor"].startswith("nearest-2+nearest#")
    assert without["predictor"] == "nearest-2"
    assert with_it["lines"][0]["between"] != without["lines"][0]["between"]
