"""Commands that a user names as a metric or an engine: their words, and the files among these.

words = split("python metric.py --model=big.bin", "metric command")
[(file.name, digest(file)) for file in files_of(words)]        [("python", …), ("metric.py", …), ("big.bin", …)]
"""

import os
import shlex
import shutil
from collections.abc import Sequence
from hashlib import file_digest
from pathlib import Path

from assay.errors import BadOption


def split(line: str, what: str) -> list[str]:
    """The words of a command line, as a shell would see them."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise BadOption(f"the {what} {line!r} cannot be split into words: {str(error).lower()}") from error
    if not words:
        raise BadOption("cmd: names no command; write NAME=cmd:COMMAND")
    return words


def files_of(words: Sequence[str]) -> list[Path]:
    """What of a command is a file that can be read: the program, scripts, `--model=FILE`."""
    named = [shutil.which(words[0]) or words[0], *(word.rpartition("=")[2] for word in words[1:])]
    # Not Path.is_file: a piece of code behind `-c` may be too long for a name, and that would be an error.
    return [Path(name) for name in named if os.path.isfile(name) and os.access(name, os.R_OK)]  # noqa: PTH113


def digest(file: Path) -> str:
    """Twelve hex digits of a file's content: where it is on this machine does not matter."""
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()[:12]


def where_to_find(program: str) -> str:
    """The cure where there is no such program."""
    return "correct its path" if "/" in program else f"give its path, ./{program} if it is here"
