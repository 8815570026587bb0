"""One command in this process, and what is demanded of it."""

import io
import os
import shlex
import shutil
import sys
import traceback
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unicodedata import bidirectional, category
from unittest.mock import patch

from assay.cli.app import run
from assay.errors import AssayError
from assay.workbench.files.archives import UploadLimits
from assay.workbench.files.sent_files import SentFiles, read_sent

CODES = (0, 1, 2, 3)
"""Exit codes of docs/reference/cli.md, without those of signals."""

FAILED = (2, 3)
"""The codes with which a command has written nothing, and says why in one line."""

LONGEST_LINE = 300

TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
"""Unicode's names for marks that turn the direction of what follows."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended. `trace` is that of an exception which nobody turned into a message."""

    code: int | None
    output: str = ""
    error: str = ""
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Door:
    """A file of the samples and a command that reads it; `kept` is what the command may leave when it fails."""

    file: str
    command: str
    kept: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.file}: {self.command}"


def run_command(command: str) -> Done:
    """The command `assay …`, or `upload FILE` for what the workbench does with a file that is sent to it."""
    output, error = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    code, trace = None, ""
    with _streams(output, error, ["assay", *shlex.split(command)]):
        try:
            if command.startswith("upload "):
                code = _upload(Path(command.removeprefix("upload ")))
            else:
                run()
        except SystemExit as end:
            code = int(end.code or 0)
        except BaseException:
            trace = traceback.format_exc()
    return Done(code, _text(output), _text(error), trace)


def _upload(file: Path) -> int:
    folder = Path("received")
    folder.mkdir()
    shutil.copy(file, folder / "0")
    try:
        with chdir(folder):
            read_sent(SentFiles(str(Path.cwd()), (file.name,), "", limits=UploadLimits(size=50 * 1024**2)))
    except AssayError as error:
        print(f"assay: {error}", file=sys.stderr)
        return error.exit_code
    return 0


@contextmanager
def _streams(output: io.TextIOWrapper, error: io.TextIOWrapper, arguments: list[str]) -> Iterator[None]:
    # Passed on to what commands start: `cmd:` engines, processes.
    environment = {"NO_COLOR": "1", "COLUMNS": "120", "ASSAY_MAX_FILE": "50"}
    with (
        patch.object(sys, "stdout", output),
        patch.object(sys, "stderr", error),
        patch.object(sys, "argv", arguments),
        patch.dict(os.environ, environment),
    ):
        yield


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return bytes(stream.buffer.getvalue()).decode("utf-8", "replace")  # type: ignore[attr-defined]


def complaint(done: Done, door: Door, before: dict[str, bytes | None], after: dict[str, bytes | None]) -> str:
    """What is wrong with the way a command ended; empty where nothing is."""
    if done.trace:
        return f"a traceback: {done.trace.strip().splitlines()[-1][:200]}"
    if done.code not in CODES:
        return f"the exit code {done.code}"
    if "Traceback" in done.error:
        return "a traceback on standard error"
    left = [name for name in after if Path(name).name.startswith(".assay-")]
    if left:
        return f"left behind: {left[0]}"
    if done.code not in FAILED:
        return ""
    lines = done.error.rstrip("\n").split("\n")
    if len(lines) != 1 or not lines[0]:
        return f"{len(lines)} lines on standard error"
    if len(lines[0].removeprefix("assay: ")) > LONGEST_LINE:
        return f"a line of {len(lines[0]):,} characters"
    if any(category(character) == "Cc" or bidirectional(character) in TURNS for character in lines[0]):
        return f"a line with characters that move a terminal: {lines[0][:200]!r}"
    changed = {name for name in before.keys() | after.keys() if before.get(name, 0) != after.get(name, 0)}
    written = sorted(name for name in changed if not name.startswith(door.kept or ("\0",)))
    return f"written, though it failed: {written[0]}" if written else ""
