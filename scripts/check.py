"""Run the checks of `make test`, quick ones first, and stop at the first group that fails.

    python scripts/check.py            what `make test` runs
    python scripts/check.py --all      also what is too heavy for every day

`ASSAY_SKIP=types,browser` leaves groups out, and says so.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent


class Group(NamedTuple):
    """Checks that are run together. `programs` maps a program they need to its Debian packages."""

    name: str
    command: tuple[str, ...]
    heavy: bool = False
    programs: Mapping[str, str] = MappingProxyType({})


def pytest(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "pytest", *arguments)


APART = ("browser", "latex", "heavy")
"""Folders of tests with a group of their own."""

APERTIUM = {"apertium": "apertium apertium-eng-spa"}
LATEX = {"pdflatex": "texlive-latex-recommended texlive-lang-cyrillic lmodern"}

# Tests wait for commands, servers and databases: a process more than the two cores of a small machine uses that time.
GROUPS = (
    Group("format", (str(BIN / "ruff"), "format", "--check", ".")),
    Group("lint", (str(BIN / "ruff"), "check", ".")),
    Group("types", (str(BIN / "mypy"),)),
    Group("unit", pytest("tests", *(f"--ignore=tests/{name}" for name in APART), "-n", "3"), programs=APERTIUM),
    Group("browser", pytest("tests/browser", "-n", "2"), programs={"chromium": "chromium"}),
    Group("latex", pytest("tests/latex"), heavy=True, programs=LATEX),
    Group("heavy", pytest("tests/heavy"), heavy=True, programs={"gcc": "gcc libc6-dev"}),
)


def main() -> None:
    skipped = [name for name in os.environ.get("ASSAY_SKIP", "").split(",") if name]
    names = [group.name for group in GROUPS]
    for name in skipped:
        if name not in names:
            sys.exit(f"ASSAY_SKIP: no group {name!r}; there are: {', '.join(names)}")
    chosen = [group for group in GROUPS if group.name not in skipped and ("--all" in sys.argv or not group.heavy)]
    if "--all" in sys.argv:
        os.environ.setdefault("ASSAY_EXAMPLES", "thorough")
    # Tests start hundreds of processes, and where no bytecode is kept each of them compiles what it imports.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    need({program: package for group in chosen for program, package in group.programs.items()})
    for group in chosen:
        start = time.monotonic()
        print(f"── {group.name}", flush=True)
        code = subprocess.run(group.command, cwd=ROOT).returncode
        if code:
            sys.exit(f"── {group.name} failed")
        print(f"── {group.name}: ok, {time.monotonic() - start:.0f} s", flush=True)
    for name in skipped:
        print(f"!! LEFT OUT by ASSAY_SKIP: {name}")
    print("all checks passed" if not skipped else "the checks that were run passed")


def need(programs: dict[str, str]) -> None:
    """Install the Debian packages that are missing when root; otherwise name them and stop."""
    packages = sorted(
        package for program, names in programs.items() if not shutil.which(program) for package in names.split()
    )
    if not packages:
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"the tests need these programs; run: sudo apt-get install {' '.join(packages)}", file=sys.stderr)
        sys.exit(2)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment)
    subprocess.run(
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], check=True, env=environment
    )


if __name__ == "__main__":
    main()
