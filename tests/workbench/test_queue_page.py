"""The queue: what is shown and hidden, in which order texts come, what is told afterwards."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from assay.errors import BadOption, NotAllowed, UnknownName
from assay.verdicts.judgements import Event
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import add_event
from assay.workbench.queue import neighbours as queue_neighbours
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.neighbours import advise, doubts, neighbours
from assay.workbench.queue.preferences import ACTIONS, KEYS
from assay.workbench.queue.queue_page import NO_DRAFT, QueuePage
from assay.workbench.queue.unit_card import CardRow, ItemPanel, UnitCard
from assay.workbench.queue.units import NextUnit
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.text_view import TextView, show_text
from tests.workbench.senses import Senses


@pytest.fixture
def senses(store: Store) -> Senses:
    return Senses(store)


def card(page: QueuePage) -> UnitCard:
    assert page.card
    return page.card


def row(page: QueuePage) -> CardRow:
    """The current row of the card."""
    return card(page).rows[0]


def panel(page: QueuePage) -> ItemPanel:
    return card(page).panels[0]


def offer(page: QueuePage) -> NextUnit:
    assert page.offer
    return page.offer


def test_the_text_that_frees_an_item_comes_first_with_what_is_known_about_it(senses: Senses) -> None:
    sitting = senses.sitting(senses.anna)
    page = sitting.open()
    found, about = row(page), panel(page)
    # The sources of the phenomenon's other items are not alike enough for one card.
    assert (found.text.value, offer(page).frees, offer(page).waiting) == ("The latch is old.", 1, 24)
    assert [row.text.value for row in card(page).rows] == ["The latch is old.", "The bolt is old."]
    assert (about.item.tests, about.tested[:23], about.right) == (
        "lock, not castle",
        "A word with several sen",
        ("lock",),
    )
    assert (*sitting.visit.languages, page.left) == ("de", "en", "no estimate yet")
    assert [near.shown.value for near in about.near] == ["The lock is old.", "The castle is old."]
    assert [mark for mark in about.near[0].shown.marks if mark[2] == "differs"] == [(4, 8, "differs")]
    assert (found.systems, found.suggestion, found.seen) == (None, None, ())


def test_systems_and_suggestion_are_shown_after_the_judgement_or_when_switched_on(senses: Senses) -> None:
    here = senses.sitting(senses.anna)
    first = card(here.open())
    page = here.judge(AnnotatorAnswer(first.text.id, "pass", known=first.known))
    assert page.last
    assert page.last.systems == ["Doubtful (WMT21, WMT22)"]
    assert page.last.suggestion
    assert page.last.freed == ["WMT22"]
    shown = here.switch("systems", on=True, text_id=card(page).text.id, draft=NO_DRAFT)
    assert card(shown).text.id == card(page).text.id
    assert row(shown).systems == ["Dubious (WMT21)"]
    hidden = here.switch("systems", on=False, text_id=card(page).text.id, draft=NO_DRAFT)
    assert row(hidden).systems is None
    assert row(hidden).seen == ("systems",)
    here.judge(AnnotatorAnswer(card(hidden).text.id, "fail"))
    assert [(event.blind, event.seen) for event in senses.events()] == [(True, ()), (False, ("systems",))]


def test_what_looks_wrong_about_a_text_is_said_and_decides_nothing(senses: Senses) -> None:
    text = senses.text("The latch is old.")
    assert row(senses.sitting(senses.anna).open()).doubts == ()
    copy = replace(text, value=senses.snapshot.items[text.place].source)
    assert doubts(senses.snapshot, copy) == ("copy of the source",)
    assert copy.finding == text.finding


def test_the_views_of_the_next_card_are_made_once_others_can_write(
    senses: Senses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which texts stand beside it is written down with the judgement; how they are shown can wait."""
    made = []

    def show(snapshot: Snapshot, text: SnapshotText) -> TextView:
        with senses.store.writing():
            made.append(text.value)
        return show_text(snapshot, text)

    monkeypatch.setattr(queue_neighbours, "show_text", show)
    here = senses.sitting(senses.anna)
    first = card(here.open())
    page = here.judge(AnnotatorAnswer(first.text.id, "pass", known=first.known))
    assert not made
    [*near] = panel(page).near
    values = [found.shown.value for found in near]
    assert values == made == [found.shown.value for found in near]
    assert values


