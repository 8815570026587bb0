"""Any command as a metric: segments as TSV on its standard input, one score a line on its standard output.

    command("./my_metric.py --fast").score(segments)

A line of its input is source, hypothesis and reference, with tabs between them, in UTF-8. It is started once for every
batch, without a shell. `nan` stands for no score. The signature has a digest of every word of the command that is a
file: scores of a script that was changed since are others.
"""

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from typing import IO

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import WAKE, FunctionMetric, Metric
from assay.command import digest, files_of, split, where_to_find
from assay.errors import AssayError, BadOption

BATCH = 5000
"""Segments for one start of the command; it may have a model to load."""

LONGEST = 10_000
"""Bytes of a line; a number has fewer."""

_WANTED = "segments; it has to write one score a line"

INTERPRETER = re.compile(r"(env|python|pypy|perl|ruby|node|rscript|julia|java|bash|zsh|dash|sh)[\d.]*", re.IGNORECASE)


def command(option: str) -> Metric:
    """The metric that a command computes; it counts as reference-based, and higher is better."""
    words = split(option, "metric command")
    files = files_of(words)
    return FunctionMetric(
        _name(words, files),
        "|".join([f"cmd:{option}", *(f"{file.name}:{digest(file)}" for file in files)]),
        partial(_scores, words),
        needs_source=True,
        parallel=False,
        batch=BATCH,
        stream=partial(_stream, words),
    )


def _name(words: Sequence[str], files: Sequence[Path]) -> str:
    """The script's where an interpreter runs one, else the program's."""
    program = Path(words[0])
    scripts = [file for file in files if str(file) in words[1:]] if INTERPRETER.fullmatch(program.name) else []
    return (scripts or [program])[0].stem


def _scores(words: list[str], segments: Sequence[Segment]) -> list[float]:
    return [score for scores in _stream(words, segments) for score in scores]


def _stream(words: list[str], segments: Sequence[Segment]) -> Generator[list[float], None, None]:
    """The scores, all at once; of a command that dies or is interrupted those it had written, and then the error."""
    name = f"the metric command {shlex.join(words)!r}"
    scores: list[float] = []
    rest = b""
    try:
        with _running(words, name, segments) as lines:
            for line in lines:
                if len(scores) == len(segments):
                    raise _WrongAnswer(f"{name} wrote more than {len(segments)} lines for {len(segments)} {_WANTED}")
                if not line.endswith(b"\n") and len(line) < LONGEST:
                    rest = line  # complete only if the command ends well
                else:
                    scores.append(_number(name, len(scores) + 1, line))
        if rest:
            scores.append(_number(name, len(scores) + 1, rest))
        if len(scores) != len(segments):
            raise _WrongAnswer(f"{name} wrote {len(scores)} lines for {len(segments)} {_WANTED}")
    except _WrongAnswer:
        raise  # nobody knows which of its lines are right
    except BaseException:
        yield scores
        raise
    yield scores


class _WrongAnswer(AssayError):
    """Lines that cannot be the scores of the segments."""


@contextmanager
def _running(words: list[str], name: str, segments: Sequence[Segment]) -> Iterator[Iterator[bytes]]:
    """The lines that the command writes. It does not outlive the block, after which its failure is raised."""
    with TemporaryFile() as errors:
        process = _start(words, name, errors)
        feeding = Thread(target=_feed, args=(process, segments), daemon=True)
        feeding.start()
        assert process.stdout
        try:
            yield _lines(process.stdout)
            process.wait()
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            feeding.join()
            process.stdout.close()
        if process.returncode:
            errors.seek(0)
            last = errors.read().decode(errors="replace").strip().rpartition("\n")[2]
            how = _how(process.returncode) + (f": {last}" if last else "")
            raise AssayError(f"{name} {how}; cure that and run this again: what was scored before is kept")


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Lines as they come; of one that is too long the beginning."""
    rest = b""
    while True:
        while not wait([stream.fileno()], WAKE):
            pass
        chunk = os.read(stream.fileno(), 1 << 16)
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in lines)
        if not chunk or len(rest) >= LONGEST:
            break
    if rest:
        yield rest


def _start(words: list[str], name: str, errors: IO[bytes]) -> "subprocess.Popen[bytes]":
    try:
        # In a group of its own, so that the processes which the command starts can be ended with it.
        return subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True
        )
    except FileNotFoundError as error:
        raise BadOption(f"{name} cannot be run: there is no {words[0]}; {where_to_find(words[0])}") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadOption(f"{name} cannot be run: {reason}; is it executable, with a first line like #!…?") from error


def _feed(process: "subprocess.Popen[bytes]", segments: Sequence[Segment]) -> None:
    assert process.stdin
    with suppress(BrokenPipeError), process.stdin as stdin:  # it need not read everything
        for segment in segments:
            texts = (segment.source, segment.hypothesis, segment.reference)
            stdin.write(("\t".join(map(_folded, texts)) + "\n").encode())


def _how(code: int) -> str:
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"failed with exit code {code}"


def _number(name: str, number: int, line: bytes) -> float:
    written = line.decode(errors="replace").rstrip("\r\n")
    try:
        return float(written if len(line) < LONGEST else "")
    except ValueError as error:
        raise _WrongAnswer(
            f"{name}: line {number} of what it wrote is {written[:60]!r}, not a number; "
            "write nan for no score, and messages to standard error"
        ) from error


def _folded(text: str) -> str:
    return " ".join(text.split())
