"""Options that nobody knows and places that cannot be written: one line, exit code 2, and nothing written."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from assay.suites import load_suite
from tests.conftest import Refused, Run
from tests.contrasts.garden import garden
from tests.starter import CAREFUL, STARTER
from tests.suites.building import listing

# Options


@pytest.mark.parametrize("alpha", ["0", "1", "-1", "nan", "inf", "1.5"])
def test_an_alpha_out_of_range(refused: Refused, alpha: str) -> None:
    assert "it must lie between 0 and 1" in refused("evaluate", STARTER, CAREFUL, f"--alpha={alpha}", "-o", "r.json")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", STARTER, CAREFUL, "--systems", "carefull"], "no system 'carefull'; did you mean careful?"),
        (["evaluate", STARTER, CAREFUL, "--systems", "x*"], "no system 'x*'; there are: careful"),
        (["evaluate", STARTER, CAREFUL, "-o", "result"], "result: the suffix names no format; "),
        (["evaluate", STARTER, CAREFUL, "-o", "result.docx"], "result.docx: the suffix names no format; "),
        (
            ["evaluate", STARTER, CAREFUL, "--verdicts", "v.csv"],
            "v.csv: verdicts are written as .tsv, .jsonl or .parquet; ",
        ),
        (["evaluate", STARTER, f"={CAREFUL}"], f"'={CAREFUL}' is not NAME=FILE"),
        (["evaluate", STARTER, CAREFUL, "--draws", "0"], "draws is 0; "),
        (["evaluate", STARTER, CAREFUL, "--seed", "-1"], "seed is -1; "),
        (["evaluate", STARTER, "-", "x=-"], "standard input (-) can be read only once"),
        (
            ["explain", STARTER, CAREFUL, "--verdict", "fail", "--systems", "carefull"],
            "no system 'carefull'; did you mean careful?",
        ),
        (
            ["explain", STARTER, CAREFUL, "--item", "lexical-ambiguity/bimre"],
            "no item 'lexical-ambiguity/bimre'; did you",
        ),
        (["lint", STARTER, "--ignore", "never-fire"], "no problem code 'never-fire'; did you mean never-fires"),
        (["demo", "klingon"], "no suite with bundled outputs 'klingon'; there are: de-en"),
        (["suite", "convert", STARTER, "-o", "items.json"], "items.json: this format cannot hold "),
    ],
)
def test_a_name_or_suffix_that_nobody_knows(refused: Refused, arguments: list[str | Path], message: str) -> None:
    assert refused(*arguments).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", STARTER, CAREFUL, "--policy", "kind"], "'kind' is not one of 'fair', 'own', 'strict'"),
        (["evaluate", STARTER, CAREFUL, "--format", "pdf"], "'pdf' is not one of"),
        (["evaluate", STARTER, CAREFUL, "--by", "item"], "'item' is not one of"),
        (["evaluate", STARTER, CAREFUL, "--alpha", "much"], "'much' is not a valid float"),
        (["evaluate", STARTER, CAREFUL, "--polcy", "own"], "No such option"),
        (["evaluate", STARTER], "no outputs given"),
        (["evaluate", STARTER, CAREFUL, "--campaign", "x.yaml"], "x.yaml lists its outputs itself"),
        (["evaluate"], "Missing argument 'SUITE'"),
        (["warnings", STARTER, CAREFUL], "Missing option '-o' / '--output'"),
        (["evalute", STARTER], "no command 'evalute'; did you mean 'evaluate'?"),
        (["suite", "lst"], "lst"),
    ],
)
def test_a_wrong_option_is_a_usage_error(assay: Run, tmp_path: Path, arguments: list[str | Path], message: str) -> None:
    done = assay(*arguments, code=2)
    assert done.stderr.startswith("Usage: ")
    assert message in done.stderr
    assert done.stdout == ""
    assert listing(tmp_path) == {}


# Places that cannot be written


@pytest.mark.parametrize("target", ["nowhere", "file.txt"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", STARTER, CAREFUL, "-o", "{}/r.json"],
        ["evaluate", STARTER, CAREFUL, "--verdicts", "{}/v.tsv"],
        ["evaluate", STARTER, CAREFUL, "--verdicts", "v.tsv", "-o", "{}/r.json"],
        ["warnings", STARTER, CAREFUL, "-o", "{}/todo.tsv"],
        ["suite", "sources", STARTER, "-o", "{}/s.txt"],
        ["suite", "convert", STARTER, "-o", "{}/items.json", "--lossy"],
    ],
)
def test_a_folder_that_is_not_there(refused: Refused, tmp_path: Path, arguments: list[str | Path], target: str) -> None:
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    message = refused(*(str(argument).format(target) for argument in arguments))
    assert message.startswith(f"{target}/")
    assert "cannot be written" in message


def test_a_folder_that_is_not_writable(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    # Root may write everywhere but where the system itself keeps its files.
    folder = "locked" if os.geteuid() else "/sys"
    message = refused("evaluate", STARTER, CAREFUL, "-o", f"{folder}/r.json")
    assert re.fullmatch(rf"{folder}/r\.json: cannot be written \((Permission denied|Read-only file system)\)", message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", STARTER, CAREFUL, "-o", "folder.json"], "folder.json: cannot be written"),
        (["suite", "convert", STARTER, "-o", "full"], "full: the folder has no suite.yaml"),
        (["suite", "convert", STARTER, "-o", "."], ".: "),
        (["suite", "convert", STARTER, "-o", ".", "--force"], ".: "),
        (["suite", "convert", STARTER, "-o", "full", "--force"], "full: "),
    ],
)
def test_a_folder_in_the_way(refused: Refused, tmp_path: Path, arguments: list[str | Path], message: str) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("years of work", encoding="utf-8")
    assert refused(*arguments).startswith(message)


def test_a_suite_in_the_way_needs_force(refused: Refused, assay: Run, tmp_path: Path) -> None:
    garden(tmp_path, "  - {id: a, source: Eins.}\n")
    message = refused("suite", "convert", STARTER, "-o", "garden")
    assert message == "garden: the folder is not empty; choose another name or add --force"
    assay("suite", "convert", STARTER, "-o", "garden", "--force")
    assert load_suite(tmp_path / "garden").name == "assay-de-en"


def test_a_suite_is_not_written_over_the_current_folder(refused: Refused, tmp_path: Path) -> None:
    (garden(tmp_path, "  - {id: a, source: Eins.}\n") / "suite.yaml").rename(tmp_path / "suite.yaml")
    assert refused("suite", "convert", STARTER, "-o", ".", "--force").startswith(".: ")


def test_an_input_is_not_overwritten(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "sys.tsv").write_bytes(CAREFUL.read_bytes())
    assert "sys.tsv" in refused("evaluate", STARTER, "sys.tsv", "--verdicts", "sys.tsv", "-o", "r.json")


def test_report_and_verdicts_are_two_files(refused: Refused) -> None:
    assert "x.tsv" in refused("evaluate", STARTER, CAREFUL, "--verdicts", "x.tsv", "-o", "x.tsv", "-f", "csv")


def test_a_minus_is_no_file_to_write(assay: Run, tmp_path: Path) -> None:
    """As an input it is standard input; as an output it is standard output."""
    done = assay("evaluate", STARTER, CAREFUL, "-f", "json", "-o", "-")
    assert listing(tmp_path) == {}
    assert json.loads(done.stdout)["columns"] == ["careful"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_one_line_too() -> None:
    """`assay suite list > full-disk`."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "assay", "suite", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode != 0
    assert done.stderr.startswith("assay: ")
    assert done.stderr.count("\n") == 1


def test_a_disk_that_fills_up_while_writing_is_one_line_too(tmp_path: Path) -> None:
    command = f"ulimit -f 1; exec {sys.executable} -m assay suite convert de-en -o items.json --lossy"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("assay: items.json: cannot be written")
    assert listing(tmp_path) == {}
