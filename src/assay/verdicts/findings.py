"""What many texts are worth, in five small numbers each: the findings of a million texts take 10 MB.

    packed = pack(judge.numbers(item.id, text) for text in texts)
    findings = Findings(suite, outputs, [(codes, packed)])
    findings[7]  # -> Finding(PASS, …)

The numbers are also what comes back from a worker: they are few, and quick to send.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args, overload

import numpy as np
from numpy.typing import NDArray

from assay.outputs import Outputs
from assay.suites import Rule, Suite
from assay.verdicts.verdict import Evidence, Finding, Reason, Verdict

Numbers = tuple[int, ...]
"""Verdict, reason, and of each rule that is evidence: its place in the item, start, end. Without one these are -1."""

REASONS: tuple[Reason, ...] = get_args(Reason)
WIDTH = 5
NOT_JUDGED = -2

MISSING_NUMBERS: Numbers = (Verdict.WARNING.value, REASONS.index("missing"), -1, -1, -1)
NO_MATCH: Numbers = (Verdict.WARNING.value, REASONS.index("no_match"), -1, -1, -1)

_VERDICTS = {verdict.value: verdict for verdict in Verdict}
_KEPT = 8192


def unpack(numbers: Sequence[int], rules: Sequence[Rule]) -> Finding:
    """The finding that the numbers stand for; `rules` are those of the item."""
    evidence = tuple(
        Evidence(rules[numbers[place]], numbers[place + 1], numbers[place + 2])
        for place in range(2, len(numbers), 3)
        if numbers[place] >= 0
    )
    return Finding(_VERDICTS[numbers[0]], REASONS[numbers[1]], evidence)


@dataclass(frozen=True, slots=True)
class Packed:
    """Numbers of many texts one after the other, `WIDTH` for each; `more` has those that are more or larger."""

    numbers: bytes
    more: dict[int, Numbers]


def pack(found: Iterable[Numbers]) -> Packed:
    """The numbers of many texts, in their order."""
    flat, more = array("h"), {}
    extend = flat.extend
    for place, numbers in enumerate(found):
        if len(numbers) == WIDTH:
            try:
                extend(numbers)
                continue
            except OverflowError:  # a place in a very long text; what stands before it has been added
                del flat[WIDTH * place :]
        more[place] = numbers
        extend((*numbers[:2], -1, -1, -1))
    return Packed(flat.tobytes(), more)


class Findings(Sequence[Finding | None]):
    """The finding of each text of `outputs`, None where it was not judged; made from numbers when it is asked for."""

    def __init__(self, suite: Suite, outputs: Outputs, pieces: Iterable[tuple[NDArray[np.int32], Packed]]) -> None:
        self._items = suite.items
        self._owners = outputs.owners
        self._rows = np.full((len(outputs.texts), WIDTH), NOT_JUDGED, dtype=np.int16)
        self._more: dict[int, Numbers] = {}
        for codes, packed in pieces:
            self._rows[codes] = np.frombuffer(packed.numbers, dtype=np.int16).reshape(-1, WIDTH)
            self._more.update((int(codes[place]), numbers) for place, numbers in packed.more.items())
        self._made: dict[int, Finding | None] = {}

    @property
    def verdicts(self) -> NDArray[np.int8]:
        """The code of each text's verdict; a warning where it was not judged."""
        return np.maximum(self._rows[:, 0], Verdict.WARNING).astype(np.int8)

    def with_reason(self, reason: Reason) -> NDArray[np.bool_]:
        """Whether each text has this reason for its warning."""
        found: NDArray[np.bool_] = self._rows[:, 1] == REASONS.index(reason)
        return found

    @property
    def found(self) -> NDArray[np.bool_]:
        """Whether each text was judged at all."""
        return np.asarray(self._rows[:, 0] != NOT_JUDGED)

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Whether exact rules alone decide each text, as `Finding.is_judged`, without making findings."""
        found = np.zeros(len(self._rows), dtype=np.bool_)
        decided = np.flatnonzero((self._rows[:, 0] > Verdict.WARNING) & (self._rows[:, 2] >= 0))
        owners, rules = self._owners[decided].tolist(), self._rows[decided, 2].tolist()
        found[decided] = [
            self._items[owner].rules[rule].kind == "exact" for owner, rule in zip(owners, rules, strict=True)
        ]
        # Those with more evidence.
        for code in self._more:
            found[code] = self._make(code).is_judged  # type: ignore[union-attr]
        return found

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Finding | None: ...

    @overload
    def __getitem__(self, index: slice) -> list[Finding | None]: ...

    def __getitem__(self, index: int | slice) -> Finding | list[Finding | None] | None:
        numbers = range(len(self))[index]
        return self._one(numbers) if isinstance(numbers, int) else [self._one(code) for code in numbers]

    def __iter__(self) -> Iterator[Finding | None]:
        return map(self._one, range(len(self)))

    def _one(self, code: int) -> Finding | None:
        # Many systems write the same text, and tables go item by item: what was made last is asked for again.
        if code not in self._made:
            if len(self._made) >= _KEPT:
                self._made.clear()
            self._made[code] = self._make(code)
        return self._made[code]

    def _make(self, code: int) -> Finding | None:
        numbers = self._rows[code].tolist()
        if numbers[0] == NOT_JUDGED:
            return None
        return unpack(self._more.get(code, numbers), self._items[self._owners[code]].rules)
