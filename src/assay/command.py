"""Commands that a user names as a metric or an engine: their words, the files among these, and running them.

words = split("python metric.py --model=big.bin", "metric command")
[(file.name, digest(file)) for file in files_of(words)]        [("python", …), ("metric.py", …), ("big.bin", …)]
with closing(RunningCommand(words, [b"a line\\n"], "the metric command", BadOption)) as running:
    out = b"".join(running.chunks())
    failure = running.failure()         # "failed with exit code 1: no such model"
"""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import file_digest
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread, current_thread, main_thread

from assay.errors import AssayError, BadOption

_WAKE = 0.5
"""Seconds between two looks at whether somebody still waits for what a command writes."""

_TAIL = 4096
"""Bytes of a command's messages that are kept; their last line is shown."""


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


class RunningCommand:
    """A command at work. It is given its input while it writes: both pipes may be full at the same time.

    `what` names it in messages; where it cannot be run at all, `refusal` is raised. It is in a process group of its
    own, so that the processes which it starts can be ended with it.
    """

    def __init__(self, words: Sequence[str], lines: Iterable[bytes], what: str, refusal: type[AssayError]) -> None:
        self._messages = bytearray()
        try:
            with _no_interrupt():
                self._process = subprocess.Popen(
                    list(words),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
                self._feeding = Thread(target=self._feed, args=(lines,), daemon=True)
                self._listening = Thread(target=self._listen, daemon=True)
                self._feeding.start()
                self._listening.start()
        except FileNotFoundError as error:
            raise refusal(f"{what} cannot be run: there is no {words[0]}; {_where_to_find(words[0])}") from error
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise refusal(f"{what} cannot be run: {reason}; is it executable, with a first line like #!…?") from error
        except (KeyboardInterrupt, SystemExit):
            # It had started, and nobody else knows of it.
            self.kill()
            raise

    def _feed(self, lines: Iterable[bytes]) -> None:
        assert self._process.stdin
        with suppress(BrokenPipeError), self._process.stdin as stdin:  # it need not read everything
            for line in lines:
                stdin.write(line)

    def _listen(self) -> None:
        assert self._process.stderr
        with suppress(OSError, ValueError):  # `close` was not willing to wait any longer
            while chunk := os.read(self._process.stderr.fileno(), 1 << 16):
                self._messages += chunk
                del self._messages[:-_TAIL]

    def chunks(self, look: Callable[[], None] = lambda: None) -> Iterator[bytes]:
        """What it writes, as it comes. One who has seen enough need not read on; `look` may raise while it is quiet."""
        assert self._process.stdout
        output = self._process.stdout.fileno()
        while True:
            while not wait([output], _WAKE):
                look()
            chunk = os.read(output, 1 << 16)
            if not chunk:
                return
            yield chunk

    def failure(self) -> str:
        """How it failed, with its last words; empty where it ended well. Waits for the end."""
        self._await_end()
        code = self._process.returncode
        if not code:
            return ""
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"failed with exit code {code}"
        last = self._messages.decode(errors="replace").strip().rpartition("\n")[2]
        return how + (f": {last}" if last else "")

    def _await_end(self) -> None:
        self._process.wait()
        self._feeding.join()
        # Not for ever: a process that outlives the command may hold the other end open.
        self._listening.join(1)

    def kill(self) -> None:
        """End it, with all that it has started; from any thread."""
        # One that has ended is left alone: its number may be another's by now.
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End it where it has not ended, and let go of its pipes."""
        self.kill()
        self._await_end()
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Ctrl-C and SIGTERM take effect when this is over; they concern the main thread alone."""
    if current_thread() is not main_thread():
        yield
        return
    came: list[int] = []
    before = {
        number: signal.signal(number, lambda number, frame: came.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        for one in came:
            signal.raise_signal(one)


def _where_to_find(program: str) -> str:
    """The cure where there is no such program."""
    return "correct its path" if "/" in program else f"give its path, ./{program} if it is here"
