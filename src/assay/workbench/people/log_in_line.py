"""Log-ins wait in a line of their own: whoever guesses passwords holds up nobody who works.

    session = await line.attempt("anna", "192.0.2.7", check)

Checking a password takes a core and 64 MB for a while, so two are checked at once, in threads of their own. After some
failures the next attempt waits, each time twice as long: of one address up to half a minute, and by one name up to four
seconds. An attempt counts as failed until it has succeeded, so that many at once gain nothing. It waits in line where
that is soon; otherwise, or where too many wait, it is refused (`Crowded`, which says for how long) and does not count.

A stranger could keep somebody waiting by failing with their name. Whoever has logged in from an address before is not
held up by what others do elsewhere: there only their own failures count. From an address that is new for them they wait
four seconds for a stranger with one address; one with very many could keep them waiting, at new addresses only.
"""

import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final, TypeVar

import anyio
from anyio import CapacityLimiter, to_thread

from assay.text import plural
from assay.workbench.admission.crowd import Crowded

T = TypeVar("T")

log = logging.getLogger("assay.workbench")

CHECKED_AT_ONCE: Final = 2

LONGEST_WAIT: Final = 10.0
"""Seconds that an attempt waits in line; who would have to wait longer is told to come again."""

WAITING_OF_ONE: Final = 4
WAITING_IN_ALL: Final = 24
"""Attempts that wait, of one address and of all."""

FORGOTTEN_AFTER: Final = 900.0
REMEMBERED: Final = 20_000
"""Failures are forgotten after so many seconds, or when so many others came after them."""

REFUSED_AFTER: Final = 1.0
"""Seconds until a refusal is sent: whoever asks again at once asks once a second."""

TOLD_EVERY: Final = 10.0
"""Seconds between two lines of the log about refused attempts: a flood of them makes no flood of lines."""


@dataclass(frozen=True, slots=True)
class Brake:
    """So many failures cost nothing; then 1, 2, 4 … seconds, and never more than the longest."""

    free: int
    longest: float

    def delay(self, failures: int) -> float:
        return 0.0 if failures <= self.free else min(self.longest, 2.0 ** min(failures - self.free - 1, 30))


BRAKES: Final = {"address": Brake(10, 30.0), "name": Brake(10, 4.0), "own": Brake(3, 8.0)}

Key = tuple[str, str, str]
"""Which brake, the name, the address; what does not matter to the brake is empty."""


@dataclass(slots=True)
class Failures:
    number: int = 0
    free_at: float = 0.0
    last: float = 0.0


class LogInLine:
    """All who want to log in at one server."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._clock, self._sleep = clock, sleep
        self._checks = CapacityLimiter(CHECKED_AT_ONCE)
        self._failures: OrderedDict[Key, Failures] = OrderedDict()
        self._waiting: Counter[str] = Counter()
        self._known: set[tuple[str, str]] = set()
        self._refused, self._told = 0, float("-inf")

    def remember(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Names, and addresses from which they have logged in."""
        self._known.update((name, network(address)) for name, address in pairs)

    async def attempt(self, name: str, address: str, check: Callable[[], T | None]) -> T | None:
        """What `check` finds, when it is this attempt's turn."""
        place, now = network(address), self._clock()
        known = (name, place) in self._known
        keys = [("own", name, place)] if known else [("address", "", place), ("name", name, "")]
        records = [(BRAKES[key[0]], self._record(key, now)) for key in keys]
        due = max(now, *(record.free_at for _, record in records))
        crowd = self._waiting[place] >= WAITING_OF_ONE or (not known and self._waiting.total() >= WAITING_IN_ALL)
        if crowd or due - now > LONGEST_WAIT:
            self._refuse(place, now)
            seconds = max(2, round(due - now))
            await self._sleep(REFUSED_AFTER)
            raise Crowded(f"too many attempts to log in; try again in {seconds} seconds", seconds)
        for brake, record in records:
            record.number += 1
            record.free_at = due + brake.delay(record.number)
        self._waiting[place] += 1
        try:
            if due > now:
                await self._sleep(due - now)
            found = await to_thread.run_sync(check, limiter=self._checks)
        finally:
            self._waiting[place] -= 1
            self._waiting += Counter()  # drops those at zero
        if found is None:
            return None
        self._known.add((name, place))
        for key, (_, record) in zip(keys, records, strict=True):
            record.number -= 1
            if key[0] == "own":
                self._failures.pop(key, None)
        return found

    def _record(self, key: Key, now: float) -> Failures:
        found = self._failures.pop(key, None)
        if found is None or now - found.last > FORGOTTEN_AFTER:
            found = Failures()
        found.last = now
        self._failures[key] = found
        if len(self._failures) > REMEMBERED:
            self._failures.popitem(last=False)
        return found

    def _refuse(self, place: str, now: float) -> None:
        self._refused += 1
        if now - self._told >= TOLD_EVERY:
            log.warning("%s to log in refused, the last from %s", plural(self._refused, "attempt"), place)
            self._refused, self._told = 0, now


def network(address: str) -> str:
    """What counts as one address: of IPv6 the first half, since the second is everybody's own to choose."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> 64 << 64)) if not found.is_loopback else address
    return address
