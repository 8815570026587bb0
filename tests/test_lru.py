"""The cache that keeps what was asked for last."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from assay.lru import LruCache


def test_a_value_is_made_once() -> None:
    values = iter([1, 2])
    cache: LruCache[str, int] = LruCache(2)
    assert [cache.get("a", lambda: next(values)) for _ in range(2)] == [1, 1]


def test_what_was_asked_for_longest_ago_goes_first() -> None:
    cache: LruCache[str, str] = LruCache(2)
    for key in ("a", "b", "a", "c"):
        cache.get(key, lambda key=key: key * 2)  # type: ignore[misc]
    assert (list(cache), len(cache), cache.find("b")) == (["a", "c"], 2, None)


def test_a_value_can_be_replaced() -> None:
    cache: LruCache[str, int] = LruCache(2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        cache.keep(key, value)
    assert (cache.find("a"), cache.find("b"), cache.values()) == (3, None, [4, 3])


def test_of_two_that_are_made_at_once_all_get_the_same() -> None:
    cache: LruCache[str, object] = LruCache(2)
    both = Barrier(2)

    def make() -> object:
        both.wait(30)
        return object()

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(lambda _: cache.get("a", make), range(2))
    assert first is second is cache.find("a")
