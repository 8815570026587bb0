"""How long slow rules may keep a command waiting: a search, an item, all of it.

A search that runs past its limit is stopped, but seven hundred of them on twenty systems would still take hours. So
time is counted: rules that were slow before are not tried again once their item has used up its time, and once the
whole has, everything slow is given up sooner. A rule that is not tried is a timeout, like one that was stopped; which
rules these were is told with the result.
"""

from dataclasses import dataclass, field
from time import perf_counter, thread_time

from assay.suites.kinds import Matcher, Span
from assay.verdicts.patterns import TIME_LIMIT, RuleTimeout

SLOW = 0.02
"""A search that takes longer is slow; most take microseconds."""

HURRIED = 0.05
"""Seconds that a rule may search in a text when the time of the whole is used up."""

ITEM = 2.0
"""Seconds that the slow rules of one item may take in all."""

TOTAL = 60.0
"""Seconds that all slow rules may take in all."""


@dataclass(slots=True)
class Patience:
    """What slow rules took, by item and in all."""

    items: dict[str, float] = field(default_factory=dict)
    slow: set[tuple[str, int]] = field(default_factory=set)
    """(item, place of the rule) of the rules that were slow at least once."""
    total: float = 0.0
    _item: str = field(default="", init=False, repr=False)
    _since: float = field(default=0.0, init=False, repr=False)
    """The item that is at hand, and the time of the thread when it came or when a slow rule was last counted."""

    def search(self, item: str, rule: int, pattern: Matcher, text: str) -> Span | None:
        """Where the pattern of an item's rule matches; `RuleTimeout` where it took too long, now or before."""
        hurried = self.total >= TOTAL
        exhausted = hurried or self.items.get(item, 0.0) >= ITEM
        if exhausted and (item, rule) in self.slow:
            raise RuleTimeout(pattern.value)
        if item != self._item:
            self._item, self._since = item, thread_time()
        start = perf_counter()
        try:
            return pattern.search(text, HURRIED if hurried else TIME_LIMIT)
        finally:
            # Asking for the time of the thread takes longer than most searches, so it is asked for rarely.
            if perf_counter() - start >= SLOW:
                self._count(item, rule)

    def _count(self, item: str, rule: int) -> None:
        """Count the time of this thread: what else the machine does, or waiting for a lock, makes no rule slow."""
        now = thread_time()
        # With what quick rules of the item took before, which is nothing beside it.
        seconds, self._since = now - self._since, now
        if seconds >= SLOW:
            self.slow.add((item, rule))
            self.items[item] = self.items.get(item, 0.0) + seconds
            self.total += seconds
