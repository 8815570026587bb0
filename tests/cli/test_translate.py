"""`assay translate`, as users run it: the real Apertium, commands that fail, and processes that are killed."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.spanish import SPANISH, SUITE
from tests.systems.fakes import wait_for_the_end
from tests.systems.server import KEY, MODEL, Fault, MtServer

COMMAND = """
import pathlib, sys, time

log = pathlib.Path(__file__).with_name("asked.txt")
for line in sys.stdin.read().splitlines():
    with log.open("a", encoding="utf-8") as stream:
        stream.write(line + "\\n")
    {}
"""


def command(folder: Path, does: str = "print(line.upper())") -> str:
    """A command that writes down what it is asked, and does something with every line."""
    path = folder / "translate.py"
    path.write_text(COMMAND.format(does), encoding="utf-8")
    return f"mine=cmd:{sys.executable} {path}"


def asked(folder: Path) -> Counter[str]:
    """What the command was asked, how often."""
    log = folder / "asked.txt"
    return Counter(log.read_text("utf-8").splitlines()) if log.exists() else Counter()


def journalled(folder: Path) -> list[str]:
    """The sentences in the journal of `mine`."""
    lines = [line for path in folder.glob("out/mine.*.jsonl") for line in path.read_bytes().split(b"\n")[1:-1]]
    return [json.loads(line)["source"] for line in lines]


def outputs(folder: Path) -> list[str]:
    return (folder / "out" / "mine.tsv").read_text("utf-8").splitlines()[1:]


def suite_of(folder: Path, *items: str) -> str:
    """A native suite of these items, as YAML in flow style."""
    path = folder / "suite"
    path.mkdir()
    head = "name: little\nlangpair: en-es\ncategories: {C: {P: x}}\n"
    (path / "suite.yaml").write_text(head, encoding="utf-8")
    text = "category: C\nphenomenon: P\nitems:\n" + "".join(f"  - {{{item}}}\n" for item in items)
    (path / "p.yaml").write_text(text, encoding="utf-8")
    return str(path)


def started(file: Path) -> int:
    """The number of the process that was written to a file."""
    while not (file.exists() and file.read_text("utf-8").endswith("\n")):
        time.sleep(0.01)
    return int(file.read_text("utf-8"))


SOURCES = [item.source for item in SUITE]


def test_apertium_from_the_suite_to_the_table(assay: Run, tmp_path: Path) -> None:
    """The whole way with a real engine; which items it gets right is its own business, but some and not all."""
    planned = assay("translate", SPANISH, "--system", "apertium", "-o", "out", "--dry-run").stdout
    assert planned == (
        f"apertium: 15 sentences, {sum(map(len, SOURCES))} characters, tokens –, 1 request, cost –\n"
        "  the sentences stay on this machine\n"
    )
    assert not (tmp_path / "out").exists()
    said = assay("translate", SPANISH, "--system", "apertium", "-o", "out", "--campaign", "autumn").stdout
    assert said.startswith("out/apertium.tsv: 15 of 15 items, 1 request\n")
    table = assay("evaluate", SPANISH, "out/campaign.yaml").stdout
    assert "apertium" in table
    assay("evaluate", SPANISH, "out/campaign.yaml", "-o", "result.json")
    result = json.loads((tmp_path / "result.json").read_text("utf-8"))
    (system,) = result["systems"]
    assert (system["name"], system["campaign"], system["missing"]) == ("apertium", "autumn", 0)
    assert system["pass"] >= 3
    assert system["fail"] >= 3
    metadata = system["metadata"]
    assert (metadata["engine"], metadata["mode"], metadata["unknown"]) == ("apertium", "eng-spa", "plain")
    assert metadata["first_answer"] <= metadata["last_answer"]
    assert metadata["suite"] == f"{SUITE.name}@{SUITE.version}#{SUITE.hash}"
    assert "|outputs:" in result["signature"]
    again = assay("translate", SPANISH, "--system", "apertium", "-o", "out").stdout
    assert "15 of 15 items, 0 requests, 15 sentences known from an earlier run, 20" in again
    assay("evaluate", SPANISH, "out/campaign.yaml", "-o", "again.json")
    assert json.loads((tmp_path / "again.json").read_text("utf-8")) == result


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
    assert "items count" in assay("evaluate", SPANISH, "out/campaign.yaml").stdout


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


def test_budgets_stop_in_time(assay: Run, tmp_path: Path) -> None:
    arguments = ["translate", SPANISH, "--system", command(tmp_path), "-o", "out", "--batch", "1"]
    done = assay(*arguments, "--max-requests", "4", code=3)
    assert "4 of 15 items, 4 requests" in done.stdout
    assert done.stderr == "assay: mine: 4 requests were allowed, and made\n"
    assert sum(asked(tmp_path).values()) == 4
    assert "15 of 15 items, 11 requests" in assay(*arguments).stdout
    refused = assay(*arguments, "--max-cost", "1", code=2).stderr
    assert "--max-cost needs prices, and" in refused


def test_a_limit_of_items_is_no_loss_of_others(assay: Run, tmp_path: Path) -> None:
    arguments = ["translate", SPANISH, "--system", command(tmp_path), "-o", "out"]
    assert "mine.tsv: 2 of 2 items" in assay(*arguments, "--limit", "2").stdout
    assay(*arguments)
    assert "mine.tsv: 3 of 3 items, 0 requests" in assay(*arguments, "--limit", "3").stdout
    assert len(outputs(tmp_path)) == 15


def test_the_same_sentence_is_asked_once(assay: Run, tmp_path: Path) -> None:
    suite = suite_of(tmp_path, "id: a, source: One cat., pass: [x]", "id: b, source: One cat., pass: [y]")
    assay("translate", suite, "--system", command(tmp_path), "-o", "out")
    assert asked(tmp_path) == {"One cat.": 1}
    assert len(outputs(tmp_path)) == 2


def test_a_limit_counts_items_where_sentences_repeat(assay: Run, tmp_path: Path) -> None:
    same = [f"id: {name}, source: One cat., pass: [x]" for name in "abcd"]
    suite = suite_of(tmp_path, *same)
    arguments = ["translate", suite, "--system", command(tmp_path), "-o", "out"]
    assert "mine.tsv: 3 of 3 items, 1 request" in assay(*arguments, "--limit", "3").stdout
    assert len(outputs(tmp_path)) == 3
    assert "mine.tsv: 4 of 4 items, 0 requests, 1 sentence known" in assay(*arguments).stdout
    assert len(outputs(tmp_path)) == 4


def test_held_out_items_leave_only_with_permission(assay: Run, tmp_path: Path) -> None:
    """What a command does with a sentence is not known; Apertium runs on this machine."""
    held = "source: Two cats., held_out: true"
    suite = suite_of(tmp_path, "id: a, source: One cat., pass: [x]", f"id: b, {held}, pass: [y]")
    arguments = ["translate", suite, "--system", command(tmp_path), "-o", "out"]
    planned = assay(*arguments, "--dry-run").stdout
    assert planned.startswith("mine: 1 sentence, 8 characters")
    assert "the sentences leave this machine\n  1 held-out sentence not sent" in planned
    done = assay(*arguments).stdout
    assert "mine.tsv: 1 of 2 items" in done
    assert "1 held-out sentence not sent; add --send-held-out" in done
    assert asked(tmp_path) == {"One cat.": 1}
    assert "apertium.tsv: 2 of 2 items" in assay("translate", suite, "--system", "apertium", "-o", "out").stdout
    assert "2 of 2 items" in assay(*arguments, "--send-held-out").stdout
    assert asked(tmp_path) == {"One cat.": 1, "Two cats.": 1}


def test_on_a_terminal_the_command_asks(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, "id: a, source: One cat., pass: [x]", "id: b, source: Two., held_out: true, pass: [y]")
    arguments = [sys.executable, "-m", "assay", "translate", suite, "--system", command(tmp_path), "-o", "out"]
    for answer, sent in ((b"n\n", 1), (b"y\n", 2)):
        screen, terminal = pty.openpty()
        with subprocess.Popen(arguments, cwd=tmp_path, stdin=terminal, stderr=terminal, stdout=subprocess.PIPE) as run:
            os.close(terminal)
            os.write(screen, answer)
            run.communicate(timeout=30)
            question = os.read(screen, 1000).decode()
        os.close(screen)
        assert "mine: send 1 held-out sentence to an engine outside of this machine? [y/N]" in question
        assert run.returncode == 0
        assert len(asked(tmp_path)) == sent


def test_a_real_server_with_faults(assay: Run, tmp_path: Path) -> None:
    """Over HTTP: faults that pass are repeated, a refused key is one line, and no key is written anywhere."""
    with MtServer(wants_key=True) as server:
        server.next(Fault.BROKEN, Fault.CUT, Fault.HALF_JSON, Fault.GONE, Fault.RATE_BARE)
        spec = f"echo={server.spec('openai', key_env='MY_KEY')}"
        arguments = ["translate", SPANISH, "--system", spec, "-o", "out", "--timeout", "20"]
        done = assay(*arguments, MY_KEY=KEY)
        assert "echo.tsv: 15 of 15 items, 20 requests, 5 repetitions" in done.stdout
        refused = assay(*arguments, "--campaign", "", MY_KEY="another-key-4712", code=0)
        assert "0 requests" in refused.stdout
        other = ["translate", SPANISH, "--system", f"{spec},temperature=1", "-o", "out"]
        refused = assay(*other, MY_KEY="another-key-4712", code=3)
        assert refused.stderr.count("\n") == 1
        assert "refused the key in MY_KEY" in refused.stderr
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir())
    assert KEY.encode() not in written
    assert b"another-key" not in written
    assert KEY not in done.stdout + done.stderr
    about = (tmp_path / "out" / "campaign.yaml").read_text("utf-8")
    assert f"answered_model: {MODEL}" in about
    assert "prompt: " in about


def test_ready_outputs_are_one_more_system(assay: Run, tmp_path: Path) -> None:
    lines = "".join(f"{source.lower()}\n" for source in SOURCES)
    (tmp_path / "ready.txt").write_text(lines, encoding="utf-8")
    assay("translate", SPANISH, "--system", "cmd:cat", "-o", "out")
    said = assay("translate", SPANISH, "--system", "theirs=file:ready.txt", "-o", "out").stdout
    assert "out/theirs.tsv: 15 of 15 items, 0 requests" in said
    assert "copy of the source: 15" in said
    result = json.loads(assay("evaluate", SPANISH, "out/campaign.yaml", "-f", "json").stdout)
    assert sorted(system["name"] for system in result["systems"]) == ["cat", "theirs"]
    assert (
        "there is no such file" in assay("translate", SPANISH, "--system", "file:gone.txt", "-o", "out", code=2).stderr
    )


def test_ready_outputs_that_lack_items(assay: Run, tmp_path: Path) -> None:
    rows = "".join(f"{item.id}\tx\tLa casa.\n" for item in SUITE.items[:13])
    (tmp_path / "part.tsv").write_text(f"item\tsystem\ttext\n{rows}", encoding="utf-8")
    done = assay("translate", SPANISH, "--system", "theirs=file:part.tsv", "-o", "out", code=3)
    assert "out/theirs.tsv: 13 of 15 items" in done.stdout
    assert done.stderr == "assay: theirs: 2 of 15 items have no output in part.tsv\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--system", "apertum"], "no engine 'apertum'; did you mean apertium"),
        (["--system", "apertium:mod=x"], "no option of apertium 'mod'; did you mean mode"),
        (["--system", "apertium", "--system", "apertium"], "the system 'apertium' is given twice"),
        (["--system", "x=cmd:cat", "--system", "x=cmd:cat"], "rename one with NAME=cmd:cat\n"),
        (["--system", "apertium", "--timeout", "0"], "timeout is 0; it must be above 0"),
        (["--system", "..=apertium"], "'..' is no name for a system"),
        (["--system", "a b=apertium", "--system", "a_b=apertium"], "is to be written twice"),
    ],
)
def test_mistakes_are_one_line(assay: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    done = assay("translate", SPANISH, *arguments, "-o", "out", code=2)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_an_engine_that_cannot_start_is_exit_code_3(assay: Run, tmp_path: Path) -> None:
    done = assay("translate", SPANISH, "--system", "mine=cmd:./gone.sh", "-o", "out", code=3)
    assert "there is no ./gone.sh" in done.stderr
    assert not (tmp_path / "out" / "campaign.yaml").exists()
    wrong = assay("translate", "de-en", "--system", "apertium", "-o", "out", code=3).stderr
    assert wrong == "assay: apertium has no mode for de-en; there are: eng-spa, spa-eng, spa-eng_US\n"


def test_what_others_wrote_is_not_replaced(assay: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    arguments = ["translate", SPANISH, "--system", "cmd:cat", "-o", "out"]
    (out / "cat.tsv").write_text("mine", encoding="utf-8")
    assert "there are outputs already, which were not collected here" in assay(*arguments, code=2).stderr
    (out / "cat.tsv").unlink()
    (out / "campaign.yaml").write_text("campaign: x\noutputs: ['*.txt']\n", encoding="utf-8")
    (out / "a.txt").write_text("mine", encoding="utf-8")
    assert "not a file that assay translate wrote" in assay(*arguments, code=2).stderr
    assay(*arguments, "--force")
    assert "holds the campaign" in assay(*arguments, "--campaign", "other", code=2).stderr
    other = suite_of(tmp_path, "id: a, source: One cat., pass: [x]")
    refused = assay("translate", other, "--system", "cmd:cat", "-o", "out", code=2).stderr
    assert f"cat holds outputs of the suite '{SUITE.name}', not 'little'" in refused


def test_the_engines_are_listed(assay: Run) -> None:
    listed = assay("translate", "--list").stdout
    assert "\napertium " in f"\n{listed}"
    assert "cmd             Any command: a sentence a line in, a translation a line out.\n" in listed
