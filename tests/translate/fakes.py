"""An engine in Python with the faults that tests need, and the end of processes that engines start."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.translate.engine import Answer, Estimate

Behaviour = Callable[[str, int], str]
"""Sentence and how often it has been asked for by now (from 1) -> its translation; or raises."""


@dataclass
class FakeEngine:
    """Translates by a function, and remembers what it was asked."""

    behaviour: Behaviour = lambda sentence, time: sentence.upper()
    batch: int = 1
    concurrency: int = 4
    per_minute: float | None = None
    is_local: bool = True
    price: float | None = None
    name: str = "fake"
    parameters: Mapping[str, str] = field(default_factory=lambda: {"version": "1"})
    asked: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    most_at_once: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._now = 0

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        cost = None if self.price is None else self.price * len(sentences)
        return Estimate(sum(map(len, sentences)), None, cost)

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        with self._lock:
            self.calls += 1
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            self.asked.update(sentences)
        try:
            return [Answer(self.behaviour(text, self.asked[text]), cost=self.price) for text in sentences]
        finally:
            with self._lock:
                self._now -= 1

    def close(self) -> None:
        """There is nothing to let go of."""


def wait_for_the_end(pid: int) -> None:
    """Until a process has ended; one that nobody has asked for its exit code yet has, too."""
    stat = Path("/proc") / str(pid) / "stat"
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if not stat.exists() or stat.read_text("utf-8").rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.01)
    raise AssertionError(f"process {pid} is still running")
