"""Options that nobody knows and places that cannot be written: one line, exit code 2, and nothing written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.suites import load_suite
from tests.conftest import Refused, Run
from tests.contrasts.garden import CAREFUL, garden
from tests.suites.building import listing

# Options


@pytest.mark.parametrize("alpha", ["0", "1", "-1", "nan", "inf", "1.5"])
def test_an_alpha_out_of_range(refused: Refused, alpha: str) -> None:
    assert "it must lie between 0 and 1" in refused("evaluate", "de-en", CAREFUL, f"--alpha={alpha}", "-o", "r.json")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "de-en", CAREFUL, "--systems", "carefull"], "no system 'carefull'; did you mean careful?"),
        (["evaluate", "de-en", CAREFUL, "--systems", "x*"], "no system 'x*'; there are: careful"),
        (["evaluate", "de-en", CAREFUL, "-o", "result"], "result: the suffix names no format; "),
        (["evaluate", "de-en", CAREFUL, "-o", "result.docx"], "result.docx: the suffix names no format; "),
        (
            ["evaluate", "de-en", CAREFUL, "--verdicts", "v.csv"],
            "v.csv: verdicts are written as .tsv, .jsonl or .parquet; ",
        ),
        (["evaluate", "de-en", f"={CAREFUL}"], f"'={CAREFUL}' is not NAME=FILE"),
        (["evaluate", "de-en", CAREFUL, "--draws", "0"], "draws is 0; "),
        (["evaluate", "de-en", CAREFUL, "--seed", "-1"], "seed is -1; "),
        (["evaluate", "de-en", "-", "x=-"], "standard input (-) can be read only once"),
        (
            ["explain", "de-en", CAREFUL, "--item", "lexical-ambiguity/bimre"],
            "no item 'lexical-ambiguity/bimre'; did you",
        ),
        (["lint", "de-en", "--ignore", "never-fire"], "no problem code 'never-fire'; did you mean never-fires, never-matches?"),
        (["demo", "klingon"], "no suite with bundled outputs 'klingon'; there are: de-en"),
        (["suite", "convert", "de-en", "-o", "items.json"], "items.json: this format cannot hold "),
    ],
)
def test_a_name_or_suffix_that_nobody_knows(refused: Refused, arguments: list[str], message: str) -> None:
    assert refused(*arguments).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "de-en", CAREFUL, "--policy", "kind"], "'kind' is not one of 'fair', 'own', 'strict'"),
        (["evaluate", "de-en", CAREFUL, "--format", "pdf"], "'pdf' is not one of"),
        (["evaluate", "de-en", CAREFUL, "--by", "item"], "'item' is not one of"),
        (["evaluate", "de-en", CAREFUL, "--alpha", "much"], "'much' is not a valid float"),
        (["evaluate", "de-en", CAREFUL, "--polcy", "own"], "No such option"),
        (["evaluate", "de-en"], "no outputs given"),
        (["evaluate", "de-en", CAREFUL, "--campaign", "x.yaml"], "x.yaml lists its outputs itself"),
        (["evaluate"], "Missing argument 'SUITE'"),
        (["warnings", "de-en", CAREFUL], "Missing option '-o' / '--output'"),
        (["evalute", "de-en"], "no command 'evalute'; did you mean 'evaluate'?"),
        (["suite", "lst"], "lst"),
    ],
)
def test_a_wrong_option_is_a_usage_error(assay: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
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
        ["evaluate", "de-en", CAREFUL, "-o", "{}/r.json"],
        ["evaluate", "de-en", CAREFUL, "--verdicts", "{}/v.tsv"],
        ["evaluate", "de-en", CAREFUL, "--verdicts", "v.tsv", "-o", "{}/r.json"],
        ["warnings", "de-en", CAREFUL, "-o", "{}/todo.tsv"],
        ["suite", "sources", "de-en", "-o", "{}/s.txt"],
        ["suite", "convert", "de-en", "-o", "{}/items.json", "--lossy"],
    ],
)
def test_a_folder_that_is_not_there(refused: Refused, tmp_path: Path, arguments: list[str], target: str) -> None:
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    message = refused(*(argument.format(target) for argument in arguments))
    assert message.startswith(f"{target}/")
    assert "cannot be written" in message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_not_writable(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    message = refused("evaluate", "de-en", CAREFUL, "-o", "locked/r.json")
    assert message == "locked/r.json: cannot be written (Permission denied)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "de-en", CAREFUL, "-o", "folder.json"], "folder.json: cannot be written"),
        (["suite", "convert", "de-en", "-o", "full"], "full: the folder has no suite.yaml"),
        (["suite", "convert", "de-en", "-o", "."], ".: "),
        (["suite", "convert", "de-en", "-o", ".", "--force"], ".: "),
        (["suite", "convert", "de-en", "-o", "full", "--force"], "full: "),
    ],
)
def test_a_folder_in_the_way(refused: Refused, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("years of work", encoding="utf-8")
    assert refused(*arguments).startswith(message)


def test_a_suite_in_the_way_needs_force(refused: Refused, assay: Run, tmp_path: Path) -> None:
    garden(tmp_path, "  - {id: a, source: Eins.}\n")
    message = refused("suite", "convert", "de-en", "-o", "garden")
    assert message == "garden: the folder is not empty; choose another name or add --force"
    assay("suite", "convert", "de-en", "-o", "garden", "--force")
    assert load_suite(tmp_path / "garden").name == "assay-de-en"


def test_a_suite_is_not_written_over_the_current_folder(refused: Refused, tmp_path: Path) -> None:
    (garden(tmp_path, "  - {id: a, source: Eins.}\n") / "suite.yaml").rename(tmp_path / "suite.yaml")
    assert refused("suite", "convert", "de-en", "-o", ".", "--force").startswith(".: ")


def test_an_input_is_not_overwritten(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "sys.tsv").write_bytes(Path(CAREFUL).read_bytes())
    assert "sys.tsv" in refused("evaluate", "de-en", "sys.tsv", "--verdicts", "sys.tsv", "-o", "r.json")


def test_report_and_verdicts_are_two_files(refused: Refused) -> None:
    assert "x.tsv" in refused("evaluate", "de-en", CAREFUL, "--verdicts", "x.tsv", "-o", "x.tsv", "-f", "csv")


def test_a_minus_is_no_file_to_write(assay: Run, tmp_path: Path) -> None:
    """As an input it is standard input; as an output it is standard output."""
    done = assay("evaluate", "de-en", CAREFUL, "-f", "json", "-o", "-")
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
