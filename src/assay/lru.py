"""A cache that keeps what was asked for last.

    cache: LruCache[str, int] = LruCache(most=8)
    cache.get("a text", lambda: count("a text"))

`functools.lru_cache` is for functions; this is for objects that own what they keep and take it with them.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """At most `most` values, those that were asked for last. Safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of a key, made where it is not there."""
        known = self.find(key)
        if known is not None:
            return known
        # Outside of the lock, since it may take seconds. Of two that are made at once the first is kept.
        value = make()
        with self._lock:
            value = self._values.setdefault(key, value)
            self._shorten()
        return value

    def find(self, key: Key) -> Value | None:
        """The value of a key, None where there is none."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value in place of the one that was there."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            self._shorten()

    def _shorten(self) -> None:
        while len(self._values) > self._most:
            self._values.popitem(last=False)

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Key]:
        """The keys, the one that was asked for longest ago first."""
        with self._lock:
            return iter(list(self._values))

    def values(self) -> list[Value]:
        with self._lock:
            return list(self._values.values())
