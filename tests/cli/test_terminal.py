"""What a text says is shown in a terminal, never obeyed by it."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli import terminal
from assay.cli.terminal import SafeStream
from tests.conftest import Run

ITEM = "lexical-ambiguity/strauss"
EVIL = "A bouquet \x1b[2J\x1b]0;title\x07\x1b]52;c;aGk=\x07 of roses \u202eevil"
SHOWN = r"\x1b[2J\x1b]0;title\x07\x1b]52;c;aGk=\x07"


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    file = tmp_path / "evil\x1b[31m.tsv"
    file.write_text(f"item\ttext\n{ITEM}\t{EVIL}\n", encoding="utf-8")
    return file


def test_escapes_of_outputs_are_shown(assay: Run, outputs: Path) -> None:
    text = assay("explain", "de-en", outputs, "--item", ITEM).stdout
    assert SHOWN in text
    assert r"\u202eevil" in text
    assert "\x1b" not in text


def test_escapes_in_names_of_systems_are_shown(assay: Run, outputs: Path) -> None:
    assert "\x1b" not in assay("evaluate", "de-en", outputs).stdout


def test_a_terminal_gets_styles_and_nothing_else(outputs: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "assay", "explain", "de-en", str(outputs), "--item", ITEM]
    process = subprocess.Popen(command, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    written = b""
    while True:
        try:
            block = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        written += block
    os.close(ours)
    assert process.wait() == 0
    assert SHOWN in written.decode()
    assert b"\x1b[1m" in written  # bold is Assay's own
    assert b"\x1b]" not in written
    assert b"\x1b[2J" not in written


def test_what_was_forgotten_is_caught_by_the_stream() -> None:
    inner = io.StringIO()
    stream = SafeStream(inner)
    stream.write("\r\x1b[Kworking \x1b[1mbold\x1b[0m \x1b[2J\x9b31m")
    assert inner.getvalue() == "\r\x1b[Kworking \x1b[1mbold\x1b[0m \\x1b[2J\\x9b31m"


def test_progress_bars_may_hide_the_cursor_and_show_it_again() -> None:
    inner = io.StringIO()
    SafeStream(inner).write("\x1b[?25l\rdrawing\x1b[?25h\x1b[?1049h")
    assert inner.getvalue() == "\x1b[?25l\rdrawing\x1b[?25h\\x1b[?1049h"


@pytest.mark.parametrize(("moment", "seen"), [(0.0, True), (1000.0, False)])
def test_a_bar_appears_where_it_takes_more_than_a_moment(
    monkeypatch: pytest.MonkeyPatch, moment: float, seen: bool
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(terminal, "MOMENT", moment)
    with terminal.progress("checking", 4) as step:
        assert step is not None
        for _ in range(4):
            step(1)
    assert ("checking" in stream.getvalue()) == seen
    assert ("100%" in stream.getvalue()) == seen
