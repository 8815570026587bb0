"""Who agrees with whom: which judgements count, the numbers, and what an adjudicator makes of the rest."""

from collections.abc import Sequence

import pytest

from assay.errors import BadOption, NotAllowed, Overtaken, UnknownName
from assay.outputs import Collector, System
from assay.suites import Item, Polarity, Rule, Suite, taxonomy_of
from assay.verdicts.judgements import Event, EventKind
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.db.suites import find_suite, set_questions
from assay.workbench.files.history_records import Seen
from assay.workbench.files.importer import Import
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.work.agreement import JudgementsLeftOut, agreement, counted, differences
from assay.workbench.work.disputes import PAGE, decide, open_disputes, take_back
from tests.workbench.visits import NOBODY, Visits


def said(
    number: int,
    by: str,
    verdict: Polarity | None,
    *,
    text: int = 7,
    kind: EventKind = "judgement",
    blind: bool = True,
    undoes: int | None = None,
) -> Event:
    return Event(number, text, by, kind, verdict, blind=blind, undoes=undoes)


def counting(*events: Event) -> dict[str, tuple[int, Polarity | None]]:
    """Person -> the event that counts of text 7, and its verdict."""
    votes, _ = counted(events)
    return {name: (event.id, event.verdict) for name, event in votes.get(7, {}).items()}


def test_the_first_judgement_of_each_person_counts() -> None:
    assert counting(said(1, "anna", "pass"), said(2, "ben", "fail"), said(3, "anna", "fail")) == {
        "anna": (1, "pass"),
        "ben": (2, "fail"),
    }


def test_what_was_taken_back_does_not_count_and_what_came_after_it_does() -> None:
    undo = said(2, "anna", None, kind="undo", undoes=1)
    assert counting(said(1, "anna", "pass"), undo, said(3, "anna", "fail")) == {"anna": (3, "fail")}


def test_a_judgement_that_was_not_blind_does_not_count_and_no_later_one_either() -> None:
    assert counting(said(1, "anna", "pass", blind=False), said(2, "anna", "pass")) == {}


def test_judgements_from_files_and_after_an_adjudication_do_not_count() -> None:
    events = [
        said(1, "file", "pass", kind="import"),
        said(2, "anna", "pass"),
        said(3, "chris", "fail", kind="adjudication"),
        said(4, "ben", "fail"),
    ]
    assert counting(*events) == {"anna": (2, "pass")}


def test_what_does_not_count_is_counted() -> None:
    _, left_out = counted(
        [
            said(1, "file", "pass", kind="import"),
            said(2, "anna", "pass"),
            said(3, "anna", None, kind="undo", undoes=2),
            said(4, "anna", "pass", blind=False),
            said(5, "anna", "fail"),
            said(6, "anna", None, kind="skip"),
        ]
    )
    assert left_out == JudgementsLeftOut(imported=1, undone=1, seen=1, later=1)


class Annotators:
    """A database with a suite of two categories, four texts each, and people to judge them."""

    def __init__(self, store: Store, texts: int = 4) -> None:
        items = tuple(
            Item(f"{category}/{number}", category, "Words", f"Wort {number}", (Rule("pass", "contains", "zzz"),))
            for category in ("Lexis", "Syntax")
            for number in range(texts)
        )
        self.suite = Suite("small", "de-en", items, taxonomy_of(items))
        collector = Collector(self.suite)
        written = [f"word {number}" for number in range(2 * texts)]
        collector.add(System("A"), positions=list(range(2 * texts)), texts=written)
        self.store, self.visits = store, Visits(store)
        roles = {"anna": "annotator", "ben": "annotator", "chris": "adjudicator", "eve": "admin"}
        with store.writing() as db:
            self.people: dict[str, User] = {name: add_user(db, name, role) for name, role in roles.items()}  # type: ignore[arg-type]
        Import(self.suite, collector.outputs(), "test").run(store, self.people["eve"])
        texts_of = self.visits.snapshot("small").texts.values()
        self.texts = [text.id for text in sorted(texts_of, key=lambda text: text.place)]

    def judge(self, name: str, verdicts: str, *, seen: Sequence[Seen] = (), grades: str = "") -> None:
        """`P`, `F` or `.` for each text, in the order of the suite; acceptability in the same way."""
        for place, (text, letter) in enumerate(zip(self.texts, verdicts, strict=False)):
            if letter != ".":
                verdict: Polarity = "pass" if letter == "P" else "fail"
                grade = int(grades[place]) if grades else None
                answer = AnnotatorAnswer(text, verdict, acceptability=grade, seen=tuple(seen))
                self.visits.judge(self.people[name], "small", answer)


