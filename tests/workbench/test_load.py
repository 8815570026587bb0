"""A bounded part of `benchmarks/load.py`: a few users, a server that is killed while they work, nothing lost."""

import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

LOAD = ROOT / "benchmarks" / "load.py"


def test_nothing_that_was_answered_is_lost_when_the_server_is_killed(address: str, tmp_path: Path) -> None:
    command = [sys.executable, LOAD, "--users", "4", "--pause", "0", "--systems", "3", "--kills", "1"]
    done = subprocess.run(
        [*map(str, command), "--requests", "160", "--minutes", "5", "--database", address],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    figures = dict(
        line.split("  limit")[0].rsplit(maxsplit=1) for line in done.stdout.splitlines() if "  limit" in line
    )
    wrong = {what: number for what, number in figures.items() if what in NONE and float(number)}
    assert figures.keys() >= NONE, done.stdout + done.stderr
    assert not wrong, done.stdout


NONE = {
    "answers 5xx other than 503",
    "other answers that are errors",
    "judgements answered and lost",
    "judgements kept twice, or that nobody sent",
}
"""What there may be none of, whatever the machine; how long it takes is another question."""
