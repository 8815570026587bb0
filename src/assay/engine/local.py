"""Blocks of work in the processes of this machine.

    for scores in map_blocks(score, blocks, jobs=2):
        write(scores)

A worker is a process and a pipe, with one block under way at a time. The pipe of a worker that dies ends, so nobody
waits for it; a worker whose master dies sees that too, and ends.
"""

import gc
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from assay.model import AssayError, BadOption

B = TypeVar("B")
R = TypeVar("R")

AHEAD = 4
"""Blocks per worker that are read or kept before their turn comes; memory does not grow with the number of blocks."""

PATIENCE = 5.0
"""Seconds that a worker has to obey a SIGTERM."""


def map_blocks(function: Callable[[B], R], blocks: Iterable[B], *, jobs: int | None = None) -> Generator[R, None, None]:
    """What `function` returns for each block, in their order.

    `jobs` processes work at it, None for as many as there are usable cores; 1 is this process. What `function` raises
    for a block is raised here when the block's turn comes, after the results of all earlier blocks; no more blocks are
    started by then. No process is left when the generator ends or is closed.
    """
    wanted = usable_cores() if jobs is None else jobs
    if wanted < 1:
        raise BadOption(f"{wanted} jobs cannot work; give at least 1")
    if wanted == 1:
        return (function(block) for block in blocks)
    return _map_in_processes(function, blocks, wanted)


def usable_cores() -> int:
    """The cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def _map_in_processes(function: Callable[[B], R], blocks: Iterable[B], jobs: int) -> Generator[R, None, None]:
    waiting = enumerate(blocks)
    workers: list[_Worker[B, R]] = []
    answers: dict[int, _Answer[R]] = {}
    turn, exhausted = 0, False
    try:
        while True:
            while turn in answers:
                yield answers.pop(turn).result()
                turn += 1
            idle = [worker for worker in workers if worker.block is None]
            busy = len(workers) - len(idle)
            while not exhausted and busy < jobs and busy + len(answers) < AHEAD * jobs:
                given = next(waiting, None)
                if given is None:
                    exhausted = True
                    break
                if not idle:
                    idle.append(_Worker(function))
                    workers.append(idle[-1])
                idle.pop().start(*given)
                busy += 1
            if not busy:
                return
            for worker in _ready(workers):
                answer = worker.take()
                answers[answer.number] = answer
                exhausted = exhausted or answer.error is not None
    finally:
        _end(workers)


class _Answer(Generic[R]):
    """The result of one block, or what it raised."""

    def __init__(self, number: int, value: R | None = None, error: Exception | None = None) -> None:
        self.number = number
        self.value = value
        self.error = error

    def result(self) -> R:
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]


class _Worker(Generic[B, R]):
    """A process that applies the function to one block after the other; `block` is the number of the one it has."""

    def __init__(self, function: Callable[[B], R]) -> None:
        context = get_context()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(function, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.block: int | None = None

    def start(self, number: int, block: B) -> None:
        self.block = number
        with suppress(ConnectionError):  # it has died; that is found out when the answer is awaited
            self.pipe.send(block)

    def take(self) -> _Answer[R]:
        """The answer to the block; an error where the worker has died."""
        assert self.block is not None
        number, self.block = self.block, None
        try:
            value, error = self.pipe.recv()
        except (EOFError, ConnectionError):
            return _Answer(number, error=self._death())
        return _Answer(number, value, error)

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
    busy = {worker.pipe: worker for worker in workers if worker.block is not None}
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
    while pipe in wait([pipe, master.sentinel]):
        try:
            block = pipe.recv()
        except (EOFError, ConnectionError):
            break
        try:
            answer = pickle.dumps((function(block), None))
        except Exception as error:
            answer = pickle.dumps((None, _portable(error)))
        pipe.send_bytes(answer)


def _portable(error: Exception) -> Exception:
    """The same error if it survives the way to another process, otherwise one that says the same."""
    if not isinstance(error, AssayError):
        error.add_note("in a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return AssayError(str(error)) if isinstance(error, AssayError) else RuntimeError("\n".join(error.__notes__))
    return error
