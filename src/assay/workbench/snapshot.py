"""A suite of the database in memory, as it stood at one change number: items, outputs, verdicts, the queue.

    snapshots = Snapshots(store)
    snapshot = snapshots.get("assay-de-en")     # read once, then only what has changed
    snapshot.evaluate(campaign="WMT21", policy="fair")

A snapshot never changes: whoever holds one can go on reading it while others judge. The next one is made from it and
the rows that changed since, and shares the rest with it: a judgement changes one text, a saved rule the texts of an
item. What is worked out from a snapshot (the queue, evaluations) is kept in it, and is gone with it.
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from threading import RLock
from typing import Any, Final, Unpack

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from assay.errors import BadOption, UnknownName
from assay.evaluation import Choices, Evaluation, evaluate
from assay.lru import LruCache
from assay.outputs import Outputs, System
from assay.progress import Progress
from assay.suggest import Known, Related
from assay.suites import Item, Rule, Suite
from assay.verdicts import (
    Event,
    Evidence,
    Finding,
    Priority,
    Rank,
    Settlement,
    Verdict,
    keep_translated,
    priorities,
)
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import changed_texts, settlements
from assay.workbench.db.outputs import (
    StoredSystem,
    TextRow,
    change_numbers,
    list_systems,
    load_outputs,
    load_texts,
)
from assay.workbench.db.suites import StoredSuite, changed_items, find_suite, load_suite, revision_of

MOST_EVALUATIONS: Final = 8
"""Evaluations that a snapshot keeps: the table, its cells and its files are of one evaluation."""

MOST_COUNTS: Final = 50
"""Choices of filters of which the texts that ever waited are kept."""

STALE: Final = 100
"""Changes of the database after which the verdicts of a phenomenon are counted anew; counting takes a while, and one
judgement more or less moves no suggestion."""


@dataclass(frozen=True, slots=True)
class SnapshotText:
    """A distinct text of an item, with what it is worth now, by the rules alone, and when it was first seen."""

    id: int
    place: int
    value: str
    finding: Finding
    ruled: Finding
    first: Verdict
    settlement: Settlement | None

    @property
    def decided(self) -> bool:
        return self.finding.verdict != Verdict.WARNING

    @property
    def waits(self) -> bool:
        """Whether a linguist could decide about it."""
        return not self.decided and self.finding.reason != "missing"

    @property
    def disputed(self) -> bool:
        """Whether judgements disagree, so that an adjudicator has to decide."""
        return bool(self.settlement and self.settlement.disputed)

    def settle(self, settlement: Settlement | None) -> "SnapshotText":
        """The same text with what its judgements come to now."""
        # What settles nothing (skips, judgements that were taken back) is as good as no judgement.
        kept = settlement if settlement and (settlement.verdict or settlement.disputed) else None
        finding = settled_finding(kept, self.value) if kept else None
        return replace(self, finding=finding or self.ruled, settlement=kept)


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
class PhenomenonCount:
    """The verdicts of a phenomenon and of each of its items, as they were at one change number.

    Those of an item are kept from the same moment, so that what is left without them owes nothing to the item.
    """

    every: Related
    by_place: Mapping[int, Related]
    change: int


@dataclass(frozen=True, eq=False)
class SuiteOutputs:
    """What systems wrote for a suite, and what else only an import changes; successive snapshots share it.

    `places` has the place of each item id; `by_item` lists the text ids of each item. `texts` are as they were when
    they were read: their values and first verdicts stay. `code_texts` says which text each code of `outputs` stands
    for; `text_of_code` is the same as an array, with -1 for the code -1.
    """

    change: int
    places: Mapping[int, int]
    systems: Sequence[StoredSystem]
    texts: Mapping[int, SnapshotText]
    by_item: Sequence[Sequence[int]]
    outputs: Outputs
    code_texts: Sequence[int]
    text_of_code: NDArray[np.int64]
    ever_waited: LruCache[Hashable, frozenset[int]] = field(default_factory=lambda: LruCache(MOST_COUNTS))
    """Filters of the queue -> the texts that fit them and waited when they were first seen."""
    counts: dict[tuple[str, str], PhenomenonCount] = field(default_factory=dict)
    """Category and phenomenon -> its verdicts, counted at most `STALE` changes ago."""

    @cached_property
    def campaigns(self) -> list[str]:
        """Names of the campaigns, in the order of their first import."""
        return list(dict.fromkeys(stored.system.campaign for stored in self.systems))

    def columns(self, campaigns: Sequence[str] | None = None) -> list[int]:
        """The columns of the systems of some campaigns, or of all."""
        for name in campaigns or ():
            if name not in self.campaigns:
                raise UnknownName("campaign", name, self.campaigns)
        return [
            column for column, stored in enumerate(self.systems) if not campaigns or stored.system.campaign in campaigns
        ]

    @cached_property
    def kept(self) -> dict[str, list[int]]:
        """Campaign -> the columns of its systems that translated the suite."""
        found = {}
        for campaign in self.campaigns:
            columns = self.columns([campaign])
            chosen = self.outputs.select(columns)
            kept = keep_translated(chosen, chosen.found)[0].systems
            found[campaign] = [column for column in columns if self.outputs.systems[column] in kept]
        return found

    @cached_property
    def folded(self) -> list[str]:
        """The outputs of each item in small letters, one after the other, to look for words in."""
        return ["\n".join(self.texts[text_id].value for text_id in ids).casefold() for ids in self.by_item]


class Snapshot:
    """See the module. `texts` maps text ids; `items` and `version_ids` are in the order of the suite."""

    def __init__(
        self,
        *,
        change: int,
        stored: StoredSuite,
        items: Sequence[Item],
        version_ids: Sequence[int],
        texts: Mapping[int, SnapshotText],
        written: SuiteOutputs,
    ) -> None:
        self.change, self.stored, self.items, self.version_ids, self.texts = change, stored, items, version_ids, texts
        self._written = written
        self.evaluations: LruCache[Hashable, Evaluation] = LruCache(MOST_EVALUATIONS)

    # Making

    @classmethod
    def read(cls, db: Connection, suite_id: int) -> "Snapshot":
        """The whole suite, as this transaction sees it."""
        numbers = change_numbers(db, suite_id)
        stored = load_suite(db, suite_id)
        items = stored.suite.items
        places = {item_id: place for place, item_id in enumerate(stored.item_ids)}
        rows = load_texts(db, suite_id)
        settled = settlements(db, [row.id for row in rows if row.settled is not None or row.disputed])
        texts = _texts(rows, settled, items, places)
        del rows  # before the outputs come: together they are the most that is ever in memory
        systems = list_systems(db, suite_id)
        outputs = load_outputs(db, [system.id for system in systems]) if systems else []
        written = _pair(numbers.whole, places, systems, texts, outputs)
        return cls(
            change=numbers.last,
            stored=stored,
            items=items,
            version_ids=stored.version_ids,
            texts=texts,
            written=written,
        )

    def next(self, db: Connection) -> "Snapshot":
        """The suite as this transaction sees it: this very snapshot, one that shares most with it, or one read anew."""
        numbers = change_numbers(db, self.stored.id)
        if numbers.last <= self.change:
            # Also where another request was quicker, and this transaction began before its change.
            return self
        if numbers.whole > self._written.change:
            return Snapshot.read(db, self.stored.id)
        changed = [found for found in changed_texts(db, self.change) if found[0].item_id in self._written.places]
        edited = changed_items(db, self.stored.id, self.change) if numbers.item > self.change else {}
        if not changed and not edited:
            return self._same(numbers.last)
        items, version_ids, stored = self.items, self.version_ids, self.stored
        if edited:
            stored = replace(stored, revision=revision_of(db, stored.id))
            items, version_ids = list(items), list(version_ids)
            for item_id, (version, item) in edited.items():
                place = self._written.places[item_id]
                items[place], version_ids[place] = item, version
        settled = {row.id: settlement for row, settlement in changed if settlement}
        texts = _texts((row for row, _ in changed), settled, items, self._written.places)
        return self._after(numbers.last, texts, stored=stored, items=items, version_ids=version_ids)

    def judged(self, change: int, text_id: int, settlement: Settlement) -> "Snapshot":
        """The snapshot after a change that did nothing but settle a text anew."""
        return self._after(change, {text_id: self.texts[text_id].settle(settlement)})

    def _same(self, change: int) -> "Snapshot":
        """The same at a later change, which was one of another suite."""
        found = copy(self)
        found.change = change
        return found

    def _after(
        self,
        change: int,
        texts: Mapping[int, SnapshotText],
        *,
        stored: StoredSuite | None = None,
        items: Sequence[Item] | None = None,
        version_ids: Sequence[int] | None = None,
    ) -> "Snapshot":
        """A snapshot in which some texts are others, and with them some items."""
        found = Snapshot(
            change=change,
            stored=stored or self.stored,
            items=items or self.items,
            version_ids=version_ids or self.version_ids,
            # Copied as a whole by the interpreter: 0.1 ms for 14,000 texts.
            texts={**self.texts, **texts},
            written=self._written,
        )
        if "tasks" in vars(self):
            found.tasks = self._tasks_after(found, {text.place for text in texts.values()})
        return found

    def _tasks_after(self, following: "Snapshot", places: Collection[int]) -> list[WaitingText]:
        """The queue of the snapshot that follows, in which only the texts at some places are others."""
        tasks = list(self.tasks)
        for place in places:
            for gone in self._waiting(place):
                del tasks[bisect_left(tasks, gone.rank, key=_rank)]
            for new in following._waiting(place):
                insort(tasks, new, key=_rank)
        return tasks

    # What only an import changes

    @property
    def systems(self) -> Sequence[StoredSystem]:
        return self._written.systems

    @property
    def by_item(self) -> Sequence[Sequence[int]]:
        """The text ids of each item, in the order of the suite."""
        return self._written.by_item

    @property
    def outputs(self) -> Outputs:
        return self._written.outputs

    @property
    def code_texts(self) -> Sequence[int]:
        """Which text each code of the outputs stands for."""
        return self._written.code_texts

    @property
    def text_of_code(self) -> NDArray[np.int64]:
        """The same as an array; -1 for the code -1."""
        return self._written.text_of_code

    @property
    def campaigns(self) -> list[str]:
        """Names of the campaigns, in the order of their first import."""
        return self._written.campaigns

    @property
    def kept(self) -> Mapping[str, list[int]]:
        """Campaign -> the columns of its systems that translated the suite."""
        return self._written.kept

    @property
    def folded(self) -> Sequence[str]:
        """The outputs of each item in small letters, one after the other."""
        return self._written.folded

    @property
    def ever_waited(self) -> LruCache[Hashable, frozenset[int]]:
        """Filters of the queue -> the texts that fit them and waited when they were first seen."""
        return self._written.ever_waited

    def columns(self, campaigns: Sequence[str] | None = None) -> list[int]:
        """The columns of the systems of some campaigns, or of all."""
        return self._written.columns(campaigns)

    @property
    def questions(self) -> Mapping[str, Any]:
        return self.stored.questions

    # Asking

    @cached_property
    def suite(self) -> Suite:
        """The suite as it stands, judgements as exact rules in it: what an export would write."""
        settled = self.settled()
        items = tuple(
            replace(item, rules=(*item.rules, *settled[place])) if place in settled else item
            for place, item in enumerate(self.items)
        )
        return replace(self.stored.suite, items=items)

    def settled(self) -> dict[int, list[Rule]]:
        """Place of an item -> its judgements that hold, as exact rules, in an order that does not depend on when."""
        found: dict[int, list[Rule]] = {}
        for text in self.texts.values():
            if text.settlement:
                found.setdefault(text.place, []).extend(settled_rules(text.settlement, text.value))
        for rules in found.values():
            rules.sort(key=lambda rule: (rule.polarity == "fail", rule.value, rule.by))
        return found

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

    def writers(self, place: int, text_id: int) -> list[System]:
        """Everybody who wrote exactly this text for an item."""
        return [self.outputs.systems[column] for column, other in enumerate(self.written_at(place)) if other == text_id]

    @cached_property
    def disputed(self) -> list[SnapshotText]:
        """The texts that an adjudicator has to decide, in the order of the suite."""
        found = [text for text in self.texts.values() if text.disputed]
        return sorted(found, key=lambda text: (text.place, text.id))

    @cached_property
    def tasks(self) -> list[WaitingText]:
        """All texts that wait for a verdict, in the order of the queue."""
        found = [task for place in range(len(self.items)) for task in self._waiting(place)]
        return sorted(found, key=_rank)

    @cached_property
    def undisputed(self) -> list[WaitingText]:
        """The texts that an annotator can decide; where judgements disagree, an adjudicator must."""
        return [task for task in self.tasks if not task.disputed]

    def task(self, text_id: int) -> WaitingText | None:
        """The text as one that an annotator can decide; None where nobody is asked about it."""
        waiting = self._waiting(self.texts[text_id].place)
        return next((task for task in waiting if task.text_id == text_id and not task.disputed), None)

    def _waiting(self, place: int) -> list[WaitingText]:
        """The texts of one item that wait; each campaign's systems that translated the suite are one comparison."""
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
        counted = self._written.counts.get(key)
        if counted is None or self.change - counted.change > STALE:
            counted = self._written.counts[key] = self._count(key)
        every, own, others = counted.every, counted.by_place[place], Related(())
        others.passing, others.failing = every.passing - own.passing, every.failing - own.failing
        others.passes, others.fails = every.passes - own.passes, every.fails - own.fails
        return others

    def _count(self, phenomenon: tuple[str, str]) -> PhenomenonCount:
        every, by_place = Related(()), {}
        for place, item in enumerate(self.items):
            if (item.category, item.phenomenon) != phenomenon:
                continue
            own = Related(Known(text.value, text.finding.verdict) for text in self.texts_at(place) if text.decided)
            by_place[place] = own
            every.passing.update(own.passing)
            every.failing.update(own.failing)
            every.passes, every.fails = every.passes + own.passes, every.fails + own.fails
        return PhenomenonCount(every, by_place, self.change)

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
            **choices,
        )


