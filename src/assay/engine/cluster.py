"""Blocks of work on a Dask cluster that somebody else has started.

    with DaskEngine("tcp://10.0.0.7:8786") as engine:
        for scores in engine.map(score, blocks):
            write(scores)

A block travels through the scheduler to a worker and its result back. Dask gives the blocks of a worker that dies to
others; a block that raises is tried on another worker here. Before the first block, and again with every block, workers
are checked to have the same versions as this process.
"""

import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import lru_cache
from queue import Empty, SimpleQueue
from time import monotonic
from types import TracebackType
from typing import Any, TypeVar
from uuid import uuid4

from assay.engine.connecting import WAIT, Quiet, address_of, check_versions, connect, gone, wait_for_workers
from assay.engine.errors import BadCluster
from assay.engine.local import AHEAD, RETRIES, Tell, portable
from assay.engine.versions import differences, versions
from assay.model.engines import Progress

B = TypeVar("B")
R = TypeVar("R")

LOOK = 1.0
"""Seconds after which a wait looks whether there are still workers."""


class _Task:
    """A block on its way: its number, what was sent, and the workers on which it has raised."""

    def __init__(self, number: int, block: bytes) -> None:
        self.number = number
        self.block = block
        self.future: Any = None
        self.raised: list[tuple[str, str]] = []


