"""A suite of the database in memory: items, outputs, verdicts, and what waits to be judged.

    boards = Boards(store)
    board = boards.get("assay-de-en")     # read once, then only what has changed
    board.evaluate(campaign="WMT21", policy="fair")

Every call of `get` brings the board up to date with the database, whoever changed it. A judgement changes one text, a
saved rule the texts of an item; only these are read again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from threading import RLock
from typing import Any, Unpack

import numpy as np
from sqlalchemy import Connection

from assay.errors import BadOption, UnknownName
from assay.evaluation import Choices, Evaluation, evaluate
from assay.outputs import Outputs, System
from assay.progress import Progress
from assay.suites import Item, Rule, Suite
from assay.verdicts import Event, Evidence, Finding, Settlement, Verdict, keep_translated
from assay.workbench.db.database import Store, last_change
from assay.workbench.db.judgements import settlements
from assay.workbench.db.outputs import (
    Ruled,
    StoredSystem,
    TextRow,
    changed_texts,
    list_systems,
    load_outputs,
    load_texts,
    suite_change,
)
from assay.workbench.db.suites import StoredSuite, changed_items, find_suite, load_suite, revision_of


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


@dataclass(frozen=True, slots=True)
class WaitingText:
    """A text that waits for a verdict.

    Judging it alone makes the item count in `frees` fair comparisons (one per campaign); `left` is the smallest number
    of texts that must be judged before it counts in one, None where an output is missing in all of them.
    """

    text_id: int
    place: int
    frees: int
    left: int | None
    systems: int
    disputed: bool = False
    rank: tuple[int, ...] = ()
    """What frees most with the least work comes first."""


class Snapshot:
    """See the module. `texts` maps text ids; `by_item` lists the text ids of each item, in the order of the suite."""

    def __init__(self, db: Connection, suite_id: int) -> None:
        self.change = last_change(db)
        self.whole = suite_change(db, suite_id)
        stored = load_suite(db, suite_id)
        self.stored: StoredSuite = stored
        self.items: list[Item] = list(stored.suite.items)
        self.version_ids = list(stored.version_ids)
        self.places = {item_id: place for place, item_id in enumerate(stored.item_ids)}
        self.systems: list[StoredSystem] = list_systems(db, suite_id)
        self.texts: dict[int, SnapshotText] = {}
        self.by_item: list[list[int]] = [[] for _ in self.items]
        self._take(load_texts(db, suite_id), db)
        self._pair(load_outputs(db, [system.id for system in self.systems]) if self.systems else [])
        self._suite: Suite | None = None
        self._tasks: list[WaitingText] | None = None

    # Reading

    def refresh(self, db: Connection) -> "Snapshot":
        """This board with what has changed since the last time; a new one where too much has."""
        change = last_change(db)
        if change <= self.change:
            return self
        if suite_change(db, self.stored.id) > self.whole:
            return Snapshot(db, self.stored.id)
        changed = changed_texts(db, self.change)
        item_ids = {row.item_id for row in changed} & self.places.keys()
        edited = changed_items(db, self.stored.id, self.change)
        if edited:
            self.stored = replace(self.stored, revision=revision_of(db, self.stored.id))
        for item_id, (version, item, _) in edited.items():
            place = self.places[item_id]
            self.items[place], self.version_ids[place] = item, version
        self._take(changed, db)
        self._suite = None
        if self._tasks is not None:
            places = {self.places[item_id] for item_id in item_ids}
            kept = [task for task in self._tasks if task.place not in places]
            self._tasks = sorted(
                [*kept, *(task for place in places for task in self._waiting(place))], key=attrgetter("rank")
            )
        self.change = change
        return self

    def _take(self, rows: Iterable[TextRow], db: Connection) -> None:
        known = [row for row in rows if row.item_id in self.places]
        settled = settlements(db, [row.id for row in known if row.settled is not None or row.disputed])
        for row in known:
            place = self.places[row.item_id]
            if row.id not in self.texts:
                self.by_item[place].append(row.id)
            ruled = finding_of(self.items[place], row.ruled)
            settlement = settled.get(row.id)
            finding = settled_finding(settlement, row.value) if settlement else None
            self.texts[row.id] = SnapshotText(
                row.id, place, row.value, finding or ruled, ruled, Verdict(row.first), settlement
            )

    def _pair(self, rows: Sequence[tuple[int, int, int, str | None]]) -> None:
        """The outputs as one record; `code_texts` says which text each of its codes stands for."""
        columns = {system.id: column for column, system in enumerate(self.systems)}
        codes = np.full((len(self.items), len(self.systems)), -1, dtype=np.int32)
        seen: dict[tuple[int, str | None], int] = {}
        written: list[str] = []
        owners: list[int] = []
        self.code_texts: list[int] = []
        for system_id, item_id, text_id, raw in rows:
            place = self.places.get(item_id)
            if place is None:
                continue
            key = (text_id, raw)
            code = seen.get(key)
            if code is None:
                code = seen[key] = len(written)
                written.append(self.texts[text_id].value if raw is None else raw)
                owners.append(place)
                self.code_texts.append(text_id)
            codes[place, columns[system_id]] = code
        self.outputs = Outputs(
            tuple(stored.system for stored in self.systems), tuple(written), np.array(owners, dtype=np.int32), codes
        )
        self.text_of_code = np.array([*self.code_texts, -1], dtype=np.int64)
        """Text id of each code; -1 for the code -1."""
        self._kept: dict[str, list[int]] | None = None

    # Asking

    @property
    def suite(self) -> Suite:
        """The suite as it stands, judgements as exact rules in it: what an export would write."""
        suite, change = self._suite, self.change
        if suite is None:
            settled = self.settled()
            items = tuple(
                replace(item, rules=(*item.rules, *settled[place])) if place in settled else item
                for place, item in enumerate(self.items)
            )
            suite = replace(self.stored.suite, items=items)
            if self.change == change:
                self._suite = suite
        return suite

    def settled(self) -> dict[int, list[Rule]]:
        """Place of an item -> its judgements that hold, as exact rules, in an order that does not depend on when."""
        found: dict[int, list[Rule]] = {}
        for text in self.texts.values():
            if text.settlement:
                found.setdefault(text.place, []).extend(settled_rules(text.settlement, text.value))
        for rules in found.values():
            rules.sort(key=lambda rule: (rule.polarity == "fail", rule.value, rule.by))
        return found

    @property
    def questions(self) -> Mapping[str, Any]:
        return self.stored.questions

    @property
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

    def kept(self) -> dict[str, list[int]]:
        """Campaign -> the columns of its systems that translated the suite."""
        if self._kept is None:
            self._kept = {}
            for campaign in self.campaigns:
                columns = self.columns([campaign])
                chosen = self.outputs.select(columns)
                kept = keep_translated(chosen, chosen.found)[0].systems
                self._kept[campaign] = [column for column in columns if self.outputs.systems[column] in kept]
        return self._kept

    def place(self, item_id: str) -> int:
        """Where the item with this id stands."""
        return self.stored.suite.positions[self.stored.suite.item(item_id).id]

    def text(self, text_id: int) -> SnapshotText:
        if text_id not in self.texts:
            raise UnknownName("text", str(text_id), ())
        return self.texts[text_id]

    def writers(self, place: int, text_id: int) -> list[System]:
        """Everybody who wrote exactly this text for an item."""
        codes = self.text_of_code[self.outputs.codes[place]]
        return [self.outputs.systems[column] for column in np.flatnonzero(codes == text_id).tolist()]

    def disputed(self) -> list[SnapshotText]:
        """The texts that an adjudicator has to decide, in the order of the suite."""
        found = [text for text in self.texts.values() if text.settlement and text.settlement.disputed]
        return sorted(found, key=lambda text: (text.place, text.id))

    def tasks(self) -> list[WaitingText]:
        """All texts that wait for a verdict, in the order of the queue."""
        tasks, change = self._tasks, self.change
        if tasks is None:
            tasks = [task for place in range(len(self.items)) for task in self._waiting(place)]
            tasks.sort(key=attrgetter("rank"))
            if self.change == change:
                self._tasks = tasks
        return tasks

    def _waiting(self, place: int) -> list[WaitingText]:
        """The tasks of one item, in the comparison of each campaign's systems that translated the suite."""
        if not any(self.texts[text_id].waits for text_id in self.by_item[place]):
            return []
        written = self.text_of_code[self.outputs.codes[place]].tolist()
        frees: dict[int, int] = {}
        left: dict[int, int | None] = {}
        for columns in self.kept().values():
            given = {written[column] for column in columns}
            if not given - {-1}:
                continue
            waiting = {text_id for text_id in given - {-1} if self.texts[text_id].waits}
            undecided = {text_id for text_id in given if text_id < 0 or not self.texts[text_id].decided}
            number = len(waiting) if waiting == undecided else None
            for text_id in waiting:
                frees[text_id] = frees.get(text_id, 0) + (number == 1)
                known = left.get(text_id)
                left[text_id] = min(number, known) if number and known else number or known
        return [self._task(key, place, frees[key], left[key], written.count(key)) for key in frees]

    def _task(self, text_id: int, place: int, frees: int, left: int | None, systems: int) -> WaitingText:
        settlement = self.texts[text_id].settlement
        rank = (-frees, left is None, left or 0, place, -systems, text_id)
        return WaitingText(text_id, place, frees, left, systems, bool(settlement and settlement.disputed), rank)

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


