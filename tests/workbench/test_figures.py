"""Figures that take long are not worked out for every change."""

import pytest

from assay.workbench import figures
from assay.workbench.figures import Figures

ANNA, BORIS = 1, 2


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
    assert [kept.get("agreement", change, work, ANNA) for change in (1, 1, 2, 2, 3)] == [1, 1, 2, 2, 3]


def test_what_takes_long_is_kept_for_a_while() -> None:
    work = Work(seconds=60)
    kept = Figures(work.clock)
    assert [kept.get("agreement", change, work, ANNA) for change in (1, 2, 3)] == [1, 1, 1]


def test_what_takes_a_little_is_kept_for_those_who_changed_nothing_meanwhile() -> None:
    work = Work(seconds=0.2)
    kept = Figures(work.clock)
    kept.get("results", 1, work, ANNA)
    kept.changed(BORIS, 2)
    assert kept.get("results", 2, work, ANNA) == 1
    assert kept.get("results", 2, work, BORIS) == 2


def test_with_many_at_work_nobody_has_it_made_for_their_own_change() -> None:
    work = Work(seconds=0.02)
    kept = Figures(work.clock)
    kept.changed(BORIS, 1)
    assert [kept.get("results", 1, work, ANNA), kept.get("results", 2, work, ANNA)] == [1, 1]
    kept.changed(ANNA, 2)
    assert kept.get("results", 2, work, ANNA) == 2
    for annotator in range(3, 20):
        kept.changed(annotator, 3)
    kept.changed(ANNA, 4)
    assert kept.get("results", 4, work, ANNA) == 3
    kept.changed(ANNA, 5)
    assert kept.get("results", 5, work, ANNA) == 3


def test_what_somebody_asks_in_a_hundred_ways_is_not_kept_in_all() -> None:
    kept = Figures()
    for draws in range(100):
        kept.get(("results", draws), 1, lambda: "much", ANNA)
    assert len(kept) == figures.MOST_KEPT


def test_but_not_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "LONGEST_KEPT", 0.0)
    work = Work(seconds=60)
    kept = Figures(work.clock)
    assert [kept.get("agreement", change, work, ANNA) for change in (1, 2, 2)] == [1, 2, 2]


def test_each_figure_has_its_own() -> None:
    kept = Figures()
    assert kept.get("agreement", 1, lambda: "alpha", ANNA) == "alpha"
    assert kept.get("effort", 1, lambda: 17, ANNA) == 17


def test_nobody_waits_for_one_that_is_being_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "LONGEST_KEPT", 0.0)
    work = Work(seconds=60)
    kept = Figures(work.clock)
    kept.get("agreement", 1, work, ANNA)
    seen = []

    def meanwhile() -> int:
        seen.append(kept.get("agreement", 3, work, ANNA))
        return work()

    assert kept.get("agreement", 2, meanwhile, ANNA) == 2
    assert seen == [1]
