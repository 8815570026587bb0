"""How many at once: everybody has turns of their own, so that nobody's requests take all threads.

    turns = Turns(at_once=8, waiting=32)
    async with turns.of("anna"):      # waits for one of Anna's eight turns, or raises Crowded
        ...

Who waits here waits outside of the threads that serve everybody.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from assay.errors import AssayError


class Crowded(AssayError):
    """Too many ask at once; `seconds` from now there may be room."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = max(1, round(seconds))


@dataclass
class _Turn:
    semaphore: anyio.Semaphore
    asking: int = 0


@dataclass
class Turns:
    """`at_once` for each key, and so many more that wait."""

    at_once: int
    waiting: int
    what: str = "requests"
    _open: dict[str, _Turn] = field(default_factory=dict)

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        asking = self._open[key].asking if key in self._open else 0
        if asking >= self.at_once + self.waiting:
            raise Crowded(f"{asking} {self.what} are under way already; wait until some are done", 5)
        turn = self._open.setdefault(key, _Turn(anyio.Semaphore(self.at_once)))
        turn.asking += 1
        try:
            async with turn.semaphore:
                yield
        finally:
            turn.asking -= 1
            if not turn.asking:
                self._open.pop(key, None)
