"""Figures that are worked out from all judgements, kept for a while although the suite goes on changing.

    figures.get("agreement", snapshot.change, lambda: work_out(), user.id)
    figures.changed(user.id, snapshot.change)

With fifty people at work a suite changes thirty times a second. What takes a moment is worked out for every change that
somebody looks at. What takes longer is kept for twenty times as long as it took, and so takes no more than a twentieth
of a processor, however many look. Somebody's own last change is in it all the same, unless that takes so long for all
who are at work that everybody would wait for everybody else; then it is up to twenty seconds old.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic, thread_time
from typing import Final, TypeVar, cast

from assay.lru import LruCache

Found = TypeVar("Found")

SHORT: Final = 0.02
LONG: Final = 0.25
"""Seconds of a processor, for all who are at work together: what takes less than the first is not kept, what takes the
second not made for anybody's own change."""

AT_WORK: Final = 60.0
"""Somebody is at work who changed something so many seconds ago."""

TIMES: Final = 20
LONGEST_KEPT: Final = 20.0

MOST_KEPT: Final = 16
"""Somebody can ask for results in more ways than there is memory."""


@dataclass(slots=True)
class KeptFigure:
    """What was worked out at a change number; good for changes of others until a moment, or for all where it `lasts`.

    Whoever works it out has the lock.
    """

    value: object = None
    change: int = -1
    until: float = 0.0
    lasts: bool = False
    lock: Lock = field(default_factory=Lock)

    def serves(self, change: int, own: int) -> bool:
        """Whether it is good for this change number, for somebody whose own last change is `own`."""
        return self.change == change or (self.until > monotonic() and (self.lasts or self.change >= own))


class Figures:
    """Those of one suite, by name. `clock` tells what working out took, in seconds."""

    def __init__(self, clock: Callable[[], float] = thread_time) -> None:
        self._clock = clock
        self._kept: LruCache[Hashable, KeptFigure] = LruCache(MOST_KEPT)
        self._own: dict[int, tuple[int, float]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def changed(self, user_id: int, change: int) -> None:
        """Somebody has made this change, and will want to see it."""
        self._own[user_id] = change, monotonic()

    def _at_work(self) -> int:
        """How many people are at work, at least one."""
        since = monotonic() - AT_WORK
        # A copy: others change something meanwhile.
        return max(1, sum(moment > since for _, moment in list(self._own.values())))

    def get(self, name: Hashable, change: int, make: Callable[[], Found], user_id: int) -> Found:
        """The figure at a change number, or one that is a little older."""
        own, _ = self._own.get(user_id, (0, 0.0))
        kept = self._kept.get(name, KeptFigure)
        # One at a time: whoever comes meanwhile would only work out the same. Nobody waits for one that takes long and
        # that is known of seconds ago: all who look would wait, each in a thread that others need.
        if not kept.lock.acquire(blocking=not kept.lasts):
            return cast(Found, kept.value)
        try:
            if not kept.serves(change, own):
                begin = self._clock()
                value = make()
                took = self._clock() - begin
                for_all = took * self._at_work()
                kept.value, kept.change, kept.lasts = value, change, for_all >= LONG
                kept.until = monotonic() + min(TIMES * took, LONGEST_KEPT) if for_all >= SHORT else 0.0
            return cast(Found, kept.value)
        finally:
            kept.lock.release()
