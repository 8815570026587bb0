"""Use cases of the queue page: one text at a time, what is known about it, and what became of the last one.

sitting = Sitting(desk, user, "assay-de-en", Filters(category="Ambiguity"))
page = sitting.judge(Answer(page.text.id, "pass"))     # recorded; page has the next text
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sqlalchemy import Connection

from assay.suites import Item
from assay.verdicts import Event, Finding
from assay.workbench.db.judgements import last_event, recent_events
from assay.workbench.files.history_records import Seen
from assay.workbench.people.roles import User
from assay.workbench.queue.desk import (
    AnnotatorAnswer,
    Desk,
    Filters,
    JudgementOutcome,
    NextText,
    known_tags,
    scale,
    waiting,
)
from assay.workbench.queue.filters import FilterChoices, choices
from assay.workbench.queue.neighbours import Neighbour, ShownSuggestion, advise, ask, doubts, neighbours
from assay.workbench.queue.preferences import (
    Preferences,
    bring_back,
    leave,
    preferences_of,
    reset_keys,
    set_keys,
    set_shown,
)
from assay.workbench.queue.suggester_pool import Opinion, Opinions
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.text_view import TextView, duration, languages, show_text, system_names, tested
from assay.workbench.work.effort import PACE_OF, pace


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


@dataclass(frozen=True, slots=True)
class Card:
    """The text to judge with everything around it. `systems` and `suggestion` are None while they are hidden.

    `doubts` are what looks wrong about the text whatever the rules say (wrong language, a loop, …).
    `opinion` is what the server's own suggester says so far, None where it has none or suggestions are hidden.

    `ruled` is what the rules say, None for a second opinion on a text that they decide. `seen` is what the annotator
    has seen of the text; it goes back with the judgement.
    """

    offer: NextText
    item: Item
    tested: str
    text: TextView
    doubts: Sequence[str]
    ruled: Finding | None
    near: Sequence[Neighbour]
    systems: Sequence[str] | None
    suggestion: ShownSuggestion | None
    opinion: Opinion | None
    seen: tuple[Seen, ...]
    draft: Draft


@dataclass(frozen=True, slots=True)
class QueuePage:
    """What the queue shows; `card` is None where nothing waits. `systems` is how many there are.

    `suggester` is the name of the one whose opinion the card has.
    """

    suite: str
    filters: Filters
    source: str
    target: str
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

    @property
    def later(self) -> Sequence[tuple[str, str]]:
        return self.preferences.later.get(self.suite, ())


@dataclass(frozen=True)
class QueueSession:
    """An annotator at the queue of a suite."""

    desk: Desk
    user: User
    suite: str
    filters: Filters
    opinions: Opinions | None = None

    def open(self) -> QueuePage:
        """The page as it is when one comes to it."""
        with self.desk.store.reading() as db:
            last = last_event(db, self.user)
            board = self.desk.boards.get(self.suite, db)
        return self._page(last=_before(board, last))

    def choices(self) -> FilterChoices:
        """What the queue can be narrowed to."""
        return choices(self.desk.boards.get(self.suite), self.filters, self.user)

    def opinion(self, text_id: int) -> Opinion | None:
        """What the suggester says of a text by now; None where this user does not want to see it."""
        self.user.need("annotator")
        with self.desk.store.reading() as db:
            show = preferences_of(db, self.user).show
        board = self.desk.boards.get(self.suite)
        opinions = self.opinions if "suggestion" in show else None
        return _opinion(self.desk, self.user, board, board.text(text_id), opinions)

    def judge(self, answer: AnnotatorAnswer) -> QueuePage:
        """Record a judgement or a skip; then the next text."""
        board = self.desk.boards.get(self.suite)
        text = board.text(answer.text_id)
        suggestion = advise(board, text)
        before = text.settlement.votes if text.settlement else {}
        outcome = self.desk.judge(self.user, self.suite, answer)
        if answer.verdict:
            others = [vote for vote in before.values() if vote.by != self.user.name]
            if outcome.meanwhile or others:
                self.desk.reveal(self.user, [text.id], "judgements")
        hidden = suggestion if "suggestion" not in outcome.event.seen else None
        last = _after(board, outcome, hidden, before)
        return self._page(last=last, after=0 if answer.verdict else answer.text_id)

    def undo(self) -> QueuePage:
        """Take back what was done last and show that text again, with what was written beside the verdict."""
        event = self.desk.undo(self.user, self.suite)
        if event is None:
            return self._page(last=LastAction("undone"))
        board = self.desk.boards.get(self.suite)
        known = board.texts.get(event.text_id)
        last = LastAction("undone", known.value if known else "", event=event)
        return self._page(last=last, first=event.text_id, draft=Draft(event.comment, event.acceptability, event.tags))

    def leave_phenomenon(self, text_id: int) -> QueuePage:
        """Leave all texts of this one's phenomenon for later."""
        board = self.desk.boards.get(self.suite)
        item = board.items[board.text(text_id).place]
        leave(self.desk.store, self.user, self.suite, (item.category, item.phenomenon))
        return self._page(last=LastAction("left", item.phenomenon))

    def bring_back(self, text_id: int) -> QueuePage:
        """No phenomenon is left for later any more."""
        bring_back(self.desk.store, self.user, self.suite)
        return self._page(first=text_id)

    def switch(self, what: str, *, on: bool, text_id: int, draft: Draft) -> QueuePage:
        """Show or hide systems or suggestions before judging, from this text on."""
        set_shown(self.desk.store, self.user, what, on=on)
        return self._page(first=text_id, draft=draft)

    def set_keys(self, keys: Mapping[str, str] | None, *, text_id: int, draft: Draft) -> QueuePage:
        """Change keys; None brings back those that everybody starts with."""
        if keys is None:
            reset_keys(self.desk.store, self.user)
        else:
            set_keys(self.desk.store, self.user, keys)
        return self._page(first=text_id, draft=draft)

    def _page(
        self, *, last: LastAction | None = None, first: int = 0, after: int = 0, draft: Draft = NO_DRAFT
    ) -> QueuePage:
        desk, user = self.desk, self.user
        user.need("annotator")
        with desk.store.reading() as db:
            preferences = preferences_of(db, user)
        later = preferences.later.get(self.suite, ())
        offer = desk.next_task(user, self.suite, self.filters, after=after, first=first, later=later)
        with desk.store.reading() as db:
            board = desk.boards.get(self.suite, db)
            left = self._left(board, offer, db)
        kept = draft if offer and offer.task.text_id == first else NO_DRAFT
        again = replace(self.filters, again=True)
        source, target = languages(board)
        card = None
        if offer:
            show, opinions = preferences.show, self.opinions
            card = open_card(desk, user, board, offer, show=show, opinions=opinions, draft=kept)
        return QueuePage(
            suite=self.suite,
            filters=self.filters,
            source=source,
            target=target,
            card=card,
            last=last,
            left=left,
            preferences=preferences,
            tags=known_tags(board),
            scale=scale(board),
            seconds=0 if offer else len(waiting(board, again, user)),
            disputes=0 if offer else len(board.disputed()),
            systems=len(board.systems),
            suggester=self.opinions.name if self.opinions else "",
        )

    def _left(self, board: Snapshot, offer: NextText | None, db: Connection) -> str:
        """An estimate of the time for what is left."""
        if offer is None:
            return ""
        seconds = pace(recent_events(db, board.stored.id, self.user, PACE_OF), self.user)
        return duration(seconds * offer.waiting if seconds is not None else None)


