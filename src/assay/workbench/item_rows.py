"""The texts of an item that an annotator can decide, by what one decision settles."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from assay.verdicts import Verdict

UnitRank = tuple[bool, int, int, int]
"""What takes the fewest decisions first: not reachable, rows, items that it frees (negative), place."""


@dataclass(frozen=True, slots=True)
class DecidedTwin:
    """The decided text that another one equals but for its writing; one that no system wrote has the id 0."""

    text_id: int
    value: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ItemRows:
    """Undecided text -> the decided one that it is a twin of; and the others, those in a row that are twins.

    The first text of a row is the one that most systems wrote.
    """

    twins: dict[int, DecidedTwin]
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PlaceUnits:
    """The texts of the item at a place that wait: twins of decided ones, and rows; where they stand among all.

    `reachable` says that the item counts in a fair comparison once all are decided.
    """

    place: int
    phenomenon: tuple[str, str]
    twins: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    reachable: bool
    rank: UnitRank


class UnitIndex:
    """All items that have texts to decide, in the order of their cards, also within each phenomenon."""

    def __init__(self, found: Iterable[PlaceUnits]) -> None:
        self.by_place: dict[int, PlaceUnits] = {}
        self.twins: dict[int, tuple[int, ...]] = {}
        """Place of an item -> its twins of decided texts, where there are any."""
        self.order: list[UnitRank] = []
        self.of_phenomenon: dict[tuple[str, str], list[UnitRank]] = {}
        self.number_of_rows = 0
        for units in found:
            self._take_in(units)
        for ranks in (self.order, *self.of_phenomenon.values()):
            ranks.sort()

    def changed(self, places: Iterable[int], units_at: Callable[[int], PlaceUnits | None]) -> "UnitIndex":
        """The same with some items as they are now; the rest is shared."""
        made = UnitIndex(())
        made.by_place, made.twins, made.order = self.by_place.copy(), self.twins.copy(), self.order.copy()
        made.of_phenomenon, made.number_of_rows = self.of_phenomenon.copy(), self.number_of_rows
        for place in places:
            old, new = made.by_place.pop(place, None), units_at(place)
            made.twins.pop(place, None)
            for units in (old, new):
                if units and units.rows:
                    made.of_phenomenon[units.phenomenon] = made.of_phenomenon.get(units.phenomenon, []).copy()
            if old and old.rows:
                for ranks in (made.order, made.of_phenomenon[old.phenomenon]):
                    del ranks[bisect_left(ranks, old.rank)]
                made.number_of_rows -= len(old.rows)
            if new:
                made._take_in(new, add=insort)
        return made

    def _take_in(self, units: PlaceUnits, add: Callable[[list[UnitRank], UnitRank], None] = list.append) -> None:
        self.by_place[units.place] = units
        if units.twins:
            self.twins[units.place] = units.twins
        if units.rows:
            add(self.order, units.rank)
            add(self.of_phenomenon.setdefault(units.phenomenon, []), units.rank)
            self.number_of_rows += len(units.rows)

    def behind(self, place: int) -> Iterator[int]:
        """The items of the same phenomenon whose cards come behind that of an item."""
        units = self.by_place[place]
        ranks = self.of_phenomenon[units.phenomenon]
        for at in range(bisect_right(ranks, units.rank), len(ranks)):
            yield ranks[at][-1]
