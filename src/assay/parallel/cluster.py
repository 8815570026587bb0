"""Blocks of work on a Dask cluster that somebody else has started.

    with DaskExecutor("tcp://10.0.0.7:8786") as executor:
        for scores in executor.map(score, blocks):
            write(scores)

A block travels through the scheduler to a worker and its result back; the function travels once to every worker. Dask
gives the blocks of a worker that dies to others; a block that raises is tried on another worker here. Before the first
block, and again with every block, workers are checked to have the same versions as this process.
"""

import pickle
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from hashlib import sha256
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from types import TracebackType
from typing import Any, TypeVar
from uuid import uuid4

from assay.parallel.connection import (
    POLL,
    WAIT,
    Quiet,
    address_of,
    check_versions,
    connect,
    gone,
    holding,
    misfits,
    offering,
    wait_for_workers,
)
from assay.parallel.errors import BadCluster
from assay.parallel.executor import Misfit
from assay.parallel.processes import AHEAD, RETRIES, Tell, Unread, numbered
from assay.parallel.versions import CURE, versions
from assay.parallel.worker import apply
from assay.progress import Progress

B = TypeVar("B")
R = TypeVar("R")

LOOK = 1.0
"""Seconds after which a wait looks whether there are still workers."""

SPREAD = 3.0
"""Seconds that the way of a function to all workers may hold up the first block."""


class _Task:
    """A block on its way: its number, what was sent and to whom, and the workers on which it has raised."""

    def __init__(self, number: int, block: bytes) -> None:
        self.number = number
        self.block = block
        self.future: Any = None
        self.only: list[str] = []
        self.unread: Exception | None = None
        self.failed = 0
        self.raised: dict[str, str] = {}


class _Function:
    """A function on its way: what it is known by, the name it has on the cluster, and the task that holds it there.

    `copies` are tasks that do nothing but bring it to a worker.
    """

    def __init__(self, digest: bytes, name: str, future: Any) -> None:
        self.digest = digest
        self.name = name
        self.future = future
        self.copies: dict[str, Any] = {}


