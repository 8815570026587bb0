"""Use cases of the adjudicator: the texts on which people disagree, and what is decided about them.

disputes = open_disputes(reader)
decide(change, AnnotatorAnswer(disputes.cases[0].text.id, "pass", "idiomatic"))
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from assay.errors import UnknownName
from assay.suites import Item
from assay.verdicts.judgements import Event
from assay.workbench.queue.judgements import AnnotatorAnswer, adjudicate, undo
from assay.workbench.queue.unit_card import ItemPanel, item_panel
from assay.workbench.reader import Change, Reader
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.text_view import Mark, VerdictReason, marks, reasons, tested

PAGE: Final = 25


@dataclass(frozen=True, slots=True)
class Dispute:
    """A text of which people say different things, in the order in which they said them.

    `ruled` and `why` are what the rules alone say, `written` how many systems wrote the text, `known` the last event
    that this page knows of. `panel` is what an annotator sees of the item; `questions` are doubts that wait for an
    answer.
    """

    item: Item
    tested: str
    text: SnapshotText
    marks: Sequence[Mark]
    votes: Sequence[Event]
    ruled: str
    why: Sequence[VerdictReason]
    written: int
    known: int
    panel: ItemPanel
    questions: Sequence[Event] = ()


@dataclass(frozen=True, slots=True)
class Disputes:
    """The cases of a page: how many there are in all, in which categories, and the text to go on after."""

    cases: Sequence[Dispute]
    number: int
    categories: dict[str, int]
    after: int


@dataclass(frozen=True, slots=True)
class DecidedDispute:
    """A case that was decided, what others said of it while it was on the screen, and how many cases are left."""

    case: Dispute
    event: Event
    meanwhile: Sequence[Event]
    left: int = 0


@dataclass(frozen=True, slots=True)
class ReopenedDispute:
    """A case whose decision was taken back, and how many cases are left."""

    case: Dispute
    left: int


def open_disputes(reader: Reader, *, category: str = "", after: int = 0) -> Disputes:
    """A page of cases, those behind the text `after`. Whoever looks has seen what others say."""
    snapshot = reader.snapshot
    texts = snapshot.disputed
    categories: dict[str, int] = {}
    for text in texts:
        name = snapshot.items[text.place].category
        categories[name] = categories.get(name, 0) + 1
    if category and category not in snapshot.stored.suite.taxonomy:
        raise UnknownName("category", category, snapshot.stored.suite.taxonomy)
    chosen = _disputed(snapshot, category)
    start = (snapshot.text(after).place, after) if after else (-1, 0)
    rest = [text for text in chosen if (text.place, text.id) > start]
    cases = [_case(reader, text) for text in rest[:PAGE]]
    return Disputes(cases, len(chosen), categories, cases[-1].text.id if len(rest) > PAGE else 0)


def decide(change: Change, answer: AnnotatorAnswer, category: str = "") -> DecidedDispute:
    """Decide a case for all, where everybody's judgements are to be seen. What is left is of the category."""
    outcome = adjudicate(change, replace(answer, seen=("judgements",)))
    return DecidedDispute(
        _case(change, outcome.text),
        outcome.event,
        [event for event in outcome.meanwhile if event.verdict],
        len(_disputed(change.snapshot, category)),
    )


def take_back(change: Change, event_id: int, category: str = "") -> ReopenedDispute:
    """Take back a decision, as long as it is what this user did last."""
    last = undo(change, expected=event_id)
    case = _case(change, change.snapshot.text(last.text_id if last else 0))
    return ReopenedDispute(case, len(_disputed(change.snapshot, category)))


def _disputed(snapshot: Snapshot, category: str) -> list[SnapshotText]:
    """The texts that wait for an adjudicator, of one category where one is named."""
    return [text for text in snapshot.disputed if category in ("", snapshot.items[text.place].category)]


def _case(reader: Reader, text: SnapshotText) -> Dispute:
    snapshot, said = reader.snapshot, reader.votes(text)
    item = snapshot.items[text.place]
    asked = text.questions
    return Dispute(
        item=item,
        tested=tested(snapshot, item),
        text=text,
        marks=marks(text.ruled, text.value),
        votes=[event for event in said if event.kind != "adjudication"],
        ruled=str(text.ruled.verdict),
        why=reasons(text.ruled, None, (item, text.value)),
        written=len(snapshot.writers(text.place, text.id)),
        known=max((event.id for event in (*said, *asked)), default=0),
        panel=item_panel(reader, text.place, text),
        questions=reader.events(asked),
    )
