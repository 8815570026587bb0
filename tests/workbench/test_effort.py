"""What judging has cost and gained: times from hand-made events, warnings from a small suite."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from assay.outputs import Collector, System
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.verdicts.judgements import Event, EventKind
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.snapshot import Snapshots
from assay.workbench.work.effort import Effort, effort, gains, pace, work
from tests.workbench.visits import NOBODY, Visits

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ANNA = User(1, "anna", "annotator")


def sitting(by: str, *seconds: float, kind: EventKind = "judgement") -> list[Event]:
    """Events so many seconds after nine o'clock."""
    numbers = count(1)
    return [
        Event(next(numbers), 7, by, kind, created=(START + timedelta(seconds=second)).isoformat()) for second in seconds
    ]


def test_a_sitting_is_its_gaps_and_the_median_gap_for_its_first_judgement() -> None:
    # Gaps 10, 20, 60: the median is 20, so 90 seconds between judgements and 20 for the first.
    (anna,) = work(sitting("anna", 0, 10, 30, 90))
    assert (anna.judgements, anna.sittings) == (4, 1)
    assert anna.seconds == 110
    assert anna.pace == 20


def test_a_gap_of_more_than_five_minutes_ends_a_sitting_and_counts_for_nothing() -> None:
    # Two sittings with gaps 10, 10 and 40, 300: the pause of 301 is left out. The median of (10, 10, 40, 300) is 25.
    (anna,) = work(sitting("anna", 0, 10, 20, 321, 361, 661))
    assert anna.sittings == 2
    assert anna.seconds == (10 + 10) + (40 + 300) + 2 * 25


def test_time_is_unknown_where_nobody_knows_it_and_is_not_zero() -> None:
    once, twice = work([*sitting("once", 0), *sitting("twice", 0, 1000)])[::-1]
    assert (once.by, once.seconds, once.pace, once.sittings) == ("once", None, None, 1)
    assert (twice.by, twice.seconds, twice.pace, twice.sittings) == ("twice", None, None, 2)
    assert Effort((), (once, twice)).hours is None


def test_judgements_less_than_a_second_apart_are_counted() -> None:
    """Gaps of 0.1, 4.9, 0.4 and 1.0 seconds: two of them are too short to have read anything."""
    (anna,) = work(sitting("anna", 0, 0.1, 5, 5.4, 6.4))
    assert anna.hasty == 2


def test_person_hours_add_up_over_people() -> None:
    # Half an hour each at a judgement a minute: 30 gaps and one more for the first.
    minutes = [60.0 * minute for minute in range(31)]
    people = work([*sitting("anna", *minutes), *sitting("ben", *minutes)])
    assert Effort((), people).hours == pytest.approx(2 * 31 / 60)


def test_skips_and_undos_are_time_at_work_but_no_judgements() -> None:
    # Judged at 0 and 30, skipped at 10, taken back at 20: three gaps of 10 at work, 30 from judgement to judgement.
    events = [
        *sitting("anna", 0, 30),
        *sitting("anna", 10, kind="skip"),
        *sitting("anna", 20, kind="undo"),
    ]
    (anna,) = work(events)
    assert (anna.judgements, anna.skips, anna.undone) == (2, 1, 1)
    assert anna.seconds == 40
    assert anna.pace == 30


def test_judgements_from_files_are_nobodys_time() -> None:
    assert work(sitting("anna", 0, 1, 2, 3, kind="import")) == []


def test_people_are_listed_from_the_busiest_on() -> None:
    events = [*sitting("anna", 0), *sitting("ben", 0, 5), *sitting("chris", 0, kind="adjudication")]
    assert [person.by for person in work(events)] == ["ben", "anna", "chris"]


def test_the_pace_needs_five_gaps() -> None:
    assert pace(sitting("anna", 0, 10, 20, 30, 40), ANNA) is None
    assert pace(sitting("anna", 0, 10, 20, 30, 40, 50), ANNA) == 10


def test_the_pace_leaves_pauses_and_other_people_out() -> None:
    events = [*sitting("anna", 0, 10, 20, 1000, 1012, 1024, 1036), *sitting("ben", 0, 1, 2, 3, 4, 5)]
    assert pace(events, ANNA) == 12