def test_a_suggestion_never_knows_the_verdict_on_the_text_itself(senses: Senses) -> None:
    text = senses.text("The latch is old.")

    def said() -> object:
        near = [found.shown for found in neighbours(senses.snapshot, text)]
        return advise(senses.snapshot, senses.text("The latch is old.")), near

    before = said()
    senses.judge(senses.ben, "The latch is old.", "fail")
    assert said() == before


def test_a_judgement_counts_at_once_for_the_other_items_of_its_phenomenon(senses: Senses) -> None:
    """Also once the phenomenon has been counted, which is done anew only now and then."""
    latch, grams = senses.text("The latch is old."), ("seat", "chin", "old")
    before = senses.snapshot.related(latch.place)
    senses.judge(senses.ben, "The seat is old.", "fail")
    senses.judge(senses.ben, "The chin is old.", "fail")
    now = senses.snapshot.related(latch.place)
    assert (now.texts - before.texts).tolist() == [0, 0, 0, 2]
    assert (now.counts(grams) - before.counts(grams))[3].tolist() == [1, 1, 2]
    senses.visits.undo(senses.ben, senses.suite)
    with senses.store.reading() as db:
        fresh = Snapshot.read(db, senses.snapshot.stored.id).related(latch.place)
    again = senses.snapshot.related(latch.place)
    assert again.texts.tolist() == fresh.texts.tolist()
    assert again.counts(grams).tolist() == fresh.counts(grams).tolist()


def test_a_judgement_after_its_own_undo_is_not_blind(senses: Senses) -> None:
    here = senses.sitting(senses.anna)
    text = card(here.open()).text
    here.judge(AnnotatorAnswer(text.id, "pass"))
    again = here.undo()
    assert card(again).text.id == text.id
    here.judge(AnnotatorAnswer(text.id, "fail"))
    assert [event.seen for event in senses.events() if event.verdict] == [(), ("systems", "suggestion")]


def test_undo_without_anything_to_take_back(senses: Senses) -> None:
    page = senses.sitting(senses.anna).undo()
    assert page.last
    assert (page.last.did, page.last.event) == ("undone", None)
    assert senses.events() == []


def test_texts_that_judgements_disagree_on_are_not_in_the_queue(senses: Senses) -> None:
    senses.judge(senses.anna, "The latch is old.", "pass")
    senses.judge(senses.ben, "The latch is old.", "fail")
    page = senses.sitting(senses.anna).open()
    assert card(page).text.value != "The latch is old."
    assert offer(page).waiting == 23


def test_a_second_opinion_is_asked_for_once_and_shown_without_the_first(senses: Senses) -> None:
    senses.judge(senses.anna, "The latch is old.", "pass")
    assert senses.sitting(senses.anna, again=True).open().card is None
    here = senses.sitting(senses.ben, again=True)
    found = card(here.open())
    (only,) = found.rows
    assert (only.text.value, only.text.verdict, only.seen) == ("The latch is old.", "warning", ())
    page = here.judge(AnnotatorAnswer(found.text.id, "fail", known=found.known))
    assert page.card is None
    assert page.last
    assert [(vote.by, vote.verdict) for vote in page.last.others] == [("anna", "pass")]
    assert page.last.disputed
    assert page.last.meanwhile == ()
    assert [event.blind for event in senses.events()] == [True, True]


def test_a_second_opinion_that_would_be_blind_comes_first(senses: Senses) -> None:
    values = [text.value for text in senses.snapshot.texts.values() if text.waits][:2]
    for value in values:
        senses.judge(senses.anna, value, "pass")
    first = card(senses.sitting(senses.ben, again=True).open()).text
    with senses.visits.visit(senses.ben, senses.suite).reading() as reader:
        reader.show(reader.snapshot.text(first.id))
    second = card(senses.sitting(senses.ben, again=True).open()).text
    assert {first.value, second.value} == set(values)


def test_what_others_said_while_the_text_was_on_the_screen_is_told(senses: Senses) -> None:
    here = senses.sitting(senses.anna)
    found = card(here.open())
    senses.judge(senses.ben, found.text.value, "fail")
    page = here.judge(AnnotatorAnswer(found.text.id, "pass", known=found.known))
    assert page.last
    assert [(event.by, event.verdict) for event in page.last.meanwhile] == [("ben", "fail")]
    assert page.last.others == []
    assert [(event.by, event.verdict) for event in senses.events()] == [("ben", "fail"), ("anna", "pass")]


