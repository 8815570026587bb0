"""Who works on a Dask cluster: which workers are there, which of them fit, and for how long none is waited for.

roster = Roster(client, wait=60, resources={"GPU": 1}, tell=print)
roster.open()
roster.fit              {"tcp://10.0.0.9:40123": 1}
"""

from collections.abc import Callable, Iterable, Mapping
from time import monotonic, sleep
from typing import Any

from assay.parallel.executor import BadCluster, Tell
from assay.parallel.versions import CURE, differences, versions

POLL = 0.2
"""Seconds after which one who waits for a worker looks again."""

LOOK = 1.0
"""Seconds between two looks while there is work."""


class Roster:
    """The workers that offer `resources`; those that have other versions than this process get no blocks."""

    def __init__(self, client: Any, *, wait: float, resources: Mapping[str, float], tell: Tell) -> None:
        self._client = client
        self._wait = wait
        self.resources = resources
        self.tell = tell
        self.address: str = client.scheduler.address
        self._threads: dict[str, int] = {}
        self.refused: set[str] = set()
        """Workers that get no blocks."""
        self._next_look = 0.0

    @property
    def fit(self) -> dict[str, int]:
        """The workers that get blocks, with the number of their threads."""
        return {address: threads for address, threads in self._threads.items() if address not in self.refused}

    def open(self) -> None:
        """Wait for a first worker, and refuse a cluster that has other versions than this process."""
        what = "".join(f" {name}={amount:g}" for name, amount in self.resources.items())
        start = f"dask worker {self.address}" + (f" --resources '{what.strip()}'" if what else "")
        if not self._find():
            self._await(
                self._find,
                f"no worker offers{what}" if what and self._offering({}) else "the scheduler has no workers",
                f"no worker that offers{what} came" if what else "no worker came",
                f"start some ({start}), or wait longer with --wait",
            )
        for worker, problem in sorted(self._misfits().items()):
            raise BadCluster(worker, problem, CURE)

    def look(self, *, wait: bool = True) -> None:
        """See who has come and gone, if the last look is some time ago. Where nobody is left, wait for a worker."""
        if monotonic() > self._next_look:
            self.see()
        if wait and not self.fit:
            cure = "start workers and run it again"
            self._await(self.see, "no worker is left", "no worker is left, and none came", cure)

    def see(self) -> bool:
        """Tell of the workers that are gone, and check those that have come. Is there one that fits?"""
        before = self._threads
        self._find()
        for worker in before.keys() - self._threads.keys():
            self.refused.discard(worker)
            self.tell(f"the worker at {worker} is gone; others do its blocks again")
        if come := self._threads.keys() - before.keys():
            self.check(come)
        self._next_look = monotonic() + LOOK
        return bool(self.fit)

    def check(self, workers: Iterable[str] | None = None) -> None:
        """Give no more blocks to those of the workers, else of all, that do not fit, and tell what is wrong."""
        for worker, problem in self._misfits(workers).items():
            if worker not in self.refused:
                self.tell(f"{BadCluster(worker, problem, CURE)}; it gets no blocks")
                self.refused.add(worker)

    def gone(self) -> BadCluster:
        """The message for a scheduler that does not answer any more."""
        return BadCluster(self.address, "the scheduler is gone", "start it and its workers, and run it again")

    def _await(self, is_there: Callable[[], bool], lack: str, problem: str, cure: str) -> None:
        self.tell(f"{self.address}: {lack}; waiting {self._wait:g} s for one")
        end = monotonic() + self._wait
        while not is_there():
            if monotonic() > end:
                raise BadCluster(self.address, f"{problem} in {self._wait:g} s", cure)
            sleep(min(POLL, self._wait))

    def _find(self) -> bool:
        self._threads = self._offering(self.resources)
        return bool(self._threads)

    def _offering(self, resources: Mapping[str, float]) -> dict[str, int]:
        """The workers that offer these resources, with the number of their threads."""
        try:
            info = self._client.scheduler_info(n_workers=-1)
            while len(info["workers"]) < info.get("n_workers", 0):
                # The client keeps the last answer, and also asks by itself from time to time, for numbers only.
                info = self._client.scheduler_info(n_workers=-1)
        except Exception as error:  # of many kinds, by the state in which the client is
            raise self.gone() from error
        return {
            address: worker["nthreads"]
            for address, worker in info["workers"].items()
            if all(worker["resources"].get(name, 0) >= amount for name, amount in resources.items())
        }

    def _misfits(self, workers: Iterable[str] | None = None) -> dict[str, str]:
        """What is wrong with those of the workers that have other versions than this process, or no Assay."""
        try:
            answers: dict[str, Any] = self._client.run(versions, workers=workers and list(workers), on_error="return")
        except OSError as error:
            raise self.gone() from error
        found = {}
        for worker, answer in answers.items():
            if isinstance(answer, OSError):  # it has left
                continue
            if isinstance(answer, BaseException):
                found[worker] = f"the worker cannot start Assay ({answer})"
            elif wrong := differences(versions(), answer):
                found[worker] = f"the worker has {', '.join(wrong)}"
        return found