def test_the_pace_is_that_of_the_last_fifty_judgements() -> None:
    slow = [60.0 * number for number in range(60)]
    quick = [slow[-1] + 2.0 * number for number in range(1, 51)]
    assert pace(sitting("anna", *slow, *quick), ANNA) == 2


ITEMS = (
    Item("a", "Lexis", "Words", "Schloss", (Rule("pass", "contains", "castle"), Rule("fail", "contains", "lock"))),
    Item("b", "Lexis", "Words", "Bank", (Rule("pass", "contains", "bench"),)),
    Item("c", "Lexis", "Words", "Ball", (Rule("pass", "contains", "ball"),)),
)


def imported(store: Store, texts: dict[str, list[str]]) -> tuple[Snapshots, User]:
    """A suite of three items and systems of the campaign WMT, each with its three texts."""
    suite = Suite("small", "de-en", ITEMS, taxonomy_of(ITEMS))
    collector = Collector(suite)
    for name, written in texts.items():
        collector.add(System(name, "WMT"), positions=[0, 1, 2], texts=written)
    with store.writing() as db:
        admin = add_user(db, "admin", "admin")
    Import(suite, collector.outputs(), "test").run(store, admin)
    return Snapshots(store), admin


def test_warnings_and_the_items_of_the_fair_comparison_at_first_and_now(store: Store) -> None:
    # At first A has no warning, B one on `b`, C warnings on `b` and `c`: only `a` counts. Judging both texts of `b`
    # makes that item count; `c` still waits.
    snapshots, admin = imported(
        store,
        {
            "A": ["a castle", "a bench", "a ball"],
            "B": ["a lock", "a bank", "a ball"],
            "C": ["a castle", "a shore", "a prom"],
        },
    )
    visits = Visits(store)
    for text in list(snapshots.get("small").texts.values()):
        if text.value in ("a bank", "a shore"):
            visits.judge(admin, "small", AnnotatorAnswer(text.id, "fail"))
    report = visits.read(NOBODY, "small", effort)
    (campaign,) = report.campaigns
    assert (campaign.name, campaign.items, campaign.first, campaign.now) == ("WMT", 3, 1, 2)
    assert {warned.system.name: (warned.first, warned.now) for warned in campaign.systems} == {
        "A": (0, 0),
        "B": (1, 0),
        "C": (2, 1),
    }
    assert [(person.by, person.judgements) for person in report.people] == [("admin", 2)]


def test_the_numbers_now_are_those_of_the_results(store: Store) -> None:
    snapshots, _ = imported(store, {"A": ["a castle", "nothing", "a ball"], "B": ["", "a bench", "no"]})
    snapshot = snapshots.get("small")
    evaluation = snapshot.evaluate(campaigns=["WMT"])
    (campaign,) = gains(snapshot)
    assert campaign.now == evaluation.items_counted
    assert {warned.system.name: warned.now for warned in campaign.systems} == {
        found.system.name: found.warnings for found in evaluation.summaries
    }


def test_a_system_that_did_not_translate_the_suite_is_left_out_of_the_comparison(store: Store) -> None:
    items = tuple(Item(f"i{n}", "Lexis", "Words", f"Wort {n}", (Rule("pass", "contains", "word"),)) for n in range(40))
    suite = Suite("small", "de-en", items, taxonomy_of(items))
    collector = Collector(suite)
    collector.add(System("Good"), positions=list(range(40)), texts=[f"word {n}" for n in range(40)])
    collector.add(System("Mute"), positions=list(range(40)), texts=["####"] * 40)
    with store.writing() as db:
        admin = add_user(db, "admin", "admin")
    Import(suite, collector.outputs(), "test").run(store, admin)
    (campaign,) = gains(Snapshots(store).get("small"))
    assert [warned.system.name for warned in campaign.systems] == ["Good"]
    assert [system.name for system in campaign.left_out] == ["Mute"]
    assert (campaign.first, campaign.now) == (40, 40)
