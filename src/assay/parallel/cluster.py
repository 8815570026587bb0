"""Blocks of work on a Dask cluster that somebody else has started.

    with DaskExecutor("tcp://10.0.0.7:8786", wait=60) as executor:
        for scores in executor.map(score, blocks):
            write(scores)

The function is the result of a task on which all blocks depend, so Dask brings it to every worker that needs it, and
makes it again where it gets lost. Dask also gives the blocks of a worker that dies to others. What is left to do here:
workers must have the versions of this process, a block that raises is tried elsewhere, and nobody waits for ever.
"""

import pickle
import warnings
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Event
from types import TracebackType
from typing import Any, TypeVar
from uuid import uuid4

from assay.parallel.connection import Quiet, address_of, connect
from assay.parallel.executor import AHEAD, RETRIES, BadCluster, Misfit, Tell, in_order
from assay.parallel.roster import LOOK, Roster
from assay.parallel.versions import versions
from assay.parallel.worker import apply

B = TypeVar("B")
R = TypeVar("R")

SPREAD = 3.0
"""Seconds for which a function that is on its way to the workers may hold up the first block."""


class DaskExecutor:
    """A running Dask cluster as an executor; without an address the one that Dask's configuration names.

    `wait` is for how many seconds workers are waited for; `resources` are what a worker has to offer for a block, such
    as `{"GPU": 1}`; `tell` gets a line whenever something happens to a worker.
    """

    def __init__(
        self, address: str, *, wait: float, resources: Mapping[str, float] | None = None, tell: Tell | None = None
    ) -> None:
        wanted = address_of(address)
        self._function: _Function | None = None
        self._quiet = Quiet()
        try:
            self._client = connect(wanted, wait)
        except BaseException:
            self._quiet.end()
            raise
        self._roster = Roster(
            self._client, wait=wait, resources=dict(resources or {}), tell=tell or (lambda line: None)
        )
        self.address = self._roster.address
        try:
            self._roster.open()
        except BaseException:
            self.close()
            raise

    def map(
        self, function: Callable[[B], R], blocks: Iterable[B], *, one_per_machine: bool = False
    ) -> Generator[R, None, None]:
        """As in `Executor`; how many workers a machine has, and what they offer, is up to who started them.

        When the generator is closed, blocks that have not begun are cancelled. One that is under way ends when it calls
        `end_if_cancelled`, else at its end.
        """
        self._roster.see()
        packed = pickle.dumps(function, protocol=pickle.HIGHEST_PROTOCOL)
        if self._function is None or not self._function.is_there(packed):
            self._function = _Function(self._client, self._roster, packed)
        run = _ClusterRun(self._client, self._roster, self._function)
        try:
            yield from in_order(blocks, run.room, run.start, run.result)
            with suppress(BadCluster):  # all is done
                self._roster.see()
        finally:
            run.end()

    def close(self) -> None:
        """Let go of the cluster; it goes on running."""
        self._function = None
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


class _Function:
    """A function on the cluster: `future` is the task that holds it, whose key it is known by."""

    def __init__(self, client: Any, roster: Roster, packed: bytes) -> None:
        self._client = client
        self._roster = roster
        self._digest = sha256(packed).digest()
        self._brought: set[str] = set()
        self.future = self.submit(bytes, packed, key=f"assay_function-{uuid4().hex}")

    def is_there(self, packed: bytes) -> bool:
        """Whether it is this function, and can still be had."""
        return self._digest == sha256(packed).digest() and self.future.status in ("pending", "finished")

    def submit(self, *call: Any, **options: Any) -> Any:
        """A call as a task of the cluster."""
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Sending large graph")
                # A time of 0: otherwise what is sent within a tenth of a second is begun in any order.
                return self._client.submit(*call, pure=False, fifo_timeout=0, **options)
        except Exception as error:
            if self._client.status == "running":
                raise
            raise self._roster.gone() from error

    def bring(self) -> None:
        """Bring it to workers that have come: Dask would give the first blocks to those that have it already."""
        if come := self._roster.fit.keys() - self._brought:
            self._brought |= come
            is_made = Event()
            self.future.add_done_callback(lambda future: is_made.set())
            with suppress(Exception):  # then it is Dask who brings it, with a block
                if is_made.wait(SPREAD):
                    self._client.replicate([self.future], workers=list(come))


@dataclass(eq=False, slots=True)
class _ClusterTask:
    """A block on its way: what was sent and to whom, and what went wrong.

    `only` are the workers that may have it, where it may not be all; `failed` is how often Dask could not do it;
    `raised` says what it raised on which worker.
    """

    number: int
    block: bytes
    future: Any = None
    only: set[str] = field(default_factory=set)
    failed: int = 0
    raised: dict[str, str] = field(default_factory=dict)


