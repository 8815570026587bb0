"""Use cases of the queue page: one text at a time, what is known about it, and what became of the last one.

session = QueueSession(visit, Filters(category="Ambiguity"))
page = session.judge(AnnotatorAnswer(page.card.text.id, "pass"))     # recorded; page has the next text
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

from assay.outputs import System
from assay.suites import Item
from assay.verdicts import Finding
from assay.verdicts.judgements import Event
from assay.workbench.db.judgements import last_event
from assay.workbench.files.history_records import Seen
from assay.workbench.queue.filters import FilterChoices, Filters, choices, waiting
from assay.workbench.queue.judgements import AnnotatorAnswer, JudgementOutcome, judge, undo
from assay.workbench.queue.neighbours import Neighbour, ShownSuggestion, doubts
from assay.workbench.queue.next_text import NextText, QueuedText, next_text, queued_text
from assay.workbench.queue.preferences import (
    Preferences,
    bring_back,
    leave,
    preferences_of,
    reset_keys,
    set_keys,
    set_shown,
)
from assay.workbench.queue.questions import known_tags, scale
from assay.workbench.queue.sample import SampleState, draw_sample, new_texts, sample_of
from assay.workbench.queue.suggester_pool import Opinion, Opinions
from assay.workbench.reader import Change, Reader
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.text_view import TextView, duration, system_names, tested
from assay.workbench.visit import Visit


@dataclass(frozen=True, slots=True)
class Draft:
    """What was written beside the verdict and is not recorded yet."""

    comment: str = ""
    acceptability: int | None = None
    tags: tuple[str, ...] = ()


NO_DRAFT = Draft()


@dataclass(frozen=True, slots=True)
class LastAction:
    """What the annotator did last.

    `freed` are the campaigns in which the item counts now; `suggestion` had been hidden; `meanwhile` is what others
    said while the text was on the screen, `others` what they had said before and was hidden. A phenomenon left for
    later has no event.
    """

    did: Literal["judged", "skipped", "undone", "left"]
    text: str = ""
    item: str = ""
    event: Event | None = None
    systems: Sequence[str] = ()
    freed: Sequence[str] = ()
    suggestion: ShownSuggestion | None = None
    meanwhile: Sequence[Event] = ()
    others: Sequence[Event] = ()
    disputed: bool = False
    replaces: Event | None = None


@dataclass(frozen=True)
class Card:
    """The text to judge with everything around it. `systems` and `suggestion` are None while they are hidden.

    `systems` are the names of the `writers`, with their campaigns where there are several.

    `doubts` are what looks wrong about the text whatever the rules say (wrong language, a loop, …).
    `opinion` is what the server's own suggester says so far, None where it has none or suggestions are hidden.

    `ruled` is what the rules say, None for a second opinion on a text that they decide. `seen` is what the annotator
    has seen of the text; it goes back with the judgement.
    """

    offer: NextText
    task: QueuedText
    item: Item
    tested: str
    text: TextView
    ruled: Finding | None
    near: Sequence[Neighbour]
    writers: Sequence[System] | None
    systems: Sequence[str] | None
    suggestion: ShownSuggestion | None
    opinion: Opinion | None
    seen: tuple[Seen, ...]
    draft: Draft
    find_doubts: Callable[[], Sequence[str]]

    @cached_property
    def doubts(self) -> Sequence[str]:
        """Found when they are asked for, since by then others can write again."""
        return self.find_doubts()


@dataclass(frozen=True, slots=True)
class QueuePage:
    """What the queue shows; `card` is None where nothing waits. `systems` is how many there are.

    `suggester` is the name of the one whose opinion the card has. `sample` is how far the draw is judged in whose order
    the texts come, and `new` how many texts wait that are not in it.
    """

    suite: str
    filters: Filters
    card: Card | None
    last: LastAction | None
    left: str
    preferences: Preferences
    tags: Mapping[str, str]
    scale: int | None
    seconds: int
    disputes: int
    systems: int
    suggester: str
    campaigns: Sequence[str]
    sample: SampleState | None = None
    new: int = 0

    @property
    def later(self) -> Sequence[tuple[str, str]]:
        return () if self.filters.sample else self.preferences.later.get(self.suite, ())


@dataclass(frozen=True)
class QueueSession:
    """An annotator at the queue of a suite."""

    visit: Visit
    filters: Filters

    @property
    def opinions(self) -> Opinions | None:
        return self.visit.state.opinions

    def open(self) -> QueuePage:
        """The page as it is when one comes to it."""
        with self.visit.reading() as reader:
            last = _before(reader, last_event(reader.db, reader.user))
            return self._page(reader, last=last)

    def choices(self) -> FilterChoices:
        """What the queue can be narrowed to."""
        with self.visit.reading() as reader:
            return choices(reader.snapshot, self.filters, reader.user)

    def opinion(self, text_id: int) -> Opinion | None:
        """What the suggester says of a text by now; None where this user does not want to see it."""
        with self.visit.reading() as reader:
            reader.user.need("annotator")
            text = reader.snapshot.text(text_id)
            wanted = "suggestion" in preferences_of(reader.user).show
            return reader.opinion(text, self.opinions) if wanted and self.opinions else None

    def judge(self, answer: AnnotatorAnswer) -> QueuePage:
        """Record a judgement or a skip; then the next text."""
        with self.visit.changing() as change:
            outcome = judge(change, answer)
            last = _after(change, outcome)
            page = self._page(change, last=last, after=0 if answer.verdict else answer.text_id)
        if last.did != "judged" or "suggestion" in outcome.event.seen:
            return page
        # Now that others can write again: it takes as long as all that was written.
        return replace(page, last=replace(last, suggestion=change.suggestion_before(outcome.text)))

    def undo(self) -> QueuePage:
        """Take back what was done last and show that text again, with what was written beside the verdict."""
        with self.visit.changing() as change:
            event = undo(change)
            if event is None:
                return self._page(change, last=LastAction("undone"))
            known = change.snapshot.texts.get(event.text_id)
            last = LastAction("undone", known.value if known else "", event=event)
            draft = Draft(event.comment, event.acceptability, event.tags)
            return self._page(change, last=last, first=event.text_id, draft=draft)

    def leave_phenomenon(self, text_id: int) -> QueuePage:
        """Leave all texts of this one's phenomenon for later."""
        with self.visit.changing() as change:
            item = change.snapshot.items[change.snapshot.text(text_id).place]
            phenomenon = (item.category, item.phenomenon)
            preferences = leave(change.db, change.user, change.snapshot.stored.suite.name, phenomenon)
            return self._page(change, preferences, last=LastAction("left", item.phenomenon))

    def bring_back(self, text_id: int) -> QueuePage:
        """No phenomenon is left for later any more."""
        with self.visit.changing() as change:
            preferences = bring_back(change.db, change.user, change.snapshot.stored.suite.name)
            return self._page(change, preferences, first=text_id)

    def switch(self, what: str, *, on: bool, text_id: int, draft: Draft) -> QueuePage:
        """Show or hide systems or suggestions before judging, from this text on."""
        with self.visit.changing() as change:
            preferences = set_shown(change.db, change.user, what, on=on)
            return self._page(change, preferences, first=text_id, draft=draft)

    def set_keys(self, keys: Mapping[str, str] | None, *, text_id: int, draft: Draft) -> QueuePage:
        """Change keys; None brings back those that everybody starts with."""
        with self.visit.changing() as change:
            db, user = change.db, change.user
            preferences = reset_keys(db, user) if keys is None else set_keys(db, user, keys)
            return self._page(change, preferences, first=text_id, draft=draft)

    def draw(self) -> QueuePage:
        """Draw a sample of what is undecided; then its first text."""
        with self.visit.changing() as change:
            draw_sample(change, self.filters.campaign)
            return self._page(change)

    def _page(
        self,
        reader: Reader,
        preferences: Preferences | None = None,
        *,
        last: LastAction | None = None,
        first: int = 0,
        after: int = 0,
        draft: Draft = NO_DRAFT,
    ) -> QueuePage:
        user, snapshot = reader.user, reader.snapshot
        user.need("annotator")
        preferences = preferences or preferences_of(user)
        suite = snapshot.stored.suite.name
        later = preferences.later.get(suite, ())
        offer = next_text(reader, self.visit.state.leases, self.filters, after=after, first=first, later=later)
        card = None
        if offer:
            kept = draft if offer.task.text_id == first else NO_DRAFT
            card = open_card(reader, offer, show=preferences.show, opinions=self.opinions, draft=kept)
        return QueuePage(
            suite=suite,
            filters=self.filters,
            card=card,
            last=last,
            left=_left(offer) if offer else "",
            preferences=preferences,
            tags=known_tags(snapshot),
            scale=scale(snapshot),
            seconds=0 if offer else len(waiting(snapshot, replace(self.filters, again=True, sample=False), user)),
            disputes=0 if offer else len(snapshot.disputed),
            systems=len(snapshot.systems),
            suggester=self.opinions.name if self.opinions else "",
            campaigns=snapshot.campaigns,
            sample=sample_of(snapshot, self.filters.campaign) if self.filters.sample else None,
            new=new_texts(snapshot, self.filters.campaign) if self.filters.sample else 0,
        )