@pytest.fixture
def annotators(store: Store) -> Annotators:
    return Annotators(store)


def test_pairs_and_categories_have_their_own_numbers(annotators: Annotators) -> None:
    # Lexis: PPFF against PPFP, they agree on 3 of 4; anna has 2 passes of 4, ben 3: chance is (2·3 + 2·1)/16 = 0.5 and
    # kappa (0.75 − 0.5)/0.5 = 0.5. Syntax: PF against FF, raw 0.5; chance (1·0 + 1·2)/4 = 0.5, kappa 0.
    annotators.judge("anna", "PPFFPF..")
    annotators.judge("ben", "PPFPFF..")
    found = annotators.visits.read(NOBODY, "small", agreement)
    (couple,) = found.couples
    assert (couple.first, couple.second) == ("anna", "ben")
    rows = {row.category: (row.pair.units, row.pair.raw, row.pair.kappa, row.differ) for row in couple.rows}
    assert rows["Lexis"] == (4, 0.75, 0.5, 1)
    assert rows["Syntax"] == (2, 0.5, 0.0, 1)
    assert rows[""][0] == 6
    assert rows[""][1] == pytest.approx(4 / 6)
    assert [row.category for row in found.rows] == ["", "Lexis", "Syntax"]
    assert found.texts == 6


def test_alpha_and_fleiss_are_over_everybody(annotators: Annotators) -> None:
    annotators.judge("anna", "PPFF")
    annotators.judge("ben", "PPFF")
    annotators.judge("chris", "PPFF")
    found = annotators.visits.read(NOBODY, "small", agreement)
    assert found.people == ["anna", "ben", "chris"]
    assert (found.rows[0].overall.fleiss, found.rows[0].overall.alpha) == (1.0, 1.0)
    assert [(couple.first, couple.second) for couple in found.couples] == [
        ("anna", "ben"),
        ("anna", "chris"),
        ("ben", "chris"),
    ]


def test_what_was_not_blind_is_left_out(annotators: Annotators) -> None:
    annotators.judge("anna", "PPFF")
    annotators.judge("ben", "PPFF", seen=["systems"])
    found = annotators.visits.read(NOBODY, "small", agreement)
    assert (found.texts, found.couples, found.left_out.seen) == (0, [], 4)
    assert found.rows[0].overall.alpha is None


def test_acceptability_is_ordinal(annotators: Annotators) -> None:
    with annotators.store.writing() as db:
        set_questions(db, find_suite(db, "small").id, {"acceptability": 5})
    annotators.judge("anna", "PPPP", grades="1245")
    annotators.judge("ben", "PPPP", grades="1245")
    found = annotators.visits.read(NOBODY, "small", agreement)
    assert found.asked
    assert found.rows[0].acceptability == 1.0


def test_the_texts_on_which_two_disagree(annotators: Annotators) -> None:
    annotators.judge("anna", "PPFFPF..")
    annotators.judge("ben", "PPFPFF..")
    found = annotators.visits.read(annotators.people["chris"], "small", differences, first="ben", second="anna")
    assert [difference.item.id for difference in found] == ["Lexis/3", "Syntax/0"]
    assert [event.by for event in found[0].votes] == ["anna", "ben"]
    syntax = annotators.visits.read(
        annotators.people["chris"], "small", differences, first="anna", second="ben", category="Syntax"
    )
    assert [difference.item.id for difference in syntax] == ["Syntax/0"]
    with pytest.raises(UnknownName, match="annotator"):
        annotators.visits.read(annotators.people["chris"], "small", differences, first="anna", second="nobody")


# The adjudicator


