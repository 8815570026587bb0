"""The unit of the queue: everything that one decision settles, the first that nobody else is looking at.

    with visit.reading() as reader:
        offer = next_unit(reader, leases, Filters(category="Ambiguity"))
        offer.unit.kind                     # "twins", "card" or "triage"

Twins of decided texts come first, as lists that one key accepts. What is left of an item comes as a card with its texts
in rows, and items of its phenomenon whose sources are like its own come on the same card, as long as it stays short:
the items that take the fewest decisions first. The samples and second opinions have one text a card, since each counts
for itself.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final, Literal

from assay.prediction import letters, plain
from assay.workbench.item_rows import PlaceUnits, UnitIndex
from assay.workbench.queue.filters import NO_FILTERS, Filters, ever_waited, waiting
from assay.workbench.queue.leases import Leases
from assay.workbench.queue.neighbours import triage_doubts
from assay.workbench.queue.next_text import Rest, next_text
from assay.workbench.queue.twins import rows_at, same_elsewhere
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
    skipped = [text_id for text_id in sorted(own.skipped, key=own.skipped.__getitem__) if text_id not in first]
    put_off = dict.fromkeys([*skipped, *([after] if after and after not in first else ())])
    index = _filtered(snapshot, tasks) if filters.narrows else index_of(snapshot)
    queue = _UnitQueue(snapshot, index, put_off=put_off, later=later, taken=leases.taken(user))
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
    reader.reveal(unit.text_ids, *filters.tells, *(("systems",) if unit.system else ()))
    return NextUnit(
        unit=unit,
        waiting=len(tasks),
        decisions=queue.decisions,
        in_all=len(snapshot.undisputed),
        ever=ever_waited(snapshot, filters, tasks),
        rest=queue.rest(unit),
        frees=sum(index.by_place[place].reachable for place in unit.places) if unit.kind == "card" else 0,
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


def _filtered(snapshot: Snapshot, tasks: Sequence[WaitingText]) -> UnitIndex:
    """The units of the texts that fit the filters."""
    wanted: dict[int, set[int]] = {}
    for task in tasks:
        wanted.setdefault(task.place, set()).add(task.text_id)
    return UnitIndex(units for place, kept in wanted.items() if (units := _units_at(snapshot, place, kept)))


def index_of(snapshot: Snapshot) -> UnitIndex:
    """Everything that waits, as units; kept with the snapshot, and made from that of the one before."""
    if snapshot.unit_index is None:
        units_at = partial(_units_at, snapshot)
        if snapshot.units_before:
            index, places = snapshot.units_before
            snapshot.unit_index = index.changed(places, units_at)
        else:
            places = frozenset(task.place for task in snapshot.undisputed)
            snapshot.unit_index = UnitIndex(units for place in places if (units := units_at(place)))
    return snapshot.unit_index


def _units_at(snapshot: Snapshot, place: int, wanted: Collection[int] | None = None) -> PlaceUnits | None:
    """The units of one item, or of those of its texts that are wanted."""
    tasks = [task for task in snapshot.waiting_at(place) if not task.disputed]
    if not tasks:
        return None
    found = rows_at(snapshot, place)
    twins, rows = tuple(found.twins), found.rows
    if wanted is not None:
        twins = tuple(text_id for text_id in twins if text_id in wanted)
        kept = (tuple(text_id for text_id in row if text_id in wanted) for row in rows)
        rows = tuple(row for row in kept if row)
    reachable = any(task.left is not None for task in tasks)
    rank = (not reachable, len(rows), -max(task.frees for task in tasks), place)
    item = snapshot.items[place]
    return PlaceUnits(place, (item.category, item.phenomenon), twins, rows, reachable, rank)


class _UnitQueue:
    """The waiting texts that fit the filters, as units, in the order in which an annotator gets them."""

    def __init__(
        self,
        snapshot: Snapshot,
        index: UnitIndex,
        *,
        put_off: Mapping[int, object],
        later: Sequence[tuple[str, str]],
        taken: Collection[int],
    ) -> None:
        self.snapshot, self.index, self.put_off, self.taken = snapshot, index, put_off, taken
        self.later = {name: number for number, name in enumerate(later)}
        self.decisions = index.number_of_rows + -(-sum(map(len, index.twins.values())) // MOST_IN_LIST)

    def units(self, held: frozenset[int]) -> Iterator[Unit]:
        """What is before the annotator, then lists of twins, cards, and what they put off."""
        yield from self._held(held)
        if LISTS not in self.later:
            yield from self._lists()
        # As far as somebody asks: the first card is mostly free, and there may be thousands.
        order = (place for *_, place in self.index.order)
        if not self.later:
            yield from self._cards(order)
        else:
            yield from self._cards(place for place in order if self._phenomenon(place) not in self.later)
            left = [place for *_, place in self.index.order if self._phenomenon(place) in self.later]
            yield from self._cards(sorted(left, key=lambda place: self.later[self._phenomenon(place)]))
            yield from self._lists()
        yield from self._skipped()

    def triage(self) -> Iterator[Unit]:
        """Texts that look wrong whatever the rules say, one list a system, the longest first."""
        found: dict[str, list[UnitRow]] = {}
        for place, units in self.index.by_place.items():
            for text_id in (text_id for row in units.rows for text_id in row):
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

    def _held(self, held: frozenset[int]) -> Iterator[Unit]:
        """What is before the annotator and still waits."""
        places = {text.place for text_id in held if (text := self.snapshot.texts.get(text_id))}
        found = [self.index.by_place[place] for place in sorted(places) if place in self.index.by_place]
        twins = [UnitRow(units.place, (key,)) for units in found for key in units.twins if key in held]
        if twins:
            yield Unit("twins", tuple(twins[:MOST_IN_LIST]))
        kept = {units.place: [row for row in units.rows if not held.isdisjoint(row)] for units in found}
        order = sorted(self.index.by_place[place].rank for place in kept if kept[place])
        if order:
            first = order[0][-1]
            # What comes from a list, of triage for example, is of many items that nobody reads together.
            together = [place for *_, place in order if place == first or self._together(first, place)]
            yield self._card({place: kept[place] for place in together})

    def _lists(self) -> Iterator[Unit]:
        twins = ((place, text_id) for place, found in sorted(self.index.twins.items()) for text_id in found)
        free = [
            UnitRow(place, (text_id,))
            for place, text_id in twins
            if text_id not in self.taken and text_id not in self.put_off
        ]
        for start in range(0, len(free), MOST_IN_LIST):
            yield Unit("twins", tuple(free[start : start + MOST_IN_LIST]))

    def _cards(self, order: Iterable[int]) -> Iterator[Unit]:
        """Cards of what was not put off, in this order of their first items; what others look at comes last."""
        used: set[int] = set()
        taken = []
        for place in order:
            rows = self._fresh(place)
            if place in used or not rows:
                continue
            if not self._free(rows):
                taken.append(place)
                continue
            card = {place: rows} | self._siblings(place, used, MOST_ROWS - len(rows))
            used |= card.keys()
            yield self._card(card)
        for place in taken:
            yield self._card({place: self._fresh(place)})

    def _siblings(self, place: int, used: Collection[int], room: int) -> dict[int, list[tuple[int, ...]]]:
        """Items of the same phenomenon whose sources are alike, as long as there is room for their rows."""
        found: dict[int, list[tuple[int, ...]]] = {}
        for other in self.index.behind(place):
            if room <= 0:
                break
            if other in used or not self._together(place, other):
                continue
            rows = self._fresh(other)
            if rows and len(rows) <= room and self._free(rows):
                found[other] = rows
                room -= len(rows)
        return found

    def _skipped(self) -> Iterator[Unit]:
        """What the annotator skipped, each row by itself, in the order in which they did."""
        order = {text_id: number for number, text_id in enumerate(self.put_off)}
        found: dict[int, UnitRow] = {}
        for text_id, number in order.items():
            text = self.snapshot.texts.get(text_id)
            units = self.index.by_place.get(text.place) if text else None
            row = next((row for row in units.rows if text_id in row), None) if units else None
            if row and units:
                found[number] = UnitRow(units.place, row)
        for number in sorted(found):
            yield self._card({found[number].place: [found[number].texts]})

    def _fresh(self, place: int) -> list[tuple[int, ...]]:
        rows = self.index.by_place[place].rows
        return [row for row in rows if self.put_off.keys().isdisjoint(row)] if self.put_off else list(rows)

    def _card(self, rows: Mapping[int, list[tuple[int, ...]]]) -> Unit:
        made: list[UnitRow] = []
        with_others: set[int] = set()
        for place, found in rows.items():
            for row in found:
                if row[0] in with_others:
                    continue
                also = tuple(other.id for other in same_elsewhere(self.snapshot, self.snapshot.texts[row[0]]))
                with_others |= set(also)
                made.append(UnitRow(place, row, also))
        return Unit("card", tuple(made))

    def _free(self, rows: Iterable[tuple[int, ...]]) -> bool:
        return not self.taken or not any(text_id in self.taken for row in rows for text_id in row)

    def _phenomenon(self, place: int) -> tuple[str, str]:
        item = self.snapshot.items[place]
        return item.category, item.phenomenon

    def _together(self, one: int, other: int) -> bool:
        """Whether two items can stand on one card."""
        if self._phenomenon(one) != self._phenomenon(other):
            return False
        first, second = (_letters(self.snapshot.items[place].source) for place in (one, other))
        return len(first & second) >= ALIKE * len(first | second)


@lru_cache(20_000)
def _letters(source: str) -> frozenset[str]:
    return frozenset(letters(plain(source)))
