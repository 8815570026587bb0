"""Outputs of many systems, each distinct text of an item kept once.

collector = Collector(suite)
collector.add(System("Online-A"), positions=[0, 1], texts=["Hello.", "Bye."])
outputs = collector.outputs()
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import BadOption
from assay.limits import longest_text
from assay.records import INTERNAL
from assay.suites import Suite

if TYPE_CHECKING:
    from assay.outputs.text_files import Spool

HELD = 8 * 1024**2
"""Bytes of text, roughly, that a collector holds in memory; beyond that texts go to a file."""

# Roughly what CPython spends on a string and its dictionary entry beside the characters.
_PER_TEXT = 64
# Rows that `laid_out` looks up at a time.
_ROWS = 256

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, slots=True)
class System:
    """An MT system by name, in one campaign (the year or event its outputs belong to)."""

    name: str
    campaign: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict, compare=False, metadata=INTERNAL)
    file: str = field(default="", compare=False, metadata=INTERNAL)


@dataclass(frozen=True)
class Outputs:
    """What systems wrote for the items of one suite.

    `codes[i, s]` is the index in `texts` of what system s wrote for item i, -1 where the pairing found
    nothing; `owners[c]` is the item that text c belongs to. Texts are as the system wrote them; where they are many,
    they are in a file, those of an item together. `numbers`, where somebody knows them, are the same for texts of an
    item that are the same once they are normalised. `by_order` is the number of sources that stand in several lines and
    were paired in the order of ids (`Suite.equal_sources`).
    """

    systems: tuple[System, ...]
    texts: Sequence[str]
    owners: NDArray[np.int32]
    codes: NDArray[np.int32]
    numbers: NDArray[np.int64] | None = None
    by_order: int = 0

    @property
    def found(self) -> NDArray[np.intp]:
        """Positions of the items that were paired with an output of at least one system, ascending."""
        return np.flatnonzero((self.codes >= 0).any(axis=1))

    def select(self, columns: Sequence[int]) -> "Outputs":
        """The same outputs with only these systems, in this order."""
        if list(columns) == list(range(len(self.systems))):
            return self
        return Outputs(
            systems=tuple(self.systems[column] for column in columns),
            texts=self.texts,
            owners=self.owners,
            codes=self.codes[:, list(columns)],
            numbers=self.numbers,
            by_order=self.by_order,
        )

    def of_items(self, places: Sequence[int]) -> "Outputs":
        """The outputs for some items, which are numbered anew in this order; of texts only theirs."""
        codes = self.codes[list(places)]
        used = np.unique(codes[codes >= 0])
        renumbered = np.full(len(self.texts) + 1, -1, np.int32)  # what is missing has the code -1, the last place
        renumbered[used] = np.arange(len(used), dtype=np.int32)
        owners = np.full(len(self.codes), -1, np.int32)
        owners[list(places)] = np.arange(len(places), dtype=np.int32)
        return Outputs(
            systems=self.systems,
            texts=tuple(self.texts[code] for code in used.tolist()),
            owners=owners[self.owners[used]],
            codes=renumbered[codes],
            numbers=None if self.numbers is None else self.numbers[used],
            by_order=self.by_order,
        )

    def text(self, item: int, system: int) -> str:
        """What a system wrote for an item; empty where nothing was paired."""
        code = self.codes[item, system]
        return self.texts[code] if code >= 0 else ""

    def laid_out(self, values: NDArray[T], items: NDArray[np.intp], *, missing: T) -> NDArray[T]:
        """Items × systems: `values[c]` where text c was written, `missing` where nothing was."""
        found = np.empty((len(items), len(self.systems)), dtype=values.dtype)
        for start in range(0, len(items), _ROWS):  # all at once, numpy would make 8 bytes of every 4-byte index
            codes = self.codes[items[start : start + _ROWS]]
            found[start : start + _ROWS] = np.where(codes >= 0, values[codes], missing) if len(values) else missing
        return found


class Collector:
    """Collects outputs system by system, or part by part; memory grows with the distinct texts only, up to `held`.

    Beyond that texts go to a temporary file: in batches at first, and in the order of their items at the end.
    """

    def __init__(self, suite: Suite, *, held: int = HELD) -> None:
        self._suite = suite
        self._held = held
        self._spool: Spool | None = None
        self._known: dict[System, NDArray[np.bool_]] = {}
        """System -> whether it has a text for each item."""
        self.by_order: set[str] = set()
        """Sources that were paired in the order of ids."""
        self._begin()

    def _begin(self) -> None:
        """Start an empty batch: distinct texts in `_texts`, and for each system their places in it."""
        self._seen: list[dict[str, int]] = [{} for _ in range(len(self._suite))]
        self._texts: list[str] = []
        self._owners: list[int] = []
        self._size = 0
        self._columns: dict[System, NDArray[np.int32]] = {}

    def add(self, system: System, *, positions: Sequence[int], texts: Sequence[str], part: int = 0) -> None:
        """Add the outputs of one system: `texts[k]` is for the item at `positions[k]`.

        The outputs of a system may come in parts, which are numbered from 0.
        """
        if system in self._known and not part:
            raise BadOption(duplicate_message(system))
        places = np.asarray(positions, dtype=np.intp)
        known = self._known.setdefault(system, np.zeros(len(self._suite), dtype=bool))
        if known[places].any():
            item = self._suite.items[places[known[places]][0]]
            raise BadOption(f"{system.file or 'outputs'}: item {item.id!r} stands twice for system {system.name!r}")
        known[places] = True
        seen, distinct, owners = [self._seen[position] for position in positions], self._texts, self._owners
        longest = longest_text()
        # Most texts are known already; they are looked up in one comprehension, and only new ones take the slow loop.
        codes = [by_text.get(text, -1) for by_text, text in zip(seen, texts, strict=True)]
        for place in np.flatnonzero(np.array(codes, dtype=np.int32) < 0).tolist():
            text = texts[place]
            if len(text) > longest:
                raise too_long(system, self._suite.items[positions[place]].id, text)
            # setdefault, not assignment: one call may bring the same new text of an item twice.
            code = codes[place] = seen[place].setdefault(text, len(distinct))
            if code == len(distinct):
                distinct.append(text)
                owners.append(positions[place])
                self._size += len(text) + _PER_TEXT
        if system not in self._columns:
            self._columns[system] = np.full(len(self._suite), -1, dtype=np.int32)
        self._columns[system][places] = codes
        if self._size > self._held:
            self._spill()

    def outputs(self) -> Outputs:
        """Everything collected so far as one frozen record."""
        if self._spool is not None:
            self._spill()
            # The same texts may be in several batches; merging makes them distinct again.
            texts, owners, codes = self._spool.merge(len(self._known))
            return Outputs(tuple(self._known), texts, owners, codes, by_order=len(self.by_order))
        owners = np.array(self._owners, dtype=np.int32)
        return Outputs(tuple(self._known), tuple(self._texts), owners, self._codes(), by_order=len(self.by_order))

    def _codes(self) -> NDArray[np.int32]:
        columns = list(self._columns.values())
        return np.stack(columns, axis=1) if columns else np.empty((len(self._suite), 0), np.int32)

    def _spill(self) -> None:
        """Write the batch to the temporary file and begin another."""
        if self._spool is None:
            # Few evaluations are so large.
            from assay.outputs.text_files import Spool

            self._spool = Spool(len(self._suite))
        places = {system: place for place, system in enumerate(self._known)}
        # A batch knows only the systems that came in it; their columns are those of all systems so far.
        columns = [places[system] for system in self._columns]
        self._spool.add(self._texts, np.array(self._owners, dtype=np.int32), self._codes(), columns)
        self._begin()


def too_long(system: System, item: str, text: str) -> BadOption:
    """The error for a text beyond the limit: a decoder that did not end, or a file that is no outputs."""
    return BadOption(
        f"{system.file or 'outputs'}: the text of item {item!r} has {len(text):,} characters, at most "
        f"{longest_text():,} are read; shorten it, or raise ASSAY_MAX_TEXT"
    )


def duplicate_message(system: System) -> str:
    """The message for a system that was given twice."""
    campaign = f" (campaign {system.campaign})" if system.campaign else ""
    place = f"{system.file}: " if system.file else ""
    return f"{place}system {system.name!r}{campaign} is given twice; rename one with NAME=FILE"
