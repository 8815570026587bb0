"""`assay translate` that is killed, interrupted or refused, and what another run makes of what is there."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.translate.command_engine import SOURCES, asked, command, journalled, outputs, started
from tests.translate.fakes import wait_for_the_end
from tests.translate.spanish import SPANISH, SUITE


def test_other_parameters_are_asked_for_again_and_said(assay: Run, tmp_path: Path) -> None:
    assay("translate", SPANISH, "--system", "apertium", "-o", "out")
    first = (tmp_path / "out" / "campaign.yaml").read_text("utf-8")
    said = assay("translate", SPANISH, "--system", "apertium:unknown=mark", "-o", "out").stdout
    assert "has answers of other parameters, which were not used" in said
    assert "1 request" in said
    assert (tmp_path / "out" / "campaign.yaml").read_text("utf-8") != first


@pytest.mark.parametrize("after", [1, 6])
def test_killed_in_the_middle_and_resumed(assay: Run, tmp_path: Path, after: int) -> None:
    """No confirmed answer is asked for again, and none is lost."""
    spec = command(tmp_path, "time.sleep(0.05); print(line.upper())")
    arguments = ["translate", SPANISH, "--system", spec, "-o", "out", "--batch", "1", "--concurrency", "2"]
    with subprocess.Popen([sys.executable, "-m", "assay", *arguments], cwd=tmp_path, stdout=subprocess.DEVNULL) as run:
        while len(journalled(tmp_path)) < after:
            assert run.poll() is None
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
    confirmed = journalled(tmp_path)
    assert after <= len(confirmed) < 15
    assert not (tmp_path / "out" / "mine.tsv").exists()
    said = assay(*arguments).stdout
    known = "1 sentence" if len(confirmed) == 1 else f"{len(confirmed)} sentences"
    assert f"15 of 15 items, {15 - len(confirmed)} requests, {known} known from an earlier run" in said
    assert Counter(journalled(tmp_path)) == Counter(SOURCES)
    assert all(asked(tmp_path)[sentence] == 1 for sentence in confirmed)
    assert outputs(tmp_path) == [f"{item.id}\tmine\t{item.source.upper()}" for item in SUITE]


def test_interrupted(assay: Run, tmp_path: Path) -> None:
    """Ctrl-C: quick, exit code 130, and the outputs that came are written."""
    spec = command(tmp_path, "time.sleep(60 if 'match' in line else 0); print(line.upper())")
    arguments = ["translate", SPANISH, "--system", spec, "-o", "out", "--batch", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "assay", *arguments], cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True
    ) as run:
        while not journalled(tmp_path):
            assert run.poll() is None
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGINT)
        _, problems = run.communicate(timeout=20)
    assert run.returncode == 130
    assert problems.decode().endswith("assay: interrupted\n")
    assert len(outputs(tmp_path)) == len(journalled(tmp_path)) == 1
    assert "\nwarnings " in assay("evaluate", SPANISH, "out/campaign.yaml").stdout


def test_a_refusal_keeps_what_came_and_the_next_system_has_its_turn(assay: Run, tmp_path: Path) -> None:
    spec = command(tmp_path, "sys.exit('no quota') if 'candle' in line else print(line.upper())")
    done = assay("translate", SPANISH, "--system", spec, "--system", "cmd:cat", "-o", "out", "--batch", "1", code=3)
    assert "mine.tsv: 2 of 15 items" in done.stdout
    assert "cat.tsv: 15 of 15 items" in done.stdout
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("failed with exit code 1: no quota\n")
    result = assay("evaluate", SPANISH, "out/campaign.yaml", "--keep-all", "-f", "json").stdout
    assert {system["name"]: system["missing"] for system in json.loads(result)["systems"]} == {"mine": 13, "cat": 0}


def test_a_missing_answer_stays_missing(assay: Run, tmp_path: Path) -> None:
    spec = command(tmp_path, "print('' if 'candle' in line else line.upper())")
    done = assay("translate", SPANISH, "--system", spec, "--system", "cmd:cat", "-o", "out", code=3)
    assert "mine: 1 sentence without an answer: the answer is empty" in done.stderr
    assert len(outputs(tmp_path)) == 15
    result = json.loads(assay("evaluate", SPANISH, "out/campaign.yaml", "-f", "json").stdout)
    found = {system["name"]: system for system in result["systems"]}
    assert (found["mine"]["missing"], found["mine"]["outputs"]) == (1, 15)
    again = assay("translate", SPANISH, "--system", spec, "-o", "out", code=3).stdout
    assert "14 of 15 items, 1 request, 14 sentences known from an earlier run" in again


def test_what_no_system_answered_is_missing_too(assay: Run, tmp_path: Path) -> None:
    """The strict policy counts it as not correct: an item that nobody answered does not leave the evaluation."""
    spec = command(tmp_path, "print('' if 'candle' in line else line.upper())")
    assay("translate", SPANISH, "--system", spec, "-o", "out", code=3)
    (empty,) = (item.id for item in SUITE if "candle" in item.source)
    assert f"{empty}\tmine\t" in outputs(tmp_path)
    result = json.loads(assay("evaluate", SPANISH, "out/campaign.yaml", "--policy", "strict", "-f", "json").stdout)
    (system,) = result["systems"]
    assert (system["missing"], system["outputs"]) == (1, 15)
    (micro,) = (row for row in result["rows"] if row["level"] == "micro")
    assert [cell["total"] for cell in micro["cells"]] == [15]
    assay("translate", SPANISH, "--system", spec, "-o", "out", "--limit", "1")
    assert f"{empty}\tmine\t" in outputs(tmp_path)


def test_a_changed_script_is_asked_again(assay: Run, tmp_path: Path) -> None:
    arguments = ["translate", SPANISH, "--system", command(tmp_path), "-o", "out"]
    assay(*arguments)
    command(tmp_path, "print(line.lower())")
    done = assay(*arguments).stdout
    assert "15 of 15 items, 1 request\n" in done
    assert "has answers of other parameters, which were not used" in done
    assert outputs(tmp_path) == [f"{item.id}\tmine\t{item.source.lower()}" for item in SUITE]


def test_outputs_that_were_changed_by_hand(assay: Run, tmp_path: Path) -> None:
    """They are not overwritten, and a result does not pass them off as collected."""
    arguments = ["translate", SPANISH, "--system", command(tmp_path), "-o", "out"]
    evaluated = ["evaluate", SPANISH, "out/campaign.yaml", "-f", "json"]
    assay(*arguments)
    before = json.loads(assay(*evaluated).stdout)
    file = tmp_path / "out" / "mine.tsv"
    kept = file.read_text("utf-8")
    file.write_text(kept.replace("THE ", "A "), encoding="utf-8")
    refused = assay(*arguments, code=2).stderr
    assert refused == (
        "assay: out/mine.tsv: was changed after its outputs were collected; "
        "rename it to keep the changes, or lose them with --force\n"
    )
    after = json.loads(assay(*evaluated).stdout)
    assert after["signature"] != before["signature"]
    assert "edited" not in before["systems"][0]["metadata"]
    assert after["systems"][0]["metadata"]["edited"] == "after collecting"
    assert "0 requests" in assay(*arguments, "--force").stdout
    assert file.read_text("utf-8") == kept
    assert json.loads(assay(*evaluated).stdout) == before


def test_force_keeps_the_systems_of_earlier_runs(assay: Run, tmp_path: Path) -> None:
    assay("translate", SPANISH, "--system", command(tmp_path), "-o", "out")
    assay("translate", SPANISH, "--system", "cmd:cat", "-o", "out", "--force", "--campaign", "autumn")
    found = (tmp_path / "out" / "campaign.yaml").read_text("utf-8")
    assert found.startswith("campaign: autumn\noutputs:\n")
    assert "mine.tsv" in found
    assert "cat.tsv" in found


def test_killed_between_outputs_and_campaign(assay: Run, tmp_path: Path) -> None:
    """The outputs are then those of the journal beside them, and another run may write them again."""
    arguments = ["translate", SPANISH, "--system", command(tmp_path), "-o", "out"]
    assay(*arguments)
    campaign = tmp_path / "out" / "campaign.yaml"
    whole = campaign.read_text("utf-8")
    campaign.unlink()
    assay(*arguments)
    assert campaign.read_text("utf-8") == whole
    campaign.write_text(whole.replace("digest: ", "digest: '0'  # "), encoding="utf-8")
    assay(*arguments)
    assert campaign.read_text("utf-8") == whole


def test_whoever_ends_the_command_ends_its_engine(tmp_path: Path) -> None:
    """SIGTERM reaches what the command has started, and that of it which started more."""
    script = tmp_path / "slow.sh"
    script.write_text("sleep 300 &\necho $! > pid\nwait\n", encoding="utf-8")
    arguments = [sys.executable, "-m", "assay", "translate", SPANISH, "--system", "mine=cmd:sh slow.sh", "-o", "out"]
    with subprocess.Popen(arguments, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        pid = started(tmp_path / "pid")
        run.terminate()
        assert run.wait(20) == 130
    wait_for_the_end(pid)
