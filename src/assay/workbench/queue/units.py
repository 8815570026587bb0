"""The unit of the queue: everything that one decision settles, the first that nobody else is looking at.

    with visit.reading() as reader:
        offer = next_unit(reader, leases, Filters(category="Ambiguity"))
        offer.unit.kind                     # "twins", "card" or "triage"

Twins of decided texts come first, as lists that one key accepts. What is left of an item comes as a card with its texts
in rows, and items of its phenomenon whose sources are like its own come on the same card, as long as it stays short:
the items that take the fewest decisions first. The samples and second opinions have one text a card, since each counts
for itself.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from assay.prediction import letters, plain
from assay.workbench.queue.filters import NO_FILTERS, Filters, ever_waited, waiting
from assay.workbench.queue.leases import Leases
from assay.workbench.queue.neighbours import triage_doubts
from assay.workbench.queue.next_text import Rest, next_text
from assay.workbench.queue.twins import groups_at, same_elsewhere
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot, WaitingText
from assay.workbench.work.effort import PACE_OF, pace

MOST_IN_LIST: Final = 200
"""Texts of one list: what somebody can look through before accepting it."""

MOST_ROWS: Final = 8
"""Rows of a card, if its first item has not more by itself."""

ALIKE: Final = 0.3
"""How alike the sources of a card's items are (four letters in a row).