def _left(offer: NextText) -> str:
    """An estimate of the time for what is left."""
    return duration(offer.pace * offer.waiting if offer.pace is not None else None)


def open_card(
    reader: Reader,
    offer: NextText,
    *,
    show: Collection[str],
    opinions: Opinions | None = None,
    draft: Draft = NO_DRAFT,
) -> Card:
    """The text that is offered, with what this user wants to `show` of it before judging; that is then kept as seen."""
    snapshot = reader.snapshot
    text = snapshot.text(offer.task.text_id)
    item, hidden = snapshot.items[text.place], reader.hide(text)
    writers = reader.writers(text) if "systems" in show else None
    # A second opinion is given without what the rules have come to say of the text since.
    second = text.settlement is not None and hidden.verdict != "warning"
    return Card(
        offer=offer,
        task=queued_text(reader, offer.task),
        item=item,
        tested=tested(snapshot, item),
        text=replace(hidden, marks=[], why=[]) if second else hidden,
        ruled=None if second else text.ruled,
        near=reader.neighbours(text),
        writers=writers,
        systems=system_names(snapshot, writers) if writers is not None else None,
        suggestion=reader.suggestion(text) if "suggestion" in show else None,
        opinion=reader.opinion(text, opinions) if opinions and "suggestion" in show else None,
        seen=reader.seen(text.id, offer.seen),
        draft=draft,
        find_doubts=partial(doubts, snapshot, text),
    )


