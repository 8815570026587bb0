"""A command as a metric: what it is given, what it may answer, and how it may fail."""

import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import Metric, load_metric
from assay.command import RunningCommand
from assay.errors import AssayError, BadOption
from assay.parallel.executor import BlockCancelled, cancelled_unless

SEGMENTS = [Segment("Haus", "house", "a house"), Segment("Maus", "mice\tand\nmen", "mouse")]

LENGTHS = "import sys\nfor line in sys.stdin:\n    print(len(line.split('\\t')[1]))\n"


def metric(folder: Path, code: str) -> Metric:
    return load_metric(f"mine=cmd:'{sys.executable}' '{script(folder, code, 'my metric.py')}'")


def script(folder: Path, code: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(code, encoding="utf-8")
    return path


def test_one_score_a_line(tmp_path: Path) -> None:
    assert metric(tmp_path, LENGTHS).score(SEGMENTS) == [5, 12]


def test_what_the_command_reads(tmp_path: Path) -> None:
    code = f"import sys\nopen({str(tmp_path / 'seen')!r}, 'wb').write(sys.stdin.buffer.read())\nprint('1\\n2')"
    metric(tmp_path, code).score([Segment("Größe", "size", "Größe\r\n"), *SEGMENTS[1:]])
    assert (tmp_path / "seen").read_bytes().decode() == "Größe\tsize\tGröße\nMaus\tmice and men\tmouse\n"


def test_numbers_in_every_spelling_and_no_score(tmp_path: Path) -> None:
    first, second = metric(tmp_path, "print(' 1e-3 \\nNaN', end='')").score(SEGMENTS)
    assert first == 0.001
    assert math.isnan(second)


def test_more_than_fits_into_a_pipe(tmp_path: Path) -> None:
    """It answers while it reads, so that both pipes are full at the same time."""
    many = [Segment("x" * 500, "y" * number, "z" * 500) for number in range(3000)]
    code = LENGTHS.replace("print(", "print(' ' * 300, ")
    assert metric(tmp_path, code).score(many) == list(range(3000))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print(1)", r"wrote 1 lines for 2 segments; it has to write one score a line$"),
        ("print('1\\n2\\n3')", r"wrote more than 2 lines for 2 segments; it has to write one score a line$"),
        ("while True: print(1)", r"wrote more than 2 lines for 2 segments; it has to write one score a line$"),
        ("while True: print(1, end='')", r": line 1 of what it wrote is '111.*', not a number"),
        ("pass", r"wrote 0 lines for 2 segments"),
        ("print('1\\ngood')", r": line 2 of what it wrote is 'good', not a number; .* messages to standard error$"),
        ("print('\\n2')", r": line 1 of what it wrote is '', not a number"),
        (
            "import sys; print('1\\n2'); sys.exit('loading\\nno model here')",
            r"failed with exit code 1: no model here; cure that and run this again: what was scored before is kept$",
        ),
        ("raise SystemExit(3)", r"failed with exit code 3; cure that"),
        ("import os; os.kill(os.getpid(), 9)", r"was killed by SIGKILL; cure that"),
        (
            "import sys; sys.stdout.buffer.write(b'1\\n\\xff\\n')",
            r": line 2 of what it wrote is '\ufffd', not a number",
        ),
    ],
)
def test_what_goes_wrong_is_named(tmp_path: Path, code: str, said: str) -> None:
    mine = metric(tmp_path, code)
    with pytest.raises(AssayError, match=rf"^the metric command .*my metric\.py.*{said}"):
        mine.score(SEGMENTS)


def test_a_command_that_does_not_read_its_input(tmp_path: Path) -> None:
    many = [Segment("x" * 500, "y", "z") for _ in range(1000)]
    assert metric(tmp_path, "print('1\\n' * 1000, end='')").score(many) == [1] * 1000


def test_commands_that_cannot_be_run(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"cannot be run: there is no nosuchcommand; give its path, ./nosuchcommand"):
        load_metric("cmd:nosuchcommand -x").score(SEGMENTS)
    script = tmp_path / "script"
    script.write_text(LENGTHS)
    with pytest.raises(BadOption, match=r"cannot be run: permission denied; is it executable"):
        load_metric(f"cmd:{script}").score(SEGMENTS)
    with pytest.raises(BadOption, match=r"names no command; write NAME=cmd:COMMAND"):
        load_metric("mine=cmd: ")
    with pytest.raises(BadOption, match=r"cannot be split into words: no closing quotation"):
        load_metric("cmd:mine 'a")