class DaskEngine:
    """A running Dask cluster as an engine; without an address the one that Dask's configuration names.

    `wait` is for how many seconds workers are waited for; `resources` are what a worker has to offer for a block, such
    as `{"GPU": 1}`; `tell` gets a line whenever something happens to a worker.
    """

    def __init__(
        self,
        address: str = "",
        *,
        wait: float = WAIT,
        resources: Mapping[str, float] | None = None,
        tell: Tell | None = None,
    ) -> None:
        self._wait = wait
        self._resources = dict(resources or {})
        self._tell = tell or (lambda line: None)
        self._events: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._alone_since: float | None = None
        wanted = address_of(address)
        self._quiet = Quiet()
        try:
            self._client = connect(wanted, wait)
            self.address: str = self._client.scheduler.address
            try:
                wait_for_workers(self._client, wait, self._tell)
                check_versions(self._client)
                self._check_resources()
                self._client.subscribe_topic("all", lambda event: self._events.put(event[1]))
                self._threads: dict[str, int] = self._client.nthreads()
            except BaseException:
                self.close()
                raise
        except BaseException:
            self._quiet.end()
            raise

    def map(
        self,
        function: Callable[[B], R],
        blocks: Iterable[B],
        *,
        progress: Progress | None = None,
        one_per_machine: bool = False,
    ) -> Generator[R, None, None]:
        """As in `Engine`. A block that is under way when the generator is closed still runs to its end.

        How many workers a machine has, and what they offer, is up to who started them.
        """
        run = _Run(pickle.dumps(function))
        window: deque[_Task] = deque()
        waiting = enumerate(blocks)
        exhausted = False
        try:
            while True:
                while not exhausted and len(window) < AHEAD * max(1, sum(self._threads.values())):
                    given = next(waiting, None)
                    if given is None:
                        exhausted = True
                        break
                    window.append(_Task(given[0], pickle.dumps(given[1], protocol=pickle.HIGHEST_PROTOCOL)))
                    self._submit(run, window[-1])
                if not window:
                    return
                result: R = self._result(run, window[0])
                window.popleft()
                yield result
                if progress is not None:
                    progress(1)
        finally:
            self._cancel([task.future for task in window])

    def close(self) -> None:
        """Let go of the cluster; it goes on running."""
        reached = self._client.status == "running"
        with suppress(OSError, TimeoutError):
            self._client.close(timeout=2)
        if reached:  # otherwise Dask still tries in the background, and would complain
            self._quiet.end()

    def __enter__(self) -> "DaskEngine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _submit(self, run: "_Run", task: _Task) -> None:
        others = [address for address in self._threads if address not in dict(task.raised)] if task.raised else None
        try:
            task.future = self._client.submit(
                _apply,
                run.function,
                task.block,
                versions(),
                pure=False,
                key=f"assay-{run.name}-{task.number}-{len(task.raised)}",
                workers=others,
                allow_other_workers=others is not None,
                resources=self._resources or None,
            )
        except Exception as error:
            raise gone(self.address) from error

    def _result(self, run: "_Run", task: _Task) -> Any:
        """What came of a block, on whichever worker it went well."""
        while True:
            worker, value, error = self._answer(task)
            self._look()
            if error is None:
                for where, what in task.raised:
                    self._tell(f"block {task.number + 1} raised on {where} ({what}); {worker} has done it")
                return value
            task.raised.append((worker, f"{type(error).__name__}: {error}"))
            if len(task.raised) > RETRIES or set(self._threads) <= set(dict(task.raised)):
                raise error
            self._submit(run, task)

    def _answer(self, task: _Task) -> tuple[str, Any, Exception | None]:
        while True:
            try:
                worker, packed = task.future.result(timeout=LOOK)
            except TimeoutError:
                self._look(waiting=True)
            except (CancelledError, OSError) as error:
                raise gone(self.address) from error
            except Exception as error:
                raise self._lost(task, error) from error
            else:
                value, raised = pickle.loads(packed)
                return worker, value, raised

    def _lost(self, task: _Task, error: Exception) -> BadCluster:
        if type(error).__name__ == "KilledWorker":
            return BadCluster(
                self.address,
                f"block {task.number + 1} ended every worker that it was given to, perhaps because memory ran out",
                "give workers more memory, or look at their logs",
            )
        return BadCluster(
            self.address,
            f"a worker cannot do block {task.number + 1} ({type(error).__name__}: {error})",
            "look at the logs of the workers",
        )

    def _look(self, *, waiting: bool = False) -> None:
        """Tell of workers that have gone; give up where none comes for too long."""
        changed = False
        with suppress(Empty):
            while True:
                event = self._events.get_nowait()
                if event.get("action") in ("add-worker", "remove-worker"):
                    changed = True
                if event.get("action") == "remove-worker":
                    self._tell(f"the worker at {event.get('worker')} is gone; others do its blocks again")
        if changed or waiting:
            try:
                self._threads = self._client.nthreads()
            except Exception as error:
                raise gone(self.address) from error
        if self._threads:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = monotonic()
            self._tell(f"{self.address}: no worker is left; waiting {self._wait:g} s for one")
        elif monotonic() - self._alone_since > self._wait:
            raise BadCluster(
                self.address, f"no worker is left, and none came in {self._wait:g} s", "start workers and run it again"
            )

    def _check_resources(self) -> None:
        if not self._resources:
            return
        offered = [worker["resources"] for worker in self._client.scheduler_info(n_workers=-1)["workers"].values()]
        if not any(all(offer.get(name, 0) >= amount for name, amount in self._resources.items()) for offer in offered):
            names = ", ".join(f"{name}={amount:g}" for name, amount in self._resources.items())
            raise BadCluster(
                self.address, f"no worker offers {names}", f"start workers with --resources {names.replace(', ', ' ')}"
            )

    def _cancel(self, futures: list[Any]) -> None:
        if futures and self._client.status == "running":
            with suppress(Exception):  # the scheduler may be gone, and then so are they
                self._client.cancel([future for future in futures if future is not None], force=True)


class _Run:
    """What all blocks of one map share."""

    def __init__(self, function: bytes) -> None:
        self.name = uuid4().hex
        self.function = function


def _apply(function: bytes, block: bytes, wanted: Mapping[str, str]) -> tuple[str, bytes]:
    """On a worker: its address, and the result of a block or what it raised."""
    from distributed import get_worker

    address = str(get_worker().address)
    try:
        _check_here(address, tuple(wanted.items()))
        answer = pickle.dumps((_function(function)(pickle.loads(block)), None), protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        answer = pickle.dumps((None, portable(error)))
    return address, answer


@lru_cache(maxsize=4)
def _function(packed: bytes) -> Callable[[Any], Any]:
    """The function of a run, made once by a worker, with all that it loads at its first block."""
    function: Callable[[Any], Any] = pickle.loads(packed)
    return function


@lru_cache(maxsize=4)
def _check_here(address: str, wanted: tuple[tuple[str, str], ...]) -> None:
    """A worker that came after the start has to fit as well."""
    found = differences(dict(wanted), versions())
    if found:
        raise BadCluster(address, f"the worker has {', '.join(found)}", "install the same versions everywhere")
