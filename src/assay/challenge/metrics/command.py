"""Any command as a metric: segments as TSV on its standard input, one score a line on its standard output.

    command("./my_metric.py --fast").score(segments)

A line of its input is source, hypothesis and reference, with tabs between them, in UTF-8. It is started once for every
batch, without a shell. `nan` stands for no score.
"""

import shlex
import signal
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from assay.challenge.metric import FunctionMetric, Metric
from assay.model import AssayError, BadOption
from assay.model.challenge import Segment

BATCH = 5000
"""Segments for one start of the command; it may have a model to load."""


def command(option: str) -> Metric:
    """The metric that a command computes; it counts as reference-based, and higher is better."""
    try:
        words = shlex.split(option)
    except ValueError as error:
        raise BadOption(f"the metric command {option!r} cannot be split into words: {str(error).lower()}") from error
    if not words:
        raise BadOption("cmd: names no command; write NAME=cmd:COMMAND")
    return FunctionMetric(
        Path(words[0]).stem, f"cmd:{option}", partial(_scores, words), needs_source=True, parallel=False, batch=BATCH
    )


def _scores(words: list[str], segments: Sequence[Segment]) -> list[float]:
    name = f"the metric command {shlex.join(words)!r}"
    lines = _run(words, name, "".join("\t".join(map(_folded, segment)) + "\n" for segment in segments))
    if len(lines) != len(segments):
        raise AssayError(
            f"{name} wrote {len(lines)} lines for {len(segments)} segments; it has to write one score a line"
        )
    return [_number(name, number, line) for number, line in enumerate(lines, start=1)]


def _run(words: list[str], name: str, text: str) -> list[str]:
    """The lines that the command writes."""
    try:
        done = subprocess.run(words, input=text.encode(), capture_output=True, check=False)
    except FileNotFoundError as error:
        raise BadOption(
            f"{name} cannot be run: there is no {words[0]}; give its path, ./{words[0]} if it is here"
        ) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadOption(f"{name} cannot be run: {reason}; is it executable, with a first line like #!…?") from error
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise AssayError(f"{name} {_how(done.returncode)}" + (f": {last}" if last else ""))
    return done.stdout.decode(errors="replace").removesuffix("\n").split("\n") if done.stdout else []


def _how(code: int) -> str:
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"failed with exit code {code}"


def _number(name: str, number: int, line: str) -> float:
    try:
        return float(line)
    except ValueError as error:
        raise AssayError(f"{name}: line {number} of what it wrote is {line[:60]!r}, not a number") from error


def _folded(text: str) -> str:
    return " ".join(text.split())
