"""The records of human judgement: judgements, events, and what the events of a text settle."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from assay.suites import Polarity


@dataclass(frozen=True, slots=True)
class Judgement:
    """A linguist's verdict on one text of one item: who, when, why."""

    item: str
    text: str
    verdict: Polarity
    by: str = ""
    on: str = ""
    comment: str = ""


EventKind = Literal["judgement", "adjudication", "import", "skip", "undo", "question"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that somebody did with one text; events are only ever added.

    `dated` is the day that counts as that of the judgement, `created` when it was recorded. `blind` says that neither
    the systems, nor a suggestion, nor anybody's judgement of this text were to be seen; `seen` lists what was. An
    `undo` takes back the event `undoes`. A `question` doubts what holds of a text; an adjudicator answers it.

    One decision may settle many texts: each has an event, all with the same `created`, and `origin` says how an event
    came about where it is not by itself: `twin of <text>`, `with row`, `by rule`, `same text in <item>`, `in a list`.
    """

    id: int
    text_id: int
    by: str
    kind: EventKind
    verdict: Polarity | None = None
    comment: str = ""
    acceptability: int | None = None
    tags: tuple[str, ...] = ()
    blind: bool = False
    seen: tuple[str, ...] = ()
    undoes: int | None = None
    dated: str = ""
    created: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Settlement:
    """The outcome of the judgements of one text: a verdict, nothing yet, or a dispute.

    `votes` is person -> the judgement of theirs that holds; `ruling` is the adjudication that outranks them. `skipped`
    says that somebody looked at the text and left it, `questions` are those that no ruling has answered.
    """

    verdict: Polarity | None
    disputed: bool
    votes: Mapping[str, Event]
    ruling: Event | None
    skipped: bool = False
    questions: tuple[Event, ...] = ()

    @property
    def rules(self) -> tuple[Event, ...]:
        """The events that act as exact rules: the ruling, or else one vote, or all votes where they disagree."""
        if self.ruling:
            return (self.ruling,)
        # Votes that agree are one rule: the latest, which `settle_events` keeps at the end.
        votes = tuple(self.votes.values())
        return votes if self.disputed else votes[-1:]


def settle_events(events: Iterable[Event]) -> Settlement:
    """The outcome of the events of one text, which are in the order in which they happened.

    Of each person the last judgement that was not taken back holds. An adjudication outranks all judgements;
    without one, judgements that agree settle the text and others leave it disputed.
    """
    everything = list(events)
    undone = {event.undoes for event in everything if event.kind == "undo"}
    votes: dict[str, Event] = {}
    ruling = None
    questions: list[Event] = []
    skipped = any(event.kind == "skip" and event.id not in undone for event in everything)
    for event in everything:
        if event.kind == "question" and event.id not in undone:
            questions.append(event)
        # A skip has no verdict.
        if event.id in undone or event.verdict is None:
            continue
        if event.kind == "adjudication":
            ruling, questions = event, []
        else:
            # Popped first, so that a person's newer vote moves to the end of the dictionary.
            votes.pop(event.by, None)
            votes[event.by] = event
    verdicts = {event.verdict for event in votes.values()}
    if ruling:
        return Settlement(ruling.verdict, False, votes, ruling, skipped, tuple(questions))
    verdict = next(iter(verdicts)) if len(verdicts) == 1 else None
    return Settlement(verdict, len(verdicts) > 1, votes, None, skipped, tuple(questions))
