"""Any command as a metric: segments as TSV on its standard input, one score a line on its standard output.

    command("./my_metric.py --fast").score(segments)

A line of its input is source, hypothesis and reference, with tabs between them, in UTF-8. It is started once for every
batch, without a shell. `nan` stands for no score. The signature has a digest of every word of the command that is a
file: scores of a script that was changed since are others.
"""

import re
import shlex
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import FunctionMetric, Metric
from assay.command import RunningCommand, digest, files_of, split
from assay.errors import AssayError, BadOption
from assay.parallel import end_if_cancelled
from assay.text import fold

BATCH = 5000
"""Segments for one start of the command; it may have a model to load."""

LONGEST = 10_000
"""Bytes of a line; a number has fewer."""

# The end of two messages.
_WANTED = "segments; it has to write one score a line"

# Programs that run a script, with or without a version ("python3.11"): a metric is named after the script.
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
    with closing(RunningCommand(words, map(_row, segments), name, BadOption)) as running:
        yield _lines(running.chunks(end_if_cancelled))
        failure = running.failure()
    if failure:
        raise AssayError(f"{name} {failure}; cure that and run this again: what was scored before is kept")


def _row(segment: Segment) -> bytes:
    """What the command reads for a segment."""
    texts = (segment.source, segment.hypothesis, segment.reference)
    return ("\t".join(map(fold, texts)) + "\n").encode()


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines as they come; of one that is too long the beginning, and nothing after it."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in lines)
        if len(rest) >= LONGEST:
            break
    if rest:
        yield rest


def _number(name: str, number: int, line: bytes) -> float:
    written = line.decode(errors="replace").rstrip("\r\n")
    try:
        return float(written if len(line) < LONGEST else "")
    except ValueError as error:
        raise _WrongAnswer(
            f"{name}: line {number} of what it wrote is {written[:60]!r}, not a number; "
            "write nan for no score, and messages to standard error"
        ) from error
