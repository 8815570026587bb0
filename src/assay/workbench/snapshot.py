"""A suite of the database in memory, as it stood at one change number: items, outputs, verdicts, the queue.

    snapshots = Snapshots(store)
    snapshot = snapshots.get("assay-de-en")     # read once, then only what has changed
    snapshot.evaluate(campaign="WMT21", policy="fair")

A snapshot never changes: whoever holds one can go on reading it while others judge. The next one is made from it and
the rows that changed since, and shares the rest with it: a judgement changes one text, a saved rule the texts of an
item. What is worked out from a snapshot (the queue, evaluations) is kept in it, and is gone with it.
"""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from threading import RLock
from typing import Final, Literal, Unpack

from sqlalchemy import Connection

from assay.errors import BadOption, UnknownName
from assay.evaluation import Choices, Evaluation, evaluate
from assay.evaluation.comparison import Comparison
from assay.evaluation.years import Years
from assay.lru import LruCache
from assay.outputs import System
from assay.prediction import Predictor, capitals_tell
from assay.progress import Progress
from assay.suggest import Known, Related
from assay.suites import Item, Rule, Suite
from assay.verdicts import Finding, Verdict, verdict_table
from assay.verdicts.draw import Draw, skip
from assay.verdicts.judgements import Settlement
from assay.verdicts.queue import Priority, Rank, priorities
from assay.verdicts.written_texts import WrittenTexts, written_texts
from assay.workbench.db.database import Store
from assay.workbench.db.draws import StoredDraw, newest_draws
from assay.workbench.db.hidings import hidden_texts
from assay.workbench.db.judgements import changed_texts, settlements, skipped_texts
from assay.workbench.db.outputs import ChangeNumbers, change_numbers, list_systems, load_outputs, load_texts
from assay.workbench.db.suites import StoredSuite, changed_items, find_suite, load_suite, revision_of
from assay.workbench.figures import Figures
from assay.workbench.item_rows import ItemRows, UnitIndex
from assay.workbench.snapshot_text import SnapshotText as SnapshotText
from assay.workbench.snapshot_text import settled_rules, snapshot_texts
from assay.workbench.suite_outputs import PhenomenonCount, SuiteOutputs, pair_outputs

MOST_EVALUATIONS: Final = 8
"""Evaluations, comparisons and years that a snapshot keeps, of each: a table, its cells and its files are of one."""

STALE: Final = 20
"""Changed texts after which the verdicts of a phenomenon are counted anew: counting takes a while. Until then what has
changed is added to the count."""


@dataclass(frozen=True, slots=True)
class WaitingText:
    """A text that waits for a verdict; `frees` and `left` are those of its `Priority`."""

    text_id: int
    place: int
    frees: int
    left: int | None
    systems: int
    disputed: bool = False
    rank: Rank | tuple[()] = ()


_rank = attrgetter("rank")


@dataclass(frozen=True, slots=True)
class EarlierSuite:
    """The suite of an earlier snapshot, and the places of the items that others stand at now."""

    suite: Suite
    places: frozenset[int]