def collect(folder: Path, code: str, found: list[float]) -> None:
    """Add what a script scores to what was found."""
    stream = load_metric(f"cmd:{sys.executable} {script(folder, code)}").stream
    assert stream is not None
    for piece in stream([*SEGMENTS] * 3):
        found += piece


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        ("sys.exit(1)", [1, 2]),  # the line without an end may be half a number
        ("os.kill(os.getpid(), 15)", [1, 2]),
        ("print('\\nthree')", []),  # who cannot count may have been wrong before
        ("", []),
    ],
)
def test_what_a_command_wrote_before_it_died_comes_before_the_error(tmp_path: Path, end: str, kept: list[int]) -> None:
    code = f"import os, sys\nprint('1\\n2\\n3.1', end='', flush=True)\n{end}\n"
    found: list[float] = []
    with pytest.raises(AssayError):
        collect(tmp_path, code, found)
    assert found == kept


def test_an_interrupted_command_is_ended_and_what_it_wrote_is_kept(tmp_path: Path) -> None:
    """Ctrl-C comes while the third score is awaited; the child of the command ends too."""
    code = (
        "import os, signal, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(tmp_path / 'child')!r}, 'w').write(str(child.pid))\n"
        "print('1\\n2', flush=True)\n"
        f"os.kill({os.getpid()}, signal.SIGINT)\n"
        "time.sleep(600)\n"
    )
    found: list[float] = []
    with pytest.raises(KeyboardInterrupt):
        collect(tmp_path, code, found)
    assert found in ([1, 2], [1], [])  # as far as they had been read
    assert has_ended(tmp_path / "child")


def test_a_command_that_writes_nothing_for_long_is_ended_with_its_block(tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        f"open({str(tmp_path / 'new')!r}, 'w').write(str(os.getpid()))\n"
        f"os.rename({str(tmp_path / 'new')!r}, {str(tmp_path / 'started')!r})\n"
        "time.sleep(600)\n"
    )
    score = metric(tmp_path, code).score
    with cancelled_unless(lambda: not (tmp_path / "started").exists()), pytest.raises(BlockCancelled):
        score(SEGMENTS)
    assert has_ended(tmp_path / "started")


def has_ended(file: Path) -> bool:
    """Whether the process whose number is in the file ends soon."""
    process = int(file.read_text())
    for _ in range(6000):
        if not is_running(process):
            return True
        time.sleep(0.01)
    return False


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_changed_script_is_another_metric(tmp_path: Path) -> None:
    path = script(tmp_path, LENGTHS)
    spec = f"cmd:{sys.executable} {path} --model={script(tmp_path, 'x', 'model.bin')}"
    before = load_metric(spec).signature
    assert load_metric(spec).signature == before
    path.write_text(LENGTHS + "\n")
    after = load_metric(spec).signature
    assert after != before
    script(tmp_path, "y", "model.bin")
    assert load_metric(spec).signature not in (before, after)


def test_a_command_is_named_after_its_script(tmp_path: Path) -> None:
    path = script(tmp_path, LENGTHS, "my_metric.py")
    for spec in (f"cmd:python3 {path} -x", f"cmd:{sys.executable} -u {path}", f"cmd:{path} --fast"):
        assert load_metric(spec).name == "my_metric"
    assert load_metric(f"cmd:my-tool {path}").name == "my-tool"
    assert load_metric(f"cmd:python3 -c {'x' * 300}").name == "python3"


def test_a_command_that_is_interrupted_while_it_starts_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else would know of it: Ctrl-C comes before the caller has it in hand."""
    real = subprocess.Popen
    started: list[subprocess.Popen[bytes]] = []

    def popen(*given: Any, **more: Any) -> "subprocess.Popen[bytes]":
        started.append(real(*given, **more))
        os.kill(os.getpid(), signal.SIGINT)
        return started[-1]

    monkeypatch.setattr("assay.command.subprocess.Popen", popen)
    with pytest.raises(KeyboardInterrupt):
        RunningCommand([sys.executable, "-c", "import time; time.sleep(600)"], [], "it", BadOption)
    assert started[0].wait() == -signal.SIGKILL
