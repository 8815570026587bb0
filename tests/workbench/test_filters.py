"""The filters of the queue that are about items."""

from dataclasses import replace

import pytest

from assay.errors import UnknownName
from assay.suites import TIERS
from assay.workbench.db.database import Store
from assay.workbench.files.importer import Import
from assay.workbench.queue.filters import Filters, choices, waiting
from assay.workbench.queue.neighbours import ADVICE, advise
from assay.workbench.queue.queue_page import NO_DRAFT
from tests.workbench.little import NAME, SUITE, WRITTEN, admin_of, outputs_of
from tests.workbench.test_units import Desk
from tests.workbench.visits import Visits


def test_the_queue_can_be_narrowed_to_a_tier(store: Store) -> None:
    admin = admin_of(store)
    tiered = SUITE.with_items({0: replace(SUITE.items[0], tier="context")})
    Import(tiered, outputs_of(WRITTEN), "first").run(store, admin)
    snapshot = Visits(store).snapshot(NAME)
    found = {tier: waiting(snapshot, Filters(tier=tier), admin) for tier in (None, *TIERS)}
    assert {snapshot.items[task.place].tier for task in found["context"]} == {"context"}
    assert len(found["entry"]) + len(found["context"]) == len(found[None])
    assert {choice.value: choice.number for choice in choices(snapshot, Filters(), admin).tiers} == {
        "context": len(found["context"]),
        "entry": len(found["entry"]),
    }
    with pytest.raises(UnknownName, match="no tier 'hard'"):
        waiting(snapshot, Filters(tier="hard"), admin)


def test_the_queue_can_be_narrowed_to_a_suggestion(store: Store) -> None:
    desk = Desk(store)
    found = {said: waiting(desk.snapshot, Filters(suggestion=said), desk.anna) for said in ADVICE}
    every = {task.text_id for task in waiting(desk.snapshot, Filters(), desk.anna)}
    assert {task.text_id for tasks in found.values() for task in tasks} == every
    assert sum(map(len, found.values())) == len(every)
    for said, tasks in found.items():
        for task in tasks:
            shown = advise(desk.snapshot, desk.snapshot.texts[task.text_id])
            assert (shown.verdict if shown else "none") == said
    assert desk.id("you run") in {task.text_id for task in found["pass"]}
    assert desk.id("The staff were very friendly.", "rennen") in {task.text_id for task in found["none"]}
    with pytest.raises(UnknownName, match="no suggestion 'maybe'"):
        waiting(desk.snapshot, Filters(suggestion="maybe"), desk.anna)


def test_a_judgement_changes_what_is_suggested_of_its_phenomenon(store: Store) -> None:
    desk = Desk(store)
    here = desk.at(desk.anna, suggestion="none")
    page = here.open()
    # Nothing is known of this item yet.
    first = desk.id("We go home.", "gehen")
    assert first in {task.text_id for task in waiting(desk.snapshot, Filters(suggestion="none"), desk.anna)}
    assert page.card
    here.judge_rows([[desk.id("We'll go home.")]], "pass", draft=NO_DRAFT, seen=(), known=0)
    left = waiting(desk.snapshot, Filters(suggestion="none"), desk.anna)
    assert first not in {task.text_id for task in left}
    for said in ADVICE:
        for task in waiting(desk.snapshot, Filters(suggestion=said), desk.anna):
            shown = advise(desk.snapshot, desk.snapshot.texts[task.text_id])
            assert (shown.verdict if shown else "none") == said


def test_who_filters_by_suggestion_has_seen_it(store: Store) -> None:
    desk = Desk(store)
    page = desk.at(desk.anna, suggestion="none").open()
    assert page.card
    assert {row.seen for row in page.card.rows} == {("suggestion",)}
    assert desk.visits.revealed(desk.anna, page.card.unit.text_ids[-1]) == ("suggestion",)
    # Without the filter nothing is.
    assert desk.visits.revealed(desk.ben, page.card.unit.text_ids[-1]) == ()