def test_a_disagreement_is_decided_and_the_text_is_settled(annotators: Annotators) -> None:
    annotators.judge("anna", "PP")
    annotators.judge("ben", "PF")
    chris = annotators.people["chris"]
    docket = annotators.visits.read(chris, "small", open_disputes)
    (case,) = docket.cases
    assert [(event.by, event.verdict) for event in case.votes] == [("anna", "pass"), ("ben", "fail")]
    assert (case.ruled, case.why[0].words) == ("warning", "no rule matched")
    decided = annotators.visits.change(
        chris, "small", decide, AnnotatorAnswer(case.text.id, "fail", "no such word", known=case.known)
    )
    assert (decided.event.kind, decided.event.comment, decided.meanwhile) == ("adjudication", "no such word", [])
    text = annotators.visits.snapshot("small").text(case.text.id)
    assert (str(text.finding.verdict), text.settlement and text.settlement.disputed) == ("fail", False)
    assert annotators.visits.read(chris, "small", open_disputes).cases == []


def test_a_decision_can_be_taken_back_as_long_as_it_is_the_last_thing_done(annotators: Annotators) -> None:
    annotators.judge("anna", "PP")
    annotators.judge("ben", "FF")
    chris = annotators.people["chris"]
    first, second = (
        annotators.visits.change(chris, "small", decide, AnnotatorAnswer(case.text.id, "pass"))
        for case in annotators.visits.read(chris, "small", open_disputes).cases
    )
    with pytest.raises(Overtaken):
        annotators.visits.change(chris, "small", take_back, first.event.id)
    reopened = annotators.visits.change(chris, "small", take_back, second.event.id)
    assert (reopened.case.text.id, reopened.left) == (second.event.text_id, 1)
    assert [text.id for text in annotators.visits.snapshot("small").disputed] == [second.event.text_id]


def test_who_decides_is_told_of_a_decision_made_meanwhile(annotators: Annotators) -> None:
    annotators.judge("anna", "P")
    annotators.judge("ben", "F")
    (case,) = annotators.visits.read(annotators.people["chris"], "small", open_disputes).cases
    annotators.visits.change(
        annotators.people["eve"], "small", decide, AnnotatorAnswer(case.text.id, "pass", known=case.known)
    )
    decided = annotators.visits.change(
        annotators.people["chris"], "small", decide, AnnotatorAnswer(case.text.id, "fail", known=case.known)
    )
    assert [(event.by, event.verdict) for event in decided.meanwhile] == [("eve", "pass")]


def test_annotators_look_and_do_not_decide(annotators: Annotators) -> None:
    annotators.judge("anna", "P")
    annotators.judge("ben", "F")
    (case,) = annotators.visits.read(annotators.people["anna"], "small", open_disputes).cases
    with pytest.raises(NotAllowed):
        annotators.visits.change(annotators.people["anna"], "small", decide, AnnotatorAnswer(case.text.id, "pass"))
    assert len(annotators.visits.snapshot("small").disputed) == 1


def test_whoever_looked_at_a_disagreement_is_not_blind_any_more(annotators: Annotators) -> None:
    annotators.judge("anna", "P")
    annotators.judge("ben", "F")
    annotators.visits.read(annotators.people["chris"], "small", open_disputes)
    outcome = annotators.visits.judge(annotators.people["chris"], "small", AnnotatorAnswer(annotators.texts[0], "pass"))
    assert (outcome.event.blind, outcome.event.seen) == (False, ("judgements",))


def test_cases_come_in_pages_and_by_category(store: Store) -> None:
    annotators = Annotators(store, texts=PAGE)
    annotators.judge("anna", "P" * 2 * PAGE)
    annotators.judge("ben", "F" * (PAGE + 3))
    chris = annotators.people["chris"]
    first = annotators.visits.read(chris, "small", open_disputes)
    assert (len(first.cases), first.number, first.categories) == (PAGE, PAGE + 3, {"Lexis": PAGE, "Syntax": 3})
    # Deciding one does not shift the next page.
    annotators.visits.change(chris, "small", decide, AnnotatorAnswer(first.cases[0].text.id, "pass"))
    second = annotators.visits.read(chris, "small", open_disputes, after=first.after)
    assert [case.item.id for case in second.cases] == ["Syntax/0", "Syntax/1", "Syntax/2"]
    assert second.after == 0
    syntax = annotators.visits.read(chris, "small", open_disputes, category="Syntax")
    assert (len(syntax.cases), syntax.number) == (3, 3)
    with pytest.raises(BadOption, match="category"):
        annotators.visits.read(chris, "small", open_disputes, category="Syntacs")