class Snapshots:
    """The boards of a database, each read when it is first asked for."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._boards: dict[int, Snapshot] = {}
        self._lock = RLock()

    def get(self, name: str, db: Connection | None = None) -> Snapshot:
        """A suite's board, up to date."""
        if db is None:
            with self.store.reading() as connection:
                return self.get(name, connection)
        with self._lock:
            suite_id = next((key for key, board in self._boards.items() if board.stored.suite.name == name), None)
            if suite_id is None:
                suite_id = find_suite(db, name).id
            if suite_id not in self._boards:
                self._boards[suite_id] = Snapshot(db, suite_id)
            else:
                self._boards[suite_id] = self._boards[suite_id].refresh(db)
            return self._boards[suite_id]


def ruled_of(item: Item, finding: Finding, judged_with: str) -> Ruled:
    """A finding by an item's rules, as the database keeps it."""
    evidence = [[item.rules.index(found.rule), found.start, found.end] for found in finding.evidence]
    return Ruled(int(finding.verdict), finding.reason, evidence, judged_with)


def finding_of(item: Item, ruled: Ruled) -> Finding:
    """The same back again."""
    evidence = tuple(Evidence(item.rules[number], start, end) for number, start, end in ruled.evidence)
    return Finding(Verdict(ruled.verdict), ruled.reason, evidence)  # type: ignore[arg-type]


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
