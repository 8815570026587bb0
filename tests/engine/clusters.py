"""A real scheduler and real workers, each a process of its own, on loopback TCP.

with Cluster(folder) as cluster:
    cluster.start_worker()
    engine = open_engine(f"dask:{cluster.address}")
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from distributed import Client

ROOT = Path(__file__).parent.parent.parent


class Cluster:
    """A scheduler; its workers have one thread each, and no nanny that would start them again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
        end = time.monotonic() + 60
        while not file.exists() or not file.read_text():
            assert self.scheduler.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < end
            time.sleep(0.02)
        self.address: str = json.loads(file.read_text())["address"]

    def start_worker(self, *options: str, first: str = "") -> "subprocess.Popen[bytes]":
        """A worker; `first` is a program that it runs before anything else."""
        if first:
            script = self.folder / f"first-{len(self.workers)}.py"
            script.write_text(first)
            options = (*options, "--preload", str(script))
        worker = self._start(
            "dask_worker",
            self.address,
            *("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--local-directory", self.folder),
            *("--death-timeout", "20", *options),
        )
        self.workers.append(worker)
        return worker

    def wait_for(self, workers: int) -> None:
        """Return when the scheduler has so many workers, no fewer and no more."""
        self.until(lambda client: len(client.nthreads()) == workers)

    def until(self, condition: Callable[[Any], bool]) -> None:
        """Return when the condition holds for a client of the scheduler."""
        make: Any = Client
        with make(self.address, set_as_default=False) as client:
            end = time.monotonic() + 60
            while not condition(client):
                assert time.monotonic() < end, (self.folder / "log").read_text()
                time.sleep(0.02)

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
