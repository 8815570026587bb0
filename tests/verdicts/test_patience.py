"""Slow rules cannot keep a command waiting for hours."""

import pytest

from assay.suites import Item, Rule
from assay.verdicts import Pattern, RuleJudge, RuleTimeout
from assay.verdicts import patience as module
from assay.verdicts.patience import Patience

SLOW = Rule("pass", "regex", "(a|aa)+$")
TEXT = "a" * 60 + "b"


class Stopwatch:
    """A clock that a search moves on."""

    def __init__(self) -> None:
        self.now = 0.0


class Slow(Pattern):
    """A pattern that takes as long as it may, and counts how often it was tried."""

    __slots__ = ("clock", "limits")

    def __init__(self, clock: Stopwatch) -> None:
        super().__init__("x+")
        self.clock = clock
        self.limits: list[float] = []

    def search(self, text: str, limit: float | None = None) -> tuple[int, int] | None:
        assert limit is not None
        self.limits.append(limit)
        self.clock.now += limit
        raise RuleTimeout(self.value)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Stopwatch:
    clock = Stopwatch()
    for name in ("thread_time", "perf_counter"):
        monkeypatch.setattr(module, name, lambda: clock.now)
    return clock


def tried(patience: Patience, item: str, rule: int, slow: Slow) -> None:
    with pytest.raises(RuleTimeout):
        patience.search(item, rule, slow, "text")


def test_a_slow_rule_is_given_up_when_its_item_has_used_its_time(clock: Stopwatch) -> None:
    patience, slow, other = Patience(), Slow(clock), Slow(clock)
    for _ in range(100):
        tried(patience, "a", 0, slow)
    assert slow.limits == [0.5] * 4
    # A rule of the item that was not slow before still gets its chance, and so do other items.
    tried(patience, "a", 1, other)
    tried(patience, "b", 0, other)
    assert other.limits == [0.5] * 2


def test_seven_hundred_slow_items_take_minutes_not_hours(clock: Stopwatch) -> None:
    patience, slow = Patience(), Slow(clock)
    for item in range(700):
        for _ in range(20):
            tried(patience, str(item), 0, slow)
    assert clock.now < 60 + 1 + 700 * 0.05


def test_quick_rules_are_tried_for_ever(clock: Stopwatch) -> None:
    patience, quick = Patience(), Pattern("x+")
    patience.total = 1e9
    assert all(patience.search("a", 0, quick, "ax") == (1, 2) for _ in range(100))


def test_the_verdict_of_a_rule_that_is_given_up_is_a_timeout() -> None:
    item = Item("a", "C", "P", "source", (SLOW, Rule("fail", "regex", "z")))
    patience = Patience(items={"a": 99.0}, slow={("a", 0)})
    finding = RuleJudge([item], patience).judge(item, TEXT)
    assert (finding.verdict.name, finding.reason) == ("WARNING", "timeout")
    # The other rule was tried all the same.
    assert RuleJudge([item], patience).judge(item, "z").verdict.name == "WARNING"
