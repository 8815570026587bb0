"""What shells offer for Tab, asked as they ask."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def offered(line: str, shell: str = "zsh") -> list[str]:
    words = line.split(" ")
    asked = {"_ASSAY_COMPLETE": f"{shell}_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    command = [Path(sys.executable).parent / "assay"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **asked}, check=True)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def test_suites_and_files() -> None:
    lines = offered("assay evaluate d")
    assert lines[:3] == ["plain", "de-en", "_"]
    assert lines[3:5] == ["file", "d"]


def test_phenomena_of_the_suite_on_the_line() -> None:
    assert "Idiom" in offered("assay explain de-en out.txt --phenomenon I")
    assert "False friends" in offered("assay examples de-en out.txt --category fal")


def test_bash_gets_names_that_stand_in_a_line() -> None:
    assert offered("assay examples de-en out.txt --category Fal", "bash") == [r"plain,False\ friends"]


@pytest.mark.parametrize("line", ["assay explain --phenomenon I", "assay explain no-such-suite --phenomenon I"])
def test_without_a_suite_nothing_is_offered(line: str) -> None:
    assert offered(line) == []
