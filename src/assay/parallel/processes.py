"""Blocks of work in the processes of this machine.

    with ProcessExecutor(jobs=2) as executor:
        for scores in executor.map(score, blocks):
            write(scores)

A worker is a process and a pipe, with one block under way at a time. The pipe of a worker that dies ends, so nobody
waits for it; a worker whose master dies sees that too, and ends.
"""

import gc
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Generic, TypeVar, cast

from assay.errors import AssayError, BadOption
from assay.parallel.executor import InProcess
from assay.progress import Progress

B = TypeVar("B")
R = TypeVar("R")

AHEAD = 4
"""Blocks per worker that are read or kept before their turn comes; memory does not grow with the number of blocks."""

PATIENCE = 5.0
"""Seconds that a worker has to obey a SIGTERM."""

RETRIES = 2
"""How often a block is done again by another worker of an executor."""

Tell = Callable[[str], None]
"""Is told, in a line, what happened to a worker."""


class ProcessExecutor:
    """As many processes of this machine as an executor, None for one per usable core; 1 is this process."""

    def __init__(self, jobs: int | None = 1, tell: Tell | None = None) -> None:
        self.jobs = usable_cores() if jobs is None else jobs
        if self.jobs < 1:
            raise BadOption(f"{self.jobs} jobs cannot work; give at least 1")
        self._tell = tell or (lambda line: None)

    def map(
        self,
        function: Callable[[B], R],
        blocks: Iterable[B],
        *,
        progress: Progress | None = None,
        one_per_machine: bool = False,
    ) -> Generator[R, None, None]:
        """As in `Executor`; what one machine has only one of is done in this process.

        What `function` raises for a block is raised here when the block's turn comes, after the results of all earlier
        blocks; no more blocks are started by then. No process is left when the generator ends or is closed.
        """
        if one_per_machine or self.jobs == 1:
            yield from InProcess().map(function, blocks, progress=progress)
            return
        with closing(_WorkerPool(function, blocks, self.jobs, _Mishaps(self._tell)).results()) as results:
            for result in results:
                yield result
                if progress is not None:
                    progress(1)

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


