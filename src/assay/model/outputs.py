"""Outputs of many systems, each distinct text of an item kept once.

collector = Collector(suite)
collector.add(System("Online-A"), positions=[0, 1], texts=["Hello.", "Bye."])
outputs = collector.outputs()
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.model.errors import BadOption
from assay.model.suite import Suite


@dataclass(frozen=True, slots=True)
class System:
    """An MT system by name, in one campaign (the year or event its outputs belong to)."""

    name: str
    campaign: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict, compare=False)
    file: str = field(default="", compare=False)


@dataclass(frozen=True)
class Outputs:
    """What systems wrote for the items of one suite.

    `codes[i, s]` is the index in `texts` of what system s wrote for item i, -1 where the pairing found
    nothing; `owners[c]` is the item that text c belongs to. Texts are as the system wrote them.
    """

    systems: tuple[System, ...]
    texts: tuple[str, ...]
    owners: NDArray[np.int32]
    codes: NDArray[np.int32]

    @property
    def found(self) -> NDArray[np.intp]:
        """Positions of the items that were paired with an output of at least one system, ascending."""
        return np.flatnonzero((self.codes >= 0).any(axis=1))

    def select(self, columns: Sequence[int]) -> "Outputs":
        """The same outputs with only these systems, in this order."""
        return Outputs(
            systems=tuple(self.systems[column] for column in columns),
            texts=self.texts,
            owners=self.owners,
            codes=self.codes[:, list(columns)],
        )

    def text(self, item: int, system: int) -> str:
        """What a system wrote for an item; empty where nothing was paired."""
        code = self.codes[item, system]
        return self.texts[code] if code >= 0 else ""


class Collector:
    """Gathers outputs system by system; memory grows with the distinct texts only."""

    def __init__(self, suite: Suite) -> None:
        self._seen: list[dict[str, int]] = [{} for _ in suite.items]
        self._texts: list[str] = []
        self._owners: list[int] = []
        self._columns: dict[System, NDArray[np.int32]] = {}

    def add(self, system: System, *, positions: Sequence[int], texts: Sequence[str]) -> None:
        """Take what one system wrote: `texts[k]` is for the item at `positions[k]`."""
        if system in self._columns:
            raise BadOption(twice(system))
        seen, distinct, owners = [self._seen[position] for position in positions], self._texts, self._owners
        codes = [known.get(text, -1) for known, text in zip(seen, texts, strict=True)]
        for place in np.flatnonzero(np.array(codes, dtype=np.int32) < 0).tolist():
            text = texts[place]
            code = codes[place] = seen[place].setdefault(text, len(distinct))
            if code == len(distinct):
                distinct.append(text)
                owners.append(positions[place])
        column = np.full(len(self._seen), -1, dtype=np.int32)
        column[positions] = codes
        self._columns[system] = column

    def outputs(self) -> Outputs:
        """Everything gathered so far as one frozen record."""
        columns = list(self._columns.values())
        return Outputs(
            systems=tuple(self._columns),
            texts=tuple(self._texts),
            owners=np.array(self._owners, dtype=np.int32),
            codes=np.stack(columns, axis=1) if columns else np.empty((len(self._seen), 0), np.int32),
        )


def twice(system: System) -> str:
    """The message for a system that was given twice."""
    campaign = f" (campaign {system.campaign})" if system.campaign else ""
    place = f"{system.file}: " if system.file else ""
    return f"{place}system {system.name!r}{campaign} is given twice; rename one with NAME=FILE"
