"""Rules that widen themselves: what is offered after a judgement, what taking it does, and taking it back."""

from dataclasses import replace

import pytest

from assay.errors import BadOption, NotAllowed, UnknownName
from assay.suggest.wider_rules import FEWEST_ALIKE
from assay.suites import Item, Rule, Suite
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import Import
from assay.workbench.items.reverted_revision import revert_revision
from assay.workbench.items.widened_items import (
    WiderOffer,
    leave_wider,
    loose_change,
    offer_wider,
    survey_wider,
    take_wider,
)
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.snapshot import SnapshotText
from assay.workbench.visit import Visit
from tests.workbench.little import A, B, C, admin_of, contents, outputs_of
from tests.workbench.visits import Visits

NAME = "modals"
RULE = Rule("pass", "regex", r"\bwere supposed to\b")


def item(name: str, *rules: Rule, phenomenon: str = "Modal") -> Item:
    return Item(f"verbs/{name}", "Verbs", phenomenon, f"Quelle {name}.", rules)


SUITE = Suite(
    NAME,
    "de-en",
    (
        item("wir", RULE, Rule("fail", "contains", "wanted")),
        item("ihr", RULE, Rule("fail", "exact", "You was supposed to sleep.")),
        item("sie", RULE, phenomenon="Modal - negated"),
        item("du", Rule("pass", "exact", "You run.")),
        item("tag", Rule("pass", "regex", r"You run, don't you\?$"), phenomenon="Question tag"),
    ),
    {"Verbs": {"Modal": "", "Modal - negated": "", "Question tag": ""}},
)
WRITTEN = {
    A: (
        "We was supposed to go.",
        "They was supposed to go.",
        "He was supposed to go.",
        "you run",
        "you run, don't you?",
    ),
    B: ("I was supposed to go.", "You was supposed to sleep.", "She was supposed to go.", "You walk.", ""),
    C: ("He wanted to go.", "He had to go.", "He went.", "You ran.", "You go."),
}


class Bench:
    """Anna at a suite in which one rule stands in three items."""

    def __init__(self, store: Store) -> None:
        self.store, self.visits = store, Visits(store)
        self.admin = admin_of(store)
        Import(SUITE, outputs_of(WRITTEN, SUITE), "first").run(store, self.admin)
        with store.writing() as db:
            self.anna, self.vera = add_user(db, "Anna", "annotator"), add_user(db, "Vera", "viewer")

    @property
    def visit(self) -> Visit:
        return self.visits.visit(self.anna, NAME)

    def text(self, value: str) -> SnapshotText:
        return next(text for text in self.visits.snapshot(NAME).texts.values() if text.value == value)

    def judge(self, value: str, verdict: str = "pass") -> int:
        found = self.text(value)
        self.visits.judge(self.anna, NAME, AnnotatorAnswer(found.id, verdict))  # type: ignore[arg-type]
        return found.id

    def rules(self, name: str) -> tuple[Rule, ...]:
        return self.visits.snapshot(NAME).stored.suite.item(f"verbs/{name}").rules


@pytest.fixture
def bench(store: Store) -> Bench:
    return Bench(store)


def test_one_more_alternative_in_an_item_its_phenomenon_and_the_suite(bench: Bench) -> None:
    offer = offer_wider(bench.visit, bench.judge("We was supposed to go."))
    assert offer
    assert (offer.change.old, offer.change.new.value) == (RULE, r"\b(?:were|was) supposed to\b")
    # `ihr` has an exact rule that says the opposite of one of its texts: an exact rule outranks the wider one.
    found = [(one.scope, one.rules, one.items, one.texts, one.refused) for one in offer.effects]
    assert found == [("item", 1, 1, 1, 0), ("phenomenon", 2, 2, 2, 0), ("suite", 3, 3, 4, 0)]


def test_what_is_taken_is_one_revision_and_is_taken_back_as_one(bench: Bench) -> None:
    offer = offer_wider(bench.visit, bench.judge("We was supposed to go."))
    assert offer
    before = contents(bench.store)
    taken = take_wider(bench.visit, offer.change, "suite", item=offer.item)
    assert (taken.effect.texts, taken.effect.items) == (4, 3)
    assert [
        str(bench.text(value).finding.verdict) for value in ("I was supposed to go.", "He was supposed to go.")
    ] == [
        "pass",
        "pass",
    ]
    assert str(bench.text("You was supposed to sleep.").finding.verdict) == "fail"
    done = revert_revision(bench.visit, taken.revision)
    assert (done.items, done.kept) == (3, [])
    assert bench.rules("sie") == (RULE,)
    assert str(bench.text("He was supposed to go.").finding.verdict) == "warning"
    after = contents(bench.store)
    assert [row["ruled"] for row in after["texts"]] == [row["ruled"] for row in before["texts"]]
    assert len(after["revisions"]) == len(before["revisions"]) + 2


def test_an_item_changed_since_is_left_when_a_revision_is_taken_back(bench: Bench) -> None:
    offer = offer_wider(bench.visit, bench.judge("We was supposed to go."))
    assert offer
    first = take_wider(bench.visit, offer.change, "suite", item=offer.item)
    again = take_wider(bench.visit, loose_change(("case", "stop"), "pass"), "suite")
    assert again.effect.texts == 1
    with pytest.raises(BadOption, match="nothing before it"):
        revert_revision(bench.visit, 1)
    with pytest.raises(BadOption, match="there is no revision 99"):
        revert_revision(bench.visit, 99)
    assert revert_revision(bench.visit, first.revision).items == 3
    with pytest.raises(BadOption, match="changed again since"):
        revert_revision(bench.visit, first.revision)


