"""What the terminal can show."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click


def has_style() -> bool:
    """Whether bold and colours may be written: a terminal, and nobody asked for plain text (NO_COLOR)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def width() -> int | None:
    """Columns of the terminal; in a pipe there is no limit unless COLUMNS sets one."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return shutil.get_terminal_size().columns
    return None


def styled(text: str, code: str) -> str:
    """Text in an ANSI style (`1` bold, `31` red, …) where styles can be shown."""
    return f"\x1b[{code}m{text}\x1b[0m" if has_style() else text


VERDICT_STYLES = {"pass": "36", "fail": "31", "warning": "90"}


def marks(ansi: bool) -> tuple[str, str]:
    """What stands before and after matched words."""
    return ("\x1b[1;4m", "\x1b[0m") if ansi else (">>", "<<")


def mark(text: str, start: int, end: int) -> str:
    """Text with [start, end) marked: bold on a terminal, >>so<< elsewhere."""
    before, after = marks(has_style())
    return f"{text[:start]}{before}{text[start:end]}{after}{text[end:]}"


@contextmanager
def progress(label: str, length: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on standard error, which appears with the first step; None where nobody looks at a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    bars: list[Any] = []

    def step(number: int) -> None:
        if not bars:
            bars.append(click.progressbar(length=length, label=label, file=sys.stderr))
            bars[0].__enter__()
        bars[0].update(number)

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
