"""Ctrl-C ends a command with exit code 130, whatever Python is doing when it comes."""

import subprocess
import sys

import pytest

COMMAND = """
import signal, time
from assay.cli import app

class Thing:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def command(**_):
    {work}
    time.sleep({seconds})
    print("ran to its end")

app.app.main = command
app.run()
"""


@pytest.mark.parametrize("work", ["signal.raise_signal(signal.SIGINT)", "Thing()", "[Thing(), Thing()]"])
def test_it_is_not_lost(work: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND.format(work=work, seconds=300)], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "assay: interrupted\n")


def test_another_error_of_a_destructor_is_shown() -> None:
    code = COMMAND.format(work="Thing()", seconds=0).replace(
        "signal.raise_signal(signal.SIGINT)", "raise ValueError('broken')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "ran to its end\n")
    assert "ValueError: broken" in done.stderr