@dataclass(eq=False)
class Snapshot:
    """See the module. `texts` maps text ids; `items` and `version_ids` are in the order of the suite.

    `predictor` is the one that the server was started with, for estimates.
    """

    change: int
    stored: StoredSuite
    texts: Mapping[int, SnapshotText]
    written: SuiteOutputs
    predictor: Predictor | None = None

    def __post_init__(self) -> None:
        stored, written = self.stored, self.written
        self.items, self.version_ids, self.questions = stored.suite.items, stored.version_ids, stored.questions
        self.systems, self.by_item, self.outputs = written.systems, written.by_item, written.outputs
        self.code_texts, self.text_of_code = written.code_texts, written.text_of_code
        self.campaigns, self.columns, self.ever_waited = written.campaigns, written.columns, written.ever_waited
        self.evaluations: LruCache[Hashable, Evaluation] = LruCache(MOST_EVALUATIONS)
        self.comparisons: LruCache[Hashable, Comparison] = LruCache(MOST_EVALUATIONS)
        self.years: LruCache[Hashable, Years] = LruCache(MOST_EVALUATIONS)
        self._earlier: EarlierSuite | None = None
        self.unit_index: UnitIndex | None = None
        self.units_before: tuple[UnitIndex, frozenset[int]] | None = None
        """The units of an earlier snapshot, and the places that are others now."""
        self.item_rows: dict[int, ItemRows] = {}
        """Place of an item -> its texts by what one decision settles, as far as somebody has asked."""
        self.advice: dict[tuple[str, str], dict[int, Literal["pass", "fail", "none"]]] = {}
        """Phenomenon -> what is suggested of its texts, as far as somebody has asked."""

    # Making

    @classmethod
    def read(cls, db: Connection, suite_id: int, predictor: Predictor | None = None) -> "Snapshot":
        """The whole suite, as this transaction sees it."""
        numbers = _numbers(db, suite_id)
        stored = load_suite(db, suite_id)
        places = {item_id: place for place, item_id in enumerate(stored.item_ids)}
        hidden = hidden_texts(db, suite_id)
        rows = [row for row in load_texts(db, suite_id) if row.id not in hidden]
        skipped = skipped_texts(db, suite_id)
        settled = settlements(
            db, [row.id for row in rows if row.settled is not None or row.disputed or row.id in skipped]
        )
        texts = snapshot_texts(rows, settled, stored.suite.items, places)
        del rows  # before the outputs come: together they are the most that is ever in memory
        systems = list_systems(db, suite_id)
        outputs = load_outputs(db, [system.id for system in systems]) if systems else []
        draws = newest_draws(db, suite_id)
        written = pair_outputs(numbers.whole, places, systems, texts, outputs, draws)
        found = cls(numbers.last, stored, texts, written, predictor)
        # Now, and not while somebody waits for the suggestion on a text.
        _ = found.judged_of_category
        return found

    def next(self, db: Connection, numbers: ChangeNumbers | None = None) -> "Snapshot":
        """The suite as this transaction sees it: this very snapshot, one that shares most with it, or one read anew.

        `numbers` are those of the transaction, where somebody has asked for them already.
        """
        numbers = numbers or _numbers(db, self.stored.id)
        if numbers.last <= self.change:
            # Also where another request was quicker, and this transaction began before its change.
            return self
        if numbers.whole > self.written.change:
            return Snapshot.read(db, self.stored.id, self.predictor)
        places, stored = self.written.places, self.stored
        changed = [found for found in changed_texts(db, self.change) if found[0].item_id in places]
        if any(row.id not in self.texts and settlement for row, settlement in changed):
            # A text that only hidden systems wrote, and that somebody has judged meanwhile: it is no longer hidden.
            return Snapshot.read(db, self.stored.id, self.predictor)
        changed = [found for found in changed if found[0].id in self.texts]
        edited = changed_items(db, stored.id, self.change) if numbers.item > self.change else {}
        if not changed and not edited:
            # The change was one of another suite.
            found = copy(self)
            found.change = numbers.last
            return found
        if edited:
            items, version_ids = list(self.items), list(self.version_ids)
            for item_id, (version, item) in edited.items():
                items[places[item_id]], version_ids[places[item_id]] = item, version
            suite = replace(stored.suite, items=tuple(items))
            stored = replace(stored, revision=revision_of(db, stored.id), suite=suite, version_ids=version_ids)
        settled = {row.id: settlement for row, settlement in changed if settlement}
        texts = snapshot_texts((row for row, _ in changed), settled, stored.suite.items, places)
        return self._after(numbers.last, texts, stored)

    def judged(self, change: int, text_id: int, settlement: Settlement) -> "Snapshot":
        """The snapshot after a change that did nothing but settle a text anew."""
        return self.judged_together(change, {text_id: settlement})

    def judged_together(self, change: int, settled: Mapping[int, Settlement]) -> "Snapshot":
        """The same after a change that settled several texts."""
        texts = {text_id: self.texts[text_id].settle(settlement) for text_id, settlement in settled.items()}
        return self._after(change, texts, self.stored)

    def _after(self, change: int, texts: Mapping[int, SnapshotText], stored: StoredSuite) -> "Snapshot":
        """A snapshot in which some texts are others, and with them some items."""
        # Copied as a whole by the interpreter: 0.1 ms for 14,000 texts.
        found = Snapshot(change, stored, {**self.texts, **texts}, self.written, self.predictor)
        places = frozenset(text.place for text in texts.values())
        if stored is self.stored:
            found._earlier = self._suite_before(places)
        if self.unit_index:
            found.units_before = self.unit_index, places
        elif self.units_before:
            found.units_before = self.units_before[0], self.units_before[1] | places
        found.item_rows = self.item_rows.copy()
        for place in places:
            found.item_rows.pop(place, None)
        changed_phenomena = {(item.category, item.phenomenon) for item in map(stored.suite.items.__getitem__, places)}
        found.advice = {key: said for key, said in self.advice.copy().items() if key not in changed_phenomena}
        if "tasks" in vars(self):
            gone = [task for place in places for task in self._waiting(place)]
            new = [task for place in places for task in found._waiting(place)]
            found.tasks = _exchange(self.tasks, gone, new)
            gone, new = _undisputed(gone), _undisputed(new)
            found.undisputed = _exchange(self.undisputed, gone, new)
            found.late = self.late - self._late(gone) + found._late(new)
        changed = [text for text_id in texts if (text := self.texts.get(text_id))]
        if "voted" in vars(self):
            found.voted = _exchange(self.voted, _voted(changed), _voted(texts.values()))
        touched = places if stored is self.stored else places | self._edited(stored)
        found.judged_of_category = self.judged_of_category - self._judged_at(touched) + found._judged_at(touched)
        if "votes_of" in vars(self):
            found.votes_of = _votes_after(self.votes_of, changed, texts.values())
        return found

    def _edited(self, stored: StoredSuite) -> frozenset[int]:
        """The places of the items that are others in a later revision."""
        both = zip(self.items, stored.suite.items, strict=True)
        return frozenset(place for place, (old, new) in enumerate(both) if old is not new)

    # Asking

    @property
    def kept(self) -> Mapping[str, list[int]]:
        """Campaign -> the columns of its systems that translated the suite."""
        return self.written.kept

    @property
    def figures(self) -> Figures:
        """What is worked out from all judgements; those that take long are kept for a while."""
        return self.written.figures

    @property
    def folded(self) -> Sequence[str]:
        """The outputs of each item in small letters, one after the other."""
        return self.written.folded

    @cached_property
    def suite(self) -> Suite:
        """The suite as it stands, judgements as exact rules in it: what an export would write."""
        if self._earlier:
            # With fifty people at work there is another suite thirty times a second, and most of it is the same.
            return self._earlier.suite.with_items({place: self._judged_item(place) for place in self._earlier.places})
        return replace(self.stored.suite, items=tuple(map(self._judged_item, range(len(self.items)))))

    def _suite_before(self, places: frozenset[int]) -> EarlierSuite | None:
        """What the suite of a snapshot in which only the items at these places are others can be made from."""
        if "suite" in vars(self):
            return EarlierSuite(self.suite, places)
        return EarlierSuite(self._earlier.suite, self._earlier.places | places) if self._earlier else None

    def _judged_item(self, place: int) -> Item:
        """An item with its judgements as exact rules."""
        item, settled = self.items[place], self._settled_at(place)
        return replace(item, rules=(*item.rules, *settled)) if settled else item

    def settled(self) -> dict[int, list[Rule]]:
        """Place of an item -> its judgements that hold, as exact rules, in an order that does not depend on when."""
        found = ((place, self._settled_at(place)) for place in range(len(self.items)))
        return {place: rules for place, rules in found if rules}

    def _settled_at(self, place: int) -> list[Rule]:
        rules = [
            rule
            for text in self.texts_at(place)
            if text.settlement
            for rule in settled_rules(text.settlement, text.value)
        ]
        return sorted(rules, key=settled_order)

    def place(self, item_id: str) -> int:
        """Where the item with this id stands."""
        return self.stored.suite.positions[self.stored.suite.item(item_id).id]

    def text(self, text_id: int) -> SnapshotText:
        if text_id not in self.texts:
            raise UnknownName("text", str(text_id), ())
        return self.texts[text_id]

    def texts_at(self, place: int) -> list[SnapshotText]:
        """The texts of the item at a place."""
        return [self.texts[text_id] for text_id in self.by_item[place]]

    def written_at(self, place: int) -> list[int]:
        """The text that each system wrote for the item at a place, -1 where it wrote none."""
        found: list[int] = self.text_of_code[self.outputs.codes[place]].tolist()
        return found

    def counts_in(self, place: int) -> set[str]:
        """The campaigns in whose fair comparison the item at a place counts."""
        written = self.written_at(place)
        given = {campaign: {written[column] for column in columns} for campaign, columns in self.kept.items()}
        return {
            campaign
            for campaign, texts in given.items()
            if texts and all(key >= 0 and self.texts[key].decided for key in texts)
        }

    def writers(self, place: int, text_id: int) -> list[System]:
        """Everybody who wrote exactly this text for an item."""
        return [self.outputs.systems[column] for column, other in enumerate(self.written_at(place)) if other == text_id]

    @cached_property
    def disputed(self) -> list[SnapshotText]:
        """The texts that an adjudicator has to decide, or is asked about, in the order of the suite."""
        found = [text for text in self.texts.values() if text.questioned]
        return sorted(found, key=lambda text: (text.place, text.id))

    @cached_property
    def tasks(self) -> list[WaitingText]:
        """All texts that wait for a verdict, in the order of the queue."""
        found = [task for place in range(len(self.items)) for task in self._waiting(place)]
        return sorted(found, key=_rank)

    @cached_property
    def undisputed(self) -> list[WaitingText]:
        """The texts that an annotator can decide; where judgements disagree, an adjudicator must."""
        return _undisputed(self.tasks)

    @cached_property
    def late(self) -> int:
        """How many of the texts that an annotator can decide did not wait when they were first seen."""
        return self._late(self.undisputed)

    def _late(self, tasks: Iterable[WaitingText]) -> int:
        return sum(self.texts[task.text_id].first != Verdict.WARNING for task in tasks)

    @cached_property
    def voted(self) -> list[WaitingText]:
        """The texts that somebody judged and nobody decided for all, in the order of the suite."""
        return sorted(_voted(self.texts.values()), key=_rank)

    @cached_property
    def votes_of(self) -> Mapping[str, frozenset[int]]:
        """Annotator -> the texts that they judged."""
        return _votes_after({}, (), self.texts.values())

    def waiting_at(self, place: int) -> list[WaitingText]:
        """The texts of the item at a place that wait."""
        return self._waiting(place)

    def task(self, text_id: int) -> WaitingText | None:
        """The text as one that an annotator can decide; None where nobody is asked about it."""
        waiting = self._waiting(self.texts[text_id].place)
        return next((task for task in waiting if task.text_id == text_id and not task.disputed), None)

    def _waiting(self, place: int) -> list[WaitingText]:
        """The texts of one item that wait; each campaign's systems that translated the suite are one comparison."""
        # Nothing is asked about the texts of an item that only has labels.
        if not self.items[place].is_judged:
            return []
        if not any(self.texts[text_id].waits for text_id in self.by_item[place]):
            return []
        written = self.written_at(place)
        # A campaign in which nobody translated the item has no comparison of it.
        comparisons = [
            {key: key >= 0 and self.texts[key].waits for key in given if key < 0 or not self.texts[key].decided}
            for columns in self.kept.values()
            if (given := {written[column] for column in columns}) - {-1}
        ]
        found = priorities(comparisons)
        return [self._task(key, place, priority, written.count(key)) for key, priority in found.items()]

    def _task(self, text_id: int, place: int, priority: Priority, systems: int) -> WaitingText:
        rank = priority.rank(place, systems, text_id)
        return WaitingText(text_id, place, priority.frees, priority.left, systems, self.texts[text_id].disputed, rank)

    def related(self, place: int) -> Related:
        """The verdicts on the other items of an item's phenomenon: all of it, less those on the item."""
        item = self.items[place]
        key = (item.category, item.phenomenon)
        counted, changed = self.written.counts.get(key), []
        if counted:
            # What was judged since counts at once: whoever fails six of a kind is not told that the seventh passes.
            now = self.texts
            changed = [
                old
                for other, texts in counted.texts.items()
                if other != place
                for old in texts
                if now[old.id] is not old
            ]
        if counted is None or place not in counted.texts or len(changed) > STALE:
            counted, changed = self._count(key), []
            self.written.counts[key] = counted
        less = counted.by_place.get(place)
        if less is None:
            less = counted.by_place[place] = self._related(counted.texts[place])
        more = None
        if changed:
            gone, more = self._related(changed), self._related(self.texts[old.id] for old in changed)
            gone.add(less)
            less = gone
        # Without those of the item itself: a suggestion must owe nothing to the verdict on the very text.
        own = self._judged_at([place])
        keys = [(item.category, verdict) for verdict in (Verdict.PASS, Verdict.FAIL)]
        passes, fails = (self.judged_of_category[key] - own[key] for key in keys)
        return counted.every.changed(less=less, more=more, share=(passes + 1) / (passes + fails + 2))

    def _count(self, phenomenon: tuple[str, str]) -> PhenomenonCount:
        category, name = phenomenon
        places = [
            place for place, item in enumerate(self.items) if item.phenomenon == name and item.category == category
        ]
        every, texts = self._related(()), {place: self.texts_at(place) for place in places}
        for found in texts.values():
            every.count(_known(found))
        return PhenomenonCount(every, texts)

    @cached_property
    def judged_of_category(self) -> Counter[tuple[str, Verdict]]:
        """Category and verdict -> how many of its texts somebody judged so."""
        return self._judged_at(range(len(self.items)))

    def _judged_at(self, places: Iterable[int]) -> Counter[tuple[str, Verdict]]:
        return Counter(
            (self.items[place].category, text.finding.verdict)
            for place in places
            for text in self.texts_at(place)
            if text.finding.is_judged
        )

    def _related(self, texts: Iterable[SnapshotText]) -> Related:
        return Related(_known(texts), cased=capitals_tell(self.stored.suite.langpair))

    # Samples

    def draw_of(self, campaigns: Collection[str]) -> StoredDraw | None:
        """The newest draw of at least these campaigns."""
        return next((stored for stored in self.written.draws if set(campaigns) <= set(stored.campaigns)), None)

    def with_skips(self, stored: StoredDraw) -> Draw:
        """A draw with the texts that somebody was asked about and nobody judged."""
        drawn = zip(stored.text_ids, stored.draw.texts, strict=True)
        return skip(
            stored.draw,
            [(one.item, one.text) for text_id, one in drawn if (text := self.texts.get(text_id)) and text.unanswered],
        )

    def written_texts(self, campaigns: Sequence[str]) -> WrittenTexts:
        """The texts of some campaigns' systems that translated the suite."""
        outputs = self.outputs.select([column for campaign in campaigns for column in self.kept[campaign]])
        return written_texts(verdict_table(self.suite, outputs, outputs.found, self.findings()))

    def findings(self) -> list[Finding]:
        """What each code of the outputs is worth."""
        return [self.texts[text_id].finding for text_id in self.code_texts]

    def evaluate(
        self,
        *,
        campaigns: Sequence[str] | None = None,
        systems: Sequence[str] | None = None,
        exclude: Sequence[str] = (),
        progress: Progress | None = None,
        draw: Draw | None = None,
        **choices: Unpack[Choices],
    ) -> Evaluation:
        """The evaluation of some campaigns' outputs as the verdicts stand; the same as of exported files."""
        columns = self.columns(campaigns)
        if not columns:
            raise BadOption("there are no outputs yet; import some with: assay import SUITE OUTPUT…")
        return evaluate(
            self.suite,
            self.outputs.select(columns),
            systems=systems,
            exclude=exclude,
            findings=self.findings(),
            progress=progress,
            draw=draw,
            **choices,
        )


