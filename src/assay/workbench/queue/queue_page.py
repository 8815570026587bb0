"""Use cases of the queue page: one text at a time, what is known about it, and what became of the last one.

session = QueueSession(visit, Filters(category="Ambiguity"))
page = session.judge(AnnotatorAnswer(page.card.text.id, "pass"))     # recorded; page has the next text
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

from assay.outputs import System
from assay.suites import Item, Polarity
from assay.verdicts import Finding, Verdict
from assay.verdicts.judgements import Event
from assay.workbench.db.judgements import last_event
from assay.workbench.files.history_records import Seen
from assay.workbench.queue.filters import FilterChoices, Filters, choices, waiting
from assay.workbench.queue.judgements import (
    AnnotatorAnswer,
    JudgementOutcome,
    ask_about,
    judge,
    judge_together,
    undo_decision,
    withdraw,
)
from assay.workbench.queue.neighbours import Neighbour, ShownSuggestion, doubts
from assay.workbench.queue.next_text import NextText, QueuedText, queued_text
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
from assay.workbench.queue.twins import rows_at
from assay.workbench.queue.unit_card import UnitCard, open_unit
from assay.workbench.queue.units import LISTS, NextUnit, next_unit
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
class SettledText:
    """One of the texts that a decision settled, which can be taken back alone."""

    event: Event
    text: str
    item: str


@dataclass(frozen=True, slots=True)
class LastAction:
    """What the annotator did last.

    `freed` are the campaigns in which the item counts now; `suggestion` had been hidden; `meanwhile` is what others
    said while the text was on the screen, `others` what they had said before and was hidden. A phenomenon left for
    later has no event. `more` are all texts of a decision on several; `freed_items` counts the items that count now.
    """

    did: Literal["judged", "skipped", "undone", "left", "asked"]
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
    more: Sequence[SettledText] = ()
    freed_items: int = 0

    @property
    def number(self) -> int:
        """How many texts were decided together."""
        return len(self.more) or 1


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

    `suggester` is the name of the one whose opinion the card has. `sample` is how far the draw is judged in whose
    order the texts come, and `new` how many texts wait that are not in it.
    """

    suite: str
    filters: Filters
    offer: NextUnit | None
    card: UnitCard | None
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
    draft: Draft = NO_DRAFT
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

    def decide(self, answers: Callable[[Snapshot], Sequence[AnnotatorAnswer]]) -> QueuePage:
        """Record one decision on several texts; then the next unit."""
        with self.visit.changing() as change:
            outcomes = judge_together(change, answers(change.snapshot))
            last = _after_many(change, outcomes) if outcomes else LastAction("undone")
            return self._page(change, last=last)

    def judge_rows(
        self,
        rows: Sequence[Sequence[int]],
        verdict: Polarity | None,
        *,
        draft: Draft,
        seen: tuple[Seen, ...],
        known: int,
    ) -> QueuePage:
        """Record a verdict on rows of a card: twins and the same text elsewhere are judged with the first of each."""
        if len(rows) == 1 and (len(rows[0]) == 1 or verdict is None):
            given = draft.comment, draft.acceptability, draft.tags
            return self.judge(AnnotatorAnswer(rows[0][0], verdict, *given, seen, known))
        return self.decide(partial(row_answers, rows=rows, verdict=verdict, draft=draft, seen=seen, known=known))

    def judge_list(
        self, texts: Sequence[int], verdict: Polarity | None, *, out: Sequence[int], known: int
    ) -> QueuePage:
        """Accept a list: each text as its twin, or all with one verdict.

        What was taken out comes in a row of its own.
        """
        return self.decide(partial(list_answers, texts=texts, verdict=verdict, out=out, known=known))

    def split(self, out: Sequence[int]) -> QueuePage:
        """Take spellings out of their row: all texts of the row stand on the same card, each by itself."""
        with self.visit.changing() as change:
            snapshot = change.snapshot
            places = {snapshot.text(text_id).place for text_id in out}
            rows = [row for place in places for row in rows_at(snapshot, place).rows]
            texts = [text_id for row in rows if not set(out).isdisjoint(row) for text_id in row]
            judge_together(change, list_answers(snapshot, (), None, out=texts))
            return self._page(change, first=texts)

    def question(self, text_id: int, comment: str, *, about: int, draft: Draft) -> QueuePage:
        """Doubt what holds of a precedent; the card stays."""
        with self.visit.changing() as change:
            event = ask_about(change, text_id, comment)
            last = LastAction("asked", change.snapshot.text(text_id).value, event=event)
            return self._page(change, last=last, first=(about,), draft=draft)

    def undo(self) -> QueuePage:
        """Take back what was done last and show those texts again, with what was written beside the verdict."""
        with self.visit.changing() as change:
            done = undo_decision(change)
            if not done:
                return self._page(change, last=LastAction("undone"))
            event = done[0]
            known = change.snapshot.texts.get(event.text_id)
            more = _decided_texts(change.snapshot, done) if len(done) > 1 else ()
            last = LastAction("undone", known.value if known else "", event=event, more=more)
            draft = Draft(event.comment, event.acceptability, event.tags)
            return self._page(change, last=last, first=[found.text_id for found in done], draft=draft)

    def undo_one(self, text_id: int) -> QueuePage:
        """Take back one text of a decision on several; it comes back at once."""
        with self.visit.changing() as change:
            event = withdraw(change, text_id)
            last = LastAction("undone", change.snapshot.text(text_id).value, event=event)
            return self._page(change, last=last, first=(text_id,))

    def leave_phenomenon(self, text_id: int, *, lists: bool = False) -> QueuePage:
        """Leave all texts of this one's phenomenon for later, or all lists of twins."""
        with self.visit.changing() as change:
            item = change.snapshot.items[change.snapshot.text(text_id).place]
            left = LISTS if lists else (item.category, item.phenomenon)
            preferences = leave(change.db, change.user, change.snapshot.stored.suite.name, left)
            change.leases.take_all(change.user, [()])
            return self._page(change, preferences, last=LastAction("left", left[1]))

    def bring_back(self, text_id: int) -> QueuePage:
        """No phenomenon is left for later any more."""
        with self.visit.changing() as change:
            preferences = bring_back(change.db, change.user, change.snapshot.stored.suite.name)
            return self._page(change, preferences, first=(text_id,))

    def switch(self, what: str, *, on: bool, text_id: int, draft: Draft) -> QueuePage:
        """Show or hide systems or suggestions before judging, from this text on."""
        with self.visit.changing() as change:
            preferences = set_shown(change.db, change.user, what, on=on)
            return self._page(change, preferences, first=(text_id,), draft=draft)

    def set_keys(self, keys: Mapping[str, str] | None, *, text_id: int, draft: Draft) -> QueuePage:
        """Change keys; None brings back those that everybody starts with."""
        with self.visit.changing() as change:
            db, user = change.db, change.user
            preferences = reset_keys(db, user) if keys is None else set_keys(db, user, keys)
            return self._page(change, preferences, first=(text_id,), draft=draft)

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
        first: Collection[int] = (),
        after: int = 0,
        draft: Draft = NO_DRAFT,
    ) -> QueuePage:
        user, snapshot = reader.user, reader.snapshot
        user.need("annotator")
        preferences = preferences or preferences_of(user)
        suite = snapshot.stored.suite.name
        later = preferences.later.get(suite, ())
        wanted = [text_id for text_id in first if text_id in snapshot.texts]
        offer = next_unit(reader, self.visit.state.leases, self.filters, after=after, first=wanted, later=later)
        card = open_unit(reader, offer.unit, show=preferences.show, opinions=self.opinions) if offer else None
        kept = draft if card and card.text.id in wanted else NO_DRAFT
        return QueuePage(
            suite=suite,
            filters=self.filters,
            offer=offer,
            card=card,
            draft=kept,
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


def _left(offer: NextUnit) -> str:
    """An estimate of the time for what is left."""
    return duration(offer.pace * offer.decisions if offer.pace is not None else None)


def row_answers(
    snapshot: Snapshot,
    rows: Sequence[Sequence[int]],
    verdict: Polarity | None,
    *,
    draft: Draft = NO_DRAFT,
    seen: tuple[Seen, ...] = (),
    known: int = 0,
) -> list[AnnotatorAnswer]:
    """What one decision says of rows, each text with how it came about."""
    answers = []
    for row in rows:
        lead = snapshot.text(row[0])
        for text_id in row:
            text = snapshot.text(text_id)
            if text.id == lead.id:
                origin = "with row" if len(rows) > 1 else ""
            elif text.place == lead.place:
                origin = f"twin of {lead.value}"
            else:
                origin = f"same text in {snapshot.items[lead.place].id}"
            given = draft.comment, draft.acceptability, draft.tags
            answers.append(AnnotatorAnswer(text.id, verdict, *given, seen, known, origin))
    return answers


def judge_unit(
    change: Change,
    rows: Sequence[Sequence[int]],
    verdict: Polarity | None,
    *,
    out: Sequence[int],
    draft: Draft = NO_DRAFT,
    known: int = 0,
) -> list[Event]:
    """One decision on rows, or on a list of twins where there is no verdict; the events that were recorded."""
    snapshot = change.snapshot
    if verdict is None:
        texts = [text_id for row in rows for text_id in row]
        answers = list_answers(snapshot, texts, None, out=out, known=known)
    else:
        answers = row_answers(snapshot, rows, verdict, draft=draft, known=known)
        answers += list_answers(snapshot, (), None, out=out, known=known)
    return [outcome.event for outcome in judge_together(change, answers)]


def list_answers(
    snapshot: Snapshot, texts: Sequence[int], verdict: Polarity | None, *, out: Sequence[int] = (), known: int = 0
) -> list[AnnotatorAnswer]:
    """What accepting a list says of its texts: each as its twin, or all with one verdict; those taken `out` are
    skipped.

    A list says what its texts are taken for, so nobody judges it blind.
    """
    answers = []
    for text_id in texts:
        text = snapshot.text(text_id)
        said, origin = verdict, "in a list"
        if verdict is None:
            twin = rows_at(snapshot, text.place).twins.get(text_id)
            if twin is None:
                # Decided meanwhile, or its twin is another by now: it comes back by itself.
                continue
            said, origin = "pass" if twin.verdict == Verdict.PASS else "fail", f"twin of {twin.value}"
        answers.append(AnnotatorAnswer(text_id, said, seen=("suggestion",), known=known, origin=origin))
    return answers + [AnnotatorAnswer(text_id, None, known=known, origin="out of a list") for text_id in out]


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


def _after_many(change: Change, outcomes: Sequence[JudgementOutcome]) -> LastAction:
    """The same of several texts: how many, and what others had said of them."""
    first = _after(change, outcomes[0])
    judged = [outcome for outcome in outcomes if outcome.event.verdict]
    others = {outcome.text.id for outcome in judged if outcome.meanwhile}
    change.reveal(others, "judgements")
    return replace(
        first,
        more=_decided_texts(change.snapshot, [outcome.event for outcome in judged]) if len(judged) > 1 else (),
        meanwhile=tuple(event for outcome in judged for event in outcome.meanwhile),
        freed_items=len({outcome.text.place for outcome in judged if outcome.freed}),
    )


def _decided_texts(snapshot: Snapshot, events: Sequence[Event]) -> list[SettledText]:
    texts = [(event, snapshot.texts[event.text_id]) for event in events if event.text_id in snapshot.texts]
    return [SettledText(event, text.value, snapshot.items[text.place].id) for event, text in texts]


def _counts(snapshot: Snapshot, text: SnapshotText) -> list[str]:
    """The campaigns that have this text, and in which nothing keeps its item out of the fair comparison."""
    written, counts = snapshot.written_at(text.place), snapshot.counts_in(text.place)
    return [
        campaign
        for campaign, columns in snapshot.kept.items()
        if campaign in counts and text.id in {written[column] for column in columns}
    ]


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
