"""A command that is forked is the command that users start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import Commands
from tests.starter import CAREFUL, STARTER


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["--version"], ""),
        (["evaluate", "--help"], ""),
        (["evaluate", STARTER, CAREFUL], ""),
        (["evaluate", STARTER, "-"], "ein Text\n"),
        (["evaluate", STARTER, "no\udcff.txt"], ""),
        (["nothing"], ""),
        (["serve", "--port", "x"], ""),
    ],
)
def test_it_says_what_a_started_one_says(
    commands: Commands, arguments: list[str | Path], stdin: str, tmp_path: Path
) -> None:
    started = subprocess.run(
        [sys.executable, "-m", "assay", *arguments],
        cwd=tmp_path,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    forked = commands.run(arguments, tmp_path, os.environ, stdin)
    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)


def test_it_has_its_own_folder_environment_and_end(commands: Commands, tmp_path: Path) -> None:
    first = "import atexit, os; print(os.getcwd(), os.environ['MINE']); atexit.register(print, 'the end')"
    done = commands.run(["--version"], tmp_path, {**os.environ, "MINE": "mine"}, first=first)
    assert done.stdout.startswith(f"{tmp_path} mine\nassay ")
    assert done.stdout.endswith("\nthe end\n")
    assert "MINE" not in os.environ


@pytest.mark.parametrize(
    ("first", "code", "line"),
    [
        ("1 / 0", 1, "ZeroDivisionError: division by zero"),
        ("import os; os.kill(os.getpid(), 9)", -9, ""),
    ],
)
def test_one_that_fails_does_not_harm_the_next(
    commands: Commands, tmp_path: Path, first: str, code: int, line: str
) -> None:
    done = commands.run(["--version"], tmp_path, os.environ, first=first)
    assert done.returncode == code
    assert done.stderr.strip().endswith(line)
    assert commands.run(["--version"], tmp_path, os.environ).returncode == 0


def test_sets_have_another_order_in_the_next_one(commands: Commands, tmp_path: Path) -> None:
    first = "print(*{f'word {number}' for number in range(50)})"
    found = [commands.run(["--version"], tmp_path, os.environ, first=first).stdout for _ in range(2)]
    assert found[0] != found[1]


def test_what_python_reads_at_its_start_needs_a_start(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('from the path')")
    done = commands.run(["--version"], Path("/"), {**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.stdout.startswith("from the path\nassay ")
