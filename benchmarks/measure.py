"""Time and memory of whole commands, side by side in one run: machines differ, ratios less so."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Figure(NamedTuple):
    """A measured figure and the limit it should keep."""

    what: str
    value: float
    limit: float
    unit: str


def show(figures: Iterable[Figure]) -> int:
    """Print figures beside their limits; 1 where one is over."""
    found = list(figures)
    width = max(len(figure.what) for figure in found)
    for figure in found:
        mark = "ok" if figure.value <= figure.limit else "OVER"
        print(
            f"{figure.what:{width}}  {figure.value:8.2f} {figure.unit:2}  limit {figure.limit:g} {figure.unit}  {mark}"
        )
    return int(any(figure.value > figure.limit for figure in found))


class Measured(NamedTuple):
    """Seconds of every run, and the largest peak memory in MB."""

    seconds: list[float]
    megabytes: float

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def once(command: Sequence[object]) -> tuple[float, float]:
    """(seconds, peak MB) of one run.

    A process of its own starts it: Linux counts the memory of whoever starts a command as the command's.
    """
    parts = [str(part) for part in command]
    told = subprocess.run(
        [sys.executable, __file__, *parts], stdout=subprocess.PIPE, text=True, check=False, env=_environment()
    )
    if told.returncode:
        raise SystemExit(f"failed: {' '.join(parts)[:200]}")
    seconds, megabytes = map(float, told.stdout.split())
    return seconds, megabytes


def _environment() -> dict[str, str]:
    """Without what would have every start compile Assay once more: what is installed is compiled."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _run(command: Sequence[str]) -> int:
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    print(time.perf_counter() - start, usage.ru_maxrss / 1024)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode


def side_by_side(commands: dict[str, Sequence[object]], runs: int) -> dict[str, Measured]:
    """The commands in turn, `runs` times, so that a slow moment of the machine hits all of them."""
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            seconds, megabytes = once(command)
            found[name][0].append(seconds)
            found[name][1].append(megabytes)
    return {name: Measured(seconds, max(memory)) for name, (seconds, memory) in found.items()}


def ratio(measured: dict[str, Measured], name: str, baseline: str) -> float:
    """The median of one beside the median of the other."""
    return measured[name].median / measured[baseline].median


if __name__ == "__main__":
    sys.exit(_run(sys.argv[1:]))
