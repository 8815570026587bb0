"""Figures that take long to work out, kept for a while although the suite goes on changing.

    figures.get("agreement", snapshot.change, lambda: work_out())

With fifty people at work a suite changes thirty times a second. A figure that takes a moment is worked out for every
change that somebody looks at. One that takes a tenth of a second or more is kept for ten times as long as that, and so
takes no more than a tenth of a processor, however many look; then it is up to ten seconds old.
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic, thread_time
from typing import Final, TypeVar, cast

Found = TypeVar("Found")

LONG: Final = 0.1
"""Seconds of a processor from which on a figure takes long."""

TIMES: Final = 10
LONGEST_KEPT: Final = 10.0


@dataclass(frozen=True, slots=True)
class KeptFigure:
    """What was worked out at a change number; good for every change until a moment."""

    value: object
    change: int
    until: float


class Figures:
    """Those of one suite, by name. `clock` tells what working out took, in seconds."""

    def __init__(self, clock: Callable[[], float] = thread_time) -> None:
        self._clock = clock
        self._kept: dict[str, KeptFigure] = {}
        self._locks: dict[str, Lock] = {}
        self._lock = Lock()

    def get(self, name: str, change: int, make: Callable[[], Found]) -> Found:
        """The figure at a change number, or one that is a little older."""
        with self._lock:
            lock, known = self._locks.setdefault(name, Lock()), self._kept.get(name)
        # One at a time: whoever comes meanwhile would only work out the same. Nobody waits for one that takes long and
        # that is known of seconds ago: all who look would wait, each in a thread that others need.
        if not lock.acquire(blocking=known is None or not known.until):
            assert known is not None
            return cast(Found, known.value)
        try:
            known = self._kept.get(name)
            if known is None or (known.change != change and known.until <= monotonic()):
                begin = self._clock()
                value = make()
                took = self._clock() - begin
                until = monotonic() + min(TIMES * took, LONGEST_KEPT) if took >= LONG else 0.0
                known = self._kept[name] = KeptFigure(value, change, until)
        finally:
            lock.release()
        return cast(Found, known.value)