def test_an_exact_rule_stays_beside_the_pattern_made_from_it(bench: Bench) -> None:
    offer = survey_wider(bench.visit, ("case", "stop"), "pass")
    assert offer
    assert [(one.scope, one.rules, one.texts) for one in offer.effects] == [("suite", 1, 1)]
    take_wider(bench.visit, offer.change, "suite")
    assert bench.rules("du") == (Rule("pass", "exact", "You run."), Rule("pass", "regex", r"^You run\.?$", "i"))


def test_where_capitals_may_be_the_point_they_stay(bench: Bench) -> None:
    assert survey_wider(bench.visit, ("case", "stop"), "pass", category="Verbs", phenomenon="Question tag") is None


def test_what_was_left_is_not_offered_again(bench: Bench) -> None:
    text_id = bench.judge("We was supposed to go.")
    offer = offer_wider(bench.visit, text_id)
    assert offer
    leave_wider(bench.visit, offer.change)
    assert offer_wider(bench.visit, text_id) is None
    assert offer_wider(bench.visits.visit(bench.admin, NAME), text_id) is not None


def test_nothing_is_offered_where_nothing_good_is_known(bench: Bench) -> None:
    assert offer_wider(bench.visit, bench.text("He had to go.").id) is None  # nobody judged it
    assert offer_wider(bench.visit, bench.judge("He went.")) is None  # no rule is near
    assert offer_wider(bench.visit, bench.judge("He wanted to go.", "fail")) is None  # a rule knows it


def test_who_only_looks_changes_nothing(bench: Bench) -> None:
    vera = bench.visits.visit(bench.vera, NAME)
    with pytest.raises(NotAllowed):
        take_wider(vera, loose_change(("case",), "pass"), "suite")
    with pytest.raises(NotAllowed):
        revert_revision(vera, 1)
    with pytest.raises(BadOption, match="decides no text"):
        take_wider(bench.visit, loose_change(("case",), "fail"), "suite")
    with pytest.raises(UnknownName):
        survey_wider(bench.visit, ("alternative",), "pass")


def test_judgements_so_far_tell_how_safe_it_is_to_ignore_case(bench: Bench) -> None:
    """One item passes with and without capitals, another one only with them."""
    both = (Rule("pass", "exact", "He runs."), Rule("pass", "exact", "he runs"), Rule("pass", "exact", "You go."))
    items = (item("er", *both), item("er2", Rule("pass", "exact", "She runs."), Rule("fail", "exact", "she runs.")))
    more = Suite(NAME, "de-en", (*SUITE.items, *items), SUITE.taxonomy)
    Import(more, None, "more").run(bench.store, bench.admin)
    offer = survey_wider(bench.visit, ("case", "stop"), "pass")
    assert offer
    assert (offer.best.alike, offer.best.unlike, offer.best.is_safe) == (1, 1, False)
    case = survey_wider(bench.visit, ("case",), "pass", category="Verbs", phenomenon="Modal - negated")
    assert case is None


def capitals(number: int, *, said: str = "pass") -> Item:
    """An item of the phenomenon with a text that was decided with and without capitals."""
    text = f"They run {number} miles."
    return item(f"laufen-{number}", Rule("pass", "exact", text), Rule(said, "exact", text.lower()))  # type: ignore[arg-type]


def test_case_is_offered_only_where_the_phenomenon_shows_that_it_tells_nothing(store: Store) -> None:
    admin, visits = admin_of(store), Visits(store)
    home = item("heim", Rule("pass", "exact", "You go home."))
    written = {A: ("you go home.",), B: ("yOU go home.",), C: ("YOU go home.",)}
    first = Suite("home", "de-en", (home,), SUITE.taxonomy)
    Import(first, outputs_of(written, first), "first").run(store, admin)
    with store.writing() as db:
        anna = add_user(db, "Anna", "annotator")

    def text_id(value: str) -> int:
        return next(text.id for text in visits.snapshot("home").texts.values() if text.value == value)

    def offer(*others: Item) -> WiderOffer | None:
        Import(replace(first, items=(home, *others)), None, "more").run(store, admin)
        visits.state.wider.forget()
        return offer_wider(visits.visit(anna, "home"), text_id("you go home."))

    visits.judge(anna, "home", AnnotatorAnswer(text_id("you go home."), "pass"))
    alike = [capitals(number) for number in range(FEWEST_ALIKE)]
    # What was just judged of the item itself is no precedent.
    assert offer(*alike[1:]) is None
    found = offer(*alike)
    assert found
    assert (found.change.how, [(one.scope, one.texts) for one in found.effects]) == (("case",), [("item", 2)])
    assert offer(*alike, capitals(99, said="fail")) is None
    # Nor is it taken where it would not be offered.
    with pytest.raises(BadOption, match="decides no text"):
        take_wider(visits.visit(anna, "home"), found.change, "item", item=found.item)
    assert offer(*alike)
    assert take_wider(visits.visit(anna, "home"), found.change, "item", item=found.item).effect.texts == 2
