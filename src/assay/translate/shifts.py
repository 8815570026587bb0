"""Lines that were lost, added or mixed up: translations that fit other sources than those they stand beside.

    find_shifts(sources, lines)      # [Shift(line=57, offset=1, lines=120)]: from line 57 on one line too many
    fits(sources, lines)             # False where the lines are in another order altogether

Nothing is translated. A translation is about as long as its source, ends with the same mark, and repeats its numbers
and names; for one sentence that says little, for ten in a row it says enough. The bounds were set on WMT21.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from statistics import median
from typing import Final

from assay.text import is_missing, normalise

FARTHEST: Final = 5
"""Lines by which neighbours are looked at."""

SWITCH: Final = 10.0
"""How much better the lines must fit before a shift is believed."""

ENOUGH: Final = 20
"""Lines below which nothing is said about their order as a whole."""

UNFIT: Final = 0.25
"""From this share of the misfit of sources and lines put together at random, lines do not belong to the sources. It is
0.1 at most for outputs of WMT21, and 0.4 and more where they are shuffled."""

# How badly a line fits a source, in the unit of SWITCH: the numbers of all lines are added up, as log-likelihoods are.
# One line can gain less by another place than a switch costs, so that no shift is seen in a single bad translation.
_SPREAD = 0.3
"""Standard deviation that is expected of the logarithm of the ratio of lengths."""
_WORST = 4.0
"""The most that a length can speak against a line."""
_NOTHING = 2.0
"""Where a line is empty: between a good fit and the worst, since it says nothing."""
_MARK = 1.5
"""Where one text ends in `?` or `!`, and the other does not."""
_SHARED = 2.0
"""What a number or name that stands in both texts speaks for the line."""

# Words with a digit, and words of three letters and more that do not begin with a small Latin letter.
_ANCHOR = re.compile(r"\w*\d\w*|[^\W\d_a-z]\w{2,}")


@dataclass(frozen=True, slots=True)
class Shift:
    """From `line` (of the source, from 1) on, for so many `lines`, texts stand `offset` lines too far down."""

    line: int
    offset: int
    lines: int


def find_shifts(sources: Sequence[str], lines: Sequence[str]) -> list[Shift]:
    """Where lines do not stand beside their sources; nothing where they all do."""
    if not sources or not _say_enough(lines):
        return []
    comparison = _Comparison(sources, lines)
    found: list[Shift] = []
    for number, offset in enumerate(_best_offsets(comparison), start=1):
        if found and found[-1].offset == offset:
            found[-1] = replace(found[-1], lines=found[-1].lines + 1)
        else:
            found.append(Shift(number, offset, 1))
    return [shift for shift in found if shift.offset]


def fits(sources: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether lines, each at its best place nearby, fit the sources better than any other lines would."""
    if min(len(sources), len(lines)) < ENOUGH or not _say_enough(lines):
        return True
    comparison = _Comparison(sources, lines)
    places = enumerate(_best_offsets(comparison))
    found = [comparison.misfit(number, offset) for number, offset in places if 0 <= number + offset < len(lines)]
    # Most places lie outside of the file: nothing fits where it stands.
    if 2 * len(found) < min(len(sources), len(lines)):
        return False
    # What chance looks like: the same sources beside lines that are far away, a fifth of the file at a time.
    far = [len(lines) * part // 5 for part in (1, 2, 3, 4)]
    other = [
        comparison.misfit(number, (number + step) % len(lines) - number) for step in far for number in range(len(found))
    ]
    return sum(found) / len(found) < UNFIT * sum(other) / len(other)


def _say_enough(lines: Sequence[str]) -> bool:
    """Whether there are enough texts at all, and different ones."""
    return 3 * len({text for text in map(normalise, lines) if not is_missing(text)}) > len(lines)


class _Side:
    """What is compared of one text."""

    def __init__(self, text: str) -> None:
        self.text = normalise(text)
        # The 5 keeps very short texts from differing a lot for no reason.
        self.length = log(len(self.text) + 5)
        end = self.text.rstrip("\"'»“”)")[-1:]
        self.mark = {"？": "?", "！": "!"}.get(end, end if end in "?!" else "")

    @cached_property
    def anchors(self) -> frozenset[str]:
        return frozenset(_ANCHOR.findall(self.text))


class _Comparison:
    """How badly lines fit sources. Lengths are compared with the usual ratio of all lines.

    Beyond the ends of the file the misfit is 0: where it was cut there is nothing to compare.
    """

    def __init__(self, sources: Sequence[str], lines: Sequence[str]) -> None:
        self.sources, self.lines = [_Side(text) for text in sources], [_Side(text) for text in lines]
        self.usual = median(side.length for side in self.lines) - median(side.length for side in self.sources)

    def misfit(self, number: int, offset: int) -> float:
        place = number + offset
        if not 0 <= place < len(self.lines):
            return 0.0
        source, line = self.sources[number], self.lines[place]
        if is_missing(line.text):
            return _NOTHING
        apart = (line.length - source.length - self.usual) / _SPREAD
        shared = _SHARED if source.anchors & line.anchors else 0.0
        return min(_WORST, apart**2 / 2) + (_MARK if source.mark != line.mark else 0.0) - shared


def _best_offsets(comparison: _Comparison) -> list[int]:
    """The offset of every line on the cheapest way through all of them, where each change of offset costs.

    The Viterbi algorithm, with offsets as states. All changes cost the same, so that a state is reached from itself or
    from the cheapest state of the line before, whichever costs less: no pair of states has to be compared.
    """
    # A file that has so many lines too many or too few may be shifted by all of them at once.
    rest = len(comparison.lines) - len(comparison.sources)
    offsets = sorted({*range(-FARTHEST, FARTHEST + 1), rest})
    # costs[state]: of the cheapest way to this line that ends with offsets[state]. A file begins without an offset.
    costs = [comparison.misfit(0, offset) + (SWITCH if offset else 0.0) for offset in offsets]
    # before[n][state]: the state of line n on that way, if line n + 1 is in `state`.
    before: list[list[int]] = []
    for number in range(1, len(comparison.sources)):
        cheapest = min(range(len(offsets)), key=costs.__getitem__)
        limit = costs[cheapest] + SWITCH
        before.append([state if cost <= limit else cheapest for state, cost in enumerate(costs)])
        costs = [
            min(cost, limit) + comparison.misfit(number, offset) for cost, offset in zip(costs, offsets, strict=True)
        ]
    # The last line ends where the file ends, or the file was cut.
    ends = [cost + (SWITCH / 2 if offset != rest else 0.0) for cost, offset in zip(costs, offsets, strict=True)]
    # From the end back to the start, along the states that were noted down.
    state = min(range(len(offsets)), key=ends.__getitem__)
    way = [state]
    for choices in reversed(before):
        way.append(choices[way[-1]])
    return [offsets[state] for state in reversed(way)]
