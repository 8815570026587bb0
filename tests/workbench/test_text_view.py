"""How texts, reasons and times are put into words."""

import pytest

from assay.outputs import System
from assay.suites import Rule
from assay.verdicts import Evidence, Finding, Verdict
from assay.verdicts.judgements import Event, Settlement
from assay.workbench.db.database import Store
from assay.workbench.snapshot import Snapshots
from assay.workbench.text_view import duration, marks, reasons, show_text, system_names
from tests.workbench.senses import Senses


@pytest.fixture
def senses(store: Store) -> Senses:
    return Senses(store)


LOCK, CASTLE = Rule("pass", "regex", "lock"), Rule("fail", "regex", "castle")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "no estimate yet"),
        (0, "under a minute"),
        (59, "under a minute"),
        (60, "about 1 min"),
        (38 * 60, "about 38 min"),
        (89 * 60, "about 89 min"),
        (90 * 60, "about 1.5 h"),
        (55 * 3600, "about 55 h"),
    ],
)
def test_durations_are_said_as_people_say_them(seconds: float | None, words: str) -> None:
    assert duration(seconds) == words


def test_both_polarities_are_marked_and_named_in_a_contradiction() -> None:
    text = "lock of the castle"
    finding = Finding(Verdict.WARNING, "contradiction", (Evidence(LOCK, 0, 4), Evidence(CASTLE, 12, 18)))
    assert marks(finding, text) == [(0, 4, "pass"), (12, 18, "fail")]
    assert [(why.words, why.rule) for why in reasons(finding, None)] == [
        ("pass rule matched", LOCK),
        ("fail rule matched", CASTLE),
    ]


def test_an_exact_rule_marks_nothing() -> None:
    rule = Rule("pass", "exact", "lock")
    finding = Finding(Verdict.PASS, "", (Evidence(rule, 0, 4),))
    assert marks(finding, "lock") == []
    assert [why.words for why in reasons(finding, None)] == ["exact rule"]


@pytest.mark.parametrize(
    ("finding", "words"),
    [
        (Finding(Verdict.WARNING, "no_match"), "no rule matched"),
        (Finding(Verdict.WARNING, "timeout", (Evidence(LOCK, 0, 0),)), "a rule took too long"),
        (Finding(Verdict.WARNING, "missing"), "there is no output"),
        (Finding(Verdict.PASS, "", (Evidence(LOCK, 0, 4),)), "rule"),
    ],
)
def test_reasons_in_words(finding: Finding, words: str) -> None:
    assert [why.words for why in reasons(finding, None)] == [words]


def test_who_judged_is_said() -> None:
    anna = Event(1, 1, "anna", "judgement", "pass", dated="2026-03-02")
    ben = Event(2, 1, "ben", "judgement", "fail", dated="2026-03-03")
    eve = Event(3, 1, "eve", "adjudication", "fail", dated="2026-03-04")
    finding = Finding(Verdict.PASS)

    def words(settlement: Settlement) -> list[str]:
        return [why.words for why in reasons(finding, settlement)]

    assert words(Settlement("pass", False, {"anna": anna}, None)) == ["judged by anna, 2026-03-02"]
    assert words(Settlement(None, True, {"anna": anna, "ben": ben}, None)) == [
        "judgements disagree: anna says pass, ben says fail"
    ]
    assert words(Settlement("fail", False, {"anna": anna, "ben": ben}, eve)) == ["decided by eve, 2026-03-04"]


def test_a_system_of_several_campaigns_is_named_once(senses: Senses) -> None:
    snapshot = Snapshots(senses.store).get(senses.suite)
    found = [System("Online-A", "WMT21"), System("Online-B", "WMT21"), System("Online-A", "WMT22")]
    assert system_names(snapshot, found) == ["Online-A (WMT21, WMT22)", "Online-B (WMT21)"]


def test_a_text_with_its_verdict_and_its_writers(senses: Senses) -> None:
    snapshot = Snapshots(senses.store).get(senses.suite)
    shown = show_text(snapshot, senses.text("The lock is old."))
    assert (shown.verdict, list(shown.marks), shown.written) == ("pass", [(4, 8, "pass")], 2)
    assert list(shown.systems) == ["Right (WMT21, WMT22)"]
    waiting = show_text(snapshot, senses.text("The latch is old."))
    assert (waiting.verdict, list(waiting.marks), [why.words for why in waiting.why]) == (
        "warning",
        [],
        ["no rule matched"],
    )
