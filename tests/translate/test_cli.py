"""`assay translate`, as users run it: the real Apertium, a real server, budgets, held-out items, and mistakes."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.translate.command_engine import SOURCES, asked, command, outputs
from tests.translate.protocols import KEY, MODEL, Fault
from tests.translate.server import MtServer
from tests.translate.spanish import SPANISH, SUITE


def suite_of(folder: Path, *items: str) -> str:
    """A native suite of these items, as YAML in flow style."""
    path = folder / "suite"
    path.mkdir()
    head = "name: little\nlangpair: en-es\ncategories: {C: {P: x}}\n"
    (path / "suite.yaml").write_text(head, encoding="utf-8")
    text = "category: C\nphenomenon: P\nitems:\n" + "".join(f"  - {{{item}}}\n" for item in items)
    (path / "p.yaml").write_text(text, encoding="utf-8")
    return str(path)


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


PROMPTED = (
    "id: plain, source: The bank was steep.",
    "id: river, source: The bank was steep., prompt: 'Speak of rivers, in {target_language}.'",
    "id: money, source: The bank was steep., prompt: Speak of money., context: A price.",
)


def test_language_models_get_the_prompts_of_items(assay: Run, tmp_path: Path) -> None:
    suite = suite_of(tmp_path, *PROMPTED)
    with MtServer() as server:
        arguments = ["translate", suite, "--system", server.spec("openai"), "-o", "out"]
        planned = assay(*arguments, "--dry-run").stdout
        assert assay(*arguments).stdout.startswith(
            "out/little.tsv: 3 of 3 items, 3 requests\n".replace("little", MODEL)
        )
        asked = {request.body["messages"][-1]["content"] for request in server.requests}
        # One prompt is another: only that item is asked for again.
        again = (tmp_path / "suite" / "p.yaml").read_text("utf-8").replace("of money", "of gold")
        (tmp_path / "suite" / "p.yaml").write_text(again, encoding="utf-8")
        said = assay(*arguments).stdout
        [last] = server.requests[3:]
    assert planned.startswith(f"{MODEL}: 3 sentences, 57 characters, about ")
    assert {text.partition("\n")[0] for text in asked} == {
        "Translate the following text from English to Spanish. Answer with the translation only, without quotation "
        "marks, notes or explanations.",
        "Speak of rivers, in Spanish.",
        "Context, not to be translated:",
    }
    assert "A price.\n\nSpeak of money.\n\nThe bank was steep." in "".join(asked)
    assert "3 of 3 items, 1 request, 2 sentences known from an earlier run" in said
    assert last.body["messages"][-1]["content"].endswith("Speak of gold.\n\nThe bank was steep.")
    assert "left out" not in planned + said


def test_an_estimate_counts_the_prompts_of_items(assay: Run, tmp_path: Path) -> None:
    suite = suite_of(tmp_path, *PROMPTED)
    plan = ["translate", suite, "--system", f"openai:model={MODEL},base_url=http://127.0.0.1:1/v1", "-o", "out"]
    short = assay(*plan, "--dry-run").stdout
    file = tmp_path / "suite" / "p.yaml"
    file.write_text(file.read_text("utf-8").replace("of money", "of money " * 40), encoding="utf-8")
    long = assay(*plan, "--dry-run").stdout
    tokens = [int(said.partition("about ")[2].partition(" ")[0]) for said in (short, long)]
    # 39 times nine characters more, four to a token
    assert 80 <= tokens[1] - tokens[0] <= 95


def test_engines_without_prompts_say_so_and_translate(assay: Run, tmp_path: Path) -> None:
    suite = suite_of(tmp_path, *PROMPTED)
    arguments = ["translate", suite, "--system", command(tmp_path), "-o", "out"]
    told = "  prompts or contexts of 2 items are left out: this engine cannot take them\n"
    assert assay(*arguments, "--dry-run").stdout.count(told) == 1
    said = assay(*arguments).stdout
    assert said.startswith("out/mine.tsv: 3 of 3 items, 1 request\n")
    assert said.count(told) == 1
    assert sum(asked(tmp_path).values()) == 1, "for an engine that knows no prompts it is one sentence"
