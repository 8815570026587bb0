"""What a worker of a cluster does with a block: it makes the function once, applies it, and ends when nobody waits.

    client.submit(apply, packed_function, "name", packed_block, versions())

Dask forgets a task that is cancelled, but lets its thread run on. Here that thread gets an exception.
"""

import ctypes
import pickle
import sys
from collections.abc import Callable, Mapping
from threading import Lock, get_ident
from typing import Any

from assay.parallel.executor import Misfit
from assay.parallel.processes import portable
from assay.parallel.versions import CURE, differences, versions

LOOK = 0.2
"""Seconds after which a worker looks again whether a block is still wanted."""

AGAIN = 5.0
"""Seconds that a function has to end by itself; one that swallows the exception gets it again."""


class Ended(BaseException):
    """Is raised in a function whose result nobody wants any more; no `except Exception` stops it."""


def apply(function: bytes, name: str, block: bytes, wanted: Mapping[str, str]) -> tuple[str, bytes]:
    """The address of this worker, and the result of a block or what it raised, pickled.

    `name` stands for the function, which is compared with nothing: it may be large.
    """
    from distributed import get_worker

    worker = get_worker()
    answer = pickle.dumps((None, RuntimeError("the block was cancelled on the cluster")))
    watch = _Watch(worker)
    try:
        try:
            watch.start()
            answer = _answer(worker, (function, name), block, wanted)
        finally:
            watch.end()
    except Ended:
        watch.end()  # if the exception came on the way into the first call
        _functions.pop(name, None)  # it may have been about to load something
    return str(worker.address), answer


def _answer(worker: Any, given: tuple[bytes, str], block: bytes, wanted: Mapping[str, str]) -> bytes:
    try:
        found = differences(wanted, versions())
        if found:
            raise Misfit(f"the worker has {', '.join(found)}", CURE)
        value = _function(worker, *given)(pickle.loads(block))
        return pickle.dumps((value, None), protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((None, portable(error)))
    except (SystemExit, KeyboardInterrupt) as error:  # Dask would end the worker
        return pickle.dumps((None, RuntimeError(f"a block raised {error!r}")))


_functions: dict[str, Callable[[Any], Any]] = {}
_making = Lock()


def _function(worker: Any, packed: bytes, name: str) -> Callable[[Any], Any]:
    """The function, made once with all that it loads at its first block; those of other runs go when theirs do."""
    with _making:
        if name not in _functions:
            for other in [other for other in _functions if other not in worker.data]:
                del _functions[other]
            _functions[name] = pickle.loads(packed)
        return _functions[name]


class _Watch:
    """Looks, in the loop of the worker and from `start` to `end`, whether the task of this thread is still wanted."""

    def __init__(self, worker: Any) -> None:
        self._worker = worker
        self._task = worker.get_current_task()
        self._thread = get_ident()
        self._lock = Lock()
        self._over = False
        self._loop = worker.loop.asyncio_loop

    def start(self) -> None:
        """From here on `Ended` may be raised in this thread, at any step."""
        self._loop.call_soon_threadsafe(self._loop.call_later, LOOK, self._look)

    def end(self) -> None:
        """From here on nothing is raised in this thread."""
        while True:
            try:
                with self._lock:
                    self._over = True
                    _raise_in(self._thread, None)
                return
            except Ended:
                continue

    def _look(self) -> None:
        with self._lock:
            if self._over:
                return
            struck = not self._wanted() and not _is_importing(self._thread)
            if struck:
                _raise_in(self._thread, Ended)
        self._loop.call_later(AGAIN if struck else LOOK, self._look)

    def _wanted(self) -> bool:
        task = self._worker.state.tasks.get(self._task)
        closing = self._worker.status.name in ("closing", "closed", "failed")
        return task is not None and task.state != "cancelled" and not closing


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Let a thread raise this before its next step in Python; None takes back what has not been raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind) if kind else None)


def _is_importing(thread: int) -> bool:
    """A module that is left half imported could not be imported again by whoever comes next."""
    frame = sys._current_frames().get(thread)
    while frame is not None and "importlib._bootstrap" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None
