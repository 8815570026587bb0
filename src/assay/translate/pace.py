"""How fast an engine may be asked: options that all online ones have, and a rate limiter for threads.

pace = read_pace(options, timeout=60)
RateLimiter(pace.per_minute).wait(stopped)
"""

import threading
import time
from dataclasses import dataclass

from assay.translate.options import Options

CONCURRENCY = 4
"""Requests at once where nobody says; online engines slow down those who ask for much more."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Requests at once, requests a minute (None: no limit), seconds for one of them."""

    concurrency: int
    per_minute: float | None
    timeout: float


class Paced:
    """What engines with a pace have in common."""

    pace: Pace

    @property
    def concurrency(self) -> int:
        return self.pace.concurrency

    @property
    def per_minute(self) -> float | None:
        return self.pace.per_minute

    @property
    def timeout(self) -> float:
        return self.pace.timeout


def read_pace(options: Options, *, timeout: float) -> Pace:
    """`concurrency`, `per_minute` and `timeout`."""
    return Pace(
        options.whole("concurrency", CONCURRENCY, high=1000),
        options.number("per_minute", None, low=0.01),
        options.number("timeout", timeout, low=0.01),
    )


class RateLimiter:
    """Spaces calls evenly, whichever thread makes them: a burst at the start of a minute would be refused."""

    def __init__(self, per_minute: float | None) -> None:
        self._distance = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self, stopped: threading.Event) -> bool:
        """Wait for the caller's turn; False where the run was stopped meanwhile."""
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._distance
        return not stopped.wait(max(0.0, turn - time.monotonic()))

    def hold(self, seconds: float) -> None:
        """Let nobody's turn come before so many seconds from now, as a server asked for."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)