Whoever has read one reads the others quickly.
"""

LISTS: Final = ("", "twins")
"""What stands among the phenomena left for later where somebody left lists of twins."""

UnitKind = Literal["card", "twins", "triage"]
PlaceRank = Callable[[int], tuple[object, ...]]
RowTest = Callable[[tuple[int, ...]], bool]


@dataclass(frozen=True, slots=True)
class UnitRow:
    """Texts that are judged together: twins of each other, of one item, and (`also`) the same text of other items."""

    place: int
    texts: tuple[int, ...]
    also: tuple[int, ...] = ()

    @property
    def all(self) -> tuple[int, ...]:
        return (*self.texts, *self.also)


@dataclass(frozen=True, slots=True)
class Unit:
    """Rows to decide about. Those of a list have one text each; `system` is whose texts a triage has."""

    kind: UnitKind
    rows: tuple[UnitRow, ...]
    system: str = ""

    @property
    def text_ids(self) -> list[int]:
        return [text_id for row in self.rows for text_id in row.all]

    @property
    def places(self) -> list[int]:
        return list(dict.fromkeys(row.place for row in self.rows))


@dataclass(frozen=True, slots=True)
class NextUnit:
    """A unit to decide: how many texts wait with these filters, and how many decisions that takes at most.

    `ever` counts the texts that wait or once waited; `rest` says that nothing else is left than what this annotator
    skipped, or left for later. `frees` items can count in a fair comparison once the unit is decided. `pace` is how
    many seconds a decision took of late.
    """

    unit: Unit
    waiting: int
    decisions: int
    in_all: int
    ever: int | None = None
    rest: Rest = ""
    frees: int = 0
    pace: float | None = None


def next_unit(
    reader: Reader,
    leases: Leases,
    filters: Filters = NO_FILTERS,
    *,
    after: int = 0,
    first: Collection[int] = (),
    later: Sequence[tuple[str, str]] = (),
) -> NextUnit | None:
    """The first unit that nobody else is looking at; where all are taken, the first of all.

    What this annotator has before them stays, as long as it waits. Texts of `first` come at once. `after` is a text to
    leave for later.
    """
    if filters.again or filters.sample:
        return _single(reader, leases, filters, after=after, first=first)
    user, snapshot = reader.user, reader.snapshot
    tasks = waiting(snapshot, filters, user)
    if not tasks:
        return None
    own = reader.own_work(PACE_OF)
    # The last that was skipped comes last.
    skipped = [text_id for text_id in own.skipped if text_id not in first]
    put_off = dict.fromkeys([*skipped, *([after] if after and after not in first else ())])
    queue = _UnitQueue(snapshot, tasks, put_off=put_off, later=later, taken=leases.taken(user))
    if filters.triage:
        units = queue.triage()
    else:
        held = frozenset(first) | (leases.held(user) - put_off.keys())
        units = queue.units(held)
    chosen: dict[int, Unit] = {}

    def offered() -> Iterator[list[int]]:
        for unit in units:
            ids = unit.text_ids
            chosen[ids[0]] = unit
            yield ids

    taken = leases.take_all(user, offered())
    if taken is None and not chosen:
        return None
    unit = chosen[next(iter(taken))] if taken else next(iter(chosen.values()))
    if filters.system or unit.system:
        reader.reveal(unit.text_ids, "systems")
    return NextUnit(
        unit=unit,
        waiting=len(tasks),
        decisions=queue.decisions,
        in_all=len(snapshot.undisputed),
        ever=ever_waited(snapshot, filters, tasks),
        rest=queue.rest(unit),
        frees=sum(queue.reachable[place] for place in unit.places) if unit.kind == "card" else 0,
        pace=pace(own.recent, user),
    )


def _single(reader: Reader, leases: Leases, filters: Filters, *, after: int, first: Collection[int]) -> NextUnit | None:
    """One text, as it comes in the queue."""
    found = next_text(reader, leases, filters, after=after, first=next(iter(first), 0))
    if found is None:
        return None
    unit = Unit("card", (UnitRow(found.task.place, (found.task.text_id,)),))
    frees = int(found.task.frees > 0)
    more = found.ever, found.rest, frees, found.pace
    return NextUnit(unit, found.waiting, found.waiting, found.in_all, *more)


class _UnitQueue:
    """The waiting texts that fit the filters, as units."""

    def __init__(
        self,
        snapshot: Snapshot,
        tasks: Sequence[WaitingText],
        *,
        put_off: Mapping[int, object],
        later: Sequence[tuple[str, str]],
        taken: Collection[int],
    ) -> None:
        self.snapshot, self.put_off, self.taken = snapshot, put_off, taken
        self.later = {name: number for number, name in enumerate(later)}
        self.twins: list[UnitRow] = []
        self.rows: dict[int, list[tuple[int, ...]]] = {}
        self.reachable: dict[int, bool] = {}
        self.frees: dict[int, int] = {}
        fits: dict[int, set[int]] = {}
        for task in tasks:
            fits.setdefault(task.place, set()).add(task.text_id)
            self.reachable[task.place] = self.reachable.get(task.place, False) or task.left is not None
            self.frees[task.place] = max(self.frees.get(task.place, 0), task.frees)
        for place, wanted in fits.items():
            groups = groups_at(snapshot, place)
            self.twins += [UnitRow(place, (text_id,)) for text_id in groups.twins if text_id in wanted]
            rows = [tuple(text_id for text_id in row if text_id in wanted) for row in groups.rows]
            if kept := [row for row in rows if row]:
                self.rows[place] = kept
        self.decisions = sum(map(len, self.rows.values())) + -(-len(self.twins) // MOST_IN_LIST)

    def units(self, held: frozenset[int]) -> Iterator[Unit]:
        """What is before the annotator, then lists of twins, cards, and what they put off."""
        held_twins = [row for row in self.twins if row.texts[0] in held]
        if held_twins:
            yield Unit("twins", tuple(held_twins[:MOST_IN_LIST]))
        held_rows = self._chosen(lambda row: not held.isdisjoint(row)) if held else {}
        if held_rows:
            yield self._card(held_rows)
        lists = list(self._lists())
        if LISTS not in self.later:
            yield from lists
        fresh = self._chosen(self.put_off.keys().isdisjoint)
        now = {place: rows for place, rows in fresh.items() if self._phenomenon(place) not in self.later}
        yield from self._cards(now, self._rank)
        yield from self._cards({place: rows for place, rows in fresh.items() if place not in now}, self._later_rank)
        if LISTS in self.later:
            yield from lists
        order = {text_id: number for number, text_id in enumerate(self.put_off)}
        skipped = self._chosen(lambda row: not order.keys().isdisjoint(row))
        # Each by itself, in the order in which they were skipped.
        rows = [(place, row) for place, found in skipped.items() for row in found]
        for place, row in sorted(rows, key=lambda entry: max(order.get(text_id, -1) for text_id in entry[1])):
            yield self._card({place: [row]})

    def triage(self) -> Iterator[Unit]:
        """Texts that look wrong whatever the rules say, one list a system, the longest first."""
        found: dict[str, list[UnitRow]] = {}
        for place, rows in self.rows.items():
            for row in rows:
                for text_id in row:
                    if text_id not in self.put_off and triage_doubts(self.snapshot, self.snapshot.texts[text_id]):
                        writer = min(system.name for system in self.snapshot.writers(place, text_id))
                        found.setdefault(writer, []).append(UnitRow(place, (text_id,)))
        for name, listed in sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0])):
            yield Unit("triage", tuple(listed[:MOST_IN_LIST]), name)

    def rest(self, unit: Unit) -> Rest:
        """Whether nothing else is left than what was put off."""
        if not self.put_off.keys().isdisjoint(unit.text_ids):
            return "skipped"
        left = [self._phenomenon(place) in self.later for place in unit.places]
        return "later" if all(left) and unit.kind == "card" else ""

    def _lists(self) -> Iterator[Unit]:
        free = [row for row in self.twins if row.texts[0] not in self.taken and row.texts[0] not in self.put_off]
        for start in range(0, len(free), MOST_IN_LIST):
            yield Unit("twins", tuple(free[start : start + MOST_IN_LIST]))

    def _chosen(self, wanted: RowTest) -> dict[int, list[tuple[int, ...]]]:
        found = {place: [row for row in rows if wanted(row)] for place, rows in self.rows.items()}
        return {place: rows for place, rows in found.items() if rows}

    def _cards(self, rows: Mapping[int, list[tuple[int, ...]]], rank: PlaceRank) -> Iterator[Unit]:
        """Cards of these rows, in this order of their first items."""
        used: set[int] = set()
        order = sorted(rows, key=rank)
        siblings: dict[tuple[str, str], list[int]] = {}
        for place in order:
            siblings.setdefault(self._phenomenon(place), []).append(place)
        for place in order:
            if place in used or not self._free(rows[place]):
                continue
            used.add(place)
            card, number = {place: rows[place]}, len(rows[place])
            for other in siblings[self._phenomenon(place)]:
                more = len(rows[other])
                if other in used or number + more > MOST_ROWS or not self._free(rows[other]):
                    continue
                if self._alike(place, other):
                    card[other] = rows[other]
                    number += more
            used |= card.keys()
            yield self._card(card)
        for place in order:
            if place not in used:
                yield self._card({place: rows[place]})

    def _card(self, rows: Mapping[int, list[tuple[int, ...]]]) -> Unit:
        made, also_seen = [], set()
        for place, found in rows.items():
            for row in found:
                if row[0] in also_seen:
                    continue
                also = tuple(other.id for other in same_elsewhere(self.snapshot, self.snapshot.texts[row[0]]))
                also_seen |= set(also)
                made.append(UnitRow(place, row, also))
        return Unit("card", tuple(made))

    def _free(self, rows: Iterable[tuple[int, ...]]) -> bool:
        return not any(text_id in self.taken for row in rows for text_id in row)

    def _rank(self, place: int) -> tuple[object, ...]:
        return (not self.reachable[place], len(self.rows[place]), -self.frees[place], place)

    def _later_rank(self, place: int) -> tuple[object, ...]:
        return (self.later[self._phenomenon(place)], *self._rank(place))

    def _phenomenon(self, place: int) -> tuple[str, str]:
        item = self.snapshot.items[place]
        return item.category, item.phenomenon

    def _alike(self, one: int, other: int) -> bool:
        first, second = (_letters(self.snapshot.items[place].source) for place in (one, other))
        return len(first & second) >= ALIKE * len(first | second)


@lru_cache(20_000)
def _letters(source: str) -> frozenset[str]:
    return frozenset(letters(plain(source)))
