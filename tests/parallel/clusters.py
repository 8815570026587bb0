"""A real scheduler and real workers, each a process of its own, on loopback TCP.

with Cluster(folder) as cluster:
    cluster.start_worker()
    executor = open_executor(f"dask:{cluster.address}")
"""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from distributed import Client

ROOT = Path(__file__).parent.parent.parent


LIMIT = 120.0
"""Seconds after which a wait fails; on a busy machine a process takes long to start."""


def wait_until(condition: Callable[[], bool], running: "subprocess.Popen[Any] | None" = None) -> None:
    """Return when the condition holds; fails when that takes too long, or when the process has ended before."""
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end
        assert running is None or running.poll() is None
        time.sleep(0.02)


def until_it_is_given_work(run: Callable[[], "subprocess.CompletedProcess[str]"]) -> "subprocess.CompletedProcess[str]":
    """Repeat a run until it says something about its workers: on a busy machine the others may do all the work before
    one that has just come."""
    done = run()
    for _ in range(9):
        if done.stderr:
            break
        done = run()
    return done


class Cluster:
    """A scheduler; its workers have one thread each, and no nanny that would start them again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
        wait_until(lambda: file.exists() and bool(file.read_text()), self.scheduler)
        self.address: str = json.loads(file.read_text())["address"]

    def start_worker(self, *options: str, first: str = "", through: str = "") -> "subprocess.Popen[bytes]":
        """A worker; `first` is a program that it runs before anything else, `through` the address of a line."""
        if first:
            script = self.folder / f"first-{len(self.workers)}.py"
            script.write_text(first)
            options = (*options, "--preload", str(script))
        worker = self._start(
            "dask_worker",
            through or self.address,
            *("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--local-directory", self.folder),
            *("--death-timeout", "60", *options),
        )
        self.workers.append(worker)
        return worker

    @contextmanager
    def another_worker(self, first: str = "") -> "Iterator[subprocess.Popen[bytes]]":
        """One more worker for a while."""
        before = len(self.workers)
        worker = self.start_worker(first=first)
        self.wait_for(before + 1)
        try:
            yield worker
        finally:
            worker.kill()
            worker.wait()
            self.workers.remove(worker)
            self.wait_for(before)

    def wait_for(self, workers: int) -> None:
        """Return when the scheduler has so many workers, no fewer and no more."""
        self.until(lambda client: len(client.nthreads()) == workers)

    def until(self, condition: Callable[[Any], bool]) -> None:
        """Return when the condition holds for a client of the scheduler."""
        with self._client() as client:
            wait_until(lambda: condition(client))

    def _client(self) -> Any:
        make: Any = Client
        for _ in range(9):
            # On a busy machine a client may fail to register, which Dask says with an AssertionError.
            with suppress(AssertionError):
                return make(self.address, set_as_default=False)
        return make(self.address, set_as_default=False)

    def _start(self, module: str, *arguments: str | Path) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.{module}", *map(str, arguments), "--no-dashboard"]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)

    def stop(self) -> None:
        """End everything that was started here."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class Line:
    """A line to a scheduler that can be cut: a port of this machine, and whatever is sent to it goes on."""

    def __init__(self, scheduler: str) -> None:
        host, _, port = scheduler.removeprefix("tcp://").rpartition(":")
        self._scheduler = host, int(port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self.address = f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Whoever is at an end of it sees that it is closed; nobody can connect any more."""
        for end in (self._listener, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, far = self._listener.accept()[0], socket.create_connection(self._scheduler)
                self._ends += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._copy, args=ends, daemon=True).start()

    @staticmethod
    def _copy(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
