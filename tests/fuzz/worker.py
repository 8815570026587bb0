"""A process that makes attempts, with a limit of memory and, kept by its parent, of time."""

import multiprocessing
import resource
import shutil
import signal
from contextlib import chdir, suppress
from fnmatch import fnmatchcase
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Self

from tests.fuzz.attempt import Door, complaint, run_command
from tests.fuzz.doors import DOORS
from tests.fuzz.mutations import mutate
from tests.suites.building import listing

SECONDS = 60.0
"""Of one run: slow rules are given up after 60 seconds at the latest, and here there are few of them."""

MEMORY = 3 * 1024**3
"""Bytes of the whole process, with all modules and libraries in it."""


Files = dict[str, bytes | None]
"""Path -> what is in the file; None for a folder."""


def damage(samples: Files, seed: int, run: int) -> tuple[Door, str, bytes]:
    """The door of a run, the file that is damaged, and what is in it then."""
    door = DOORS[run % len(DOORS)]
    (name,) = (name for name in samples if fnmatchcase(name, door.file))
    return door, name, mutate(Random(f"{seed}/{run}"), name, samples[name] or b"")


def attempt(samples: Files, folder: Path, seed: int, run: int) -> str:
    """What is wrong with one run; empty where nothing is. The folder has the samples, and has them again afterwards."""
    door, name, content = damage(samples, seed, run)
    (folder / name).write_bytes(content)
    with chdir(folder):
        done = run_command(door.command)
    after = listing(folder)
    found = complaint(done, door, samples | {name: content}, after)
    restore(samples, folder, after)
    return f"{found}\n{done.trace or done.error}".strip() if found else ""


def restore(samples: Files, folder: Path, found: Files) -> None:
    """Bring a folder in which these files were found back to the samples."""
    # What is deeper comes first, so that folders are empty when they are removed.
    for name in sorted(found.keys() - samples.keys(), reverse=True):
        (folder / name).rmdir() if found[name] is None else (folder / name).unlink()
    for name, content in samples.items():
        if content is None:
            (folder / name).mkdir(parents=True, exist_ok=True)
        elif found.get(name) != content:
            (folder / name).write_bytes(content)


def _work(samples: Path, folder: Path, pipe: Connection) -> None:
    # The parent decides: a Ctrl-C at the terminal is sent to all processes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    files = listing(samples)
    shutil.copytree(samples, folder)
    with suppress(EOFError):  # the parent has gone
        while True:
            pipe.send(attempt(files, folder, *pipe.recv()))


class Worker:
    """Makes runs in another process; one that takes too long or dies is replaced."""

    def __init__(self, samples: Path, scratch: Path) -> None:
        self._samples, self._folder = samples, scratch / "run"
        self._process: multiprocessing.context.SpawnProcess | None = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def try_run(self, seed: int, run: int) -> str:
        """What is wrong with a run; empty where nothing is."""
        process, pipe = self.started()
        try:
            pipe.send((seed, run))
            if not pipe.poll(SECONDS):
                self._end()
                return f"no end after {SECONDS:g} seconds"
            return str(pipe.recv())
        except (EOFError, OSError):
            process.join()
            code = process.exitcode or 0
            self._end()
            return f"the process died ({signal.Signals(-code).name if code < 0 else code})"

    def started(self) -> "tuple[multiprocessing.context.SpawnProcess, Connection]":
        """The process and the pipe to it."""
        if self._process is None or self._pipe is None:
            # Spawned, not forked: a run must not depend on what happened in this process before.
            context = multiprocessing.get_context("spawn")
            self._pipe, other = context.Pipe()
            self._process = context.Process(target=_work, args=(self._samples, self._folder, other))
            self._process.start()
            other.close()
        return self._process, self._pipe

    def _end(self) -> None:
        if self._process is not None and self._pipe is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
        self._process = self._pipe = None
        shutil.rmtree(self._folder, ignore_errors=True)
