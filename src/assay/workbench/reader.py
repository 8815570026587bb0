"""Who reads a snapshot: the only way from a suite to a person, and it writes down what it shows.

    with visit.reading() as reader:
        reader.show(reader.snapshot.text(17))     # who wrote the text, its verdict, who judged it

A judgement is blind where its author had seen neither who wrote the text, nor a suggestion, nor what others say of it.
So these reach a person through a reader alone. What it showed is written to the table `seen` when its transaction ends
(see `assay.workbench.visit`), before the answer goes out.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from sqlalchemy import Connection

from assay.errors import AssayError
from assay.outputs import System
from assay.text import plural
from assay.verdicts.judgements import Event
from assay.workbench.db.judgements import NOTHING_DONE, OwnWork, own_work, record, record_together
from assay.workbench.db.seen import TextState, reveal, still_blind, text_state, text_states, unseen
from assay.workbench.files.history_records import SEEN, Seen
from assay.workbench.people.roles import User
from assay.workbench.queue.leases import Leases
from assay.workbench.queue.neighbours import NEAREST, Neighbour, ShownSuggestion, advise, ask, neighbours
from assay.workbench.queue.suggester_pool import Opinion, Opinions
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.text_view import TextView, hidden_text, holding, show_text

Found = TypeVar("Found")


class EndsBlindness(AssayError):
    """What somebody is about to see tells them what they should not know when they judge these texts."""

    def __init__(self, number: int) -> None:
        super().__init__(f"you could no longer judge {plural(number, 'text')} blind")
        self.number = number


class Reader:
    """Somebody who reads a suite, in one transaction. Pages and the API have no other way to texts."""

    def __init__(self, user: User, snapshot: Snapshot, db: Connection) -> None:
        self.user, self.snapshot, self.db = user, snapshot, db
        self._shown: dict[int, set[Seen]] = defaultdict(set)
        self._judged: set[int] = set()
        self._own: OwnWork | None = None
        self.handed_out: list[str] = []
        """Files that this person was given."""

    def figure(self, name: Hashable, make: Callable[[], Found]) -> Found:
        """What is worked out from all judgements; the newest may not be in it yet (`assay.workbench.figures`)."""
        return self.snapshot.figures.get(name, self.snapshot.change, make, self.user.id)

    # What is shown

    def hide(self, text: SnapshotText) -> TextView:
        """A text as it is judged: what the rules say of it, and nothing of who wrote or judged it."""
        return hidden_text(self.snapshot, text)

    def show(self, text: SnapshotText) -> TextView:
        """A text with its verdict, who wrote it and who judged it."""
        self.reveal([text.id], "systems")
        self.votes(text)
        return show_text(self.snapshot, text)

    def writers(self, text: SnapshotText) -> list[System]:
        """Who wrote a text."""
        if text.id not in self._judged:
            self.reveal([text.id], "systems")
        return self.snapshot.writers(text.place, text.id)

    def votes(self, text: SnapshotText) -> list[Event]:
        """The judgements of a text that hold, and the ruling."""
        found = holding(text.settlement) if text.settlement else []
        if found:
            self.reveal([text.id], "judgements")
        return found

    def events(self, events: Sequence[Event]) -> Sequence[Event]:
        """What people did to texts. Only what others said of a text is news."""
        told = [event.text_id for event in events if event.by != self.user.name and (event.verdict or event.comment)]
        self.reveal(told, "judgements")
        return events

    def neighbours(self, text: SnapshotText, most: int = NEAREST) -> list[Neighbour]:
        """The judged texts of the item that are most like a text, nearest first."""
        found = neighbours(self.snapshot, text, most)
        for near in found:
            self.events(near.votes)
        return found

    def suggestion(self, text: SnapshotText) -> ShownSuggestion | None:
        """What the judged texts suggest."""
        found = advise(self.snapshot, text)
        if found:
            self.reveal([text.id], "suggestion")
        return found

    def opinion(self, text: SnapshotText, opinions: Opinions) -> Opinion:
        """What the suggester says that the server was started with. Whoever asks for it will get to see it."""
        self.reveal([text.id], "suggestion")
        return ask(self.snapshot, text, opinions)

    def items(self, places: Iterable[int]) -> None:
        """The items at these places are shown: who wrote each of their texts, and what became of it."""
        for place in places:
            self._reveal_all(self.snapshot.by_item[place])

    def everything(self) -> Snapshot:
        """The snapshot itself, for files that hold it all."""
        self._reveal_all(self.snapshot.texts)
        return self.snapshot

    def _reveal_all(self, text_ids: Iterable[int]) -> None:
        """Who wrote these texts, and what others say of those that somebody judged."""
        for text_id in text_ids:
            text = self.snapshot.texts[text_id]
            self.reveal([text_id], "systems")
            if text.settlement and holding(text.settlement):
                self.reveal([text_id], "judgements")

    def reveal(self, text_ids: Iterable[int], *what: Seen) -> None:
        """Note that something of these texts is shown."""
        for text_id in text_ids if what else ():
            self._shown[text_id].update(what)

    def ask_first(self, *, shown: bool) -> None:
        """Stop before anything is shown that would end blindness, unless this person has said that it may.

        Nothing has been written down by then, since whoever is asked has seen nothing.
        """
        number = 0 if shown else self.no_longer_blind()
        if number:
            raise EndsBlindness(number)

    def no_longer_blind(self) -> int:
        """Texts that this person could no longer judge blind once all this is shown; 0 where nobody else has judged."""
        snapshot, name = self.snapshot, self.user.name
        if not self.user.may("annotator") or not snapshot.votes_of.keys() - {name}:
            return 0
        judged = snapshot.votes_of.get(name, frozenset())
        asked = [
            text_id
            for text_id, what in self._shown.items()
            if what - {"suggestion"}
            and text_id not in judged
            and (text := snapshot.texts.get(text_id))
            and (text.waits or (text.settlement and text.settlement.votes))
        ]
        return len(still_blind(self.db, self.user, asked))

    def own_work(self, recent: int) -> OwnWork:
        """What this person skipped, and so many of their last events."""
        known = self.snapshot.written.own_work.find(self.user.id) or NOTHING_DONE
        self._own = own_work(self.db, self.snapshot.stored.id, self.user, recent, known)
        return self._own

    def remember(self) -> None:
        """Keep what was read of this person's own work; not before the transaction is over, and nothing in doubt."""
        if self._own:
            self.snapshot.written.own_work.keep(self.user.id, self._own)

    # What was seen

    def has_judged(self, event: Event) -> None:
        """This person judged a text. They are told who wrote it, and the suggestion; the event itself says so."""
        if event.verdict and event.by == self.user.name:
            self._judged.add(event.text_id)

    def state(self, text_id: int) -> TextState:
        """What happened to a text, and what this person had seen of it before."""
        return text_state(self.db, self.user, text_id)

    def states(self, text_ids: Collection[int]) -> dict[int, TextState]:
        """The same of several texts."""
        return text_states(self.db, self.user, text_ids)

    def seen(self, text_id: int, before: Iterable[Seen]) -> tuple[Seen, ...]:
        """What this person has seen of a text, once the answer is out."""
        known = {*before, *self._shown.get(text_id, ())}
        return tuple(name for name in SEEN if name in known)

    def news(self) -> dict[int, tuple[Seen, ...]]:
        """What was shown and this person had not seen before."""
        return unseen(self.db, self.user, self._shown)