def open_card(
    desk: Desk,
    user: User,
    board: Snapshot,
    offer: NextText,
    *,
    show: Collection[str],
    opinions: Opinions | None = None,
    draft: Draft = NO_DRAFT,
) -> Card:
    """The text that is offered, with what this user wants to `show` of it before judging; that is then kept as seen."""
    text = board.text(offer.task.text_id)
    item = board.items[text.place]
    suggestion = advise(board, text) if "suggestion" in show else None
    if "systems" in show:
        desk.reveal(user, [text.id], "systems")
    if suggestion:
        desk.reveal(user, [text.id], "suggestion")
    opinion = _opinion(desk, user, board, text, opinions if "suggestion" in show else None)
    shown = show_text(board, text, text.ruled)
    # A second opinion is given without what the rules have come to say of the text since.
    second = text.settlement is not None and shown.verdict != "warning"
    return Card(
        offer=offer,
        item=item,
        tested=tested(board, item),
        text=replace(shown, marks=[], why=[]) if second else shown,
        doubts=doubts(board, text),
        ruled=None if second else text.ruled,
        near=neighbours(board, text),
        systems=shown.systems if "systems" in show else None,
        suggestion=suggestion,
        opinion=opinion,
        seen=desk.revealed(user, text.id),
        draft=draft,
    )


def _opinion(desk: Desk, user: User, board: Snapshot, text: SnapshotText, opinions: Opinions | None) -> Opinion | None:
    """What is asked for is kept as seen, before the answer can be."""
    if opinions is None:
        return None
    desk.reveal(user, [text.id], "suggestion")
    return ask(board, text, opinions)


def _after(
    board: Snapshot, outcome: JudgementOutcome, hidden: ShownSuggestion | None, before: Mapping[str, Event]
) -> LastAction:
    event, text = outcome.event, outcome.text
    item = board.items[text.place].id
    if event.verdict is None:
        return LastAction("skipped", text.value, item, event)
    told = {found.id for found in outcome.meanwhile}
    others = [vote for vote in before.values() if vote.by != event.by and vote.id not in told]
    mine = before.get(event.by)
    return LastAction(
        did="judged",
        text=text.value,
        item=item,
        event=event,
        systems=system_names(board, outcome.systems),
        freed=_counts(board, text) if outcome.freed else (),
        suggestion=hidden,
        meanwhile=outcome.meanwhile,
        others=others,
        disputed=bool(text.settlement and text.settlement.disputed),
        replaces=mine,
    )


def _counts(board: Snapshot, text: SnapshotText) -> list[str]:
    """The campaigns that have this text, and in which nothing keeps its item out of the fair comparison."""
    written = board.text_of_code[board.outputs.codes[text.place]].tolist()
    found = []
    for campaign, columns in board.kept().items():
        given = {written[column] for column in columns}
        if text.id in given and all(key >= 0 and board.texts[key].decided for key in given):
            found.append(campaign)
    return found


def _before(board: Snapshot, event: Event | None) -> LastAction | None:
    """What is still known of the last event when the page is loaded again."""
    text = board.texts.get(event.text_id) if event else None
    if event is None or text is None:
        return None
    item = board.items[text.place].id
    if event.verdict is None:
        return LastAction("skipped", text.value, item, event)
    systems = system_names(board, board.writers(text.place, text.id))
    disagree = bool(text.settlement and text.settlement.disputed)
    return LastAction("judged", text.value, item, event, systems, disputed=disagree)