class _ClusterRun:
    """One map."""

    def __init__(self, client: Any, roster: Roster, function: _Function) -> None:
        self._client = client
        self._roster = roster
        self._function = function
        self._tasks: list[_ClusterTask] = []
        self._unfit: list[str] = []

    def room(self) -> int:
        """How many blocks may be on their way."""
        return AHEAD * max(1, sum(self._roster.fit.values()))

    def start(self, number: int, block: Any) -> _ClusterTask:
        """Send a block."""
        task = _ClusterTask(number, pickle.dumps(block, protocol=pickle.HIGHEST_PROTOCOL))
        self._tasks.append(task)
        self._send(task)
        return task

    def result(self, task: _ClusterTask) -> Any:
        """What came of a block, on whichever worker it went well."""
        while True:
            worker, packed = self._answer(task)
            value, error = pickle.loads(packed)
            if error is None:
                break
            if isinstance(error, Misfit):
                self._refuse(worker, BadCluster(worker, error.problem, error.cure))
            else:
                task.raised[worker] = f"{type(error).__name__}: {error}"
                fit = self._roster.fit.keys()
                if len(task.raised) > RETRIES or (fit and fit <= task.raised.keys()):
                    raise error
            self._send(task)
        self._tasks.remove(task)
        # Told only now, when a worker has shown that the work can be done.
        for line in self._unfit:
            self._roster.tell(f"{line}; it gets no blocks")
        self._unfit.clear()
        for where, what in task.raised.items():
            self._roster.tell(f"block {task.number + 1} raised on {where} ({what}); {worker} has done it")
        return value

    def end(self) -> None:
        """Cancel what is on its way."""
        self._cancel(self._tasks)

    def _send(self, task: _ClusterTask) -> None:
        self._function.bring()
        task.only = set()
        if task.raised or self._roster.refused:
            self._roster.look()
            fit = self._roster.fit.keys()
            task.only = fit - task.raised.keys() or set(fit)
        future = self._function.future
        task.future = self._function.submit(
            apply,
            future,
            future.key,
            task.block,
            versions(),
            key=f"assay_block-{uuid4().hex}",
            workers=list(task.only) or None,
            resources=self._roster.resources or None,
        )

    def _answer(self, task: _ClusterTask) -> tuple[str, bytes]:
        while True:
            self._roster.look(wait=not task.future.done())
            try:
                found: tuple[str, bytes] = task.future.result(timeout=LOOK)
                return found
            except CancelledError as error:
                raise self._cancelled(error) from error
            except Exception as error:
                if task.future.status == "error":
                    self._check(task, error)
                elif not isinstance(error, TimeoutError):
                    raise self._roster.gone() from error
                elif not task.only or task.only & self._roster.fit.keys():
                    continue
                self._cancel([task])  # where nobody is left of those that may have it, Dask would wait for them
                self._send(task)

    def _cancelled(self, error: CancelledError) -> BadCluster:
        if getattr(error, "reason", "scheduler-connection-lost") == "scheduler-connection-lost":
            return self._roster.gone()
        return BadCluster(self._roster.address, "somebody has cancelled the work on the cluster", "run it again")

    def _check(self, task: _ClusterTask, error: Exception) -> None:
        """A task that Dask could not do: see to it that it goes to a worker that can, or give up."""
        name = type(error).__name__
        if name == "KilledWorker":
            what = f"block {task.number + 1} ended every worker that it was given to, perhaps because memory ran out"
            raise BadCluster(self._roster.address, what, "give workers more memory, or look at their logs") from error
        task.failed += 1
        if task.failed > RETRIES:
            what = f"workers cannot do block {task.number + 1} ({name}: {error})"
            raise BadCluster(self._roster.address, what, "look at their logs") from error
        self._roster.check()

    def _refuse(self, worker: str, unfit: BadCluster) -> None:
        """Give no more blocks to a worker that lacks something, or give up where there is no other."""
        if worker not in self._roster.refused:  # it may have been given several blocks
            self._unfit.append(str(unfit))
        self._roster.refused.add(worker)
        if not self._roster.fit:
            raise unfit

    def _cancel(self, tasks: Iterable[_ClusterTask]) -> None:
        if self._client.status == "running":
            with suppress(Exception):  # the scheduler may be gone, and then so are they
                self._client.cancel([task.future for task in tasks if task.future is not None], force=True)
