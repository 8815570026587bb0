"""What an executor is, this process as one, and what the others share: order, errors that travel, cancelled blocks.

for scores in executor.map(score, blocks):
    write(scores)
"""

import pickle
import platform
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from assay.errors import AssayError

B = TypeVar("B")
R = TypeVar("R")
T = TypeVar("T")

Tell = Callable[[str], None]
"""Is told, in a line, what happened to a worker."""

AHEAD = 4
"""Blocks per worker that are read or kept before their turn comes: few, so that memory does not grow with the number of
blocks; more than one, so that workers have something to do while the oldest block is waited for."""

RETRIES = 2
"""How often a block is done again by another worker of an executor."""


class Misfit(AssayError):
    """A worker lacks what the calling process has, or has another: a version, a model, a program. It gets no blocks.

    `machine: problem; cure`.
    """

    exit_code = 3

    def __init__(self, problem: str, cure: str) -> None:
        super().__init__(f"{platform.node()}: {problem}; {cure}")
        self.problem = problem
        self.cure = cure


class BadCluster(AssayError):
    """A cluster that is out of reach, without workers, of other versions, or gone. `address: problem; cure`."""

    exit_code = 3

    def __init__(self, address: str, problem: str, cure: str) -> None:
        super().__init__(f"{address}: {problem}; {cure}")


class Executor(Protocol):
    """Who runs blocks of work: this process, processes of this machine, or a Dask cluster."""

    def map(
        self, function: Callable[[B], R], blocks: Iterable[B], *, one_per_machine: bool = False
    ) -> Generator[R, None, None]:
        """What `function` returns for each block, in the order of the blocks.

        `function` and the blocks must be picklable. Blocks are read only a little ahead. A block whose worker dies is
        done again. What `function` raises for a block is raised after the results of all blocks before it, and so is
        what the iterable of the blocks raises. `one_per_machine` is for a function that fills a machine on its own,
        such as a neural model: processes of this machine do not share it out. Closing the generator cancels what has
        not been done.
        """
        ...


class InProcess:
    """This process as an executor."""

    def map(
        self, function: Callable[[B], R], blocks: Iterable[B], *, one_per_machine: bool = False
    ) -> Generator[R, None, None]:
        """As in `Executor`."""
        for block in blocks:
            yield function(block)


HERE = InProcess()
"""Where no executor is named."""


def in_order(
    blocks: Iterable[B], room: Callable[[], int], start: Callable[[int, B], T], result: Callable[[T], R]
) -> Generator[R, None, None]:
    """Start blocks, each with its number, as long as there is room; their results one after the other."""
    numbered = enumerate(blocks)
    started: deque[T] = deque()
    is_read, unread = False, None
    while True:
        while not is_read and len(started) < room():
            try:
                number, block = next(numbered)
            except StopIteration:
                is_read = True
            except Exception as error:  # raised below, so that what was done before it is not lost
                is_read, unread = True, error
            else:
                started.append(start(number, block))
        if not started:
            break
        yield result(started[0])
        started.popleft()
    if unread is not None:
        raise unread


# On a worker


def answer(function: Callable[[Any], Any], block: Any) -> bytes:
    """The result of a block and what it raised, one of them None, pickled."""
    try:
        return pickle.dumps((function(block), None), protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((None, _portable(error)))


def _portable(error: Exception) -> Exception:
    """The same error if it survives the way to another process, otherwise one that says the same."""
    if not isinstance(error, AssayError):  # a bug: its traceback does not travel by itself
        import traceback

        error.add_note("in a worker process:\n" + "".join(traceback.format_exception(error)))
    error.__cause__ = error.__context__ = error.__traceback__ = None
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return AssayError(str(error)) if isinstance(error, AssayError) else RuntimeError("\n".join(error.__notes__))
    return error


class BlockCancelled(BaseException):
    """Ends a block whose result nobody wants any more; no `except Exception` stops it."""


_block = threading.local()
"""`is_wanted`: says whether somebody still waits for the block that this thread is at."""


def end_if_cancelled() -> None:
    """Raise `BlockCancelled` if the run was stopped meanwhile. For functions that wait long, now and then.

    A worker of a cluster works on a block in a thread, which nobody can interrupt from outside.
    """
    is_wanted = getattr(_block, "is_wanted", None)
    if is_wanted is not None and not is_wanted():
        raise BlockCancelled


@contextmanager
def cancelled_unless(is_wanted: Callable[[], bool]) -> Iterator[None]:
    """What `end_if_cancelled` asks, in this thread and until the end of the block."""
    _block.is_wanted = is_wanted
    try:
        yield
    finally:
        del _block.is_wanted
