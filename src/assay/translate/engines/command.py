"""Any command as an engine: a sentence a line on its standard input, a translation a line on its standard output.

    command({"command": "./translate.sh --fast"}, pair).translate(["Der Schlüssel steckt noch."])

It is started once for every batch, without a shell. Newlines inside of a sentence become spaces. What a command does
with the sentences is not known: they count as leaving this machine. The parameters have a digest of every word of the
command that is a file: answers of a script that was changed since are others.
"""

import shlex
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path
from threading import Lock

from assay.command import RunningCommand, digest, files_of, split
from assay.text import fold
from assay.translate.engine import Answer, Engine, Estimate, LanguagePair, Refused, TryAgain

LARGEST = 8 * 2**20
"""Bytes of an answer to a batch; a command that writes more has gone astray."""


def command(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """Any command: a sentence a line in, a translation a line out."""
    return CommandEngine(split(options.get("command", ""), "command"))


class LineEngine:
    """An engine that is a command: it answers every line of its input with a line. `what` it is, for messages."""

    can_spread = True
    batch = 100  # for one start of the command; it may have a model to load
    concurrency = 1
    per_minute = None

    def __init__(self, what: str) -> None:
        self.what = what
        self._lock = Lock()
        self._running: dict[RunningCommand, Sequence[str]] = {}
        self._given_up: set[RunningCommand] = set()
        self._closed = False

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        return Estimate(sum(map(len, sentences)))

    def run(self, words: Sequence[str], lines: Sequence[str], sentences: Sequence[str]) -> list[str]:
        """What the command writes, as many lines as it is given; `give_up` ends it by the sentences they stand for."""
        running = self._start(words, lines, sentences)
        try:
            with closing(running):
                out = _output(running, len(lines))
                failure = running.failure()
        finally:
            with self._lock:
                del self._running[running]
        # What this process did to it explains more than how it ended, so that comes first.
        if running in self._given_up:
            raise TryAgain(f"{self.what} took too long, and was ended")
        if len(out) > LARGEST:
            raise Refused(f"{self.what} wrote more than {LARGEST >> 20} MB for {len(lines)} lines, and was ended")
        if out.count(b"\n") > len(lines):
            raise Refused(
                f"{self.what} wrote more than {len(lines)} lines for {len(lines)}; it has to write one for each"
            )
        if failure:
            raise Refused(f"{self.what} {failure}")
        found = [line.removesuffix("\r") for line in out.decode(errors="replace").removesuffix("\n").split("\n")]
        if len(found) != len(lines) or not out:
            raise Refused(
                f"{self.what} wrote {len(found) if out else 0} lines for {len(lines)}; it has to write one for each"
            )
        return found

    def _start(self, words: Sequence[str], lines: Sequence[str], sentences: Sequence[str]) -> RunningCommand:
        # Under the lock, so that `close` misses none that is just being started.
        with self._lock:
            if self._closed:
                raise Refused(f"{self.what} is stopped")
            running = RunningCommand(words, [f"{line}\n".encode() for line in lines], self.what, Refused)
            self._running[running] = sentences
            return running

    def give_up(self, sentences: Sequence[str]) -> None:
        """End the command that was started for these."""
        with self._lock:
            for running, its in self._running.items():
                if list(its) == list(sentences):
                    self._given_up.add(running)
                    running.kill()

    def close(self) -> None:
        """End what is running; nothing is started any more."""
        with self._lock:
            self._closed = True
            for running in self._running:
                running.kill()


def _output(running: RunningCommand, lines: int) -> bytes:
    """What a command writes. One that writes too much is ended, and not read on."""
    out, ends = bytearray(), 0
    for chunk in running.chunks():
        out += chunk
        ends += chunk.count(b"\n")
        if len(out) > LARGEST or ends > lines:
            running.kill()
            break
    return bytes(out)


class CommandEngine(LineEngine):
    """Any command. It may be slow, and nobody knows where it sends the sentences."""

    is_local = False
    timeout = 600.0

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(f"the command {shlex.join(words)!r}")
        self._words = list(words)

    @property
    def name(self) -> str:
        return Path(self._words[0]).stem

    @cached_property
    def parameters(self) -> Mapping[str, str]:
        files = " ".join(f"{file.name}:{digest(file)}" for file in files_of(self._words))
        return {"engine": "cmd", "command": shlex.join(self._words), **({"files": files} if files else {})}

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        lines = [fold(sentence) for sentence in sentences]
        return [Answer(line) for line in self.run(self._words, lines, sentences)]
