"""Leases: texts that one annotator is looking at are not offered to another for a while."""

from collections.abc import Collection, Iterable
from threading import Lock
from time import monotonic
from typing import Final

from assay.workbench.people.roles import User
from assay.workbench.snapshot import WaitingText

LEASE_SECONDS: Final = 300
"""How long a text that one annotator is looking at is not offered to another."""


class Leases:
    """The texts on all screens: one per server, shared by all requests."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[str, float]] = {}
        self._lock = Lock()

    def take(self, user: User, tasks: Iterable[WaitingText]) -> WaitingText | None:
        """The first text that is free, which is then this user's for a while, and the only one; None where none is."""
        moment = monotonic()
        with self._lock:
            for task in tasks:
                holder, until = self._held.get(task.text_id, (user.name, 0.0))
                if holder == user.name or until < moment:
                    self._held = {key: held for key, held in self._held.items() if held[0] != user.name}
                    self._held[task.text_id] = (user.name, moment + LEASE_SECONDS)
                    return task
        return None

    def take_all(self, user: User, units: Iterable[Collection[int]]) -> Collection[int] | None:
        """The same for several texts at a time: the first unit of which nobody else has a text; None where none is."""
        moment = monotonic()
        with self._lock:
            others = {key for key, (name, until) in self._held.items() if name != user.name and until >= moment}
            for unit in units:
                if others.isdisjoint(unit):
                    self._held = {key: held for key, held in self._held.items() if held[0] != user.name}
                    self._held |= dict.fromkeys(unit, (user.name, moment + LEASE_SECONDS))
                    return unit
        return None

    def held(self, user: User) -> frozenset[int]:
        """The texts that this user is looking at."""
        moment = monotonic()
        with self._lock:
            return frozenset(key for key, (name, until) in self._held.items() if name == user.name and until >= moment)

    def taken(self, user: User) -> frozenset[int]:
        """The texts that others are looking at."""
        moment = monotonic()
        with self._lock:
            return frozenset(key for key, (name, until) in self._held.items() if name != user.name and until >= moment)

    def release(self, text_id: int) -> None:
        """Nobody looks at this text any more."""
        with self._lock:
            self._held.pop(text_id, None)
