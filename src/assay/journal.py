"""Files that grow while a run goes on, so that one that was interrupted or killed can be continued.

    with JournalFile(Path("answers.jsonl"), alone=True) as journal:
        lines = whole_lines(journal.read())     # what earlier runs wrote
        journal.truncate(len(lines))            # half a line, where one of them was killed
        journal.write_lines(b"...\\n")           # on the disk when this returns

What the lines say, and which may be continued, is up to those who inherit.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from assay.errors import BadFile


class JournalFile:
    """An open journal, which is made where it is missing. With `alone`, a second run that opens it is refused."""

    def __init__(self, path: Path, *, alone: bool = False) -> None:
        self.path = path
        with writing_errors(path):
            # Unbuffered: what `write` has taken is with the system, and fsync brings all of it to the disk.
            self._stream = path.open("a+b", buffering=0)
        if alone:
            self._lock()

    def _lock(self) -> None:
        with suppress(ImportError):  # Windows has no fcntl; two runs at once are then the user's own affair
            import fcntl

            try:
                fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.close()
                raise BadFile(self.path, "another run is writing it", cure="wait for it, or stop it") from None

    def read(self) -> bytes:
        """All that is in it."""
        with writing_errors(self.path):
            self._stream.seek(0)
            return self._stream.read()

    def truncate(self, size: int) -> None:
        """Drop what stands behind the first `size` bytes."""
        with writing_errors(self.path):
            self._stream.truncate(size)

    def write_lines(self, content: bytes) -> None:
        """Write at the end; the content is on the disk when this returns."""
        with writing_errors(self.path):
            rest = content
            while rest:  # the system may take a part only
                rest = rest[self._stream.write(rest) :]
            os.fsync(self._stream.fileno())

    def close(self) -> None:
        """Let go of the file, and of the lock on it."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def whole_lines(content: bytes) -> bytes:
    """The lines that have an end: the last one may have been cut off when its run was killed."""
    return content[: content.rfind(b"\n") + 1]


@contextmanager
def writing_errors(path: Path) -> Iterator[None]:
    """What goes wrong with the file, in words for a user."""
    try:
        yield
    except FileNotFoundError:
        raise BadFile(path, f"cannot be written: there is no folder {path.parent}", cure="make it first") from None
    except OSError as error:
        raise BadFile(path, f"cannot be written ({error.strerror})") from None
