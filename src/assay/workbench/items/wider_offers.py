"""What this server remembers of widened rules: changes that somebody left, and what a change would do to a suite.

offers = WiderOffers()
offers.leave(anna.id, change)        # she is not asked about it again
offers.kept(name, make)              # worked out anew after a while, since it takes seconds

Gone when the server ends, as leases are.
"""

from collections.abc import Callable, Hashable
from threading import Lock
from time import monotonic
from typing import Final, TypeVar, cast

from assay.lru import LruCache
from assay.suggest.wider_rules import WiderRule

Found = TypeVar("Found")

KEPT_SECONDS: Final = 30.0
"""How long the effect of a change on a whole suite is told without looking again; it is exact when it is taken."""

MOST_KEPT: Final = 32
MOST_LEFT: Final = 10_000


class WiderOffers:
    """See the module."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._left: dict[Hashable, None] = {}
        self._known: LruCache[Hashable, list[tuple[float, object]]] = LruCache(MOST_KEPT)
        self._lock = Lock()

    def leave(self, user_id: int, change: WiderRule) -> None:
        """Somebody does not want this change."""
        with self._lock:
            self._left[user_id, change.old.check, change.new.check] = None
            while len(self._left) > MOST_LEFT:
                del self._left[next(iter(self._left))]

    def was_left(self, user_id: int, change: WiderRule) -> bool:
        """Whether somebody was asked about a change and left it."""
        return (user_id, change.old.check, change.new.check) in self._left

    def kept(self, name: Hashable, make: Callable[[], Found]) -> Found:
        """What is to be said of a change to a suite, as it was at most so many seconds ago."""
        kept = self._known.get(name, list)
        if kept and self._clock() - kept[0][0] < KEPT_SECONDS:
            return cast(Found, kept[0][1])
        found = make()
        kept[:] = [(self._clock(), found)]
        return found

    def forget(self) -> None:
        """Rules were changed: what was worked out no longer holds."""
        self._known = LruCache(MOST_KEPT)