class _Mishaps:
    """What went wrong with each block: how often it may be done again, and what is told of it."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._count: dict[int, int] = {}
        self._raised: dict[int, list[Exception]] = {}

    def allow(self, number: int, error: Exception, *, death: bool) -> bool:
        """Whether the block may be done again.

        A user's mistake is the same in every process. Anything else may be the process: that it has no memory left, or
        what earlier blocks did to it.
        """
        if isinstance(error, AssayError) and not death:
            return False
        self._count[number] = self._count.get(number, 0) + 1
        again = self._count[number] <= RETRIES
        if not death:
            self._raised.setdefault(number, []).append(error)
        elif again:
            self._tell(f"{str(error).partition(',')[0]}; another does its block {number + 1} again")
        return again

    def over(self, number: int) -> None:
        """The block has a result."""
        self._count.pop(number, None)
        for error in self._raised.pop(number, ()):
            what = f"{type(error).__name__}: {error}"
            self._tell(f"block {number + 1} raised in a worker process ({what}); another has done it")


class _WorkerPool(Generic[B, R]):
    """One map: its workers, the blocks that wait for one, and answers whose turn has not come."""

    def __init__(self, function: Callable[[B], R], blocks: Iterable[B], jobs: int, mishaps: _Mishaps) -> None:
        self._function = function
        self._waiting = numbered(blocks)
        self._exhausted = False
        self._jobs = jobs
        self._mishaps = mishaps
        self._workers: list[_Worker[B, R]] = []
        self._again: list[tuple[int, B]] = []
        self._answers: dict[int, _BlockResult[R]] = {}

    def results(self) -> Generator[R, None, None]:
        """Results in the order of the blocks. Ends the workers when it is over, however that comes."""
        turn = 0
        try:
            while True:
                while turn in self._answers:
                    yield self._answers.pop(turn).result()
                    turn += 1
                self._give_out()
                if any(worker.given is not None for worker in self._workers):
                    self._take_in()
                elif turn not in self._answers:
                    return
        finally:
            _end(self._workers)

    def _give_out(self) -> None:
        """Let every worker have a block, as long as there are some and not too many answers wait."""
        idle = [worker for worker in self._workers if worker.given is None]
        busy = len(self._workers) - len(idle)
        while busy < self._jobs and (given := self._next(busy)) is not None:
            if not idle:
                idle.append(_Worker(self._function))
                self._workers.append(idle[-1])
            idle.pop().start(*given)
            busy += 1

    def _next(self, busy: int) -> tuple[int, B] | None:
        """A block that is to be done again, else the next of all."""
        if self._again:
            return self._again.pop()
        if self._exhausted or busy + len(self._answers) >= AHEAD * self._jobs:
            return None
        for number, block in self._waiting:
            if not isinstance(block, Unread):
                return number, block
            self._answers[number] = _BlockResult(number, error=block.error)
        self._exhausted = True
        return None

    def _take_in(self) -> None:
        """Wait for answers; a block whose worker failed is put back, as long as that is allowed."""
        for worker in _ready(self._workers):
            given, answer = worker.given, worker.take()
            assert given is not None
            if answer.error is None:
                self._mishaps.over(answer.number)
            else:
                self._workers.remove(worker)
                _end([worker])
                if self._mishaps.allow(answer.number, answer.error, death=worker.died):
                    self._again.append(given)
                    continue
                self._exhausted = True
            self._answers[answer.number] = answer


@dataclass(frozen=True, slots=True)
class Unread:
    """In place of a block: what was raised when it was to be read."""

    error: Exception


def numbered(blocks: Iterable[B]) -> Iterator[tuple[int, B | Unread]]:
    """Blocks with their numbers. An error comes as the last, so that what was done before it is not lost."""
    number = 0
    try:
        for block in blocks:
            yield number, block
            number += 1
    except Exception as error:
        yield number, Unread(error)


class _BlockResult(Generic[R]):
    """The result of one block, or what it raised."""

    def __init__(self, number: int, value: R | None = None, error: Exception | None = None) -> None:
        self.number = number
        self.value = value
        self.error = error

    def result(self) -> R:
        if self.error is not None:
            raise self.error
        return cast(R, self.value)


class _Worker(Generic[B, R]):
    """A process that applies the function to one block after the other; `given` is the one it has, with its number."""

    def __init__(self, function: Callable[[B], R]) -> None:
        context = get_context()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(function, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.given: tuple[int, B] | None = None
        self.died = False

    def start(self, number: int, block: B) -> None:
        self.given = number, block
        with suppress(OSError):  # it has died; that is found out when the answer is awaited
            self.pipe.send(block)

    def take(self) -> _BlockResult[R]:
        """The answer to the block; an error where the worker has died."""
        assert self.given is not None
        (number, _), self.given = self.given, None
        try:
            value, error = self.pipe.recv()
        except (EOFError, OSError):  # the second where it died while it answered
            self.died = True
            return _BlockResult(number, error=self._death())
        return _BlockResult(number, value, error)

    def _death(self) -> AssayError:
        self.process.join()
        code = self.process.exitcode or 0
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return AssayError(
            f"a worker process {how}, perhaps because memory ran out; what came before is kept, "
            "run it again with fewer jobs or smaller batches"
        )


def _ready(workers: "list[_Worker[B, R]]") -> "list[_Worker[B, R]]":
    """Workers that have answered or died, as soon as there is one."""
    busy = {worker.pipe: worker for worker in workers if worker.given is not None}
    return [busy[pipe] for pipe in wait(list(busy)) if isinstance(pipe, Connection)]


def _end(workers: "list[_Worker[B, R]]") -> None:
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.process.join(PATIENCE)
        if worker.process.exitcode is None:
            worker.process.kill()
            worker.process.join()
        worker.process.close()
        worker.pipe.close()


def _work(function: Callable[[Any], Any], pipe: Connection) -> None:
    """The life of a worker: it ends with its master, or when it is told to."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the master, which ends its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()  # collecting what was inherited would copy it page by page, and never free anything
    master = parent_process()
    assert master is not None
    with suppress(EOFError, OSError):  # the master is gone
        while pipe in wait([pipe, master.sentinel]):
            pipe.send_bytes(_answer(function, pipe.recv()))


def _answer(function: Callable[[Any], Any], block: Any) -> bytes:
    try:
        return pickle.dumps((function(block), None), protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((None, portable(error)))


def portable(error: Exception) -> Exception:
    """The same error if it survives the way to another process, otherwise one that says the same."""
    if not isinstance(error, AssayError):
        error.add_note("in a worker process:\n" + "".join(traceback.format_exception(error)))
    error.__cause__ = error.__context__ = error.__traceback__ = None  # Dask has them travel too, as far as they can
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return AssayError(str(error)) if isinstance(error, AssayError) else RuntimeError("\n".join(error.__notes__))
    return error