def _texts(
    rows: Iterable[TextRow], settled: Mapping[int, Settlement], items: Sequence[Item], places: Mapping[int, int]
) -> dict[int, SnapshotText]:
    """Rows of texts as a snapshot holds them, with what their judgements come to; without those of removed items."""
    found = {}
    for row in rows:
        place = places.get(row.item_id)
        if place is not None:
            ruled = row.ruled.finding(items[place])
            text = SnapshotText(row.id, place, row.value, ruled, ruled, Verdict(row.first), None)
            found[row.id] = text.settle(settled[row.id]) if row.id in settled else text
    return found


def _pair(
    change: int,
    places: Mapping[int, int],
    systems: Sequence[StoredSystem],
    texts: Mapping[int, SnapshotText],
    rows: Sequence[tuple[int, int, int, str | None]],
) -> SuiteOutputs:
    """Rows of outputs (system id, item id, text id, raw) as one record."""
    by_item: list[list[int]] = [[] for _ in places]
    for text in texts.values():
        by_item[text.place].append(text.id)
    columns = {system.id: column for column, system in enumerate(systems)}
    codes = np.full((len(places), len(systems)), -1, dtype=np.int32)
    seen: dict[tuple[int, str | None], int] = {}
    written: list[str] = []
    owners: list[int] = []
    code_texts: list[int] = []
    for system_id, item_id, text_id, raw in rows:
        place = places.get(item_id)
        if place is None:
            continue
        code = seen.get((text_id, raw))
        if code is None:
            code = seen[text_id, raw] = len(written)
            written.append(texts[text_id].value if raw is None else raw)
            owners.append(place)
            code_texts.append(text_id)
        codes[place, columns[system_id]] = code
    named = tuple(stored.system for stored in systems)
    return SuiteOutputs(
        change=change,
        places=places,
        systems=systems,
        texts=texts,
        by_item=by_item,
        outputs=Outputs(named, tuple(written), np.array(owners, dtype=np.int32), codes),
        code_texts=code_texts,
        text_of_code=np.array([*code_texts, -1], dtype=np.int64),
    )


