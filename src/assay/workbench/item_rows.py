"""The texts of an item that an annotator can decide, by what one decision settles."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
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
    twins: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    reachable: bool
    rank: UnitRank


class UnitIndex:
    """All items that have texts to decide, in the order of their cards."""

    def __init__(self, found: Iterable[PlaceUnits]) -> None:
        self.by_place = {units.place: units for units in found}
        self.order = sorted(units.rank for units in self.by_place.values() if units.rows)

    def changed(self, places: Iterable[int], units_at: Callable[[int], PlaceUnits | None]) -> "UnitIndex":
        """The same with some items as they are now; the rest is shared."""
        made = UnitIndex(())
        made.by_place, made.order = self.by_place.copy(), self.order.copy()
        for place in places:
            old, new = made.by_place.pop(place, None), units_at(place)
            if old and old.rows:
                del made.order[bisect_left(made.order, old.rank)]
            if new:
                made.by_place[place] = new
                if new.rows:
                    insort(made.order, new.rank)
        return made

    @property
    def twins(self) -> list[tuple[int, int]]:
        """(place, text) of all twins of decided texts."""
        return [(units.place, text_id) for units in self.by_place.values() for text_id in units.twins]

    @property
    def number_of_rows(self) -> int:
        return sum(len(units.rows) for units in self.by_place.values())