def _numbers(db: Connection, suite_id: int) -> ChangeNumbers:
    """The change numbers of a suite that is there."""
    numbers = change_numbers(db, suite_id)
    if numbers is None:
        raise UnknownName("suite", str(suite_id), ())
    return numbers


def _known(texts: Iterable[SnapshotText]) -> Iterator[Known]:
    """The texts with a verdict."""
    return (Known(text.value, text.finding.verdict, text.finding.is_judged) for text in texts if text.decided)


def settled_order(rule: Rule) -> tuple[bool, str, str]:
    """The order of an item's judgements: pass before fail, then by text and by who judged it."""
    return rule.polarity == "fail", rule.value, rule.by


def _undisputed(tasks: Iterable[WaitingText]) -> list[WaitingText]:
    return [task for task in tasks if not task.disputed]


def _voted(texts: Iterable[SnapshotText]) -> list[WaitingText]:
    return [
        WaitingText(text.id, text.place, 0, None, 0, rank=(0, False, 0, text.place, 0, text.id))
        for text in texts
        if text.settlement and text.settlement.votes and not text.settlement.ruling
    ]


def _votes_after(
    votes_of: Mapping[str, frozenset[int]], before: Iterable[SnapshotText], after: Iterable[SnapshotText]
) -> dict[str, frozenset[int]]:
    """Who judged what, once some texts are others."""
    gone, new = set(_votes(before)), set(_votes(after))
    changed: dict[str, set[int]] = {}
    for name, text_id in gone - new:
        changed.setdefault(name, set(votes_of[name])).discard(text_id)
    for name, text_id in new - gone:
        changed.setdefault(name, set(votes_of.get(name, ()))).add(text_id)
    found = {**votes_of, **{name: frozenset(texts) for name, texts in changed.items()}}
    return {name: texts for name, texts in found.items() if texts}


