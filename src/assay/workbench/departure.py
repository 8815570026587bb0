"""Whether the client of a request is still there; what is under way for one that has left can be ended.

    departure = Departure()
    with departure.ending(child.kill):     # called from another thread as soon as the client leaves
        …

It imports nothing of the web: child processes import it too.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from assay.errors import AssayError


class ClientLeft(AssayError):
    """Nobody waits for the answer any more."""


class Departure:
    """See the module. One per request."""

    def __init__(self) -> None:
        self.has_left = False
        self._end: Callable[[], None] | None = None
        # Held while something is ended: once `ending` is over, nothing can be ended by mistake that came after it.
        self._lock = Lock()

    def leave(self) -> None:
        """The client is gone."""
        with self._lock:
            self.has_left = True
            if self._end is not None:
                self._end()

    @contextmanager
    def ending(self, end: Callable[[], None]) -> Iterator[None]:
        """What is done here is ended by calling `end`, where the client leaves meanwhile."""
        with self._lock:
            if self.has_left:
                raise ClientLeft("the client has left")
            self._end = end
        try:
            yield
        finally:
            with self._lock:
                self._end = None
