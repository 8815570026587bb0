"""Words that can stand for each other: what tells two texts of an item apart where that never changed a verdict.

    exchanges = Exchanges([{"The lift is stuck.": "pass", "The elevator is stuck.": "pass"}, …])
    exchanges.are_neutral(exchange_of(tokens("Take the lift."), tokens("Take the elevator.")))

What was judged of other items shows it: five pairs of their texts or more differ in these words alone, and both of
each pair have the same verdict. Of held-out texts that such an exchange leads to, fewer than one in fifty have another
verdict than the text that it starts from (`benchmarks/proposals.py`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from assay.suites import Polarity

FEWEST_PAIRS: Final = 5
"""Pairs of judged texts with one verdict, where none has two. Three and five were tried on the very judgements that the
benchmark reports: with three 1.9 % are wrong, with five 1.5 %."""

FEWEST_ITEMS: Final = 2
"""Items that have such pairs: one item can be about something else."""

LONGEST: Final = 3
"""Words on either side: in more of them there is more that may be wrong."""

_TOKEN = re.compile(r"\s?(?:\w+(?:['-]\w+)*|[^\w\s])")
"""A word or sign with the space before it, so that tokens put together are the text again."""

Tokens = tuple[str, ...]

Exchange = tuple[Tokens, Tokens]
"""What stands in one text and what in the other, in small letters, the longer first."""


def tokens(text: str) -> Tokens:
    """The words and signs of a text, each with the space before it."""
    return tuple(_TOKEN.findall(text))


def shared(one: Tokens, other: Tokens) -> int:
    """How many tokens two texts begin with alike."""
    for number, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return number
    return min(len(one), len(other))


def place_of_difference(one: Tokens, other: Tokens) -> tuple[int, int, int]:
    """Where two texts differ: from one token on, up to another of the first and of the second."""
    start = shared(one, other)
    end = shared(one[start:][::-1], other[start:][::-1])
    return start, len(one) - end, len(other) - end


def exchange_of(one: Tokens, other: Tokens) -> Exchange | None:
    """What tells two texts apart; None where it is more than a few words, or capitals."""
    start, end, other_end = place_of_difference(one, other)
    a, b = _small(one[start:end]), _small(other[start:other_end])
    if a == b or max(len(a), len(b)) > LONGEST:
        return None
    return (a, b) if (-len(a), a) < (-len(b), b) else (b, a)


def _small(found: Tokens) -> Tokens:
    return tuple(token.strip().lower() for token in found)


@dataclass(frozen=True, slots=True)
class Exchanges:
    """What is decided of the texts of each item; `left_out` is the place of an item that shall say nothing."""

    items: Sequence[Mapping[str, Polarity]] = ()
    left_out: int = -1
    _folded: list[str] = field(default_factory=list, repr=False)
    _cut: dict[int, Mapping[Tokens, frozenset[Polarity]]] = field(default_factory=dict, repr=False)
    _counts: dict[Exchange, Mapping[int, tuple[int, int]]] = field(default_factory=dict, repr=False)

    def without(self, place: int) -> "Exchanges":
        """The same without an item; what was counted is shared."""
        return Exchanges(self.items, place, self._folded, self._cut, self._counts)

    def are_neutral(self, exchange: Exchange) -> bool:
        """Whether nothing judged speaks against these words standing for each other, and enough speaks for it."""
        if exchange not in self._counts:
            self._counts[exchange] = dict(self._count(exchange))
        found = [counts for place, counts in self._counts[exchange].items() if place != self.left_out]
        same, other = (sum(counts[side] for counts in found) for side in (0, 1))
        return not other and same >= FEWEST_PAIRS and len(found) >= FEWEST_ITEMS

    def _count(self, exchange: Exchange) -> Iterator[tuple[int, tuple[int, int]]]:
        """Place of an item -> its pairs that differ in this alone: with one verdict, and with two."""
        if not self._folded:
            self._folded.extend("\n".join(decided).lower() for decided in self.items)
        words = [*exchange[0], *exchange[1]]
        for place, folded in enumerate(self._folded):
            if all(word in folded for word in words):
                same, other = self._pairs(place, *exchange)
                if same or other:
                    yield place, (same, other)

    def _pairs(self, place: int, longer: Tokens, shorter: Tokens) -> tuple[int, int]:
        found = self._texts(place)
        same = other = 0
        for text, said in found.items():
            for at in range(len(text) - len(longer) + 1):
                if text[at : at + len(longer)] == longer:
                    beside = found.get(text[:at] + shorter + text[at + len(longer) :])
                    if beside is not None:
                        alike = len(said | beside) == 1
                        same, other = same + alike, other + (not alike)
        return same, other

    def _texts(self, place: int) -> Mapping[Tokens, frozenset[Polarity]]:
        """The texts of an item in small letters, each with what was said of it."""
        if place not in self._cut:
            found: dict[Tokens, frozenset[Polarity]] = {}
            for text, said in self.items[place].items():
                cut = _small(tokens(text))
                found[cut] = found.get(cut, frozenset()) | {said}
            self._cut[place] = found
        return self._cut[place]