def _votes(texts: Iterable[SnapshotText]) -> Iterator[tuple[str, int]]:
    for text in texts:
        if text.settlement:
            yield from ((name, text.id) for name in text.settlement.votes)


def _exchange(
    tasks: Sequence[WaitingText], gone: Iterable[WaitingText], new: Iterable[WaitingText]
) -> list[WaitingText]:
    """A queue in which some texts no longer wait, and others do."""
    found = list(tasks)
    for task in gone:
        del found[bisect_left(found, task.rank, key=_rank)]
    for task in new:
        insort(found, task, key=_rank)
    return found


class Snapshots:
    """The newest snapshot of each suite of a database, read when it is first asked for."""

    def __init__(self, store: Store, predictor: Predictor | None = None) -> None:
        self.store, self.predictor = store, predictor
        self._newest: dict[str, Snapshot] = {}
        self._lock = RLock()

    def get(self, name: str, db: Connection | None = None) -> Snapshot:
        """A suite as a transaction sees it, or as it is now."""
        if db is None:
            with self.store.reading() as connection:
                return self.get(name, connection)
        return self._newest_of(name, db)

    def _newest_of(self, name: str, db: Connection) -> Snapshot:
        known, numbers = self._newest.get(name), None
        if known:
            # Nobody waits for another's question to the database: mostly the newest snapshot is the one that is known.
            numbers = change_numbers(db, known.stored.id)
            if numbers is None:
                self._forget(known)
            elif numbers.last <= known.change:
                return known
        # One at a time: whoever comes while a suite is being read would only read it again.
        with self._lock:
            known = self._newest.get(name)
            suite_id = known.stored.id if known else find_suite(db, name).id
            with self.store.fitting():
                found = known.next(db, numbers) if known else Snapshot.read(db, suite_id, self.predictor)
            self._newest[name] = found
            return found

    def _forget(self, snapshot: Snapshot) -> None:
        """The suite was hidden or deleted; another one may get its name."""
        name = snapshot.stored.suite.name
        with self._lock:
            known = self._newest.get(name)
            if known and known.stored.id == snapshot.stored.id:
                del self._newest[name]

    def keep(self, snapshot: Snapshot) -> None:
        """Take over a snapshot that a transaction made of its own change, once that is committed."""
        name = snapshot.stored.suite.name
        with self._lock:
            known = self._newest.get(name)
            if known is None or known.change < snapshot.change:
                self._newest[name] = snapshot