def _after(change: Change, outcome: JudgementOutcome) -> LastAction:
    """What the annotator gets to know once they have judged: who wrote the text, the suggestion, what others said."""
    event, text = outcome.event, outcome.text
    item = change.snapshot.items[text.place].id
    if event.verdict is None:
        return LastAction("skipped", text.value, item, event)
    votes = outcome.before.settlement.votes if outcome.before.settlement else {}
    told = {found.id for found in outcome.meanwhile}
    others = [vote for vote in votes.values() if vote.by != event.by]
    if others or outcome.meanwhile:
        change.reveal([text.id], "judgements")
    return LastAction(
        did="judged",
        text=text.value,
        item=item,
        event=event,
        systems=system_names(change.snapshot, change.writers(text)),
        freed=_counts(change.snapshot, text) if outcome.freed else (),
        meanwhile=outcome.meanwhile,
        others=[vote for vote in others if vote.id not in told],
        disputed=text.disputed,
        replaces=votes.get(event.by),
    )


def _counts(snapshot: Snapshot, text: SnapshotText) -> list[str]:
    """The campaigns that have this text, and in which nothing keeps its item out of the fair comparison."""
    written = snapshot.written_at(text.place)
    found = []
    for campaign, columns in snapshot.kept.items():
        given = {written[column] for column in columns}
        if text.id in given and all(key >= 0 and snapshot.texts[key].decided for key in given):
            found.append(campaign)
    return found


def _before(reader: Reader, event: Event | None) -> LastAction | None:
    """What is still known of the last event when the page is loaded again."""
    snapshot = reader.snapshot
    text = snapshot.texts.get(event.text_id) if event else None
    if event is None or text is None:
        return None
    item = snapshot.items[text.place].id
    if event.verdict is None:
        return LastAction("skipped", text.value, item, event)
    reader.has_judged(event)
    systems = system_names(snapshot, reader.writers(text))
    return LastAction("judged", text.value, item, event, systems, disputed=text.disputed)
