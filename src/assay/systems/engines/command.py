"""Any command as an engine: a sentence a line on its standard input, a translation a line on its standard output.

    command({"command": "./translate.sh --fast"}, pair).translate(["Der Schlüssel steckt noch."])

It is started once for every batch, without a shell. Newlines inside of a sentence become spaces. What a command does
with the sentences is not known: they count as leaving this machine.
"""

import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock

from assay.model import BadOption
from assay.model.text import fold
from assay.systems.engine import Answer, Engine, Estimate, LanguagePair, Refused, takes_rest

BATCH = 100
"""Sentences for one start of the command; it may have a model to load."""

TIMEOUT = 600.0


@takes_rest("command")
def command(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """Any command: a sentence a line in, a translation a line out."""
    line = options.get("command", "")
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise BadOption(f"the command {line!r} cannot be split into words: {str(error).lower()}") from error
    if not words:
        raise BadOption("cmd: names no command; write NAME=cmd:COMMAND")
    return CommandEngine(words)


class CommandEngine:
    """The engine that is a command."""

    is_local = False
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

    @property
    def parameters(self) -> Mapping[str, str]:
        return {"engine": "cmd", "command": shlex.join(self._words)}

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        return Estimate(sum(map(len, sentences)))

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        return [Answer(line) for line in self._lines.run(self._words, [fold(sentence) for sentence in sentences])]

    def close(self) -> None:
        self._lines.kill()


class LineProcess:
    """Runs programs that answer every line of their input with a line."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._lock = Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def run(self, words: Sequence[str], lines: Sequence[str]) -> list[str]:
        """What the program writes, as many lines as it is given."""
        process = self._start(words)
        try:
            out, err = process.communicate("".join(f"{line}\n" for line in lines).encode())
        finally:
            with self._lock:
                self._running.discard(process)
        if process.returncode:
            last = err.decode(errors="replace").strip().rpartition("\n")[2]
            raise Refused(f"{self.what} {_how(process.returncode)}" + (f": {last}" if last else ""))
        found = [line.removesuffix("\r") for line in out.decode(errors="replace").removesuffix("\n").split("\n")]
        if len(found) != len(lines) or not out:
            raise Refused(
                f"{self.what} wrote {len(found) if out else 0} lines for {len(lines)}; it has to write one for each"
            )
        return found

    def _start(self, words: Sequence[str]) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise Refused(f"{self.what} is stopped")
            try:
                process = subprocess.Popen(
                    list(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
                )
            except FileNotFoundError as error:
                raise Refused(
                    f"{self.what} cannot be run: there is no {words[0]}; give its path, ./{words[0]} if it is here"
                ) from error
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise Refused(
                    f"{self.what} cannot be run: {reason}; is it executable, with a first line like #!…?"
                ) from error
            self._running.add(process)
            return process

    def kill(self) -> None:
        """End what is running; nothing is started any more."""
        with self._lock:
            self._closed = True
            for process in self._running:
                process.kill()


def _how(code: int) -> str:
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"failed with exit code {code}"
