"""A system for `assay translate`: a command that writes down what it is asked.

assay("translate", SPANISH, "--system", command(tmp_path), "-o", "out")
asked(tmp_path)["One cat."]
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path

from tests.translate.spanish import SUITE

COMMAND = """
import os, pathlib, signal, sys, time

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


def outputs(folder: Path) -> list[str]:
    return (folder / "out" / "mine.tsv").read_text("utf-8").splitlines()[1:]


def journalled(folder: Path, name: str = "out/mine.*.jsonl") -> list[str]:
    """The sentences in the journal of `mine`."""
    lines = [line for path in folder.glob(name) for line in path.read_bytes().split(b"\n")[1:-1]]
    return [json.loads(line)["source"] for line in lines]


def started(file: Path) -> int:
    """The number of the process that was written to a file."""
    while not (file.exists() and file.read_text("utf-8").endswith("\n")):
        time.sleep(0.01)
    return int(file.read_text("utf-8"))


SOURCES = [item.source for item in SUITE]
