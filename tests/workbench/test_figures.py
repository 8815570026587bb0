"""Figures that take long are not worked out for every change."""

import pytest

from assay.workbench import figures
from assay.workbench.figures import Figures


class Work:
    """Working out that takes so many seconds by its own clock."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.spent, self.done = seconds, 0.0, 0

    def clock(self) -> float:
        return self.spent

    def __call__(self) -> int:
        self.spent += self.seconds
        self.done += 1
        return self.done


def test_what_takes_a_moment_is_worked_out_for_every_change() -> None:
    work = Work(seconds=0.01)
    kept = Figures(work.clock)
    assert [kept.get("agreement", change, work) for change in (1, 1, 2, 2, 3)] == [1, 1, 2, 2, 3]


def test_what_takes_long_is_kept_for_a_while() -> None:
    work = Work(seconds=60)
    kept = Figures(work.clock)
    assert [kept.get("agreement", change, work) for change in (1, 2, 3)] == [1, 1, 1]


def test_but_not_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "LONGEST_KEPT", 0.0)
    work = Work(seconds=60)
    kept = Figures(work.clock)
    assert [kept.get("agreement", change, work) for change in (1, 2, 2)] == [1, 2, 2]


def test_each_figure_has_its_own() -> None:
    kept = Figures()
    assert kept.get("agreement", 1, lambda: "alpha") == "alpha"
    assert kept.get("effort", 1, lambda: 17) == 17


def test_nobody_waits_for_one_that_is_being_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "LONGEST_KEPT", 0.0)
    work = Work(seconds=60)
    kept = Figures(work.clock)
    kept.get("agreement", 1, work)
    seen = []

    def meanwhile() -> int:
        seen.append(kept.get("agreement", 3, work))
        return work()

    assert kept.get("agreement", 2, meanwhile) == 2
    assert seen == [1]
