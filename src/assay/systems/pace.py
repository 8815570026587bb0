"""How fast an online engine may be asked: options that all of them have.

pace = read_pace(options, timeout=60)
"""

from typing import NamedTuple

from assay.systems.options import Options

CONCURRENCY = 4
"""Requests at once where nobody says; online engines slow down those who ask for much more."""


class Pace(NamedTuple):
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
        options.number("per_minute", low=0.01),
        options.number("timeout", timeout, low=0.01),
    )