class DaskExecutor:
    """A running Dask cluster as an executor; without an address the one that Dask's configuration names.

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
        self._workers: dict[str, int] = {}
        self._refused: set[str] = set()
        self._misfits: dict[str, str] = {}
        self._last: _Function | None = None
        wanted = address_of(address)
        self._quiet = Quiet()
        try:
            self._client = connect(wanted, wait)
            self.address: str = self._client.scheduler.address
            try:
                wait_for_workers(self._client, wait, self._resources, self._tell)
                check_versions(self._client)
                self._client.subscribe_topic("all", self._take_event)
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
        """As in `Engine`; how many workers a machine has, and what they offer, is up to who started them.

        When the generator is closed, what is under way on a worker ends as soon as it comes back to Python code.
        """
        window: deque[_Task] = deque()
        waiting = numbered(blocks)
        exhausted = False
        self._alone_since = None
        self._look(waiting=True)
        shared = self._ship(pickle.dumps(function, protocol=pickle.HIGHEST_PROTOCOL))
        try:
            while True:
                while not exhausted and len(window) < AHEAD * max(1, sum(self._workers.values())):
                    given = next(waiting, None)
                    if given is None:
                        exhausted = True
                        break
                    number, block = given
                    if isinstance(block, Unread):
                        exhausted = True
                        window.append(_Task(number, b""))
                        window[-1].unread = block.error
                        break
                    window.append(_Task(number, pickle.dumps(block, protocol=pickle.HIGHEST_PROTOCOL)))
                    self._send(shared, window[-1])
                if not window:
                    return
                result: R = self._result(shared, window[0])
                window.popleft()
                yield result
                if progress is not None:
                    progress(1)
        finally:
            self._cancel([task.future for task in window])

    def close(self) -> None:
        """Let go of the cluster; it goes on running."""
        self._last = None
        reached = self._client.status == "running"
        with suppress(OSError, TimeoutError):
            self._client.close(timeout=2)
        if reached:  # otherwise Dask still tries in the background, and would complain
            self._quiet.end()

    def __enter__(self) -> "DaskExecutor":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ship(self, packed: bytes) -> _Function:
        """The function as a task, whose result goes from worker to worker; Dask does it again where it gets lost."""
        digest = sha256(packed).digest()
        if self._last is None or self._last.digest != digest or self._last.future.status not in ("pending", "finished"):
            name = f"assay_function-{uuid4().hex}"
            self._last = _Function(digest, name, self._submit(bytes, packed, key=name))
            self._spread(self._last)
        return self._last

    def _spread(self, function: _Function) -> None:
        """Bring the function to all workers: Dask would give the first blocks to the one that has it already."""
        self._copy(function)
        end = monotonic() + SPREAD
        while monotonic() < end and function.future.status in ("pending", "finished"):
            if self._workers.keys() <= holding(self._client, function.future):
                return
            sleep(POLL / 20)

    def _send(self, function: _Function, task: _Task) -> None:
        task.only = []
        if self._refused or task.raised:
            while not self._workers:
                sleep(POLL)
                self._look(waiting=True)
            task.only = [address for address in self._workers if address not in task.raised] or list(self._workers)
        self._copy(function)
        task.future = self._submit(
            apply,
            function.future,
            function.name,
            task.block,
            versions(),
            key=f"assay_block-{function.name[-32:]}-{uuid4().hex}",
            workers=task.only or None,
            resources=self._resources or None,
        )

    def _copy(self, function: _Function) -> None:
        """Have the function brought to workers that have come."""
        for address in function.copies.keys() - self._workers.keys():
            del function.copies[address]
        for address in self._workers.keys() - function.copies.keys():
            key = f"assay_copy-{uuid4().hex}"
            function.copies[address] = self._submit(len, function.future, key=key, workers=[address])

    def _submit(self, *call: Any, **options: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Sending large graph")
                # A time of 0: otherwise what is sent within a tenth of a second is begun in any order.
                return self._client.submit(*call, pure=False, fifo_timeout=0, **options)
        except Exception as error:
            if self._client.status == "running":
                raise
            raise gone(self.address) from error

    def _result(self, function: _Function, task: _Task) -> Any:
        """What came of a block, on whichever worker it went well."""
        if task.unread is not None:
            raise task.unread
        while True:
            worker, value, error = self._answer(function, task)
            self._look()
            if error is None:
                self._tell_of_misfits()
                for where, what in task.raised.items():
                    self._tell(f"block {task.number + 1} raised on {where} ({what}); {worker} has done it")
                return value
            if isinstance(error, Misfit):
                unfit = BadCluster(worker, error.problem, error.cure)
                if worker not in self._refused:  # it may have been given several blocks
                    self._misfits[worker] = str(unfit)
                    self._refused.add(worker)
                self._find_workers()
                if not self._workers:
                    raise unfit
            else:
                task.raised[worker] = f"{type(error).__name__}: {error}"
                if len(task.raised) > RETRIES or (self._workers and self._workers.keys() <= task.raised.keys()):
                    raise error
            self._send(function, task)

    def _answer(self, function: _Function, task: _Task) -> tuple[str, Any, Exception | None]:
        while True:
            try:
                worker, packed = task.future.result(timeout=LOOK)
            except CancelledError as error:
                raise self._cancelled(error) from error
            except Exception as error:
                if task.future.status == "error":
                    self._check_workers(task, task.future.exception(LOOK))
                    self._send(function, task)
                elif isinstance(error, TimeoutError):
                    self._look(waiting=True)
                    if task.only and not self._workers.keys() & set(task.only):  # Dask would wait for them to come back
                        self._cancel([task.future])
                        self._send(function, task)
                else:
                    raise gone(self.address) from error
            else:
                value, raised = pickle.loads(packed)
                return worker, value, raised

    def _cancelled(self, error: CancelledError) -> BadCluster:
        if getattr(error, "reason", "scheduler-connection-lost") == "scheduler-connection-lost":
            return gone(self.address)
        return BadCluster(self.address, "somebody has cancelled the work on the cluster", "run it again")

    def _check_workers(self, task: _Task, error: Exception) -> None:
        """A task that Dask could not do: see to it that it goes to a worker that can, or give up."""
        if type(error).__name__ == "KilledWorker":
            raise BadCluster(
                self.address,
                f"block {task.number + 1} ended every worker that it was given to, perhaps because memory ran out",
                "give workers more memory, or look at their logs",
            ) from error
        task.failed += 1
        if task.failed > RETRIES:
            raise BadCluster(
                self.address,
                f"workers cannot do block {task.number + 1} ({type(error).__name__}: {error})",
                "look at their logs",
            ) from error
        self._refuse(misfits(self._client))
        self._find_workers()

    def _refuse(self, workers: Mapping[str, str]) -> None:
        """Give no more blocks to these workers; what is wrong with them is told."""
        for worker in workers.keys() - self._refused:
            self._tell(f"{BadCluster(worker, workers[worker], CURE)}; it gets no blocks")
        self._refused.update(workers)

    def _tell_of_misfits(self) -> None:
        """Of workers that turned out to be unfit, once another has shown that the work can be done."""
        for line in self._misfits.values():
            self._tell(f"{line}; it gets no blocks")
        self._misfits.clear()

    def _take_event(self, event: tuple[float, Any]) -> None:
        """Called by the thread of the client."""
        if isinstance(event[1], dict) and event[1].get("action") in ("add-worker", "remove-worker"):
            self._events.put(event[1])

    def _look(self, *, waiting: bool = False) -> None:
        """See who has come and gone, and tell of it; give up where nobody comes for too long."""
        come, changed = set(), False
        with suppress(Empty):
            while True:
                event = self._events.get_nowait()
                worker, changed = event["worker"], True
                if event["action"] == "add-worker":
                    come.add(worker)
                else:
                    come.discard(worker)
                    self._refused.discard(worker)
                    self._tell(f"the worker at {worker} is gone; others do its blocks again")
        if come:
            self._refuse(misfits(self._client, come))
        if changed or waiting:
            self._find_workers()
        if self._workers:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = monotonic()
            self._tell(f"{self.address}: no worker is left; waiting {self._wait:g} s for one")
        elif monotonic() - self._alone_since > self._wait:
            raise BadCluster(
                self.address, f"no worker is left, and none came in {self._wait:g} s", "start workers and run it again"
            )

    def _find_workers(self) -> None:
        found = offering(self._client, self._resources)
        self._workers = {address: threads for address, threads in found.items() if address not in self._refused}

    def _cancel(self, futures: list[Any]) -> None:
        if futures and self._client.status == "running":
            with suppress(Exception):  # the scheduler may be gone, and then so are they
                self._client.cancel([future for future in futures if future is not None], force=True)
