"""The command `assay` in processes of their own that need not import everything first.

Most of the time of a small command is spent on imports. Here another process has done them: it forks for every
command, and its child goes on as `python -m assay` does, with its own arguments, folder, environment and streams. What
is tested about the start itself (signals, locales, what is imported when) is tested with real starts.

    with Commands() as commands:
        done = commands.run(["evaluate", "de-en", "mine.txt"], folder, environment)
"""

import atexit
import gc
import json
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import cycle
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory
from typing import Any, Self

import assay

STREAMS = ("stdin", "stdout", "stderr")

LIBRARIES = (
    "argon2",
    "fastchrf",
    "httpx",
    "rapidfuzz",
    "regex",
    "sacrebleu",
    "sqlalchemy.dialects.sqlite",
    "xlsxwriter",
)
"""What commands import when they need it, and what may be there before the environment is known."""


class Commands:
    """Runs commands, one after the other."""

    def __init__(self) -> None:
        # Two that take turns: the order of sets is another in each, so that a command which depends on it, run twice,
        # does not print the same twice.
        self._forks = cycle((_Fork(), _Fork()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for fork in (next(self._forks), next(self._forks)):
            fork.end()

    def run(
        self,
        arguments: Sequence[str | Path],
        folder: Path,
        environment: Mapping[str, str],
        stdin: str = "",
        first: str = "",
    ) -> "subprocess.CompletedProcess[str]":
        """The finished command; its streams are UTF-8. `first` is a program that it runs before anything else."""
        words = [str(argument) for argument in arguments]
        environment = {**environment, "PYTHONIOENCODING": "utf-8"}
        fork = next(self._forks)
        if _of_python(environment) == _of_python(fork.environment):
            return fork.run(words, folder, environment, stdin, first)
        assert not first
        return subprocess.run(
            [sys.executable, "-m", "assay", *words],
            cwd=folder,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env=environment,
            check=False,
        )


def _of_python(environment: Mapping[str, str]) -> dict[str, str]:
    """What an interpreter reads when it starts, and what is too late for a fork."""
    return {name: value for name, value in environment.items() if name.startswith(("PYTHON", "LANG", "LC_"))}


class _Fork:
    """The process that forks, started when it is first needed."""

    def __init__(self) -> None:
        self.environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        self._process: subprocess.Popen[str] | None = None

    def run(
        self, arguments: list[str], folder: Path, environment: dict[str, str], stdin: str, first: str
    ) -> "subprocess.CompletedProcess[str]":
        with TemporaryDirectory(prefix="assay-streams-") as streams:
            texts = {name: Path(streams, name) for name in STREAMS}
            texts["stdin"].write_bytes(stdin.encode())
            code = self._answer([arguments, str(folder), environment, streams, first])
            stdout, stderr = (texts[name].read_bytes().decode() for name in STREAMS[1:])
        return subprocess.CompletedProcess(arguments, code, stdout, stderr)

    def _answer(self, request: list[Any]) -> int:
        """The exit code of a command; whoever stops waiting for it (a time limit, Ctrl-C) ends it as well."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            return int(process.stdout.readline())
        except BaseException:
            self.end()
            raise

    def _started(self) -> "subprocess.Popen[str]":
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                env=self.environment,
                # A group of its own, so that it can be ended together with its command.
                start_new_session=True,
            )
        return self._process

    def end(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            with self._process:
                self._process = None


# In the process that forks


class End:
    """Ends a process with its exit code. What has been imported is not taken down again, which takes as long as a small
    command; registered first and so called last, after threads and everything else that is registered."""

    def __init__(self) -> None:
        self.code = 1  # that of an error which nobody has caught

    def __call__(self) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(self.code)

    def of(self, command: Callable[[], object]) -> None:
        """Run a command, whose exit code it will be."""
        try:
            command()
        except SystemExit as ended:
            self.code = int(ended.code or 0)
        else:
            self.code = 0


def import_all() -> None:
    """Import what any command may need."""
    for name in LIBRARIES:
        import_module(name)
    for module in walk_packages(assay.__path__, "assay."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


def _fork() -> None:
    """Read requests and answer with exit codes; returns, in a child, when that child is to be the command."""
    import_all()
    # The collector of a child would walk, and so copy, everything.
    gc.freeze()
    # The standard streams are left to the command, with nothing in their buffers.
    with os.fdopen(os.dup(0), encoding="utf-8") as requests, os.fdopen(os.dup(1), "w") as answers:
        while request := requests.readline():
            child = os.fork()
            if child == 0:
                break
            _, status = os.waitpid(child, 0)
            print(os.waitstatus_to_exitcode(status), file=answers, flush=True)
    if not request:
        sys.exit()
    _become(*json.loads(request))


def _become(arguments: list[str], folder: str, environment: dict[str, str], streams: str, first: str) -> None:
    """Take the place, the environment and the streams of the command, and run what comes first."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    flags = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)
    for number, (name, flag) in enumerate(zip(STREAMS, flags, strict=True)):
        opened = os.open(Path(streams, name), flag)
        os.dup2(opened, number)
        os.close(opened)
    sys.argv[1:] = arguments
    sys.path.insert(0, folder)
    exec(first, {})


def _main() -> None:
    # `python -m` looks into the folder of the call first, not into that of this file.
    del sys.path[0]
    end = End()
    atexit.register(end)
    _fork()
    end.of(lambda: runpy.run_module("assay", run_name="__main__", alter_sys=True))


if __name__ == "__main__":
    _main()
