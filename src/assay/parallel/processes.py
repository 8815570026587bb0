"""Blocks of work in the processes of this machine.

    with ProcessExecutor(jobs=2) as executor:
        for scores in executor.map(score, blocks):
            write(scores)

A worker is a process and a pipe, with one block under way at a time. The pipe of a worker that dies ends, so nobody
waits for it; a worker whose master dies sees that too, and ends. Not a pool of `concurrent.futures`: when one of its
processes dies it gives up all blocks and does not say whose fault it was, and it cannot end a block under way.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Generic, NoReturn, TypeVar, cast

from assay.errors import AssayError, BadOption
from assay.parallel.executor import AHEAD, HERE, RETRIES, BlockCancelled, Tell, answer, in_order

B = TypeVar("B")
R = TypeVar("R")

PATIENCE = 5.0
"""Seconds that a worker has to obey a SIGTERM."""


class ProcessExecutor:
    """As many processes of this machine as an executor, None for one per usable core; 1 is this process."""

    def __init__(self, jobs: int | None = 1, tell: Tell | None = None) -> None:
        self.jobs = usable_cores() if jobs is None else jobs
        if self.jobs < 1:
            raise BadOption(f"{self.jobs} jobs cannot work; give at least 1")
        self._tell = tell or (lambda line: None)

    def map(
        self, function: Callable[[B], R], blocks: Iterable[B], *, one_per_machine: bool = False
    ) -> Generator[R, None, None]:
        """As in `Executor`; what one machine has only one of is done in this process.

        No process is left when the generator ends or is closed.
        """
        if one_per_machine or self.jobs == 1:
            yield from HERE.map(function, blocks)
            return
        pool = _WorkerPool(function, self.jobs, self._tell)
        try:
            yield from in_order(blocks, lambda: AHEAD * self.jobs, pool.start, pool.result)
        finally:
            pool.end()

    def close(self) -> None:
        """Nothing is left between two maps."""

    def __enter__(self) -> "ProcessExecutor":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def usable_cores() -> int:
    """The cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class _ProcessTask(Generic[B, R]):
    """A block, what came of it, and what went wrong before: how often, and what it raised."""

    def __init__(self, number: int, block: B) -> None:
        self.number = number
        self.block = block
        self.is_done = False
        self.value: R | None = None
        self.error: Exception | None = None
        self.failures = 0
        self.raised: list[Exception] = []


class _WorkerPool(Generic[B, R]):
    """The workers of one map, and the blocks that wait for one of them."""

    def __init__(self, function: Callable[[B], R], jobs: int, tell: Tell) -> None:
        self._function = function
        self._jobs = jobs
        self._tell = tell
        self._workers: list[_Worker[B, R]] = []
        self._waiting: deque[_ProcessTask[B, R]] = deque()

    def start(self, number: int, block: B) -> _ProcessTask[B, R]:
        """Give a block to a worker, now or when one has time."""
        task = _ProcessTask[B, R](number, block)
        self._waiting.append(task)
        self._give_out()
        return task

    def result(self, task: _ProcessTask[B, R]) -> R:
        """Wait for a block. What it raised is raised here, or told where another process has done it since."""
        while not task.is_done:
            for worker in self._ready():
                self._take_in(worker)
            self._give_out()
        if task.error is not None:
            raise task.error
        for error in task.raised:
            what = f"{type(error).__name__}: {error}"
            self._tell(f"block {task.number + 1} raised in a worker process ({what}); another has done it")
        return cast(R, task.value)

    def end(self) -> None:
        """End all workers, also in the middle of a block."""
        _end(self._workers)

    def _give_out(self) -> None:
        idle = [worker for worker in self._workers if worker.task is None]
        while self._waiting and (idle or len(self._workers) < self._jobs):
            if not idle:
                idle.append(_Worker(self._function))
                self._workers.append(idle[-1])
            idle.pop().start(self._waiting.popleft())

    def _ready(self) -> "list[_Worker[B, R]]":
        """Workers that have answered or died, as soon as there is one."""
        busy = {worker.pipe: worker for worker in self._workers if worker.task is not None}
        return [busy[pipe] for pipe in wait(list(busy)) if isinstance(pipe, Connection)]

    def _take_in(self, worker: "_Worker[B, R]") -> None:
        """Note what came of a block; one that failed is put back, as long as that is allowed."""
        task, worker.task = cast(_ProcessTask[B, R], worker.task), None
        death = ""
        try:
            task.value, error = worker.pipe.recv()
        except (EOFError, OSError):  # the second where it died while it answered
            death = worker.death()
            error = AssayError(
                f"{death}, perhaps because memory ran out; what came before is kept, "
                "run it again with fewer jobs or smaller batches"
            )
        if error is not None:
            self._workers.remove(worker)
            _end([worker])
            # A user's mistake is the same in every process. Anything else may be the process: that it has no memory
            # left, or what earlier blocks did to it.
            task.failures += 1
            if task.failures <= RETRIES and (death or not isinstance(error, AssayError)):
                if death:
                    self._tell(f"{death}; another does its block {task.number + 1} again")
                else:
                    task.raised.append(error)
                self._waiting.appendleft(task)
                return
        task.error, task.is_done = error, True


class _Worker(Generic[B, R]):
    """A process that applies the function to one block after the other; `task` is the one it has."""

    def __init__(self, function: Callable[[B], R]) -> None:
        context = get_context()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(function, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.task: _ProcessTask[B, R] | None = None

    def start(self, task: _ProcessTask[B, R]) -> None:
        self.task = task
        with suppress(OSError):  # it has died; that is found out when the answer is awaited
            self.pipe.send(task.block)

    def death(self) -> str:
        """How it has ended."""
        self.process.join()
        code = self.process.exitcode or 0
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return f"a worker process {how}"


def _end(workers: "list[_Worker[B, R]]") -> None:
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.process.join(PATIENCE)
        worker.process.kill()
        worker.process.join()
        worker.process.close()
        worker.pipe.close()


# In a worker


def _work(function: Callable[[Any], Any], pipe: Connection) -> None:
    """The life of a worker: it ends with its master, or when it is told to."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the master, which ends its workers
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _cancel)
    master = parent_process()
    assert master is not None
    try:
        while pipe in wait([pipe, master.sentinel]):
            answered = answer(function, pipe.recv())
            pipe.send_bytes(answered)
    except (EOFError, OSError):  # the master is gone
        return
    except BlockCancelled as cancelled:
        os.kill(os.getpid(), cancelled.args[0])


def _cancel(number: int, frame: Any) -> NoReturn:
    """Let the function end what it has started, such as a command; then the worker dies of the signal."""
    signal.signal(number, signal.SIG_DFL)
    raise BlockCancelled(number)
