"""A command as a metric: what it is given, what it may answer, and how it may fail."""

import math
import sys
from pathlib import Path

import pytest

from assay.challenge.metric import Metric, load_metric
from assay.model import AssayError, BadOption
from assay.model.challenge import Segment

SEGMENTS = [Segment("Haus", "house", "a house"), Segment("Maus", "mice\tand\nmen", "mouse")]

LENGTHS = "import sys\nfor line in sys.stdin:\n    print(len(line.split('\\t')[1]))\n"


def metric(folder: Path, code: str) -> Metric:
    script = folder / "my metric.py"
    script.write_text(code, encoding="utf-8")
    return load_metric(f"mine=cmd:'{sys.executable}' '{script}'")


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
        ("print('1\\n2\\n3')", r"wrote 3 lines for 2 segments; it has to write one score a line$"),
        ("pass", r"wrote 0 lines for 2 segments"),
        ("print('1\\ngood')", r": line 2 of what it wrote is 'good', not a number$"),
        ("print('\\n2')", r": line 1 of what it wrote is '', not a number$"),
        ("import sys; print('1\\n2'); sys.exit('loading\\nno model here')", r"failed with exit code 1: no model here$"),
        ("raise SystemExit(3)", r"failed with exit code 3$"),
        ("import os; os.kill(os.getpid(), 9)", r"was killed by SIGKILL$"),
        (
            "import sys; sys.stdout.buffer.write(b'1\\n\\xff\\n')",
            r": line 2 of what it wrote is '\ufffd', not a number$",
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
