"""Any command as an engine: a sentence a line on its standard input, a translation a line on its standard output.

    command({"command": "./translate.sh --fast"}, pair).translate(["Der Schlüssel steckt noch."])

It is started once for every batch, without a shell. Newlines inside of a sentence become spaces. What a command does
with the sentences is not known: they count as leaving this machine. The parameters have a digest of every word of the
command that is a file: answers of a script that was changed since are others.
"""

import os
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from threading import Lock, Thread
from typing import IO

from assay.command import digest, files_of, split, where_to_find
from assay.text import fold
from assay.translate.engine import Answer, Engine, Estimate, LanguagePair, Refused, TryAgain, takes_rest

BATCH = 100
"""Sentences for one start of the command; it may have a model to load."""

TIMEOUT = 600.0

LARGEST = 8 * 2**20
"""Bytes of an answer to a batch; a command that writes more has gone astray."""

_TAIL = 4096
"""Bytes of its messages that are kept; the last line is shown."""


@takes_rest("command")
def command(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """Any command: a sentence a line in, a translation a line out."""
    return CommandEngine(split(options.get("command", ""), "command"))


class CommandEngine:
    """The engine that is a command."""

    is_local = False
    can_spread = True
    batch = BATCH
    concurrency = 1
    per_minute = None
    timeout = TIMEOUT

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)
        self._lines = LineProcess(f"the command {shlex.join(words)!r}")

    @property
    def name(self) -> str:
        return Path(self._words[0]).stem

    @cached_property
    def parameters(self) -> Mapping[str, str]:
        files = " ".join(f"{file.name}:{digest(file)}" for file in files_of(self._words))
        return {"engine": "cmd", "command": shlex.join(self._words), **({"files": files} if files else {})}

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        return Estimate(sum(map(len, sentences)))

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        lines = [fold(sentence) for sentence in sentences]
        return [Answer(line) for line in self._lines.run(self._words, lines, sentences)]

    def give_up(self, sentences: Sequence[str]) -> None:
        self._lines.give_up(sentences)

    def close(self) -> None:
        self._lines.kill()


class LineProcess:
    """Runs programs that answer every line of their input with a line.

    Each is in a group of its own, so that the processes which it starts can be ended with it.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._lock = Lock()
        self._running: dict[subprocess.Popen[bytes], Sequence[str]] = {}
        self._given_up: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def run(self, words: Sequence[str], lines: Sequence[str], sentences: Sequence[str]) -> list[str]:
        """What the program writes, as many lines as it is given; `give_up` ends it by the sentences they stand for."""
        process = self._start(words, sentences)
        try:
            with process:
                out, err = _exchange(process, "".join(f"{line}\n" for line in lines).encode(), len(lines))
        finally:
            with self._lock:
                del self._running[process]
        if process in self._given_up:
            raise TryAgain(f"{self.what} took too long, and was ended")
        if len(out) > LARGEST:
            raise Refused(f"{self.what} wrote more than {LARGEST >> 20} MB for {len(lines)} lines, and was ended")
        if out.count(b"\n") > len(lines):
            raise Refused(
                f"{self.what} wrote more than {len(lines)} lines for {len(lines)}; it has to write one for each"
            )
        if process.returncode:
            last = err.decode(errors="replace").strip().rpartition("\n")[2]
            raise Refused(f"{self.what} {_how(process.returncode)}" + (f": {last}" if last else ""))
        found = [line.removesuffix("\r") for line in out.decode(errors="replace").removesuffix("\n").split("\n")]
        if len(found) != len(lines) or not out:
            raise Refused(
                f"{self.what} wrote {len(found) if out else 0} lines for {len(lines)}; it has to write one for each"
            )
        return found

    def _start(self, words: Sequence[str], sentences: Sequence[str]) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise Refused(f"{self.what} is stopped")
            try:
                process = subprocess.Popen(
                    list(words),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
            except FileNotFoundError as error:
                raise Refused(
                    f"{self.what} cannot be run: there is no {words[0]}; {where_to_find(words[0])}"
                ) from error
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise Refused(
                    f"{self.what} cannot be run: {reason}; is it executable, with a first line like #!…?"
                ) from error
            self._running[process] = sentences
            return process

    def give_up(self, sentences: Sequence[str]) -> None:
        """End the program that was started for these."""
        with self._lock:
            for process, its in self._running.items():
                if list(its) == list(sentences):
                    self._given_up.add(process)
                    _kill(process)

    def kill(self) -> None:
        """End what is running; nothing is started any more."""
        with self._lock:
            self._closed = True
            for process in self._running:
                _kill(process)


def _exchange(process: subprocess.Popen[bytes], content: bytes, lines: int) -> tuple[bytes, bytes]:
    """What a process writes, and the end of its messages. One that writes too much is ended, and not read on."""
    assert process.stdin
    assert process.stdout
    assert process.stderr
    messages = bytearray()
    feeding = Thread(target=_feed, args=(process.stdin, content), daemon=True)
    listening = Thread(target=_listen, args=(process.stderr, messages), daemon=True)
    feeding.start()
    listening.start()
    out, ends = bytearray(), 0
    while chunk := os.read(process.stdout.fileno(), 2**16):
        out += chunk
        ends += chunk.count(b"\n")
        if len(out) > LARGEST or ends > lines:
            _kill(process)
            break
    process.wait()
    feeding.join()
    # A process that outlives the command may hold the other end open.
    listening.join(1)
    return bytes(out), bytes(messages)


def _feed(stdin: IO[bytes], content: bytes) -> None:
    with suppress(BrokenPipeError), stdin:  # it need not read everything
        stdin.write(content)


def _listen(stderr: IO[bytes], messages: bytearray) -> None:
    with suppress(OSError, ValueError):  # closed under its hands
        while chunk := os.read(stderr.fileno(), 2**16):
            messages += chunk
            del messages[:-_TAIL]


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is not None:
        return  # its number may be another's by now
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _how(code: int) -> str:
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"failed with exit code {code}"