class Change(Reader):
    """Somebody who changes a suite, in one write transaction. What is recorded leads to the next snapshot."""

    def __init__(self, user: User, snapshot: Snapshot, db: Connection, leases: Leases) -> None:
        super().__init__(user, snapshot, db)
        self.before, self.leases = snapshot, leases

    def record(self, event: Event, before: Sequence[Event] | None = None) -> Event:
        """Add an event; `before` are those of its text, where they are known."""
        done = record(self.db, event, self.user, before)
        self.has_judged(done.event)
        if event.text_id in self.snapshot.texts:
            self.snapshot = self.snapshot.judged(done.change, event.text_id, done.settlement)
        else:
            # A text of an item that was taken out of the suite.
            self.read_again()
        return done.event

    def record_together(self, events: Sequence[Event], before: Mapping[int, Sequence[Event]]) -> Sequence[Event]:
        """Add the events of one decision; `before` are those of each text so far."""
        done = record_together(self.db, events, self.user, before)
        for event in done.events:
            self.has_judged(event)
        known = {text_id: found for text_id, found in done.settlements.items() if text_id in self.snapshot.texts}
        if len(known) < len(done.settlements):
            self.read_again()
        else:
            self.snapshot = self.snapshot.judged_together(done.change, known)
        return done.events

    def suggestion_before(self, text: SnapshotText) -> ShownSuggestion | None:
        """What was suggested of a text before this person judged it, and is told afterwards."""
        return advise(self.before, text)

    def read_again(self) -> None:
        """Go on to the next snapshot after changes that were written without `record`."""
        self.snapshot = self.snapshot.next(self.db)

    def write_down(self) -> None:
        """Keep what was shown, in the same transaction."""
        reveal(self.db, self.user, self._shown)