def test_the_estimate_is_the_pace_of_the_last_judgements(senses: Senses) -> None:
    start = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    texts = list(senses.snapshot.texts)
    with senses.store.writing() as db:
        for number in range(7):
            moment = (start + timedelta(seconds=30 * number)).isoformat()
            add_event(db, Event(0, texts[number], "anna", "judgement", "pass", created=moment), senses.anna)
    page = senses.sitting(senses.anna).open()
    assert page.left == f"about {round(offer(page).decisions / 2)} min"
    assert senses.sitting(senses.ben).open().left == "no estimate yet"


def test_progress_counts_what_once_waited(senses: Senses) -> None:
    here = senses.sitting(senses.anna, category="Ambiguity")
    first = here.open()
    assert (offer(first).waiting, offer(first).ever, offer(first).in_all) == (16, 16, 24)
    page = here.judge(AnnotatorAnswer(card(first).text.id, "pass"))
    assert (offer(page).waiting, offer(page).ever, offer(page).in_all) == (15, 16, 23)
    assert offer(senses.sitting(senses.anna, reason="no_match").open()).ever is None


def test_filters_offer_what_waits(senses: Senses) -> None:
    choices = senses.sitting(senses.anna, category="Ambiguity").choices()
    assert [(choice.value, choice.number) for choice in choices.categories] == [("Ambiguity", 16), ("False friends", 8)]
    assert {category: [choice.value for choice in found] for category, found in choices.phenomena.items()} == {
        "Ambiguity": ["Lexical ambiguity", "Gender"]
    }
    # Doubtful wrote 12 texts that wait in each of two campaigns, Dubious 12 in one.
    assert [(choice.value, choice.number) for choice in choices.systems] == [("Doubtful", 24), ("Dubious", 12)]
    assert [(choice.value, choice.number) for choice in choices.campaigns] == [("WMT21", 24), ("WMT22", 12)]
    assert [(choice.value, choice.number) for choice in choices.reasons] == [("no_match", 24)]


def test_an_unknown_filter_is_refused(senses: Senses) -> None:
    with pytest.raises(UnknownName, match="no category 'Ambiguty'; did you mean Ambiguity"):
        senses.sitting(senses.anna, category="Ambiguty").open()


def test_a_viewer_cannot_sit_at_the_queue(senses: Senses) -> None:
    with pytest.raises(NotAllowed):
        senses.sitting(senses.vera).open()


def test_phenomena_left_for_later_come_last_and_come_back(senses: Senses) -> None:
    here = senses.sitting(senses.anna)
    first = card(here.open())
    page = here.leave_phenomenon(first.text.id)
    assert card(page).item.phenomenon == "Gender"
    page = here.leave_phenomenon(card(page).text.id)
    page = here.leave_phenomenon(card(page).text.id)
    # All are left for later: the one left first is the next, and the page says why.
    assert (card(page).item.phenomenon, offer(page).rest) == ("Lexical ambiguity", "later")
    assert len(page.later) == 3
    assert senses.sitting(senses.ben).open().later == ()
    back = here.bring_back(0)
    assert (back.later, offer(back).rest) == ((), "")


def test_every_action_has_a_key_and_a_meaning() -> None:
    assert KEYS.keys() == ACTIONS.keys()
    assert len(set(KEYS.values())) == len(KEYS)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"pass": "f"}, "pass and fail have the same key 'f'"),
        ({"pass": ""}, "choose one letter or sign"),
        ({"pass": "pp"}, "choose one letter or sign"),
        ({"pass": "\t"}, "choose one letter or sign"),
        ({"pass": "3"}, "digits are kept for the scale"),
        ({"jump": "j"}, "no action 'jump'"),
    ],
)
def test_keys_that_cannot_be(senses: Senses, keys: dict[str, str], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        senses.sitting(senses.anna).set_keys(keys, text_id=0, draft=NO_DRAFT)
    assert senses.sitting(senses.anna).open().preferences.keys == KEYS


def test_two_keys_can_be_swapped_at_once(senses: Senses) -> None:
    senses.sitting(senses.anna).set_keys({"pass": "F", "fail": "p"}, text_id=0, draft=NO_DRAFT)
    assert senses.sitting(senses.anna).open().preferences.keys == KEYS | {"pass": "f", "fail": "p"}
    assert senses.sitting(senses.ben).open().preferences.keys == KEYS
