"""What the terminal can show."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TextIO, cast

import click

from assay import ansi
from assay.text import visible


def has_style() -> bool:
    """Whether bold and colours may be written: a terminal, and nobody asked for plain text (NO_COLOR)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def width() -> int | None:
    """Columns of the terminal; in a pipe there is no limit unless COLUMNS sets one."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        import shutil

        return shutil.get_terminal_size().columns
    return None


def styled(text: str, code: str) -> str:
    """Text in an ANSI style (`1` bold, `31` red, …) where styles can be shown."""
    return ansi.styled(text, code, has_style())


def mark(text: str, start: int, end: int) -> str:
    """Text with [start, end) marked: bold on a terminal, >>so<< elsewhere."""
    before, after = ansi.marks(has_style())
    return f"{visible(text[:start])}{before}{visible(text[start:end])}{after}{visible(text[end:])}"


# What Assay itself sends: styles, the end of a line erased, the cursor hidden below a bar, back to the beginning.
_OWN = re.compile(r"(\x1b\[[0-9;]*[mK]|\x1b\[\?25[lh]|\r)")


class SafeStream:
    """A terminal that obeys no text: of control sequences only those pass that Assay itself writes.

    Texts are made visible where they are put into tables and lines; this is for what was forgotten.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        pieces = _OWN.split(text)  # texts at even places, sequences at odd ones
        pieces[::2] = map(visible, pieces[::2])
        return self._stream.write("".join(pieces))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def safe(stream: TextIO) -> TextIO:
    """The stream, made safe where it is a terminal; what goes into files and pipes is not touched."""
    return cast(TextIO, SafeStream(stream)) if stream.isatty() else stream


MOMENT = 0.5
"""Seconds before a bar appears: one that comes and goes at once is only a flicker."""


@contextmanager
def progress(label: str, length: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on standard error, where it takes more than a moment; None where nobody looks at a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    bars: list[Any] = []
    begin, done = monotonic(), 0

    def step(number: int) -> None:
        nonlocal done
        done += number
        if bars:
            bars[0].update(number)
        elif monotonic() - begin >= MOMENT:
            bars.append(click.progressbar(length=length, label=label, file=sys.stderr))
            bars[0].__enter__()
            bars[0].update(done)

    yield step
    for bar in bars:
        bar.__exit__(None, None, None)


@contextmanager
def steps(label: str) -> Iterator[Callable[[str], None] | None]:
    """The name of what is being done, on one line of standard error; None where nobody looks at a terminal."""
    if not sys.stderr.isatty():
        yield None
        return

    def step(name: str) -> None:
        sys.stderr.write(f"\r\x1b[K{label} {name}")
        sys.stderr.flush()

    try:
        yield step
    finally:
        sys.stderr.write("\r\x1b[K")