class Snapshots:
    """The newest snapshot of each suite of a database, read when it is first asked for."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._newest: dict[str, Snapshot] = {}
        self._lock = RLock()

    def get(self, name: str, db: Connection | None = None) -> Snapshot:
        """A suite as a transaction sees it, or as it is now."""
        if db is None:
            with self.store.reading() as connection:
                return self.get(name, connection)
        # One at a time: whoever comes while a suite is being read would only read it again.
        with self._lock:
            known = self._newest.get(name)
            found = known.next(db) if known else Snapshot.read(db, find_suite(db, name).id)
            self._newest[name] = found
            return found

    def keep(self, snapshot: Snapshot) -> None:
        """Take over a snapshot that a transaction made of its own change, once that is committed."""
        name = snapshot.stored.suite.name
        with self._lock:
            known = self._newest.get(name)
            if known is None or known.change < snapshot.change:
                self._newest[name] = snapshot


def settled_rules(settlement: Settlement, text: str) -> list[Rule]:
    """The judgements that hold, as exact rules."""
    return [_rule(event, text) for event in settlement.rules]


def settled_finding(settlement: Settlement, text: str) -> Finding | None:
    """What judgements make of a text; None where they leave it to the rules."""
    evidence = tuple(Evidence(rule, 0, len(text)) for rule in settled_rules(settlement, text))
    if settlement.disputed:
        return Finding(Verdict.WARNING, "contradiction", evidence)
    if settlement.verdict is None:
        return None
    return Finding(Verdict.PASS if settlement.verdict == "pass" else Verdict.FAIL, "", evidence)


def _rule(event: Event, text: str) -> Rule:
    return Rule(event.verdict or "pass", "exact", text, "", event.comment, event.by, event.dated)
